//! The words of a WGSL module, as far as its imports and names need them.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// An operator or a bracket.
    Sign,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

/// Signs of more than one character, the longest first.
const SIGNS: [&str; 22] = [
    "<<=", ">>=", "::", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--",
    "->", "<<", ">>",
];

/// The tokens of a text, without comments.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += comment(rest);
        } else {
            let (kind, length) = token(rest, first);
            found.push(Token { kind, range: at..at + length });
            at += length;
        }
    }
    found
}

fn token(rest: &str, first: char) -> (TokenKind, usize) {
    let word = |c: char| c == '_' || c.is_alphanumeric();
    let length = |in_token: &dyn Fn(char) -> bool| rest.find(|c| !in_token(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        (TokenKind::Number, length(&|c| word(c) || c == '.'))
    } else if word(first) {
        (TokenKind::Word, length(&word))
    } else {
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        (TokenKind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
    }
}

/// The closing token of each bracket.
pub(super) fn closings(text: &str, tokens: &[Token]) -> Vec<usize> {
    let mut found: Vec<usize> = (0..tokens.len()).collect();
    let mut open = vec![];
    for (at, token) in tokens.iter().enumerate() {
        match &text[token.range.clone()] {
            "(" | "[" => {
                found[at] = tokens.len();
                open.push(at);
            }
            ")" | "]" => {
                if let Some(opening) = open.pop() {
                    found[opening] = at;
                }
            }
            _ => {}
        }
    }
    found
}

/// The length of a block comment, which may contain others.
fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out_and_signs_are_whole() {
        let text = "a<<=1u; // b\n/* c /* d */ e */ x[f.g] == 0x1fu;";
        let words: Vec<&str> = tokens(text).into_iter().map(|token| &text[token.range]).collect();
        assert_eq!(words, ["a", "<<=", "1u", ";", "x", "[", "f", ".", "g", "]", "==", "0x1fu", ";"]);
    }

    #[test]
    fn an_open_comment_ends_with_the_text() {
        assert!(tokens("/* a").is_empty());
        assert!(tokens("// a").is_empty());
    }
}

//! Words of a rule.

use super::error::{Fault, RuleError};
use super::source::{Columns, Place, SourceLine, Sources};

/// A word of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// In small letters.
    Name(String),
    /// Digits as written.
    Number(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

impl Token {
    /// As a message shows it.
    pub fn shown(&self) -> String {
        match self {
            Self::Name(text) | Self::Number(text) => format!("'{text}'"),
            Self::Sign(text) => format!("'{text}'"),
        }
    }
}

/// Longer signs first.
const SIGNS: [&str; 26] = [
    ":=", "!=", "<=", ">=", "<>", "==", "..", "=", "<", ">", "+", "-", "*", "/", "(", ")", "{", "}", ",", "?", "~",
    "$", ";", "[", "]", "!",
];

/// The length of the exponent that follows digits, as in `1e-3`; 0 where there is none.
fn exponent(rest: &str) -> usize {
    let Some(behind) = rest.strip_prefix(['e', 'E']) else { return 0 };
    let digits = behind.strip_prefix(['-', '+']).unwrap_or(behind);
    let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    if after.len() < digits.len() && ends { rest.len() - after.len() } else { 0 }
}

/// The words of parts of lines.
pub(super) fn tokens(sources: &Sources, source_lines: &[SourceLine]) -> Result<Vec<(Token, Place)>, RuleError> {
    let mut found = vec![];
    for source_line in source_lines {
        let (mut at, mut columns) = (0, Columns::new(source_line));
        while let Some(first) = source_line.text[at..].chars().next() {
            let rest = &source_line.text[at..];
            if first.is_whitespace() {
                at += first.len_utf8();
                continue;
            }
            let place = columns.place(at);
            let length = |inside: fn(char) -> bool| rest.find(|c| !inside(c)).unwrap_or(rest.len());
            let (token, length) = if first.is_ascii_alphabetic() || first == '_' {
                let length = length(|c| c.is_ascii_alphanumeric() || c == '_');
                (Token::Name(rest[..length].to_ascii_lowercase()), length)
            } else if first.is_ascii_digit() || (first == '.' && !rest.starts_with("..")) {
                let mut length = length(|c| c.is_ascii_digit() || c == '.');
                // 1..2 is a range of cells.
                length = rest[..length].find("..").unwrap_or(length);
                length += exponent(&rest[length..]);
                (Token::Number(rest[..length].to_owned()), length)
            } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                (Token::Sign(sign), sign.len())
            } else {
                let expected = "a number, a name, a cell or an operator".into();
                return Err(sources.fail(place, Fault::Syntax { found: format!("'{first}'"), expected }));
            };
            found.push((token, place));
            at += length;
        }
    }
    Ok(found)
}

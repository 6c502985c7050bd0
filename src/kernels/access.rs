//! Whether a function writes a buffer.

use super::module::{Item, Module};
use super::token::TokenKind;

const ASSIGNMENTS: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// Whether a function assigns to a buffer or a part of it, or takes its address, which others may write by.
pub(super) fn is_written(module: &Module, function: &Item, buffer: &str) -> bool {
    let word = |at: usize| module.word(at);
    function.tokens.clone().any(|at| {
        if word(at) != buffer || word(at - 1) == "." {
            return false;
        }
        // What asks for a length writes nothing.
        if word(at - 1) == "&" && word(at - 2) == "(" && word(at - 3) == "arrayLength" {
            return false;
        }
        // An operator between two values is no address.
        let value_before = at >= 2
            && (matches!(word(at - 2), ")" | "]")
                || (matches!(module.tokens[at - 2].kind, TokenKind::Word | TokenKind::Number)
                    && word(at - 2) != "return"));
        if word(at - 1) == "&" && !value_before {
            return true;
        }
        ASSIGNMENTS.contains(&word(behind_places(module, at + 1)))
    })
}

/// Passes over what picks a part of a value: indices and members.
fn behind_places(module: &Module, mut at: usize) -> usize {
    loop {
        match module.word(at) {
            "." => at += 2,
            "[" => {
                let mut depth = 0;
                loop {
                    match module.word(at) {
                        "[" => depth += 1,
                        "]" => depth -= 1,
                        "" => return at,
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(body: &str) -> bool {
        let module = Module::parse("test", &format!("fn f() {{ {body} }}")).expect("a module");
        is_written(&module, &module.items[0], "words")
    }

    #[test]
    fn writing_is_told_from_reading() {
        for body in [
            "words[i] = 1u;",
            "words[a[2u] + 1u].x += 2u;",
            "words[0]++;",
            "atomicAdd(&words[i], 1u);",
            "return f(&words);",
        ] {
            assert!(written(body), "{body}");
        }
        for body in [
            "let a = words[i];",
            "a[words[i]] = 1u;",
            "if (words[i] == 1u) { return; }",
            "b = a & words[1];",
            "b = arrayLength(&words);",
            "b = a[0] & words[1];",
            "b.words = 1u;",
            "c = words[1] <= 2u;",
        ] {
            assert!(!written(body), "{body}");
        }
    }
}

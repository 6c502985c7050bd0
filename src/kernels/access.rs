//! Whether a function writes a buffer.

use super::module::{Item, Module};
use super::token::TokenKind;

const ASSIGNMENTS: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// Whether a function assigns to a buffer or a part of it, or takes its address, by which others may write.
pub(super) fn is_written(module: &Module, function: &Item, buffer: &str) -> bool {
    function.tokens.clone().any(|at| {
        let before = |tokens: usize| at.checked_sub(tokens).map_or("", |at| module.word(at));
        if module.word(at) != buffer || before(1) == "." {
            return false;
        }
        // Asking for a length writes nothing.
        if before(1) == "&" && before(2) == "(" && before(3) == "arrayLength" {
            return false;
        }
        // An operator between two values takes no address.
        let value_before = at >= 2
            && (matches!(before(2), ")" | "]")
                || (matches!(module.tokens[at - 2].kind, TokenKind::Word | TokenKind::Number)
                    && before(2) != "return"));
        if before(1) == "&" && !value_before {
            return true;
        }
        ASSIGNMENTS.contains(&module.word(behind_places(module, at + 1)))
    })
}

/// Passes over indices and members.
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

    /// The language refuses the name; the linker must still cope with it at the beginning.
    #[test]
    fn a_buffer_may_have_the_name_of_the_first_word() {
        let module = Module::parse("test", "fn f() {} var<storage, read_write> fn: u32;").expect("a module");
        assert!(!is_written(&module, &module.items[0], "fn"));
    }
}

//! A user's own WGSL: every index of its arrays is checked, and errors name its file and line.

use std::collections::HashMap;

use super::module::{ItemKind, Module};

/// The import of the function for indices outside of an array: `outside::{index_of}`.
const IMPORT: &str = "import outside::{index_of}; ";

/// The same text, in which every index of a variable of the module goes through `index_of(index, length, line)`. Lines stay
/// where they are. Only `name[index]` is checked, where the module declares `name` as an array outside of functions: an
/// index within an element, or through a pointer, is not.
pub(super) fn looked_after(module: &Module) -> String {
    let arrays: HashMap<&str, String> = module.items.iter().filter_map(|item| array(module, item)).collect();
    let functions = module.items.iter().filter(|item| item.kind == ItemKind::Function);
    let mut inserted: Vec<(usize, String)> = vec![];
    for item in functions {
        for at in item.tokens.clone() {
            let found = arrays.get_key_value(module.word(at)).filter(|(name, _)| item.uses.contains(**name));
            let Some((_, length)) = found.filter(|_| module.word(at + 1) == "[" && module.word(at - 1) != ".") else {
                continue;
            };
            let closing = module.closing(at + 1);
            let Some(end) = module.tokens.get(closing) else { continue };
            let line = module.line_of(module.tokens[at].range.start);
            inserted.push((module.tokens[at + 1].range.end, "index_of(u32(".to_owned()));
            inserted.push((end.range.start, format!("), {length}, {line}u)")));
        }
    }
    if inserted.is_empty() {
        return module.text.clone();
    }
    inserted.sort();
    let mut text = IMPORT.to_owned();
    let mut begin = 0;
    for (place, words) in inserted {
        text += &module.text[begin..place];
        text += &words;
        begin = place;
    }
    text + &module.text[begin..]
}

/// The name of a variable that is an array, and its length in WGSL.
fn array<'m>(module: &'m Module, item: &'m super::module::Item) -> Option<(&'m str, String)> {
    let is_variable = item.tokens.clone().any(|at| module.word(at) == "var" && module.word(at + 1) == "<");
    let name = item.tokens.clone().find(|&at| module.word(at) == item.name && module.word(at + 1) == ":")?;
    // A text that ends too early has no type.
    let [begin, end] = [name + 2, item.tokens.end - 1].map(|token| module.tokens.get(token).map(|it| it.range.start));
    let kind = module.text.get(begin?..end?)?;
    let kind = kind.split('=').next().unwrap_or_default().trim();
    let inside = kind.strip_prefix("array")?.trim_start().strip_prefix('<')?.strip_suffix('>')?;
    let mut depth = 0;
    let comma = inside.char_indices().find(|&(_, c)| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    let count =
        comma.map(|(place, _)| inside[place + 1..].trim().trim_end_matches(',')).filter(|count| !count.is_empty());
    let length = count.map_or_else(|| format!("arrayLength(&{})", item.name), |count| format!("u32({count})"));
    is_variable.then_some((item.name.as_str(), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        looked_after(&Module::parse("own.wgsl", text).expect("a module"))
    }

    #[test]
    fn indices_of_own_arrays_are_looked_at() {
        let text = "var<storage, read_write> words: array<vec4<u32>>;\nvar<private> few: array<u32, 4 * 2>;\n\
                    fn f(i: u32) {\n  few[words[i].x] = g.few[2] + h[words[i + 1u][2]];\n}\n";
        let expected = "import outside::{index_of}; var<storage, read_write> words: array<vec4<u32>>;\n\
                        var<private> few: array<u32, 4 * 2>;\nfn f(i: u32) {\n  \
                        few[index_of(u32(words[index_of(u32(i), arrayLength(&words), 4u)].x), u32(4 * 2), 4u)] = \
                        g.few[2] + h[words[index_of(u32(i + 1u), arrayLength(&words), 4u)][2]];\n}\n";
        assert_eq!(written(text), expected);
    }

    /// An earlier version went over the whole text for each index, or for each bracket within another.
    #[test]
    fn a_long_text_takes_no_time() {
        let many = "few[1u] = lane;\n".repeat(50_000);
        assert!(written(&format!("var<private> few: array<u32, 4>;\nfn f() {{\n{many}}}")).contains("u32(4), 50002u)"));
        let brackets = "a > few[".repeat(30_000);
        assert!(
            Module::parse("own.wgsl", &format!("var<private> few: array<u32, 4>;\nfn f() {{ {brackets} }}")).is_ok()
        );
        let chain: String = (0..30_000).map(|n| format!("fn f{n}() {{ f{}(); }}\n", n + 1)).collect();
        assert!(Module::parse("own.wgsl", &chain).is_ok());
    }

    #[test]
    fn what_is_no_array_of_the_module_stays() {
        for text in [
            "var<uniform> rule: vec4<u32>;\nfn f() -> u32 { return rule[1]; }\n",
            "var<private> words: array<u32, 4>;\nfn f() { var words = array<u32, 2>(); words[1] = 2u; }\n",
            "fn f(words: array<u32, 4>) -> u32 { return words[1]; }\n",
            "fn f() -> u32 { return words[1]; } var<private> words:",
            "fn f() -> u32 { return words[1]; } var<private> words:;",
        ] {
            assert_eq!(written(text), text);
        }
    }
}

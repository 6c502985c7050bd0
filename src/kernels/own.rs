//! A user's own WGSL: every index is checked, and errors name its file and line. Indices of arrays and vectors are found where types are
//! known, with the kernel as a whole; here those of functions of the library that take one.

use super::module::{ItemKind, Module, Origin};

/// A bound: a choice and a name there, and by how many places an index must lie before it.
type Bound = (&'static str, &'static str, u32);

/// The functions of `shaders/` that take an index, by their files, with the place of the argument and its bound.
const TAKING: [(&str, &str, usize, Bound); 11] = [
    (CELL, "state_word", 1, ("constants", "STATE_WORDS", 0)),
    (CELL, "set_state_word", 1, ("constants", "STATE_WORDS", 0)),
    (CELL, "output_word", 1, ("constants", "OUTPUT_WORDS", 0)),
    (CELL, "set_output", 1, ("constants", "OUTPUT_WORDS", 0)),
    (CELL, "neighbour_exists", 0, ("constants", "NEIGHBOURS", 0)),
    (CELL, "neighbour_arrives", 0, ("constants", "NEIGHBOURS", 0)),
    (CELL, "neighbour_word", 0, ("constants", "NEIGHBOURS", 0)),
    (CELL, "neighbour_word", 1, ("constants", "OUTPUT_WORDS", 0)),
    (STREAM, "stream_from", 1, ("constants", "STATE_WORDS", 1)),
    (STREAM, "keep_stream", 1, ("constants", "STATE_WORDS", 1)),
    ("lib/laws", "law", 0, ("law_rows", "LAWS", 0)),
];
const CELL: &str = "cells/cell";
const STREAM: &str = "cells/stream";

/// The text of a module, in which indices that are arguments go through `index_of(index, length, line)` of the choice `outside`. Lines stay
/// where they are.
pub(super) fn looked_after(module: &Module) -> String {
    let mut inserted: Vec<(usize, String)> = vec![];
    let mut bounds: Vec<(&str, &str)> = vec![];
    for item in module.items.iter().filter(|item| item.kind == ItemKind::Function) {
        for at in item.tokens.clone().filter(|at| module.word(at + 1) == "(") {
            let Some(Origin::File(from)) = module.imports.get(module.word(at)) else { continue };
            let taking = TAKING.iter().filter(|(file, name, ..)| from == file && module.word(at) == *name);
            for (_, _, place, (choice, bound, before)) in taking {
                let Some([begin, end]) = argument(module, at + 1, *place) else { continue };
                let line = module.line_of(module.tokens[at].range.start);
                inserted.push((begin, "index_of(u32(".to_owned()));
                let length =
                    if *before == 0 { (*bound).to_owned() } else { format!("max({bound}, {before}u) - {before}u") };
                inserted.push((end, format!("), {length}, {line}u)")));
                bounds.push((choice, bound));
            }
        }
    }
    // A sort that keeps the order: an argument within another one ends first.
    inserted.sort_by_key(|(place, _)| *place);
    bounds.sort_unstable();
    bounds.dedup();
    let outside = bounds.first().map(|_| ("outside", "index_of"));
    let needed = outside
        .into_iter()
        .chain(bounds)
        .filter(|(choice, name)| module.imports.get(*name) != Some(&Origin::Choice((*choice).to_owned())));
    let mut text: String = needed.map(|(choice, name)| format!("import {choice}::{name}; ")).collect();
    let mut begin = 0;
    for (place, words) in inserted {
        text += &module.text[begin..place];
        text += &words;
        begin = place;
    }
    text + &module.text[begin..]
}

/// Where an argument of a call begins and ends, by the call's opening bracket.
fn argument(module: &Module, opening: usize, place: usize) -> Option<[usize; 2]> {
    let closing = module.closing(opening);
    let mut separators = vec![opening];
    let mut at = opening + 1;
    while at < closing {
        if module.word(at) == "," {
            separators.push(at);
        }
        at = module.closing(at) + 1;
    }
    separators.push(closing);
    let [before, behind] = *separators.get(place..place + 2)? else { return None };
    Some([module.tokens.get(before)?.range.end, module.tokens.get(behind)?.range.start])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        looked_after(&Module::parse("own.wgsl", text).expect("a module"))
    }

    #[test]
    fn indices_that_are_arguments_are_looked_at() {
        let text = "import package::cells::cell::{neighbour_word, set_output, state_word}; import constants::{NEIGHBOURS};\n\
                    fn f(cell: u32, i: u32) {\n  set_output(cell, max(i, 1u), state_word(cell, 9u));\n  \
                    _ = neighbour_word(i + 1u,\n 2u); _ = state_word(cell, state_word(cell, i));\n}\n";
        let expected = "import outside::index_of; import constants::OUTPUT_WORDS; import constants::STATE_WORDS; \
                        import package::cells::cell::{neighbour_word, set_output, state_word}; import constants::{NEIGHBOURS};\n\
                        fn f(cell: u32, i: u32) {\n  set_output(cell,index_of(u32( max(i, 1u)), OUTPUT_WORDS, 3u), \
                        state_word(cell,index_of(u32( 9u), STATE_WORDS, 3u)));\n  \
                        _ = neighbour_word(index_of(u32(i + 1u), NEIGHBOURS, 4u),index_of(u32(\n 2u), OUTPUT_WORDS, 4u)); \
                        _ = state_word(cell,index_of(u32( state_word(cell,index_of(u32( i), STATE_WORDS, 5u))), STATE_WORDS, 5u));\n}\n";
        assert_eq!(written(text), expected);
    }

    #[test]
    fn a_stream_takes_two_words() {
        let text = "import package::cells::stream::{keep_stream, stream_from};\n\
                    fn f(cell: u32) { keep_stream(cell, 1u, stream_from(cell, 1u)); }\n";
        let expected = "import outside::index_of; import constants::STATE_WORDS; \
                        import package::cells::stream::{keep_stream, stream_from};\n\
                        fn f(cell: u32) { keep_stream(cell,index_of(u32( 1u), max(STATE_WORDS, 1u) - 1u, 2u), \
                        stream_from(cell,index_of(u32( 1u), max(STATE_WORDS, 1u) - 1u, 2u))); }\n";
        assert_eq!(written(text), expected);
    }

    #[test]
    fn a_law_is_one_of_the_list() {
        let text = "import package::lib::laws::{law};\nfn f(n: u32) { _ = law(n); }\n";
        let expected = "import outside::index_of; import law_rows::LAWS; import package::lib::laws::{law};\n\
                        fn f(n: u32) { _ = law(index_of(u32(n), LAWS, 2u)); }\n";
        assert_eq!(written(text), expected);
        // A bound is no constant of the user's, whatever that is named.
        let said = |text: &str| Module::own("own.wgsl", text, true).err().map(|error| error.to_string());
        let own = said(&format!("{text}const LAWS: u32 = 99u;\n"));
        assert_eq!(own.as_deref(), Some("'LAWS' is declared twice, in own.wgsl and in law_rows"));
        let other = said(&format!("import constants::{{LAWS}}; {text}"));
        assert!(other.is_some_and(|said| said.contains("a name that is imported one time")));
        assert_eq!(said(text), None);
    }

    #[test]
    fn functions_of_ones_own_stay() {
        for text in [
            "fn state_word(cell: u32, word: u32) -> u32 { return 1u; }\nfn f() -> u32 { return state_word(0u, 9u); }\n",
            "import package::processes::state::{state_word};\nfn f() -> u32 { return state_word(9u); }\n",
            "import package::cells::cell::{state_word};\nfn f() -> u32 { return state_word(9u); }\n",
            "import package::cells::cell::{state_word};\nfn f() -> u32 { return state_word(9u, ",
        ] {
            assert_eq!(written(text), text);
        }
    }
}

//! Faults of TOML syntax, in plain words.

const VALUE: &str = "a key has no value: write KEY = VALUE";
const WORDS_OF_KEY: &str =
    "a key has no value: write KEY = VALUE, and in quotes what has blanks, as in station.\"my desk\".servers";
const NUMBER: &str = "that is no number: write it as 12, -0.5 or 1e3";
const KEY: &str = "that is no key, which is of letters, digits, - and _: write KEY = VALUE";
const QUOTES: &str =
    "the text has no end, or a sign in it that it may not have: write it as \"TEXT\", with \\\\ for \\";
const MANY: &str = "there is one too many: leave it out";
const DEEP: &str = "there are too many brackets within each other: use fewer";

/// How messages of the parser begin, and their meaning. The first that fits counts.
const WORDS: [(&str, &str); 38] = [
    ("key with no value", WORDS_OF_KEY),
    ("missing value", VALUE),
    ("missing assignment", VALUE),
    ("invalid key-value pair", VALUE),
    ("invalid value", VALUE),
    ("extra", MANY),
    ("unexpected `=`", MANY),
    ("unclosed array table", "the heading has no end: write [[NAME]]"),
    ("unclosed table", "the heading has no end: write [NAME], or [[NAME]] of a table of which there may be several"),
    ("invalid table", "the heading has no name: write [NAME], or [[NAME]] of a table of which there may be several"),
    ("missing table open", "a ] has no [: write [NAME], or [[NAME]] of a table of which there may be several"),
    ("unclosed array", "a list has no end: close it with ]"),
    ("missing array opening", "a ] has no [: begin the list with it"),
    ("unclosed inline table", "a table has no end: close it with }"),
    ("missing inline table opening", "a } has no {: begin the table with it"),
    ("missing comma", "a comma is missing: put it before this"),
    ("unexpected key or value", "the line should end here: put this on a line of its own, or # before it"),
    ("unexpected content", "the line should end here: put this on a line of its own, or # before it"),
    ("duplicate key", "the key stands there twice: leave one of them out"),
    ("string values must be quoted", "that is no value: write a number, true, false, or a text in quotes"),
    ("invalid boolean", "that is no value: write a number, true, false, or a text in quotes"),
    ("missing opening quote", "a text ends that begins nowhere: write it as \"TEXT\""),
    ("invalid literal string", QUOTES),
    ("invalid basic string", QUOTES),
    ("invalid multi-line", "a text has no end: close it with the three quotes that it begins with"),
    ("missing escaped value", QUOTES),
    ("too few unicode", QUOTES),
    ("invalid integer", NUMBER),
    ("invalid float", NUMBER),
    ("invalid fraction", NUMBER),
    ("invalid exponent", NUMBER),
    ("invalid mantissa", NUMBER),
    ("invalid date-time", NUMBER),
    ("unexpected leading zero", "a number may not begin with a zero that has no point behind it: leave the zero out"),
    ("unexpected sign", NUMBER),
    ("redundant numeric sign", NUMBER),
    ("cannot recurse", DEEP),
    ("recursion limit", DEEP),
];

/// The parser's message about a text that is not TOML, in plain words.
pub(super) fn plain(said: &str) -> String {
    let about = said.split(", expected ").next().unwrap_or(said);
    if let Some((_, words)) = WORDS.iter().find(|(start, _)| about.starts_with(start)) {
        return (*words).to_owned();
    }
    if about.contains("key") { KEY.to_owned() } else { format!("that is no TOML ({about}): write it in another way") }
}

#[cfg(test)]
mod tests {
    use crate::Network;

    #[test]
    fn what_is_no_toml_is_said_in_plain_words_with_its_place() {
        for (text, line, column, part) in [
            ("until = 5\nfoo bar\n", 2, 5, "a key has no value: write KEY = VALUE"),
            ("until =\n", 1, 8, "that is no value"),
            ("until = late\n", 1, 9, "that is no value: write a number, true, false, or a text in quotes"),
            ("[[station]\n", 1, 11, "the heading has no end: write [[NAME]]"),
            ("[generate\n", 1, 10, "the heading has no end: write [NAME]"),
            ("[[station]]\nname = 'a\n", 2, 10, "the text has no end"),
            ("[[station]]\nname = \"a\n", 2, 10, "the text has no end"),
            ("until = 1.\n", 1, 11, "that is no number: write it as 12, -0.5 or 1e3"),
            ("until = 007\n", 1, 9, "leave the zero out"),
            ("until = 5\nuntil = 6\n", 2, 1, "the key stands there twice"),
            ("until = 5 seed = 3\n", 1, 16, "the line should end here"),
            ("sink = [{ name = 'ä' bar = 3 }]\n", 1, 22, "a comma is missing"),
            ("distributions = ['a' 'b']\n", 1, 22, "a comma is missing"),
            ("distributions = ['a', 'b'\n", 1, 26, "a list has no end: close it with ]"),
            ("= 3\n", 1, 1, "that is no key"),
            ("my desk = 3\n", 1, 4, "and in quotes what has blanks"),
            (
                "[[station.class]]\nname = 'a'\n[[station]]\nname = 'desk'\n",
                3,
                3,
                "a [[station.class]] stands above the first [[station]], and is of the one above it",
            ),
        ] {
            let error = Network::from_toml(text).unwrap_err();
            let mark = error.mark.as_ref().expect(text);
            assert_eq!((error.line, mark.column), (line, column), "{error}");
            assert_eq!(mark.text, text.lines().nth(line - 1).unwrap_or_default(), "{error}");
            assert!(error.fault.contains(part), "{error}");
            let shown = error.to_string();
            assert!(shown.starts_with(&format!("line {line}, column {column}: ")), "{shown}");
            assert_eq!(shown.lines().nth(2).map(|caret| caret.chars().count()), Some(2 + column), "{shown}");
        }
    }

    #[test]
    fn brackets_within_each_other_have_an_end() {
        let error = Network::from_toml(&format!("a = {}", "[".repeat(100_000))).unwrap_err();
        assert!(error.fault.contains("too many brackets"), "{}", error.fault);
    }
}

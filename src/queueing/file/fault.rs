//! Messages of the parser about a file, in plain words.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::parts::TABLES;
use super::places::tables;
use super::{FileError, Mark, line, lists, syntax};
use tickless_core::reading::names;

/// The longest value that a message repeats.
const LONGEST: usize = 40;

/// The keys of numbers that need not be whole, and the allowed values, in time units where it is no probability.
const NUMBERS: [(&str, &str); 20] = [
    ("until", "above 0 and below 2^31"),
    ("warmup", "from 0 to below until"),
    ("window", "from 0 to below the mean service time of every station"),
    ("approximate", "from 2^-32 to below 2^30"),
    ("series_step", "from a millionth of until on"),
    ("fold", "above 0 and below 2^31"),
    ("fold_step", "a part of fold, from a thousandth on"),
    ("start", "from 0 to below 2^30"),
    ("delay", "from 0 to below 2^30"),
    ("up_to", "above 0 and below 2^30"),
    ("probability", "from 2^-31 to 1"),
    ("cost", COSTS),
    ("waiting", COSTS),
    ("served", COSTS),
    ("lost", COSTS),
    ("balked", COSTS),
    ("reneged", COSTS),
    ("server", COSTS),
    ("held", COSTS),
    ("unit", COSTS),
];

const COSTS: &str = "from -1e12 to 1e12";

/// Keys by names of earlier versions, and what they are called now.
const RENAMED: [(&str, &str); 1] = [("budget", "max_replications")];

/// A key of a file.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    /// The table at the top in which it stands; empty for a key at the top itself.
    pub(super) table: &'a str,
    pub(super) name: &'a str,
    /// Whether its whole value is meant, not an element of it.
    pub(super) is_whole: bool,
}

/// The parser's message about a text, in the words of the format.
pub fn of_toml(text: &str, error: &toml::de::Error) -> FileError {
    let said = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    let span = error.span().unwrap_or(0..0);
    let number = line(text, span.clone());
    let Ok(table) = DeTable::parse(text) else {
        let mark = mark(text, span.start);
        let fault = before_its_owner(&said, &mark.text).unwrap_or_else(|| syntax::plain(&said));
        return FileError { line: number, fault, mark: Some(mark) };
    };
    if let Some(fault) = misspelt(table.get_ref(), &span) {
        return FileError { line: number, fault, mark: None };
    }
    let key = key_of(table.get_ref(), None, &span);
    FileError { line: number, fault: plain(&said, key, text.get(span).unwrap_or_default()), mark: None }
}

/// A place of a text in its line.
fn mark(text: &str, place: usize) -> Mark {
    let before = text.get(..place).unwrap_or(text);
    let first = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text[first..].lines().next().unwrap_or_default();
    Mark { text: line.to_owned(), column: before[first..].chars().count() + 1 }
}

/// The key with a value, or an element of its value, at a place, in a table within one at the top.
fn key_of<'a>(table: &'a DeTable<'_>, at_top: Option<&'a str>, span: &Range<usize>) -> Option<Key<'a>> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref().as_ref();
        let elements = || value.get_ref().as_array().into_iter().flat_map(|array| array.iter());
        let inner = || elements().filter_map(|element| element.get_ref().as_array()).flat_map(|array| array.iter());
        if value.span() == *span || elements().chain(inner()).any(|element| element.span() == *span) {
            return Some(Key { table: at_top.unwrap_or_default(), name, is_whole: value.span() == *span });
        }
        let tables = value.get_ref().as_table().into_iter();
        let mut tables = tables.chain(elements().filter_map(|value| value.get_ref().as_table()));
        tables.find_map(|inner| key_of(inner, at_top.or(Some(name)), span))
    })
}

/// The message about a heading `[[station]]` behind a `[[station.class]]` that no station has: to the parser they are one key.
fn before_its_owner(said: &str, line: &str) -> Option<String> {
    let kind = ["station", "sink"].into_iter().find(|kind| line.trim_start().starts_with(&format!("[[{kind}]]")))?;
    said.starts_with("duplicate key").then(|| {
        format!(
            "a [[{kind}.class]] stands above the first [[{kind}]], and is of the one above it: move it below its {kind}"
        )
    })
}

/// The message about an unknown heading of a table, whose name stands at a place.
fn misspelt(table: &DeTable<'_>, span: &Range<usize>) -> Option<String> {
    let is_list =
        |value: &DeValue<'_>| value.as_array().is_some_and(|all| all.iter().any(|one| one.get_ref().is_table()));
    let named = |table: &DeTable<'_>, is_table: &dyn Fn(&DeValue<'_>) -> bool| {
        let (key, _) = table.iter().find(|(key, value)| key.span() == *span && is_table(value.get_ref()))?;
        Some(key.get_ref().to_string())
    };
    if let Some(name) = named(table, &|value| value.is_table() || is_list(value)) {
        let meant = names::meant(&name, TABLES.into_iter()).map(|meant| format!("; '{meant}' is probably meant"));
        let known = TABLES.join(", ");
        return (!TABLES.contains(&name.as_str()))
            .then(|| format!("there is no table '{name}'; it may be one of {known}{}", meant.unwrap_or_default()));
    }
    let of_classes = ["station", "sink"].into_iter().find_map(|outer| {
        let name = tables(table, outer).find_map(|entry| named(entry, &is_list))?;
        Some((outer, name))
    });
    let (outer, name) = of_classes.filter(|(_, name)| name != "class" && name != "servers")?;
    let of_servers = if outer == "station" { " or station.servers" } else { "" };
    Some(format!("there is no table '{outer}.{name}'; it may be {outer}.class{of_servers}"))
}

/// A message of the parser in plain words, given its key and value.
fn plain(said: &str, key: Option<Key<'_>>, value: &str) -> String {
    if let Some(said) = key.and_then(|key| lists::plain(said, key, short(value))) {
        return said;
    }
    let key = key.map(|key| key.name);
    if let (Some(key), Some(fault)) = (key, said.strip_prefix("law '")) {
        return format!("`{key}` is '{fault}");
    }
    let (about, expected) = said.split_once(", expected ").unwrap_or((said, ""));
    let quoted = |start| about.strip_prefix(start).map(|rest: &str| rest.trim_matches('`'));
    if let Some(name) = quoted("missing field ") {
        return format!("the key `{name}` is missing");
    }
    if let Some(name) = quoted("unknown field ") {
        let now = RENAMED.iter().find(|(old, new)| *old == name && expected.contains(new));
        let now = now.map(|(_, new)| format!(" (it is `{new}` now)")).unwrap_or_default();
        let keys = expected.split('`').skip(1).step_by(2);
        let meant = names::meant(name, keys).filter(|_| now.is_empty());
        let meant = meant.map(|meant| format!("; `{meant}` is probably meant")).unwrap_or_default();
        return format!("there is no key `{name}` here{now}; it may be {expected}{meant}");
    }
    if let Some(key) = key.filter(|_| said.ends_with("number overflowed") || said == "wanted string or table") {
        return format!("`{key}` is {}; it must be {}", short(value).unwrap_or("a long number"), allowed("", key));
    }
    let wrong = quoted("unknown variant ");
    match (key, wrong.or(quoted("invalid type: ")).or(quoted("invalid value: "))) {
        (Some(key), Some(given)) => {
            let given = match given {
                // A date is one to the parser.
                "map" if !value.starts_with(|c: char| c.is_ascii_digit()) => "a table",
                "sequence" => "a list",
                given => short(value).unwrap_or(given),
            };
            format!("`{key}` is {given}; it must be {}", allowed(expected, key))
        }
        _ => said.to_owned(),
    }
}

/// A value as a message repeats it.
fn short(value: &str) -> Option<&str> {
    let short = !value.contains('\n') && value.len() <= LONGEST && !value.starts_with('[');
    short.then_some(value)
}

/// The allowed values of a key, for the type that the parser expected, if it said so.
fn allowed(expected: &str, key: &str) -> String {
    match expected {
        "f64" | "" if NUMBERS.iter().any(|(name, _)| *name == key) => {
            let range = NUMBERS.iter().find(|(name, _)| *name == key).map_or("", |(_, range)| range);
            format!("a number {range}")
        }
        "" if ["seed", "limit"].contains(&key) => allowed("u64", key),
        "" if ["name", "service", "interval", "from", "to", "kind"].contains(&key) => allowed("string", key),
        "" if key == "distributions" => "true, false or a list of stations' names".into(),
        "u32" | "" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" => format!("a whole number from 0 to {}", u64::MAX),
        "a string" | "string" => "a text in quotes".into(),
        "a sequence" => format!("one or more tables, each headed [[{key}]]"),
        text if text.starts_with("struct ") => "a table".into(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Network;

    /// A number that fits no type of the parser is still a number.
    #[test]
    fn numbers_that_are_too_large_come_with_their_range() {
        for (line, part) in [
            (
                "until = 18446744073709551616",
                "`until` is 18446744073709551616; it must be a number above 0 and below 2^31",
            ),
            ("until = 1e999", "`until` is 1e999; it must be a number above 0 and below 2^31"),
            ("warmup = -1e999", "`warmup` is -1e999; it must be a number from 0 to below until"),
            (
                "window = 99999999999999999999",
                "`window` is 99999999999999999999; it must be a number from 0 to below the",
            ),
            ("approximate = 1e999", "it must be a number from 2^-32 to below 2^30"),
            ("until = 1979-05-27", "`until` is 1979-05-27; it must be a number above 0"),
            ("seed = 1e999", "`seed` is 1e999; it must be a whole number from 0 to 18446744073709551615"),
            (
                "seed = 999999999999999999999999999999999999999999",
                "`seed` is a long number; it must be a whole number from 0 to 1844",
            ),
            ("tokens = 1e999", "`tokens` is 1e999; it must be a whole number from 0 to 4294967295"),
            ("distributions = 1e999", "`distributions` is 1e999; it must be true, false or a list"),
            ("distributions = [1e999]", "`distributions` is 1e999; it must be true, false or a list"),
            ("[generate]\nkind = 1e999", "`kind` is 1e999; it must be a text in quotes"),
            ("[[route]]\nfrom = 'a'\nto = 'a'\nprobability = 1e999", "a number from 2^-31 to 1"),
            ("[[route]]\nfrom = 'a'\nto = 'a'\ndelay = 18446744073709551616", "a number from 0 to below 2^30"),
        ] {
            let error = Network::from_toml(line).unwrap_err();
            assert!(error.fault.contains(part) && error.line == line.lines().count(), "{error}");
        }
    }
}

//! Faults of a file in plain words, and where in it they are.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FileError, line};
use crate::number::Written;
use crate::queueing::error::NetworkError;

/// The longest value that a message repeats.
const LONGEST: usize = 40;

/// What the parser says of a text, in the words of the format.
pub(super) fn of_toml(text: &str, error: &toml::de::Error) -> FileError {
    let said = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    let span = error.span().unwrap_or(0..0);
    let table = DeTable::parse(text).ok();
    let key = table.as_ref().and_then(|table| key_of(table.get_ref(), &span));
    FileError { line: line(text, span.clone()), fault: plain(&said, key, text.get(span).unwrap_or_default()) }
}

/// The key whose value stands there, or has it as an element.
fn key_of<'a>(table: &'a DeTable<'_>, span: &Range<usize>) -> Option<&'a str> {
    table.iter().find_map(|(key, value)| {
        let elements = || value.get_ref().as_array().into_iter().flat_map(|array| array.iter());
        if value.span() == *span || elements().any(|element| element.span() == *span) {
            return Some(key.get_ref().as_ref());
        }
        let tables = value.get_ref().as_table().into_iter();
        tables.chain(elements().filter_map(|value| value.get_ref().as_table())).find_map(|inner| key_of(inner, span))
    })
}

/// A message of the parser in plain words, given the key and the value that it is about.
fn plain(said: &str, key: Option<&str>, value: &str) -> String {
    let (about, expected) = said.split_once(", expected ").unwrap_or((said, ""));
    let quoted = |start| about.strip_prefix(start).map(|rest: &str| rest.trim_matches('`'));
    if let Some(name) = quoted("missing field ") {
        return format!("the key `{name}` is missing");
    }
    if let Some(name) = quoted("unknown field ") {
        return format!("there is no key `{name}` here; it may be {expected}");
    }
    let wrong = quoted("unknown variant ");
    match (key, wrong.or(quoted("invalid type: ")).or(quoted("invalid value: "))) {
        (Some(key), Some(given)) => {
            let short = !value.contains('\n') && value.len() <= LONGEST && !value.starts_with('[');
            let given = match given {
                "map" => "a table",
                "sequence" => "a list",
                _ if short => value,
                given => given,
            };
            format!("`{key}` is {given}; it must be {}", allowed(expected, key))
        }
        _ => said.to_owned(),
    }
}

/// What a key takes, for the type that the parser expected.
fn allowed(expected: &str, key: &str) -> String {
    match expected {
        "f64" => "a number".into(),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" => format!("a whole number from 0 to {}", u64::MAX),
        "a string" | "string" => "a text in quotes".into(),
        "a sequence" => format!("one or more tables, each headed [[{key}]]"),
        text if text.starts_with("struct ") => "a table".into(),
        text => text.to_owned(),
    }
}

/// The line of the text that an error of its network is about, where the value at fault is written there: an option may
/// have overridden it.
pub(crate) fn line_of(text: &str, error: &NetworkError) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let file = Places(table.get_ref());
    let span = match error {
        NetworkError::Until { until, .. } => file.number("until", *until),
        NetworkError::Warmup { warmup, .. } => file.number("warmup", *warmup),
        NetworkError::Window { window, .. } => file.number("window", *window),
        NetworkError::Interval { interval } => file.number("approximate", *interval),
        NetworkError::WindowAndInterval { window, interval } => {
            file.number("window", *window).or_else(|| file.number("approximate", *interval))
        }
        NetworkError::Observed { name } => file.observed(name),
        NetworkError::Name { name } => file.last_named(name),
        NetworkError::Law { kind, name, .. } => file.part(kind, name, "the law", None),
        NetworkError::Parameter { kind, name, parameter, value, .. } => file.part(kind, name, parameter, Some(value)),
        NetworkError::Probabilities { station, .. } => file.part("route from station", station, "", None),
        NetworkError::NoWayOut { station } | NetworkError::Unreachable { station } => {
            file.part("station", station, "", None)
        }
        _ => None,
    };
    Some(line(text, span?))
}

/// What stands where in a file.
struct Places<'a>(&'a DeTable<'a>);

impl Places<'_> {
    /// A number at the top, if it is this one.
    fn number(&self, key: &str, number: f64) -> Option<Range<usize>> {
        let value = self.0.get(key)?;
        (written(value)? == Written(number).to_string()).then(|| value.span())
    }

    /// A name in the list of those whose distributions are recorded.
    fn observed(&self, name: &str) -> Option<Range<usize>> {
        let mut names = self.0.get("distributions")?.get_ref().as_array()?.iter();
        names.find(|value| value.get_ref().as_str() == Some(name)).map(Spanned::span)
    }

    /// The tables of a kind.
    fn entries(&self, kind: &str) -> impl Iterator<Item = &DeTable<'_>> {
        let array = self.0.get(kind).and_then(|value| value.get_ref().as_array());
        array.into_iter().flat_map(|array| array.iter()).filter_map(|value| value.get_ref().as_table())
    }

    /// Where a name is given for the last time.
    fn last_named(&self, name: &str) -> Option<Range<usize>> {
        let all = ["station", "source", "sink"].into_iter().flat_map(|kind| self.entries(kind));
        let names = all.filter_map(|entry| entry.get("name"));
        names.filter(|value| value.get_ref().as_str() == Some(name)).map(Spanned::span).max_by_key(|span| span.start)
    }

    /// A parameter of what has a name: its own line, that of the name, or that of the table which makes all stations.
    fn part(&self, kind: &str, name: &str, parameter: &str, value: Option<&str>) -> Option<Range<usize>> {
        let (table, named) = match kind {
            "route from station" => ("route", "from"),
            kind => (kind, "name"),
        };
        let key = match (parameter, kind) {
            ("the law", "source") => "interval",
            ("the law", _) => "service",
            ("the number of servers", _) => "servers",
            ("the capacity", _) => "capacity",
            ("the number of tokens at time 0", _) => "tokens",
            ("the start", _) => "start",
            ("the probability", _) => "probability",
            ("the transit delay", _) => "delay",
            _ => named,
        };
        let own =
            |entry: &&DeTable<'_>| entry.get(named).is_some_and(|name_of| name_of.get_ref().as_str() == Some(name));
        let found = || self.entries(table).filter(own);
        // Several routes may lead from a station: the one that has the value.
        let value = value.filter(|_| table == "route");
        let is_it = |at: &&Spanned<DeValue<'_>>| value.is_none() || written(at).as_deref() == value;
        let exact = found().filter_map(|entry| entry.get(key)).find(is_it);
        let at = exact.or_else(|| found().find_map(|entry| entry.get(named)));
        let generate = || {
            let whole = self.0.get("generate")?;
            whole.get_ref().as_table().and_then(|table| table.get(key)).or(Some(whole))
        };
        at.or_else(generate).map(Spanned::span)
    }
}

/// A value as an error has it.
fn written(value: &Spanned<DeValue<'_>>) -> Option<String> {
    let number = match value.get_ref() {
        DeValue::Integer(integer) => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        DeValue::String(text) => return Some(text.to_string()),
        _ => return None,
    };
    number.parse().ok().map(|number: f64| Written(number).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::Network;

    const NETWORK: &str = "until = 100\n[[station]]\nname = 'a'\nservice = 'exponential:1'\ntokens = 1\n\
                           [[station]]\nname = 'b'\nservice = 'constant:2'\n\
                           [[route]]\nfrom = 'a'\nto = 'b'\nprobability = 0.5\n\
                           [[route]]\nfrom = 'a'\nto = 'a'\nprobability = 0.5\n\
                           [[route]]\nfrom = 'b'\nto = 'a'\n\
                           [[source]]\nname = 'in'\ninterval = 'exponential:9'\nto = 'b'\n";

    /// The line of the text where one change has made it wrong.
    fn found(from: &str, to: &str) -> Option<usize> {
        let text = NETWORK.replacen(from, to, 1);
        assert_ne!(text, NETWORK, "{from}");
        line_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to))
    }

    #[test]
    fn the_line_of_a_wrong_value_is_found() {
        for (from, to, expected) in [
            ("until = 100", "until = 1e300", 1),
            ("until = 100", "\nwarmup = 100", 2),
            ("until = 100", "window = -1", 1),
            ("until = 100", "approximate = 0", 1),
            ("until = 100", "approximate = 1\nwindow = 0.5", 2),
            ("until = 100", "distributions = ['b',\n 'c']", 2),
            ("tokens = 1", "servers = 0", 5),
            ("'constant:2'", "'constant:2'\ncapacity = 0", 9),
            ("tokens = 1", "capacity = 2\ntokens = 3", 6),
            ("exponential:9'", "exponential:0.5'\nstart = -1", 23),
            ("probability = 0.5\n[[route]]\nfrom = 'b'", "probability = -0.5\n[[route]]\nfrom = 'b'", 16),
            ("to = 'a'\n[[source]]", "to = 'a'\ndelay = -2\n[[source]]", 20),
            ("probability = 0.5", "probability = 0.25", 10),
            ("[[route]]\nfrom = 'b'\nto = 'a'\n", "", 7),
            ("'in'", "'a'", 21),
        ] {
            let lines = found(from, to);
            assert_eq!(lines, Some(expected), "{from} -> {to}");
        }
        // A law is refused while the file is read.
        for (from, to, line) in [("constant:2", "constant:1073741824", 8), ("exponential:9", "exponential:5e7", 22)] {
            let error = Network::from_toml(&NETWORK.replacen(from, to, 1)).expect_err(to);
            assert_eq!(error.line, line, "{error}");
            assert!(error.fault.contains("below 2^30 time units"), "{error}");
        }
    }

    #[test]
    fn what_an_option_gave_has_no_line() {
        let network = || Network::from_toml(NETWORK).unwrap();
        for wrong in [network().until(-1.0), network().warmup(100.0), network().window(-1.0)] {
            assert_eq!(line_of(NETWORK, &wrong.check().unwrap_err()), None);
        }
    }

    #[test]
    fn stations_that_a_table_makes_have_its_lines() {
        let text = "[generate]\nkind = 'ring'\nstations = 3\nservice = 'constant:1'\nservers = 0\n";
        assert_eq!(line_of(text, &Network::from_toml(text).unwrap().check().unwrap_err()), Some(5));
        let text = text.replace("servers = 0\n", "");
        assert_eq!(line_of(&text, &Network::from_toml(&text).unwrap().check().unwrap_err()), Some(1));
    }
}

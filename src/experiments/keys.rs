//! Keys of a network file by their paths, as `station.desk.servers`, and the text of the file with other values of keys.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use tickless_core::reading::names;

/// The lists of a network file whose entries have names.
const NAMED: [&str; 5] = ["station", "source", "sink", "class", "resource"];
/// The keys at the top of a network file.
const TOP: [&str; 11] = [
    "until",
    "warmup",
    "seed",
    "tokens",
    "window",
    "approximate",
    "series_step",
    "fold",
    "fold_step",
    "distributions",
    "quantiles",
];

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    range: Range<usize>,
    /// The texts before and behind the value, where the key is not there yet.
    around: [String; 2],
}

impl Place {
    fn of_value(range: Range<usize>) -> Self {
        Self { range, around: [String::new(), String::new()] }
    }

    /// The present value in the text; empty where the key is not there yet.
    pub(super) fn value<'a>(&self, text: &'a str) -> &'a str {
        &text[self.range.clone()]
    }
}

/// The place of the value of a key in a text, or the place where it would stand.
///
/// # Errors
/// The missing part of the path, and the names there are.
pub(super) fn place_of(text: &str, file: &DeTable<'_>, path: &[String]) -> Result<Place, String> {
    let (first, rest) = path.split_first().ok_or("a key is missing")?;
    if rest.is_empty() {
        return at_top(file, first);
    }
    let (entry, keys) = match first.as_str() {
        "route" => route(file, rest)?,
        "generate" => (the_generator(file)?, rest),
        list if NAMED.contains(&list) => (named(file.get(list), list, &rest[0])?, &rest[1..]),
        other => return Err(unknown(other, NAMED.into_iter().chain(["route", "generate"]))),
    };
    match keys {
        [] => Err(format!("it names '{}' as a whole: add the key that is to change, as .servers", rest.join("."))),
        [class, name, keys @ ..] if class == "class" && !keys.is_empty() && first != "route" => {
            let table = table_of(entry)?;
            below(text, named(table.get("class"), &format!("{first}.class"), name)?, keys)
        }
        [servers, name, keys @ ..] if servers == "servers" && first == "station" && !keys.is_empty() => {
            let group = named(table_of(entry)?.get("servers"), "station.servers", name)?;
            match keys {
                [class, name, keys @ ..] if class == "class" && !keys.is_empty() => {
                    below(text, named(table_of(group)?.get("class"), "station.servers.class", name)?, keys)
                }
                keys => below(text, group, keys),
            }
        }
        keys => below(text, entry, keys),
    }
}

fn at_top(file: &DeTable<'_>, key: &str) -> Result<Place, String> {
    if !TOP.contains(&key) {
        return Err(unknown(key, TOP.into_iter().chain(NAMED).chain(["route"])));
    }
    Ok(match file.get(key) {
        Some(value) => Place::of_value(value.span()),
        None => Place { range: 0..0, around: [format!("{key} = "), "\n".into()] },
    })
}

fn unknown<'a>(key: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let list = known.clone().collect::<Vec<_>>().join(", ");
    let meant = names::meant(key, known).map(|meant| format!("; '{meant}' is probably meant"));
    format!("it begins with '{key}'; it may begin with {list}{}", meant.unwrap_or_default())
}

type Entry<'a, 'i> = &'a Spanned<DeValue<'i>>;

fn entries<'a, 'i>(list: Option<Entry<'a, 'i>>) -> impl Iterator<Item = Entry<'a, 'i>> + Clone {
    list.and_then(|list| list.get_ref().as_array()).into_iter().flat_map(|array| array.iter())
}

fn text_of<'a>(entry: Entry<'a, '_>, key: &str) -> Option<&'a str> {
    entry.get_ref().as_table()?.get(key)?.get_ref().as_str()
}

fn table_of<'a, 'i>(entry: Entry<'a, 'i>) -> Result<&'a DeTable<'i>, String> {
    entry.get_ref().as_table().ok_or_else(|| "it leads to something that has no keys".into())
}

/// The entry of a list that has a name.
fn named<'a, 'i>(list: Option<Entry<'a, 'i>>, what: &str, name: &str) -> Result<Entry<'a, 'i>, String> {
    let found = entries(list).find(|entry| text_of(entry, "name") == Some(name));
    found.ok_or_else(|| {
        let names = entries(list).filter_map(|entry| text_of(entry, "name"));
        let meant = names::meant(name, names).map(|meant| format!("; '{meant}' is probably meant"));
        format!("the file has no {what} '{name}'{}", meant.unwrap_or_default())
    })
}

fn the_generator<'a, 'i>(file: &'a DeTable<'i>) -> Result<Entry<'a, 'i>, String> {
    file.get("generate").ok_or_else(|| "the file has no table [generate]".into())
}

/// A route by its ends, and by its class where several routes have the same ends.
fn route<'a, 'i, 'p>(file: &'a DeTable<'i>, path: &'p [String]) -> Result<(Entry<'a, 'i>, &'p [String]), String> {
    let [from, to, keys @ ..] = path else {
        return Err("a route is named by both of its ends, as route.desk.exit.probability".into());
    };
    let (class, keys) = match keys {
        [class, name, keys @ ..] if class == "class" && !keys.is_empty() => (Some(name.as_str()), keys),
        keys => (None, keys),
    };
    let ends = |entry: &Entry<'_, '_>| {
        text_of(entry, "from") == Some(from)
            && text_of(entry, "to") == Some(to)
            && class.is_none_or(|class| text_of(entry, "class") == Some(class))
    };
    let of_class = class.map(|class| format!(" of class '{class}'")).unwrap_or_default();
    let mut found = entries(file.get("route")).filter(ends);
    match (found.next(), found.next()) {
        (Some(route), None) => Ok((route, keys)),
        (None, _) => Err(format!("the file has no route from '{from}' to '{to}'{of_class}")),
        _ => Err(format!(
            "the file has several routes from '{from}' to '{to}'{of_class}: name one by its class, as route.{from}.{to}.class.NAME.probability"
        )),
    }
}

/// A key in an entry, or in tables below it.
fn below(text: &str, entry: Entry<'_, '_>, keys: &[String]) -> Result<Place, String> {
    let table = table_of(entry)?;
    let (key, rest) = keys.split_first().ok_or("a key is missing")?;
    match table.get(key.as_str()) {
        Some(value) if rest.is_empty() => Ok(Place::of_value(value.span())),
        Some(value) if value.get_ref().is_table() => below(text, value, rest),
        Some(_) => Err(format!("`{key}` is no table, so there is no key `{}` in it", rest.join("."))),
        None => behind_the_first(text, entry, table, keys),
    }
}

/// Behind the first entry of a table, as its next one.
fn behind_the_first(text: &str, entry: Entry<'_, '_>, table: &DeTable<'_>, keys: &[String]) -> Result<Place, String> {
    // Tables below a heading come behind its own keys.
    let own = table.iter().filter(|(_, value)| !text[value.span()].starts_with('['));
    let first = own.min_by_key(|(key, _)| key.span().start);
    let (_, value) = first.ok_or("it leads to an empty table: write the key there")?;
    let end = value.span().end;
    let key = keys.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(".");
    let is_inline = text[entry.span()].starts_with('{');
    let before = if is_inline { format!(", {key} = ") } else { format!("\n{key} = ") };
    Ok(Place { range: end..end, around: [before, String::new()] })
}

/// A key as a file writes it.
pub(super) fn quoted(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if is_bare { key.to_owned() } else { in_quotes(key) }
}

/// A text as a value. TOML reads the escapes of JSON.
pub(super) fn in_quotes(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// A text with other values of some keys.
pub(super) struct Changed {
    pub(super) text: String,
    /// Where each change ends in the new text, in lines: lines behind it have moved by this many.
    moved: Vec<(usize, isize)>,
}

impl Changed {
    /// Puts each value in its place. The places do not overlap.
    pub(super) fn new(text: &str, changes: &[(&Place, &str)]) -> Self {
        let mut changes = changes.to_vec();
        changes.sort_by_key(|(place, _)| place.range.start);
        let lines = |text: &str| text.matches('\n').count();
        let (mut changed, mut end, mut moved, mut more) = (String::with_capacity(text.len()), 0, vec![], 0);
        for (place, value) in changes {
            let [before, behind] = &place.around;
            changed.push_str(&text[end..place.range.start]);
            let new = format!("{before}{value}{behind}");
            more += lines(&new) as isize - lines(&text[place.range.clone()]) as isize;
            changed.push_str(&new);
            moved.push((1 + lines(&changed), more));
            end = place.range.end;
        }
        changed.push_str(&text[end..]);
        Self { text: changed, moved }
    }

    /// The line of the first text for a line of this one.
    pub(super) fn line(&self, line: usize) -> usize {
        let before = self.moved.iter().rev().find(|(end, _)| *end <= line);
        line.saturating_add_signed(-before.map_or(0, |(_, more)| *more)).max(1)
    }
}

/// The message about a text that is no path, and how to quote a name with blanks in it.
pub(super) fn no_path(text: &str, what: &str) -> String {
    let words = || text.split('.').map(str::trim);
    let can_be_quoted = !text.contains(['"', '\'']) && words().all(|word| !word.is_empty());
    let path = words().map(quoted).collect::<Vec<_>>().join(".");
    let hint =
        if can_be_quoted && path != text { format!("; quote a name with blanks: '{path}'") } else { String::new() };
    format!("'{text}' is no {what}{hint}")
}

/// The words of a path, as a file writes it: `station."my desk".servers`.
pub(super) fn path_of(text: &str) -> Result<Vec<String>, String> {
    let line = format!("{text} = 0");
    let mut path = vec![];
    let table = DeTable::parse(&line).map_err(|_| no_path(text, "key, as station.desk.servers is one"))?;
    let mut table = table.get_ref();
    while let Some((key, value)) = table.iter().next() {
        path.push(key.get_ref().to_string());
        match value.get_ref().as_table() {
            Some(inner) => table = inner,
            None => break,
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "until = 5\n[[station]]\nname = 'desk'\nservice = 'constant:1'\ncost = { waiting = 2 }\n\
                        [[station.class]]\nname = 'b'\n[[sink]]\nname = 'out'\n\
                        [[route]]\nfrom = 'desk'\nto = 'out'\n";

    fn with(path: &str, value: &str) -> Result<Changed, String> {
        let table = DeTable::parse(TEXT).unwrap();
        let place = place_of(TEXT, table.get_ref(), &path_of(path)?)?;
        Ok(Changed::new(TEXT, &[(&place, value)]))
    }

    #[test]
    fn values_are_changed_where_they_stand() {
        for (path, value, old, new) in [
            ("until", "7", "until = 5", "until = 7"),
            ("warmup", "1", "until = 5", "warmup = 1\nuntil = 5"),
            ("station.desk.service", "'x'", "'constant:1'", "'x'"),
            ("station.desk.servers", "3", "name = 'desk'", "name = 'desk'\nservers = 3"),
            ("station.desk.cost.waiting", "4", "waiting = 2", "waiting = 4"),
            ("station.desk.cost.lost", "4", "waiting = 2", "waiting = 2, lost = 4"),
            ("station.desk.class.b.tokens", "4", "name = 'b'", "name = 'b'\ntokens = 4"),
            ("route.desk.out.delay", "4", "from = 'desk'", "from = 'desk'\ndelay = 4"),
        ] {
            let changed = with(path, value).unwrap();
            assert_eq!(changed.text, TEXT.replacen(old, new, 1), "{path}");
            assert!(DeTable::parse(&changed.text).is_ok());
        }
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let changed = with("station.desk.servers", "3").unwrap();
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (old, new) = (lines(TEXT), lines(&changed.text));
        assert_eq!(new.len(), old.len() + 1);
        for (number, line) in (1..).zip(&new).filter(|(_, line)| *line != "servers = 3") {
            assert_eq!(&old[changed.line(number) - 1], line, "line {number}");
        }
        assert_eq!(with("warmup", "3").unwrap().line(2), 1);
    }

    #[test]
    fn paths_that_lead_nowhere_say_so() {
        for (path, said) in [
            ("statoin.desk.servers", "'station' is probably meant"),
            ("station.dsek.servers", "no station 'dsek'; 'desk' is probably meant"),
            ("station.desk", "as a whole"),
            ("station.desk.service.mean", "`service` is no table"),
            ("station.desk.class.c.tokens", "no station.class 'c'"),
            ("route.desk", "both of its ends"),
            ("route.desk.delay", "no route from 'desk' to 'delay'"),
            ("route.out.desk.delay", "no route from 'out' to 'desk'"),
            ("generate.width", "no table [generate]"),
            ("spead", "it begins with 'spead'"),
            ("a b", "is no key"),
            ("station.my desk.servers", "quote a name with blanks: 'station.\"my desk\".servers'"),
        ] {
            let error = with(path, "1").map(|changed| changed.text).unwrap_err();
            assert!(error.contains(said), "{path}: {error}");
        }
    }
}

//! Files that are broken in every key: each is refused with its line.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::line;
use super::places::said_of;
use crate::Network;

/// Every key that no example has.
const CLASSES: &str = r#"until = 50
warmup = 0
terminating = true
seed = 3
unit = "min"
token = "patient"
currency = "EUR"
series_step = 5
fold = 20
fold_step = 5
distributions = ["a"]
quantiles = [0.5, 1]
[[class]]
name = "x"
priority = 1
targets = [9]
[[class]]
name = "y"
[[resource]]
name = "room"
cost = { held = 2, unit = 1 }
shifts = [[0, 2], [8, 3]]
period = 24
[resource.failures]
up = "exponential:30"
down = "constant:2"
[[resource]]
name = "nurse"
units = 2
preemptive = true
[[attribute]]
name = "size"
law = "exponential:1"
[[attribute.class]]
name = "y"
law = "uniform:1,2"
[[attribute]]
name = "due"
law = "constant:9"
[[station]]
name = "a"
service = "exponential:1"
servers = 2
capacity = 9
tokens = 1
full = "blocks"
discipline = "siro"
preemptive = true
patience = "exponential:9"
reneges_to = "out"
balking = [0, 0.5]
balks_to = "out"
full_to = "out"
routing = "round-robin"
speeds = [1, 2]
targets = [0, 2.5]
failures = { up = "exponential:50", down = "constant:1" }
setup = "constant:0.5"
setup_called_off = true
off_after = "exponential:4"
cost = { waiting = 2, served = -1.5, lost = 3, balked = 4, reneged = 5, server = 6 }
seizes = { room = 2 }
seizes_at = "arrival"
releases = { room = 2 }
[[station.class]]
name = "y"
service = "uniform:1,2"
patience = "constant:8"
tokens = 1
capacity = 4
cost = { waiting = 1, served = 7, lost = 2, balked = 3, reneged = 4, server = 0 }
[[station]]
name = "b"
service = "constant:1"
shifts = [[0, 2], [8, 1]]
period = 24
shift_end = "interrupt"
vacation = "uniform:1,2"
seizes = { nurse = 2 }
releases = { nurse = 2 }
[[station]]
name = "c"
service = "constant:1"
discipline = "ps"
routing = "fork"
[[station.class]]
name = "x"
weight = 2
[[station]]
name = "d"
service = "constant:1"
joins = true
failures = { use = "exponential:50", down = "constant:1" }
[[station]]
name = "e"
service = "constant:1"
[[station.servers]]
name = "first"
count = 2
factor = 1.5
serves = ["y", "x"]
takes = "first-in-line"
[[station.servers.class]]
name = "x"
service = "exponential:2"
[[station.servers]]
name = "second"
service = "uniform:1,2"
shifts = [[0, 2], [8, 1]]
period = 24
batch_most = 3
batch_least = 2
batch_wait = 4
batch_factors = [1, 1.25]
[[station.servers]]
name = "third"
takes = "limited:2"
switching = "constant:0.5"
[[station.servers]]
name = "fourth"
takes = "gated"
walking = "constant:0.5"
rests = true
[[station.servers.class]]
name = "x"
walking = "exponential:2"
[[station]]
name = "f"
service = "attribute:size,0.5"
discipline = "edd"
order_by = "due"
patience = "attribute:due"
patience_from = "source"
patience_until = "end"
[[station]]
name = "h"
service = "constant:1"
[[station.servers]]
name = "old"
failures = { up = "exponential:50", down = "constant:1" }
[[station]]
name = "g"
service = "exponential:1"
servers = 4
standby = { servers = 1, comes_at = 6, goes_at = 1, starts_in = "constant:2" }
time_factors = [[0, 1], [8, 0.5]]
time_factors_period = 24
[[source]]
name = "in"
class = "x"
interval = "exponential:5"
start = 0.5
limit = 9
batch = [0.5, 0.5]
to = "a"
[[source]]
name = "to several"
interval = "exponential:9"
routing = "shortest-queue"
to = ["a", "b"]
[[source]]
name = "by rates"
rates = [[0, 0.5], [8, 0.25]]
period = 12
to = "a"
[[source]]
name = "by phases"
phases = { d0 = [[-2, 1], [0, -1]], d1 = [[0.5, 0.5], [1, 0]] }
to = "a"
[[source]]
name = "modulated"
phases = { generator = [[-1, 1], [1, -1]], arrivals = [1, 0.5] }
to = "a"
[[source]]
name = "by a trace"
trace = "1,y\n2,x,3\n"
to = "a"
[[sink]]
name = "out"
targets = [30]
cost = -20
[[sink.class]]
name = "y"
cost = 3
[[route]]
from = "a"
to = "b"
class = "x"
becomes = "y"
[[route]]
from = "a"
to = "out"
class = "y"
[[route]]
from = "b"
to = "c"
probability = 0.5
delay = 0.25
[[route]]
from = "b"
to = "out"
probability = 0.5
[[route]]
from = "c"
to = "d"
[[route]]
from = "d"
to = "e"
[[route]]
from = "e"
to = "f"
[[route]]
from = "f"
to = "g"
[[route]]
from = "g"
to = "h"
[[route]]
from = "h"
to = "out"
"#;

/// What goes with no station that joins.
const KITS: &str = r#"until = 50
[[class]]
name = "x"
[[class]]
name = "y"
[[attribute]]
name = "size"
law = "uniform:1,3"
[[resource]]
name = "steel"
units = 9
stock = 2
[[resource]]
name = "doctor"
units = 2
[[resource]]
name = "nurse"
units = 2
[[station]]
name = "bench"
service = "exponential:1"
seizes = [{ doctor = 1 }, { nurse = 2 }]
uses = { steel = 1 }
releases = { doctor = 1, nurse = 2 }
kit = [["x", 1], ["y", 2]]
splits = [0.5, 0.5]
[[station]]
name = "dock"
service = "exponential:1"
delivers = { steel = 3 }
routing = "by-attribute"
route_by = "size"
[[source]]
name = "xs"
class = "x"
interval = "exponential:5"
to = "bench"
[[source]]
name = "ys"
class = "y"
interval = "exponential:5"
to = "bench"
[[sink]]
name = "out"
[[route]]
from = "bench"
to = "dock"
[[route]]
from = "dock"
to = "out"
up_to = 2
[[route]]
from = "dock"
to = "out"
"#;

const PLAIN: &str = "until = 50\nwindow = 0.5\ntokens = 3\n[[station]]\nname = 'a'\nservice = 'exponential:2'\n\
                     [[route]]\nfrom = 'a'\nto = 'a'\n";

/// A key with its value: where they stand, in which table, by the names of the tables around.
struct Place {
    path: String,
    key: Range<usize>,
    /// The value, and each element of a list.
    values: Vec<(Range<usize>, Kind)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Truth,
    List,
    Table,
}

/// The keys of a table and of all in it, each path once.
fn places(table: &DeTable<'_>, path: &str, all: &mut BTreeMap<String, Place>) {
    for (key, value) in table {
        let path = format!("{path}.{}", key.get_ref());
        let tables = tables(value);
        let mut values = vec![];
        if tables.is_empty() || matches!(value.get_ref(), DeValue::Table(_)) {
            elements(value, &mut values);
        }
        let place = Place { path: path.clone(), key: key.span(), values };
        all.entry(path.clone()).or_insert(place);
        tables.into_iter().for_each(|table| places(table, &path, all));
    }
}

fn tables<'a>(value: &'a Spanned<DeValue<'a>>) -> Vec<&'a DeTable<'a>> {
    match value.get_ref() {
        DeValue::Table(table) => vec![table],
        DeValue::Array(array) => array.iter().filter_map(|element| element.get_ref().as_table()).collect(),
        _ => vec![],
    }
}

fn elements(value: &Spanned<DeValue<'_>>, all: &mut Vec<(Range<usize>, Kind)>) {
    let kind = match value.get_ref() {
        DeValue::String(_) => Kind::Text,
        DeValue::Boolean(_) => Kind::Truth,
        DeValue::Array(_) => Kind::List,
        DeValue::Table(_) => Kind::Table,
        _ => Kind::Number,
    };
    all.push((value.span(), kind));
    if let DeValue::Array(array) = value.get_ref() {
        array.iter().for_each(|element| elements(element, all));
    }
}

/// The broken forms of the value of a key, where any text may be the value.
fn broken_free(path: &str) -> Option<&'static [&'static str]> {
    match path {
        ".unit" | ".token" | ".currency" => Some(&["7", "\"\""]),
        _ => path.ends_with(".name").then_some(&["7"]),
    }
}

/// The broken forms of a value.
fn broken(value: &str, kind: Kind, free: Option<&'static [&'static str]>) -> Vec<String> {
    let all: &[&str] = match (kind, free) {
        (Kind::Text, Some(free)) => free,
        (Kind::Text, None) => &["true", "\"no such thing\"", "\"\""],
        (Kind::Number, _) => &["\"x\"", "-1e300", "1e300", "nan", "inf"],
        (Kind::Truth | Kind::List | Kind::Table, _) => &["7", "\"x\""],
    };
    let mut all: Vec<String> = all.iter().map(|text| (*text).to_owned()).collect();
    // The first number of a law.
    if let Some((law, numbers)) = value.split_once(':').filter(|_| kind == Kind::Text && free.is_none()) {
        let rest = numbers.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let changed = ["-1", "1e300", "nan", ""].map(|number| format!("{law}:{number}{rest}"));
        // Of an attribute there is no number.
        all.extend(changed.into_iter().filter(|changed| changed != value));
    }
    all
}

/// The line of a text with a fault, and the message.
fn said(text: &str) -> Option<(Option<usize>, String)> {
    match Network::from_toml(text) {
        Err(error) => Some((Some(error.line), error.fault)),
        Ok(network) => network.check().err().map(|error| said_of(text, &error)),
    }
}

/// The lines of the entry that a place of a text stands in, with the tables of it.
fn entry(text: &str, place: usize) -> std::ops::RangeInclusive<usize> {
    // A table of a station has its name in front.
    let is_own = |at: &usize| !text[*at..].lines().nth(1).is_some_and(|heading| heading.contains('.'));
    let heads = || text.match_indices("\n[").map(|(at, _)| at).filter(is_own);
    let first = heads().take_while(|at| *at < place).last().map_or(0, |at| at + 1);
    let end = heads().find(|at| *at >= place).unwrap_or(text.len());
    line(text, first..first)..=line(text, end..end)
}

/// The keys of a text that are not refused properly when broken; and the keys of the text and those that messages name.
fn faults(text: &str, known: &mut BTreeSet<String>, seen: &mut BTreeSet<String>) -> Vec<String> {
    let mut all = BTreeMap::new();
    places(DeTable::parse(text).expect("TOML").get_ref(), "", &mut all);
    let mut faults = vec![];
    for Place { path, key, values } in all.values() {
        let mut refused = |at: &Range<usize>, new: &str| {
            let changed = format!("{}{new}{}", &text[..at.start], &text[at.end..]);
            let what = format!("{path} = {new}, in place of {}", &text[at.clone()]);
            let Some((found, said)) = said(&changed) else {
                faults.push(format!("{what}: nothing is said"));
                return String::new();
            };
            // The head of several tables has the line of the remaining ones.
            let is_near = |found| values.is_empty() || entry(text, at.start).contains(&found);
            if !found.is_some_and(is_near) {
                faults.push(format!("{what}: line {found:?} of {:?}: {said}", entry(text, at.start)));
            }
            said
        };
        let misspelt = refused(key, &format!("{}x", &text[key.clone()]));
        if let Some((_, names)) = misspelt.split_once("it may be ") {
            let table = path.rsplit_once('.').map_or("", |(table, _)| table);
            // What was probably meant comes behind all names.
            let names = names.split(';').next().unwrap_or_default().trim_start_matches("one of ");
            let names = names.split([',', ' ']).filter(|name| name.starts_with('`'));
            known.extend(names.map(|name| format!("{table}.{}", name.trim_matches('`'))));
        }
        let free = broken_free(path);
        for (at, kind) in values {
            for new in broken(&text[at.clone()], *kind, free) {
                refused(at, &new);
            }
        }
        seen.insert(path.clone());
    }
    faults
}

#[test]
fn files_that_are_broken_in_any_key_are_refused_with_a_line() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/networks"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").path());
    // The tables of experiments, at the end of a file, are read elsewhere, and their keys are broken there.
    let first = |text: &str, table: &str| text.split(table).next().unwrap_or_default().to_owned();
    let network = |text: String| first(&first(&text, "\n[experiment]"), "\n[optimize]");
    let mut texts: Vec<_> = files.map(|path| network(std::fs::read_to_string(path).expect("a text"))).collect();
    texts.extend([CLASSES.into(), KITS.into(), PLAIN.into(), PLAIN.replace("window", "approximate")]);
    let (mut known, mut seen, mut all) = (BTreeSet::new(), BTreeSet::new(), vec![]);
    for text in &texts {
        assert_eq!(said(text), None, "{text}");
        all.extend(faults(text, &mut known, &mut seen));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    for table in [".experiment", ".optimize"] {
        known.remove(table);
    }
    // Every key of the format was tested.
    let missing: Vec<_> = known.difference(&seen).collect();
    assert!(missing.is_empty() && seen.len() > 90, "{missing:?} {}", seen.len());
}

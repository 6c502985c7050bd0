//! Lists and tables of classes, shifts and rates, and the messages about wrong ones.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::durations::Duration;
use super::fault::Key;

/// The values of keys that take more than one value.
const OF_CLASSES: [(&str, &str); 58] = [
    ("routing", "a text in quotes, as \"round-robin\""),
    ("full", "\"lost\", \"blocks\", \"blocks-before\", \"exchanges\", \"repeats\" or \"repeats-anew\""),
    ("balking", "a list of probabilities, as [0, 0, 0.5]"),
    ("quantiles", "a list of shares above 0, as [0.5, 0.8, 1]"),
    ("targets", "a list of times from 0 to 1e9, as [20, 240]"),
    ("speeds", "a list of speeds by the number present, as [1, 1.5, 2]"),
    ("setup", "a law in quotes, as \"constant:2\""),
    ("off_after", "a law in quotes, as \"constant:30\""),
    ("setup_called_off", "true or false"),
    ("starts_in", "a law in quotes, as \"constant:5\""),
    ("vacation", "a law in quotes, as \"exponential:10\""),
    ("use", "a law in quotes, as \"exponential:200\""),
    ("weight", "a number from 2^-10 to 2^10"),
    ("batch", "a list of probabilities that add up to 1, as [0.5, 0.5]"),
    ("shifts", "a list of times and whole numbers of servers, or units, as [[0, 2], [480, 3]]"),
    ("rates", "a list of times and rates, as [[0, 0.5], [480, 2.0]]"),
    ("phases", "a table of two matrices, as { d0 = [[-2, 1], [1, -1]], d1 = [[1, 0], [0, 0]] }"),
    ("trace", "a text in quotes, as \"arrivals.csv\""),
    ("d0", "a list of rows of rates, as [[-2, 1], [1, -1]]"),
    ("d1", "a list of rows of rates, as [[1, 0], [0, 0]]"),
    ("generator", "a list of rows of rates, as [[-1, 1], [1, -1]]"),
    ("arrivals", "a list of rates, as [2, 0.5]"),
    ("capacity", "a whole number from 1 to 4294967295, or left out where there is room for all"),
    ("servers", "a whole number from 1 to 4294967295, \"infinite\", or tables headed [[station.servers]]"),
    ("count", "a whole number from 1 to 4294967295"),
    ("factor", "a number from 2^-10 to 2^10"),
    ("serves", "a list of classes, as [\"urgent\", \"other\"]"),
    ("takes", "a text in quotes, as \"first-in-line\""),
    ("standby", "a table, as { servers = 1, comes_at = 6, goes_at = 0 }"),
    ("comes_at", "a whole number from 1 to 4294967295"),
    ("goes_at", "a whole number from 0 to 4294967295"),
    ("switching", "a law in quotes, as \"constant:2\""),
    ("walking", "a law in quotes, as \"exponential:0.5\""),
    ("rests", "true or false"),
    ("batch_most", "a whole number from 1 to 1048576"),
    ("batch_least", "a whole number from 1 to `batch_most`"),
    ("batch_wait", "a time above 0, as 30"),
    ("batch_factors", "a list of numbers from 2^-10 to 2^10, as [1, 1.2, 1.4]"),
    ("period", "a number above the last time of the list"),
    ("time_factors", "a list of times and factors from 2^-10 to 2^10, as [[0, 1], [540, 0.8]]"),
    ("time_factors_period", "a number above the last time of the list"),
    ("shift_end", "\"stay\" or \"interrupt\""),
    ("preemptive", "true or false"),
    ("failures", "two laws, as { up = \"exponential:200\", down = \"exponential:10\" }"),
    ("up", "a law in quotes, as \"exponential:200\""),
    ("down", "a law in quotes, as \"exponential:10\""),
    ("joins", "true or false"),
    ("kit", "a list of classes and whole numbers of tokens, as [[\"frame\", 1], [\"wheel\", 2]]"),
    ("splits", "a list of probabilities that add up to 1, as [0.5, 0.3, 0.2]"),
    ("cost", "a table of what costs how much, as { waiting = 2, served = -5, server = 3 }"),
    ("seizes", "a table of resources and whole numbers of units, as { room = 1 }, or a list of such tables"),
    ("uses", "a table of resources and whole numbers of units, as { steel = 2 }"),
    ("delivers", "a table of resources and whole numbers of units, as { steel = 50 }"),
    ("stock", "a whole number from 0 to 4294967295"),
    ("releases", "a table of resources and whole numbers of units, as { room = 1 }"),
    ("seizes_at", "\"service\" or \"arrival\""),
    ("units", "a whole number from 1 to 4294967295"),
    ("patience", "a law in quotes, as \"exponential:10\""),
];

/// Messages of the parser about a type, not of a reader of this crate.
const OF_TYPES: [&str; 7] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "unknown variant",
    "wanted ",
    "unknown field `$",
    "`servers` must",
];

/// The value of a resource where stations take another table.
const OF_RESOURCES: &str = "a table of what costs how much, as { held = 2, unit = 1 }";

/// The message where a key, or an element of it, has another type.
pub(super) fn plain(said: &str, key: Key<'_>, value: Option<&str>) -> Option<String> {
    let Key { table, name: key, is_whole } = key;
    let allowed = match (table, key) {
        // A number.
        ("sink", "cost") => return None,
        ("source", "to") => "the name of a station, or a list of such names, as [\"first\", \"second\"]",
        ("resource", "cost") => OF_RESOURCES,
        _ => OF_CLASSES.iter().find(|(name, _)| *name == key)?.1,
    };
    let of_type = OF_TYPES.iter().any(|start| said.starts_with(start)) || said.ends_with("number overflowed");
    let verb = if is_whole { "is" } else { "has in it" };
    let value = value.unwrap_or("a list of another form");
    of_type.then(|| format!("`{key}` {verb} {value}; it must be {allowed}"))
}

/// A time and the value from there on. A tuple would accept longer lists and ignore the rest.
pub(super) struct Step<T>(pub(super) f64, pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Step<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Pair(PhantomData))
    }
}

/// As that of a pair.
impl<T: JsonSchema> JsonSchema for Step<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        <(Duration, T)>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <(Duration, T)>::json_schema(generator)
    }
}

struct Pair<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
    type Value = Step<T>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a list of two numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Step<T>, A::Error> {
        let length = |length| A::Error::invalid_length(length, &"a list of two numbers");
        let time = list.next_element()?.ok_or_else(|| length(0))?;
        let value = list.next_element()?.ok_or_else(|| length(1))?;
        match list.next_element::<IgnoredAny>()? {
            None => Ok(Step(time, value)),
            Some(_) => Err(length(3)),
        }
    }
}

/// The pairs of the description.
pub(super) fn pairs<T>(steps: Vec<Step<T>>) -> Vec<(f64, T)> {
    steps.into_iter().map(|Step(time, value)| (time, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::places::said_of;
    use crate::Network;

    const NETWORK: &str = "[[station]]
name = 'a'
service = 'exponential:1'
tokens = 1
[[source]]
name = 'in'
interval = 'exponential:9'
to = 'a'
[[sink]]
name = 'out'
[[route]]
from = 'a'
to = 'out'
";
    const INTERVAL: &str = "interval = 'exponential:9'";

    /// The values of stations and sources beyond one queue: the key, the value and what is allowed, with the line of the
    /// key.
    #[test]
    fn lists_of_classes_say_what_they_take() {
        for (wrong, part) in [
            ("balking = -1", "`balking` is -1; it must be a list of probabilities, as [0, 0, 0.5]"),
            ("balking = [0, 'a']", "`balking` has in it 'a'; it must be a list of probabilities"),
            ("balking = []", "`balking` is an empty list: give it one number or more, or leave it out"),
            ("speeds = [[1]]", "`speeds` has in it a list of another form; it must be a list of speeds by the number"),
            ("speeds = []", "`speeds` is an empty list"),
            ("targets = 20", "`targets` is 20; it must be a list of times from 0 to 1e9, as [20, 240]"),
            ("targets = ['x']", "`targets` has in it 'x'; it must be a list of times"),
            ("shifts = 5", "`shifts` is 5; it must be a list of times and whole numbers of servers"),
            ("time_factors = [[0, 'x']]", "`time_factors` has in it 'x'; it must be a list of times and factors"),
            ("shifts = [1, 2]", "`shifts` has in it 1; it must be a list of times"),
            ("shifts = [[0, -1]]", "`shifts` has in it -1; it must be a list of times"),
            (
                "shifts = [[0, 1, 2]]",
                "it must be a list of times and whole numbers of servers, or units, as [[0, 2], [480, 3]]",
            ),
            (
                "shifts = [[]]",
                "it must be a list of times and whole numbers of servers, or units, as [[0, 2], [480, 3]]",
            ),
            ("period = 'x'", "`period` is 'x'; it must be a number above the last time of the list"),
            ("shift_end = 3", "`shift_end` is 3; it must be \"stay\" or \"interrupt\""),
            ("preemptive = 1", "`preemptive` is 1; it must be true or false"),
            ("failures = 1979-05-27", "`failures` is 1979-05-27; it must be two laws"),
            ("setup = 5", "`setup` is 5; it must be a law in quotes"),
            ("setup = 'exponential:-1'", "`setup` is 'exponential:-1': the mean is -1; it must be at least"),
            ("vacation = 'constant:x'", "`vacation` is 'constant:x': 'x' is not a number"),
            ("failures = { up = 'constant:1', down = 'expo:1' }", "`down` is 'expo:1': 'expo' is no law"),
            ("patience = 'constant:-1'", "`patience` is 'constant:-1': the time is -1; it must be at least"),
            ("vacation = true", "`vacation` is true; it must be a law in quotes"),
            ("failures = { down = 'constant:1' }", "`failures` has `up`, how long a server works, or `use`"),
            ("failures = { use = 3, down = 'constant:1' }", "`use` is 3; it must be a law in quotes"),
            ("failures = 1", "`failures` is 1; it must be two laws"),
            (
                "seizes = 5",
                "`seizes` is 5; it must be a table of resources and whole numbers of units, as { room = 1 }",
            ),
            ("releases = 'room'", "`releases` is 'room'; it must be a table of resources"),
            ("seizes = { room = -1 }", "`room` is -1; it must be a whole number"),
            ("seizes_at = 3", "`seizes_at` is 3; it must be \"service\" or \"arrival\""),
            ("seizes = { room = 1 }", "no resource is named 'room': the file has no [[resource]]"),
            (
                "full = 'x'",
                "`full` is 'x'; it must be \"lost\", \"blocks\", \"blocks-before\", \"exchanges\", \"repeats\" or \"repeats-anew\"",
            ),
            ("patience = 5", "`patience` is 5; it must be a law in quotes"),
            (
                "servers = 1.5",
                "`servers` is 1.5; it must be a whole number from 1 to 4294967295, \"infinite\", or tables headed [[station.servers]]",
            ),
            ("servers = 99999999999999999999", "`servers` is 99999999999999999999; it must be a whole number"),
            ("reneges_to = 'x'\npatience = 'constant:1'", "no station or sink is named 'x': there are 'a' and 'out'"),
        ] {
            let text = NETWORK.replacen("tokens = 1", wrong, 1);
            let error = Network::from_toml(&text).expect_err(wrong);
            assert!(error.line == 4 && error.fault.contains(part), "{error} for {wrong}");
        }
        for (wrong, part) in [
            ("rates = [[0, 1, 2]]", "it must be a list of times and rates, as [[0, 0.5], [480, 2.0]]"),
            ("rates = [[0, 'x']]", "`rates` has in it 'x'; it must be a list of times and rates"),
            ("phases = 3", "`phases` is 3; it must be a table of two matrices"),
            (
                "phases = { d0 = [[-1]] }",
                "`phases` has `d0` and `d1`, or `generator` and `arrivals`: give it two of them",
            ),
            ("phases = { d0 = 3 }", "`d0` is 3; it must be a list of rows of rates"),
            ("phases = { d0 = [[-1]], d1 = [['x']] }", "`d1` has in it 'x'; it must be a list of rows of rates"),
            (
                "phases = { arrivals = [[1]] }",
                "`arrivals` has in it a list of another form; it must be a list of rates",
            ),
            ("phases = { d2 = 1 }", "there is no key `d2` here"),
            ("trace = 5", "`trace` is 5; it must be a text in quotes, as"),
            ("trace = 'none.csv'", "`trace` names a table, and those are read where a command reads a network file"),
            ("trace = 'time'", "`trace`, there is no row with a time"),
            ("trace = '1,a'", "no class is named 'a': the file has no [[class]]"),
            ("batch = 2", "`batch` is 2; it must be a list of probabilities that add up to 1"),
            ("batch = []", "`batch` is an empty list"),
        ] {
            let error = Network::from_toml(&NETWORK.replacen(INTERVAL, wrong, 1)).expect_err(wrong);
            assert!(error.line == 7 && error.fault.contains(part), "{error} for {wrong}");
        }
    }

    #[test]
    fn lists_of_classes_are_found() {
        for (from, to, line, part) in [
            ("tokens = 1", "balking = [0, 1.5]", 4, "a probability of balking is 1.5; it must be from 0 to 1"),
            ("tokens = 1", "targets = [20, -1]", 4, "a target is -1; it must be from 0 to 1e9 time units"),
            ("tokens = 1", "speeds = [1, 1e9]", 4, "a speed is 1000000000; it must be 0, or from 2^-16 to 2^16"),
            ("tokens = 1", "speeds = [1, 0]", 4, "the last speed is 0; it must be above 0"),
            (
                "tokens = 1",
                "failures = { use = 'constant:1', down = 'constant:1' }\nshifts = [[0, 1]]",
                5,
                "the number of steps of the shifts is 1; it must be left out, as the servers fail by use",
            ),
            ("tokens = 1", "shifts = []", 4, "the number of shifts is 0; it must be 1 or more"),
            ("tokens = 1", "time_factors = []", 4, "the number of factors by time is 0; it must be 1 or more"),
            ("tokens = 1", "time_factors = [[0, 2000]]", 4, "a factor by time is 2000; it must be from 2^-10 to 2^10"),
            (
                "tokens = 1",
                "time_factors = [[0, 1], [2, 2]]\ntime_factors_period = 1",
                5,
                "the period of the factors is 1; it must be 1e-6 or more after",
            ),
            ("tokens = 1", "shifts = [[1, 1]]", 4, "the first time of the shifts is 1; it must be 0"),
            ("tokens = 1", "shifts = [[0, 1], [0, 2]]", 4, "a time of the shifts is 0; it must be 1e-6 or more after"),
            (
                "tokens = 1",
                "shifts = [[0, 1]]\nperiod = -2.0",
                5,
                "the period is -2.0; it must be 1e-6 or more after the last",
            ),
            (INTERVAL, "rates = []", 7, "the number of rates is 0; it must be 1 or more"),
            (INTERVAL, "rates = [[0, -1]]", 7, "a rate is -1; it must be 0, or from 2^-30"),
            (INTERVAL, "rates = [[0, 1]]\nperiod = 0", 8, "the period is 0; it must be later than the last"),
            (INTERVAL, "phases = { d0 = [[-1]], d1 = [[2]] }", 7, "the sum of the rates of a phase is 1; it must be 0"),
            (
                INTERVAL,
                "phases = { generator = [[-1, 1], [1, -1]], arrivals = [-2, 3] }",
                7,
                "a rate of the phases is -2; it must be 0, or from 2^-30",
            ),
            (INTERVAL, "trace = '1e12'", 7, "a time of the trace is 1000000000000; it must be 0 or more, no less than"),
            (
                INTERVAL,
                "batch = [1]\ntrace = '1'",
                7,
                "the number of sizes of a batch is 1; it must be 0, as the trace says",
            ),
            ("'exponential:9'", "'exponential:9'\nbatch = [0.5, 0.25]", 8, "at a time is 0.75; it must be 1"),
        ] {
            let text = NETWORK.replacen(from, to, 1);
            let (at, said) = said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to));
            assert!(at == Some(line) && said.contains(part), "{at:?} {said} for {to}");
        }
    }
}

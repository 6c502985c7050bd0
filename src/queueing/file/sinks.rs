//! Sinks in files.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::FileError;
use super::durations::Duration;
use super::reader::Reader;
use crate::{Sink, SinkId};

/// A sink.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Sink")]
pub(super) struct SinkEntry {
    /// Its name.
    #[schemars(with = "String", extend("examples" = ["home"]))]
    pub(super) name: Spanned<String>,
    /// What each token costs that leaves here, below 0 a reward; nothing without it.
    #[schemars(extend("examples" = [-20]))]
    cost: Option<f64>,
    /// The share of tokens from sources that were in the network no longer than each of these times is counted, exactly.
    #[serde(default)]
    #[schemars(with = "Vec<Duration>", extend("examples" = [["4 h"]]))]
    targets: Vec<f64>,
    /// What classes have of their own at this sink.
    #[serde(default)]
    class: Vec<SinkClassEntry>,
}

/// What a class has of its own at a sink.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassOfSink")]
struct SinkClassEntry {
    /// The class.
    #[schemars(with = "String", extend("examples" = ["urgent"]))]
    name: Spanned<String>,
    /// What each token of it costs that leaves here, in place of the sink's `cost`.
    #[schemars(extend("examples" = [50]))]
    cost: f64,
}

impl Reader<'_> {
    /// Adds a sink.
    ///
    /// # Errors
    /// An unknown class.
    pub(super) fn sink(&mut self, entry: &SinkEntry) -> Result<SinkId, FileError> {
        let mut sink = Sink::new(entry.name.as_ref()).targets(entry.targets.clone());
        if let Some(cost) = entry.cost {
            sink = sink.cost(cost);
        }
        self.check_listed(("sink", entry.name.as_ref()), entry.class.iter().map(|of| &of.name))?;
        for SinkClassEntry { name, cost } in &entry.class {
            sink = sink.cost_of(self.class(name)?, *cost);
        }
        Ok(self.network.add_sink(sink))
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::said_of;
    use crate::{Class, Network, Sink, Station};

    const TEXT: &str = "[[class]]
name = 'all'
[[station]]
name = 'a'
service = 'constant:1'
tokens = 1
[[sink]]
name = 'out'
cost = -20
[[sink.class]]
name = 'all'
cost = 2.5
[[route]]
from = 'a'
to = 'out'
";

    #[test]
    fn costs_are_read() {
        let mut network = Network::new();
        let all = network.class(Class::new("all"));
        let a = network.station(Station::new("a", "constant:1".parse().unwrap()).tokens(1));
        let out = network.add_sink(Sink::new("out").cost(-20.0).cost_of(all, 2.5));
        network.route(a, out, 1.0, 0.0);
        let model = network.check().unwrap();
        assert_eq!(Network::from_toml(TEXT).unwrap().check().unwrap(), model);
        for (from, to) in [("-20", "-21"), ("2.5", "2.25")] {
            assert_ne!(Network::from_toml(&TEXT.replacen(from, to, 1)).unwrap().check().unwrap(), model);
        }
        // Costs alone do not make a network of classes.
        let plain =
            TEXT.replace("[[class]]\nname = 'all'\n", "").replace("[[sink.class]]\nname = 'all'\ncost = 2.5\n", "");
        let model = Network::from_toml(&plain).unwrap().check().unwrap();
        assert!(model.has_costs() && model.classes().is_empty());
    }

    #[test]
    fn faults_name_their_line() {
        for (from, to, line, part) in [
            (
                "cost = -20",
                "price = -20",
                9,
                "there is no key `price` here; it may be one of `name`, `cost`, `targets`, `class`",
            ),
            ("-20", "'x'", 9, "`cost` is 'x'; it must be a number from -1e12 to 1e12"),
            ("-20", "{ served = 1 }", 9, "`cost` is a table; it must be a number from -1e12 to 1e12"),
            ("-20", "1e999", 9, "`cost` is 1e999; it must be a number from -1e12 to 1e12"),
            ("2.5", "[2]", 12, "`cost` is a list; it must be a number from -1e12 to 1e12"),
            ("cost = 2.5\n", "", 10, "the key `cost` is missing"),
            ("'all'\ncost", "'al'\ncost", 11, "no class is named 'al': there is 'all'"),
            (
                "cost = 2.5\n",
                "cost = 2.5\n[[sink.class]]\nname = 'all'\ncost = 1\n",
                14,
                "class 'all' has a table there already, at the sink 'out': [[sink.class]] is of the [[sink]] above it",
            ),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let error = Network::from_toml(&text).expect_err(to);
            assert!(error.line == line && error.fault.contains(part), "{error} for {to}");
        }
        for (from, to, line, part) in [
            ("-20", "inf", 9, "sink 'out': the cost of a token that leaves is inf; it must be from -1e12 to 1e12"),
            ("2.5", "-2e12", 12, "sink 'out': the cost of a token that leaves is -2e12; it must be from -1e12 to 1e12"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let (at, said) = said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to));
            assert!(at == Some(line) && said.contains(part), "{at:?} {said} for {to}");
        }
    }
}

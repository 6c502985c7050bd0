//! Networks as TOML files. `docs/networks.md` describes the format.

#[cfg(test)]
mod broken;
mod classes;
mod costs;
mod fault;
mod generate;
mod lists;
mod numbers;
mod parts;
mod places;
mod reader;
mod resources;
mod sinks;
mod sources;
mod syntax;
mod traces;

use std::ops::Range;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::description::{Network, Observed};
use crate::random::ServiceLaw;
pub use crate::reading::Mark;
use crate::reading::parts::PART;
use classes::{ClassEntry, FailuresEntry, Full, Servers, ShiftEnd, StationClassEntry};
use costs::CostEntry;
pub(crate) use fault::of_toml as fault_of_toml;
use lists::Step;
pub use numbers::with_numbers;
pub(crate) use places::said_of;
use reader::Reader;
use resources::{NeedsEntry, ResourceEntry, SeizesAt};
use sinks::SinkEntry;
use sources::PhasesEntry;

/// A file that does not describe a network.
///
/// ```
/// use tickless::queueing::Network;
/// let error = Network::from_toml("[[station]]\nname = 'desk'\nservice = 'exponential:0'\n").unwrap_err();
/// assert_eq!(error.line, 3);
/// assert!(error.to_string().starts_with("line 3: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}{}: {fault}{}",
    mark.as_ref().map(|mark| format!(", column {}", mark.column)).unwrap_or_default(),
    mark.as_ref().map(|mark| format!("\n{mark}")).unwrap_or_default()
)]
pub struct FileError {
    /// The line, from 1 on.
    pub line: usize,
    /// What is wrong there, and what is allowed.
    pub fault: String,
    /// The place in the line, where the text is no TOML.
    pub mark: Option<Mark>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    until: Option<f64>,
    warmup: Option<f64>,
    seed: Option<u64>,
    window: Option<f64>,
    approximate: Option<f64>,
    tokens: Option<u32>,
    distributions: Option<WhoseDistributions>,
    series_step: Option<f64>,
    /// What `crate::experiments` reads.
    experiment: Option<IgnoredAny>,
    /// The same.
    optimize: Option<IgnoredAny>,
    generate: Option<Spanned<generate::Entry>>,
    #[serde(default)]
    class: Vec<ClassEntry>,
    #[serde(default)]
    resource: Vec<ResourceEntry>,
    #[serde(default)]
    station: Vec<StationEntry>,
    #[serde(default)]
    source: Vec<SourceEntry>,
    #[serde(default)]
    sink: Vec<SinkEntry>,
    #[serde(default)]
    route: Vec<RouteEntry>,
}

/// Whose distributions a run records, as files and results have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`distributions` must be true, false or a list of stations' names")]
pub enum WhoseDistributions {
    /// `true`: everybody's.
    Everybody(bool),
    /// Of these stations.
    Stations(Vec<String>),
}

impl From<WhoseDistributions> for Observed {
    fn from(whose: WhoseDistributions) -> Self {
        match whose {
            WhoseDistributions::Everybody(false) => Self::Nothing,
            WhoseDistributions::Everybody(true) => Self::All,
            WhoseDistributions::Stations(names) => Self::Stations(names),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StationEntry {
    name: Spanned<String>,
    service: ServiceLaw,
    servers: Option<Spanned<Servers>>,
    capacity: Option<u32>,
    #[serde(default)]
    tokens: u32,
    discipline: Option<Spanned<String>>,
    #[serde(default)]
    preemptive: bool,
    patience: Option<ServiceLaw>,
    reneges_to: Option<Spanned<String>>,
    balking: Option<Spanned<Vec<f64>>>,
    balks_to: Option<Spanned<String>>,
    routing: Option<Spanned<String>>,
    full: Option<Full>,
    shifts: Option<Vec<Step<u32>>>,
    period: Option<Spanned<f64>>,
    shift_end: Option<Spanned<ShiftEnd>>,
    speeds: Option<Spanned<Vec<f64>>>,
    failures: Option<Spanned<FailuresEntry>>,
    setup: Option<ServiceLaw>,
    vacation: Option<ServiceLaw>,
    cost: Option<CostEntry>,
    #[serde(default)]
    joins: bool,
    seizes: Option<Spanned<NeedsEntry>>,
    seizes_at: Option<Spanned<SeizesAt>>,
    releases: Option<Spanned<NeedsEntry>>,
    #[serde(default)]
    class: Vec<StationClassEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceEntry {
    name: Spanned<String>,
    interval: Option<ServiceLaw>,
    rates: Option<Vec<Step<f64>>>,
    period: Option<f64>,
    phases: Option<Spanned<PhasesEntry>>,
    trace: Option<Spanned<String>>,
    batch: Option<Spanned<Vec<f64>>>,
    to: Spanned<String>,
    #[serde(default)]
    start: f64,
    limit: Option<u64>,
    class: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RouteEntry {
    from: Spanned<String>,
    to: Spanned<String>,
    #[serde(default = "certain")]
    probability: f64,
    #[serde(default)]
    delay: f64,
    class: Option<Spanned<String>>,
    becomes: Option<Spanned<String>>,
}

fn certain() -> f64 {
    1.0
}

impl Network {
    /// Reads a network from TOML: `[[class]]`, `[[resource]]`, `[[station]]`, `[[source]]`, `[[sink]]` and `[[route]]` tables, or one `[generate]` table
    /// for all of it, and `until`, `warmup`, `seed`, `window`, `approximate`, `tokens`,
    /// `distributions` and `series_step` at the top.
    ///
    /// # Errors
    /// [`FileError`], which names the line.
    ///
    /// ```
    /// use tickless::queueing::Network;
    /// let network = Network::from_toml("
    ///     until = 500
    ///     station = [{ name = 'desk', service = 'exponential:4', servers = 2 }]
    ///     source = [{ name = 'street', interval = 'exponential:3', to = 'desk' }]
    ///     sink = [{ name = 'exit' }]
    ///     route = [{ from = 'desk', to = 'exit' }]
    /// ")?;
    /// assert_eq!(network.check()?.servers(0), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, FileError> {
        if let Some(network) = parts::read(text, PART).and_then(|file| Reader::new(text).read(file).ok()) {
            return Ok(network);
        }
        let file: File = toml::from_str(text).map_err(|error| fault::of_toml(text, &error))?;
        Reader::new(text).read(file)
    }
}

/// The line on which a span begins.
fn line(text: &str, span: Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::{Source, Station};

    const DESK: &str = "[[station]]\nname = \"desk\"\nservice = \"exponential:1\"\n";

    #[test]
    fn faults_name_their_line() {
        let cases = [
            ("until = \"late\"\n".to_owned() + DESK, 1, "`until` is \"late\"; it must be a number"),
            (DESK.to_owned() + "speed = 3\n", 4, "there is no key `speed` here; it may be one of `name`, "),
            (DESK.to_owned() + DESK, 5, "'desk' is taken already"),
            (DESK.to_owned() + "[[route]]\nfrom = \"desk\"\nto = \"till\"\n", 6, "no station or sink is named 'till'"),
            (
                DESK.to_owned() + "[[source]]\nname = \"in\"\ninterval = \"exponential:x\"\nto = \"desk\"\n",
                6,
                "not a number",
            ),
            (
                DESK.to_owned() + "[[sink]]\nname = \"exit\"\n[[route]]\nfrom = \"exit\"\nto = \"desk\"\n",
                7,
                "is a sink",
            ),
            (DESK.to_owned() + "[[route]\n", 4, ""),
            (
                DESK.to_owned() + "servers = -1\n",
                4,
                "`servers` is -1; it must be a whole number from 1 to 4294967295, or \"infinite\"",
            ),
            (
                DESK.to_owned() + "capacity = -1\n",
                4,
                "`capacity` is -1; it must be a whole number from 1 to 4294967295, or left out where there is room for all",
            ),
            (
                DESK.to_owned() + "[[stationx]]\nname = \"b\"\n",
                4,
                "there is no table 'stationx'; it may be one of generate, experiment, optimize, class, resource, station, source, sink, route; 'station' is",
            ),
            (
                DESK.to_owned() + "[[station.klass]]\nname = \"b\"\n",
                4,
                "no table 'station.klass'; it may be station.class",
            ),
            ("[genrate]\nkind = \"ring\"\n".to_owned(), 1, "no table 'genrate'; it may be one of generate, "),
            ("untill = 5\n".to_owned() + DESK, 1, "there is no key `untill` here; it may be one of `until`, "),
            (DESK.to_owned() + "tokens = 1.5\n", 4, "`tokens` is 1.5; it must be a whole number from 0 to"),
            (
                "seed = -1\n".to_owned() + DESK,
                1,
                "`seed` is -1; it must be a whole number from 0 to 18446744073709551615",
            ),
            (
                "[[station]]\nname = 3\nservice = \"constant:1\"\n".to_owned(),
                2,
                "`name` is 3; it must be a text in quotes",
            ),
            ("[[station]]\nname = \"a\"\nservice = 3\n".to_owned(), 3, "`service` is 3; it must be a text in quotes"),
            ("[[station]]\nname = \"a\"\n".to_owned(), 1, "the key `service` is missing"),
            (
                DESK.replace("[[station]]", "[station]"),
                1,
                "`station` is a table; it must be one or more tables, each headed",
            ),
            ("sink = [\"exit\"]\n".to_owned() + DESK, 1, "`sink` is \"exit\"; it must be a table"),
            ("generate = 3\n".to_owned(), 1, "`generate` is 3; it must be a table"),
            (
                "[generate]\nkind = \"mesh\"\nservice = \"constant:1\"\n".to_owned(),
                2,
                "`kind` is \"mesh\"; it must be one of `torus`",
            ),
            ("distributions = 3\n".to_owned() + DESK, 1, "`distributions` must be true, false or a list of stations"),
            (
                DESK.to_owned()
                    + "[[sink]]\nname = \"exit\"\n[[source]]\nname = \"in\"\ninterval = \"constant:1\"\nto = \"exit\"\n",
                9,
                "leads to sink 'exit', and sources lead to stations: name a station",
            ),
        ];
        for (text, line, part) in cases {
            let error = Network::from_toml(&text).expect_err(&text);
            assert!(error.line == line && error.fault.contains(part), "{error} for:\n{text}");
        }
    }

    #[test]
    fn everything_written_is_read() {
        let text = "until = 70.0\nwarmup = 7.0\nseed = 9\nwindow = 0.5\napproximate = 0.25\ntokens = 4\n\
                    series_step = 0.125\n\
                    distributions = [\"a\"]\n\
                    [[station]]\nname = \"a\"\nservice = \"constant:2\"\nservers = 3\ncapacity = 9\ntokens = 2\n\
                    [[source]]\nname = \"in\"\ninterval = \"exponential:5\"\nto = \"a\"\nstart = 1.5\nlimit = 8\n\
                    [[sink]]\nname = \"out\"\n\
                    [[route]]\nfrom = \"a\"\nto = \"out\"\nprobability = 0.25\ndelay = 0.5\n\
                    [[route]]\nfrom = \"a\"\nto = \"a\"\nprobability = 0.75\n";
        let mut written = Network::new().until(70.0).warmup(7.0).seed(9).window(0.5).approximate(0.25).tokens(4);
        written = written.distributions(Observed::Stations(vec!["a".into()])).series(0.125);
        let station = Station::new("a", ServiceLaw::Constant { time: 2.0 }).servers(3).capacity(9).tokens(2);
        let a = written.station(station);
        let out = written.sink("out");
        let interval = ServiceLaw::Exponential { mean: 5.0 };
        written.source(Source::new("in", interval, a).start(1.5).limit(8));
        written.route(a, out, 0.25, 0.5);
        written.route(a, a, 0.75, 0.0);
        assert_eq!(Network::from_toml(text), Ok(written));
    }
}

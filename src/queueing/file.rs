//! Networks as TOML files. `docs/networks.md` describes the format.

mod fault;
mod generate;
mod parts;
mod syntax;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::description::{Destination, Network, Observed, Source, Station, StationId};
use crate::random::ServiceLaw;
pub use crate::reading::Mark;
use crate::reading::names;
pub(crate) use fault::said_of;

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
    generate: Option<Spanned<generate::Entry>>,
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
    #[serde(default = "one")]
    servers: u32,
    capacity: Option<u32>,
    #[serde(default)]
    tokens: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceEntry {
    name: Spanned<String>,
    interval: ServiceLaw,
    to: Spanned<String>,
    #[serde(default)]
    start: f64,
    limit: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SinkEntry {
    name: Spanned<String>,
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
}

fn one() -> u32 {
    1
}

fn certain() -> f64 {
    1.0
}

impl Network {
    /// Reads a network from TOML: `[[station]]`, `[[source]]`, `[[sink]]` and `[[route]]` tables, or one `[generate]` table
    /// for all of it, and `until`, `warmup`, `seed`, `window`, `approximate`, `tokens` and `distributions` at
    /// the top.
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
        let reader = || Reader { text, names: HashMap::new(), network: Self::new() };
        if let Some(network) = parts::read(text).and_then(|file| reader().read(file).ok()) {
            return Ok(network);
        }
        let file: File = toml::from_str(text).map_err(|error| fault::of_toml(text, &error))?;
        reader().read(file)
    }
}

/// The line on which a span begins.
fn line(text: &str, span: Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

/// A station and its name.
fn station(entry: StationEntry) -> (Spanned<String>, Station) {
    let StationEntry { name, service, servers, capacity, tokens } = entry;
    let station = Station::new(name.as_ref(), service).servers(servers).tokens(tokens);
    let station = match capacity {
        Some(capacity) => station.capacity(capacity),
        None => station,
    };
    (name, station)
}

struct Reader<'a> {
    text: &'a str,
    names: HashMap<String, Destination>,
    network: Network,
}

impl Reader<'_> {
    fn read(mut self, file: File) -> Result<Network, FileError> {
        if let Some(table) = &file.generate {
            self.alone(&file)?;
            self.network = generate::network(table, self.text)?;
        }
        self.names.reserve(file.station.len() + file.sink.len());
        let stations: Vec<_> = file.station.into_par_iter().map(station).collect();
        for (name, station) in stations {
            let id = self.network.station(station);
            self.name(name, id.into())?;
        }
        for SinkEntry { name } in file.sink {
            let id = self.network.sink(name.as_ref());
            self.name(name, id.into())?;
        }
        for SourceEntry { name, interval, to, start, limit } in file.source {
            let Destination::Station(target) = self.find(&to)? else {
                let fault = format!(
                    "source '{}' leads to sink '{}', and sources lead to stations: name a station, and give it a route to the \
                     sink",
                    name.as_ref(),
                    to.as_ref()
                );
                return Err(self.fault(&to, fault));
            };
            let mut source = Source::new(name.as_ref(), interval, target).start(start);
            if let Some(limit) = limit {
                source = source.limit(limit);
            }
            self.network.source(source);
        }
        let routes: Vec<_> = file.route.into_par_iter().map(|entry| self.route(entry)).collect();
        for route in routes {
            let (from, to, probability, delay) = route?;
            self.network.route(from, to, probability, delay);
        }
        let mut network = self.network;
        network.distributions = file.distributions.map_or(Observed::Nothing, Observed::from);
        network.window = file.window;
        network.approximate = file.approximate;
        network.until = file.until.unwrap_or(network.until);
        network.warmup = file.warmup.unwrap_or(network.warmup);
        network.seed = file.seed.unwrap_or(network.seed);
        network.tokens = file.tokens.unwrap_or(network.tokens);
        Ok(network)
    }

    /// Where a route begins and leads, with its probability and delay.
    fn route(&self, entry: RouteEntry) -> Result<(StationId, Destination, f64, f64), FileError> {
        let RouteEntry { from, to, probability, delay } = entry;
        let Destination::Station(station) = self.find(&from)? else {
            return Err(self.fault(&from, format!("'{}' is a sink: no route leads away from it", from.as_ref())));
        };
        Ok((station, self.find(&to)?, probability, delay))
    }

    /// A generated network has the stations and the routes of its kind, and no others.
    fn alone(&self, file: &File) -> Result<(), FileError> {
        let stations = file.station.iter().map(|entry| ("station", &entry.name));
        let routes = file.route.iter().map(|entry| ("route", &entry.from));
        let sources = file.source.iter().map(|entry| ("source", &entry.name));
        let sinks = file.sink.iter().map(|entry| ("sink", &entry.name));
        let first = stations.chain(routes).chain(sources).chain(sinks).min_by_key(|(_, name)| name.span().start);
        first.map_or(Ok(()), |(kind, name)| {
            let fault = format!("[[{kind}]] beside [generate], which makes the whole network: leave out one of them");
            Err(self.fault(name, fault))
        })
    }

    fn name(&mut self, name: Spanned<String>, what: Destination) -> Result<(), FileError> {
        let at = name.span();
        match self.names.entry(name.into_inner()) {
            Entry::Occupied(taken) => {
                let fault = format!("the name '{}' is taken already", taken.key());
                Err(FileError { line: line(self.text, at), fault, mark: None })
            }
            Entry::Vacant(free) => {
                free.insert(what);
                Ok(())
            }
        }
    }

    fn find(&self, name: &Spanned<String>) -> Result<Destination, FileError> {
        let found = self.names.get(name.as_ref()).copied();
        found.ok_or_else(|| {
            let all: Vec<&str> = self.network.names().collect();
            let known = names::known(name.as_ref(), all.into_iter());
            self.fault(name, format!("no station or sink is named '{}': {known}", name.as_ref()))
        })
    }

    fn fault(&self, at: &Spanned<String>, fault: String) -> FileError {
        FileError { line: line(self.text, at.span()), fault, mark: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (DESK.to_owned() + "servers = -1\n", 4, "`servers` is -1; it must be a whole number from 0 to 4294967295"),
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
                    distributions = [\"a\"]\n\
                    [[station]]\nname = \"a\"\nservice = \"constant:2\"\nservers = 3\ncapacity = 9\ntokens = 2\n\
                    [[source]]\nname = \"in\"\ninterval = \"exponential:5\"\nto = \"a\"\nstart = 1.5\nlimit = 8\n\
                    [[sink]]\nname = \"out\"\n\
                    [[route]]\nfrom = \"a\"\nto = \"out\"\nprobability = 0.25\ndelay = 0.5\n\
                    [[route]]\nfrom = \"a\"\nto = \"a\"\nprobability = 0.75\n";
        let mut written = Network::new().until(70.0).warmup(7.0).seed(9).window(0.5).approximate(0.25).tokens(4);
        written = written.distributions(Observed::Stations(vec!["a".into()]));
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

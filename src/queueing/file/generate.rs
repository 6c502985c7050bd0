//! The table `[generate]`: equal stations and their topology.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::{FileError, line};
use crate::NetworkError;
use crate::describe::{Network, Station};
use crate::generators::Topology;
use tickless_core::random::ServiceLaw;

fn one_server() -> u32 {
    1
}

/// How stations hang together.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Kind")]
enum Kind {
    /// A grid of `width` and `height` whose opposite sides meet: each station leads to its four neighbours, each with probability 1/4.
    /// `tickless torus` is this network; where nothing but means is asked for, in exact time and of stations with one server and room for
    /// everyone, its edges are computed and nothing of it is listed.
    Torus,
    /// Each of `stations` leads to the next, the last to the first.
    Ring,
    /// A source named `source`, with the law `interval`, leads to the first of `stations`, each to the next, and the last to a sink named
    /// `sink`.
    Tandem,
    /// `degree` routes lead from each of `stations` and as many to it, all of one probability: the union of random cycles through all
    /// stations, drawn from `seed`.
    RandomRegular,
    /// Each new one of `stations` is joined to `edges` earlier ones, in proportion to how many those are joined to already (Barabasi and
    /// Albert 1999), drawn from `seed`; routes lead both ways.
    ScaleFree,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Torus => "torus",
            Self::Ring => "ring",
            Self::Tandem => "tandem",
            Self::RandomRegular => "random-regular",
            Self::ScaleFree => "scale-free",
        }
    }

    /// The keys that it has beside those of every kind.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Torus => &["width", "height"],
            Self::Ring => &["stations"],
            Self::Tandem => &["stations", "interval"],
            Self::RandomRegular => &["stations", "degree", "seed"],
            Self::ScaleFree => &["stations", "edges", "seed"],
        }
    }
}

/// All stations and routes of a network, which are alike: stations `s0`, `s1` and so on. `tickless::queueing::Topology` says for each kind which
/// sizes are allowed and in which order its routes come.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Generate")]
pub(super) struct Entry {
    /// How the stations hang together.
    #[schemars(extend("examples" = ["torus"]))]
    kind: Kind,
    /// The law of the service times of every station.
    #[schemars(extend("examples" = ["exponential:10"]))]
    service: ServiceLaw,
    /// Of every station.
    #[serde(default = "one_server")]
    #[schemars(range(min = 1), extend("examples" = [2]))]
    servers: u32,
    /// Of every station; without it there is room for all.
    #[schemars(range(min = 1), extend("examples" = [5]))]
    capacity: Option<u32>,
    /// Tokens at each station at time 0.
    #[serde(default)]
    #[schemars(extend("examples" = [1]))]
    tokens: u32,
    /// The transit delay of every route.
    #[serde(default)]
    #[schemars(with = "super::Duration", extend("examples" = [0.5]))]
    delay: f64,
    /// Stations in a row of a torus.
    #[schemars(with = "Option<u32>", extend("examples" = [64]))]
    width: Option<Spanned<u32>>,
    /// Rows of a torus.
    #[schemars(with = "Option<u32>", extend("examples" = [32]))]
    height: Option<Spanned<u32>>,
    /// How many there are, of the other kinds.
    #[schemars(with = "Option<u32>", extend("examples" = [100]))]
    stations: Option<Spanned<u32>>,
    /// Routes that lead from each station of a random regular network.
    #[schemars(with = "Option<u32>", extend("examples" = [3]))]
    degree: Option<Spanned<u32>>,
    /// Earlier stations that each new one of a scale-free network is joined to.
    #[schemars(with = "Option<u32>", extend("examples" = [2]))]
    edges: Option<Spanned<u32>>,
    /// One seed, one topology, for the kinds that draw theirs: not the seed of the run, which stands at the top.
    #[schemars(with = "Option<u64>", extend("default" = 1, "examples" = [5]))]
    seed: Option<Spanned<u64>>,
    /// The law of the time between two tokens of a tandem.
    #[schemars(with = "Option<ServiceLaw>", extend("examples" = ["exponential:12"]))]
    interval: Option<Spanned<ServiceLaw>>,
}

/// The network of a table.
pub(super) fn network(table: &Spanned<Entry>, text: &str) -> Result<Network, FileError> {
    let entry = table.as_ref();
    let fault = |span: Option<Range<usize>>, fault: String| FileError {
        line: line(text, span.unwrap_or_else(|| table.span())),
        fault,
        mark: None,
    };
    entry.unused().map_or(Ok(()), |(span, said)| Err(fault(Some(span), said)))?;
    let topology = entry.topology().map_err(|said| fault(None, said))?;
    Network::generate(&topology, &entry.each(), entry.delay).map_err(|error| {
        let span = match error {
            NetworkError::Size { size, .. } => entry.spans().into_iter().find(|(key, _)| *key == size),
            _ => None,
        };
        fault(span.and_then(|(_, span)| span), error.to_string())
    })
}

impl Entry {
    /// The keys that not every kind has, and where they stand.
    fn spans(&self) -> [(&'static str, Option<Range<usize>>); 7] {
        [
            ("width", self.width.as_ref().map(Spanned::span)),
            ("height", self.height.as_ref().map(Spanned::span)),
            ("stations", self.stations.as_ref().map(Spanned::span)),
            ("degree", self.degree.as_ref().map(Spanned::span)),
            ("edges", self.edges.as_ref().map(Spanned::span)),
            ("seed", self.seed.as_ref().map(Spanned::span)),
            ("interval", self.interval.as_ref().map(Spanned::span)),
        ]
    }

    /// The first key that the kind does not use.
    fn unused(&self) -> Option<(Range<usize>, String)> {
        let (kind, keys) = (self.kind.name(), self.kind.keys());
        let spans = self.spans().into_iter().filter_map(|(key, span)| Some((key, span?)));
        let (key, span) = spans.filter(|(key, _)| !keys.contains(key)).min_by_key(|(_, span)| span.start)?;
        let used: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        Some((span, format!("kind \"{kind}\" has no `{key}`; of its own it has {}", used.join(", "))))
    }

    fn topology(&self) -> Result<Topology, String> {
        let stations = || self.needed("stations", &self.stations);
        let seed = self.seed.as_ref().map_or(1, |seed| *seed.as_ref());
        Ok(match self.kind {
            Kind::Torus => Topology::Torus {
                width: self.needed("width", &self.width)?,
                height: self.needed("height", &self.height)?,
            },
            Kind::Ring => Topology::Ring { stations: stations()? },
            Kind::Tandem => {
                Topology::Tandem { stations: stations()?, interval: self.needed("interval", &self.interval)? }
            }
            Kind::RandomRegular => {
                Topology::RandomRegular { stations: stations()?, degree: self.needed("degree", &self.degree)?, seed }
            }
            Kind::ScaleFree => {
                Topology::ScaleFree { stations: stations()?, edges: self.needed("edges", &self.edges)?, seed }
            }
        })
    }

    fn needed<T: Clone>(&self, key: &str, value: &Option<Spanned<T>>) -> Result<T, String> {
        let missing = || format!("kind \"{}\" needs the key `{key}`, which is missing", self.kind.name());
        value.as_ref().map(|value| value.as_ref().clone()).ok_or_else(missing)
    }

    fn each(&self) -> Station {
        let each = Station::new("s", self.service.clone()).servers(self.servers).tokens(self.tokens);
        match self.capacity {
            Some(capacity) => each.capacity(capacity),
            None => each,
        }
    }
}

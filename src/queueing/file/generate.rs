//! The table `[generate]`: stations that are all alike, and how they hang together.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::{FileError, line};
use crate::queueing::NetworkError;
use crate::queueing::description::{Network, Station};
use crate::queueing::generators::Topology;
use crate::random::ServiceLaw;

fn one_server() -> u32 {
    1
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Torus,
    Ring,
    Tandem,
    RandomRegular,
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

/// What `[generate]` holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    kind: Kind,
    service: ServiceLaw,
    #[serde(default = "one_server")]
    servers: u32,
    capacity: Option<u32>,
    #[serde(default)]
    tokens: u32,
    #[serde(default)]
    delay: f64,
    width: Option<Spanned<u32>>,
    height: Option<Spanned<u32>>,
    stations: Option<Spanned<u32>>,
    degree: Option<Spanned<u32>>,
    edges: Option<Spanned<u32>>,
    seed: Option<Spanned<u64>>,
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

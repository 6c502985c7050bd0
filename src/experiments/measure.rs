//! Measures: figures taken from every replication of every point.

use toml::Spanned;

use super::error::{ExperimentError, at};
use super::keys::path_of;
use tickless_core::reading::names;
use tickless_queueing::figures::{Figure, Sums, Unit, Whose};
use tickless_queueing::{NetworkModel, NetworkOutcome};

/// A figure of a network, by the path under which results have it: `network.mean_system_time`, `station.desk.utilization`,
/// `station.desk.class.urgent.mean_waiting_time`, `sink.home.mean_time_in_network`, `resource.room.utilization`, `cost`.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Measure;
/// assert_eq!(Measure::parse("station.desk.utilization")?.name(), "station.desk.utilization");
/// assert!(Measure::parse("station.desk.utilisation").unwrap_err().contains("'utilization' is probably meant"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Measure {
    name: String,
    whose: Named,
    figure: Figure,
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        (&self.whose, self.figure.key) == (&other.whose, other.figure.key)
    }
}

/// The owner of a figure, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Network,
    Station(String),
    Class(String, String),
    Sink(String),
    Resource(String),
}

/// The value of a measure in one replication: the first number divided by the second. Where the second is 0 there is no
/// value.
pub type Pair = [f64; 2];

impl Measure {
    /// Reads a path.
    ///
    /// # Errors
    /// The names there are in place of an unknown one.
    pub fn parse(text: &str) -> Result<Self, String> {
        let path =
            path_of(text).map_err(|_| format!("'{text}' is no measure, as station.desk.mean_waiting_time is one"))?;
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let (whose, key) = match words[..] {
            ["cost"] => (Named::Network, "cost"),
            ["network", key] => (Named::Network, key),
            ["station", name, key] => (Named::Station(name.into()), key),
            ["station", name, "class", class, key] => (Named::Class(name.into(), class.into()), key),
            ["sink", name, key] => (Named::Sink(name.into()), key),
            ["resource", name, key] => (Named::Resource(name.into()), key),
            _ => {
                return Err(format!(
                    "'{text}' is no measure; it may be cost, network.FIGURE, station.NAME.FIGURE, station.NAME.class.NAME.FIGURE, \
                     sink.NAME.FIGURE or resource.NAME.FIGURE"
                ));
            }
        };
        let all = whose.figures();
        let Some(figure) = all.iter().find(|figure| figure.key == key).copied() else {
            let known: Vec<&str> = all.iter().map(|figure| figure.key).collect();
            let meant = names::meant(key, known.iter().copied());
            let meant = meant.map(|meant| format!("; '{meant}' is probably meant")).unwrap_or_default();
            return Err(format!("'{text}' names no figure: there are {}{meant}", known.join(", ")));
        };
        Ok(Self { name: text.to_owned(), whose, figure })
    }

    /// Reads a path in a file, to a part that the network has.
    ///
    /// # Errors
    /// The fault, with its line.
    pub(super) fn read(text: &str, path: &Spanned<String>, model: &NetworkModel) -> Result<Self, ExperimentError> {
        let measure = Self::parse(path.get_ref()).and_then(|measure| measure.check(model).map(|()| measure));
        measure.map_err(|said| at(text, path.span(), said))
    }

    /// The default measures: the network as a whole, and its costs where it has some.
    pub(super) fn of_network(model: &NetworkModel) -> Vec<Self> {
        let all = ["network.throughput", "network.mean_present", "network.mean_system_time"];
        let cost = if model.has_costs() { Some("cost") } else { None };
        all.into_iter().chain(cost).filter_map(|name| Self::parse(name).ok()).collect()
    }

    /// The path as written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is the share of tokens to which something happens.
    pub(super) fn is_probability(&self) -> bool {
        self.figure.unit == Unit::Probability
    }

    /// Whether the network has the measured part.
    ///
    /// # Errors
    /// The names there are in its place.
    pub fn check(&self, model: &NetworkModel) -> Result<(), String> {
        self.of(model, &[]).map(|_| ())
    }

    /// The values in the replications.
    ///
    /// # Errors
    /// The part that the network lacks.
    pub fn of(&self, model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Result<Vec<Pair>, String> {
        let (whose, figure) = (self.whose.placed(model)?, self.figure);
        if let Some(why) = figure.lacks(model, whose) {
            let holder = match &self.whose {
                Named::Station(name) | Named::Class(name, _) => format!("the station '{name}'"),
                _ => "the network".into(),
            };
            return Err(format!("{holder} has no {}: {why}", figure.key));
        }
        Ok(Sums::of(model, whose, outcomes).iter().map(figure.ratio).collect())
    }
}

impl Named {
    /// The figures that can be measured of such an owner.
    fn figures(&self) -> Vec<Figure> {
        let of_any = match self {
            Self::Network => Whose::Network,
            Self::Station(_) => Whose::Station(0),
            Self::Class(..) => Whose::Class { station: 0, class: 0 },
            Self::Sink(_) => Whose::Sink(0),
            Self::Resource(_) => Whose::Resource(0),
        };
        of_any.measured()
    }

    /// The owner's place in a network.
    fn placed(&self, model: &NetworkModel) -> Result<Whose, String> {
        let station = |name: &str| {
            let known: Vec<_> = (0..model.stations()).map(|id| model.station_name(id)).collect();
            place(known.iter().map(|name| name.as_ref()), "station", name)
        };
        Ok(match self {
            Self::Network => Whose::Network,
            Self::Station(name) => Whose::Station(station(name)?),
            Self::Class(name, class) => {
                let (station, known) = (station(name)?, model.classes().iter().map(String::as_str));
                Whose::Class { station, class: place(known, "class", class)? }
            }
            Self::Sink(name) => {
                let known: Vec<&str> = (0..model.sinks()).map(|id| model.sink_name(id)).collect();
                Whose::Sink(place(known.into_iter(), "sink", name)?)
            }
            Self::Resource(name) => {
                let known: Vec<&str> = model.resources().into_iter().map(|(name, _)| name).collect();
                Whose::Resource(place(known.into_iter(), "resource", name)?)
            }
        })
    }
}

fn lacks<'a>(what: &str, name: &str, known: impl ExactSizeIterator<Item = &'a str> + Clone) -> String {
    format!("the network has no {what} '{name}': {}", names::known(name, known))
}

fn place<'a>(known: impl ExactSizeIterator<Item = &'a str> + Clone, what: &str, name: &str) -> Result<u32, String> {
    let found = known.clone().position(|known| known == name);
    found.map(|place| place as u32).ok_or_else(|| lacks(what, name, known))
}

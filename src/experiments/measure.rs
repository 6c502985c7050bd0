//! Measures: what is read off every replication of every point.

use toml::Spanned;

use super::error::{ExperimentError, at};
use super::keys::path_of;
use tickless_core::reading::names;
use tickless_queueing::figures::{Sums, ratios};
use tickless_queueing::{CostsOf, Figures, NetworkModel, NetworkOutcome};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    name: String,
    whose: Whose,
    what: What,
}

/// Whose figure, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Whose {
    Network,
    Station(String),
    Class(String, String),
    Sink(String),
    Resource(String),
}

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Of those that stations have, by its place among their names.
    Figure(usize),
    Balking,
    Reneging,
    Cost,
    /// Tokens that leave at a sink, a time unit.
    Leaving,
    TimeInNetwork,
    /// The share of the units of a resource that tokens held.
    Held,
}

/// What one replication says of a measure: it is the first number by the second. One whose second is 0 says nothing.
pub type Pair = [f64; 2];

impl Measure {
    /// Reads a path.
    ///
    /// # Errors
    /// What there is in place of what it names.
    pub fn parse(text: &str) -> Result<Self, String> {
        let path =
            path_of(text).map_err(|_| format!("'{text}' is no measure, as station.desk.mean_waiting_time is one"))?;
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let figures = Figures::NAMES;
        let of_station = || figures.iter().copied().chain(["balking_probability", "reneging_probability", "cost"]);
        let (whose, figure, known): (Whose, &str, Vec<&str>) = match words[..] {
            ["cost"] => (Whose::Network, "cost", vec![]),
            ["network", figure] => (Whose::Network, figure, of_station().collect()),
            ["station", name, figure] => (Whose::Station(name.into()), figure, of_station().collect()),
            ["station", name, "class", class, figure] => {
                let known = of_station().filter(|name| *name != "cost").collect();
                (Whose::Class(name.into(), class.into()), figure, known)
            }
            ["sink", name, figure] => {
                (Whose::Sink(name.into()), figure, vec!["throughput", "mean_time_in_network", "cost"])
            }
            ["resource", name, figure] => (Whose::Resource(name.into()), figure, vec!["utilization", "cost"]),
            _ => {
                return Err(format!(
                    "'{text}' is no measure; it may be cost, network.FIGURE, station.NAME.FIGURE, station.NAME.class.NAME.FIGURE, \
                     sink.NAME.FIGURE or resource.NAME.FIGURE"
                ));
            }
        };
        let what = match (figure, &whose) {
            ("cost", Whose::Class(..)) => None,
            ("cost", _) => Some(What::Cost),
            ("throughput", Whose::Sink(_)) => Some(What::Leaving),
            ("mean_time_in_network", Whose::Sink(_)) => Some(What::TimeInNetwork),
            ("utilization", Whose::Resource(_)) => Some(What::Held),
            (_, Whose::Sink(_) | Whose::Resource(_)) => None,
            ("balking_probability", _) => Some(What::Balking),
            ("reneging_probability", _) => Some(What::Reneging),
            (figure, _) => figures.iter().position(|name| *name == figure).map(What::Figure),
        };
        let Some(what) = what else {
            let meant = names::meant(figure, known.iter().copied());
            let meant = meant.map(|meant| format!("; '{meant}' is probably meant")).unwrap_or_default();
            return Err(format!("'{text}' names no figure: there are {}{meant}", known.join(", ")));
        };
        Ok(Self { name: text.to_owned(), whose, what })
    }

    /// Reads a path of a file, of something that the network has.
    ///
    /// # Errors
    /// The fault, with its line.
    pub(super) fn read(text: &str, path: &Spanned<String>, model: &NetworkModel) -> Result<Self, ExperimentError> {
        let measure = Self::parse(path.get_ref()).and_then(|measure| measure.check(model).map(|()| measure));
        measure.map_err(|said| at(text, path.span(), said))
    }

    /// What is measured where a file says nothing: the network as a whole, and its costs where it has some.
    pub(super) fn of_network(model: &NetworkModel) -> Vec<Self> {
        let all = ["network.throughput", "network.mean_present", "network.mean_system_time"];
        let cost = if model.has_costs() { Some("cost") } else { None };
        all.into_iter().chain(cost).filter_map(|name| Self::parse(name).ok()).collect()
    }

    /// The path, as it was written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is the share of tokens to which something happens.
    pub(super) fn is_probability(&self) -> bool {
        match self.what {
            What::Figure(place) => Figures::NAMES[place] == "loss_probability",
            What::Balking | What::Reneging => true,
            _ => false,
        }
    }

    /// Whether the network has what is measured.
    ///
    /// # Errors
    /// What it has in its place.
    pub fn check(&self, model: &NetworkModel) -> Result<(), String> {
        self.of(model, &[]).map(|_| ())
    }

    /// What each replication says of it.
    ///
    /// # Errors
    /// What the network lacks.
    pub fn of(&self, model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Result<Vec<Pair>, String> {
        let stations = || (0..model.stations()).map(|id| model.station_name(id));
        let station = |name: &str| match stations().position(|known| known == name) {
            Some(place) => Ok(place as u32),
            None => {
                let all: Vec<_> = stations().collect();
                Err(lacks("station", name, all.iter().map(|name| name.as_ref())))
            }
        };
        let costs = |of: CostsOf| {
            if !model.has_costs() {
                return Err("nothing in the network has a cost: give stations, sinks or resources one".into());
            }
            Ok(outcomes.iter().map(|outcome| [model.cost_in(of, outcome), outcome.stations.measured()]).collect())
        };
        match (&self.whose, self.what) {
            (Whose::Network, What::Cost) => costs(CostsOf::Everything),
            (Whose::Station(name), What::Cost) => costs(CostsOf::Station(station(name)?)),
            (Whose::Sink(name), what) => {
                let known: Vec<&str> = (0..model.sinks()).map(|id| model.sink_name(id)).collect();
                let sink = place(known.into_iter(), "sink", name)?;
                match what {
                    What::Cost => costs(CostsOf::Sink(sink)),
                    What::TimeInNetwork => Ok(outcomes.iter().map(|outcome| stay(outcome, sink)).collect()),
                    _ => Ok(outcomes.iter().map(|outcome| left(outcome, sink)).collect()),
                }
            }
            (Whose::Resource(name), what) => {
                let resources = model.resources();
                let known: Vec<&str> = resources.iter().map(|(name, _)| *name).collect();
                let resource = place(known.into_iter(), "resource", name)?;
                match what {
                    What::Cost => costs(CostsOf::Resource(resource)),
                    _ => {
                        let units = f64::from(resources[resource as usize].1);
                        Ok(outcomes.iter().map(|outcome| held(outcome, resource, units)).collect())
                    }
                }
            }
            (whose, what) => {
                let (station, class) = match whose {
                    Whose::Station(name) => (Some(station(name)?), None),
                    Whose::Class(name, class) => {
                        let known = model.classes().iter().map(String::as_str);
                        (Some(station(name)?), Some(place(known, "class", class)?))
                    }
                    _ => (None, None),
                };
                if let What::Figure(figure) = what {
                    let ratio = ratios(model, station).values()[figure].copied();
                    let ratio = ratio.ok_or_else(|| lacks_figure(model, station, Figures::NAMES[figure]))?;
                    let sums = match (station, class) {
                        (Some(station), Some(class)) => Sums::of_class(model, station, class, outcomes),
                        (Some(station), None) => Sums::of_station(model, station, outcomes),
                        _ => Sums::of_network(model, outcomes),
                    };
                    return Ok(sums.iter().map(ratio).collect());
                }
                if model.classes().is_empty() {
                    return Err("nobody balks or reneges in a network without classes, disciplines or patience".into());
                }
                Ok(outcomes.iter().map(|outcome| gone(model, outcome, what, station, class)).collect())
            }
        }
    }
}

fn lacks<'a>(what: &str, name: &str, known: impl ExactSizeIterator<Item = &'a str> + Clone) -> String {
    format!("the network has no {what} '{name}': {}", names::known(name, known))
}

/// Why a station, or the network, has none of the figures that only some have, and what it has.
fn lacks_figure(model: &NetworkModel, station: Option<u32>, figure: &str) -> String {
    let whose = station.map_or("the network".into(), |id| format!("the station '{}'", model.station_name(id)));
    match figure {
        "mean_blocked_time" => {
            return format!("{whose} has no {figure}: no token that has been served waits there for room elsewhere");
        }
        "mean_joining_time" => return format!("{whose} has no {figure}: no siblings are joined there"),
        _ => {}
    }
    let Some(station) = station else {
        let is_plain = figure == "utilization";
        let needs =
            if is_plain { "no station has a fixed number of servers" } else { "only stations with shifts have one" };
        return format!("the network has no {figure}: {needs}; measure network.mean_busy");
    };
    let why = match (model.has_infinite_servers(station), model.has_shifts(station)) {
        (true, _) => "its servers are infinitely many; measure mean_busy",
        (_, true) => "its servers go by shifts; measure scheduled_utilization or mean_busy",
        (_, false) => "it has no shifts; measure utilization or mean_busy",
    };
    format!("{whose} has no {figure}: {why}")
}

fn place<'a>(known: impl ExactSizeIterator<Item = &'a str> + Clone, what: &str, name: &str) -> Result<u32, String> {
    let found = known.clone().position(|known| known == name);
    found.map(|place| place as u32).ok_or_else(|| lacks(what, name, known))
}

/// 2^-32 of a time unit.
const TICK: f64 = 1.0 / 4_294_967_296.0;

/// Tokens from sources that left at a sink, and the time that they were in the network.
fn stay(outcome: &NetworkOutcome, sink: u32) -> Pair {
    let sink = &outcome.sinks[sink as usize];
    [sink.sojourn as f64 * TICK, sink.from_sources as f64]
}

fn left(outcome: &NetworkOutcome, sink: u32) -> Pair {
    [outcome.sinks[sink as usize].tokens as f64, outcome.stations.measured()]
}

fn held(outcome: &NetworkOutcome, resource: u32, units: f64) -> Pair {
    [outcome.resources[resource as usize].held as f64 * TICK, outcome.stations.measured() * units]
}

/// Tokens that balked or reneged at a station, or at all, of one class or all, by those that came there.
fn gone(model: &NetworkModel, outcome: &NetworkOutcome, what: What, station: Option<u32>, class: Option<u32>) -> Pair {
    let count = model.classes().len();
    let records = outcome.classes.iter().enumerate().filter(|(place, _)| {
        station.is_none_or(|station| place / count == station as usize)
            && class.is_none_or(|class| place % count == class as usize)
    });
    records.fold([0.0, 0.0], |[gone, all], (_, record)| {
        let of = if what == What::Balking { record.balked } else { record.reneged };
        [gone + of as f64, all + record.record.arrivals as f64]
    })
}

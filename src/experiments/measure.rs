//! Measures: what is read off every replication of every point.

use toml::Spanned;

use super::error::{ExperimentError, at};
use super::keys::path_of;
use tickless_core::reading::names;
use tickless_queueing::figures::{CountOf, OF_PARTINGS, OF_RESOURCES, OF_SINKS, Sums, ratios};
use tickless_queueing::{ClassRecord, CostsOf, Figures, NetworkModel, NetworkOutcome};

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
    /// By its place among the figures of whose it is.
    Figure(usize),
    Cost,
}

impl Whose {
    /// The names of the figures that it may have.
    fn figures(&self) -> Vec<&'static str> {
        match self {
            Self::Sink(_) => OF_SINKS.map(|(name, _)| name).to_vec(),
            Self::Resource(_) => OF_RESOURCES.map(|(name, _)| name).to_vec(),
            _ => Figures::NAMES.into_iter().chain(OF_PARTINGS.map(|(name, _)| name)).collect(),
        }
    }
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
        let (whose, figure) = match words[..] {
            ["cost"] => (Whose::Network, "cost"),
            ["network", figure] => (Whose::Network, figure),
            ["station", name, figure] => (Whose::Station(name.into()), figure),
            ["station", name, "class", class, figure] => (Whose::Class(name.into(), class.into()), figure),
            ["sink", name, figure] => (Whose::Sink(name.into()), figure),
            ["resource", name, figure] => (Whose::Resource(name.into()), figure),
            _ => {
                return Err(format!(
                    "'{text}' is no measure; it may be cost, network.FIGURE, station.NAME.FIGURE, station.NAME.class.NAME.FIGURE, \
                     sink.NAME.FIGURE or resource.NAME.FIGURE"
                ));
            }
        };
        let mut known = whose.figures();
        let place = known.iter().position(|name| *name == figure);
        known.extend((!matches!(whose, Whose::Class(..))).then_some("cost"));
        let what = place.map(What::Figure).or((known.last() == Some(&figure)).then_some(What::Cost));
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
        matches!(self.what, What::Figure(place) if self.whose.figures()[place].ends_with("_probability"))
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
        let sink = |name: &str| {
            let known: Vec<&str> = (0..model.sinks()).map(|id| model.sink_name(id)).collect();
            place(known.into_iter(), "sink", name)
        };
        let resource = |name: &str| {
            let known: Vec<&str> = model.resources().iter().map(|(name, _)| *name).collect();
            place(known.into_iter(), "resource", name)
        };
        let What::Figure(figure) = self.what else {
            return costs(match &self.whose {
                Whose::Network | Whose::Class(..) => CostsOf::Everything,
                Whose::Station(name) => CostsOf::Station(station(name)?),
                Whose::Sink(name) => CostsOf::Sink(sink(name)?),
                Whose::Resource(name) => CostsOf::Resource(resource(name)?),
            });
        };
        let (station, class) = match &self.whose {
            Whose::Network => (None, None),
            Whose::Station(name) => (Some(station(name)?), None),
            Whose::Class(name, class) => {
                let known = model.classes().iter().map(String::as_str);
                (Some(station(name)?), Some(place(known, "class", class)?))
            }
            Whose::Sink(name) => {
                let (sink, ratio) = (sink(name)? as usize, OF_SINKS[figure].1);
                let of = |outcome: &NetworkOutcome| ratio(&outcome.sinks[sink], outcome.stations.measured());
                return Ok(outcomes.iter().map(of).collect());
            }
            Whose::Resource(name) => {
                let (resource, ratio) = (resource(name)? as usize, OF_RESOURCES[figure].1);
                let units = f64::from(model.resources()[resource].1);
                let of =
                    |outcome: &NetworkOutcome| ratio(&outcome.resources[resource], outcome.stations.measured() * units);
                return Ok(outcomes.iter().map(of).collect());
            }
        };
        if let Some(parting) = figure.checked_sub(Figures::NAMES.len()) {
            if model.classes().is_empty() {
                return Err("nobody balks or reneges in a network without classes, disciplines or patience".into());
            }
            let count = OF_PARTINGS[parting].1;
            return Ok(outcomes.iter().map(|outcome| gone(model, outcome, count, station, class)).collect());
        }
        let ratio = ratios(model, station).values()[figure].copied();
        let ratio = ratio.ok_or_else(|| lacks_figure(model, station, Figures::NAMES[figure]))?;
        let sums = match (station, class) {
            (Some(station), Some(class)) => Sums::of_class(model, station, class, outcomes),
            (Some(station), None) => Sums::of_station(model, station, outcomes),
            _ => Sums::of_network(model, outcomes),
        };
        Ok(sums.iter().map(ratio).collect())
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

/// Tokens that balked or reneged at a station, or at all, of one class or all, by those that came there.
fn gone(
    model: &NetworkModel,
    outcome: &NetworkOutcome,
    gone: CountOf<ClassRecord>,
    station: Option<u32>,
    class: Option<u32>,
) -> Pair {
    let count = model.classes().len();
    let records = outcome.classes.iter().enumerate().filter(|(place, _)| {
        station.is_none_or(|station| place / count == station as usize)
            && class.is_none_or(|class| place % count == class as usize)
    });
    records.fold([0.0, 0.0], |[sum, all], (_, record)| [sum + gone(record) as f64, all + record.record.arrivals as f64])
}

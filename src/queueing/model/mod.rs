//! The checked network, in ticks, which every backend runs.

mod attributes;
mod choice;
pub(crate) mod control;
mod fold;
mod further;
mod grid;
mod groups;
mod loads;
mod rules;
mod servers;
mod simple;
pub(crate) mod time_factors;

use std::borrow::Cow;
use std::ops::Range;

use super::describe::{Network, Station, Words};
use super::error::NetworkError;
use super::torus::Torus;
pub(crate) use attributes::{AttributeRules, MOST_ATTRIBUTES, Size, Values};
pub(crate) use choice::SourceChoice;
pub(crate) use fold::Fold;
pub(crate) use further::FurtherRules;
pub(crate) use grid::{step_of, times};
pub(crate) use groups::{BulkRules, ClassOfGroup, FACTOR_BITS, GroupRules};
pub(crate) use loads::Loads;
pub use rules::VisitRules;
pub(crate) use rules::{
    Edge, GoingOn, KitPart, Need, Preemption, ResourceRules, Rules, SourceRules, StationRules, WEIGHT, balks, rank,
};
use tickless_core::random::{EffectiveLaw, StreamKey};
use tickless_core::statistics::Scale;
use tickless_core::time::Time;

/// Something that a user should know of a network that can run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::NetworkWarning;
/// let warning = NetworkWarning::Unstable { station: "desk".into(), load: 1.25, at_most: false, others: 0 };
/// assert_eq!(warning.to_string(), "station 'desk' is offered 1.250 of what its servers can do: its queue grows without end");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkWarning {
    /// The offered load of a station with an unlimited queue is 1 or more.
    #[error(
        "station '{station}' is offered {}{load:.3} of what its servers can do: its queue {} without end{}{}",
        if *.at_most { "up to " } else { "" },
        if *.at_most { "may grow" } else { "grows" },
        match .others {
            0 => String::new(),
            1 => ", and so does that of one other".into(),
            n => format!(", and so do those of {n} others"),
        },
        if *.at_most { " (what is lost on the way, or there, is not taken off)" } else { "" }
    )]
    Unstable {
        /// The station with the largest load, of those with a load that is known where there is one.
        station: String,
        /// Its arrival rate times its mean service time, by its number of servers. In a network of one class a station before it that is
        /// offered more than it can serve passes on what it can serve.
        load: f64,
        /// Whether the load is an upper bound: tokens come to it through a station which may lose some: of limited capacity, or where tokens balk or renege.
        at_most: bool,
        /// How many others there are, whose loads may be upper bounds.
        others: u32,
    },
    /// Tokens come in and never leave.
    #[error("tokens come to station '{station}' from a source, and no route leads out of the network from there")]
    NoExit {
        /// The first such station.
        station: String,
    },
    /// A closed network that loses tokens.
    #[error(
        "the network is closed and station '{station}' has room for {capacity} of {tokens} tokens: what is lost is gone"
    )]
    ClosedWithLosses {
        /// The first such station.
        station: String,
        /// Its capacity.
        capacity: u32,
        /// All tokens.
        tokens: u32,
    },
}

/// A checked [`Source`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inflow {
    pub(crate) law: EffectiveLaw,
    pub(crate) target: u32,
    pub(crate) start: Time,
    pub(crate) limit: u64,
}

/// A checked [`Network`]: stations, edges in rows by their source, sources. The stations of a torus are all alike and their
/// edges are computed, so that its model takes no more memory than that of one station.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station};
/// let mut network = Network::new();
/// let first = network.station(Station::new("first", "exponential:10".parse()?));
/// let second = network.station(Station::new("second", "constant:3".parse()?));
/// network.route(first, second, 1.0, 0.5);
/// network.route(second, first, 1.0, 0.0);
/// let model = network.tokens(5).check()?;
/// assert_eq!(model.tokens(), 5);
/// // The least lookahead counts: half a unit of transit from the first station, three units of service.
/// assert_eq!(model.lookahead().units(), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkModel {
    pub(super) description: Network,
    /// The torus, where stations are all alike: the lists have only the first station.
    pub(super) torus: Option<Torus>,
    /// Of each station.
    pub(super) tokens: Vec<u32>,
    /// Their sum.
    pub(super) all_tokens: u32,
    /// The most tokens that there ever are; `None` where sources send more. In the share of a rank the number of the whole
    /// network.
    pub(super) most_tokens: Option<u32>,
    pub(super) inflows: Vec<Inflow>,
    pub(super) lookahead: Time,
    pub(super) approximate: Option<Time>,
    pub(super) until: Time,
    pub(super) warmup: Time,
    pub(super) warnings: Vec<NetworkWarning>,
    pub(super) loads: Loads,
    /// The stations whose distributions are recorded, in order.
    pub(super) observed: Vec<u32>,
    pub(super) scale: Option<Scale>,
    /// All targets, in order.
    pub(super) targets: Vec<Time>,
    /// The step of the grid of time at which the numbers present are noted.
    pub(super) series_step: Option<Time>,
    /// The bins by which figures are added up.
    pub(super) fold: Option<Fold>,
    /// Whether there are any costs, which is asked for each station of a report.
    pub(super) has_costs: bool,
    pub(super) rules: Rules,
}

impl NetworkModel {
    /// Classes, stations and routes as they are simulated. Where stations are all alike these are of the first alone.
    #[doc(hidden)]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same for a network with classes, disciplines and the like: its records are by class, too.
    pub(crate) fn rules_of_classes(&self) -> Option<&Rules> {
        Some(&self.rules).filter(|rules| !rules.plain)
    }

    #[doc(hidden)]
    pub fn rules_of(&self, station: u32) -> &StationRules {
        &self.rules.stations[self.place(station)]
    }

    /// A class at a station.
    #[doc(hidden)]
    #[inline]
    pub fn visit_of(&self, station: u32, class: u32) -> &VisitRules {
        &self.rules.visits[self.place(station) * self.rules.names.len() + class as usize]
    }

    /// The names of the classes; one without a name where the network lists none.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::{Class, Network, Station};
    /// let mut network = Network::new();
    /// network.class(Class::new("urgent"));
    /// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(1));
    /// network.route(desk, desk, 1.0, 0.0);
    /// assert_eq!(network.check()?.classes(), ["urgent"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(&self) -> &[String] {
        self.rules_of_classes().map_or(&[], |rules| &rules.names)
    }

    /// What results call a time unit and a token.
    pub fn words(&self) -> &Words {
        &self.description.words
    }

    /// The number of classes that the network names, which have records by class beside those of stations.
    pub fn named_classes(&self) -> u32 {
        self.description.classes.len() as u32
    }

    /// The names of the resources, with their units.
    pub fn resources(&self) -> Vec<(&str, u32)> {
        self.rules.resources.iter().map(|resource| (resource.name.as_str(), resource.units)).collect()
    }

    /// The mean number of units of a resource by its shifts between two times.
    pub(crate) fn mean_units(&self, resource: u32, from: Time, until: Time) -> f64 {
        self.rules.resources[resource as usize].mean_units(from, until)
    }

    /// Whether units of a resource are used up, and not held.
    #[doc(hidden)]
    pub fn is_stock(&self, resource: u32) -> bool {
        self.rules.resources[resource as usize].is_stock
    }

    /// What of classes, disciplines and the like a network has that has some of it, by the first key of it.
    pub(crate) fn first_key(&self) -> String {
        self.description.first_key().unwrap_or_default()
    }

    /// What the user wrote.
    pub fn description(&self) -> &Network {
        &self.description
    }

    /// The number of stations.
    pub fn stations(&self) -> u32 {
        self.torus.map_or(self.rules.stations.len() as u32, Torus::stations)
    }

    /// The torus that the stations lie on, where their edges are computed.
    #[doc(hidden)]
    pub fn torus(&self) -> Option<Torus> {
        self.torus
    }

    /// The same model with every station and every edge in lists.
    ///
    /// # Errors
    /// [`NetworkError::Memory`]; [`NetworkError::Unreachable`] for a torus without tokens.
    pub(crate) fn in_lists(&self) -> Result<Cow<'_, Self>, Box<NetworkError>> {
        if self.torus.is_none() {
            return Ok(Cow::Borrowed(self));
        }
        let listed = self.description.clone().listed().and_then(Network::check);
        // A run that resumes counts from its beginning.
        listed.map(|listed| Cow::Owned(Self { warmup: self.warmup, ..listed })).map_err(Box::new)
    }

    /// The place of a station in the lists.
    fn place(&self, station: u32) -> usize {
        if self.torus.is_some() { 0 } else { station as usize }
    }

    pub(super) fn described(&self, station: u32) -> &Station {
        &self.description.stations[self.place(station)]
    }

    /// The number of classes; 1 where there are none.
    pub(crate) fn class_count(&self) -> u32 {
        self.rules.classes()
    }

    /// The places where visits are counted: each station, or each class at it.
    pub(crate) fn places(&self) -> u32 {
        self.stations() * self.class_count()
    }

    /// The tokens at a place at time 0.
    pub(crate) fn tokens_in(&self, place: u32) -> u32 {
        if self.torus.is_some() { self.tokens_at(place) } else { self.rules.visits[place as usize].tokens }
    }

    /// The class of the tokens of a source.
    pub(crate) fn class_of_source(&self, source: u32) -> u32 {
        self.rules.source_classes[source as usize]
    }

    /// The edges, station by station and class by class.
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.rules.edges
    }

    /// The edges of a station.
    #[inline]
    pub(crate) fn row_of(&self, station: u32) -> Range<u32> {
        let classes = self.rules.classes();
        let [first, last] = [station * classes, (station + 1) * classes - 1];
        self.rules.visits[first as usize].first..self.rules.visits[last as usize].end
    }

    /// The number of the edge that a draw takes from a plain station.
    pub(crate) fn edge_of(&self, station: u32, draw: u32) -> u32 {
        self.row_of(station).start + self.row(station).partition_point(|edge| edge.upper < draw) as u32
    }

    /// The edges of a station.
    pub(crate) fn row(&self, station: u32) -> &[Edge] {
        let Range { start, end } = self.row_of(station);
        &self.rules.edges[start as usize..end as usize]
    }

    /// The number of sources.
    pub fn sources(&self) -> u32 {
        self.inflows.len() as u32
    }

    /// The number of sinks.
    pub fn sinks(&self) -> u32 {
        self.description.sinks.len() as u32
    }

    /// The name of a station.
    pub fn station_name(&self, station: u32) -> Cow<'_, str> {
        let name = &self.described(station).name;
        if self.torus.is_some() { format!("{name}{station}").into() } else { name.into() }
    }

    /// The station with a name, by its place, if there is one: [`Figures::of_station`](crate::Figures::of_station) gives its figures.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Figures, Network, Station}, run::unwatched};
    /// let mut network = Network::new();
    /// let [till, shop] = [("till", "constant:1"), ("shop", "constant:3")]
    ///     .map(|(name, law)| network.station(Station::new(name, law.parse().unwrap()).tokens(1)));
    /// network.route(till, shop, 1.0, 0.0);
    /// network.route(shop, till, 1.0, 0.0);
    /// let model = network.check()?;
    /// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// let till = model.station_named("till").ok_or("no till")?;
    /// assert!((Figures::of_station(&model, till, &run.outcome).mean_busy.mean - 1.0 / 3.0).abs() < 0.01);
    /// assert_eq!(model.station_named("tills"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn station_named(&self, name: &str) -> Option<u32> {
        if self.torus.is_some() {
            let number = name.strip_prefix(&self.described(0).name)?.parse().ok()?;
            return Some(number).filter(|&number| number < self.stations() && self.station_name(number) == name);
        }
        (0..self.stations()).find(|&station| self.described(station).name == name)
    }

    /// The name of a sink.
    pub fn sink_name(&self, sink: u32) -> &str {
        &self.description.sinks[sink as usize].name
    }

    /// The name of a source.
    pub fn source_name(&self, source: u32) -> &str {
        &self.description.sources[source as usize].name
    }

    /// The servers of a station, the most of its shifts; 1 where there are infinitely many.
    pub fn servers(&self, station: u32) -> u32 {
        self.described(station).servers
    }

    /// The number of times of its visits for which an observed station has histograms.
    #[doc(hidden)]
    pub fn recorded_times(&self, station: u32) -> u32 {
        let rules = self.rules_of(station);
        2 + u32::from(rules.holds) + u32::from(rules.gathers())
    }

    /// Stations with a shifted law.
    #[doc(hidden)]
    pub fn shifted(&self) -> u32 {
        let listed = self.rules.stations.len() as u32;
        let shifted = (0..listed).filter(|station| self.shift(*station).is_some()).count() as u32;
        if self.torus.is_some() { shifted * self.stations() } else { shifted }
    }

    /// The room of a station for tokens; `u32::MAX` without a limit.
    pub fn capacity(&self, station: u32) -> u32 {
        self.described(station).capacity.unwrap_or(u32::MAX)
    }

    /// The law of a station's service times for tokens of the first class.
    #[inline]
    pub fn law(&self, station: u32) -> &EffectiveLaw {
        &self.visit_of(station, 0).law
    }

    /// The d of a station's shifted law in time units, or `None` where the law is the user's own.
    pub fn shift(&self, station: u32) -> Option<f64> {
        let classes = self.rules.names.len();
        self.rules.visits[self.place(station) * classes..].iter().take(classes).find_map(|visit| visit.shift)
    }

    /// The tokens of a station at time 0.
    pub fn tokens_at(&self, station: u32) -> u32 {
        self.tokens[self.place(station)]
    }

    /// All tokens at time 0.
    pub fn tokens(&self) -> u32 {
        self.all_tokens
    }

    /// The least time between the start of a service and the arrival of its token at a station: 0 where there is none, and
    /// [`Time::NEVER`] where every token leaves the network after its first service. In approximate time it is the interval.
    pub fn lookahead(&self) -> Time {
        self.lookahead
    }

    /// The interval of approximate time, or `None` where time is exact (see [`Network::approximate`]).
    pub fn approximate(&self) -> Option<Time> {
        self.approximate
    }

    /// The horizon.
    pub fn until(&self) -> Time {
        self.until
    }

    /// Where the counting begins.
    pub fn warmup(&self) -> Time {
        self.warmup
    }

    /// Whether the horizon is the system's own end: see [`Network::terminating`](crate::Network::terminating).
    pub fn is_terminating(&self) -> bool {
        self.description.terminating
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.description.seed
    }

    /// The user's window, in time units; `None` without a window.
    pub fn window(&self) -> Option<f64> {
        self.description.window
    }

    /// The most events (ends of services and tokens from sources) of one replication in a time unit, in the mean: every
    /// server at work, or every token.
    pub fn events_per_unit(&self) -> f64 {
        let timed = || self.description.stations.iter().filter(|station| !station.takes_no_time());
        let services = || timed().map(|station| (station.servers, station.service.mean()));
        let alike = f64::from(self.torus.map_or(1, Torus::stations));
        let served = alike * services().map(|(servers, mean)| f64::from(servers) / mean).sum::<f64>();
        if self.sources() == 0 {
            let shortest = services().map(|(_, mean)| mean).fold(f64::INFINITY, f64::min);
            return served.min(f64::from(self.tokens()) / shortest);
        }
        served + self.description.sources.iter().map(|source| 1.0 / source.interval.mean()).sum::<f64>()
    }

    /// The mean service time of a station, averaged over the stations, in time units.
    pub(super) fn mean_service_time(&self) -> f64 {
        let stations = &self.description.stations;
        stations.iter().map(|station| station.service.mean()).sum::<f64>() / stations.len() as f64
    }

    /// The key from which every station and, behind the stations, every source of a replication gets its stream.
    pub fn key(&self, replication: u32) -> StreamKey {
        StreamKey::new(self.description.seed, replication.into())
    }

    /// The stations whose distributions are recorded, in order.
    pub fn observed(&self) -> &[u32] {
        &self.observed
    }

    /// The bins of recorded times, or `None` where no distribution is recorded (see [`Network::distributions`]): they reach
    /// to the horizon, and the finest are 1/512 to 1/256 of the shortest mean service time.
    pub fn scale(&self) -> Option<Scale> {
        self.scale
    }

    /// Warnings for the user before the run.
    pub fn warnings(&self) -> &[NetworkWarning] {
        &self.warnings
    }

    pub(crate) fn inflow(&self, source: u32) -> &Inflow {
        &self.inflows[source as usize]
    }
}

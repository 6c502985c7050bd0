//! The figures of a station or of a whole network, over one replication or several.

#[cfg(feature = "files")]
use schemars::JsonSchema;
use serde::Serialize;

use super::{NetworkModel, NetworkOutcome};
use tickless_core::statistics::{Estimate, Totals};
use tickless_core::time::Time;

/// Means over the measured time, of one station or of all together. Times are in time units. With `T = Estimate` each has its
/// interval:
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Figures, Network, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(2000.0);
/// let desk = network.station(Station::new("desk", "exponential:0.5".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "exponential:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..20, Target::Heap, Default::default(), &mut unwatched())?;
/// let wait = Figures::of_station(&model, desk.index(), &run.outcome).mean_waiting_time;
/// // Pollaczek and Khinchine: 0.5.
/// assert!((wait.mean - 0.5).abs() < 3.0 * wait.half_width.expect("there are 20 replications"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "files", derive(JsonSchema))]
pub struct Figures<T = f64> {
    /// Busy time by servers and measured time; of infinite servers the mean number that serve.
    pub utilization: T,
    /// Services that ended, a time unit.
    pub throughput: T,
    /// Tokens at the station, or in the whole network, in the mean over time.
    pub mean_present: T,
    /// From the arrival of a token to the start of its service, of those that started.
    pub mean_waiting_time: T,
    /// Of the services that started.
    pub mean_service_time: T,
    /// Waiting and service.
    pub mean_system_time: T,
    /// Tokens that found no room, by those that arrived.
    pub loss_probability: T,
}

impl<T> Figures<T> {
    #[doc(hidden)]
    pub fn map<U>(&self, change: impl Fn(&T) -> U) -> Figures<U> {
        Figures {
            utilization: change(&self.utilization),
            throughput: change(&self.throughput),
            mean_present: change(&self.mean_present),
            mean_waiting_time: change(&self.mean_waiting_time),
            mean_service_time: change(&self.mean_service_time),
            mean_system_time: change(&self.mean_system_time),
            loss_probability: change(&self.loss_probability),
        }
    }
}

impl Figures<Estimate> {
    /// Of one station, by its place, over the replications: each is the ratio of what they add up to, with Student's 95 %
    /// interval where there are several ([`Estimate::ratio`]). One in which no service started says nothing of waiting,
    /// service and system times, nor one without an arrival of losses: these figures rest on the others
    /// ([`Estimate::count`]).
    ///
    /// # Panics
    /// Where the model has no such station, or an outcome no records ([`tickless_core::statistics::Outcome::added_up`]).
    pub fn of_station(model: &NetworkModel, station: u32, outcomes: &[NetworkOutcome]) -> Self {
        let sums = Sums::of_station(model, station, outcomes);
        RATIOS.map(|ratio| estimate(&sums, *ratio))
    }

    /// Of one class at one station, where the network has classes, disciplines or patience. Utilization is the share of the
    /// station's servers that serve this class.
    ///
    /// # Panics
    /// Where the model has no such station or class.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Class, ClassOfStation, Figures, Network, Station}, run::unwatched};
    /// let mut network = Network::new();
    /// let [even, odd] = ["even", "odd"].map(|name| network.class(Class::new(name)));
    /// let station = Station::new("desk", "constant:1".parse()?);
    /// let desk = network.station(station.class(ClassOfStation::new(even).tokens(1)).class(ClassOfStation::new(odd).tokens(1)));
    /// network.route(desk, desk, 1.0, 0.0);
    /// let model = network.check()?;
    /// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// let figures = Figures::of_class(&model, desk.index(), odd.index(), &run.outcome);
    /// assert_eq!((figures.utilization.mean, figures.mean_present.mean), (0.5, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_class(model: &NetworkModel, station: u32, class: u32, outcomes: &[NetworkOutcome]) -> Self {
        let sums = Sums::of_class(model, station, class, outcomes);
        RATIOS.map(|ratio| estimate(&sums, *ratio))
    }

    /// Of all stations together; the number present is that of the whole network.
    pub fn of_network(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Self {
        let sums = Sums::of_network(model, outcomes);
        RATIOS.map(|ratio| estimate(&sums, *ratio))
    }
}

/// What records of one replication add up to.
#[derive(Default)]
pub struct Sums {
    measured: f64,
    servers: f64,
    busy: f64,
    waiting: f64,
    service: f64,
    presence: f64,
    arrivals: f64,
    starts: f64,
    completions: f64,
    losses: f64,
}

/// What a figure is the ratio of.
pub type Ratio = fn(&Sums) -> [f64; 2];

pub const RATIOS: Figures<Ratio> = Figures {
    utilization: |sums| [sums.busy, sums.measured * sums.servers],
    throughput: |sums| [sums.completions, sums.measured],
    mean_present: |sums| [sums.presence, sums.measured],
    mean_waiting_time: |sums| [sums.waiting, sums.starts],
    mean_service_time: |sums| [sums.service, sums.starts],
    mean_system_time: |sums| [sums.waiting + sums.service, sums.starts],
    loss_probability: |sums| [sums.losses, sums.arrivals],
};

impl Sums {
    /// Of stations with so many servers together in one replication.
    fn of(servers: f64, totals: &Totals, measured: f64) -> Self {
        Self {
            measured,
            servers,
            busy: Time::sum_in_units(totals.busy),
            waiting: Time::sum_in_units(totals.waiting),
            service: Time::sum_in_units(totals.service),
            presence: Time::sum_in_units(totals.presence),
            arrivals: totals.arrivals as f64,
            starts: totals.starts as f64,
            completions: totals.completions as f64,
            losses: totals.losses as f64,
        }
    }

    /// Of one station in each replication.
    #[doc(hidden)]
    pub fn of_station(model: &NetworkModel, station: u32, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let of = |NetworkOutcome { stations, .. }: &NetworkOutcome| {
            let servers = model.servers_between(station, stations.from, stations.until);
            Self::of(servers, &Totals::of(&stations.facilities[station as usize]), stations.measured())
        };
        outcomes.iter().map(of).collect()
    }

    /// Of one class at one station in each replication.
    #[doc(hidden)]
    pub fn of_class(model: &NetworkModel, station: u32, class: u32, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let place = station as usize * model.classes().len() + class as usize;
        let of = |NetworkOutcome { stations, classes, .. }: &NetworkOutcome| {
            let servers = model.servers_between(station, stations.from, stations.until);
            Self::of(servers, &Totals::of(&classes[place].record), stations.measured())
        };
        outcomes.iter().map(of).collect()
    }

    /// Of all stations together in each replication.
    #[doc(hidden)]
    pub fn of_network(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let of = |NetworkOutcome { stations, .. }: &NetworkOutcome| {
            let servers = match model.rules() {
                None => model.all_servers() as f64,
                Some(_) => {
                    let of_station = |id| model.servers_between(id, stations.from, stations.until);
                    (0..model.stations()).map(of_station).sum()
                }
            };
            Self::of(servers, &stations.totals(), stations.measured())
        };
        outcomes.iter().map(of).collect()
    }
}

/// A figure over replications.
pub fn estimate(replications: &[Sums], ratio: Ratio) -> Estimate {
    Estimate::ratio(replications.iter().map(ratio))
}

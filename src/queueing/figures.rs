//! The figures of a station or of a whole network, over one replication or several.

#[cfg(feature = "files")]
use schemars::JsonSchema;
use serde::Serialize;

use super::{ClassRecord, NetworkModel, NetworkOutcome, ResourceRecord, SinkRecord};
use tickless_core::statistics::{Estimate, FacilityRecord, Outcome, Totals};
use tickless_core::time::Time;

/// Declares the figures that a station, a class there and the network have: each by its kind, its name and what it means. All of them have
/// the figures that are `given`, some have the `optional` ones. Results, CSV files, experiments and their limits have them from here; what each
/// is the ratio of stands in [`RATIOS`], and who has the optional ones in [`ratios`].
macro_rules! figures {
    ($($(#[$doc:meta])* $kind:ident $name:ident: $value:ty;)+) => {
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
            $($(#[$doc])* pub $name: $value,)+
        }

        impl Figures<()> {
            /// The names of all.
            #[doc(hidden)]
            pub const NAMES: [&'static str; FIGURES] = [$(stringify!($name)),+];
            /// Those of their half widths in a CSV file.
            #[doc(hidden)]
            pub const HALF_WIDTHS: [&'static str; FIGURES] = [$(concat!(stringify!($name), "_half_width")),+];
        }

        impl<T> Figures<T> {
            #[doc(hidden)]
            pub fn map<U>(&self, change: impl Fn(&T) -> U) -> Figures<U> {
                Figures { $($name: figures!(@map $kind self.$name, change),)+ }
            }

            /// All of them, in the order of their names.
            #[doc(hidden)]
            pub fn values(&self) -> [Option<&T>; FIGURES] {
                [$(figures!(@value $kind self.$name)),+]
            }
        }

        /// How many there are.
        const FIGURES: usize = [$(stringify!($name)),+].len();
    };
    (@map given $value:expr, $change:ident) => { $change(&$value) };
    (@map optional $value:expr, $change:ident) => { $value.as_ref().map(&$change) };
    (@value given $value:expr) => { Some(&$value) };
    (@value optional $value:expr) => { $value.as_ref() };
}

figures! {
    /// Servers that are busy, in the mean over time.
    given mean_busy: T;
    /// The share of the servers that are busy, from 0 to 1; `null` where they are infinitely many or go by shifts. That of the network is
    /// of the stations that have one.
    optional utilization: Option<T>;
    /// Of shifts, busy time by time on duty, above 1 where services end after their shift; `null` elsewhere, and of the network.
    optional scheduled_utilization: Option<T>;
    /// Services that ended, a time unit.
    given throughput: T;
    /// Tokens at the station, or in the whole network, in the mean over time.
    given mean_present: T;
    /// From the arrival of a token to the start of its service, of those that started.
    given mean_waiting_time: T;
    /// Of the services that started.
    given mean_service_time: T;
    /// From the end of a service until there is room where its token goes, of the services that ended; `null` where no token holds a
    /// server so. Time in a server before or amid a service, where room is asked for before the service, is waiting time.
    optional mean_blocked_time: Option<T>;
    /// How long a token waits for its siblings, in the mean of all of them; `null` where siblings are not joined.
    optional mean_joining_time: Option<T>;
    /// From the arrival of a token until it leaves: waiting, service, blocked and joining.
    given mean_system_time: T;
    /// Tokens that found no room, by those that arrived.
    given loss_probability: T;
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
        ratios(model, Some(station)).map(|ratio| estimate(&sums, *ratio))
    }

    /// Of one class at one station, where the network has classes, disciplines or patience. Busy servers are those that serve this
    /// class.
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
    /// assert_eq!((figures.mean_busy.mean, figures.mean_present.mean), (0.5, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_class(model: &NetworkModel, station: u32, class: u32, outcomes: &[NetworkOutcome]) -> Self {
        let sums = Sums::of_class(model, station, class, outcomes);
        ratios(model, Some(station)).map(|ratio| estimate(&sums, *ratio))
    }

    /// Of all stations together; the number present is that of the whole network.
    pub fn of_network(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Self {
        let sums = Sums::of_network(model, outcomes);
        ratios(model, None).map(|ratio| estimate(&sums, *ratio))
    }
}

/// What records of one replication add up to.
#[derive(Default)]
pub struct Sums {
    measured: f64,
    busy: f64,
    /// Of the stations with a fixed number of servers.
    shared: Share,
    /// Of a station whose servers go by shifts.
    scheduled: Share,
    waiting: f64,
    service: f64,
    presence: f64,
    arrivals: f64,
    blocked: f64,
    joining: f64,
    joins: f64,
    joined: f64,
    starts: f64,
    completions: f64,
    losses: f64,
}

/// Busy time, and the time of the servers of which it is a share.
type Share = [f64; 2];

/// What a figure is the ratio of.
pub type Ratio = fn(&Sums) -> [f64; 2];

/// Of every figure that there may be.
pub const RATIOS: Figures<Ratio> = Figures {
    mean_busy: |sums| [sums.busy, sums.measured],
    utilization: Some(|sums| sums.shared),
    scheduled_utilization: Some(|sums| sums.scheduled),
    throughput: |sums| [sums.completions, sums.measured],
    mean_present: |sums| [sums.presence, sums.measured],
    mean_waiting_time: |sums| [sums.waiting, sums.starts],
    mean_service_time: |sums| [sums.service, sums.starts],
    mean_blocked_time: Some(|sums| [sums.blocked, sums.completions]),
    mean_joining_time: Some(|sums| [sums.joining, sums.joins]),
    mean_system_time: |sums| [sums.waiting + sums.service + sums.blocked + sums.joining, sums.starts + sums.joined],
    loss_probability: |sums| [sums.losses, sums.arrivals],
};

/// Of the figures that a station has, or the network as a whole.
#[doc(hidden)]
pub fn ratios(model: &NetworkModel, station: Option<u32>) -> Figures<Ratio> {
    let has = |what: fn(&NetworkModel, u32) -> bool| match station {
        Some(station) => what(model, station),
        None => (0..model.stations()).any(|id| what(model, id)),
    };
    let has_share = has(NetworkModel::has_fixed_servers);
    let has_blocked = has(|model, id| model.rules_of(id).holds);
    let has_joins = has(|model, id| model.rules_of(id).joins);
    let has_shifts = station.is_some_and(|station| model.has_shifts(station));
    Figures {
        utilization: RATIOS.utilization.filter(|_| has_share),
        scheduled_utilization: RATIOS.scheduled_utilization.filter(|_| has_shifts),
        mean_blocked_time: RATIOS.mean_blocked_time.filter(|_| has_blocked),
        mean_joining_time: RATIOS.mean_joining_time.filter(|_| has_joins),
        ..RATIOS
    }
}

impl Sums {
    /// Of what records of one replication add up to.
    fn of(totals: &Totals, measured: f64) -> Self {
        Self {
            measured,
            busy: Time::sum_in_units(totals.busy),
            shared: [0.0; 2],
            scheduled: [0.0; 2],
            waiting: Time::sum_in_units(totals.waiting),
            service: Time::sum_in_units(totals.service),
            presence: Time::sum_in_units(totals.presence),
            arrivals: totals.arrivals as f64,
            starts: totals.starts as f64,
            completions: totals.completions as f64,
            losses: totals.losses as f64,
            blocked: 0.0,
            joining: 0.0,
            joins: 0.0,
            joined: 0.0,
        }
    }

    /// With what classes did beside that.
    fn with(self, classes: &[ClassRecord]) -> Self {
        let time = |of: fn(&ClassRecord) -> u128| Time::sum_in_units(classes.iter().map(of).sum());
        let count = |of: fn(&ClassRecord) -> u64| classes.iter().map(of).sum::<u64>() as f64;
        Self {
            blocked: time(ClassRecord::blocked_after),
            joining: time(|class| class.joining),
            joins: count(|class| class.joins),
            joined: count(|class| class.joined),
            ..self
        }
    }

    /// Of a record of one station.
    fn of_record(model: &NetworkModel, station: u32, record: &FacilityRecord, outcome: &Outcome) -> Self {
        let sums = Self::of(&Totals::of(record), outcome.measured());
        let shared = [sums.busy, sums.measured * model.servers_between(station, outcome.from, outcome.until)];
        match (model.has_infinite_servers(station), model.has_shifts(station)) {
            (true, _) => sums,
            (_, true) => Self { scheduled: shared, ..sums },
            (_, false) => Self { shared, ..sums },
        }
    }

    /// Of one station in each replication.
    #[doc(hidden)]
    pub fn of_station(model: &NetworkModel, station: u32, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let count = model.classes().len();
        let of = |NetworkOutcome { stations, classes, .. }: &NetworkOutcome| {
            let of_station = classes.get(station as usize * count..(station as usize + 1) * count).unwrap_or_default();
            Self::of_record(model, station, &stations.facilities[station as usize], stations).with(of_station)
        };
        outcomes.iter().map(of).collect()
    }

    /// Of one class at one station in each replication.
    #[doc(hidden)]
    pub fn of_class(model: &NetworkModel, station: u32, class: u32, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let place = station as usize * model.classes().len() + class as usize;
        let of = |NetworkOutcome { stations, classes, .. }: &NetworkOutcome| {
            Self::of_record(model, station, &classes[place].record, stations).with(&classes[place..=place])
        };
        outcomes.iter().map(of).collect()
    }

    /// Of all stations together in each replication.
    #[doc(hidden)]
    pub fn of_network(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let others: Vec<u32> = (0..model.stations()).filter(|id| !model.has_fixed_servers(*id)).collect();
        let servers = model.all_servers() - others.iter().map(|id| u64::from(model.servers(*id))).sum::<u64>();
        let of = |NetworkOutcome { stations, classes, .. }: &NetworkOutcome| {
            let totals = stations.totals();
            let elsewhere = others.iter().map(|id| stations.facilities[*id as usize].busy);
            let busy = totals.busy - elsewhere.sum::<u128>();
            let sums = Self::of(&totals, stations.measured()).with(classes);
            Self { shared: [Time::sum_in_units(busy), sums.measured * servers as f64], ..sums }
        };
        outcomes.iter().map(of).collect()
    }
}

/// How long the visits to a station, or of a class there, have lasted in each replication, and how many they are.
#[doc(hidden)]
pub fn stays(sums: &[Sums]) -> impl Iterator<Item = [f64; 2]> + '_ {
    sums.iter().map(RATIOS.mean_system_time)
}

/// A figure over replications.
pub fn estimate(replications: &[Sums], ratio: Ratio) -> Estimate {
    Estimate::ratio(replications.iter().map(ratio))
}

/// What a figure of a record is the ratio of, in one replication; the number is the time that was measured.
pub type RatioOf<R> = fn(&R, f64) -> [f64; 2];

/// The figures of sinks, by their names.
#[doc(hidden)]
pub const OF_SINKS: [(&str, RatioOf<SinkRecord>); 2] = [
    // Tokens that leave, a time unit.
    ("throughput", |sink, measured| [sink.tokens as f64, measured]),
    // Of the tokens from sources.
    ("mean_time_in_network", |sink, _| [Time::sum_in_units(sink.sojourn), sink.from_sources as f64]),
];

/// Those of resources; the time is that of all units together.
#[doc(hidden)]
pub const OF_RESOURCES: [(&str, RatioOf<ResourceRecord>); 1] = [
    // The share of the units that tokens held.
    ("utilization", |resource, measured| [Time::sum_in_units(resource.held), measured]),
];

/// What a record counts in one replication.
pub type CountOf<R> = fn(&R) -> u64;

/// Those of tokens that go without service, in networks with classes, disciplines or patience: how many of those that arrive.
#[doc(hidden)]
pub const OF_PARTINGS: [(&str, CountOf<ClassRecord>); 2] =
    [("balking_probability", |class| class.balked), ("reneging_probability", |class| class.reneged)];

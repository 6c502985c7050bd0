//! The figures of a network, its stations, classes, sinks and resources, each declared once: what it is called, what it means, who has it and
//! what of the sums of a replication it is.

mod folded;
mod lacks;
mod sums;
mod targets;

use rayon::prelude::*;
#[cfg(feature = "files")]
use schemars::JsonSchema;
use serde::Serialize;

use super::{NetworkModel, NetworkOutcome};
use crate::describe::Words;
pub use folded::FoldedFigures;
use lacks::*;
pub use sums::Sums;
use sums::units;
pub use targets::{Lasting, Within};
use tickless_core::statistics::Estimate;

/// Replications whose figures take long enough to be computed side by side.
const MANY: usize = 1 << 10;

/// The owner of figures, by places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Of all stations together, and of what is between them.
    Network,
    Station(u32),
    Class {
        station: u32,
        class: u32,
    },
    Sink(u32),
    ClassAtSink {
        sink: u32,
        class: u32,
    },
    Source(u32),
    Resource(u32),
    /// A group of servers, by its number in [`NetworkModel::groups`].
    Group(u32),
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How many, in the mean over time.
    Number,
    /// A share of time, from 0 to 1.
    Share,
    /// A share of tokens to which something happens.
    Probability,
    /// How many a time unit.
    Rate,
    Time,
}

impl Unit {
    /// What stands at the axis of a picture, in the words of a network.
    pub fn words(self, words: &Words) -> String {
        match self {
            Self::Number => "number".into(),
            Self::Share => "share of time".into(),
            Self::Probability => format!("share of {}", words.tokens()),
            Self::Rate => format!("per {}", words.time_unit()),
            Self::Time => words.time_units().into(),
        }
    }
}

/// A table or a list of the printed result, or a picture of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    Network,
    Stations,
    Classes,
    /// A bar for each station.
    Bars,
}

/// The numerator and the denominator of a figure, in each replication.
pub type Ratio = fn(&Sums) -> [f64; 2];

/// A figure over replications: the ratio of the sums of two numbers.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Its name in results, files and measures.
    pub key: &'static str,
    /// The name of its half width in a file.
    pub half_width: &'static str,
    /// What the printed result calls it.
    pub label: &'static str,
    pub unit: Unit,
    pub ratio: Ratio,
    /// Where it is printed.
    pub printed: &'static [Printed],
    /// Why an owner lacks it.
    lacks: fn(&NetworkModel, Whose) -> Option<&'static str>,
}

impl Figure {
    const fn new(label: &'static str, unit: Unit, printed: &'static [Printed], ratio: Ratio) -> Self {
        Self { key: "", half_width: "", label, unit, ratio, printed, lacks: |_, _| None }
    }

    const fn named(self, key: &'static str, half_width: &'static str) -> Self {
        Self { key, half_width, ..self }
    }

    /// Not every owner has it.
    const fn unless(self, lacks: fn(&NetworkModel, Whose) -> Option<&'static str>) -> Self {
        Self { lacks, ..self }
    }

    /// Over replications, by their sums.
    pub fn over(&self, replications: &[Sums]) -> Estimate {
        Estimate::ratio(replications.iter().map(self.ratio))
    }

    /// Why the owner lacks such a figure; `None` where it has the figure.
    pub fn lacks(&self, model: &NetworkModel, whose: Whose) -> Option<&'static str> {
        (self.lacks)(model, whose)
    }
}

/// Declares the figures of a station, of a class there and of the network, each by its name, its meaning and its [`Figure`]. Every owner
/// has the `given` figures; [`Figure::unless`] says which owners have an `optional` one; and a `found` figure exists where a replication
/// has a value of it.
macro_rules! figures {
    ($($(#[$doc:meta])* $kind:ident $name:ident: $value:ty = $figure:expr;)+) => {
        /// Figures of the measured time, of one station or of all together.
        ///
        /// Times are in time units. With `T = Estimate` each has its interval:
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

        impl Figures<Figure> {
            /// All figures.
            #[doc(hidden)]
            pub const ALL: Self = Self {
                $($name: figures!(@all $kind $figure.named(stringify!($name), concat!(stringify!($name), "_half_width"))),)+
            };

            /// The figures that an owner has.
            #[doc(hidden)]
            pub fn of(model: &NetworkModel, whose: Whose) -> Self {
                Self { $($name: figures!(@of $kind Self::ALL.$name, (model, whose)),)+ }
            }
        }

        impl Figures<Estimate> {
            /// The figures that an owner has, over replications.
            #[doc(hidden)]
            pub fn over(model: &NetworkModel, whose: Whose, sums: &[Sums]) -> Self {
                let all = Figures::of(model, whose);
                // Each is added up in the order of the replications: so it has the same bits wherever it is computed.
                let each = if sums.len() < MANY { FIGURES } else { 1 };
                let figures = all.values().into_par_iter().with_min_len(each);
                let estimates: Vec<_> = figures.map(|figure| figure.map(|one| one.over(sums))).collect();
                let mut estimates = estimates.into_iter();
                let mut next = || estimates.next().flatten();
                Self { $($name: figures!(@over $kind next(), (all.$name, sums)),)+ }
            }
        }

        /// How many there are.
        const FIGURES: usize = [$(stringify!($name)),+].len();
    };
    (@map given $value:expr, $change:ident) => { $change(&$value) };
    (@map $kind:ident $value:expr, $change:ident) => { $value.as_ref().map(&$change) };
    (@value given $value:expr) => { Some(&$value) };
    (@value $kind:ident $value:expr) => { $value.as_ref() };
    (@all given $figure:expr) => { $figure };
    (@all $kind:ident $figure:expr) => { Some($figure) };
    (@of optional $figure:expr, ($model:ident, $whose:ident)) => { $figure.filter(|one| one.lacks($model, $whose).is_none()) };
    (@of $kind:ident $figure:expr, $of:tt) => { $figure };
    (@over given $estimate:expr, ($figure:expr, $sums:ident)) => { $estimate.unwrap_or_else(|| $figure.over($sums)) };
    (@over optional $estimate:expr, $of:tt) => { $estimate };
    (@over found $estimate:expr, $of:tt) => { $estimate.filter(|found| found.count > 0) };
}

use Printed::{Bars, Classes, Network, Stations};

figures! {
    /// Servers that are busy, in the mean over time; where a server serves several tokens at once, tokens in service.
    given mean_busy: T =
        Figure::new("busy", Unit::Number, &[Stations, Network], |sums| [units(sums.tokens.record.busy), sums.measured]);
    /// The share of the servers that are busy, from 0 to 1; `null` where they are infinitely many or go by shifts. That of the network is
    /// of the stations that have one.
    optional utilization: Option<T> =
        Figure::new("utilization", Unit::Share, &[Stations, Network, Bars], |sums| sums.shared.busy()).unless(no_share);
    /// The share of the servers' time in which they hold a token that is not served, as it cannot leave or its service waits for room; `null`
    /// where no token holds a server so, where tokens share the servers, and as `utilization`.
    optional blocked_share: Option<T> =
        Figure::new("blocked share", Unit::Share, &[Stations, Network], |sums| sums.shared.blocked()).unless(no_blocked_servers);
    /// The share of the servers' time in which they are out of order and hold no token; `null` where no server fails, of classes, and as
    /// `utilization`.
    optional down_share: Option<T> =
        Figure::new("down share", Unit::Share, &[Stations, Network], |sums| sums.shared.down()).unless(no_failures);
    /// The share of the servers' time in which they set up; `null` where no server sets up, of classes, and as `utilization`.
    optional setup_share: Option<T> =
        Figure::new("set-up share", Unit::Share, &[Stations, Network], |sums| sums.shared.set_up()).unless(no_setups);
    /// The share of the servers' time in which they are away, on vacation or on standby; `null` where no server goes away, of classes, and as `utilization`.
    optional away_share: Option<T> =
        Figure::new("away share", Unit::Share, &[Stations, Network], |sums| sums.shared.away()).unless(no_vacations);
    /// What busy, blocked, down, set-up and away leave of the servers' time: a server that fails while it sets up or is away counts for both;
    /// `null` where `utilization` leaves it, of classes, and as `utilization`.
    optional idle_share: Option<T> =
        Figure::new("idle share", Unit::Share, &[Stations, Network], |sums| sums.shared.idle()).unless(no_idle_share);
    /// The share of the time in which no token is there, as a machine is starved; `null` of the network, of classes and where no distribution is
    /// recorded.
    optional empty_share: Option<T> =
        Figure::new("empty", Unit::Share, &[], |sums| [sums.empty, sums.measured]).unless(no_levels);
    /// The share of the time in which as many tokens are there as have room; `null` where there is room for all, and as `empty_share`.
    optional full_share: Option<T> =
        Figure::new("full", Unit::Share, &[Stations], |sums| [sums.full, sums.measured]).unless(no_limit);
    /// Of shifts, busy time by time on duty, above 1 where services end after their shift; `null` elsewhere, and of the network.
    optional scheduled_utilization: Option<T> =
        Figure::new("scheduled", Unit::Number, &[Stations], |sums| sums.scheduled.busy()).unless(no_shifts);
    /// Services that ended, a time unit.
    given throughput: T = Figure::new("throughput", Unit::Rate, &[Stations, Network], |sums| {
        [sums.tokens.record.completions as f64, sums.measured]
    });
    /// Tokens at the station, or in the whole network, in the mean over time.
    given mean_present: T =
        Figure::new("present", Unit::Number, &[Stations, Classes], |sums| [units(sums.tokens.record.presence), sums.measured]);
    /// From the arrival of a token to the start of its service, of those that started. `mean_time_in_line` has those that lost their patience,
    /// too.
    given mean_waiting_time: T = Figure::new("waiting time", Unit::Time, &[Stations, Classes, Network, Bars], |sums| {
        [units(sums.tokens.record.waiting), sums.starts()]
    });
    /// Of the services that started.
    given mean_service_time: T =
        Figure::new("service time", Unit::Time, &[], |sums| [units(sums.tokens.record.service), sums.starts()]);
    /// From the end of a service until there is room where its token goes, of the services that ended, of the network also where no
    /// token is blocked; `null` where no token holds a server so. Time in a server before or amid a service, where room is asked for before the service, is waiting time.
    optional mean_blocked_time: Option<T> = Figure::new("blocked time", Unit::Time, &[Stations, Network], |sums| {
        [units(sums.tokens.blocked_after()), sums.tokens.record.completions as f64]
    })
    .unless(no_blocking);
    /// How long a token waits for its siblings, in the mean of all of them; `null` where siblings are not joined.
    optional mean_joining_time: Option<T> = Figure::new("joining time", Unit::Time, &[Stations, Network], |sums| {
        [units(sums.tokens.joining), sums.tokens.joins as f64]
    })
    .unless(no_joins);
    /// From the arrival of a token until it leaves: waiting, service, blocked and joining.
    given mean_system_time: T = Figure::new("system time", Unit::Time, &[Stations, Classes, Network], Sums::stays);
    /// Tokens that found no room, by those that arrived.
    given loss_probability: T = Figure::new("loss", Unit::Probability, &[Classes], |sums| sums.share_of(sums.tokens.record.losses));
    /// Tokens that did not join, by those that arrived; `null` of a network without classes, disciplines and patience.
    optional balking_probability: Option<T> =
        Figure::new("balking", Unit::Probability, &[Classes], |sums| sums.share_of(sums.tokens.balked)).unless(no_classes);
    /// Tokens that lost their patience, in line or amid a service, by those that arrived; `null` of a network without classes, disciplines and patience.
    optional reneging_probability: Option<T> =
        Figure::new("reneging", Unit::Probability, &[Classes], |sums| {
            sums.share_of(sums.tokens.gave_up())
        })
        .unless(no_classes);
    /// How long those that lost their patience in line had waited; `null` where none did.
    found mean_patience: Option<T> =
        Figure::new("patience", Unit::Time, &[], |sums| [units(sums.tokens.patience), sums.tokens.reneged as f64]);
    /// From the arrival of a token until its service starts or it loses its patience, of those that did either; `null` where tokens of no
    /// class lose their patience.
    optional mean_time_in_line: Option<T> = Figure::new("time in line", Unit::Time, &[Classes], |sums| {
        [units(sums.tokens.record.waiting) + units(sums.tokens.patience), sums.starts() + sums.tokens.reneged as f64]
    })
    .unless(no_patience);
}

/// What tokens and servers cost, a time unit: of everything but a class, where anything has costs.
#[doc(hidden)]
pub const COST: Figure = Figure::new("cost", Unit::Rate, &[Network], |sums| [sums.cost, sums.measured])
    .named("cost", "cost_half_width")
    .unless(|model, _| {
        let none = "nothing in the network has a cost: give stations, sinks or resources one";
        (!model.has_costs()).then_some(none)
    });

/// Tokens that left by a sink, a time unit.
#[doc(hidden)]
pub const LEAVING: Figure =
    Figure::new("throughput", Unit::Rate, &[], |sums| [sums.sink.tokens as f64, sums.measured]).named("throughput", "");

/// Of tokens from sources that left by a sink.
#[doc(hidden)]
pub const TIME_IN_NETWORK: Figure = Figure::new("time in the network", Unit::Time, &[], |sums| {
    [units(sums.sink.sojourn), sums.sink.from_sources as f64]
})
.named("mean_time_in_network", "");

/// Units of a resource that tokens held by those of its shifts, or what a stock lacked by its room.
#[doc(hidden)]
pub const HELD: Figure =
    Figure::new("utilization", Unit::Share, &[], |sums| [units(sums.resource.held), sums.measured * sums.units])
        .named("utilization", "");

/// Units on hand of a resource that stations use up.
#[doc(hidden)]
pub const STOCK: Figure = Figure::new("on hand", Unit::Number, &[], |sums| {
    let measured = if sums.is_stock { sums.measured } else { 0.0 };
    [sums.measured * sums.units - units(sums.resource.held), measured]
})
.named("mean_stock", "")
.unless(no_stock);

/// Servers of a group that serve or hold a token.
#[doc(hidden)]
pub const BUSY: Figure =
    Figure::new("busy", Unit::Number, &[], |sums| [units(sums.group_busy), sums.measured]).named("mean_busy", "");

/// The same by those that are on duty.
#[doc(hidden)]
pub const BUSY_SHARE: Figure =
    Figure::new("utilization", Unit::Share, &[], |sums| [units(sums.group_busy), sums.measured * sums.units])
        .named("utilization", "");

/// Tokens that the servers of a group took, a time unit.
#[doc(hidden)]
pub const TAKING: Figure = Figure::new("throughput", Unit::Rate, &[], |sums| [sums.group_tokens as f64, sums.measured])
    .named("throughput", "");

/// Tokens that a server of a group took at once, of those that serve several.
#[doc(hidden)]
pub const BATCH: Figure =
    Figure::new("at once", Unit::Number, &[], |sums| [sums.group_tokens as f64, sums.group_batches as f64])
        .named("mean_batch", "")
        .unless(no_batches);

impl Whose {
    /// The figures that may be measured of these.
    pub fn measured(self) -> Vec<Figure> {
        match self {
            Self::Sink(_) => vec![LEAVING, TIME_IN_NETWORK, COST],
            Self::Resource(_) => vec![HELD, STOCK, COST],
            Self::Group(_) => vec![BUSY_SHARE, BUSY, TAKING, BATCH],
            Self::ClassAtSink { .. } | Self::Source(_) => vec![],
            _ => {
                let cost = Some(COST).filter(|_| !matches!(self, Self::Class { .. }));
                Figures::ALL.values().into_iter().flatten().copied().chain(cost).collect()
            }
        }
    }

    /// The station, if it is one.
    fn station(self) -> Option<u32> {
        match self {
            Self::Station(station) | Self::Class { station, .. } => Some(station),
            _ => None,
        }
    }

    /// Whether a station is one of these.
    fn any(self, model: &NetworkModel, what: impl Fn(u32) -> bool) -> bool {
        self.station().map_or_else(|| (0..model.stations()).any(&what), &what)
    }
}

impl Figures<Estimate> {
    /// The figures of one station, by its place ([`NetworkModel::station_named`]), over the replications: each is the ratio of two sums,
    /// with Student's 95 % interval where there are several replications ([`Estimate::ratio`]). A replication without a start has no
    /// waiting, service and system times, and a replication without an arrival no losses: these figures are of the other
    /// replications ([`Estimate::count`]).
    ///
    /// # Panics
    /// Where the model has no such station, or an outcome no records ([`tickless_core::statistics::Outcome::added_up`]).
    pub fn of_station(model: &NetworkModel, station: u32, outcomes: &[NetworkOutcome]) -> Self {
        let whose = Whose::Station(station);
        Self::over(model, whose, &Sums::of(model, whose, outcomes))
    }

    /// The figures of one class at one station, where the network has classes, disciplines or patience. Busy servers are those
    /// that serve this class.
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
        let whose = Whose::Class { station, class };
        Self::over(model, whose, &Sums::of(model, whose, outcomes))
    }

    /// The figures of all stations together; the number present is that of the whole network.
    pub fn of_network(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Self {
        let whose = Whose::Network;
        Self::over(model, whose, &Sums::of(model, whose, outcomes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facade::{device::Target, run::unwatched};
    use crate::{Network, Source, Station};

    #[test]
    fn figures_of_many_replications_have_the_bits_of_one_thread() {
        let law = |text: &str| text.parse().expect("a law");
        let mut network = Network::new().until(3.0);
        let desk = network.station(Station::new("desk", law("exponential:0.5")));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:1"), desk));
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().expect("a model");
        let many = 0..3 * MANY as u32;
        let outcomes =
            crate::run(&model, many, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| Figures::of_station(&model, 0, &outcomes))
        };
        let sums: Vec<Sums> = outcomes.iter().map(|one| Sums::of_one(&model, Whose::Station(0), one)).collect();
        let alone = Figures::of(&model, Whose::Station(0)).map(|figure| figure.over(&sums));
        let kept = |all: &Figures<Estimate>| all.values().map(|one| one.copied().filter(|one| one.count > 0));
        for found in [with(1), with(4)] {
            assert_eq!(kept(&found), kept(&alone));
        }
        assert_ne!(with(4).mean_waiting_time, Figures::of_station(&model, 0, &outcomes[1..]).mean_waiting_time);
    }
}

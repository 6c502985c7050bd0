//! Times of visits over one replication or several: their quantiles, with intervals.

use schemars::JsonSchema;
use serde::Serialize;

use tickless_core::random::EffectiveLaw;
use tickless_core::statistics::{Distribution, Estimate, Pooled, Scale};
use tickless_core::time::Time;
use tickless_queueing::NetworkModel;
use tickless_queueing::figures::Sums;

/// Times of visits, each declared once: its name in results and files, its meaning, its name in the printed result, its histogram, the sum
/// and the number of a replication, and its least and largest value.
macro_rules! times {
    ($($(#[$doc:meta])* $name:ident = $label:literal, $counts:expr, $longest:expr, $sum:expr, $possible:expr;)+) => {
        /// Of the services that started.
        #[derive(Clone, Debug, Serialize, JsonSchema)]
        pub struct VisitTimes {
            /// The share of the services that started without a wait; `null` where none started, as the next ones.
            pub no_wait: Option<Estimate>,
            $($(#[$doc])* pub $name: Option<Quantiles>,)+
        }

        impl VisitTimes {
            /// The quantiles of each time.
            pub fn all(&self) -> [Option<&Quantiles>; TIMES.len()] {
                [$(self.$name.as_ref()),+]
            }
        }

        impl Visits {
            pub(super) fn times(&self, scale: Scale, model: &NetworkModel) -> VisitTimes {
                let no_wait = Estimate::ratio(self.at_once.iter().copied());
                let mut all = self.times.iter().zip(TIMES).map(|(times, declared)| {
                    times.quantiles(model, scale, (declared.possible)(self, scale, model))
                });
                VisitTimes {
                    no_wait: (no_wait.count > 0).then_some(no_wait),
                    $($name: all.next().flatten(),)+
                }
            }
        }

        /// All recorded times.
        pub(super) const TIMES: [RecordedTime; [$($label),+].len()] = [$(RecordedTime {
            name: stringify!($name),
            label: $label,
            counts: $counts,
            longest: $longest,
            sum: $sum,
            possible: $possible,
            columns: [
                [
                    concat!(stringify!($name), "_median"),
                    concat!(stringify!($name), "_p90"),
                    concat!(stringify!($name), "_p95"),
                    concat!(stringify!($name), "_p99"),
                ],
                [
                    concat!(stringify!($name), "_median_half_width"),
                    concat!(stringify!($name), "_p90_half_width"),
                    concat!(stringify!($name), "_p95_half_width"),
                    concat!(stringify!($name), "_p99_half_width"),
                ],
            ],
        }),+];
    };
}

times! {
    /// From the arrival to the start, of the services that started.
    waiting_time = "wait", |recorded| &recorded.waiting, Some(0),
        |sums| [Time::sum_in_units(sums.tokens.record.waiting), sums.tokens.record.starts as f64],
        |_, _, model| [0.0, model.until().units()];
    /// From the arrival until the token leaves: waiting, service, blocked and joining.
    system_time = "system", |recorded| &recorded.system, Some(1), Sums::stays, Visits::stay;
    /// From the end of a service until its token leaves, of the services that ended; `null` also where no token holds a server so.
    blocked_time = "blocked", |recorded| &recorded.blocked, None,
        |sums| [Time::sum_in_units(sums.tokens.blocked_after()), sums.tokens.record.completions as f64],
        |_, _, model| [0.0, model.until().units()];
    /// From the arrival of a token until it is joined with its siblings; `null` also where siblings are not joined.
    joining_time = "joining", |recorded| &recorded.joining, None,
        |sums| [Time::sum_in_units(sums.tokens.joining), sums.tokens.joins as f64],
        |_, _, model| [0.0, model.until().units()];
}

/// A time of visits that is recorded.
pub(super) struct RecordedTime {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) counts: fn(&Distribution) -> &Vec<u64>,
    /// The place of its longest one, which may be recorded.
    longest: Option<usize>,
    sum: fn(&Sums) -> [f64; 2],
    possible: fn(&Visits, Scale, &NetworkModel) -> [f64; 2],
    /// The columns of its quantiles in a CSV file, and of their half widths.
    columns: [[&'static str; 4]; 2],
}

/// What half, 90, 95 and 99 of a hundred do not exceed, over all replications together, and how sure it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Quantiles {
    /// What half do not exceed.
    pub median: Estimate,
    /// What 90 of a hundred do not exceed.
    pub p90: Estimate,
    /// What 95 of a hundred do not exceed.
    pub p95: Estimate,
    /// What 99 of a hundred do not exceed.
    pub p99: Estimate,
    /// The quantiles that the key `quantiles` asks for; `null` without it.
    pub asked: Option<Vec<Quantile>>,
}

/// What a share of all times does not exceed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Quantile {
    /// The share. At 1 it is the longest time of all replications, without an interval; it is exact, except for blocked and joining times, which
    /// are rounded up to their bin.
    pub below: f64,
    #[serde(flatten)]
    pub time: Estimate,
}

impl Quantiles {
    /// The four that are always there.
    pub fn all(&self) -> [Estimate; 4] {
        [self.median, self.p90, self.p95, self.p99]
    }

    /// Those that are printed, with their shares.
    pub fn shown(&self) -> Vec<(f64, Estimate)> {
        match &self.asked {
            Some(asked) => asked.iter().map(|one| (one.below, one.time)).collect(),
            None => SHARES.into_iter().zip(self.all()).collect(),
        }
    }
}

/// The shares of quantiles that are always told.
const SHARES: [f64; 4] = [0.5, 0.9, 0.95, 0.99];

/// The shares of the quantiles that are printed.
pub fn shares(model: &NetworkModel) -> &[f64] {
    if model.quantiles().is_empty() { &SHARES } else { model.quantiles() }
}

/// Times of each replication: by their bins, and their sum with their number; and the longest of all, where it is recorded.
pub(super) struct Times {
    pooled: Pooled,
    sums: Vec<[f64; 2]>,
    longest: Option<u64>,
}

impl Times {
    pub(super) fn new(replications: usize) -> Self {
        Self { pooled: Pooled::new(replications), sums: vec![[0.0; 2]; replications], longest: None }
    }

    /// Adds times of a replication, whose sum is `sum` time units, with the longest one in ticks.
    pub(super) fn add(&mut self, replication: usize, (counts, longest): (&[u64], Option<u64>), sum: f64, number: f64) {
        self.pooled.add(replication, counts);
        self.longest = self.longest.max(longest);
        let [all, count] = &mut self.sums[replication];
        (*all, *count) = (*all + sum, *count + number);
    }

    /// Whether the mean lies in a bin: it may be of other times too, of tokens that are still there or came before counting.
    fn is_in(&self, bin: usize, scale: Scale) -> bool {
        let [begin, end] = if bin == 0 { [0.0; 2] } else { scale.bounds(bin).map(Time::units) };
        let mean = Estimate::ratio(self.sums.iter().copied()).mean;
        (begin..=end).contains(&mean) || bin + 1 == scale.bins() as usize
    }

    /// The longest time, given the end of its bin. How the longest of some times varies, the jackknife does not find.
    fn longest(&self, end: Estimate) -> Estimate {
        let longest = self.longest.map_or(end.mean, |ticks| Time::from_ticks(ticks).units());
        Estimate { mean: longest, half_width: None, standard_deviation: None, ..end }
    }

    /// The quantiles, none of which is outside of `possible` or above the longest time. If all times are in one bin, their mean, which is exact,
    /// stands for them: for a constant time every quantile is exact.
    pub(super) fn quantiles(&self, model: &NetworkModel, scale: Scale, [least, most]: [f64; 2]) -> Option<Quantiles> {
        let most = self.longest.map_or(most, |ticks| most.min(Time::from_ticks(ticks).units()));
        let shares = [&SHARES, model.quantiles()].concat();
        let found = match self.pooled.only_bin() {
            Some(bin) if self.is_in(bin, scale) => vec![Estimate::ratio(self.sums.iter().copied()); shares.len()],
            _ => self.pooled.quantiles(scale, &shares, [least, most])?,
        };
        let (&[median, p90, p95, p99], asked) = found.split_first_chunk()?;
        let asked = model.quantiles().iter().zip(asked).map(|(below, time)| Quantile {
            below: *below,
            time: if *below < 1.0 { *time } else { self.longest(*time) },
        });
        let asked = Some(asked.collect()).filter(|_| !model.quantiles().is_empty());
        Some(Quantiles { median, p90, p95, p99, asked })
    }
}

/// The records of visits to a station, or of a class there, in a replication.
pub(super) struct VisitRecords<'a> {
    pub(super) recorded: &'a Distribution,
    pub(super) sums: Sums,
}

/// The visits to some stations in each replication.
pub(super) struct Visits {
    times: [Times; TIMES.len()],
    /// The number of visits that did not wait, and of all.
    at_once: Vec<[f64; 2]>,
    /// The least and largest time of a service, in time units.
    service: [f64; 2],
}

impl Visits {
    pub(super) fn new(replications: usize) -> Self {
        Self {
            times: TIMES.map(|_| Times::new(replications)),
            at_once: vec![[0.0; 2]; replications],
            service: [f64::INFINITY, 0.0],
        }
    }

    /// Adds the visits to one more station, or of a class there, in a replication, with the least and largest service time. All
    /// visits of a replication come before those of the next.
    pub(super) fn add(&mut self, replication: usize, service: [f64; 2], visits: &VisitRecords<'_>) {
        for (times, declared) in self.times.iter_mut().zip(TIMES) {
            let counts = (declared.counts)(visits.recorded);
            // A station where no token is blocked has no part in the blocked times of all.
            if !counts.is_empty() {
                let [sum, number] = (declared.sum)(&visits.sums);
                let longest = declared.longest.and_then(|place| visits.recorded.longest.get(place)).copied();
                times.add(replication, (counts, longest), sum, number);
            }
        }
        let waiting = &visits.recorded.waiting;
        let [at_once, all] = &mut self.at_once[replication];
        *at_once += waiting.first().map_or(0.0, |count| *count as f64);
        *all += waiting.iter().sum::<u64>() as f64;
        let [shortest, longest] = service;
        self.service = [self.service[0].min(shortest), self.service[1].max(longest)];
    }

    /// The least and largest time of a visit.
    fn stay(&self, scale: Scale, _: &NetworkModel) -> [f64; 2] {
        let [waits, ..] = &self.times;
        let longest_wait = match waits.pooled.last_bin() {
            Some(0) => 0.0,
            Some(bin) if bin + 1 < scale.bins() as usize => scale.bounds(bin)[1].units(),
            _ => f64::INFINITY,
        };
        let [shortest, longest] = self.service;
        [shortest, longest_wait + longest]
    }
}

/// The least and largest time of a token, or of a token of a class, at a station beside its wait, in time units. In approximate time a
/// service takes an interval or more, and ends at a multiple of it; they are unknown with speeds by the number present, and where tokens
/// wait for room elsewhere or for siblings.
pub(super) fn service_times(model: &NetworkModel, station: u32, class: Option<u32>) -> [f64; 2] {
    let ends = |law: &EffectiveLaw| [law.minimum().units(), law.maximum().map_or(f64::INFINITY, Time::units)];
    if !model.rules_of(station).ends_as_it_starts() {
        return [0.0, f64::INFINITY];
    }
    let classes = class.map_or(0..model.rules().classes(), |class| class..class + 1);
    let laws = classes.map(|class| ends(&model.visit_of(station, class).law));
    let [least, most] = laws.fold([f64::INFINITY, 0.0], |all, one| [all[0].min(one[0]), all[1].max(one[1])]);
    match model.approximate().map(Time::units) {
        Some(interval) => [interval, (most / interval).ceil() * interval],
        None => [least, most],
    }
}

/// The columns of times in a line of a CSV file, if any: means, and then half widths.
pub(super) fn columns(times: Option<&VisitTimes>) -> Vec<(&'static str, Option<f64>)> {
    let no_wait = times.and_then(|times| times.no_wait);
    let all = times.map_or([None; TIMES.len()], VisitTimes::all);
    let of = |part: usize, first: &'static str, number: fn(Estimate) -> Option<f64>| {
        let quantiles = all.into_iter().zip(TIMES).flat_map(|(found, declared)| {
            let values = found.map_or([None; 4], |found| found.all().map(Some));
            declared.columns[part].into_iter().zip(values)
        });
        let every = [(first, no_wait)].into_iter().chain(quantiles);
        every.map(|(name, value)| (name, value.and_then(number))).collect::<Vec<_>>()
    };
    let means = of(0, "no_wait", |one| Some(one.mean));
    [means, of(1, "no_wait_half_width", |one| one.half_width)].concat()
}

//! Figures by the bin of a period.

use rayon::prelude::*;

use super::sums::units;
use crate::describe::Order;
use crate::model::Fold;
use crate::outcome::{Folded, FoldedRecord, independent};
use crate::{NetworkModel, NetworkOutcome};
use tickless_core::statistics::Estimate;
use tickless_core::time::Time;

/// What a station does in one bin of the period of [`Network::fold`], over all periods and replications. Times are in time units; each figure is
/// the ratio of two sums, with Student's 95 % interval over replications ([`Estimate::ratio`]).
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
/// use tickless::queueing::figures::FoldedFigures;
/// let mut network = Network::new().until(240.0).fold(24.0);
/// let desk = network.station(Station::new("desk", "exponential:0.5".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "exponential:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..20, Target::Heap, Default::default(), &mut unwatched())?;
/// let by_hour = FoldedFigures::of_station(&model, desk.index(), None, &run.outcome);
/// assert_eq!((by_hour.len(), by_hour[23].from, by_hour[23].to), (24, 23.0, 24.0));
/// assert!((by_hour[12].arrivals.mean - 1.0).abs() < 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Network::fold`]: crate::Network::fold
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldedFigures {
    /// When the bin begins and ends, from the beginning of the period on.
    pub from: f64,
    pub to: f64,
    /// Tokens that came, a time unit.
    pub arrivals: Estimate,
    /// Tokens that found no room, balked or lost their patience then, a time unit.
    pub unserved: Estimate,
    /// How long the services that started in the bin had been waited for; `None` where tokens share the servers.
    pub waiting_time: Option<Estimate>,
    /// Tokens that are there and not in service, in the mean over time.
    pub waiting: Estimate,
    /// Tokens in service, in the mean over time: where tokens do not share the servers, nor a server takes several, the busy
    /// servers.
    pub in_service: Estimate,
    /// Servers on duty, in the mean over time; `None` of infinitely many.
    pub on_duty: Option<f64>,
    /// Busy servers by those on duty: above 1 where services end after their shift. `None` where tokens share the servers or a server takes several, of infinitely
    /// many servers, and where nobody is on duty.
    pub utilization: Option<Estimate>,
}

/// One bin, and how long it was measured, in time units.
struct Bin {
    number: usize,
    from: f64,
    to: f64,
    measured: f64,
}

impl FoldedFigures {
    /// The figures of a station, or of a class there, in each bin, over replications; empty where the network has no fold. A bin in which
    /// nothing was measured has none of them either.
    ///
    /// # Panics
    /// Where the model has no such station or class.
    pub fn of_station(model: &NetworkModel, id: u32, class: Option<u32>, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let outcomes = alike(model, Duty::Servers(id), outcomes);
        let Some((fold, folded)) = records(model, outcomes) else { return vec![] };
        let (bins, duty) = (bins(fold, &outcomes[0]), Duty::Servers(id).times(model, fold, &outcomes[0]));
        let shares = model.rules_of(id).order == Order::Sharing;
        let of_bin = |bin: &Bin| {
            let records: Vec<FoldedRecord> = folded.iter().map(|one| one.at_station(id, class, bin.number)).collect();
            let ratio = |of: fn(&FoldedRecord, f64) -> [f64; 2]| {
                Estimate::ratio(records.iter().map(|record| of(record, bin.measured)))
            };
            let on_duty = duty.as_ref().map(|duty| duty[bin.number] / bin.measured);
            let has_share = !shares && class.is_none() && !model.rules_of(id).takes_several();
            let by_duty = |on_duty: f64| {
                let busy = |record: &FoldedRecord| [units(record.serving.into()), on_duty * bin.measured];
                Estimate::ratio(records.iter().map(busy))
            };
            Self {
                from: bin.from,
                to: bin.to,
                arrivals: ratio(|one, time| [one.arrivals as f64, time]),
                unserved: ratio(|one, time| [one.unserved as f64, time]),
                waiting_time: (!shares).then(|| ratio(|one, _| [units(one.waiting.into()), one.starts as f64])),
                waiting: ratio(|one, time| [units((one.presence - one.serving).into()), time]),
                in_service: ratio(|one, time| [units(one.serving.into()), time]),
                on_duty,
                utilization: on_duty.filter(|on_duty| has_share && *on_duty > 0.0).map(by_duty),
            }
        };
        bins.par_iter().filter(|bin| bin.measured > 0.0).map(of_bin).collect()
    }

    /// Units of a resource that are held by those of its shifts, in each bin in which there are some: when it begins and ends, and the ratio.
    ///
    /// # Panics
    /// Where the model has no such resource.
    pub fn of_resource(model: &NetworkModel, resource: u32, outcomes: &[NetworkOutcome]) -> Vec<(f64, f64, Estimate)> {
        let outcomes = alike(model, Duty::Units(resource), outcomes);
        let Some((fold, folded)) = records(model, outcomes) else { return vec![] };
        let there = Duty::Units(resource).times(model, fold, &outcomes[0]).unwrap_or_default();
        let of_bin = |bin: &Bin| {
            let held = |one: &&Folded| [units(one.held(resource, bin.number).into()), there[bin.number]];
            (bin.from, bin.to, Estimate::ratio(folded.iter().map(held)))
        };
        let measured = |bin: &&Bin| bin.measured > 0.0 && there[bin.number] > 0.0;
        bins(fold, &outcomes[0]).iter().filter(measured).map(of_bin).collect()
    }
}

/// The batches of the only replication, where all of them have the same of each bin, and of the servers on duty there; or else the replications.
fn alike<'a>(model: &NetworkModel, of: Duty, outcomes: &'a [NetworkOutcome]) -> &'a [NetworkOutcome] {
    let batches = independent(outcomes);
    let Some(fold) = model.folding().filter(|_| batches.len() > outcomes.len()) else { return outcomes };
    let times = |batch: &NetworkOutcome| {
        (fold.lengths(batch.stations.from, batch.stations.until), of.times(model, fold, batch))
    };
    let first = times(&batches[0]);
    if batches.iter().all(|batch| times(batch) == first) { batches } else { outcomes }
}

/// The records of all replications, if there are any.
fn records<'a>(model: &NetworkModel, outcomes: &'a [NetworkOutcome]) -> Option<(Fold, Vec<&'a Folded>)> {
    let folded: Option<Vec<_>> = outcomes.iter().map(|outcome| outcome.folded.as_deref()).collect();
    Some((model.folding()?, folded.filter(|all| !all.is_empty())?))
}

fn bins(fold: Fold, outcome: &NetworkOutcome) -> Vec<Bin> {
    let lengths = fold.lengths(outcome.stations.from, outcome.stations.until);
    let start = |bin: usize| Time::from_ticks(bin as u64 * fold.step.ticks()).units();
    let bin = |(number, length): (usize, u64)| Bin {
        number,
        from: start(number),
        to: start(number + 1),
        measured: Time::from_ticks(length).units(),
    };
    lengths.into_iter().enumerate().map(bin).collect()
}

/// What is on duty: the servers of a station, or the units of a resource.
#[derive(Clone, Copy)]
enum Duty {
    Servers(u32),
    Units(u32),
}

impl Duty {
    /// The time on duty in each bin, in time units; `None` of infinitely many servers.
    fn times(self, model: &NetworkModel, fold: Fold, outcome: &NetworkOutcome) -> Option<Vec<f64>> {
        if matches!(self, Self::Servers(station) if model.has_infinite_servers(station)) {
            return None;
        }
        let mut times = vec![0.0; fold.bins as usize];
        fold.pieces(outcome.stations.from, outcome.stations.until).for_each(|(bin, from, until)| {
            let length = Time::from_ticks(until.ticks() - from.ticks()).units();
            let mean = match self {
                Self::Servers(station) => model.servers_between(station, from, until),
                Self::Units(resource) => model.mean_units(resource, from, until),
            };
            times[bin as usize] += length * mean;
        });
        Some(times)
    }
}

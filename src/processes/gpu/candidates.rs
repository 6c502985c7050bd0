//! Which sets of pending events may be the fastest for a model, before anything is measured.

use super::choice::{Calibration, Reason};
use super::{DeviceModel, Pending, PendingSet, ProcessOptions};
use crate::device::{AdapterDescription, AdapterKind};

/// What a round costs a fast device, however little there is to do in it, and what an event does: seconds.
const ROUND: f64 = 8e-6;
const EVENT: f64 = 4e-10;
/// What it takes a thread to put an event in order, and how many of them are at work at once.
const SORTED: f64 = 1e-5;
const AT_ONCE: f64 = 32_768.0;
/// Sets whose slots others cannot take over. Neither has been the fastest.
const NEVER_TRIED: [PendingSet; 2] = [PendingSet::Splay, PendingSet::GlobalHeap];
/// Runs that seem to be over sooner are not worth the kernels of several sets.
const BRIEF: f64 = 0.2;
/// A thread that keeps a set in order moves half of it for an event.
const MOST_MOVED: u32 = 32;
/// ... and all of it once, for what comes in a round.
const MOST_PASSED: u32 = 64;
/// The set to begin with: on an H200 it is the fastest, or nearly, whatever the model (docs/performance.md).
const THUMB: PendingSet = PendingSet::HeapOfFours;
/// Workgroups that merge what comes want many sets, of many events, of which many come in a round.
const MERGED_PROCESSES: u32 = 4096;
const MERGED_EVENTS: std::ops::RangeInclusive<u32> = 48..=4096;
const MERGED_IN_A_ROUND: f64 = 32.0;
/// The sets that are tried, that with which a run begins first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidates {
    pub(super) sets: Vec<PendingSet>,
    /// Why there is no other, where there is one.
    pub(super) reason: Reason,
    /// About what it takes to make sets of another kind: seconds.
    pub(super) conversion: f64,
}

impl Candidates {
    pub(super) fn new(model: &DeviceModel, options: &ProcessOptions, adapter: &AdapterDescription) -> Self {
        let conversion = f64::from(model.starting) * SORTED * (f64::from(model.processes) / AT_ONCE).max(1.0);
        let only = |set, reason| Self { sets: vec![set], reason, conversion };
        let thumb = THUMB;
        let tried = |suits: &dyn Fn(PendingSet) -> bool| {
            let others =
                PendingSet::ALL.into_iter().filter(|&set| set != thumb && !NEVER_TRIED.contains(&set) && suits(set));
            Self { sets: std::iter::once(thumb).chain(others).collect(), reason: Reason::Only, conversion }
        };
        match (options.pending, options.calibration) {
            (Pending::Fixed(set), _) => only(set, Reason::Asked),
            (Pending::Auto, Calibration::WherePaid) if adapter.kind == AdapterKind::Software => {
                only(thumb, Reason::Software)
            }
            (Pending::Auto, Calibration::WherePaid) if seconds(model) < BRIEF => only(thumb, Reason::Brief),
            (Pending::Auto, Calibration::WherePaid) => tried(&|set| suits(set, model)),
            (Pending::Auto, Calibration::Always | Calibration::InTurns(_)) => tried(&|_| true),
        }
    }
}

/// About what a run takes a fast device.
fn seconds(model: &DeviceModel) -> f64 {
    let rounds = model.until.units() / model.lookahead.units().max(f64::MIN_POSITIVE);
    rounds * (ROUND + f64::from(model.processes) * model.burst * EVENT)
}

/// Whether it is worth a trial.
fn suits(set: PendingSet, model: &DeviceModel) -> bool {
    match set {
        PendingSet::Heap | PendingSet::HeapOfFours => true,
        PendingSet::Circular | PendingSet::CircularFront => model.starting <= MOST_MOVED,
        PendingSet::CircularSinglePass => model.starting <= MOST_PASSED && model.burst >= 4.0,
        PendingSet::CircularParallel => {
            model.processes >= MERGED_PROCESSES
                && MERGED_EVENTS.contains(&model.starting)
                && model.burst >= MERGED_IN_A_ROUND
        }
        PendingSet::Splay | PendingSet::GlobalHeap => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::Phold;
    use PendingSet::{Circular, CircularFront, CircularParallel, CircularSinglePass, Heap, HeapOfFours};

    fn candidates(processes: u32, population: u32, mean: f64, until: f64) -> Vec<PendingSet> {
        let phold = Phold::new(processes).population(population).lookahead(10.0).mean(mean).until(until);
        let adapter = crate::processes::gpu::tests::adapter(1 << 34);
        Candidates::new(&(&phold.check().expect("a model")).into(), &ProcessOptions::default(), &adapter).sets
    }

    /// The table of docs/performance.md.
    #[test]
    fn what_is_hopeless_is_not_tried() {
        assert_eq!(candidates(1024, 16_384, 10.0, 1e5), [HeapOfFours, Heap]);
        assert_eq!(candidates(1024, 2048, 1e3, 1e6), [HeapOfFours, Heap]);
        assert_eq!(candidates(1024, 256, 1e5, 1e6), [HeapOfFours, Heap]);
        assert_eq!(candidates(1024, 4, 1e3, 1e6), [HeapOfFours, Heap, Circular, CircularFront]);
        assert_eq!(candidates(32_768, 32, 10.0, 1e4), [HeapOfFours, Heap, Circular, CircularFront, CircularSinglePass]);
        assert_eq!(candidates(32_768, 128, 10.0, 1e4), [HeapOfFours, Heap, CircularParallel]);
    }

    #[test]
    fn a_run_of_few_events_has_one() {
        assert_eq!(candidates(32_768, 128, 10.0, 100.0), [HeapOfFours]);
    }
}

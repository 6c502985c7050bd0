//! Runs of sets with rates of one's own, in which a tick passes in a round.

use super::*;
use crate::time::Time;
use PendingSet::{Circular, CircularParallel, Heap};

/// A run as the chooser sees it.
struct Run {
    chooser: Chooser,
    progress: Progress,
    set: PendingSet,
    /// Pieces, and conversions from one kind into the other.
    pieces: u32,
    conversions: u32,
    /// What was asked: rounds with a set.
    words: Vec<(PendingSet, u32)>,
    events_per_round: u64,
}

const CONVERSION: Duration = Duration::from_millis(2);

impl Run {
    fn new(sets: &[PendingSet], calibration: Calibration, rounds: u64) -> Self {
        let candidates = Candidates { sets: sets.to_vec(), reason: Reason::Only, conversion: 2e-3 };
        let until = Time::from_ticks(rounds);
        let progress = Progress { clock: Time::ZERO, until, events: 0, rounds: 0, elapsed: Duration::ZERO };
        let chooser = Chooser::new(Pending::Auto, calibration, candidates);
        Self { chooser, progress, set: sets[0], pieces: 0, conversions: 0, words: vec![], events_per_round: 1000 }
    }

    fn ended(&self) -> bool {
        self.progress.clock >= self.progress.until
    }

    fn rounds(&mut self, rounds: u32, seconds_per_round: f64) -> Piece {
        let events = self.events_per_round * u64::from(rounds);
        let time = Duration::from_secs_f64(seconds_per_round * f64::from(rounds));
        let ticks = self.progress.clock.ticks() + u64::from(rounds);
        let Progress { until, .. } = self.progress;
        self.progress = Progress {
            clock: Time::from_ticks(ticks),
            until,
            events: self.progress.events + events,
            rounds: self.progress.rounds + u64::from(rounds),
            elapsed: self.progress.elapsed + time,
        };
        Piece { rounds: rounds.into(), events, time }
    }

    fn turn_to(&mut self, set: PendingSet) {
        if set.is_ring() != self.set.is_ring() {
            self.conversions += 1;
            self.progress.elapsed += CONVERSION;
            self.chooser.converted(CONVERSION);
        }
        self.set = set;
    }

    /// Until the end, or the next pick. `seconds` is what a round takes with a set.
    fn until_picked(&mut self, mut seconds: impl FnMut(PendingSet, &Progress) -> f64) {
        let calibrations = self.chooser.report.calibrations;
        while !self.ended() {
            match self.chooser.next() {
                Next::Piece(set, rounds) => {
                    self.turn_to(set);
                    self.pieces += 1;
                    self.words.push((set, rounds));
                    let piece = self.rounds(rounds, seconds(set, &self.progress));
                    self.chooser.took(piece, &self.progress);
                    if self.chooser.report.calibrations > calibrations {
                        return;
                    }
                }
                Next::On(set) => {
                    self.turn_to(set);
                    // A batch of 30 ms.
                    let each = seconds(set, &self.progress);
                    self.rounds((0.03 / each).ceil() as u32, each);
                    if self.chooser.due(&self.progress) {
                        self.chooser.again();
                    }
                }
            }
        }
    }

    fn run_out(&mut self, mut seconds: impl FnMut(PendingSet, &Progress) -> f64) {
        while !self.ended() {
            self.until_picked(&mut seconds);
        }
    }

    fn report(&self) -> PendingReport {
        self.chooser.report(self.set)
    }
}

/// What a round takes, in microseconds.
fn rates(heap: f64, circular: f64, parallel: f64) -> impl Fn(PendingSet, &Progress) -> f64 {
    move |set, _| {
        1e-6 * match set {
            Heap => heap,
            CircularParallel => parallel,
            _ => circular,
        }
    }
}

const SETS: [PendingSet; 3] = [Heap, Circular, CircularParallel];

#[test]
fn the_fastest_is_picked() {
    for (what, best) in [
        (rates(100.0, 150.0, 80.0), CircularParallel),
        (rates(60.0, 150.0, 80.0), Heap),
        (rates(100.0, 40.0, 80.0), Circular),
    ] {
        let mut run = Run::new(&SETS, Calibration::WherePaid, 200_000);
        run.run_out(what);
        let report = run.report();
        assert_eq!((report.set, report.reason), (best, Reason::Measured));
        assert_eq!(report.tried.len(), 3);
        let rate = |set| report.tried.iter().find(|tried| tried.set == set).unwrap().events_per_second;
        assert!(SETS.iter().all(|&set| rate(set) <= rate(best)));
        // A hundredth of the time, and what the first one costs.
        assert!(report.cost < run.progress.elapsed / 40, "{:?} of {:?}", report.cost, run.progress.elapsed);
        assert!(report.calibrations >= 1 && report.switches <= 1);
    }
}

/// Heaps become rings once and rings heaps once: rings are tried one after the other.
#[test]
fn a_calibration_converts_as_seldom_as_it_can() {
    let mut run = Run::new(&SETS, Calibration::WherePaid, 200_000);
    run.until_picked(rates(50.0, 60.0, 70.0));
    assert_eq!((run.conversions, run.chooser.report.calibrations), (2, 1));
    let pieces: Vec<_> = run.words.iter().filter(|(_, rounds)| *rounds > 8).map(|(set, _)| *set).collect();
    let order = [Heap, Circular, CircularParallel, CircularParallel, Circular, Heap];
    assert_eq!(pieces[pieces.len() - 6..], order, "{:?}", run.words);
}

#[test]
fn a_hopeless_set_gets_no_piece() {
    let mut run = Run::new(&SETS, Calibration::WherePaid, 2_000_000);
    run.until_picked(rates(50.0, 5000.0, 70.0));
    let most = run.words.iter().filter(|(set, _)| *set == Circular).map(|(_, rounds)| *rounds).max();
    assert_eq!((most, run.report().set), (Some(1), Heap));
    assert!(run.report().tried.iter().any(|tried| tried.set == Circular && tried.events == 1000));
}

#[test]
fn a_short_run_is_left_alone() {
    let mut run = Run::new(&SETS, Calibration::WherePaid, 1000);
    run.run_out(rates(100.0, 40.0, 20.0));
    let report = run.report();
    assert_eq!((report.set, report.reason, report.calibrations), (Heap, Reason::Brief, 0));
    assert!(report.tried.is_empty() && run.conversions == 0);
}

/// Measurements that differ by a tenth do not make a set of the same speed, nor one that is little faster.
#[test]
fn noise_switches_nothing() {
    for parallel in [100.0, 98.0] {
        let mut run = Run::new(&[Heap, CircularParallel], Calibration::WherePaid, 3_000_000);
        let mut word = 1u32;
        let exact = rates(100.0, 100.0, parallel);
        run.run_out(move |set, progress| {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            exact(set, progress) * (1.0 + 0.1 * f64::from(word >> 16) / 65_536.0)
        });
        let report = run.report();
        assert!(report.switches <= 1 && report.calibrations > 1, "{parallel}: {report:?}");
    }
}

/// What changes evenly during a calibration is not taken for a difference of sets.
#[test]
fn a_drift_switches_nothing() {
    let mut run = Run::new(&[Heap, CircularParallel], Calibration::WherePaid, 200_000);
    run.until_picked(|_, progress| 1e-4 * (1.0 + 3.0 * progress.rounds as f64 / 1000.0));
    assert_eq!((run.report().switches, run.report().calibrations), (0, 1));
}

/// Another set becomes the fastest in the middle: that is found, and the time until then is no more than needed.
#[test]
fn a_change_is_found() {
    let mut run = Run::new(&[Heap, CircularParallel], Calibration::WherePaid, 400_000);
    let [before, after] = [rates(50.0, 0.0, 100.0), rates(100.0, 0.0, 50.0)];
    let half = |progress: &Progress| progress.rounds > 150_000;
    let mut changed = false;
    while !run.ended() {
        changed |= half(&run.progress);
        run.events_per_round = if changed { 3000 } else { 1000 };
        run.until_picked(|set, progress| if half(progress) { after(set, progress) } else { before(set, progress) });
    }
    let report = run.report();
    assert_eq!((report.set, report.switches), (CircularParallel, 1), "{report:?}");
    assert!(report.calibrations > 1);
}

#[test]
fn each_has_its_turn() {
    let mut run = Run::new(&SETS, Calibration::InTurns(2), 20);
    run.run_out(rates(1.0, 1.0, 1.0));
    assert_eq!((run.pieces, run.report().reason, run.report().tried.len()), (10, Reason::InTurns, 3));
    assert_eq!(run.words[..4], [(Heap, 2), (Circular, 2), (CircularParallel, 2), (Heap, 2)]);
}

/// An interrupted run goes on with the set in which its events are.
#[test]
fn a_stop_ends_every_trial() {
    for calibration in [Calibration::WherePaid, Calibration::Always, Calibration::InTurns(1)] {
        let mut run = Run::new(&SETS, calibration, 200_000);
        for _ in 0..20 {
            let Next::Piece(set, rounds) = run.chooser.next() else { break };
            run.turn_to(set);
            let piece = run.rounds(rounds, 1e-5);
            run.chooser.took(piece, &run.progress);
        }
        run.chooser.stop(run.set);
        assert_eq!(run.chooser.next(), Next::On(run.set), "{calibration:?}");
        assert!(!run.chooser.due(&run.progress));
    }
}

//! Picks a set of pending events while a run goes on: a few rounds with each, none of them in vain.
//!
//! Each set that is tried gets two pieces of the run, in an order that reads the same backwards, so that what changes
//! evenly meanwhile does not count. Another set is picked only where it is faster by more than the pieces of one set
//! differ. Later everything is tried again where the set has gained enough time for it, sooner where rounds have become
//! fuller or emptier.

use std::collections::VecDeque;
use std::time::Duration;

use super::candidates::Candidates;
use super::choice::{Calibration, PendingReport, Reason, TriedSet};
use super::{Pending, PendingSet};
use crate::engine::Piece;
use crate::run::Progress;

/// A piece takes so long, has so many rounds, and more where these have few events (but then no more than so long).
const PIECE: f64 = 4e-3;
const LEAST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 4096;
const EVENTS: f64 = 2000.0;
const LONGEST: f64 = 20e-3;
/// Rounds with a set that do not count: its kernels may still have to be made ready.
const WARM: u32 = 2;
/// A set that is so many times slower than another in a round gets no piece.
const HOPELESS: f64 = 8.0;
/// By how much a set must be faster to be picked: the first time, and later.
const MARGIN: f64 = 0.03;
const LATER_MARGIN: f64 = 0.05;
/// The rest of a run must be so many times longer than the pieces of a calibration.
const REST: f64 = 40.0;
/// ... and so many times longer than it takes to make another kind of sets, which a calibration does twice or thrice.
const CONVERSIONS_REST: f64 = 30.0;
/// The next one comes when so many times the cost of the last has passed, and sooner by a factor where the events of a round
/// have changed by another.
const PATIENCE: f64 = 100.0;
const IMPATIENCE: f64 = 5.0;
const CHANGED: f64 = 1.5;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// So many rounds with a set; [`Chooser::took`] wants to know how they went.
    Piece(PendingSet, u32),
    /// Rounds with a set until [`Chooser::due`] says so.
    On(PendingSet),
}

/// The measurements of a set in one calibration.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    all: Piece,
    slowest: f64,
    fastest: f64,
}

impl Figures {
    fn add(&mut self, piece: &Piece) {
        let rate = piece.events_per_second();
        self.slowest = if self.fastest == 0.0 { rate } else { self.slowest.min(rate) };
        self.fastest = self.fastest.max(rate);
        join(&mut self.all, piece);
    }

    /// By how much its pieces differ.
    fn spread(&self) -> f64 {
        self.fastest / self.slowest.max(1e-9) - 1.0
    }
}

fn join(sum: &mut Piece, piece: &Piece) {
    sum.rounds += piece.rounds;
    sum.events += piece.events;
    sum.time += piece.time;
}

/// A calibration under way.
#[derive(Debug, Default)]
struct Trial {
    order: VecDeque<PendingSet>,
    /// Rounds of the one at hand that do not count, and the least that one took.
    warm: u32,
    seconds: f64,
    least_seconds: f64,
    /// Everything, what does not count and what is between sets included.
    whole: Piece,
}

#[derive(Debug)]
enum Stage {
    /// The first rounds, which are like no others: more and more of them until they take as long as a piece.
    Opening(u32),
    Trying(Trial),
    Settled,
    /// The n-th.
    Turn(usize),
}

/// Where the run was when a set was picked.
#[derive(Clone, Copy, Debug)]
struct Picked {
    at: Progress,
    events_per_round: f64,
    wait: f64,
}

/// Picks sets.
#[derive(Debug)]
pub(super) struct Chooser {
    calibration: Calibration,
    sets: Vec<PendingSet>,
    /// About what it takes to make another kind of sets.
    conversion: f64,
    figures: Vec<Figures>,
    stage: Stage,
    last: Option<Progress>,
    picked: Option<Picked>,
    /// How many calibrations in a row have changed nothing.
    unchanged: i32,
    report: PendingReport,
}

impl Chooser {
    pub(super) fn new(asked: Pending, calibration: Calibration, candidates: Candidates) -> Self {
        let Candidates { sets, reason, conversion } = candidates;
        let first = sets[0];
        let (stage, reason) = match (calibration, reason) {
            _ if sets.len() == 1 => (Stage::Settled, reason),
            (Calibration::InTurns(_), _) => (Stage::Turn(0), Reason::InTurns),
            _ => (Stage::Opening(1), Reason::Unfinished),
        };
        let report = PendingReport { asked, reason, ..PendingReport::asked(first) };
        let figures = vec![Figures::default(); sets.len()];
        Self { calibration, figures, conversion, sets, stage, last: None, picked: None, unchanged: 0, report }
    }

    /// What a run may come to use, the first of them first.
    pub(super) fn sets(&self) -> &[PendingSet] {
        &self.sets
    }

    pub(super) fn next(&self) -> Next {
        match &self.stage {
            Stage::Settled => Next::On(self.report.set),
            Stage::Opening(rounds) => Next::Piece(self.report.set, *rounds),
            Stage::Turn(place) => {
                let Calibration::InTurns(rounds) = self.calibration else { return Next::On(self.report.set) };
                Next::Piece(self.sets[place % self.sets.len()], rounds.max(1))
            }
            Stage::Trying(trial) => match trial.order.front() {
                None => Next::On(self.report.set),
                Some(&set) if trial.warm < WARM => Next::Piece(set, 1),
                Some(&set) => Next::Piece(set, self.rounds_of_a_piece(trial.seconds, trial.whole)),
            },
        }
    }

    /// As many as a piece has, where a round takes so long and has so many events.
    fn rounds_of_a_piece(&self, seconds: f64, whole: Piece) -> u32 {
        if self.calibration == Calibration::Always {
            return LEAST_ROUNDS;
        }
        let seconds = seconds.max(1e-9);
        let events = whole.events as f64 / whole.rounds.max(1) as f64;
        let enough = (EVENTS / events.max(1e-9)).min(LONGEST / seconds);
        (PIECE / seconds).max(enough).ceil().clamp(LEAST_ROUNDS.into(), MOST_ROUNDS.into()) as u32
    }

    /// Takes in what the last rounds took. `progress` is that after them.
    pub(super) fn took(&mut self, piece: Piece, progress: &Progress) {
        let last = self.last.replace(*progress);
        match &mut self.stage {
            Stage::Settled => {}
            Stage::Turn(place) => {
                self.figures[*place % self.sets.len()].add(&piece);
                *place += 1;
                self.report.switches += 1;
            }
            Stage::Opening(rounds) => {
                let enough = piece.time.as_secs_f64() >= PIECE || *rounds >= MOST_ROUNDS;
                if enough || self.calibration == Calibration::Always {
                    self.begin(&piece, last.as_ref(), progress);
                } else {
                    *rounds *= 2;
                }
            }
            Stage::Trying(_) => self.tried(piece, progress),
        }
    }

    /// Tells what it took to make another kind of set of every set.
    pub(super) fn converted(&mut self, time: Duration) {
        if let Stage::Trying(trial) = &mut self.stage {
            trial.whole.time += time;
        }
    }

    /// Begins a calibration, where enough of the run is left.
    fn begin(&mut self, piece: &Piece, last: Option<&Progress>, progress: &Progress) {
        let rounds = self.rounds_of_a_piece(piece.seconds_per_round(), *piece) + WARM;
        let whole = f64::from(rounds) * 2.0 * self.sets.len() as f64;
        let before = last.map_or(0, |last| last.clock.ticks());
        let passed = progress.clock.ticks().saturating_sub(before) as f64;
        let left = progress.until.ticks().saturating_sub(progress.clock.ticks()) as f64;
        let left = left / passed.max(1.0) * piece.rounds as f64;
        let converted = if PendingSet::converted(&self.sets).is_empty() { 0.0 } else { self.conversion };
        let enough = (REST * whole).max(CONVERSIONS_REST * converted / piece.seconds_per_round().max(1e-9));
        if left < enough && self.calibration == Calibration::WherePaid {
            self.report.reason = Reason::Brief;
            self.stage = Stage::Settled;
            return;
        }
        self.try_all();
    }

    fn try_all(&mut self) {
        // Sets of the kind at hand first, then rings, which become heaps at little cost.
        let mut order: Vec<PendingSet> = self.sets.clone();
        let at_hand = self.report.set;
        order.sort_by_key(|&set| (set != at_hand, set.kind() != at_hand.kind(), !set.is_ring()));
        let backwards = order.clone().into_iter().rev();
        self.figures.fill(Figures::default());
        let order = order.into_iter().chain(backwards).collect();
        self.stage = Stage::Trying(Trial { order, seconds: f64::MAX, least_seconds: f64::MAX, ..Trial::default() });
    }

    fn tried(&mut self, piece: Piece, progress: &Progress) {
        let Stage::Trying(trial) = &mut self.stage else { return };
        join(&mut trial.whole, &piece);
        let Some(&set) = trial.order.front() else { return };
        let place = self.sets.iter().position(|&other| other == set).unwrap_or(0);
        if trial.warm < WARM {
            trial.warm += 1;
            trial.seconds = trial.seconds.min(piece.seconds_per_round());
            let hopeless = trial.seconds > HOPELESS * trial.least_seconds;
            if trial.warm < WARM || !hopeless || self.calibration == Calibration::Always {
                return;
            }
            trial.order.retain(|&other| other != set);
        } else {
            trial.order.pop_front();
        }
        self.figures[place].add(&piece);
        trial.least_seconds = trial.least_seconds.min(trial.seconds);
        // Where the next one is the same, it is still warm.
        if trial.order.front() != Some(&set) {
            (trial.warm, trial.seconds) = (0, f64::MAX);
        }
        if trial.order.is_empty() {
            let whole = trial.whole;
            self.pick(whole, progress);
        }
    }

    /// Picks the fastest, or stays.
    fn pick(&mut self, whole: Piece, progress: &Progress) {
        let rate = |figures: &Figures| figures.all.events_per_second();
        let of = |set| self.sets.iter().position(|&other| other == set).unwrap_or(0);
        let now = self.figures[of(self.report.set)];
        let fastest = (0..self.sets.len()).max_by(|&a, &b| rate(&self.figures[a]).total_cmp(&rate(&self.figures[b])));
        let fastest = fastest.unwrap_or(0);
        let best = self.figures[fastest];
        let margin = if self.report.calibrations == 0 { MARGIN } else { LATER_MARGIN };
        let margin = margin.max(now.spread().max(best.spread()) / 2.0);
        let another = rate(&best) > rate(&now) * (1.0 + margin);
        let kept = if another { best } else { now };
        if another {
            self.report.set = self.sets[fastest];
            self.report.switches += 1;
        }
        self.unchanged = if another { 0 } else { self.unchanged + 1 };
        self.report.calibrations += 1;
        self.report.reason = Reason::Measured;
        self.report.tried = self.all_tried();
        let cost = (whole.time.as_secs_f64() - whole.events as f64 / rate(&kept).max(1e-9)).max(1e-6);
        self.report.cost += Duration::from_secs_f64(cost);
        let wait = cost * PATIENCE * f64::from(1 << self.unchanged.min(6));
        let events_per_round = whole.events as f64 / whole.rounds.max(1) as f64;
        self.picked = Some(Picked { at: *progress, events_per_round, wait });
        self.stage = Stage::Settled;
    }

    /// Whether sets should be tried again.
    pub(super) fn due(&self, progress: &Progress) -> bool {
        let Some(Picked { at, events_per_round, wait }) = self.picked else { return false };
        let passed = progress.elapsed.saturating_sub(at.elapsed).as_secs_f64();
        let rounds = progress.rounds.saturating_sub(at.rounds).max(1) as f64;
        let now = progress.events.saturating_sub(at.events) as f64 / rounds;
        let changed = (now / events_per_round.max(1e-9)).max(events_per_round / now.max(1e-9)) > CHANGED;
        let ticks = |from: u64, to: u64| to.saturating_sub(from) as f64;
        let covered = ticks(at.clock.ticks(), progress.clock.ticks()).max(1.0);
        let left = ticks(progress.clock.ticks(), progress.until.ticks()) / covered * passed;
        let wait = if changed { wait / IMPATIENCE } else { wait };
        passed >= wait && left >= wait / IMPATIENCE
    }

    /// Tries all sets again.
    pub(super) fn again(&mut self) {
        self.try_all();
    }

    fn all_tried(&self) -> Vec<TriedSet> {
        let tried = self.sets.iter().zip(&self.figures).filter(|(_, figures)| figures.all.events > 0);
        let of_set = |(&set, Figures { all, .. }): (&PendingSet, &Figures)| TriedSet {
            set,
            events: all.events,
            events_per_second: all.events_per_second(),
        };
        tried.map(of_set).collect()
    }

    /// Goes on with a set to the end.
    pub(super) fn stop(&mut self, set: PendingSet) {
        self.report.set = set;
        self.picked = None;
        self.stage = Stage::Settled;
    }

    /// What to say of a run that has ended with a set.
    pub(super) fn report(&self, set: PendingSet) -> PendingReport {
        let mut report = PendingReport { set, ..self.report.clone() };
        if report.reason != Reason::Measured {
            report.tried = self.all_tried();
        }
        report
    }
}

#[cfg(test)]
#[path = "chooser/tests.rs"]
mod tests;

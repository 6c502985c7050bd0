//! The number of rounds in a submission.

use std::time::Duration;

use super::Control;
use tickless_device::AdapterKind;

/// Rounds in a submission.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// assert_eq!(tickless::engine::BatchSize::default(), tickless::engine::BatchSize::Adaptive);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchSize {
    /// About 30 ms of device time: no watchdog fires, and Ctrl-C answers at once.
    #[default]
    Adaptive,
    /// Always this number (at least 1).
    Rounds(u32),
}

/// The aim for the duration of an adaptive batch.
const TARGET: Duration = Duration::from_millis(30);
/// The most that a batch may be longer than the batch before: encoding a round takes about half as long as a fast
/// device takes to run it, so the next batch is ready when the one under way ends.
const GROWTH: f64 = 2.0;
/// Encoding more rounds takes longer than it saves.
const MOST: u32 = 4096;

/// Plans batches from the times and the progress of finished ones.
#[derive(Debug)]
pub(super) struct Planner {
    size: BatchSize,
    first: u32,
    last: u32,
    seconds_per_round: f64,
    ticks_per_round: f64,
    remaining: Option<f64>,
    under_way: u32,
    /// Rounds that had work since the phase began.
    ran: u32,
    /// Whether the phase ended for want of room.
    full: bool,
}

impl Planner {
    /// A planner for an adapter of a kind.
    pub(super) fn new(size: BatchSize, kind: AdapterKind) -> Self {
        // The size until a batch has ended. A software adapter can take a second for a few rounds of a large model, and
        // no Ctrl-C is seen before; a graphics card takes a millisecond for its largest.
        let first = match kind {
            AdapterKind::Software => 2,
            AdapterKind::Discrete => 32,
            _ => 8,
        };
        Self {
            size,
            first,
            last: first,
            seconds_per_round: 0.0,
            ticks_per_round: 0.0,
            remaining: None,
            under_way: 0,
            ran: 0,
            full: false,
        }
    }

    /// The same with batches of one round until the first has ended.
    pub(super) fn carefully(&mut self) {
        (self.first, self.last) = (1, 1);
    }

    /// The size of the next batch.
    pub(super) fn next(&mut self) -> u32 {
        let rounds = match self.size {
            BatchSize::Rounds(rounds) => rounds.clamp(1, MOST),
            BatchSize::Adaptive => self.adapted(),
        };
        self.last = rounds;
        self.under_way += rounds;
        rounds
    }

    fn adapted(&self) -> u32 {
        let mut rounds = f64::from(self.last);
        if self.seconds_per_round > 0.0 {
            rounds = (rounds * GROWTH).min(TARGET.as_secs_f64() / self.seconds_per_round);
        }
        if let Some(remaining) = self.remaining {
            // A little more than the horizon seems to need, so that one more batch is seldom necessary.
            rounds = rounds.min(remaining * 1.02 + 4.0 - f64::from(self.under_way));
        }
        (rounds as u32).clamp(1, MOST)
    }

    /// Takes in a finished batch of `rounds` rounds, `ran` of which had work, and the state before and after it.
    pub(super) fn finished(&mut self, rounds: u32, time: Duration, before: &Control, after: &Control) {
        self.under_way = self.under_way.saturating_sub(rounds);
        let ran = after.finished.wrapping_sub(before.finished);
        self.ran = self.ran.saturating_add(ran);
        self.full = after.room != 0;
        if self.full {
            // Later batches do nothing, and the next phase is likely to end as early: its first batch has this size.
            self.last = self.ran.div_ceil(2).max(1);
        }
        if ran > 0 {
            self.seconds_per_round = time.as_secs_f64() / f64::from(rounds);
            self.ticks_per_round = after.bound.saturating_sub(before.bound) as f64 / f64::from(ran);
            let left = after.limit.saturating_sub(after.bound) as f64;
            self.remaining = (self.ticks_per_round > 0.0).then(|| left / self.ticks_per_round);
        }
    }

    /// A new phase: the horizon has moved.
    pub(super) fn moved(&mut self) {
        self.remaining = None;
        if !self.full {
            self.last = self.last.max(self.first);
        }
        self.full = false;
        self.ran = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    const FIRST: u32 = 2;

    fn state(round: u32, bound: u64) -> Control {
        Control { finished: round, bound, limit: 1 << 40, ..Control::zeroed() }
    }

    #[test]
    fn a_batch_grows_to_its_target_and_no_further() {
        let mut planner = Planner::new(BatchSize::Adaptive, AdapterKind::Software);
        let (mut round, mut sizes) = (0, vec![]);
        for _ in 0..12 {
            let rounds = planner.next();
            let before = state(round, u64::from(round) << 10);
            round += rounds;
            planner.finished(
                rounds,
                Duration::from_micros(100) * rounds,
                &before,
                &state(round, u64::from(round) << 10),
            );
            sizes.push(rounds);
        }
        assert_eq!(sizes[..4], [2, 4, 8, 16]);
        assert!((299..=300).contains(&sizes[11]), "{sizes:?}");
    }

    #[test]
    fn the_last_batch_is_as_long_as_the_horizon_needs() {
        let mut planner = Planner::new(BatchSize::Adaptive, AdapterKind::Software);
        let rounds = planner.next();
        let end = Control { limit: 40 * 1024, ..state(rounds, u64::from(rounds) * 1024) };
        planner.finished(rounds, Duration::from_micros(2), &state(0, 0), &end);
        let planned: u32 = (0..6).map(|_| planner.next()).sum();
        assert!((39..=48).contains(&planned), "{planned}");
    }

    #[test]
    fn batches_grow_only_once_one_is_measured() {
        let mut planner = Planner::new(BatchSize::Adaptive, AdapterKind::Software);
        assert_eq!([planner.next(), planner.next(), planner.next()], [FIRST; 3]);
        planner.finished(FIRST, Duration::from_secs(1), &state(0, 0), &state(FIRST, 1024));
        assert_eq!(planner.next(), 1);
    }

    #[test]
    fn a_careful_planner_begins_with_one_round() {
        let mut planner = Planner::new(BatchSize::Adaptive, AdapterKind::Discrete);
        planner.carefully();
        assert_eq!([planner.next(), planner.next()], [1; 2]);
        planner.finished(1, Duration::from_micros(10), &state(0, 0), &state(1, 1024));
        assert_eq!([planner.next(), planner.next()], [2, 4]);
        planner.moved();
        assert_eq!(planner.next(), 8);
    }

    #[test]
    fn a_phase_that_ends_for_room_is_followed_by_one_as_short() {
        let mut planner = Planner::new(BatchSize::Adaptive, AdapterKind::Discrete);
        let mut before = state(0, 0);
        let mut phase = |planner: &mut Planner, ran: u32| {
            let first = planner.next();
            let full = Control { room: 1, ..state(before.finished + ran, before.bound + 1024) };
            planner.finished(first, Duration::from_micros(100), &before, &full);
            before = Control { room: 0, ..full };
            let behind = planner.next();
            planner.finished(behind, Duration::from_micros(1), &before, &Control { room: 1, ..before });
            planner.moved();
            first
        };
        assert_eq!([phase(&mut planner, 10), phase(&mut planner, 1), phase(&mut planner, 1)], [32, 10, 2]);
        assert_eq!(planner.next(), 2);
    }

    #[test]
    fn a_fixed_size_is_kept() {
        let mut planner = Planner::new(BatchSize::Rounds(0), AdapterKind::Discrete);
        assert_eq!((planner.next(), planner.next()), (1, 1));
    }
}

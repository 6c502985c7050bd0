//! The progress of a run on a device now and then.

use crate::time::Time;

/// The most moments of a run.
const MOST: usize = 1024;

/// The progress of a run on a device after a batch of rounds.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{run::Moment, time::Time};
/// let at = |rounds, events| Moment { rounds, events, clock: Time::ZERO };
/// let (earlier, later) = (at(10, 500), at(20, 1500));
/// assert_eq!(later.events_a_round_since(&earlier), Some(100.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Rounds so far.
    pub rounds: u64,
    /// Events so far.
    pub events: u64,
    /// Every event before this time has happened.
    pub clock: Time,
}

impl Moment {
    /// The mean number of events in the rounds since an earlier moment; `None` where there was no round.
    pub fn events_a_round_since(&self, earlier: &Self) -> Option<f64> {
        let rounds = self.rounds.checked_sub(earlier.rounds).filter(|rounds| *rounds > 0)?;
        Some(self.events.saturating_sub(earlier.events) as f64 / rounds as f64)
    }
}

/// Notes moments: all at first, then every second of them, every fourth and so on, so that they stay few.
#[derive(Clone, Debug)]
pub struct Moments {
    noted: Vec<Moment>,
    /// Batches between two noted moments.
    stride: u64,
    seen: u64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { noted: vec![], stride: 1, seen: 0 }
    }
}

impl Moments {
    #[doc(hidden)]
    pub fn note(&mut self, moment: Moment) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        if self.noted.len() == MOST {
            // The moments at even numbers of the stride are left.
            let mut place = 0;
            self.noted.retain(|_| {
                place += 1;
                place % 2 == 0
            });
            self.stride *= 2;
            if !self.seen.is_multiple_of(self.stride) {
                return;
            }
        }
        self.noted.push(moment);
    }

    /// The noted moments, in order.
    #[doc(hidden)]
    pub fn all(&self) -> &[Moment] {
        &self.noted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(rounds: u64) -> Moment {
        Moment { rounds, events: 3 * rounds, clock: Time::ZERO }
    }

    #[test]
    fn they_stay_few_and_equally_far_apart() {
        for count in [1, 2, MOST, MOST + 1, 2 * MOST, 10_000, 100_003] {
            let mut moments = Moments::default();
            (1..=count as u64).for_each(|rounds| moments.note(at(rounds)));
            let all = moments.all();
            assert!(all.len() <= MOST && all.len() >= count.min(MOST / 2), "{count}: {}", all.len());
            let apart = all[0].rounds;
            assert!(all.iter().zip(1..).all(|(moment, number)| moment.rounds == apart * number), "{count}");
            assert!(all[all.len() - 1].rounds + apart > count as u64, "{count}");
        }
    }

    #[test]
    fn without_rounds_there_is_no_mean() {
        assert_eq!(at(9).events_a_round_since(&at(4)), Some(3.0));
        assert_eq!((at(9).events_a_round_since(&at(9)), at(4).events_a_round_since(&at(9))), (None, None));
    }
}

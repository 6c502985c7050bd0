//! Rounds that begin at the same time, one after the other.

use std::time::Instant;

use tickless_core::run::{FEW_CYCLES, PATIENCE};

/// The rounds of a livelock so far, and the most allowed.
pub(super) struct Standing {
    /// Rounds in a row that have begun at the same earliest time.
    rounds: u64,
    most: u64,
    /// When a run that is to end no longer waits for its time to go on.
    waits_until: Option<Instant>,
}

impl Standing {
    /// For a model whose time never stands still for ever.
    pub(super) fn unlimited() -> Self {
        Self { rounds: 0, most: u64::MAX, waits_until: None }
    }

    /// Sets the most rounds that may begin at the same time.
    pub(super) fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// The run is to end, and waits only a little longer.
    pub(super) fn is_to_end(&mut self) {
        self.waits_until = Some(Instant::now() + PATIENCE);
    }

    /// The run does not end after all.
    pub(super) fn goes_on(&mut self) {
        self.waits_until = None;
    }

    /// `rounds` more rounds have ended, at the same time as those before or at a later one.
    pub(super) fn ended(&mut self, rounds: u32, same_time: bool) {
        self.rounds = if same_time { self.rounds + u64::from(rounds) } else { 0 };
    }

    /// The number of rounds, where it is too large. Time that stops since the limit is reached is
    /// no livelock.
    pub(super) fn too_many(&self, running: bool) -> Option<u64> {
        let late = self.most != u64::MAX && self.waits_until.is_some_and(|until| Instant::now() > until);
        let most = if late { FEW_CYCLES } else { self.most };
        (running && self.rounds > most).then_some(self.rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rounds_that_run_stand_still() {
        let mut standing = Standing::unlimited();
        standing.limit(10);
        standing.ended(10, true);
        assert_eq!(standing.too_many(true), None);
        standing.ended(1, true);
        assert_eq!([true, false].map(|running| standing.too_many(running)), [Some(11), None]);
        standing.ended(5, false);
        assert_eq!(standing.too_many(true), None);
    }

    #[test]
    fn a_run_that_is_to_end_waits_for_fewer() {
        let standing = |most, rounds| {
            let waits_until = Some(Instant::now() - PATIENCE);
            Standing { rounds, most, waits_until }.too_many(true)
        };
        assert_eq!(standing(1000, FEW_CYCLES), None);
        assert_eq!(standing(1000, FEW_CYCLES + 1), Some(FEW_CYCLES + 1));
        assert_eq!(standing(u64::MAX, 1000), None);
    }
}

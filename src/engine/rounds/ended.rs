//! The run of ended rounds.

use std::time::Duration;

use super::Rounds;
use tickless_core::run::Run;

impl Rounds {
    /// Adds the times and counts of these rounds to a run of several parts.
    #[doc(hidden)]
    pub fn add_to<O, D>(&self, run: &mut Run<O, D>) {
        run.wall += self.wall;
        run.rounds = run.rounds.map(|before| before + self.rounds());
        run.device = self.device.map(|time| run.device.unwrap_or_default() + time);
        run.add_timings(&self.timings());
        if run.moments.is_empty() {
            run.moments = self.moments.all().to_vec();
        }
    }

    /// The run of these rounds, up to their clock.
    #[doc(hidden)]
    pub fn run<O, D>(&self, setup: Duration, interrupted: bool, outcome: O, details: D) -> Run<O, D> {
        Run {
            outcome,
            events: self.control.events,
            rounds: Some(self.rounds()),
            clock: self.clock(),
            wall: self.wall,
            device: self.device,
            setup,
            timings: self.timings(),
            moments: self.moments.all().to_vec(),
            interrupted,
            threads: None,
            details,
        }
    }
}

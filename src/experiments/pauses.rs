//! A watch of tests, which pauses runs.

use std::ops::ControlFlow;

use tickless_core::run::{Pause, Progress, Watch};

/// Pauses after so many replications.
pub(super) struct Pauses(pub(super) u32);

impl Watch for Pauses {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn pause(&mut self, place: Pause) -> bool {
        assert_eq!(place, Pause::BetweenReplications);
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

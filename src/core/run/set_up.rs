//! Large states at time 0, which take seconds to make: a watch is asked meanwhile.

use std::time::Instant;

use super::Watch;

/// A [`Watch`] ended the set-up of a run on the heap: there is no result, since nothing has happened.
///
/// ```
/// let error = tickless::queueing::QueueingError::from(tickless::run::Interrupted);
/// assert_eq!(error.to_string(), "interrupted before the first event: nothing has been simulated");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted before the first event: nothing has been simulated")]
pub struct Interrupted;

/// Parts of a state between two questions: a few milliseconds.
const EVERY: u64 = 1 << 16;

/// Asks a watch now and then.
pub struct Asking<'a> {
    watch: &'a mut dyn Watch,
    begin: Instant,
    parts: u64,
}

impl<'a> Asking<'a> {
    #[doc(hidden)]
    pub fn new(watch: &'a mut dyn Watch) -> Self {
        Self { watch, begin: Instant::now(), parts: 0 }
    }

    /// Counts `parts` more parts of the state.
    ///
    /// # Errors
    /// [`Interrupted`] where the watch says so.
    #[inline]
    #[doc(hidden)]
    pub fn made(&mut self, parts: u64) -> Result<(), Interrupted> {
        self.parts += parts;
        if self.parts < EVERY {
            return Ok(());
        }
        self.parts = 0;
        if self.watch.set_up(self.begin.elapsed()).is_break() { Err(Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::*;
    use crate::run::Progress;

    struct Stops(u32);

    impl Watch for Stops {
        fn look(&mut self, _: &Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Break(())
        }
    }

    #[test]
    fn small_states_are_made_unasked() {
        let mut stops = Stops(0);
        let mut asking = Asking::new(&mut stops);
        assert_eq!((asking.made(1), asking.made(EVERY - 2)), (Ok(()), Ok(())));
        assert_eq!((asking.made(1), asking.made(1)), (Err(Interrupted), Ok(())));
        assert_eq!(asking.made(EVERY), Err(Interrupted));
        assert_eq!(stops.0, 2);
    }
}

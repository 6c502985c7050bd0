//! A run on a device: rounds until a time, and what models do between them.

use std::time::Instant;

use super::rounds::Rounds;
use crate::device::DeviceError;
use crate::run::{Watch, unwatched};
use crate::time::Time;

/// A model at work. Rounds stop at the limit, and before it for a fault or for want of room; a family says what a fault means,
/// how room is made, and how far the first of all may be ahead of the others.
pub(crate) trait DeviceRun {
    type Error: From<DeviceError>;

    fn rounds(&mut self) -> &mut Rounds;

    /// The horizon that progress is shown against.
    fn until(&self) -> Time;

    /// Looks at why rounds have stopped, and makes room where there was none. Returns whether they go on for that.
    ///
    /// # Errors
    /// What the fault word says; room that cannot be made.
    fn make_room(&mut self) -> Result<bool, Self::Error>;

    /// Nothing that is at this time or later has happened when a watch stops the rounds.
    ///
    /// # Errors
    /// A lost device.
    fn furthest(&mut self) -> Result<Time, Self::Error> {
        Ok(self.rounds().clock())
    }

    /// Runs every event before `limit`, or before the clock at which the watch stops it: what is behind others catches up.
    /// Returns whether the watch stopped it.
    ///
    /// # Errors
    /// A lost device; what [`DeviceRun::make_room`] returns.
    fn run_until(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, Self::Error> {
        let until = self.until();
        loop {
            let stopped = self.rounds().run_until(limit, until, watch)?;
            let begin = Instant::now();
            let goes_on = self.make_room()?;
            self.rounds().spend(begin.elapsed());
            // Nobody has looked at rounds that stop for want of room.
            let interrupted = stopped || goes_on && watch.look(&self.rounds().progress(until)).is_break();
            if interrupted {
                let clock = self.furthest()?;
                self.rounds().is_to_end();
                self.run_until(limit.min(clock), &mut unwatched())?;
            }
            if interrupted || !goes_on {
                return Ok(interrupted);
            }
        }
    }
}

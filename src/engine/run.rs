//! A run on a device: rounds until a time, and the model's work between them.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::rounds::Rounds;
use tickless_core::run::{Pause, Progress, SnapshotWatch, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::DeviceError;

/// A model at work. Rounds stop at the limit, and before it for a fault or for want of room; a family says what a fault means,
/// how to make room, and how far the first entity may be ahead of the others.
pub trait DeviceRun {
    /// The error of a run of the family.
    type Error: From<DeviceError>;

    /// The rounds under way.
    fn rounds(&mut self) -> &mut Rounds;

    /// The horizon, for showing progress.
    fn until(&self) -> Time;

    /// Finds out why rounds have stopped, and makes room where it was missing. Returns whether rounds go on.
    ///
    /// # Errors
    /// The error of the fault word; room that cannot be made.
    fn make_room(&mut self) -> Result<bool, Self::Error>;

    /// The time at which, or later, no event has happened when a watch stops the rounds.
    ///
    /// # Errors
    /// A lost device.
    fn furthest(&mut self) -> Result<Time, Self::Error> {
        Ok(self.rounds().clock())
    }

    /// Runs every event before `limit`, or before the clock at which the watch stops it: entities behind the others catch
    /// up. Returns whether the watch stopped it.
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
            // The watch has not seen rounds that stopped for want of room.
            let interrupted = stopped || goes_on && watch.look(&self.rounds().progress(until)).is_break();
            if interrupted {
                let begin = Instant::now();
                let clock = self.furthest()?;
                self.rounds().spend(begin.elapsed());
                self.rounds().is_to_end();
                self.run_until(limit.min(clock), &mut unwatched())?;
            }
            if interrupted || !goes_on {
                return Ok(interrupted);
            }
        }
    }

    /// The same, but a paused run goes on as soon as `snapshot` has copied its state; where it copies nothing, the run ends.
    ///
    /// # Errors
    /// As [`DeviceRun::run_until`]; the error of `snapshot`.
    fn run_with_snapshots<S>(
        &mut self,
        limit: Time,
        watch: &mut dyn SnapshotWatch<S>,
        mut snapshot: impl FnMut(&mut Self) -> Result<Option<S>, Self::Error>,
    ) -> Result<bool, Self::Error> {
        loop {
            let mut noting = Noting { watch: &mut *watch, ends: false };
            let interrupted = self.run_until(limit, &mut noting)?;
            if !interrupted || noting.ends || !watch.takes_snapshots() {
                return Ok(interrupted);
            }
            if self.rounds().clock() >= limit {
                // The entities behind have caught up with the limit.
                return Ok(false);
            }
            let begin = Instant::now();
            let Some(taken) = snapshot(self)? else { return Ok(true) };
            watch.take(taken);
            self.rounds().goes_on(begin.elapsed());
        }
    }
}

/// A watch that tells an end from a pause.
struct Noting<'a> {
    watch: &'a mut dyn Watch,
    ends: bool,
}

impl Watch for Noting<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let next = self.watch.look(progress);
        self.ends |= next.is_break();
        next
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }

    fn pause(&mut self, place: Pause) -> bool {
        self.watch.pause(place)
    }
}

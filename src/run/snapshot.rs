//! A run that goes on while a checkpoint is made of it as it stood.

use std::ops::ControlFlow;
use std::time::Duration;

use super::{Pause, Progress, Run, Watch};

/// A run as it stood when it was copied: it makes what another run goes on from, later and on any thread.
pub(crate) type Snapshot<C, D, E> = Box<dyn FnOnce() -> Result<Run<C, D>, E> + Send>;

/// A watch that takes snapshots of the run that it pauses, which then goes on.
pub(crate) trait SnapshotWatch<S>: Watch {
    /// Whether it takes any. Where it takes none a run that pauses ends.
    fn takes_snapshots(&self) -> bool;

    /// Takes one, which it asked for by a pause.
    fn take(&mut self, snapshot: S);

    /// Waits until the snapshots that it has taken need no more memory: the run is about to read its result.
    fn settle(&mut self);
}

/// A watch that takes no snapshot.
pub(crate) struct WithoutSnapshots<'a>(pub(crate) &'a mut dyn Watch);

impl<S> SnapshotWatch<S> for WithoutSnapshots<'_> {
    fn takes_snapshots(&self) -> bool {
        false
    }

    fn take(&mut self, _: S) {}

    fn settle(&mut self) {}
}

impl Watch for WithoutSnapshots<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.0.look(progress)
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.0.set_up(elapsed)
    }

    fn pause(&mut self, place: Pause) -> bool {
        self.0.pause(place)
    }
}

/// A watch whose snapshots are made of others.
pub(crate) struct Mapped<'a, T, F> {
    pub(crate) watch: &'a mut dyn SnapshotWatch<T>,
    pub(crate) map: F,
}

impl<S, T, F: FnMut(S) -> T> SnapshotWatch<S> for Mapped<'_, T, F> {
    fn takes_snapshots(&self) -> bool {
        self.watch.takes_snapshots()
    }

    fn take(&mut self, snapshot: S) {
        let mapped = (self.map)(snapshot);
        self.watch.take(mapped);
    }

    fn settle(&mut self) {
        self.watch.settle();
    }
}

impl<T, F> Watch for Mapped<'_, T, F> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.watch.look(progress)
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }

    fn pause(&mut self, place: Pause) -> bool {
        self.watch.pause(place)
    }
}

//! Runs that resume from checkpoints, and snapshots: checkpoints of a run that goes on meanwhile.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::{Pause, Progress, Run, Watch};

/// A model whose run ends with a checkpoint, from which another run resumes. It begins at time 0, or at a checkpoint. The `run` of a
/// family takes it in place of the model.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, processes::{self, Phold}, run::{Progress, Restartable, unwatched}};
/// let model = Phold::new(64).until(50.0).check()?;
/// let mut stop = |_: &Progress| ControlFlow::Break(());
/// let first = processes::run(Restartable { model: &model, from: None }, Target::Heap, Default::default(), &mut stop)?;
/// let rest = Restartable { model: &model, from: Some(&first.outcome) };
/// let rest = processes::run(rest, Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(rest.outcome.outcome, whole.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Restartable<'a, M, C> {
    /// The model.
    pub model: &'a M,
    /// The checkpoint from which the run resumes; `None` for time 0.
    pub from: Option<&'a C>,
}

impl<'a, M, C> From<&'a M> for Restartable<'a, M, C> {
    fn from(model: &'a M) -> Self {
        Self { model, from: None }
    }
}

/// The same on a device whose watch takes snapshots.
#[derive(Debug)]
pub struct Snapshotted<'a, M, C> {
    #[doc(hidden)]
    pub model: &'a M,
    #[doc(hidden)]
    pub from: Option<&'a Arc<C>>,
}

/// A run as it stood when it was copied: the function makes its checkpoint, later and on any thread.
pub type Snapshot<C, D, E> = Box<dyn FnOnce() -> Result<Run<C, D>, E> + Send>;

/// A watch that takes snapshots of a run at its pauses, after which the run goes on.
pub trait SnapshotWatch<S>: Watch {
    /// Whether it takes snapshots. Otherwise a run that pauses ends.
    fn takes_snapshots(&self) -> bool;

    /// Takes the snapshot for which it asked by a pause.
    fn take(&mut self, snapshot: S);

    /// Waits until its snapshots need no more memory: the run is about to read its result.
    fn settle(&mut self);
}

/// A watch that takes no snapshot.
pub struct WithoutSnapshots<'a>(pub &'a mut dyn Watch);

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

/// A watch whose snapshots are made from those of another type.
pub struct Mapped<'a, T, F> {
    #[doc(hidden)]
    pub watch: &'a mut dyn SnapshotWatch<T>,
    #[doc(hidden)]
    pub map: F,
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

/// For tests: takes a snapshot at every second look, and ends the run after some looks if asked to.
pub struct Takes<S> {
    /// How often the run has looked at the watch.
    pub looks: u32,
    ends: Option<u32>,
    /// The snapshots taken.
    pub snapshots: Vec<S>,
    /// Whether no more snapshots come.
    pub is_settled: bool,
}

impl<S> Takes<S> {
    /// Ends the run after `looks` looks.
    pub fn ending(looks: u32) -> Self {
        Self { ends: Some(looks), ..Self::default() }
    }
}

impl<S> Default for Takes<S> {
    fn default() -> Self {
        Self { looks: 0, ends: None, snapshots: vec![], is_settled: false }
    }
}

impl<S> Watch for Takes<S> {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        self.looks += 1;
        let ends = self.ends.is_some_and(|most| self.looks >= most);
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pause(&mut self, _: Pause) -> bool {
        self.looks.is_multiple_of(2)
    }
}

impl<S> SnapshotWatch<S> for Takes<S> {
    fn takes_snapshots(&self) -> bool {
        true
    }

    fn take(&mut self, snapshot: S) {
        assert!(!self.is_settled);
        self.snapshots.push(snapshot);
    }

    fn settle(&mut self) {
        self.is_settled = true;
    }
}

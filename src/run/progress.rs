//! How a caller watches a run and stops it.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::time::Time;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Every event before this time has happened.
    pub clock: Time,
    /// The horizon.
    pub until: Time,
    /// Events so far.
    pub events: u64,
    /// Rounds so far; 0 on the heap simulator.
    pub rounds: u64,
    /// Wall-clock time since the first event.
    pub elapsed: Duration,
}

/// Called now and then during a run (each batch on a device, every few thousand events on the heap, sooner where they
/// take long).
///
/// [`ControlFlow::Break`] ends the run early: what it has counted so far is kept and marked as interrupted.
/// Every `FnMut(&Progress) -> ControlFlow<()>` is a `Watch`; [`unwatched`] never stops a run.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, processes::{self, Phold}};
/// let model = Phold::new(1024).until(1e6).check()?;
/// let mut stop = |_: &tickless::run::Progress| ControlFlow::Break(());
/// let run = processes::run(&model, Target::Heap, Default::default(), &mut stop)?;
/// assert!(run.interrupted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Watch {
    /// Looks at the progress and says whether to go on.
    fn look(&mut self, progress: &Progress) -> ControlFlow<()>;
}

impl<F: FnMut(&Progress) -> ControlFlow<()>> Watch for F {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self(progress)
    }
}

/// A [`Watch`] that lets every run go on to its horizon.
pub fn unwatched() -> impl Watch {
    |_: &Progress| ControlFlow::Continue(())
}

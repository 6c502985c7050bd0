//! What every backend gives back, and how a caller watches and stops a run.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::statistics::Outcome;
use crate::time::Time;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Every event before this time has happened.
    pub clock: Time,
    /// The horizon.
    pub until: Time,
    /// Events (service completions) so far.
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
/// use tickless::queueing::{Torus, reference};
/// let model = Torus::new(32, 32).until(1e6).check()?;
/// let run = reference::simulate(&model, &mut |_: &tickless::run::Progress| ControlFlow::Break(()))?;
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

/// How well stations kept each other at work in a run by appointments (Nicol 1988).
///
/// ```
/// use tickless::{run::Appointments, time::Time};
/// let mut both = Appointments { working: 0.2, drift: Time::from_ticks(7) };
/// both.join(100, &Appointments { working: 0.4, drift: Time::from_ticks(5) }, 300);
/// assert!((both.working - 0.35).abs() < 1e-12);
/// assert_eq!(both.drift, Time::from_ticks(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appointments {
    /// The share of stations that decided a visit in a round, in the mean over rounds; from 0 to 1.
    pub working: f64,
    /// How far beyond the earliest arrival that was not decided yet one was, at most, to a part in 2³¹ of the horizon.
    pub drift: Time,
}

impl Appointments {
    /// Those of two runs, after so many rounds of the first and of the second.
    pub fn join(&mut self, rounds: u64, other: &Self, more: u64) {
        let part = more as f64 / (rounds + more).max(1) as f64;
        self.working += (other.working - self.working) * part;
        self.drift = self.drift.max(other.drift);
    }
}

/// A finished or interrupted run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The statistics of every facility.
    pub outcome: Outcome,
    /// Events (service completions) over the whole run, the warm-up included.
    pub events: u64,
    /// Rounds, where the backend works in rounds.
    pub rounds: Option<u64>,
    /// What appointments say of themselves, where it made any.
    pub appointments: Option<Appointments>,
    /// Every event before this time has happened: the horizon, or where an interruption came.
    pub clock: Time,
    /// From the start of the simulation proper to its last event.
    pub wall: Duration,
    /// Time that the device itself was busy with rounds, where it can tell.
    pub device: Option<Duration>,
    /// Everything before: buffers, kernels, the initial state.
    pub setup: Duration,
    /// What each kernel of a round took, where the device was opened to time them; else empty.
    pub timings: Vec<crate::device::KernelTime>,
    /// Whether a [`Watch`] ended it before the horizon.
    pub interrupted: bool,
}

impl Run {
    /// Events per second of [`Run::wall`].
    pub fn completions_per_second(&self) -> f64 {
        self.events as f64 / self.wall.as_secs_f64().max(1e-9)
    }
}

//! The result of every backend for every family of models, and how a caller watches and stops a run.

mod appointments;
mod cores;
mod difference;
mod digest;
mod mode;
mod moments;
mod progress;
mod set_up;
mod snapshot;
mod standing;
mod sums;

use std::time::Duration;

use serde::Serialize;

use crate::time::Time;

pub use appointments::Appointments;
#[doc(hidden)]
pub use cores::{cores, replications};
pub use difference::{Difference, Place};
pub use digest::Digest;
#[doc(hidden)]
pub use mode::{RunMode, Wanted};
pub use moments::Moment;
#[doc(hidden)]
pub use moments::Moments;
#[doc(hidden)]
pub use progress::{Adding, Whole};
pub use progress::{Pause, Progress, Watch, unwatched};
#[doc(hidden)]
pub use set_up::Asking;
pub use set_up::Interrupted;
pub use snapshot::Restartable;
#[doc(hidden)]
pub use snapshot::{Mapped, Snapshot, SnapshotWatch, Snapshotted, Takes, WithoutSnapshots};
#[doc(hidden)]
pub use standing::{FEW_CYCLES, PATIENCE};
#[doc(hidden)]
pub use sums::{Record, RecordKind, Sums};

/// A finished or interrupted run.
///
/// `outcome` is the same in equal runs: it has a digest and a first difference. `details` is specific to the family of
/// models, `()` where there is nothing.
///
/// ```
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let run = processes::run(&Phold::new(16).check()?, Target::Heap, Default::default(), &mut unwatched())?;
/// assert!(run.events_per_second() > 0.0 && !run.interrupted);
/// assert_eq!((run.rounds, run.device), (None, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run<O, D = ()> {
    /// The records at the end.
    pub outcome: O,
    /// Events over the whole run, the warm-up included. Each family says what it counts.
    pub events: u64,
    /// Rounds, where the backend works in rounds.
    pub rounds: Option<u64>,
    /// Every event before this time has happened: the horizon, or where an interruption came.
    pub clock: Time,
    /// From the first event to the last.
    pub wall: Duration,
    /// Time that the device itself was busy with rounds, where it can tell.
    pub device: Option<Duration>,
    /// Everything before the first event: buffers, kernels, the state at time 0.
    pub setup: Duration,
    /// The time of each kernel of a round, where the device was opened to time kernels; else empty.
    pub timings: Vec<KernelTime>,
    /// The progress of a device after some of its batches, at most 1,024 of them, for a run in several parts those of the first; empty on
    /// the heap, and where a run has resumed from a checkpoint.
    pub moments: Vec<Moment>,
    /// Whether a [`Watch`] ended it before the horizon.
    pub interrupted: bool,
    /// Threads of the heap on which replications or searches ran in parallel; `None` on a device.
    pub threads: Option<usize>,
    /// Details that only runs of this family have.
    pub details: D,
}

impl<D: Default> Run<(), D> {
    /// An empty run, to which others are added: on threads of the heap, or on a device.
    #[doc(hidden)]
    pub fn nothing(clock: Time, threads: Option<usize>, is_device: bool) -> Self {
        let device = is_device.then_some(Duration::ZERO);
        Self { rounds: is_device.then_some(0), device, ..Self::at(clock, (), D::default(), threads) }
    }
}

impl<O, D> Run<O, D> {
    /// A run up to a clock whose counts and times are to be set.
    #[doc(hidden)]
    pub fn at(clock: Time, outcome: O, details: D, threads: Option<usize>) -> Self {
        Self {
            outcome,
            events: 0,
            rounds: None,
            clock,
            wall: Duration::ZERO,
            device: None,
            setup: Duration::ZERO,
            timings: vec![],
            moments: vec![],
            interrupted: false,
            threads,
            details,
        }
    }

    /// Events per second of [`Run::wall`].
    pub fn events_per_second(&self) -> f64 {
        self.events as f64 / self.wall.as_secs_f64().max(1e-9)
    }

    /// Adds the counts and times of another part of the same run.
    #[doc(hidden)]
    pub fn add<P, E>(&mut self, other: &Run<P, E>) {
        self.events += other.events;
        self.rounds = self.rounds.zip(other.rounds).map(|(one, other)| one + other);
        self.device = self.device.zip(other.device).map(|(one, other)| one + other);
        (self.wall, self.setup) = (self.wall + other.wall, self.setup + other.setup);
        self.add_timings(&other.timings);
    }

    /// Adds the times of the kernels of another part, by their names.
    #[doc(hidden)]
    pub fn add_timings(&mut self, others: &[KernelTime]) {
        for other in others {
            match self.timings.iter_mut().find(|known| known.kernel == other.kernel) {
                Some(known) => known.add(other),
                None => self.timings.push(other.clone()),
            }
        }
    }

    /// The same run with another outcome.
    pub fn map<U>(self, change: impl FnOnce(O) -> U) -> Run<U, D> {
        let Self {
            outcome,
            events,
            rounds,
            clock,
            wall,
            device,
            setup,
            timings,
            moments,
            interrupted,
            threads,
            details,
        } = self;
        let outcome = change(outcome);
        Run { outcome, events, rounds, clock, wall, device, setup, timings, moments, interrupted, threads, details }
    }
}

/// The device time of a kernel over the rounds that were timed.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::run::KernelTime;
/// let time = std::time::Duration::from_millis(3);
/// let kernel = KernelTime { kernel: "engine/select".into(), dispatches: 2, time, bound_bytes: 4096, resources: None };
/// assert_eq!(kernel.time.as_micros() / u128::from(kernel.dispatches), 1500);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelTime {
    /// The kernel's label.
    pub kernel: String,
    /// The number of timed dispatches.
    pub dispatches: u64,
    /// The sum of their times.
    pub time: Duration,
    /// Bytes of the buffers that the kernel reads and writes, for several runs those of the largest: a dispatch over all of them moves as
    /// many.
    pub bound_bytes: u64,
    /// The resources that it takes of a multiprocessor, where the driver says it.
    pub resources: Option<KernelResources>,
}

impl KernelTime {
    /// Adds other dispatches of the same kernel, whose buffers may be of another size: the largest is kept.
    fn add(&mut self, other: &Self) {
        self.dispatches += other.dispatches;
        self.time += other.time;
        self.bound_bytes = self.bound_bytes.max(other.bound_bytes);
        self.resources = self.resources.or(other.resources);
    }
}

/// The resources that a kernel takes of a multiprocessor.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::run::KernelResources;
/// let resources = KernelResources { registers: 64, spilled_bytes: 0, resident_share: 0.5 };
/// assert_eq!(f64::from(resources.registers) * 2048.0 * resources.resident_share, 65_536.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KernelResources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread in memory instead of registers: variables that found no register, or have a computed index.
    pub spilled_bytes: u32,
    /// The threads that can be at work at once, as a share of the most that the multiprocessor has.
    pub resident_share: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(timings: &[(&str, u64, u64)]) -> Run<()> {
        let kernel = |(kernel, dispatches, bound_bytes): &(&str, u64, u64)| KernelTime {
            kernel: (*kernel).into(),
            dispatches: *dispatches,
            time: Duration::from_micros(10 * dispatches),
            bound_bytes: *bound_bytes,
            resources: None,
        };
        let (clock, wall) = (Time::ZERO, Duration::ZERO);
        let (rounds, device, setup, threads) = (Some(1), Some(wall), wall, None);
        let timings = timings.iter().map(kernel).collect();
        Run {
            outcome: (),
            events: 1,
            rounds,
            clock,
            wall,
            device,
            setup,
            timings,
            moments: vec![],
            interrupted: false,
            threads,
            details: (),
        }
    }

    #[test]
    fn parts_add_up_by_the_names_of_their_kernels() {
        let mut all = run(&[("select", 2, 64), ("depart", 3, 32)]);
        all.add(&run(&[("depart", 4, 128), ("arrive", 5, 16)]));
        let expected = run(&[("select", 2, 64), ("depart", 7, 128), ("arrive", 5, 16)]);
        assert_eq!((&all.timings, all.rounds, all.events), (&expected.timings, Some(2), 2));
        assert_ne!(all.timings, run(&[("select", 2, 64), ("depart", 7, 128), ("arrive", 6, 16)]).timings);
    }
}

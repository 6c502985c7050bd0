//! Logical processes on the sequential simulator, on devices and over ranks.

use std::sync::Arc;

use super::gpu::{self, DeviceModel, ProcessOptions};
use super::reference::{self, Announced, Course};
use super::{Blocks, Checkpoint, Outcome, ProcessDetails, ProcessError, ProcessModel, distributed};
use tickless_core::ranks::Ranks;
use tickless_core::run::{Restartable, Run, Snapshot, SnapshotWatch, Snapshotted, Watch, WithoutSnapshots};
use tickless_device::Target;

/// Runs a model: on a [`Target`] a model with kernels, of which a [`DeviceModel`] can be made, and over [`Ranks`] any. A model without
/// kernels runs on one heap by [`reference::run`], and kernels alone run on a device by [`gpu::run`].
///
/// Over ranks each rank is a heap with a block of the processes. Rank 0 has the result; on other ranks of other processes the outcome is
/// empty. A round goes as far as the lookahead allows: the cost of a round, some microseconds, must be small beside the events in it.
///
/// [`Restartable`] in place of the model gives a [`Checkpoint`], and begins at one: the run goes on until the watch stops it, or to the
/// horizon. Events, rounds and times are those of this run alone; records are those since time 0. The user's own buffers begin as at
/// time 0. Over ranks every rank gets the whole checkpoint, and rank 0 returns the
/// new one.
///
/// # Errors
/// [`ProcessError`]: the model breaks a rule or reports an error. On a device also a model that does not fit it (reported before
/// anything is allocated), or outgrows it or [`ProcessOptions::most_pending`], and errors of the device. Over ranks also more ranks than
/// processes, blocks that do not fit the ranks, a rank that fails or is gone. With a checkpoint also [`ProcessError::Checkpoint`] where
/// it belongs to another model.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let model = Phold::new(64).population(2).until(50.0).check()?;
/// let run = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome.statistics().pending, 128);
/// assert!((run.events as f64 / model.expected_events(50.0) - 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// # use tickless_processes::facade as tickless;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let model = Phold::new(1024).population(16).check()?;
/// let run = processes::run(&model, Target::Device(&device), Default::default(), &mut unwatched())?;
/// println!("{}", run.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Over ranks, without records: the same figures and the same digest.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::processes::{self, Phold, gpu::ProcessOptions};
/// use tickless::{device::Target, ranks::Ranks, run::{Restartable, unwatched}};
/// let model = Phold::new(64).population(2).until(50.0).check()?;
/// let alone = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?.outcome;
/// let two = || Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let options = ProcessOptions { figures_only: true, ..Default::default() };
/// let figures = processes::run(&model, two(), options, &mut unwatched())?.outcome;
/// assert_eq!((figures.statistics(), figures.digest()), (alone.statistics(), alone.digest()));
///
/// let restartable = Restartable { model: &model, from: None };
/// assert_eq!(processes::run(restartable, two(), options, &mut unwatched())?.outcome.outcome, alone);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<R: Runnable>(
    model: R,
    on: impl RunsOn<R::Model>,
    options: ProcessOptions,
    watch: &mut R::Watch,
) -> Result<Run<R::Outcome, ProcessDetails>, ProcessError> {
    model.run(on, options, watch)
}

/// A run as it stood.
pub type Stood = Snapshot<Checkpoint, ProcessDetails, ProcessError>;

/// The result of a run.
type Ran<O> = Result<Run<O, ProcessDetails>, ProcessError>;

/// The argument of [`run`]: a model, which gives an [`Outcome`], or a [`Restartable`] model, which gives a [`Checkpoint`].
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Checkpoint, Outcome, PholdModel, Runnable};
/// use tickless::run::Restartable;
/// fn gives<R: Runnable<Outcome = O>, O>() {}
/// gives::<&PholdModel, Outcome>();
/// gives::<Restartable<PholdModel, Checkpoint>, Checkpoint>();
/// ```
pub trait Runnable {
    /// The model.
    type Model;
    /// The result of a run.
    type Outcome;
    /// The kind of watch.
    type Watch: ?Sized;

    #[doc(hidden)]
    fn run(self, on: impl RunsOn<Self::Model>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Self::Outcome>;
}

impl<'m, M: ProcessModel> Runnable for &'m M {
    type Model = M;
    type Outcome = Outcome;
    type Watch = dyn Watch + 'm;

    fn run(self, on: impl RunsOn<M>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Outcome> {
        Ok(on.run(self, (None, false), options, &mut WithoutSnapshots(watch))?.map(|end| end.outcome))
    }
}

impl<'m, M: ProcessModel> Runnable for Restartable<'m, M, Checkpoint> {
    type Model = M;
    type Outcome = Checkpoint;
    type Watch = dyn Watch + 'm;

    fn run(self, on: impl RunsOn<M>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Checkpoint> {
        on.run(self.model, (self.from, true), options, &mut WithoutSnapshots(watch))
    }
}

/// On a device the watch gets a snapshot where it pauses the run, which goes on. A run with one heap for all pending events ends there.
impl<'m, M: ProcessModel> Runnable for Snapshotted<'m, M, Checkpoint> {
    type Model = M;
    type Outcome = Checkpoint;
    type Watch = dyn SnapshotWatch<Stood> + 'm;

    fn run(self, on: impl RunsOn<M>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Checkpoint> {
        on.run(self.model, (self.from.map(Arc::as_ref), true), options, watch)
    }
}

/// Where [`run`] runs a model `M`: on a [`Target`] a model with kernels, over [`Ranks`] any, with [`Blocks`] if they are not to be of
/// equal size.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Blocks, PholdModel, RunsOn};
/// use tickless::{device::Target, ranks::Ranks};
/// fn runs_on<M, O: RunsOn<M>>() {}
/// runs_on::<PholdModel, Target>();
/// runs_on::<PholdModel, Ranks>();
/// runs_on::<PholdModel, (Ranks, Blocks)>();
/// ```
pub trait RunsOn<M> {
    #[doc(hidden)]
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Ran<Checkpoint>;
}

/// The limits of the kernels of a model: the heap refuses what exceeds them, as a device does.
fn announced(&DeviceModel { starting, most_sent, state_words, .. }: &DeviceModel) -> Announced {
    Announced { starting, most_sent, state_words: Some(state_words) }
}

impl<M: ProcessModel> RunsOn<M> for Target<'_>
where
    for<'m> DeviceModel: From<&'m M>,
{
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Ran<Checkpoint> {
        match self {
            Self::Heap | Self::HeapOn(_) => reference::simulate(model, announced(&model.into()), course, watch),
            Self::Device(device) => gpu::simulate(&model.into(), device, &options, course, watch),
        }
    }
}

impl<M: ProcessModel + Sync> RunsOn<M> for Ranks<'_> {
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Ran<Checkpoint> {
        distributed::run(model, self, None, (course, options.figures_only), watch)
    }
}

impl<M: ProcessModel + Sync> RunsOn<M> for (Ranks<'_>, Blocks) {
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: ProcessOptions,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Ran<Checkpoint> {
        distributed::run(model, self.0, Some(self.1), (course, options.figures_only), watch)
    }
}

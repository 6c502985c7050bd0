//! Logical processes on the sequential simulator, on devices and over ranks.

use std::sync::Arc;

use super::gpu::{self, DeviceModel, ProcessOptions};
use super::reference::{self, Announced};
use super::{Blocks, Checkpoint, Outcome, ProcessDetails, ProcessError, ProcessModel, distributed};
use tickless_core::run::{Restartable, Run, RunMode, Snapshot, SnapshotWatch, Snapshotted, Watch, WithoutSnapshots};
use tickless_device::{On, Target};

/// Runs a model: on the heap, on a device where it has [kernels](ProcessModel::device_model), or over [`Ranks`](tickless_core::ranks::Ranks),
/// with [`Blocks`] beside them where they are not to be of equal size. Kernels alone run on a device by [`gpu::run`].
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
/// [`ProcessError`]: the model does what it must not, or says so itself. On a device also where the model has no kernels or does not fit it
/// (said before anything is allocated), or outgrows it or [`ProcessOptions::most_pending`], and what can go wrong there. Over ranks also
/// more ranks than processes, blocks that are not those of the ranks, a rank that fails or is gone. Of what goes on also
/// [`ProcessError::Checkpoint`] where it is not of this model.
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
pub fn run<'on, R: Runnable>(
    model: R,
    on: impl Into<On<'on, Blocks>>,
    options: ProcessOptions,
    watch: &mut R::Watch,
) -> Result<Run<R::Outcome, ProcessDetails>, ProcessError> {
    model.run(on.into(), options, watch)
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
    /// What a run gives back.
    type Outcome;
    /// The kind of watch.
    type Watch: ?Sized;

    #[doc(hidden)]
    fn run(self, on: On<'_, Blocks>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Self::Outcome>;
}

impl<'m, M: ProcessModel + Sync> Runnable for &'m M {
    type Outcome = Outcome;
    type Watch = dyn Watch + 'm;

    fn run(self, on: On<'_, Blocks>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Outcome> {
        let mode = RunMode::whole(options.figures_only);
        Ok(simulate(self, mode, on, options, &mut WithoutSnapshots(watch))?.map(|end| end.outcome))
    }
}

impl<'m, M: ProcessModel + Sync> Runnable for Restartable<'m, M, Checkpoint> {
    type Outcome = Checkpoint;
    type Watch = dyn Watch + 'm;

    fn run(self, on: On<'_, Blocks>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Checkpoint> {
        simulate(self.model, RunMode::restartable(self.from), on, options, &mut WithoutSnapshots(watch))
    }
}

/// On a device the watch gets a snapshot where it pauses the run, which goes on. A run whose pending events are in a heap for all ends there.
impl<'m, M: ProcessModel + Sync> Runnable for Snapshotted<'m, M, Checkpoint> {
    type Outcome = Checkpoint;
    type Watch = dyn SnapshotWatch<Stood> + 'm;

    fn run(self, on: On<'_, Blocks>, options: ProcessOptions, watch: &mut Self::Watch) -> Ran<Checkpoint> {
        simulate(self.model, RunMode::restartable(self.from.map(Arc::as_ref)), on, options, watch)
    }
}

/// Runs a model in a mode.
pub(super) fn simulate<M: ProcessModel + Sync>(
    model: &M,
    mode: RunMode<'_, Checkpoint>,
    on: On<'_, Blocks>,
    options: ProcessOptions,
    watch: &mut dyn SnapshotWatch<Stood>,
) -> Ran<Checkpoint> {
    match on {
        On::Target(Target::Heap | Target::HeapOn(_)) => {
            let announced = kernels(model)?.map_or(Announced::ANYTHING, announced);
            reference::simulate(model, announced, mode, watch)
        }
        On::Target(Target::Device(device)) => {
            let kernels = kernels(model)?.ok_or(ProcessError::NoKernels)?;
            check_words(model, kernels.state_words)?;
            gpu::simulate(&kernels, device, &options, mode, watch)
        }
        On::Ranks(ranks, blocks) => distributed::run(model, (ranks, blocks), mode, watch),
    }
}

/// The kernels of a model, which say what it says.
fn kernels(model: &impl ProcessModel) -> Result<Option<DeviceModel>, ProcessError> {
    let kernels = model.device_model();
    kernels.as_ref().map_or(Ok(()), |kernels| kernels.check_against(model))?;
    Ok(kernels)
}

/// Refuses a model whose first process has a state of another length than its kernels. The heap looks at each process.
fn check_words(model: &impl ProcessModel, announced: u32) -> Result<(), ProcessError> {
    if model.processes() == 0 {
        return Ok(());
    }
    let words = model.initialize(0, &mut model.key().stream(0), &mut vec![])?.as_ref().len();
    if words == announced as usize { Ok(()) } else { Err(ProcessError::StateWords { words, announced }) }
}

/// What the kernels of a model have room for: the heap refuses what goes beyond, as a device does.
fn announced(DeviceModel { starting, most_sent, state_words, .. }: DeviceModel) -> Announced {
    Announced { starting, most_sent, state_words: Some(state_words) }
}

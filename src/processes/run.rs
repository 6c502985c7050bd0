//! Logical processes on the sequential simulator and on devices.

use super::gpu::{self, DeviceModel, ProcessOptions};
use super::reference::{self, Announced};
use super::{Checkpoint, Outcome, ProcessDetails, ProcessError, ProcessModel};
use tickless_core::run::{Run, Snapshot, SnapshotWatch, Watch, WithoutSnapshots};
use tickless_device::Target;

/// Runs a model that has kernels: one of which a [`DeviceModel`] can be made. One without runs on the heap by
/// [`reference::run`], and kernels alone run on a device by [`gpu::run`].
///
/// # Errors
/// [`ProcessError`]: the model does what it must not, or says so itself. On a device also where the model does not fit it
/// (said before anything is allocated), or outgrows it or [`ProcessOptions::most_pending`], and what can go wrong there.
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
pub fn run<'m, M: ProcessModel>(
    model: &'m M,
    target: Target<'_>,
    options: ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    let watch = &mut WithoutSnapshots(watch);
    Ok(simulate(model, target, options, (None, false), watch)?.map(|end| end.outcome))
}

/// Runs a model that has kernels from a checkpoint on, or from time 0, to what another run can go on from: where the watch stops
/// it, or the horizon. Events, rounds and times are those of this run alone; records are those since time 0. Buffers of a
/// model's own begin as at time 0.
///
/// # Errors
/// As [`run`]; [`ProcessError::Checkpoint`] where it is not of this model.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let model = Phold::new(64).until(50.0).check()?;
/// let run = processes::run_from(&model, None, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome.streams.len(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from<'m, M: ProcessModel>(
    model: &'m M,
    from: Option<&Checkpoint>,
    target: Target<'_>,
    options: ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    run_with_snapshots(model, from, target, options, &mut WithoutSnapshots(watch))
}

/// A run as it stood.
pub type Stood = Snapshot<Checkpoint, ProcessDetails, ProcessError>;

/// The same, but a run on a device gives a watch that takes snapshots one where it pauses it, and goes on. One whose pending events
/// are in a heap for all ends there.
pub fn run_with_snapshots<'m, M: ProcessModel>(
    model: &'m M,
    from: Option<&Checkpoint>,
    target: Target<'_>,
    options: ProcessOptions,
    watch: &mut dyn SnapshotWatch<Stood>,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    simulate(model, target, options, (from, true), watch)
}

/// What the kernels of a model have room for: the heap refuses what goes beyond, as a device does.
pub(super) fn announced(&DeviceModel { starting, most_sent, state_words, .. }: &DeviceModel) -> Announced {
    Announced { starting, most_sent, state_words: Some(state_words) }
}

pub(super) fn simulate<'m, M: ProcessModel>(
    model: &'m M,
    target: Target<'_>,
    options: ProcessOptions,
    course: (Option<&Checkpoint>, bool),
    watch: &mut dyn SnapshotWatch<Stood>,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    match target {
        Target::Heap | Target::HeapOn(_) => reference::simulate(model, announced(&model.into()), course, watch),
        Target::Device(device) => gpu::simulate(&model.into(), device, &options, course, watch),
    }
}

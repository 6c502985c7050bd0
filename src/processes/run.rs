//! Logical processes on the sequential simulator and on devices.

use super::gpu::{self, DeviceModel, ProcessOptions};
use super::reference::{self, Announced};
use super::{Outcome, ProcessDetails, ProcessError, ProcessModel};
use crate::device::Target;
use crate::run::{Run, Watch};

/// Runs a model that has kernels: one of which a [`DeviceModel`] can be made. One without runs on the heap by
/// [`reference::run`], and kernels alone run on a device by [`gpu::run`].
///
/// # Errors
/// [`ProcessError`]: the model does what it must not, or says so itself. On a device also where the model does not fit it
/// (said before anything is allocated), or outgrows it or [`ProcessOptions::most_pending`], and what can go wrong there.
///
/// ```
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let model = Phold::new(64).population(2).until(50.0).check()?;
/// let run = processes::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome.statistics().pending, 128);
/// assert!((run.events as f64 / model.expected_events(50.0) - 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::{device::Target, processes::{self, Phold}, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let model = Phold::new(1024).population(16).check()?;
/// let run = processes::run(&model, Target::Device(&device), Default::default(), &mut unwatched())?;
/// println!("{}", run.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
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
    match target {
        Target::Heap | Target::HeapOn(_) => {
            let DeviceModel { starting, most_sent, state_words, .. } = model.into();
            reference::run_announced(model, Announced { starting, most_sent, state_words: Some(state_words) }, watch)
        }
        Target::Device(device) => gpu::run(&model.into(), device, options, watch),
    }
}

//! Logical processes on the sequential simulator and on devices, and what only their runs say.

use super::gpu::{self, DeviceModel, PendingReport, ProcessOptions};
use super::{Outcome, ProcessError, ProcessModel, reference};
use crate::device::Target;
use crate::run::{Run, Watch};

/// What a run of logical processes says beside its records.
///
/// ```
/// use tickless::processes::{Phold, reference};
/// let run = reference::run(&Phold::new(100).until(20.0).check()?, &mut tickless::run::unwatched())?;
/// assert_eq!(run.events, run.outcome.statistics().executed);
/// assert!(run.details.remote.unwrap() > 0 && run.details.pending.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcessDetails {
    /// Messages that events sent to another process than their own; where the backend counts them.
    pub remote: Option<u64>,
    /// How pending events were kept, on a device.
    pub pending: Option<PendingReport>,
}

impl Run<Outcome, ProcessDetails> {
    /// The messages to another process than their sender's by the events executed; `None` where the backend does not
    /// count them. Where every event sends one message, as in PHOLD, it is the share of those.
    pub fn remote_share(&self) -> Option<f64> {
        self.details.remote.map(|remote| remote as f64 / self.events.max(1) as f64)
    }
}

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
        Target::Heap => reference::run(model, watch),
        Target::Device(device) => gpu::run(&model.into(), device, options, watch),
    }
}

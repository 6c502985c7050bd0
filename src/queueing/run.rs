//! The torus on the sequential simulator and on devices; what runs of queueing networks take and say.

use super::gpu::Synchronization;
use super::{QueueingError, TorusModel, gpu, reference};
use crate::device::Target;
use crate::engine;
use crate::run::{Appointments, Run, Watch};
use crate::statistics::Outcome;

/// What a run of queueing networks says beside its records.
///
/// ```
/// use tickless::{device::Target, queueing::{self, Torus}, run::unwatched};
/// let run = queueing::run(&Torus::new(4, 4).check()?, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!((run.details.completions, run.details.appointments), (run.events, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkDetails {
    /// Ends of services over the whole run, the warm-up included. Tokens from sources are events too, but not these.
    pub completions: u64,
    /// What appointments say of themselves, where the run made any.
    pub appointments: Option<Appointments>,
}

/// How queueing networks run on a device. None of it changes a result, and the heap needs none of it.
///
/// ```
/// use tickless::queueing::{NetworkOptions, gpu::Synchronization};
/// let options = NetworkOptions { synchronization: Some(Synchronization::Appointments), ..Default::default() };
/// assert_eq!(options.most_tokens, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkOptions {
    /// How far rounds go; `None` for what suits the model.
    pub synchronization: Option<Synchronization>,
    /// The most places for tokens, over all replications; `None` for what fits the device.
    ///
    /// What a run begins with is always allowed: the tokens at time 0 and, for each source, 11 to 95 places. The pool
    /// doubles when it runs out, the last time up to the limit. Parts of it belong to sources, so a few places may be left
    /// free. By appointments some stations are ahead of others, and so more places are needed.
    pub most_tokens: Option<u64>,
    /// How rounds are cut up.
    pub rounds: engine::Options,
}

/// Runs a torus. On a device it does so in rounds that share a bound where the law has a shortest service time, else by
/// appointments.
///
/// # Errors
/// [`QueueingError::Overflow`] where a sum of a facility passes its range. On a device: a model that exceeds the adapter's
/// limits (said before anything is allocated), [`QueueingError::NoLookahead`] of a window where the law has no shortest
/// time, and what can go wrong there.
///
/// ```
/// use tickless::{device::Target, queueing::{self, Torus}, run::unwatched};
/// let model = Torus::new(16, 16).service("constant:10".parse()?).until(100.0).check()?;
/// let run = queueing::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// // All 256 services end together at 10, 20, ... 90.
/// assert_eq!(run.outcome.facilities[0].starts, run.outcome.facilities[0].completions + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// On a device it is the same description, and the same digest:
///
/// ```no_run
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::{device::Target, queueing::{self, Torus}, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let model = Torus::new(64, 64).check()?;
/// let run = queueing::run(&model, Target::Device(&device), Default::default(), &mut unwatched())?;
/// println!("{}", run.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
/// ```
pub fn run(
    model: &TorusModel,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, NetworkDetails>, QueueingError> {
    match target {
        Target::Heap => reference::run(model, watch),
        Target::Device(device) => gpu::run(model, device, &options, watch),
    }
}

//! Cells on the sequential simulator and on devices.

use super::gpu::{self, CellOptions, DeviceCells};
use super::{CellError, CellOutcome, reference};
use tickless_core::run::{Run, Watch};
use tickless_device::Target;

/// Runs a model that has kernels. One without runs on the heap by [`reference::run`].
///
/// On the heap each replication has a core. On a device they run together, as many as fit. With a log they run one after the
/// other, but those of a [`gpu::FirstPassage`] on a device. Where the watch ends a run, the replications before the first that
/// has not ended are kept, and if there is none the first ones as far as they have come.
///
/// # Errors
/// [`CellError`]: the model does what it must not, or says so itself; the log is not written. On a device also where the
/// model does not fit it (said before anything is allocated), and what can go wrong there.
///
/// ```
/// use tickless::{cells::{self, Watershed}, device::Target, run::unwatched};
/// let model = Watershed::new(2, 1, vec![1.0, 0.0]).until(100.0).check()?;
/// let run = cells::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.events, run.outcome.transitions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    model: &impl DeviceCells,
    target: Target<'_>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    match target {
        Target::Device(device) => gpu::run(model, device, options, watch),
        Target::Heap | Target::HeapOn(_) => reference::run_on(model, target.most_cores(), options.log, watch),
    }
}

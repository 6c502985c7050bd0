//! Ranks of cells that are not all on heaps.

use super::{Ended, Heaps, OverOptions, Places, Share, simulate};
use crate::checkpoint::{Checkpoint, Replications};
use crate::gpu::{self, CellOptions, DeviceCells};
use crate::{Bands, CellError, CellOutcome, run};
use tickless_core::ranks::{Failure, Ranks, Transport};
use tickless_core::run::{Run, Watch};
use tickless_device::Target;

/// Each on the target that a function says.
struct Targets<F>(F);

impl<'t, M: DeviceCells, F: Fn(u32) -> Target<'t> + Sync> Places<M> for Targets<F> {
    fn replication(
        &self,
        one: &Replications<'_, M>,
        share: Share<'_, '_>,
        transport: &mut dyn Transport,
    ) -> Result<Ended, Failure<CellError>> {
        match (self.0)(transport.rank()) {
            Target::Device(device) => gpu::over::replication(one, device, share, transport),
            Target::Heap | Target::HeapOn(_) => Heaps.replication(one, share, transport),
        }
    }
}

/// Runs a model that has kernels over several ranks, each with a band of the space on a target of its own: a heap, or a device. The
/// cells and the digest are those of a run on one heap, whatever the targets. Of each rank of this process `targets` says where it
/// is; ranks may share a device.
///
/// # Errors
/// [`CellError`]: as [`run_over`](super::run_over) and [`run`](crate::run).
///
/// ```
/// use std::num::NonZeroU32;
/// use tickless::{cells::{self, Watershed}, device::Target, ranks::Ranks, run::unwatched};
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(900.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let run = cells::run_over_targets(&model, two, |_| Target::Heap, Default::default(), &mut unwatched())?.unwrap();
/// assert_eq!(run.outcome, cells::reference::run(&model, None, &mut unwatched())?.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// use std::num::NonZeroU32;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::{cells::{self, Watershed}, device::Target, ranks::Ranks, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// // The first rank on the device, the other on a heap.
/// let target = |rank| if rank == 0 { Target::Device(&device) } else { Target::Heap };
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(900.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let run = cells::run_over_targets(&model, two, target, Default::default(), &mut unwatched())?.unwrap();
/// println!("{}", run.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_over_targets<'t>(
    model: &impl DeviceCells,
    ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    options: OverOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Option<Run<CellOutcome>>, CellError> {
    if ranks.count() == 1 && options.bands.is_none() {
        // It meets nobody.
        return run(model, targets(0), CellOptions { log: options.log, ..CellOptions::default() }, watch).map(Some);
    }
    let run = simulate(model, ranks, &Targets(targets), options, (None, false), watch)?;
    Ok(run.map(|run| run.map(|at| at.outcome)))
}

/// The same from a checkpoint on, or from time 0, to what another run can go on from, over other ranks and on other targets. The
/// checkpoint is whole, and the same on every rank.
///
/// # Errors
/// As [`run_over_targets`]; [`CellError::Checkpoint`] where it is not of this model.
///
/// ```
/// use std::num::NonZeroU32;
/// use tickless::{cells::{self, Watershed}, device::Target, ranks::Ranks, run::unwatched};
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(900.0).check()?;
/// let ranks = Ranks::Threads(NonZeroU32::new(3).unwrap());
/// let run = cells::run_from_over_targets(&model, None, ranks, |_| Target::Heap, None, &mut unwatched())?.unwrap();
/// let alone = cells::run_from(&model, None, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome, alone.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from_over_targets<'t>(
    model: &impl DeviceCells,
    from: Option<&Checkpoint>,
    ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    bands: Option<Bands>,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint>>, CellError> {
    simulate(model, ranks, &Targets(targets), OverOptions { bands, log: None }, (from, true), watch)
}

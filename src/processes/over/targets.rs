//! Ranks that are not all on heaps.

use super::{Blocks, OverOptions, simulate};
use crate::gpu::{DeviceModel, ProcessOptions};
use crate::rank::Course;
use crate::reference::over;
use crate::{Checkpoint, Outcome, ProcessDetails, ProcessError, ProcessModel, gpu, run};
use tickless_core::ranks::{Ranks, Transport, Wanted};
use tickless_core::run::{Run, Watch, WithoutSnapshots};
use tickless_device::Target;

/// Runs a model that has kernels over several ranks, each with a block of processes on a target of its own: a heap, or a device. The
/// records and the digest are those of a run on one heap, whatever the targets. Of each rank of this process `targets` says where
/// it is; ranks may share a device.
///
/// # Errors
/// [`ProcessError`]: as [`run_over`](super::run_over) and [`run`](crate::run); [`ProcessError::NotOverRanks`] where the
/// pending events of [`OverOptions::device`] are in a set that no block has.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::processes::{self, Phold};
/// use tickless::{device::Target, ranks::Ranks, run::unwatched};
/// let model = Phold::new(64).population(2).until(50.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let run = processes::run_over_targets(&model, two, |_| Target::Heap, Default::default(), &mut unwatched())?.unwrap();
/// assert_eq!(run.outcome, processes::reference::run(&model, &mut unwatched())?.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// # use tickless_processes::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::processes::{self, Phold};
/// use tickless::{device::Target, ranks::Ranks, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// // The first rank on the device, the others on heaps.
/// let target = |rank| if rank == 0 { Target::Device(&device) } else { Target::Heap };
/// let model = Phold::new(1 << 16).population(4).lookahead(1.0).check()?;
/// let four = Ranks::Threads(NonZeroU32::new(4).unwrap());
/// let run = processes::run_over_targets(&model, four, target, Default::default(), &mut unwatched())?.unwrap();
/// println!("{}", run.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_over_targets<'m, 't, M: ProcessModel + Sync>(
    model: &'m M,
    ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    options: OverOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Outcome, ProcessDetails>>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    let wanted = if options.figures_only { Wanted::Figures } else { Wanted::Records };
    let run = simulate_on(model, ranks, targets, options, (None, wanted), watch)?;
    Ok(run.map(|run| run.map(|end| end.outcome)))
}

/// The same from a checkpoint on, or from time 0, to what another run can go on from, over other ranks and on other targets. The
/// checkpoint is whole, and the same on every rank.
///
/// # Errors
/// As [`run_over_targets`]; [`ProcessError::Checkpoint`] where it is not of this model.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::processes::{self, Phold};
/// use tickless::{device::Target, ranks::Ranks, run::unwatched};
/// let model = Phold::new(64).until(50.0).check()?;
/// let ranks = Ranks::Threads(NonZeroU32::new(3).unwrap());
/// let run =
///     processes::run_from_over_targets(&model, None, ranks, |_| Target::Heap, Default::default(), &mut unwatched())?.unwrap();
/// assert_eq!(run.outcome, processes::reference::run_from(&model, None, &mut unwatched())?.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from_over_targets<'m, 't, M: ProcessModel + Sync>(
    model: &'m M,
    from: Option<&Checkpoint>,
    ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    options: OverOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    simulate_on(model, ranks, targets, options, (from, Wanted::Checkpoint), watch)
}

fn simulate_on<'m, 't, M: ProcessModel + Sync>(
    model: &'m M,
    ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    OverOptions { blocks, figures_only, device: options }: OverOptions,
    (from, wanted): (Option<&Checkpoint>, Wanted),
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, ProcessError>
where
    DeviceModel: From<&'m M>,
{
    let kernels = DeviceModel::from(model);
    let options = ProcessOptions { figures_only, ..options };
    let course = Course { from, wanted, set: options.pending.chosen() };
    let alone = |watch: &mut dyn Watch| {
        let (course, watch) = ((from, wanted == Wanted::Checkpoint), &mut WithoutSnapshots(watch));
        run::simulate(model, targets(0), options, course, watch)
    };
    let rank = |blocks: &Blocks, transport: &mut dyn Transport, watch: &mut dyn Watch| match targets(transport.rank()) {
        Target::Device(device) => gpu::over::simulate(&kernels, device, &options, blocks, course, transport, watch),
        Target::Heap | Target::HeapOn(_) => {
            over::simulate(model, run::announced(&kernels), blocks, course, transport, watch)
        }
    };
    simulate(model, ranks, blocks, alone, rank, watch)
}

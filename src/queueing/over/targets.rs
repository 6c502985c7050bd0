//! Ranks that are not all on heaps.

use super::{Asked, OverOptions, Wanted, behind, counting_from, cut, simulate};
use crate::checkpoint::{Checkpoint, run_from};
use crate::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, run};
use tickless_core::ranks::{Failure, Ranks};
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;
use tickless_device::Target;

/// Runs one replication of a network over several ranks, each with some of the stations on a target of its own: a heap, or a device in
/// rounds that share a bound. The records and the digest are those of a run on one heap, whatever the targets. Of each rank of this
/// process `targets` says where it is; ranks may share a device.
///
/// # Errors
/// As [`run_over`](super::run_over) and [`run`](crate::run); [`QueueingError::NotOverRanks`] of a device that is several
/// GPUs, and of appointments.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::device::Target;
/// use tickless::queueing::{self, Network, Station, Topology, run_over_targets};
/// use tickless::{ranks::Ranks, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let torus = Network::generate(&Topology::Torus { width: 16, height: 16 }, &each, 0.0)?;
/// let model = torus.window(1.0).until(100.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let over = run_over_targets(&model, 0, two, |_| Target::Heap, Default::default(), &mut unwatched())?.unwrap();
/// let alone = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome.digest(), alone.outcome[0].digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// # use tickless_queueing::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::queueing::{Network, run_over_targets};
/// use tickless::{device::Target, ranks::Ranks, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// // The first rank on the device, the other on a heap.
/// let target = |rank| if rank == 0 { Target::Device(&device) } else { Target::Heap };
/// let text = std::fs::read_to_string("examples/networks/random-regular.toml")?;
/// let model = Network::from_toml(&text)?.window(0.5).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let run = run_over_targets(&model, 0, two, target, Default::default(), &mut unwatched())?.unwrap();
/// println!("{}", run.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_over_targets<'t>(
    model: &NetworkModel,
    replication: u32,
    mut ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    OverOptions { cut, figures_only, device }: OverOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Run<NetworkOutcome, NetworkDetails>>, QueueingError> {
    let count = ranks.count();
    if count == 1
        && cut.is_none()
        && let target @ Target::Device(_) = targets(0)
    {
        // It meets nobody.
        let options = NetworkOptions { figures_only, ..device };
        let run = run(model, replication..replication.saturating_add(1), target, options, watch)?;
        return Ok(only(run));
    }
    let (in_lists, cut) = ranks.agree(self::cut(model, cut, count)).map_err(Failure::into_error)?;
    let wanted = if figures_only { Wanted::Figures } else { Wanted::Records };
    let asked =
        Asked { model: &in_lists, cut: &cut, replication, begin: Time::ZERO, from: None, wanted, options: &device };
    let run = simulate(asked, ranks, targets, watch)?;
    Ok(run.map(|run| run.map(|end| end.outcome)))
}

/// The only replication of a run.
fn only(run: Run<Vec<NetworkOutcome>, NetworkDetails>) -> Option<Run<NetworkOutcome, NetworkDetails>> {
    let mut outcomes = vec![];
    let run = run.map(|all| outcomes = all);
    outcomes.pop().map(|outcome| run.map(|()| outcome))
}

/// The same from a checkpoint on, or from time 0, to what another run can go on from, over other ranks and on other targets. The
/// checkpoint has one replication, is whole, and the same on every rank.
///
/// # Errors
/// As [`run_over_targets`]; [`QueueingError::Checkpoint`] where it is not of this model.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::device::Target;
/// use tickless::queueing::{self, Network, Station, Topology, run_from_over_targets};
/// use tickless::{ranks::Ranks, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let torus = Network::generate(&Topology::Torus { width: 16, height: 16 }, &each, 0.0)?;
/// let model = torus.window(1.0).until(100.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let (heaps, options) = (|_| Target::Heap, Default::default());
/// let over = run_from_over_targets(&model, 0, None, two, heaps, options, &mut unwatched())?.unwrap();
/// let alone = queueing::run_from(&model, 0..1, None, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome, alone.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from_over_targets<'t>(
    model: &NetworkModel,
    replication: u32,
    from: Option<&Checkpoint>,
    mut ranks: Ranks<'_>,
    targets: impl Fn(u32) -> Target<'t> + Sync,
    OverOptions { cut, device, .. }: OverOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, NetworkDetails>>, QueueingError> {
    let count = ranks.count();
    let only = from.and_then(Checkpoint::only);
    let clock = only.map_or(Time::ZERO, |(_, clock, _)| clock);
    if count == 1 || clock >= model.until() {
        // Nobody meets another one.
        let numbers = replication..replication.saturating_add(1);
        let run = run_from(model, numbers, from, targets(0), device, watch)?;
        return Ok(Some(run).filter(|_| ranks.has_first()));
    }
    let fits = from.map_or(Ok(()), |from| from.check(model, 1));
    let (model, cut) = ranks.agree(fits.and_then(|()| self::cut(model, cut, count))).map_err(Failure::into_error)?;
    let (warmup, begins) = (model.warmup(), counting_from(model, clock));
    let (from, wanted) = (only.map(|(_, _, state)| state), Wanted::Checkpoint);
    let asked = Asked { model: &begins, cut: &cut, replication, begin: clock, from, wanted, options: &device };
    let run = simulate(asked, ranks.again(), targets, watch)?;
    // Only rank 0 adds up what was before, and what it finds ends all of them.
    let whole = run.map(|run| behind(run, only, warmup)).transpose();
    ranks.agree(whole).map_err(Failure::into_error)
}

//! Cells on the sequential simulator, on devices and over ranks.

use std::ops::Range;

use super::checkpoint::going;
use super::gpu::{self, CellOptions, DeviceCells};
use super::replications::Replications;
use super::{Bands, CellError, CellOutcome, Checkpoint, distributed, reference};
use tickless_core::run::{Restartable, Run, RunMode, Watch};
use tickless_device::{On, Target};

/// Runs replications of a model, the same space with random streams of its own each: on the heap, on a device where it has
/// [kernels](DeviceCells::kernels), or over [`Ranks`](tickless_core::ranks::Ranks), with [`Bands`] beside them where they are not to be of
/// equal size.
///
/// On the heap each replication has a core. On a device they run together, as many as fit. With a log they run one after the
/// other, except those of a [`gpu::FirstPassage`] on a device. Where the watch ends a run, the replications before the first
/// that has not ended are kept, and if there is none the first ones at their clocks.
///
/// Over ranks each rank is a heap with a band of the space, and one replication comes after the other. Rank 0 has the result, and the
/// log; on other ranks of other processes the outcome is empty. A round goes on to the next event of a cell that another rank hears: the
/// cost of a round, some microseconds, must be small beside the events in it.
///
/// [`Restartable`] in place of the model gives a [`Checkpoint`], and begins at one: the run goes on until the watch stops it, or to the
/// horizon. Events, rounds and times are those of this run alone; it has no log, and always has arrays. A watch that [pauses](Watch::pause)
/// a run of several replications lets those under way come to their end, but on a device the first ones, which stay as they are. First
/// passages whose delays do not change begin again where none has ended: they take a moment. A replication of [`Fronts`](crate::Fronts)
/// that has not ended always begins again. Over ranks every rank gets the whole checkpoint, and rank 0 returns the new one.
///
/// # Errors
/// [`CellError::NoReplications`] of an empty range, [`CellError::Replications`] of one that the model does not have. The model does what it must not, or says so itself; the log is not written. On a device also where the
/// model does not fit it (said before anything is allocated), and what can go wrong there. Over ranks also more ranks than layers of the
/// space, bands that are not those of the ranks, a rank that fails or is gone. Of what goes on also [`CellError::Checkpoint`] where it is
/// not of this model.
///
/// ```
/// use std::num::NonZeroU32;
/// use tickless::{cells::{self, Watershed}, device::Target, ranks::Ranks, run::{Restartable, unwatched}};
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(900.0).check()?;
/// let run = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.events, run.outcome.transitions);
///
/// let three = Ranks::Threads(NonZeroU32::new(3).unwrap());
/// let restartable = Restartable { model: &model, from: None };
/// let over = cells::run(restartable, 0..1, three, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome.outcome, run.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<'on, R: Runnable>(
    model: R,
    replications: Range<u32>,
    on: impl Into<On<'on, Bands>>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<R::Outcome>, CellError> {
    let (model, mode) = model.mode(options.figures_only);
    Ok(simulate(model, (replications, mode), on.into(), options, watch)?.map(R::outcome))
}

/// Runs replications of a model in a mode.
///
/// # Errors
/// As [`run`].
pub fn simulate<M: DeviceCells>(
    model: &M,
    (replications, mode): (Range<u32>, RunMode<'_, Checkpoint>),
    on: On<'_, Bands>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint>, CellError> {
    let prepared = model.prepared(&replications)?;
    let model = &Replications::new(prepared.as_ref().unwrap_or(model), replications)?;
    match on {
        On::Target(target) if mode.keeps() => going::run_from(model, mode.from, target, options, watch),
        On::Target(target) => {
            Ok(whole(model, target, options, watch)?.map(|outcome| Checkpoint { outcome, clocks: vec![] }))
        }
        On::Ranks(ranks, bands) => distributed::run(model, (ranks, bands), options.log, mode, watch),
    }
}

/// The argument of [`run`]: a model, which gives a [`CellOutcome`], or a [`Restartable`] model, which gives a [`Checkpoint`].
///
/// ```
/// use tickless::cells::{CellOutcome, Checkpoint, Runnable, WatershedModel};
/// use tickless::run::Restartable;
/// fn gives<R: Runnable<Outcome = O>, O>() {}
/// gives::<&WatershedModel, CellOutcome>();
/// gives::<Restartable<WatershedModel, Checkpoint>, Checkpoint>();
/// ```
pub trait Runnable {
    /// The model.
    type Model: DeviceCells;
    /// What a run gives back.
    type Outcome;

    #[doc(hidden)]
    fn mode(&self, figures_only: bool) -> (&Self::Model, RunMode<'_, Checkpoint>);

    #[doc(hidden)]
    fn outcome(at: Checkpoint) -> Self::Outcome;
}

impl<M: DeviceCells> Runnable for &M {
    type Model = M;
    type Outcome = CellOutcome;

    fn mode(&self, figures_only: bool) -> (&M, RunMode<'_, Checkpoint>) {
        (self, RunMode::whole(figures_only))
    }

    fn outcome(at: Checkpoint) -> CellOutcome {
        at.outcome
    }
}

impl<M: DeviceCells> Runnable for Restartable<'_, M, Checkpoint> {
    type Model = M;
    type Outcome = Checkpoint;

    fn mode(&self, _: bool) -> (&M, RunMode<'_, Checkpoint>) {
        (self.model, RunMode::restartable(self.from))
    }

    fn outcome(at: Checkpoint) -> Checkpoint {
        at
    }
}

/// A run from time 0 on that no other one goes on from.
pub(super) fn whole(
    model: &Replications<'_, impl DeviceCells>,
    target: Target<'_>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    match target {
        Target::Device(device) => gpu::run(model, device, options, watch),
        Target::Heap | Target::HeapOn(_) => reference::simulate(model, target.most_cores(), options.log, watch),
    }
}

//! Cells on the sequential simulator, on devices and over ranks.

use super::checkpoint::going;
use super::gpu::{self, CellOptions, DeviceCells};
use super::{Bands, CellError, CellModel, CellOutcome, Checkpoint, distributed, reference};
use tickless_core::ranks::Ranks;
use tickless_core::run::{Restartable, Run, Watch};
use tickless_device::Target;

/// Runs a model: on a [`Target`] a model with kernels, over [`Ranks`] any model. A model without kernels runs on one heap by
/// [`reference::run`]. The number of replications is a part of the model, like a space with other seeds: a fire has weather for each.
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
/// [`CellError`]: the model breaks a rule or reports an error; the log cannot be written. On a device also a model that does not fit it
/// (reported before anything is allocated), and errors of the device. Over ranks also more ranks than layers of the space, bands that do
/// not fit the ranks, a rank that fails or is gone. With a checkpoint also [`CellError::Checkpoint`] where it belongs to another model.
///
/// ```
/// use std::num::NonZeroU32;
/// use tickless::{cells::{self, Watershed}, device::Target, ranks::Ranks, run::{Restartable, unwatched}};
/// let model = Watershed::new(9, 9, (0..81).map(f64::from).collect()).until(900.0).check()?;
/// let run = cells::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.events, run.outcome.transitions);
///
/// let three = Ranks::Threads(NonZeroU32::new(3).unwrap());
/// let restartable = Restartable { model: &model, from: None };
/// let over = cells::run(restartable, three, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome.outcome, run.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<R: Runnable>(
    model: R,
    on: impl RunsOn<R::Model>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<R::Outcome>, CellError> {
    let (model, course) = model.course();
    Ok(on.run(model, course, options, watch)?.map(R::outcome))
}

/// Where a run begins, if not at time 0, and whether another run resumes from its end.
pub type Course<'a> = (Option<&'a Checkpoint>, bool);

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
    type Model;
    /// The result of a run.
    type Outcome;

    #[doc(hidden)]
    fn course(&self) -> (&Self::Model, Course<'_>);

    #[doc(hidden)]
    fn outcome(at: Checkpoint) -> Self::Outcome;
}

impl<M: CellModel> Runnable for &M {
    type Model = M;
    type Outcome = CellOutcome;

    fn course(&self) -> (&M, Course<'_>) {
        (self, (None, false))
    }

    fn outcome(at: Checkpoint) -> CellOutcome {
        at.outcome
    }
}

impl<M: CellModel> Runnable for Restartable<'_, M, Checkpoint> {
    type Model = M;
    type Outcome = Checkpoint;

    fn course(&self) -> (&M, Course<'_>) {
        (self.model, (self.from, true))
    }

    fn outcome(at: Checkpoint) -> Checkpoint {
        at
    }
}

/// Where [`run`] runs a model `M`: on a [`Target`] a model with kernels, over [`Ranks`] any, with [`Bands`] if they are not to be of
/// equal size.
///
/// ```
/// use tickless::cells::{Bands, RunsOn, WatershedModel};
/// use tickless::{device::Target, ranks::Ranks};
/// fn runs_on<M, O: RunsOn<M>>() {}
/// runs_on::<WatershedModel, Target>();
/// runs_on::<WatershedModel, Ranks>();
/// runs_on::<WatershedModel, (Ranks, Bands)>();
/// ```
pub trait RunsOn<M> {
    #[doc(hidden)]
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError>;
}

impl<M: DeviceCells> RunsOn<M> for Target<'_> {
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError> {
        match course {
            (from, true) => going::run_from(model, from, self, options, watch),
            (_, false) => Ok(whole(model, self, options, watch)?.map(|outcome| Checkpoint { outcome, clocks: vec![] })),
        }
    }
}

impl<M: CellModel> RunsOn<M> for Ranks<'_> {
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError> {
        distributed::run(model, (self, None), options.log, course, watch)
    }
}

impl<M: CellModel> RunsOn<M> for (Ranks<'_>, Bands) {
    fn run(
        self,
        model: &M,
        course: Course<'_>,
        options: CellOptions<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint>, CellError> {
        distributed::run(model, (self.0, Some(self.1)), options.log, course, watch)
    }
}

/// A run from time 0 on from which no other run resumes.
pub(super) fn whole(
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

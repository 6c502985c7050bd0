//! Searches on the sequential simulator and on devices.

use std::time::Duration;

use super::gpu::{self, SearchOptions};
use super::outcome::ended_at;
use super::reference;
use super::{Outcome, PathfindingError, SearchDetails, SearchModel, SearchState};
use tickless_core::memory;
use tickless_core::run::{Adding, Restartable, Run, Watch};
use tickless_core::time::Time;
use tickless_device::Target;

/// Runs a batch of searches. An event is an expansion; the clock counts the searches that have ended, one a time unit.
///
/// [`Restartable`] in place of the model runs the searches that have not ended in an outcome: all searches without one. Expansions and times
/// are those of this run alone, the outcome and the clock those of the whole batch. A watch that [pauses](Watch::pause) a run lets the
/// searches under way come to their end, so that no work is lost.
///
/// # Errors
/// [`PathfindingError`]: too little memory; on a device also a map that does not fit it, and errors of the device;
/// [`PathfindingError::Checkpoint`] for an outcome of another batch.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Obstacles, Searches, random_queries}, run::unwatched};
/// let map = Obstacles::new(64, 64).map()?;
/// let queries = random_queries(&map, 20, 1);
/// let model = Searches::new(map).queries(queries).check()?;
/// let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.events, run.outcome.statistics().expansions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, pathfinding::{self, Obstacles, Searches, random_queries}, run::{Pause, Progress, Restartable, Watch, unwatched}};
/// struct Between;
/// impl Watch for Between {
///     fn look(&mut self, _: &Progress) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
///     fn pause(&mut self, _: Pause) -> bool {
///         true
///     }
/// }
/// let map = Obstacles::new(64, 64).map()?;
/// let queries = random_queries(&map, 20, 1);
/// let model = Searches::new(map).queries(queries).check()?;
/// let first = pathfinding::run(&model, Target::Heap, Default::default(), &mut Between)?;
/// let rest = Restartable { model: &model, from: Some(&first.outcome) };
/// let rest = pathfinding::run(rest, Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = pathfinding::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!((&rest.outcome, first.events + rest.events), (&whole.outcome, whole.events));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<'m>(
    model: impl Into<Restartable<'m, SearchModel, Outcome>>,
    target: Target<'_>,
    options: SearchOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
    let Restartable { model, from } = model.into();
    match from {
        None => whole(model, target, options, watch),
        Some(from) => rest(model, from, target, options, watch),
    }
}

fn whole(
    model: &SearchModel,
    target: Target<'_>,
    options: SearchOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
    match target {
        Target::Device(device) => gpu::run(model, device, options, watch),
        Target::Heap | Target::HeapOn(_) => reference::run(model, target.most_cores(), watch),
    }
}

/// Runs the searches of a batch that have not ended in an outcome.
fn rest(
    model: &SearchModel,
    from: &Outcome,
    target: Target<'_>,
    options: SearchOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
    check(model, from)?;
    memory::room_of(2 * from.bytes(), "the searches that have ended")?;
    let (records, queries) = (&from.searches, model.queries());
    let left: Vec<usize> =
        (0..records.len()).filter(|search| records[*search].state == SearchState::Unfinished).collect();
    let ended = records.len() - left.len();
    let rest = model.with_queries(left.iter().map(|search| queries[*search]).collect());
    let watch = &mut Adding::new(watch, 0, Duration::ZERO).behind(ended_at(ended), ended_at(records.len()));
    let run = whole(&rest, target, options, watch)?;
    let clock = Time::from_ticks(ended_at(ended).ticks() + run.clock.ticks());
    let mut outcome = from.clone();
    Ok(Run { clock, ..run }.map(|found| {
        for (place, search) in left.into_iter().enumerate() {
            outcome.searches[search] = found.searches[place];
            if let Some((paths, found)) = outcome.paths.as_mut().zip(found.paths.as_ref()) {
                paths.set_from(search, found, place);
            }
        }
        outcome
    }))
}

/// Refuses an outcome of another batch.
fn check(model: &SearchModel, from: &Outcome) -> Result<(), PathfindingError> {
    let searches = [from.searches.len(), from.paths.as_ref().map_or(from.searches.len(), |paths| paths.searches())];
    let other = |what, found, expected| Err(PathfindingError::Checkpoint { what, found, expected });
    match searches.into_iter().find(|found| *found != model.queries().len()) {
        Some(found) => other("searches", found as u64, model.queries().len() as u64),
        None if from.paths.is_some() != model.keeps_paths() => {
            other("lists of paths", from.paths.is_some().into(), model.keeps_paths().into())
        }
        None => Ok(()),
    }
}

//! Searches on the sequential simulator and on devices.

use super::gpu::{self, SearchOptions};
use super::reference;
use super::{Outcome, PathfindingError, SearchDetails, SearchModel};
use crate::device::Target;
use crate::run::{Run, Watch};

/// Runs a batch of searches. An event is an expansion; the clock counts the searches that have ended, one a time unit.
///
/// # Errors
/// [`PathfindingError`]: no memory; on a device also where the map does not fit it, and what can go wrong there.
///
/// ```
/// use tickless::{device::Target, pathfinding::{self, Obstacles, Searches, random_queries}, run::unwatched};
/// let map = Obstacles::new(64, 64).map()?;
/// let queries = random_queries(&map, 20, 1);
/// let model = Searches::new(map).queries(queries).check()?;
/// let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.events, run.outcome.statistics().expansions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
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

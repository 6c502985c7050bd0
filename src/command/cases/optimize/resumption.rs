//! Optimizations that leave checkpoints: the replications that have ended by then.

use std::sync::Arc;

use super::OptimizeCase;
use crate::CommandError;
use crate::checkpoint::{Resumable, SnapshotOf};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Run, SnapshotWatch};
use tickless_device::Target;
use tickless_experiments::optimization::{OptimizationOutcome, run_from};
use tickless_queueing::NetworkOptions;

impl Resumable for OptimizeCase {
    type Checkpoint = OptimizationOutcome;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<OptimizationOutcome>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<OptimizationOutcome>, CommandError> {
        Ok(run_from(&self.optimization, from.map(|from| &**from), target, NetworkOptions::default(), watch)?)
    }

    fn arrays(at: &OptimizationOutcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<OptimizationOutcome, ArchiveError> {
        OptimizationOutcome::from_arrays(&self.optimization, arrays)
    }

    fn outcome(&self, at: OptimizationOutcome) -> OptimizationOutcome {
        at.ended(&self.optimization)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Nothing;
    use crate::case::{Case, Extent, Wanted};
    use tickless_core::run::unwatched;

    const TEXT: &str = "
        until = 20
        station = [{ name = 'desk', service = 'exponential:1', tokens = 2, cost = { server = 1, waiting = 2 } }]
        route = [{ from = 'desk', to = 'desk' }]
        [optimize]
        smallest = 'cost'
        max_replications = 30
        replications = 4
        together = 3
        factors.station.desk.servers = { from = 1, to = 9 }
    ";

    /// An interruption in the last point that a search has looked at: its replications are in the checkpoint, and neither in the figures nor in
    /// the digest.
    #[test]
    fn the_digest_of_an_interrupted_search_covers_what_its_figures_cover() {
        let words = serde_json::json!({ "file": "a.toml", "description": TEXT });
        let arguments = serde_json::from_value(words).unwrap();
        let mut case = OptimizeCase::prepare(arguments, &Nothing {}, &Default::default()).unwrap();
        let whole = Case::run(&mut case, Target::Heap, Wanted::Figures, None, &mut unwatched()).unwrap();
        let mut cut = whole.outcome.clone();
        let before = cut.points.len() - 1;
        let last = &mut cut.points[before];
        last.digests.truncate(3);
        last.measured.iter_mut().for_each(|pairs| pairs.truncate(3));
        let mut ended = whole.outcome.clone();
        ended.points.truncate(before);
        ended.places.truncate(before);
        assert_ne!(cut.digest(), ended.digest());
        let told = whole.clone().map(|_| case.outcome(cut));
        let figures = case.figures(&told, Extent::Everything);
        let replications = ended.points.iter().map(|point| point.digests.len() as u64).sum::<u64>();
        assert_eq!((figures.points.len(), figures.statistics.replications), (before, replications));
        assert_eq!(OptimizeCase::digest(&told.outcome), ended.digest());
        // A search that has ended has all of it.
        assert_eq!(case.outcome(whole.outcome.clone()), whole.outcome);
    }
}

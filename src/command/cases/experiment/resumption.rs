//! Experiments that leave checkpoints: the replications that have ended by then.

use std::sync::Arc;

use super::ExperimentCase;
use crate::CommandError;
use crate::checkpoint::{Resumable, SnapshotOf};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Run, SnapshotWatch};
use tickless_device::Target;
use tickless_experiments::{ExperimentOutcome, run_from};
use tickless_queueing::NetworkOptions;

impl Resumable for ExperimentCase {
    type Checkpoint = ExperimentOutcome;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<ExperimentOutcome>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<ExperimentOutcome>, CommandError> {
        Ok(run_from(&self.experiment, from.map(|from| &**from), target, NetworkOptions::default(), watch)?)
    }

    fn arrays(at: &ExperimentOutcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<ExperimentOutcome, ArchiveError> {
        ExperimentOutcome::from_arrays(&self.experiment, arrays)
    }

    fn outcome(&self, at: ExperimentOutcome) -> ExperimentOutcome {
        at.only_ended(&self.experiment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Nothing;
    use crate::case::{Case, Extent};
    use tickless_core::run::unwatched;

    const TEXT: &str = "
        until = 20
        station = [{ name = 'desk', service = 'exponential:1', tokens = 2 }]
        route = [{ from = 'desk', to = 'desk' }]
        experiment = { measures = ['network.throughput'], replications = 3, factors = { station.desk.servers = [1, 2, 3] } }
    ";

    /// An interruption in the second of three points: its replications are in the checkpoint, and neither in the figures nor in the digest.
    #[test]
    fn the_digest_of_an_interrupted_run_covers_what_its_figures_cover() {
        let words = serde_json::json!({ "file": "a.toml", "description": TEXT });
        let arguments = serde_json::from_value(words).unwrap();
        let mut case = ExperimentCase::prepare(arguments, &Nothing {}, &Default::default()).unwrap();
        let whole = Case::run(&mut case, Target::Heap, crate::case::Wanted::Figures, None, &mut unwatched()).unwrap();
        let mut cut = whole.outcome.clone();
        cut.points[1].digests.truncate(2);
        cut.points[1].measured[0].truncate(2);
        cut.points.truncate(2);
        let mut first = whole.outcome.clone();
        first.points.truncate(1);
        let kept = ExperimentCase::arrays(&cut).unwrap().take_list("counts").unwrap();
        assert_eq!(kept, [3, 2]);
        assert_ne!(cut.digest(), first.digest());
        let told = whole.clone().map(|_| case.outcome(cut));
        let figures = case.figures(&told, Extent::Everything);
        assert_eq!((figures.points.len(), figures.statistics.replications), (1, 3));
        assert_eq!(ExperimentCase::digest(&told.outcome), first.digest());
        assert_eq!(figures.points[0].digest, first.points[0].digest().to_string());
        // A run that has ended has all of it.
        assert_eq!(case.outcome(whole.outcome.clone()), whole.outcome);
    }
}

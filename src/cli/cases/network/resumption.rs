//! Replications of a network that leave checkpoints.

use super::arguments::NetworkArguments;
use super::{NetworkCase, NetworkDetails};
use crate::archive::{ArchiveError, Arrays};
use crate::cli::CommandError;
use crate::cli::checkpoint::Resumable;
use crate::device::Target;
use crate::queueing::{self, Checkpoint, NetworkOptions, NetworkOutcome};
use crate::run::{Run, Watch};

impl<A: NetworkArguments> Resumable for NetworkCase<A> {
    type Checkpoint = Checkpoint;

    fn run_from(
        &mut self,
        from: Option<&Checkpoint>,
        target: Target<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint, NetworkDetails>, CommandError> {
        let options = NetworkOptions { most_tokens: self.arguments.choices().max_tokens, ..NetworkOptions::default() };
        let numbers = self.arguments.choices().replications.numbers();
        let run = queueing::run_from(&self.model, numbers, from, target, options, watch);
        let mut run = run.map_err(|error| CommandError::of_network(error, &self.model))?;
        // As in a run without checkpoints.
        run.interrupted |= self.pilot.interrupted;
        self.replications = run.outcome.outcomes.len();
        Ok(run)
    }

    fn arrays(&self, at: &Checkpoint) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<Checkpoint, ArchiveError> {
        let most = self.arguments.choices().replications.count() as usize;
        Checkpoint::from_arrays(&self.model, most, arrays)
    }

    fn outcome(at: Checkpoint) -> Vec<NetworkOutcome> {
        at.outcomes
    }
}

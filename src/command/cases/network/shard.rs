//! Shards of replications of a network.

use std::ops::Range;

use super::arguments::{NetworkArguments, NetworkFiles};
use super::{NetworkCase, NetworkDetails, Replications};
use crate::CommandError;
use crate::case::RunOf;
use crate::replications::ReplicationRange;
use crate::shard::{MergeFiles, Merged, Shard, Sharded, refuse};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::time::Time;
use tickless_queueing::shard::{arrays_of, outcomes_of};

impl<A: NetworkArguments> Sharded for NetworkCase<A> {
    fn numbers(&self, run: &Replications) -> Range<u32> {
        self.arguments.choices().replications.with_count(run.outcome.len() as u32).numbers()
    }

    fn with_numbers(mut arguments: A, numbers: Range<u32>) -> A {
        arguments.choices_mut().replications = ReplicationRange::of(numbers);
        arguments
    }

    fn horizon(&self) -> Time {
        self.model.until()
    }

    /// If Ctrl-C ended the pilot, the warm-up is not the one asked for.
    fn is_whole(&self, run: &Replications) -> bool {
        run.clock >= self.horizon() && !self.pilot.unknown
    }

    fn completions(run: &Replications) -> u64 {
        run.details.completions
    }

    fn arrays(&self, run: &Replications) -> Result<Arrays, ArchiveError> {
        arrays_of(&run.outcome)
    }

    fn merge(&mut self, shards: Vec<Shard>, merged: Merged) -> Result<RunOf<Self>, (usize, ArchiveError)> {
        let mut outcomes = vec![];
        for (place, shard) in shards.into_iter().enumerate() {
            let found = outcomes_of(&self.model, shard.numbers.len(), shard.arrays);
            outcomes.extend(found.map_err(|error| (place, error))?);
        }
        let details = NetworkDetails { completions: merged.completions, appointments: None };
        Ok(merged.run(outcomes, details))
    }

    fn files_of_merge(&self, files: MergeFiles) -> Result<NetworkFiles, CommandError> {
        let MergeFiles { stations, classes, histograms, series, folded, probability, picture } = files;
        refuse(A::NAME, [("--probability", probability), ("--picture", picture)])?;
        if histograms.is_some() && self.model.scale().is_none() {
            let message = "--histograms needs shards of runs that record distributions: leave it out, or run them with \
                           --distributions";
            return Err(CommandError::Usage { message: message.into() });
        }
        if series.is_some() && self.model.series_step().is_none() {
            let message = "--series needs shards of runs that note numbers over time: leave it out, or run them with \
                           --series-step";
            return Err(CommandError::Usage { message: message.into() });
        }
        if folded.is_some() && self.model.fold().is_none() {
            let message = "--folded needs shards of runs of a file with a `fold`: leave it out";
            return Err(CommandError::Usage { message: message.into() });
        }
        Ok(NetworkFiles { stations, classes, histograms, series, folded, ..NetworkFiles::default() })
    }
}

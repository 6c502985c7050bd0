//! One replication of a network over several ranks.

use super::{NetworkArguments, NetworkCase, Replications, WarmUpChoice, replicate};
use crate::CommandError;
use crate::case::Wanted;
use crate::checkpoint::OverRanks;
use crate::output::OutputFile;
use tickless_core::ranks::Ranks;
use tickless_core::run::{Restartable, Run, Watch};
use tickless_queueing::{self as queueing, Checkpoint, NetworkDetails, NetworkOptions};

impl<A: NetworkArguments> OverRanks for NetworkCase<A> {
    fn check_over_ranks(&self, of_processes: bool) -> Result<(), CommandError> {
        let choices = self.arguments.choices();
        let message = if self.precision.is_some() || choices.replications.count() > 1 {
            "one run goes over ranks, and replications run side by side without: leave --ranks out, or --replications and \
             --precision"
        } else if of_processes && matches!(choices.warmup, Some(WarmUpChoice::Pilot(_))) {
            "every rank must know the warm-up, and a pilot would find it on one: give --warmup a time"
        } else {
            return Ok(());
        };
        Err(CommandError::Usage { message: message.into() })
    }

    fn run_over(
        &mut self,
        ranks: Ranks<'_>,
        wanted: Wanted,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<Replications, CommandError> {
        let numbers = self.arguments.choices().replications.numbers();
        let options = NetworkOptions { figures_only: self.figures_only(wanted), ..NetworkOptions::default() };
        let mut run = replicate(&self.model, numbers, ranks, options, watch)?;
        // A run that ended before it checked for Ctrl-C may lack the warm-up of an interrupted pilot.
        run.interrupted |= self.pilot.interrupted;
        Ok(run)
    }

    fn run_from_over(
        &mut self,
        from: Option<&Checkpoint>,
        ranks: Ranks<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint, NetworkDetails>, CommandError> {
        let restartable = Restartable { model: &self.model, from };
        let numbers = self.arguments.choices().replications.numbers();
        let run = queueing::run(restartable, numbers, ranks, NetworkOptions::default(), watch);
        let run = run.map_err(|error| CommandError::of_network(error, &self.model))?;
        // As in a run without checkpoints.
        Ok(Run { interrupted: run.interrupted | self.pilot.interrupted, ..run })
    }
}

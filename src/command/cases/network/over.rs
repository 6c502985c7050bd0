//! One replication of a network over several ranks.

use super::{NetworkArguments, NetworkCase, Replications, WarmUpChoice};
use crate::CommandError;
use crate::case::Wanted;
use crate::checkpoint::OverRanks;
use crate::output::OutputFile;
use tickless_core::ranks::Ranks;
use tickless_core::run::{Run, Watch};
use tickless_queueing::{self as queueing, Checkpoint, NetworkDetails, OverOptions};

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
    ) -> Result<Option<Replications>, CommandError> {
        let options = OverOptions { figures_only: self.figures_only(wanted), ..OverOptions::default() };
        let run = queueing::run_over(&self.model, self.first(), ranks, options, watch);
        let run = run.map_err(|error| CommandError::of_network(error, &self.model))?;
        Ok(run.map(|run| {
            let mut run = run.map(|outcome| vec![outcome]);
            // A run that was over before it could see Ctrl-C may lack the warm-up of a pilot that was cut short.
            run.interrupted |= self.pilot.interrupted;
            run
        }))
    }

    fn run_from_over(
        &mut self,
        from: Option<&Checkpoint>,
        ranks: Ranks<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<Checkpoint, NetworkDetails>>, CommandError> {
        let run = queueing::run_from_over(&self.model, self.first(), from, ranks, None, watch);
        let run = run.map_err(|error| CommandError::of_network(error, &self.model))?;
        // As in a run without checkpoints.
        Ok(run.map(|run| Run { interrupted: run.interrupted | self.pilot.interrupted, ..run }))
    }
}

impl<A: NetworkArguments> NetworkCase<A> {
    /// The replication that runs.
    fn first(&self) -> u32 {
        self.arguments.choices().replications.numbers().start
    }
}

//! One replication of a network over several ranks.

use super::{NetworkArguments, NetworkCase, WarmUpChoice, batch_means, ended, replicate};
use crate::CommandError;
use crate::checkpoint::OverRanks;
use crate::output::OutputFile;
use tickless_core::ranks::Ranks;
use tickless_core::run::{Restartable, Run, RunMode, Watch};
use tickless_queueing::{self as queueing, Checkpoint, NetworkDetails, NetworkOptions};

impl<A: NetworkArguments> OverRanks for NetworkCase<A> {
    fn check_over_ranks(&self, of_processes: bool) -> Result<(), CommandError> {
        let choices = self.arguments.choices();
        batch_means::check(choices, &[("--ranks", true)])?;
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
        mode: RunMode<'_, Checkpoint>,
        ranks: Ranks<'_>,
        _: Option<&mut OutputFile>,
        watch: &mut dyn Watch,
    ) -> Result<Run<Checkpoint, NetworkDetails>, CommandError> {
        let numbers = self.arguments.choices().replications.numbers();
        let options = NetworkOptions { figures_only: self.figures_only(mode.wanted), ..NetworkOptions::default() };
        let run = if mode.keeps() {
            let restartable = Restartable { model: &self.model, from: mode.from };
            let run = queueing::run(restartable, numbers, ranks, options, watch);
            run.map_err(|error| CommandError::of_network(error, &self.model))?
        } else {
            replicate(&self.model, numbers, ranks, options, watch)?.map(ended)
        };
        // A run that was over before it could see Ctrl-C may lack the warm-up of a pilot that was cut short.
        Ok(Run { interrupted: run.interrupted | self.pilot.interrupted, ..run })
    }
}

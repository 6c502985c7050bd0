//! The arguments of `tickless experiment` and `tickless optimize` with a file, and the file that every study writes.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CommandError;
use crate::arguments::{number, time, whole, within};
use crate::inputs::{InputPath, network_text};
use tickless_experiments::optimization::Optimization;
use tickless_experiments::{Experiment, ExperimentError, Overrides};

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct PointsFile {
    /// Also write a line for each point to this CSV file
    #[arg(long, value_name = "FILE")]
    pub points: Option<PathBuf>,
}

/// Declares the arguments of a study of a network file: its own arguments stand between the common ones.
macro_rules! file_arguments {
    ($(#[$about:meta])* $name:ident, $(#[$of_file:meta])* file, $($own:tt)*) => {
        $(#[$about])*
        #[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(#[$of_file])*
            #[arg(value_name = "FILE.toml")]
            file: InputPath,
            /// The text of the file, with what its tables of numbers had. A rerun takes it from the result and reads no file.
            #[arg(skip)]
            description: Option<String>,
            $($own)*
            /// The horizon of every point [default: what the file says, or 100]
            #[arg(long, value_name = "T", value_parser = time)]
            until: Option<f64>,
            /// What happens before this time is not counted [default: what the file says, or 0]
            #[arg(long, value_name = "T", value_parser = time)]
            warmup: Option<f64>,
            /// One seed, one sample path of every point [default: what the file says, or 1]
            #[arg(long, value_name = "S", value_parser = whole::<u64>)]
            seed: Option<u64>,
        }

        impl $name {
            pub fn file(&self) -> &Path {
                self.file.as_ref()
            }

            /// Reads the file, which is then among the arguments.
            fn read<T>(
                &mut self,
                read: impl FnOnce(&str, &Overrides) -> Result<T, ExperimentError>,
            ) -> Result<T, CommandError> {
                let text = network_text(&self.file, &mut self.description, &mut None)?;
                let overrides = Overrides { until: self.until, warmup: self.warmup, seed: self.seed };
                read(text, &overrides).map_err(|error| CommandError::of_experiment(self.file.as_ref().to_owned(), error))
            }
        }
    };
}

file_arguments! {
    /// A network file with a table `[experiment]`, and what overrides it.
    ExperimentArguments,
    /// The network, with a table [experiment]; docs/experiments.md describes it
    file,
    /// Replications of each point [default: what the file says, or 20]
    #[arg(long, value_name = "R", value_parser = within(1..=1_000_000_u32))]
    replications: Option<u32>,
}

file_arguments! {
    /// A network file with a table `[optimize]`, and what overrides it.
    OptimizeArguments,
    /// The network, with a table [optimize]; docs/experiments.md describes it
    file,
    /// The most replications of all points together [default: what the file says, or 10000]
    #[arg(long, value_name = "R", value_parser = whole::<u64>)]
    max_replications: Option<u64>,
    /// Replications that a point begins with [default: what the file says, or 10]
    #[arg(long, value_name = "R", value_parser = whole::<u32>)]
    replications: Option<u32>,
    /// How sure the best is to be, above 0.5 and below 1 [default: what the file says, or 0.95]
    #[arg(long, value_name = "C", value_parser = number)]
    confidence: Option<f64>,
}

impl ExperimentArguments {
    /// The experiment.
    ///
    /// # Errors
    /// A file that cannot be read, and faults in it.
    pub fn experiment(&mut self) -> Result<Experiment, CommandError> {
        let replications = self.replications;
        self.read(|text, overrides| {
            let experiment = Experiment::with(text, overrides)?;
            match replications {
                Some(replications) => experiment.with_replications(replications),
                None => Ok(experiment),
            }
        })
    }
}

impl OptimizeArguments {
    /// The optimization.
    ///
    /// # Errors
    /// A file that cannot be read, and faults in it.
    pub fn optimization(&mut self) -> Result<Optimization, CommandError> {
        let optimization = self.read(Optimization::with)?;
        let mut settings = optimization.settings();
        settings.max_replications = self.max_replications.unwrap_or(settings.max_replications);
        settings.replications = self.replications.unwrap_or(settings.replications);
        settings.confidence = self.confidence.unwrap_or(settings.confidence);
        optimization.with_settings(settings).map_err(|message| CommandError::Usage { message })
    }
}

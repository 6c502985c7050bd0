//! What `tickless experiment` takes.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CommandError;
use crate::arguments::{time, whole, within};
use crate::inputs::{InputPath, network_text};
use tickless_experiments::{Experiment, Overrides};

/// A network file with a table `[experiment]`, and what overrides it.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentArguments {
    /// The network, with a table [experiment]; docs/experiments.md describes it
    #[arg(value_name = "FILE.toml")]
    file: InputPath,
    /// The text of the file, with what its tables of numbers had. A rerun takes it from the result and reads no file.
    #[arg(skip)]
    description: Option<String>,
    /// Replications of each point [default: what the file says, or 20]
    #[arg(long, value_name = "R", value_parser = replications)]
    replications: Option<u32>,
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

fn replications(text: &str) -> Result<u32, String> {
    within(text, 1..=1_000_000)
}

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct ExperimentFiles {
    /// Also write a line for each point to this CSV file
    #[arg(long, value_name = "FILE")]
    pub points: Option<PathBuf>,
}

impl ExperimentArguments {
    pub fn file(&self) -> &Path {
        self.file.as_ref()
    }

    /// Reads the file.
    ///
    /// # Errors
    /// A file that cannot be read, and what is wrong in it.
    pub fn experiment(&mut self) -> Result<Experiment, CommandError> {
        let path = self.file.as_ref().to_owned();
        let text = network_text(&self.file, &mut self.description)?;
        let overrides = Overrides { until: self.until, warmup: self.warmup, seed: self.seed };
        let experiment = Experiment::with(text, &overrides).and_then(|experiment| match self.replications {
            Some(replications) => experiment.with_replications(replications),
            None => Ok(experiment),
        });
        experiment.map_err(|error| CommandError::of_experiment(path, error))
    }
}

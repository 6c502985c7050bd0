//! What `tickless optimize` takes.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CommandError;
use crate::arguments::{number, time, whole};
use crate::inputs::{InputPath, network_text};
use tickless_experiments::Overrides;
use tickless_experiments::optimization::Optimization;

/// A network file with a table `[optimize]`, and what overrides it.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptimizeArguments {
    /// The network, with a table [optimize]; docs/experiments.md describes it
    #[arg(value_name = "FILE.toml")]
    file: InputPath,
    /// The text of the file, with what its tables of numbers had. A rerun takes it from the result and reads no file.
    #[arg(skip)]
    description: Option<String>,
    /// The most replications of all points together [default: what the file says, or 10000]
    #[arg(long, value_name = "R", value_parser = whole::<u64>)]
    max_replications: Option<u64>,
    /// Replications that a point begins with [default: what the file says, or 10]
    #[arg(long, value_name = "R", value_parser = whole::<u32>)]
    replications: Option<u32>,
    /// How sure the best is to be, above 0.5 and below 1 [default: what the file says, or 0.95]
    #[arg(long, value_name = "C", value_parser = number)]
    confidence: Option<f64>,
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

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OptimizeFiles {
    /// Also write a line for each point that was looked at to this CSV file
    #[arg(long, value_name = "FILE")]
    pub points: Option<PathBuf>,
}

impl OptimizeArguments {
    pub fn file(&self) -> &Path {
        self.file.as_ref()
    }

    /// Reads the file.
    ///
    /// # Errors
    /// A file that cannot be read, and what is wrong in it.
    pub fn optimization(&mut self) -> Result<Optimization, CommandError> {
        let path = self.file.as_ref().to_owned();
        let text = network_text(&self.file, &mut self.description)?;
        let overrides = Overrides { until: self.until, warmup: self.warmup, seed: self.seed };
        let optimization = Optimization::with(text, &overrides);
        let optimization = optimization.map_err(|error| CommandError::of_experiment(path, error))?;
        let mut settings = optimization.settings();
        settings.max_replications = self.max_replications.unwrap_or(settings.max_replications);
        settings.replications = self.replications.unwrap_or(settings.replications);
        settings.confidence = self.confidence.unwrap_or(settings.confidence);
        let usage = |message| CommandError::Usage { message };
        optimization.with_settings(settings).map_err(usage)
    }
}

//! What `tickless rerun` takes.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::{Backend, DeviceArguments, Format};

const RERUN: &str = "Exit codes: 0 the same digest, 1 another one, 2 error, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = RERUN)]
pub struct RerunArguments {
    /// What `tickless torus`, `network`, `phold` or `cells` wrote with --format json
    #[arg(value_name = "RESULT.json")]
    pub file: PathBuf,
    /// What runs it [default: the backend of the result]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<Backend>,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
}

//! What `tickless cells` takes.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::super::arguments::{AFTER, Backend, Compared, DeviceArguments, Format};
use super::fire::{CompareFireArguments, FireArguments};
use super::log::LogArguments;
use super::rules::{CompareRulesArguments, RulesArguments};
use super::watershed::{CompareWatershedArguments, WatershedArguments};

#[derive(Debug, Args)]
pub struct CellsArguments {
    #[command(subcommand)]
    pub model: CellsModel,
}

#[derive(Debug, Subcommand)]
pub enum CellsModel {
    /// Run a wildfire
    #[command(after_help = AFTER)]
    Fire(Box<FireArguments>),
    /// Run a file of rules; `tickless cells FILE.ma` does the same
    #[command(after_help = AFTER)]
    Rules(RulesArguments),
    /// Run rain on a terrain
    #[command(after_help = AFTER)]
    Watershed(WatershedArguments),
    /// Make a CSV file of what a run wrote with --log
    Log(LogArguments),
}

#[derive(Debug, Args)]
pub struct CompareCellsArguments {
    #[command(subcommand)]
    pub model: CompareCellsModel,
}

#[derive(Debug, Subcommand)]
pub enum CompareCellsModel {
    /// Compare runs of a wildfire
    #[command(after_help = AFTER)]
    Fire(Box<CompareFireArguments>),
    /// Compare runs of a file of rules; `tickless compare cells FILE.ma` does the same
    #[command(after_help = AFTER)]
    Rules(CompareRulesArguments),
    /// Compare runs of rain on a terrain
    #[command(after_help = AFTER)]
    Watershed(CompareWatershedArguments),
}

/// How a model runs, and how its result is written.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// What runs it
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub backend: Backend,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
    /// Also write everything that cells send to this file, in a compact form; `tickless cells log FILE` makes a CSV file of it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,
}

/// What is compared, and how the result is written.
#[derive(Debug, Args)]
pub struct ComparedArguments {
    /// Two or more backends; the others are compared with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "heap,wgpu")]
    pub backends: Vec<Compared>,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
}

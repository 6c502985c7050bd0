//! What can be asked on the command line of every model, and the commands.

use std::str::FromStr;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::CommandError;
use super::cases::{CASES, CELLS, Commands};
use super::devices::DevicesArguments;
use super::kernels::KernelsArguments;
use super::log::LogArguments;
use super::report::VERSIONS;
use super::rerun::RerunArguments;

pub const AFTER: &str = "Exit codes: 0 done, 1 a comparison differs, 2 error, 130 interrupted.";

/// Every command. Those of models are made of [`CASES`].
pub fn command() -> Command {
    let group = |name| Command::new(name).subcommand_required(true).arg_required_else_help(true);
    let cells =
        |make: fn(&Commands) -> Command| CASES.iter().filter(|case| case.group == CELLS).map(make).collect::<Vec<_>>();
    let others =
        |make: fn(&Commands) -> Command| CASES.iter().filter(|case| case.group.is_none()).map(make).collect::<Vec<_>>();
    let log = LogArguments::augment_args(Command::new("log"))
        .about("Make a CSV file of what a run of cells wrote with --log");
    Command::new("tickless")
        .about("Discrete-event simulation on any GPU, with the same bits as a sequential event list")
        .version(VERSIONS)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(others(Commands::run_command))
        .subcommand(
            group("cells")
                .about("Run a cell space: fire, a watershed, or a file of rules")
                .subcommands(cells(Commands::run_command))
                .subcommand(log),
        )
        .subcommand(
            group("compare")
                .about("Run one model on several backends and compare every bit")
                .subcommands(others(Commands::compare_command))
                .subcommand(
                    group("cells").about("Compare runs of a cell space").subcommands(cells(Commands::compare_command)),
                ),
        )
        .subcommand(
            RerunArguments::augment_args(Command::new("rerun"))
                .about("Repeat the run of a JSON result and say whether the digest is the same"),
        )
        .subcommand(
            DevicesArguments::augment_args(Command::new("devices"))
                .about("List the adapters of this machine and say which one auto takes"),
        )
        .subcommand(
            KernelsArguments::augment_args(Command::new("kernels"))
                .about("List every kernel and the modules of shaders/ that it is made of, or print one"),
        )
}

/// `T` of what was given.
///
/// # Errors
/// What clap finds missing, which [`command`] has asked for.
pub fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> Result<T, CommandError> {
    T::from_arg_matches(matches).map_err(|error| CommandError::usage(&error, &[]))
}

/// What a run of a model takes.
#[derive(Debug, Args)]
pub struct RunArguments<A: Args, O: Args, F: Args> {
    #[command(flatten)]
    pub model: A,
    /// What runs it; auto takes the heap where a round on a device would hold few events
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "Device")]
    pub backend: Backend,
    #[command(flatten)]
    pub device: DeviceArguments,
    #[command(flatten)]
    pub options: O,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
    #[command(flatten)]
    pub files: F,
}

/// What a comparison of a model takes.
#[derive(Debug, Args)]
pub struct CompareArguments<A: Args, F: Args> {
    #[command(flatten)]
    pub model: A,
    /// Two or more backends; the others are compared with the first, whose run fills the files
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "heap,wgpu", help_heading = "Device")]
    pub backends: Vec<Compared>,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
    #[command(flatten)]
    pub files: F,
}

/// A model without further options, or without files of its own.
#[derive(Debug, Default, Args)]
pub struct Nothing {}

/// Which device, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Device")]
pub struct DeviceArguments {
    /// An adapter of the backend in `tickless devices`, by its number or part of its name
    #[arg(long, value_name = "NAME-or-INDEX", value_parser = NonEmptyStringValueParser::new())]
    pub adapter: Option<String>,
    /// Leave native 64-bit integers unused: times are two words, with the same bits
    #[arg(long)]
    pub no_int64: bool,
}

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs; docs/json.md describes every field
    Json,
}

/// What runs a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// CUDA where it is built in and works, else a discrete GPU, an integrated one, a software adapter, the heap; with
    /// --adapter that adapter of wgpu
    Auto,
    /// Rounds on an adapter (Vulkan, Metal or DX12)
    Wgpu,
    /// Rounds on an NVIDIA GPU through CUDA, where the command was built with it
    Cuda,
    /// The sequential event list on one core
    Heap,
}

/// What can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compared {
    /// The sequential event list
    Heap,
    /// Rounds on an adapter
    Wgpu,
    /// The same with times of two words, as --no-int64 has them
    WgpuWords,
    /// Rounds on an NVIDIA GPU through CUDA
    Cuda,
    /// The same with times of two words
    CudaWords,
}

impl Compared {
    pub fn name(self) -> &'static str {
        match self {
            Self::Heap => "heap",
            Self::Wgpu => "wgpu",
            Self::WgpuWords => "wgpu-words",
            Self::Cuda => "cuda",
            Self::CudaWords => "cuda-words",
        }
    }

    /// Whether its times are two words whatever the options say.
    pub fn words(self) -> bool {
        matches!(self, Self::WgpuWords | Self::CudaWords)
    }

    /// Whether it runs rounds through CUDA.
    pub fn cuda(self) -> bool {
        matches!(self, Self::Cuda | Self::CudaWords)
    }
}

pub fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    let bits = 8 * size_of::<N>();
    text.parse().map_err(|_| format!("it takes a whole number from 0 to 2^{bits} - 1"))
}

/// Which times make sense is the model's to say.
pub fn time(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it takes a number of time units".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        command().debug_assert();
    }
}

//! What can be asked on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

use super::cells::{CellsArguments, CompareCellsArguments};
use super::kernels::KernelsArguments;
use super::phold::{ComparePholdArguments, PholdArguments};
use super::rerun::RerunArguments;
use crate::queueing::Torus;
use crate::queueing::network::{Network, Observed};
use crate::random::{LawError, ServiceLaw};

/// Discrete-event simulation on any GPU, with the same bits as a sequential event list.
#[derive(Debug, Parser)]
#[command(name = "tickless", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a closed torus queueing network
    Torus(TorusArguments),
    /// Run a queueing network of a TOML file
    Network(NetworkArguments),
    /// Run PHOLD, the benchmark of logical processes that send each other messages
    Phold(PholdArguments),
    /// Run a cell space: fire, a watershed, or a file of rules
    Cells(CellsArguments),
    /// Run one model on several backends and compare every bit
    Compare(CompareArguments),
    /// Repeat the run of a JSON result and say whether the digest is the same
    Rerun(RerunArguments),
    /// List the adapters of this machine and say which one auto takes
    Devices(DevicesArguments),
    /// List every kernel and the modules of shaders/ that it is made of, or print one
    Kernels(KernelsArguments),
}

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct TorusArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Approximate time: every event happens at a multiple of I, rounded up; the law stays as it is
    /// [default: exact time]
    #[arg(long, value_name = "I", value_parser = time, allow_negative_numbers = true, conflicts_with_all = ["window", "exact"],
          help_heading = "Model")]
    pub approximate: Option<f64>,
    /// What runs it
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub backend: Backend,
    #[command(flatten)]
    pub device: DeviceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Debug, Args)]
pub struct CompareArguments {
    #[command(subcommand)]
    pub model: CompareModel,
}

#[derive(Debug, Subcommand)]
pub enum CompareModel {
    /// Compare runs of a closed torus queueing network
    Torus(CompareTorusArguments),
    /// Compare runs of a queueing network of a TOML file
    Network(CompareNetworkArguments),
    /// Compare runs of PHOLD
    Phold(ComparePholdArguments),
    /// Compare runs of a cell space
    Cells(CompareCellsArguments),
}

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct CompareTorusArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Two or more backends; the others are compared with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "heap,wgpu")]
    pub backends: Vec<Compared>,
    #[command(flatten)]
    pub device: DeviceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// The options override what the file says.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct NetworkArguments {
    #[command(flatten)]
    pub network: NetworkFileArguments,
    /// What happens before this time is not counted; auto: the time that a pilot on the heap finds [default: 0]
    #[arg(long, value_name = "T-or-auto", value_parser = warmup, allow_negative_numbers = true)]
    pub warmup: Option<WarmUpChoice>,
    /// How many independent replications run, at once on a device: figures then have 95 % intervals
    #[arg(long, value_name = "R", value_parser = replications, default_value_t = 1, allow_negative_numbers = true)]
    pub replications: u32,
    /// Adds replications until the 95 % half widths of the main figures are at most this share of their means
    #[arg(long, value_name = "P", value_parser = share, conflicts_with = "replications", allow_negative_numbers = true)]
    pub precision: Option<f64>,
    /// The wall-clock time after which --precision begins no further replication, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = budget, default_value_t = 60.0, requires = "precision",
          allow_negative_numbers = true)]
    pub budget: f64,
    /// What runs it; auto takes the heap where a round would hold few events
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub backend: Backend,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// The most places for tokens in the device's memory, over the replications that run at once: a run that needs more
    /// ends with an error [default: what the device holds]
    #[arg(long, value_name = "N", value_parser = tokens, help_heading = "Device", allow_negative_numbers = true)]
    pub max_tokens: Option<u64>,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
    /// Also write a line for each station to this CSV file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub stations: Option<PathBuf>,
    /// Also write a line for each bin of each recorded distribution to this CSV file; without --distributions it records
    /// them of all stations
    #[arg(long, value_name = "FILE", conflicts_with = "no_distributions", help_heading = "Output")]
    pub histograms: Option<PathBuf>,
}

impl TorusArguments {
    /// The model as it was asked for, not yet checked. Approximate time shifts no law.
    pub fn torus(&self) -> Torus {
        let torus = self.model.torus();
        if self.approximate.is_some() { torus.window(0.0) } else { torus }
    }
}

impl NetworkArguments {
    /// The network with what the options override.
    pub fn apply(&self, network: Network) -> Network {
        let mut network = self.network.apply(network);
        if self.histograms.is_some() && *network.observed() == Observed::Nothing {
            network = network.distributions(Observed::All);
        }
        match self.warmup {
            None => network,
            Some(WarmUpChoice::Time(time)) => network.warmup(time),
            // The pilot needs none, and finds it.
            Some(WarmUpChoice::Auto) => network.warmup(0.0),
        }
    }
}

/// A network file, and what overrides it whatever is done with it.
#[derive(Debug, Args)]
pub struct NetworkFileArguments {
    /// The network; docs/networks.md describes the format
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,
    /// The synchronization window d: a station whose shortest service time and transit delay together are shorter has
    /// its law shifted; 0 shifts none [default: 0]
    #[arg(long, value_name = "D", value_parser = time, allow_negative_numbers = true)]
    window: Option<f64>,
    /// Every law as it is written and exact time, whatever the file says: a device needs no window where stations promise
    /// each other when they will not send
    #[arg(long, conflicts_with_all = ["window", "approximate"])]
    exact: bool,
    /// Approximate time: every event happens at a multiple of I, rounded up; it takes no window but 0
    /// [default: exact time]
    #[arg(long, value_name = "I", value_parser = time, allow_negative_numbers = true)]
    approximate: Option<f64>,
    /// Exact time, whatever the file says
    #[arg(long, conflicts_with = "approximate")]
    no_approximate: bool,
    /// The horizon: events before it happen [default: 100]
    #[arg(long, value_name = "T", value_parser = time, allow_negative_numbers = true)]
    until: Option<f64>,
    /// One seed, one sample path [default: 1]
    #[arg(long, value_name = "S", value_parser = whole::<u64>, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Record distributions of waiting and system times and of the number present, of all stations or of those named:
    /// --distributions or --distributions=NAME,NAME; names with commas go in the list `distributions` of the file
    /// [default: means only]
    #[arg(long, value_name = "NAMES", num_args = 0.., require_equals = true, value_delimiter = ',',
          value_parser = station_name)]
    distributions: Option<Vec<String>>,
    /// Record no distributions, whatever the file says
    #[arg(long, conflicts_with = "distributions")]
    no_distributions: bool,
}

impl NetworkFileArguments {
    fn apply(&self, mut network: Network) -> Network {
        network = self.window.into_iter().fold(network, Network::window);
        network = self.approximate.into_iter().fold(network, Network::approximate);
        if self.exact {
            network = network.window(0.0);
        }
        if self.exact || self.no_approximate {
            network = network.exact();
        }
        network = self.until.into_iter().fold(network, Network::until);
        if let Some(names) = &self.distributions {
            let observed = if names.is_empty() { Observed::All } else { Observed::Stations(names.clone()) };
            network = network.distributions(observed);
        }
        if self.no_distributions {
            network = network.distributions(Observed::Nothing);
        }
        self.seed.into_iter().fold(network, Network::seed)
    }
}

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct CompareNetworkArguments {
    #[command(flatten)]
    pub network: NetworkFileArguments,
    /// What happens before this time is not counted [default: 0]
    #[arg(long, value_name = "T", value_parser = time, allow_negative_numbers = true)]
    warmup: Option<f64>,
    /// How many independent replications run
    #[arg(long, value_name = "R", value_parser = replications, default_value_t = 1, allow_negative_numbers = true)]
    pub replications: u32,
    /// Two or more backends; the others are compared with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "heap,wgpu")]
    pub backends: Vec<Compared>,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
}

impl CompareNetworkArguments {
    /// The network with what the options override.
    pub fn apply(&self, network: Network) -> Network {
        self.warmup.into_iter().fold(self.network.apply(network), Network::warmup)
    }
}

#[derive(Debug, Args)]
pub struct DevicesArguments {
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const AFTER: &str = "Exit codes: 0 done, 1 a comparison differs, 2 error, 130 interrupted.";

/// The model; every option has a default.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ModelArguments {
    /// Facilities in a row and rows of a square torus [default: 512]
    #[arg(long, value_name = "N", value_parser = side, conflicts_with_all = ["width", "height"])]
    side: Option<u32>,
    /// Facilities in a row
    #[arg(long, value_name = "W", value_parser = side, requires = "height")]
    width: Option<u32>,
    /// Rows
    #[arg(long, value_name = "H", value_parser = side, requires = "width")]
    height: Option<u32>,
    /// Tokens at each facility at time 0
    #[arg(long, value_name = "K", value_parser = whole::<u32>, default_value_t = 1, allow_negative_numbers = true)]
    tokens: u32,
    /// The law of service times: exponential:MEAN, constant:TIME, uniform:LOW,HIGH, erlang:STAGES,MEAN or
    /// hyperexponential:P,FIRST,SECOND
    #[arg(long, value_name = "LAW", value_parser = law, default_value = "exponential:10")]
    service: ServiceLaw,
    /// The synchronization window d: a law without so long a shortest time is shifted to d + S·(M - d)/M, which
    /// keeps its mean M; 0 leaves it alone [default: the law's shortest time]
    #[arg(long, value_name = "D", value_parser = time, allow_negative_numbers = true)]
    window: Option<f64>,
    /// The law as it is written, which is the default: a device needs no window where facilities promise each other when
    /// they will not send
    #[arg(long, conflicts_with = "window")]
    exact: bool,
    /// The horizon: events before it happen
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 500.0, allow_negative_numbers = true)]
    until: f64,
    /// What happens before this time is not counted
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 0.0, allow_negative_numbers = true)]
    warmup: f64,
    /// One seed, one sample path
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
}

impl ModelArguments {
    const SIDE: u32 = 512;

    /// The model as it was asked for, not yet checked.
    pub fn torus(&self) -> Torus {
        let side = self.side.unwrap_or(Self::SIDE);
        let torus = Torus::new(self.width.unwrap_or(side), self.height.unwrap_or(side))
            .tokens(self.tokens)
            .service(self.service)
            .until(self.until)
            .warmup(self.warmup)
            .seed(self.seed);
        match self.window {
            Some(window) => torus.window(window),
            None if self.exact => torus.window(0.0),
            None => torus,
        }
    }
}

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

/// Where the result goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Also write a line for each facility to this CSV file (of the first backend in a comparison)
    #[arg(long, value_name = "FILE")]
    pub facilities: Option<PathBuf>,
}

/// Where the counting begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WarmUpChoice {
    /// At this time, in time units.
    Time(f64),
    /// Where a pilot finds.
    Auto,
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

fn station_name(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err(
            "a name is missing: it takes names of stations with a comma between two, as --distributions=NAME,NAME, \
                    and without '=' all stations"
                .into(),
        );
    }
    Ok(text.to_owned())
}

fn side(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("a torus needs at least 1 facility each way".into()),
        Ok(side) => Ok(side),
        Err(_) => Err(format!("it takes a whole number from 1 to {}", u32::MAX)),
    }
}

fn replications(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(count @ 1..=1_000_000) => Ok(count),
        _ => Err("it takes a whole number from 1 to 1000000".into()),
    }
}

fn tokens(text: &str) -> Result<u64, String> {
    let most = text.parse().ok().filter(|most| *most > 0);
    most.ok_or_else(|| "it takes a whole number from 1 to 2^64 - 1".into())
}

pub fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    let bits = 8 * size_of::<N>();
    text.parse().map_err(|_| format!("it takes a whole number from 0 to 2^{bits} - 1"))
}

/// Which times make sense is the model's to say.
pub fn time(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it takes a number of time units".into())
}

fn warmup(text: &str) -> Result<WarmUpChoice, String> {
    match text {
        "auto" => Ok(WarmUpChoice::Auto),
        _ => text.parse().map(WarmUpChoice::Time).map_err(|_| "it takes a number of time units, or auto".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (1e-6..1.0).contains(share));
    share.ok_or_else(|| "it takes a number from 0.000001 to below 1, as 0.01 for one percent".into())
}

fn budget(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 1e9);
    seconds.ok_or_else(|| "it takes a number of seconds above 0, at most 1e9".into())
}

/// clap names the option and the value, so only the fault is left to say.
fn law(text: &str) -> Result<ServiceLaw, String> {
    text.parse().map_err(|error: LawError| error.fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn defaults_make_a_valid_model() {
        let parsed = Arguments::try_parse_from(["tickless", "torus"]).unwrap();
        let Command::Torus(arguments) = parsed.command else { panic!("{parsed:?}") };
        let model = arguments.model.torus().check().unwrap();
        assert_eq!((model.width(), model.height(), model.tokens_each()), (512, 512, 1));
        assert_eq!((model.shift(), model.law().offset), (None, 0));
    }
}

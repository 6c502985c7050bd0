//! Options on the command line that every model has.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::CommandError;
use tickless_device::{BATCH_LIMIT, COMPILE_LIMIT, OpenOptions};

pub const AFTER: &str = "Exit codes: 0 done, 1 a comparison differs, 2 error, 130 interrupted.";

/// The values of `T` from the command line.
///
/// # Errors
/// Options that clap finds missing although the command requires them.
pub fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> Result<T, CommandError> {
    T::from_arg_matches(matches).map_err(|error| CommandError::usage(&error, &[], &[]))
}

/// The arguments of a run of a model.
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
    /// Also write the result with pictures to this HTML file, which needs no other one
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub files: F,
}

/// The arguments of a comparison of a model.
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

/// The choice of a device, and its options.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Device")]
pub struct DeviceArguments {
    /// An adapter of the backend in `tickless devices`, by its number or part of its name
    #[arg(long, value_name = "NAME-or-INDEX", value_parser = NonEmptyStringValueParser::new())]
    pub adapter: Option<String>,
    /// GPUs of CUDA in `tickless devices` that run the model together, by their numbers, as in 0,1; or all
    #[arg(long, value_name = "LIST-or-all", value_parser = gpus, conflicts_with = "adapter")]
    pub devices: Option<Gpus>,
    /// Leave native 64-bit integers unused: times are two words, with the same bits
    #[arg(long)]
    pub no_int64: bool,
    /// How long the kernels of a run may be compiled [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = ranged(1e-3..=1e6, "of seconds from 0.001 to 1000000"))]
    pub compile_limit: Option<f64>,
    /// How long the adapter may take for a batch of rounds, which are some 30 ms where nothing is wrong [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = ranged(1e-3..=1e6, "of seconds from 0.001 to 1000000"))]
    pub batch_limit: Option<f64>,
    /// Threads of the heap simulator at the most, each with a replication or a search of its own, 1 to 1024; where memory is
    /// short there are fewer [default: one for each core]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = within(NonZeroUsize::MIN..=NonZeroUsize::MIN.saturating_add(MOST_THREADS - 1)))]
    pub threads: Option<NonZeroUsize>,
    /// Whether kernels are timed.
    #[arg(skip)]
    pub timings: bool,
}

/// GPUs by their numbers; all where the list is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpus(pub Vec<usize>);

fn gpus(text: &str) -> Result<Gpus, String> {
    if text == "all" {
        return Ok(Gpus(vec![]));
    }
    let numbers: Option<Vec<usize>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers.map(Gpus).ok_or_else(|| "it takes numbers of GPUs with commas between them, as in 0,1, or all".into())
}

/// The most threads of the heap simulator: each of them has the state of a whole replication.
const MOST_THREADS: usize = 1024;

impl DeviceArguments {
    /// Takes over the options that are given in `others`.
    pub fn replace_with(&mut self, others: &Self) {
        let Self { adapter, devices, no_int64, compile_limit, batch_limit, threads, timings } = others.clone();
        if adapter.is_some() || devices.is_some() {
            (self.adapter, self.devices) = (adapter, devices);
        }
        self.no_int64 |= no_int64;
        self.timings |= timings;
        self.compile_limit = compile_limit.or(self.compile_limit);
        self.batch_limit = batch_limit.or(self.batch_limit);
        self.threads = threads.or(self.threads);
    }

    /// Whether an option asks for an adapter, as it has a meaning only there.
    pub fn asks_for_one(&self) -> bool {
        self.adapter.is_some() || self.devices.is_some() || self.no_int64
    }

    /// Whether an option is given that has no meaning without an adapter.
    pub fn only_for_adapters(&self) -> bool {
        self.asks_for_one() || self.compile_limit.or(self.batch_limit).is_some()
    }

    /// How a device is opened.
    pub fn options(&self) -> OpenOptions {
        OpenOptions {
            without_int64: self.no_int64,
            timings: self.timings,
            compile_limit: self.compile_limit.map_or(COMPILE_LIMIT, Duration::from_secs_f64),
            batch_limit: self.batch_limit.map_or(BATCH_LIMIT, Duration::from_secs_f64),
            ..OpenOptions::default()
        }
    }
}

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs; tickless schema describes every field
    Json,
}

/// What runs a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// CUDA where it is built in and works, else a discrete GPU, an integrated one, the heap, or a software adapter for a
    /// network with a window on which the heap would be busy for more than 30 s; with --adapter that adapter of wgpu
    Auto,
    /// Rounds on an adapter (Vulkan, Metal or DX12)
    Wgpu,
    /// Rounds on an NVIDIA GPU through CUDA, where the command was built with it
    Cuda,
    /// The sequential event list, on one core; of replications and searches one on each core
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

    /// Whether its times are two words whatever the options are.
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

/// What reads a whole number of a range, which the error says.
pub fn within<N: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("it takes a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The number of replications of a model.
pub fn replications(text: &str) -> Result<u32, String> {
    within(1..=u32::MAX)(text)
}

/// What reads a number of a range. The error says the unit and the range in words, and clap repeats what was typed.
pub fn ranged(range: RangeInclusive<f64>, allowed: &'static str) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("it takes a number {allowed}"))
    }
}

/// Refuses a number that an option would not take: somebody has changed a result.
pub fn allowed<N: Display>(
    option: &str,
    number: N,
    parse: impl Fn(&str) -> Result<N, String>,
) -> Result<(), CommandError> {
    let refused = |said| CommandError::Usage { message: format!("{option} is {number}; {said}") };
    parse(&number.to_string()).map(drop).map_err(refused)
}

/// A number; the model checks its range.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it takes a number".into())
}

/// A time; the model checks its range.
pub fn time(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it takes a number of time units".into())
}

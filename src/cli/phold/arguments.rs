//! What `tickless phold` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::arguments::{AFTER, Format, time, whole};
use crate::processes::Phold;

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct PholdArguments {
    #[command(flatten)]
    model: PholdModelArguments,
    /// What runs it
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub backend: PholdBackend,
    #[command(flatten)]
    pub output: PholdOutputArguments,
}

impl PholdArguments {
    /// The model as it was asked for, not yet checked.
    pub fn phold(&self) -> Phold {
        self.model.phold()
    }
}

/// The model; every option has a default.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
struct PholdModelArguments {
    /// How many logical processes there are
    #[arg(long, value_name = "N", value_parser = whole::<u32>, default_value_t = 32_768, allow_negative_numbers = true)]
    processes: u32,
    /// Events of each process at the start; their number never changes
    #[arg(long, value_name = "M", value_parser = whole::<u32>, default_value_t = 1, allow_negative_numbers = true)]
    population: u32,
    /// The least increment: no message arrives sooner
    #[arg(long, value_name = "L", value_parser = time, default_value_t = 0.1, allow_negative_numbers = true)]
    lookahead: f64,
    /// The mean of the exponential part of an increment, which comes on top of the lookahead [default: 1]
    #[arg(long, value_name = "M", value_parser = time, allow_negative_numbers = true)]
    mean: Option<f64>,
    /// The same as a rate, 1 by the mean
    #[arg(long, value_name = "R", value_parser = time, conflicts_with = "mean", allow_negative_numbers = true)]
    rate: Option<f64>,
    /// The probability that an event goes to a process drawn of all, the own one among them; else it stays
    #[arg(long, value_name = "P", value_parser = time, default_value_t = 1.0, allow_negative_numbers = true)]
    remote: f64,
    /// Further random draws of an event, kept as a checksum in the state of its process
    #[arg(long, value_name = "W", value_parser = whole::<u32>, default_value_t = 0, allow_negative_numbers = true)]
    work: u32,
    /// The horizon: events before it happen
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 100.0, allow_negative_numbers = true)]
    until: f64,
    /// One seed, one sample path
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
}

impl PholdModelArguments {
    fn phold(&self) -> Phold {
        let mean = self.mean.or(self.rate.map(f64::recip)).unwrap_or(1.0);
        Phold::new(self.processes)
            .population(self.population)
            .lookahead(self.lookahead)
            .mean(mean)
            .remote(self.remote)
            .work(self.work)
            .until(self.until)
            .seed(self.seed)
    }
}

/// What runs logical processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PholdBackend {
    /// The sequential event list
    Auto,
    /// The sequential event list on one core
    Heap,
}

/// Where the result goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct PholdOutputArguments {
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Also write a line for each process to this CSV file
    #[arg(long, value_name = "FILE")]
    pub processes_csv: Option<PathBuf>,
}

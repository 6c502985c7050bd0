//! The arguments of `tickless phold`.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::CommandError;
use crate::arguments::{allowed, number, time, whole, within};
use crate::rounds::{OtherRounds, check_unused, name_of_set, set_of_name};
use tickless_core::number::Written;
use tickless_engine::pending::PendingSet;
use tickless_error::RunError;
use tickless_processes::gpu::{MOST_NODE, ProcessOptions};
use tickless_processes::{MOST_EVENTS, Phold, PholdError, PholdModel};

/// Which of its events before the bound a process executes in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerRound {
    /// All of them.
    #[default]
    All,
    /// The earliest.
    One,
}

impl PerRound {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::One => "one",
        }
    }
}

/// How rounds are made; none of it changes a result.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Rounds on a device")]
#[serde(deny_unknown_fields)]
pub struct RoundArguments {
    /// How the pending events of a process are kept: heap, heap-of-fours, circular,
    /// circular-single-pass, circular-parallel, unsorted or splay; or those of all processes in a global-heap; auto is
    /// unsorted on a GPU where a process executes many of its events in a round, else heap-of-fours [default: auto]
    #[arg(long, value_name = "NAME")]
    #[serde(serialize_with = "name_of_set", deserialize_with = "set_of_name")]
    #[schemars(with = "Option<String>")]
    pending: Option<PendingSet>,
    /// Which of its events before the bound a process executes in a round: all of them, or the first one
    /// [default: all]
    #[arg(long, value_name = "all-or-one", value_parser = per_round)]
    #[serde(serialize_with = "name_of_events", deserialize_with = "events_of_name")]
    #[schemars(with = "Option<String>")]
    per_round: Option<PerRound>,
    /// The most pending events of a process, with a global-heap in the mean over all [default: what fits the device]
    #[arg(long, value_name = "E", value_parser = whole::<u32>)]
    max_pending: Option<u32>,
    /// Events of a node of the global heap, 1 to 1048576, rounded up to a power of two; no more than there are events
    /// [default: about what a round executes]
    #[arg(long, value_name = "R", value_parser = within(1..=MOST_NODE))]
    node_size: Option<u32>,
}

impl RoundArguments {
    /// The options for the library.
    pub fn options(&self) -> ProcessOptions {
        ProcessOptions {
            pending: self.pending.unwrap_or_default(),
            one_event_a_round: self.events_a_round() == PerRound::One,
            most_pending: self.max_pending,
            node: self.node_size,
            ..ProcessOptions::default()
        }
    }

    /// A rerun takes the set that `auto` has chosen for this run.
    pub fn repeat_with(&mut self, set: Option<PendingSet>) {
        if self.pending == Some(PendingSet::Auto) {
            self.pending = set.or(self.pending);
        }
    }

    /// The rest of a run takes these options.
    pub fn run_otherwise(&mut self, others: &OtherRounds) {
        if others.pending.is_some_and(|set| set != PendingSet::GlobalHeap) {
            self.node_size = None;
        }
        self.pending = others.pending.or(self.pending);
        self.max_pending = others.max_pending.or(self.max_pending);
    }

    /// Which events a process executes in a round.
    pub fn events_a_round(&self) -> PerRound {
        self.per_round.unwrap_or_default()
    }

    /// Refuses nodes of any heap but the global one.
    pub fn check(&self) -> Result<(), CommandError> {
        self.node_size.map_or(Ok(()), |size| allowed("--node-size", size, within(1..=MOST_NODE)))?;
        if self.node_size.is_none() || self.pending == Some(PendingSet::GlobalHeap) {
            return Ok(());
        }
        let message = "--node-size is for --pending global-heap: leave it out, or ask for that".to_owned();
        Err(CommandError::Usage { message })
    }

    /// Refuses these options on the heap, which has no rounds.
    ///
    /// # Errors
    /// [`CommandError::Usage`] with the first given option.
    pub fn check_unused(&self) -> Result<(), CommandError> {
        check_unused(&[
            ("--pending", self.pending.is_some()),
            ("--per-round", self.per_round.is_some()),
            ("--max-pending", self.max_pending.is_some()),
            ("--node-size", self.node_size.is_some()),
        ])
    }
}

fn name_of_events<S: Serializer>(events: &Option<PerRound>, serializer: S) -> Result<S::Ok, S::Error> {
    events.map(PerRound::name).serialize(serializer)
}

fn events_of_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PerRound>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| per_round(&name).map_err(D::Error::custom)).transpose()
}

fn per_round(text: &str) -> Result<PerRound, String> {
    let found = [PerRound::All, PerRound::One].into_iter().find(|events| events.name() == text);
    found.ok_or_else(|| "it takes all or one".into())
}

/// The model; every option has a default.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct PholdArguments {
    /// How many logical processes there are
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_EVENTS), default_value_t = 32_768)]
    processes: u32,
    /// Events of each process at the start; their number never changes
    #[arg(long, value_name = "M", value_parser = within(1..=MOST_EVENTS), default_value_t = 1)]
    population: u32,
    /// The least increment: no message arrives sooner
    #[arg(long, value_name = "L", value_parser = time, default_value_t = 0.1)]
    lookahead: f64,
    /// The mean of the exponential part of an increment, which comes on top of the lookahead [default: 1]
    #[arg(long, value_name = "M", value_parser = time)]
    mean: Option<f64>,
    /// The same as a rate, 1 by the mean
    #[arg(long, value_name = "R", value_parser = number, conflicts_with = "mean")]
    rate: Option<f64>,
    /// The probability that an event goes to a process drawn of all, the own one among them; else it stays
    #[arg(long, value_name = "P", value_parser = number, default_value_t = 1.0)]
    remote: f64,
    /// Further random draws of an event, at most 2^20, kept as a checksum in the state of its process
    #[arg(long, value_name = "W", value_parser = whole::<u32>, default_value_t = 0)]
    work: u32,
    /// The horizon: events before it happen
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 100.0)]
    until: f64,
    /// One seed, one sample path
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
    /// How rounds are made; none of it changes a result.
    #[command(flatten)]
    pub rounds: RoundArguments,
}

impl PholdArguments {
    /// The model that was asked for.
    pub fn check(&self) -> Result<PholdModel, CommandError> {
        if self.mean.is_some() && self.rate.is_some() {
            let message = "--mean cannot be used with --rate: leave one of them out".to_owned();
            return Err(CommandError::Usage { message });
        }
        self.phold().check().map_err(|error| match (error, self.rate) {
            // The user gave the rate.
            (PholdError::Mean { least, most, .. }, Some(rate)) => {
                let [rate, least, most] = [rate, most.recip(), least.recip()].map(Written);
                let message = format!(
                    "the rate of the exponential part of an increment is {rate}; --rate must lie between {least} and \
                     {most} a time unit"
                );
                CommandError::Usage { message }
            }
            (error, _) => RunError::from(error).into(),
        })
    }

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

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct PholdFiles {
    /// Also write a line for each process to this CSV file
    #[arg(long, value_name = "FILE")]
    pub processes_csv: Option<PathBuf>,
}

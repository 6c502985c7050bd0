//! The arguments of both commands of queueing networks, and those of `tickless network` alone.

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::torus::TorusParameters;
use super::visits::Sample;
use crate::CommandError;
use crate::arguments::{time, whole};
use crate::inputs::{InputPath, network_text};
use crate::replications::ReplicationRange;
use tickless_queueing::{JmtMeasure, Network, NetworkError, NetworkModel, Observed, said_of};

/// The arguments by which a command describes its network.
pub trait NetworkArguments: Args + Clone + Serialize + DeserializeOwned + JsonSchema + 'static {
    /// Its name on the command line and in results.
    const NAME: &'static str;
    /// The network in words, for the help.
    const ABOUT: &'static str;
    /// Whether results list every station, and the warm-up is checked by a pilot: the stations of a torus are all alike, and
    /// there are many of them.
    const LISTS_STATIONS: bool;

    /// What runs of any network may be asked for.
    fn choices(&self) -> &Choices;
    fn choices_mut(&mut self) -> &mut Choices;

    /// Reads the files that the arguments name and gives the network, without the choices.
    ///
    /// # Errors
    /// A file that cannot be read; a value that is not allowed.
    fn network(&mut self) -> Result<Network, CommandError>;

    /// The file that describes the network.
    fn file(&self) -> Option<&Path>;

    /// The error of the network with its place in the file or options.
    fn wrong(&self, error: NetworkError) -> CommandError;

    /// What JMT found, of a file of JMT.
    fn jmt(&self) -> &[JmtMeasure] {
        &[]
    }

    /// The torus, if the arguments describe one.
    fn torus(&self, _: &NetworkModel) -> Option<TorusParameters> {
        None
    }
}

/// What runs of any network may be asked for.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// The synchronization window d: a station whose shortest service time and transit delay together are shorter has
    /// its law shifted to d + S·(M - d)/M, which keeps its mean M; 0 shifts none [default: 0]
    #[arg(long, value_name = "D", value_parser = time)]
    window: Option<f64>,
    /// Every law as it is written and exact time, whatever a file says: a device needs no window where stations promise
    /// each other when they will not send
    #[arg(long, conflicts_with_all = ["window", "approximate"])]
    exact: bool,
    /// Approximate time: every event happens at a multiple of I, rounded up; it takes no window but 0
    /// [default: exact time]
    #[arg(long, value_name = "I", value_parser = time)]
    approximate: Option<f64>,
    /// Exact time, whatever a file says
    #[arg(long, conflicts_with = "approximate")]
    no_approximate: bool,
    /// The horizon: events before it happen [default: 100; of a torus 500]
    #[arg(long, value_name = "T", value_parser = time)]
    pub until: Option<f64>,
    /// What happens before this time is not counted; auto: the time that a pilot on the heap finds [default: 0]
    #[arg(long, value_name = "T-or-auto", value_parser = warmup)]
    pub warmup: Option<WarmUpChoice>,
    /// One seed, one sample path [default: 1]
    #[arg(long, value_name = "S", value_parser = whole::<u64>)]
    seed: Option<u64>,
    /// Record distributions of waiting and system times and of the number present, of all stations or of those named:
    /// --distributions or --distributions=NAME,NAME; names with commas go in the list `distributions` of the file
    /// [default: means only]
    #[arg(long, value_name = "NAMES", num_args = 0.., require_equals = true, value_delimiter = ',',
          value_parser = station_name)]
    pub distributions: Option<Vec<String>>,
    /// Record no distributions, whatever a file says
    #[arg(long, conflicts_with = "distributions")]
    no_distributions: bool,
    /// Note how many tokens there are every S time units, for --series [default: means only]
    #[arg(long, value_name = "S", value_parser = time)]
    pub series_step: Option<f64>,
    /// How many independent replications run, at once on a device: figures then have 95 % intervals. A..B runs those from A
    /// to B - 1 of a larger number, for --shard
    #[arg(long, value_name = "R-or-A..B", value_parser = replications, default_value = "1")]
    pub replications: ReplicationRange,
    /// Divide one replication into N batches of one length, on the heap: figures then have 95 % intervals by the means of batches
    #[arg(long, value_name = "N", value_parser = batches)]
    #[serde(default)]
    pub batch_means: Option<u32>,
    /// The most places for tokens in the device's memory, over the replications that run at once: a run that needs more
    /// ends with an error [default: what the device holds]
    #[arg(long, value_name = "N", value_parser = tokens, help_heading = "Device")]
    pub max_tokens: Option<u64>,
}

/// A network file or a file of JMT, and what overrides it.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileArguments {
    /// The network; docs/networks.md describes the format. A .jsimg or .jsimw of JMT runs as tickless convert writes it
    #[arg(value_name = "FILE.toml")]
    file: InputPath,
    /// The text of the file, with the numbers of the tables that its laws name. A rerun takes it from the result and reads no file.
    #[arg(skip)]
    description: Option<String>,
    /// What JMT found, of a file of JMT, whose text is that of `tickless convert`; `null` of another one.
    #[arg(skip)]
    #[serde(default)]
    jmt: Option<Vec<JmtMeasure>>,
    /// What overrides the file.
    #[command(flatten)]
    choices: Choices,
}

impl NetworkArguments for FileArguments {
    const NAME: &'static str = "network";
    const ABOUT: &'static str = "a queueing network of a TOML file, or of a file of JMT";
    const LISTS_STATIONS: bool = true;

    fn choices(&self) -> &Choices {
        &self.choices
    }

    fn choices_mut(&mut self) -> &mut Choices {
        &mut self.choices
    }

    fn network(&mut self) -> Result<Network, CommandError> {
        let text = network_text(&self.file, &mut self.description, &mut self.jmt)?;
        let network = Network::from_toml(text);
        let network = network.map_err(|error| CommandError::NetworkText { path: self.with_lines(), error })?;
        // The warm-up of a file of JMT is a twentieth of its horizon, in whose place --until stands.
        let until = self.choices.until.filter(|_| self.jmt.is_some());
        Ok(until.into_iter().fold(network, |network, until| network.warmup(until / 20.0)))
    }

    fn jmt(&self) -> &[JmtMeasure] {
        self.jmt.as_deref().unwrap_or_default()
    }

    fn file(&self) -> Option<&Path> {
        Some(self.file.as_ref())
    }

    fn wrong(&self, error: NetworkError) -> CommandError {
        let (line, said) = match &self.description {
            Some(text) => said_of(text, &error),
            None => (None, error.to_string()),
        };
        CommandError::Network { path: self.with_lines(), line, said, error: Box::new(error) }
    }
}

impl FileArguments {
    /// Takes this text for that of the file, which is not read then.
    pub fn with_text(self, text: String) -> Self {
        Self { description: Some(text), ..self }
    }

    /// The file with the lines that errors of the network name.
    fn with_lines(&self) -> PathBuf {
        let file = self.file.as_ref();
        let converted = || format!("{} (as tickless convert writes it)", file.display()).into();
        self.jmt.as_ref().map_or(file.to_owned(), |_| converted())
    }
}

/// When replications end.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Precision")]
pub struct NetworkOptions {
    /// Adds replications until the 95 % half widths of the main figures are at most this share of their means
    #[arg(long, value_name = "P", value_parser = share, conflicts_with_all = ["replications", "shard", "checkpoint"])]
    pub precision: Option<f64>,
    /// The wall-clock time after which --precision begins no further replication, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit, default_value_t = 60.0, requires = "precision",
          allow_negative_numbers = true)]
    pub time_limit: f64,
}

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct NetworkFiles {
    /// Also write a line for each station to this CSV file
    #[arg(long, value_name = "FILE", alias = "facilities")]
    pub stations: Option<PathBuf>,
    /// Also write a line for each class at each station to this CSV file
    #[arg(long, value_name = "FILE")]
    pub classes: Option<PathBuf>,
    /// Also write a line for each bin of each recorded distribution to this CSV file; without --distributions it records
    /// them of all stations
    #[arg(long, value_name = "FILE", conflicts_with = "no_distributions")]
    pub histograms: Option<PathBuf>,
    /// Also write how many tokens there are over time, in the network and at each station, to this CSV file; without
    /// --series-step at a hundred steps
    #[arg(long, value_name = "FILE")]
    pub series: Option<PathBuf>,
    /// Also write what each station, class and resource does in each bin of the period that the file gives by `fold`, to this CSV file
    #[arg(long, value_name = "FILE")]
    pub folded: Option<PathBuf>,
    /// Also write each visit of a token to a station to this file: when it came, was served and left, and why. Its ending says how: .csv, .parquet
    /// (where built in), or .xes for process mining. The replications run once more for it, on the heap
    #[arg(long, value_name = "FILE")]
    pub visits: Option<PathBuf>,
    /// Of which tokens visits are written: one of N by their numbers, as 1/100 [default: all]
    #[arg(long, value_name = "1/N", requires = "visits")]
    pub sample: Option<Sample>,
    /// Also write what tickless merge needs to put these replications together with others
    #[arg(long, value_name = "FILE")]
    pub shard: Option<PathBuf>,
}

/// Where the counting begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of time units, or \"auto\"")]
#[schemars(inline)]
pub enum WarmUpChoice {
    /// At this time, in time units.
    Time(f64),
    /// Where a pilot finds.
    Pilot(Auto),
}

/// The word for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Auto {
    Auto,
}

impl Choices {
    /// Repeats checks of clap, for a result that was changed.
    pub fn check(&self) -> Result<(), CommandError> {
        let given = [
            ("--exact", self.exact),
            ("--no-approximate", self.no_approximate),
            ("--no-distributions", self.no_distributions),
            ("--window", self.window.is_some()),
            ("--approximate", self.approximate.is_some()),
            ("--distributions", self.distributions.is_some()),
        ];
        let given = |option| given.contains(&(option, true));
        let apart = [
            ["--exact", "--window"],
            ["--exact", "--approximate"],
            ["--no-approximate", "--approximate"],
            ["--no-distributions", "--distributions"],
        ];
        if let Some([one, other]) = apart.into_iter().find(|both| both.iter().all(|option| given(option))) {
            let message = format!("{one} cannot be used with {other}: leave one of them out");
            return Err(CommandError::Usage { message });
        }
        if let Some(Err(why)) = self.batch_means.map(|count| batches(&count.to_string())) {
            return Err(CommandError::Usage { message: format!("--batch-means: {why}") });
        }
        let Range { end, .. } = self.replications.numbers();
        let message = match (end, self.max_tokens) {
            (1..=MOST_REPLICATIONS, None | Some(1..)) => return Ok(()),
            (1..=MOST_REPLICATIONS, Some(_)) => "--max-tokens is 0; it must be at least 1".into(),
            (count, _) => format!("there are {count} replications; there must be 1 to {MOST_REPLICATIONS}"),
        };
        Err(CommandError::Usage { message })
    }

    /// The network with the options that override it. The pilot, which finds the warm-up, needs none.
    pub fn apply(&self, mut network: Network) -> Network {
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
            network = network.distributions(Observed::Nothing).quantiles(vec![]);
        }
        network = match self.warmup {
            None => network,
            Some(WarmUpChoice::Time(time)) => network.warmup(time),
            Some(WarmUpChoice::Pilot(_)) => network.warmup(0.0),
        };
        network = self.series_step.into_iter().fold(network, Network::series);
        self.seed.into_iter().fold(network, Network::seed)
    }
}

/// The most replications in all.
pub const MOST_REPLICATIONS: u32 = 1_000_000;

/// How many batches of one replication there may be.
const BATCHES: RangeInclusive<u32> = 2..=1000;

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

fn replications(text: &str) -> Result<ReplicationRange, String> {
    ReplicationRange::parse(text, MOST_REPLICATIONS)
}

fn batches(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| BATCHES.contains(count));
    count.ok_or_else(|| format!("it takes a whole number from {} to {}, as 20", BATCHES.start(), BATCHES.end()))
}

fn tokens(text: &str) -> Result<u64, String> {
    let most = text.parse().ok().filter(|most| *most > 0);
    most.ok_or_else(|| "it takes a whole number from 1 to 2^64 - 1".into())
}

fn warmup(text: &str) -> Result<WarmUpChoice, String> {
    match text {
        "auto" => Ok(WarmUpChoice::Pilot(Auto::Auto)),
        _ => text.parse().map(WarmUpChoice::Time).map_err(|_| "it takes a number of time units, or auto".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (1e-6..1.0).contains(share));
    share.ok_or_else(|| "it takes a number from 0.000001 to below 1, as 0.01 for one percent".into())
}

fn time_limit(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 1e9);
    seconds.ok_or_else(|| "it takes a number of seconds above 0, at most 1e9".into())
}

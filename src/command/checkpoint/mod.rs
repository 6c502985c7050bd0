//! Runs that leave checkpoints, and resume from them.

mod file;
mod files;
mod keeping;
mod kept;
mod lock;
mod parts;
mod so_far;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgMatches, Args};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::arguments::{Backend, RunArguments, parsed};
use super::case::Case;
use super::inputs::check_unchanged;
use super::interrupt::Interrupt;
use super::rounds::OtherRounds;
use super::run::{self, Straight};
use super::warning::Warning;
use super::{CommandError, Ending};
use file::{Pair, Read, Same};
use kept::{Begun, Kept, run_id};
use lock::Lock;
pub use parts::{Alone, OverRanks, Parts, Shared, agree, follow, hear, tell};
use tickless_core::archive::{ArchiveError, Arrays};

/// The default time of a run between two checkpoints.
const INTERVAL: Duration = Duration::from_secs(600);

/// The arguments of a run that may resume elsewhere.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Checkpoints")]
pub struct CheckpointArguments {
    /// Write the run as it stands to FILE and FILE.2 in turn, now and then and where Ctrl-C comes; tickless resume goes on
    /// from it. The files are removed when the run has ended
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub course: CourseArguments,
}

/// The arguments of a run that can resume from a checkpoint.
#[derive(Debug, Args)]
pub struct KeptArguments<A: Args, O: Args, F: Args> {
    #[command(flatten)]
    pub run: RunArguments<A, O, F>,
    #[command(flatten)]
    pub checkpoint: CheckpointArguments,
}

/// The same for a model.
pub type KeptOf<C> = KeptArguments<<C as Case>::Arguments, <C as Case>::Options, <C as Case>::Files>;

/// The options of a course, from the beginning or from a checkpoint.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Checkpoints")]
pub struct CourseArguments {
    /// Time of the run between two checkpoints, from 0.01s to 1000h: 90s, 10m, 2h, or seconds without a unit [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub checkpoint_interval: Option<Duration>,
    /// Where the device is lost or out of memory, or a rank fails, open the backend again and go on from the last checkpoint, so
    /// many times [default: 0]
    #[arg(long, value_name = "N")]
    pub retry: Option<u32>,
    /// The backend of the last of these tries, and of the next one where --backend cannot be opened again [default: none but
    /// --backend]
    #[arg(long, value_name = "NAME", requires = "retry")]
    pub retry_on: Option<Backend>,
}

impl CourseArguments {
    /// Refuses options that have no meaning without checkpoints.
    pub fn check_unused(&self) -> Result<(), CommandError> {
        let options = [
            ("--checkpoint-interval", self.checkpoint_interval.is_some()),
            ("--retry", self.retry.is_some()),
            ("--retry-on", self.retry_on.is_some()),
        ];
        let Some((option, _)) = options.into_iter().find(|(_, given)| *given) else { return Ok(()) };
        Err(CommandError::Usage { message: format!("{option} needs --checkpoint FILE: give one, or leave it out") })
    }
}

/// A duration as people write it.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let found = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, unit) = found.unwrap_or((text, &1.0));
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.01..=3.6e6).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "it takes a time from 0.01s to 1000h, as 90s, 10m or 2h".into())
}

/// A model whose runs resume from a checkpoint.
pub trait Resumable: Case<Details: Clone + Send + 'static> + 'static {
    /// The counts of [`Case::Details`] in all parts of a run.
    type Counts: Clone + Default + Serialize + DeserializeOwned + Send + 'static;

    /// The arrays of a file.
    ///
    /// # Errors
    /// Too little memory.
    fn arrays(at: &Self::Checkpoint) -> Result<Arrays, ArchiveError>;

    /// The checkpoint from the arrays of [`Resumable::arrays`].
    ///
    /// # Errors
    /// Arrays of another model.
    fn checkpoint(&self, arrays: Arrays) -> Result<Self::Checkpoint, ArchiveError>;

    /// Writes limits that a run has found into the arguments.
    fn found(&self, _: &mut Value) {}

    /// Adds the counts of a part of so many rounds, and replaces these by the counts of all parts.
    fn count(_: &mut Self::Counts, _: u64, _: &mut Self::Details) {}

    /// Runs the rest otherwise on a device.
    ///
    /// # Errors
    /// [`CommandError::Usage`] with an option that the model does not have.
    fn run_otherwise(_: &mut Self::Arguments, others: &OtherRounds) -> Result<(), CommandError> {
        others.check(Self::NAME, &[])
    }

    /// Whether a pilot should have found a value and has not: the model is then incomplete.
    fn lacks_pilot(&self) -> bool {
        false
    }

    /// The findings of the pilot in a result.
    fn pilot_found(&self) -> Value {
        Value::Null
    }

    /// Takes over the value of [`Resumable::pilot_found`].
    ///
    /// # Errors
    /// Another value.
    fn set_pilot(&mut self, _: Value) -> Result<(), serde_json::Error> {
        Ok(())
    }
}

/// Runs the model from its beginning, and leaves checkpoints if asked for.
///
/// # Errors
/// [`CommandError`].
pub fn run<C: Resumable>(
    KeptArguments { run: arguments, checkpoint }: KeptOf<C>,
    words: &[OsString],
    parts: impl Parts<C>,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let CheckpointArguments { checkpoint: path, course } = checkpoint;
    let Some(path) = path else {
        course.check_unused()?;
        return run::carry_out::<C>(arguments, Straight, interrupt);
    };
    let pair = Pair::new(&path)?;
    let words = written(words)?;
    let _lock = pair.lock()?;
    pair.check_free()?;
    let run = Begun { run: run_id(), words, warnings: vec![] };
    let kept = Kept { parts, pair: pair.clone(), course, begun: run, from: None, overwrites: true };
    let ending = run::carry_out::<C>(arguments, kept, interrupt)?;
    if ending == Ending::Done {
        pair.remove();
    }
    Ok(ending)
}

/// The same for a model that does not run over ranks.
///
/// # Errors
/// [`CommandError`].
pub fn run_alone<C: Resumable>(
    matches: &ArgMatches,
    words: &[OsString],
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    run::<C>(parsed::<KeptOf<C>>(matches)?, words, Alone, interrupt)
}

/// The description of its run in a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    path: PathBuf,
    /// The model's name.
    pub model: String,
    /// The words of the command line after the name of the command.
    pub words: Vec<String>,
    arguments: Value,
}

impl Told {
    /// An error for the checkpoint.
    pub fn fault(&self, fault: String) -> CommandError {
        CommandError::Checkpoint { path: self.path.clone(), fault }
    }

    /// The arguments of the model, with every default and the findings of a pilot.
    ///
    /// # Errors
    /// Arguments that do not fit the model.
    pub fn arguments<A: DeserializeOwned>(&self) -> Result<A, CommandError> {
        let arguments = serde_path_to_error::deserialize(self.arguments.clone());
        arguments.map_err(|error| self.fault(format!("in `arguments`: {error}")))
    }
}

/// A checkpoint from which a run resumes, and the files of that run.
pub struct Checkpoint {
    pair: Pair,
    read: Read,
    lock: Lock,
    overwrites: bool,
}

impl Checkpoint {
    /// The later of the two checkpoints of a run, which may write over files outside of the current folder only if `overwrites`.
    ///
    /// # Errors
    /// A file that is no checkpoint.
    pub fn read(path: &Path, overwrites: bool) -> Result<Self, CommandError> {
        let (pair, lock, read) = Pair::read(path)?;
        let checkpoint = Self { pair, read, lock, overwrites };
        check_unchanged(&checkpoint.read.head.same.origin.inputs, &checkpoint.read.path)?;
        Ok(checkpoint)
    }

    /// The description that every process of the resumed run needs.
    pub fn told(&self) -> Told {
        let Same { origin, words, .. } = &self.read.head.same;
        let (model, arguments) = (origin.model.clone(), origin.arguments.clone());
        Told { path: self.read.path.clone(), model, words: words.clone(), arguments }
    }

    /// Resumes from it, and leaves further checkpoints in its files.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn go_on<C: Resumable>(
        self,
        KeptArguments { run: arguments, checkpoint }: KeptOf<C>,
        parts: impl Parts<C>,
        interrupt: &Interrupt,
    ) -> Result<Ending, CommandError> {
        let Self { pair, read, lock: _lock, overwrites } = self;
        let Same { run, words, mut warnings, ref origin, .. } = read.head.same.clone();
        warnings.extend(Warning::of_version(&origin.version));
        let begun = Begun { run, words, warnings };
        let kept = Kept { parts, pair: pair.clone(), course: checkpoint.course, begun, from: Some(read), overwrites };
        let ending = run::carry_out::<C>(arguments, kept, interrupt)?;
        if ending == Ending::Done {
            pair.remove();
        }
        Ok(ending)
    }
}

/// The words of a command line as a file keeps them.
fn written(words: &[OsString]) -> Result<Vec<String>, CommandError> {
    let text = |word: &OsString| {
        let message = || format!("{} is no Unicode, and --checkpoint keeps it in a file: rename it", word.display());
        word.to_str().map(str::to_owned).ok_or_else(|| CommandError::Usage { message: message() })
    };
    words.iter().map(text).collect()
}

#[cfg(test)]
mod tests;

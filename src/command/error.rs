//! Errors of the command, beyond those of the run itself.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use clap::error::{ContextKind, ErrorKind};

use super::text::{one_line, with_escapes};
use super::version::SCHEMA;
use tickless_cells::log::LogError;
use tickless_core::ranks::TransportError;
use tickless_device as device;
use tickless_device::DeviceError;
use tickless_error::RunError;
use tickless_experiments::ExperimentError;
use tickless_pathfinding::PathFileError;
use tickless_queueing::QueueingError;
use tickless_queueing::{FileError, JmtError, NetworkError, NetworkModel};

/// Why a command gave no result. Its text says what to do, in one line; below it may stand a line of a file with a caret.
///
/// ```
/// # use tickless_command::facade as tickless;
/// use tickless::cli::CommandError;
/// let error = CommandError::Usage { message: "unexpected argument '--sides'".into() };
/// assert_eq!(error.to_string(), "unexpected argument '--sides'");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// Arguments that do not parse or do not go together.
    #[error("{message}")]
    Usage {
        /// The fault, and where help is.
        message: String,
    },
    /// The model, the device or the run.
    #[error("{0}")]
    Run(Box<RunError>),
    /// More memory than this machine has free. Nothing has been allocated for the run.
    #[error(
        "{what} need about {} of memory{part}, {} are available: use {fits}",
        device::bytes(*.asked), device::bytes(*.available)
    )]
    Memory {
        /// The model, by its size.
        what: String,
        /// The part of the run that needs the memory, if not the whole.
        part: String,
        /// Bytes needed.
        asked: u64,
        /// Bytes available.
        available: u64,
        /// A size that fits.
        fits: String,
    },
    /// A dash in place of a file to write.
    #[error("{option} is -, which is no name of a file: name one, or /dev/stdout for standard output")]
    Dash {
        /// The option.
        option: &'static str,
    },
    /// The file of an option has the ending of another format.
    #[error("{} ends as another format does, and {option} writes {written}: {remedy}", path.display())]
    Form {
        /// The option.
        option: &'static str,
        /// The path.
        path: PathBuf,
        /// What is written.
        written: &'static str,
        /// Which names can be given.
        remedy: String,
    },
    /// The file of an option cannot be written.
    #[error("{} cannot be written ({source}): give {option} a path that can", path.display())]
    Records {
        /// The option.
        option: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The heap, which records visits, has found other results than the run.
    #[error(
        "the visits of replication {replication} are not those of the run, which differs from the heap in {difference}: this is a defect of tickless \
         or of a driver; please report it, with the output of tickless devices"
    )]
    OtherVisits {
        /// Its number.
        replication: u32,
        /// The first difference.
        difference: tickless_core::run::Difference,
    },
    /// This build writes no Parquet.
    #[error(
        "{} would be Parquet, which this tickless was built without: build it with --features parquet, or end the name with .csv or .xes",
        path.display()
    )]
    NoParquet {
        /// The path.
        path: PathBuf,
    },
    /// Dates of visits behind the year 9999.
    #[error(
        "the dates of XES begin with 1970 and end with the year 9999, and the horizon is {until} {unit} later: let it be at most {most}, or end \
         the name of --visits with .csv"
    )]
    LateDates {
        /// The horizon.
        until: f64,
        /// Its unit.
        unit: String,
        /// The last horizon.
        most: u64,
    },
    /// Files that cannot be written into the folder of `--write`.
    #[error(
        "{} cannot be written into {} ({source}): give --write a folder that takes them",
        if names.is_empty() { "the files".into() } else { names.join(", ") }, folder.display()
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The files that were not written; empty if these are all.
        names: Vec<String>,
        /// The system's error of the first.
        source: io::Error,
    },
    /// Several files that cannot be written, or standard output and files.
    #[error("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Several {
        /// The error of each.
        errors: Vec<CommandError>,
    },
    /// A log of cells that cannot be read.
    #[error("{}: {source}", path.display())]
    Log {
        /// The path.
        path: PathBuf,
        /// The fault.
        source: LogError,
    },
    /// A file of paths that cannot be read.
    #[error("{}: {source}", path.display())]
    Paths {
        /// The path.
        path: PathBuf,
        /// The fault.
        source: PathFileError,
    },
    /// A file outside of the current folder that the options of a checkpoint name.
    #[error(
        "the run's {option} names {}, which is outside of the current folder and there already: add --yes to write over it", path.display()
    )]
    Outside {
        /// The option.
        option: &'static str,
        /// Its path.
        path: PathBuf,
    },
    /// An option whose file is needed for something else.
    #[error("{option} names {}, which is {other}: give it a path of its own", path.display())]
    SameFile {
        /// The option.
        option: &'static str,
        /// Its path.
        path: PathBuf,
        /// The other use of the file.
        other: String,
    },
    /// A file that is no shard, or none of this ensemble.
    #[error("{}: {fault}", path.display())]
    Shard {
        /// The path.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// A file that is no checkpoint, or that cannot be written.
    #[error("{}: {fault}", path.display())]
    Checkpoint {
        /// The path.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// An error at a point of an experiment with a model.
    #[error("at point {number} ({settings}): {error}")]
    AtPoint {
        /// Its number, from 1 on.
        number: usize,
        /// The values of the factors.
        settings: String,
        /// The error.
        error: Box<CommandError>,
    },
    /// A run that has left checkpoints and has ended with an error.
    #[error(
        "{error}; the last checkpoint is at time {clock}, in {}: go on with tickless resume {}",
        path.display(), path.display()
    )]
    Stopped {
        /// The error that has ended it.
        error: Box<CommandError>,
        /// The first of the two files.
        path: PathBuf,
        /// The time of the last checkpoint, in time units.
        clock: f64,
    },
    /// A run that was to go on after an error, and whose backend cannot be opened again.
    #[error("{error}; and what was to go on does not open: {again}")]
    NotOpened {
        /// The error that has ended it.
        error: Box<CommandError>,
        /// The error of opening.
        again: Box<CommandError>,
    },
    /// Ctrl-C in the set-up of a run that was to go on from a checkpoint.
    #[error(
        "interrupted before the run went on: its checkpoint at time {clock} is as it was; go on with tickless resume {}",
        path.display()
    )]
    NotResumed {
        /// The first of the two files.
        path: PathBuf,
        /// The time of the checkpoint, in time units.
        clock: f64,
    },
    /// Shards that do not have all replications.
    #[error(
        "the replications {} of {all} are in no shard: run them with --replications and --shard, and give their files too",
        gaps(missing)
    )]
    MissingReplications {
        /// The missing replications.
        missing: Vec<Range<u32>>,
        /// The number of replications.
        all: u32,
    },
    /// No shard, as replications have not ended.
    #[error(
        "no shard is written: Ctrl-C came at time {clock} of {until}, or in the pilot; run the replications \
         again, or go on with them where a checkpoint is kept"
    )]
    NoShard {
        /// The time of Ctrl-C, in time units.
        clock: f64,
        /// The horizon.
        until: f64,
    },
    /// A network file, a map, a table of terrain, a file of scenarios or a result that cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    UnreadableFile {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of JMT that cannot be read, or that says what no network file can say.
    #[error("{}, {error}", path.display())]
    Jmt {
        /// The path.
        path: PathBuf,
        /// The line, the node and the fault.
        error: JmtError,
    },
    /// A network file with a fault in it.
    #[error("{}, {error}", path.display())]
    NetworkText {
        /// The path.
        path: PathBuf,
        /// The line and its fault.
        error: FileError,
    },
    /// An experiment, or a point of one, that cannot run.
    #[error("{}, {error}", path.display())]
    Point {
        /// The path.
        path: PathBuf,
        /// The point, and its error.
        error: Box<ExperimentError>,
    },
    /// A network that cannot run.
    #[error("{}{}: {said}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Network {
        /// The path.
        path: PathBuf,
        /// The line with the fault, if it is in the file: an option may have overridden the file.
        line: Option<usize>,
        /// The fault, with the values as the file has them.
        said: String,
        /// The same.
        error: Box<NetworkError>,
    },
    /// A file that is no result, or none of a whole run.
    #[error(
        "{} cannot be run again: {fault}; give what a run of a model wrote with --format json",
        path.display()
    )]
    NoResult {
        /// The path.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// A result whose arguments are not allowed: a user has changed them.
    #[error("{}, `{field}`: {error}", path.display())]
    Repeated {
        /// The path.
        path: PathBuf,
        /// The field, or the group of fields if several may be meant.
        field: String,
        /// The error.
        error: Box<CommandError>,
    },
    /// A result whose fields a later version of tickless wrote.
    #[error(
        "{} has schema {found}; this tickless reads up to {}: repeat it with the tickless that wrote it, or a later one",
        path.display(), SCHEMA
    )]
    NewerSchema {
        /// The path.
        path: PathBuf,
        /// The version of its fields.
        found: u32,
    },
    /// A file that the run of a result read and that cannot be read now.
    #[error(
        "{} cannot be read ({source}), and the run of {} read it: put it back, or go to the directory of that run",
        path.display(), result.display()
    )]
    InputFile {
        /// The file.
        path: PathBuf,
        /// The result.
        result: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file that has changed since the run of a result.
    #[error(
        "{} has changed since the run of {}: its SHA-256 is {found}, and was {expected}; put it back as it was, or run anew",
        path.display(), result.display()
    )]
    InputChanged {
        /// The file.
        path: PathBuf,
        /// The result.
        result: PathBuf,
        /// The hash in the result.
        expected: String,
        /// The hash of the file now.
        found: String,
    },
    /// A count of a station of a network passed the range of a device.
    #[error(
        "the {sum} of station '{station}' passed 32 bits, as far as a device counts: use --backend heap, or a shorter horizon"
    )]
    Overflow {
        /// What is counted.
        sum: &'static str,
        /// The station.
        station: String,
    },
    /// Standard output cannot be written.
    #[error("standard output cannot be written ({0}): make room where it goes, or send it to another file")]
    Output(#[source] io::Error),
    /// The limits of the process leave too little for a start.
    #[error("the limits of this process leave too little to start with ({0}): raise them (ulimit -v, ulimit -u)")]
    Limits(#[source] io::Error),
    /// Ctrl-C cannot be handled.
    #[error(
        "no handler for Ctrl-C can be installed ({0}): raise the limit of processes (ulimit -u), for it needs a thread"
    )]
    Interrupt(#[source] ctrlc::Error),
}

impl CommandError {
    /// A fault of the experiment or the optimization of a file.
    pub fn of_experiment(path: PathBuf, error: ExperimentError) -> Self {
        match error {
            ExperimentError::File(error) => Self::NetworkText { path, error },
            error => Self::Point { path, error: Box::new(error) },
        }
    }

    /// The error of a device, if one refused, failed or went away.
    pub(super) fn device(&self) -> Option<&DeviceError> {
        match self {
            Self::Run(error) => error.device(),
            Self::AtPoint { error, .. } => error.device(),
            _ => None,
        }
    }

    /// The error of ranks, if it ended the command.
    pub fn ranks(&self) -> Option<&TransportError> {
        if let Self::Run(error) = self { error.ranks() } else { None }
    }

    /// The error of a run of the network, with the names of its stations.
    pub(super) fn of_network(error: QueueingError, model: &NetworkModel) -> Self {
        match error {
            QueueingError::Overflow { sum, facility } if facility < model.stations() => {
                Self::Overflow { sum, station: model.station_name(facility).into_owned() }
            }
            error => error.into(),
        }
    }

    /// One line of clap's several: the fault and its tip, and in place of the usage the help of the command.
    pub(super) fn usage(error: &clap::Error, commands: &[Cow<'_, str>], typed: &[OsString]) -> Self {
        // Its plain text would lack the control characters of the user's words; the styles bring no others.
        let text = with_escapes(&error.render().ansi().to_string(), typed);
        // A user who mistypes an option does not mean a file of its name.
        let ends = ["\n\n  tip: to pass '--", "\n\nUsage:", "\n\nFor more information"];
        let end = ends.iter().filter_map(|mark| text.find(mark)).min();
        let text = &text[..end.unwrap_or(text.len())];
        let line = one_line(text);
        let help: String = commands.iter().map(|command| format!("{command} ")).collect();
        let is_unknown = error.kind() == ErrorKind::UnknownArgument && !line.contains("tip: ");
        let resumes = is_unknown && commands.first().is_some_and(|name| name == "resume");
        let renamed = error.get(ContextKind::InvalidArg).and_then(|option| {
            let option = option.to_string();
            RENAMED.iter().find(|(old, _)| option.split(['=', ' ']).next() == Some(old))
        });
        let (line, why) = match renamed {
            // Clap knows no earlier names: its tip is another option.
            Some((old, new)) => (line.split(" tip: ").next().unwrap_or(&line), format!(": {old} is now {new}")),
            None => (&*line, if resumes { RESUMES.to_owned() } else { String::new() }),
        };
        let message = format!("{}{why} (see tickless {help}--help)", line.trim_start_matches("error: ").trim_end());
        Self::Usage { message }
    }
}

/// Options by names of earlier versions, and what they are called now.
const RENAMED: [(&str, &str); 3] = [
    ("--every", "--checkpoint-interval"),
    ("--budget", "--time-limit, and --max-replications of tickless optimize"),
    ("--room", "--max-waiting"),
];

/// Why `resume` does not have an option that a run has.
const RESUMES: &str = ": a run goes on with the options that it was given, of which resume changes some alone; with others it has to begin anew";

/// Ranges in words: the first few of them.
fn gaps(missing: &[Range<u32>]) -> String {
    const MOST: usize = 8;
    let mut shown: Vec<_> = missing.iter().take(MOST).map(|gap| format!("{}..{}", gap.start, gap.end)).collect();
    match missing.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{} and {more} more ranges", shown.join(", ")),
        _ => {
            let last = shown.pop().unwrap_or_default();
            if shown.is_empty() { last } else { format!("{} and {last}", shown.join(", ")) }
        }
    }
}

/// Every error of a run ends the command.
impl<E> From<E> for CommandError
where
    RunError: From<E>,
{
    fn from(error: E) -> Self {
        Self::Run(Box::new(error.into()))
    }
}

//! The files of a run that leaves checkpoints: two in turn, so that one is complete at any moment.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lock::Lock;
use crate::CommandError;
use crate::report::Origin;
use crate::stored;
use crate::warning::Warning;
use tickless_core::archive::{self, ArchiveError, Arrays};

/// The kind of archive.
const KIND: &str = "checkpoint";
/// The endings of the second file, of an incomplete file, and of the lock.
const SECOND: &str = ".2";
const PART: &str = ".part";
const LOCK: &str = ".lock";
/// The advice for a file that is no checkpoint.
const ADVICE: &str = "give a file that a run wrote with --checkpoint";

/// The part common to all checkpoints of a run: the model, as in a result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Same {
    #[serde(flatten)]
    pub origin: Origin<Value>,
    /// The identifier of the run.
    pub run: String,
    /// The words of the command line after the name of the command.
    pub words: Vec<String>,
    /// The findings of the pilot, if the model has one.
    pub pilot: Value,
    /// Warnings about the pilot, and about other versions.
    pub warnings: Vec<Warning>,
}

/// The head of a checkpoint, beside its arrays: also the progress of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    #[serde(flatten)]
    pub same: Same,
    /// How many checkpoints the run has left, this one included.
    pub number: u64,
    /// Every event before this time has happened, in the model's time units.
    pub clock: f64,
    pub events: u64,
    pub rounds: Option<u64>,
    pub wall_seconds: f64,
    pub setup_seconds: f64,
    pub device_seconds: Option<f64>,
    /// The counts of this model alone.
    pub counts: Value,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct Read {
    pub path: PathBuf,
    pub head: Head,
    pub arrays: Arrays,
}

/// The two files of a run. The first one takes the checkpoints with odd numbers.
#[derive(Clone, Debug)]
pub struct Pair {
    first: PathBuf,
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// An error for a file.
pub fn wrong(path: &Path, fault: impl ToString) -> CommandError {
    CommandError::Checkpoint { path: path.to_owned(), fault: fault.to_string() }
}

impl Pair {
    /// The files of a run that begins.
    ///
    /// # Errors
    /// A name that is also that of another file of a run.
    pub fn new(first: &Path) -> Result<Self, CommandError> {
        let name = first.as_os_str().to_string_lossy();
        match [SECOND, PART, LOCK].into_iter().find(|end| name.ends_with(end)) {
            None => Ok(Self { first: first.to_owned() }),
            Some(end) => {
                let fault =
                    format!("{end} is the end of a name that is made of another one: give --checkpoint another name");
                Err(wrong(first, fault))
            }
        }
    }

    pub fn paths(&self) -> [PathBuf; 2] {
        [self.first.clone(), with_end(&self.first, SECOND)]
    }

    /// The incomplete files.
    fn parts(&self) -> [PathBuf; 2] {
        self.paths().map(|path| with_end(&path, PART))
    }

    /// Every file that a run writes.
    pub fn all(&self) -> [PathBuf; 5] {
        let ([first, second], [one, other]) = (self.paths(), self.parts());
        [first, second, one, other, with_end(&self.first, LOCK)]
    }

    /// The file of the checkpoint with this number.
    pub fn path(&self, number: u64) -> PathBuf {
        let [first, second] = self.paths();
        if number % 2 == 1 { first } else { second }
    }

    /// Locks out other runs.
    ///
    /// # Errors
    /// A run that holds the lock; a file that is not from a run.
    pub fn lock(&self) -> Result<Lock, CommandError> {
        Lock::take(&with_end(&self.first, LOCK), self.parts())
    }

    /// Refuses to begin a run whose checkpoints would replace those of another run.
    ///
    /// # Errors
    /// The file that is there.
    pub fn check_free(&self) -> Result<(), CommandError> {
        match self.paths().into_iter().find(|path| fs::symlink_metadata(path).is_ok()) {
            None => Ok(()),
            Some(path) => Err(wrong(
                &path,
                "it is there already, and a run removes its checkpoints when it ends: go on with tickless resume, or remove it",
            )),
        }
    }

    /// The latest checkpoint, and the lock against other runs. The path of the second file asks for the second file.
    ///
    /// # Errors
    /// A file that is damaged or incomplete, and the name of the other one if it is complete; a file of another run.
    pub fn read(asked: &Path) -> Result<(Self, Lock, Read), CommandError> {
        let stem = asked.as_os_str().to_str().and_then(|name| name.strip_suffix(SECOND)).filter(|_| asked.exists());
        let pair = Self { first: stem.map_or(asked, Path::new).to_owned() };
        let there = || pair.paths().into_iter().filter(|path| path.exists()).collect::<Vec<_>>();
        if there().is_empty() {
            return Err(read(asked).err().unwrap_or_else(|| wrong(asked, ADVICE)));
        }
        let lock = pair.lock()?;
        let latest = match &there()[..] {
            [first, second] => read_both(first, second, stem.is_some())?,
            [only] => read(only)?,
            _ => read(asked)?,
        };
        Ok((pair, lock, latest))
    }

    /// Writes a checkpoint; returns its number and its clock.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn write(&self, head: &Head, arrays: &Arrays) -> Result<(u64, f64), CommandError> {
        let write = || write(&self.path(head.number), &serde_json::json!(head), arrays);
        write().map_err(|error| self.unwritten(head.number, error)).map(|()| (head.number, head.clock))
    }

    /// The error of a checkpoint that is not written.
    pub fn unwritten(&self, number: u64, error: ArchiveError) -> CommandError {
        let fault = match error {
            ArchiveError::Memory(error) => error.to_string(),
            error => format!("it cannot be written ({error}): give --checkpoint a path that can"),
        };
        wrong(&self.path(number), fault)
    }

    /// The checkpoint of a number.
    ///
    /// # Errors
    /// A checkpoint that is damaged or incomplete.
    pub fn read_number(&self, number: u64) -> Result<Read, CommandError> {
        read(&self.path(number))
    }

    /// Removes both, the earlier one first: a process killed meanwhile leaves the later one.
    pub fn remove(&self) {
        let mut paths = self.paths();
        paths.sort_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
        for path in paths {
            // A missing file need not be removed.
            let _ = fs::remove_file(path);
        }
    }
}

/// A checkpoint that is being written; the result is its number and its clock.
#[derive(Debug, Default)]
pub struct Writing(Option<JoinHandle<Whole>>);

/// The number and the clock of a complete checkpoint.
type Whole = Result<(u64, f64), CommandError>;

impl Writing {
    /// Begins to write a checkpoint, on a thread of its own.
    ///
    /// # Errors
    /// A system that gives no thread.
    pub fn begin(write: impl FnOnce() -> Whole + Send + 'static) -> std::io::Result<Self> {
        let thread = std::thread::Builder::new().name("checkpoint".into()).spawn(write)?;
        Ok(Self(Some(thread)))
    }

    /// Whether it is still incomplete.
    pub fn is_under_way(&self) -> bool {
        self.0.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits until the file is complete, and returns its number and clock; `None` if no checkpoint was being written.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn wait(&mut self) -> Result<Option<(u64, f64)>, CommandError> {
        let stopped = || CommandError::Output(io::Error::other("the thread that writes a checkpoint has stopped"));
        let Some(thread) = self.0.take() else { return Ok(None) };
        thread.join().unwrap_or_else(|_| Err(stopped())).map(Some)
    }
}

/// Writes beside the file, onto the disk, and then moves the file into its place.
fn write(path: &Path, head: &Value, arrays: &Arrays) -> Result<(), ArchiveError> {
    let part = with_end(path, PART);
    let put = || -> Result<(), ArchiveError> {
        archive::write_file(KIND, head, arrays, &part)?;
        fs::rename(&part, path)?;
        sync_folder(path)?;
        Ok(())
    };
    put().inspect_err(|_| {
        // An incomplete file is of no use.
        let _ = fs::remove_file(&part);
    })
}

/// Makes the new name outlast a crash of the machine.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn read(path: &Path) -> Result<Read, CommandError> {
    let other = |version: &str| format!("go on with the version that wrote it, {version}");
    let (head, arrays) = stored::read_archive(path, (KIND, ADVICE), |fault| wrong(path, fault), other)?;
    Ok(Read { path: path.to_owned(), head, arrays })
}

/// The later of two, or the second if asked for. If one is damaged the error names the other: it may have much less, so people
/// must decide.
fn read_both(first: &Path, second: &Path, asks_for_second: bool) -> Result<Read, CommandError> {
    match (read(first), read(second)) {
        (Ok(one), Ok(other)) if one.head.same.run != other.head.same.run => {
            let fault = format!("it is of another run than {}: move one of them away", other.path.display());
            Err(wrong(first, fault))
        }
        (Ok(one), Ok(other)) => Ok(if one.head.number > other.head.number && !asks_for_second { one } else { other }),
        (Err(error), Err(_)) => Err(error),
        (Ok(whole), Err(error)) | (Err(error), Ok(whole)) => {
            let (path, fault) = match error {
                CommandError::Checkpoint { path, fault } => (path, fault),
                error => return Err(error),
            };
            let Read { path: whole, head: Head { clock, .. }, .. } = whole;
            let rest = format!("move it away, and go on with {}, which is whole and at time {clock}", whole.display());
            Err(wrong(&path, format!("{fault}; {rest}")))
        }
    }
}

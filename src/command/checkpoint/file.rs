//! The files of a run that leaves checkpoints: two in turn, so that one is whole at any moment.

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

/// What kind of archive it is.
const KIND: &str = "checkpoint";
/// What the second file has behind its name, a file that is not whole, and the lock.
const SECOND: &str = ".2";
const PART: &str = ".part";
const LOCK: &str = ".lock";
/// What to give in place of a file that is none.
const ADVICE: &str = "give a file that a run wrote with --checkpoint";

/// What all checkpoints of a run say: what is simulated, as a result says it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Same {
    #[serde(flatten)]
    pub origin: Origin<Value>,
    /// What no other run has.
    pub run: String,
    /// What was typed behind the name of the command.
    pub words: Vec<String>,
    /// What the pilot has found, where the model has one.
    pub pilot: Value,
    /// What there was to say of that, and of other versions.
    pub warnings: Vec<Warning>,
}

/// What a checkpoint says beside its arrays: how far the run has come, too.
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
    /// What only runs of this model count.
    pub counts: Value,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct Read {
    pub path: PathBuf,
    pub head: Head,
    pub arrays: Arrays,
}

/// The two files of a run. The checkpoints with odd numbers go into the first.
#[derive(Clone, Debug)]
pub struct Pair {
    first: PathBuf,
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// What is wrong with a file.
pub fn wrong(path: &Path, fault: impl ToString) -> CommandError {
    CommandError::Checkpoint { path: path.to_owned(), fault: fault.to_string() }
}

impl Pair {
    /// Of a run that begins.
    ///
    /// # Errors
    /// A name that another run gives to a file of its own.
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

    /// Where they are before they are whole.
    fn parts(&self) -> [PathBuf; 2] {
        self.paths().map(|path| with_end(&path, PART))
    }

    /// Every file that a run writes.
    pub fn all(&self) -> [PathBuf; 5] {
        let ([first, second], [one, other]) = (self.paths(), self.parts());
        [first, second, one, other, with_end(&self.first, LOCK)]
    }

    /// Where the checkpoint of a number goes.
    pub fn path(&self, number: u64) -> PathBuf {
        let [first, second] = self.paths();
        if number % 2 == 1 { first } else { second }
    }

    /// Keeps other runs away.
    ///
    /// # Errors
    /// A run that is there; a file that no run has left.
    pub fn lock(&self) -> Result<Lock, CommandError> {
        Lock::take(&with_end(&self.first, LOCK), self.parts())
    }

    /// Refuses to begin a run whose checkpoints would take the place of those of another one.
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

    /// The latest checkpoint, and what keeps other runs away from it. The path of the second file asks for that one.
    ///
    /// # Errors
    /// A file that is damaged or not whole, and the name of the other one where that is whole; one of another run.
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
    /// What the system says.
    pub fn write(&self, head: &Head, arrays: &Arrays) -> Result<(u64, f64), CommandError> {
        let write = || write(&self.path(head.number), &serde_json::json!(head), arrays);
        write().map_err(|error| self.unwritten(head.number, error)).map(|()| (head.number, head.clock))
    }

    /// What is said of a checkpoint that is not written.
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
    /// One that is damaged or not whole.
    pub fn read_number(&self, number: u64) -> Result<Read, CommandError> {
        read(&self.path(number))
    }

    /// Removes both, the earlier one first: what is killed meanwhile leaves the later one.
    pub fn remove(&self) {
        let mut paths = self.paths();
        paths.sort_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
        for path in paths {
            // What is not there need not be removed.
            let _ = fs::remove_file(path);
        }
    }
}

/// A checkpoint that is being written: its number and its clock where it becomes whole.
#[derive(Debug, Default)]
pub struct Writing(Option<JoinHandle<Whole>>);

/// The number and the clock of a checkpoint that is whole.
type Whole = Result<(u64, f64), CommandError>;

impl Writing {
    /// Begins to write one, on a thread of its own.
    ///
    /// # Errors
    /// A system that gives no thread.
    pub fn begin(write: impl FnOnce() -> Whole + Send + 'static) -> std::io::Result<Self> {
        let thread = std::thread::Builder::new().name("checkpoint".into()).spawn(write)?;
        Ok(Self(Some(thread)))
    }

    /// Whether it is not whole yet.
    pub fn is_under_way(&self) -> bool {
        self.0.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits until the file is whole, and says which one that is; nothing where none was being written.
    ///
    /// # Errors
    /// What the system says.
    pub fn wait(&mut self) -> Result<Option<(u64, f64)>, CommandError> {
        let stopped = || CommandError::Output(io::Error::other("the thread that writes a checkpoint has stopped"));
        let Some(thread) = self.0.take() else { return Ok(None) };
        thread.join().unwrap_or_else(|_| Err(stopped())).map(Some)
    }
}

/// Beside the file, onto the disk, and then in its place.
fn write(path: &Path, head: &Value, arrays: &Arrays) -> Result<(), ArchiveError> {
    let part = with_end(path, PART);
    let put = || -> Result<(), ArchiveError> {
        archive::write_file(KIND, head, arrays, &part)?;
        fs::rename(&part, path)?;
        sync_folder(path)?;
        Ok(())
    };
    put().inspect_err(|_| {
        // It would be taken for nothing.
        let _ = fs::remove_file(&part);
    })
}

/// So that the new name outlasts a crash of the machine.
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

/// The later of two, or the second where that is asked for. Where one is damaged the other is named: it may have much less, so
/// that is for people to decide.
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

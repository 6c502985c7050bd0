//! The files of a run that leaves checkpoints: two in turn, so that one is whole at any moment.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::archive::{self, ArchiveError, Arrays};
use crate::cli::CommandError;
use crate::cli::inputs::InputFile;

/// What kind of archive it is.
const KIND: &str = "checkpoint";
/// What the second file has behind its name, and a file that is not whole.
const SECOND: &str = ".2";
const PART: &str = ".part";
/// What to give in place of a file that is none.
const ADVICE: &str = "give a file that a run wrote with --checkpoint";

/// What a checkpoint says beside its arrays: what is simulated, as a result says it, and how far it has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    pub schema: u32,
    pub version: String,
    pub model: String,
    pub seed: Option<u64>,
    pub arguments: Value,
    pub inputs: Vec<InputFile>,
    /// What was typed behind the name of the command.
    pub words: Vec<String>,
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

fn wrong(path: &Path, fault: impl ToString) -> CommandError {
    CommandError::Checkpoint { path: path.to_owned(), fault: fault.to_string() }
}

impl Pair {
    pub fn new(first: &Path) -> Self {
        Self { first: first.to_owned() }
    }

    pub fn paths(&self) -> [PathBuf; 2] {
        [self.first.clone(), with_end(&self.first, SECOND)]
    }

    /// Where the checkpoint of a number goes.
    pub fn path(&self, number: u64) -> PathBuf {
        let [first, second] = self.paths();
        if number % 2 == 1 { first } else { second }
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

    /// Reads the latest checkpoint. The path of the second file asks for that one.
    ///
    /// # Errors
    /// A file that is damaged or not whole, and the name of the other one where that is whole.
    pub fn read(asked: &Path) -> Result<(Self, Read), CommandError> {
        let stem = asked.as_os_str().to_str().and_then(|name| name.strip_suffix(SECOND));
        if let Some(first) = stem.filter(|_| asked.exists()) {
            return Ok((Self::new(Path::new(first)), read(asked)?));
        }
        let pair = Self::new(asked);
        let there: Vec<PathBuf> = pair.paths().into_iter().filter(|path| path.exists()).collect();
        let latest = match &there[..] {
            [] => read(asked)?,
            [only] => read(only)?,
            [first, second] => read_later(first, second)?,
            _ => unreachable!("a pair has two files"),
        };
        Ok((pair, latest))
    }

    /// Begins to write a checkpoint, on a thread of its own.
    pub fn write(&self, head: &Head, arrays: Arrays) -> Writing {
        let (path, head) = (self.path(head.number), serde_json::json!(head));
        Writing(Some(std::thread::spawn(move || write(&path, &head, &arrays).map_err(|fault| wrong(&path, fault)))))
    }

    /// Removes both, and what is not whole.
    pub fn remove(&self) {
        for path in self.paths() {
            // What is not there need not be removed.
            let _ = fs::remove_file(with_end(&path, PART));
            let _ = fs::remove_file(path);
        }
    }
}

/// A checkpoint that is being written.
#[derive(Debug, Default)]
pub struct Writing(Option<JoinHandle<Result<(), CommandError>>>);

impl Writing {
    /// Waits until the file is whole.
    ///
    /// # Errors
    /// What the system says.
    pub fn wait(&mut self) -> Result<(), CommandError> {
        let stopped = || CommandError::Output(io::Error::other("the thread that writes a checkpoint has stopped"));
        self.0.take().map_or(Ok(()), |thread| thread.join().unwrap_or_else(|_| Err(stopped())))
    }
}

/// Beside the file, onto the disk, and then in its place.
fn write(path: &Path, head: &Value, arrays: &Arrays) -> Result<(), String> {
    let part = with_end(path, PART);
    let put = || -> Result<(), ArchiveError> {
        // A new file has the permissions of any other, and not those of what writes the arrays.
        let permissions = File::create(&part)?.metadata()?.permissions();
        archive::write_file(KIND, head, arrays, &part)?;
        fs::set_permissions(&part, permissions)?;
        File::open(&part)?.sync_all()?;
        fs::rename(&part, path)?;
        sync_folder(path)?;
        Ok(())
    };
    put().map_err(|error| {
        // It would be taken for nothing.
        let _ = fs::remove_file(&part);
        format!("it cannot be written ({error}): give --checkpoint a path that can")
    })
}

/// So that the new name outlasts a crash of the machine.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn read(path: &Path) -> Result<Read, CommandError> {
    let (head, arrays) = archive::read_file(KIND, path, ADVICE).map_err(|error| match error {
        ArchiveError::Memory(error) => error.into(),
        error => wrong(path, error),
    })?;
    let head = serde_path_to_error::deserialize(head).map_err(|error| wrong(path, error))?;
    Ok(Read { path: path.to_owned(), head, arrays })
}

/// The later of two. Where one is damaged the other is named: it may have much less, so that is for people to decide.
fn read_later(first: &Path, second: &Path) -> Result<Read, CommandError> {
    match (read(first), read(second)) {
        (Ok(one), Ok(other)) => Ok(if one.head.number > other.head.number { one } else { other }),
        (Err(error), Err(_)) => Err(error),
        (Ok(whole), Err(error)) | (Err(error), Ok(whole)) => {
            let (path, fault) = match error {
                CommandError::Checkpoint { path, fault } => (path, fault),
                error => return Err(error),
            };
            let Read { path: whole, head: Head { clock, .. }, .. } = whole;
            let rest = format!("remove it, and go on with {}, which is whole and at time {clock}", whole.display());
            Err(wrong(&path, format!("{fault}; {rest}")))
        }
    }
}

//! `--facilities`, `--stations` and `--histograms`: a CSV line for each facility, station or bin.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CommandError;
use crate::cells::CellError;
use crate::cells::log::LogError;
use crate::error::RunError;
use crate::queueing::TorusModel;
use crate::statistics::{FacilityRecord, Outcome};
use crate::time::Time;

/// A file that is known to be writable; its contents stay until there is something to write.
pub struct RecordsFile {
    option: &'static str,
    path: PathBuf,
    file: File,
    /// A file that was not there before is taken away again where the run fails.
    remove: bool,
}

/// A line. `docs/json.md` describes each column. Times are in time units.
#[derive(Serialize)]
struct Line {
    facility: usize,
    row: usize,
    column: usize,
    arrivals: u64,
    starts: u64,
    completions: u64,
    losses: u64,
    utilization: f64,
    mean_waiting_time: f64,
    mean_service_time: f64,
    mean_present: f64,
    busy_time: f64,
    waiting_time: f64,
    service_time: f64,
    presence_time: f64,
    in_service_until: Option<f64>,
    queued: u64,
}

impl Line {
    fn new(model: &TorusModel, measured: f64, facility: usize, record: &FacilityRecord) -> Self {
        let units = |ticks| Time::from_ticks(ticks).units();
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        let width = model.width() as usize;
        Self {
            facility,
            row: facility / width,
            column: facility % width,
            arrivals: record.arrivals,
            starts: record.starts,
            completions: record.completions,
            losses: record.losses,
            utilization: ratio(units(record.busy), measured),
            mean_waiting_time: ratio(units(record.waiting), record.starts as f64),
            mean_service_time: ratio(units(record.service), record.starts as f64),
            mean_present: ratio(units(record.presence), measured),
            busy_time: units(record.busy),
            waiting_time: units(record.waiting),
            service_time: units(record.service),
            presence_time: units(record.presence),
            in_service_until: (record.in_service != Time::NEVER).then(|| record.in_service.units()),
            queued: record.queued,
        }
    }
}

impl RecordsFile {
    /// Opens the file, before the run whose result goes into it.
    ///
    /// # Errors
    /// A path that cannot be written.
    pub fn open(option: &'static str, path: &Path) -> Result<Self, CommandError> {
        let fresh = !path.exists();
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|source| CommandError::Records { option, path: path.to_owned(), source })?;
        Ok(Self { option, path: path.to_owned(), file, remove: fresh })
    }

    /// Writes every facility. A pipe whose reader has gone away is no error.
    ///
    /// # Errors
    /// A full disk, and the like.
    pub fn write(self, model: &TorusModel, outcome: &Outcome) -> Result<(), CommandError> {
        let measured = outcome.measured();
        let records = outcome.facilities.iter().enumerate();
        self.write_lines(records.map(|(facility, record)| Line::new(model, measured, facility, record)))
    }

    /// Writes these bytes.
    ///
    /// # Errors
    /// A full disk, and the like.
    pub fn write_bytes(mut self, bytes: &[u8]) -> Result<(), CommandError> {
        let write = || {
            if self.file.metadata()?.is_file() {
                self.file.set_len(0)?;
            }
            (&self.file).write_all(bytes)
        };
        match write() {
            Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
                Err(CommandError::Records { option: self.option, path: self.path.clone(), source })
            }
            _ => {
                self.remove = false;
                Ok(())
            }
        }
    }

    /// Lets something write the file piece by piece; what went wrong with the log of a run is the file's fault.
    ///
    /// # Errors
    /// A full disk, and the like; what `write` returns.
    pub fn stream<T>(
        mut self,
        write: impl FnOnce(&mut dyn io::Write) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let failed = |source| CommandError::Records { option: self.option, path: self.path.clone(), source };
        // A pipe or a device has no length to cut.
        if self.file.metadata().map_err(failed)?.is_file() {
            self.file.set_len(0).map_err(failed)?;
        }
        match write(&mut &self.file) {
            Err(
                CommandError::Run(RunError::Cell(CellError::Log(LogError::Write(source))))
                | CommandError::Output(source),
            ) => Err(failed(source)),
            Err(error) => Err(error),
            Ok(done) => {
                self.remove = false;
                Ok(done)
            }
        }
    }

    /// Writes a header and the lines.
    ///
    /// # Errors
    /// A full disk, and the like.
    pub fn write_lines<L: Serialize>(mut self, lines: impl Iterator<Item = L>) -> Result<(), CommandError> {
        match self.lines(lines) {
            Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
                Err(CommandError::Records { option: self.option, path: self.path.clone(), source })
            }
            _ => {
                self.remove = false;
                Ok(())
            }
        }
    }

    fn lines<L: Serialize>(&self, mut lines: impl Iterator<Item = L>) -> io::Result<()> {
        // A pipe or a device has no length to cut.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        let mut writer = csv::Writer::from_writer(&self.file);
        lines.try_for_each(|line| writer.serialize(line).map_err(cause))?;
        writer.flush()
    }
}

/// A header and the lines as a CSV file has them.
///
/// # Errors
/// A line that is none.
pub fn csv_of<L: Serialize>(mut lines: impl Iterator<Item = L>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(vec![]);
    lines.try_for_each(|line| writer.serialize(line).map_err(cause))?;
    writer.into_inner().map_err(|error| error.into_error())
}

/// Refuses files of which one would overwrite the other, a file that the run reads (by its path and what it is) or what
/// goes to standard output. They are open, so that every one of them exists, and nothing is overwritten yet.
///
/// # Errors
/// [`CommandError::SameFile`], which names the option and the path.
pub fn check_apart<'a>(
    files: &[&RecordsFile],
    read: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> Result<(), CommandError> {
    // It may have been a pipe, which nobody can overwrite.
    let regular = |path: &Path| identity(&path.metadata().ok().filter(Metadata::is_file)?, path);
    let read: Vec<_> = read.into_iter().filter_map(|(path, what)| Some((regular(path)?, what))).collect();
    let stdout = stdout_file();
    let identity_of = |file: &RecordsFile| identity(&file.file.metadata().ok()?, &file.path);
    for (place, file) in files.iter().enumerate() {
        let Some(own) = identity_of(file) else { continue };
        let other = if let Some((_, what)) = read.iter().find(|(input, _)| *input == own) {
            (*what).to_owned()
        } else if let Some(other) = files[..place].iter().find(|other| identity_of(other).as_ref() == Some(&own)) {
            format!("the file of {}", other.option)
        } else if stdout.as_ref() == Some(&own) {
            "the file that standard output goes to".to_owned()
        } else {
            continue;
        };
        return Err(CommandError::SameFile { option: file.option, path: file.path.clone(), other });
    }
    Ok(())
}

/// What two names of one file have in common: the number of the file, through links and `/dev/stdout`.
#[cfg(unix)]
fn identity(data: &Metadata, _: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((data.dev(), data.ino()))
}

/// What two names of one file have in common: the path without links.
#[cfg(not(unix))]
fn identity(_: &Metadata, path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The file that standard output goes to, if it is one.
#[cfg(unix)]
fn stdout_file() -> Option<(u64, u64)> {
    use std::os::fd::AsFd as _;
    let stdout = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    identity(&stdout.metadata().ok().filter(Metadata::is_file)?, Path::new(""))
}

#[cfg(not(unix))]
fn stdout_file() -> Option<PathBuf> {
    None
}

/// What the system said, where it is the system's fault: csv's own conversion hides that.
pub fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

impl Drop for RecordsFile {
    fn drop(&mut self) {
        if self.remove {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_fails_leaves_the_folder_as_it_was() {
        let path = |name: &str| std::env::temp_dir().join(format!("tickless-{}-{name}", std::process::id()));
        let (fresh, old) = (path("fresh.csv"), path("old.csv"));
        std::fs::write(&old, "kept").unwrap();
        for file in [&fresh, &old] {
            drop(RecordsFile::open("--facilities", file).unwrap());
        }
        assert!(!fresh.exists());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept");
        std::fs::remove_file(&old).unwrap();
    }
}

//! Where results are written: standard output, and the files of options.

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CommandError;
use super::text::escaped;
use crate::cells::CellError;
use crate::cells::log::LogError;
use crate::error::RunError;

/// Writes to standard output. A reader that has gone away (`tickless ... | head`) is no error.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
        _ => Ok(()),
    }
}

/// One line on standard error: `tickless: error: ...`. A closed standard error is nobody's to tell.
pub fn complain(kind: &str, message: &dyn fmt::Display) {
    let message = message.to_string();
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(io::stderr(), "tickless: {kind}: {}", escaped(&line));
}

/// A file that is known to be writable; its contents stay until there is something to write.
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    file: File,
    /// A file that was not there before is taken away again where the run fails.
    remove: bool,
}

impl OutputFile {
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

    /// Lets `write` fill the file; what goes wrong with it is named with its option.
    ///
    /// # Errors
    /// A full disk, and the like; what `write` returns.
    pub fn stream<T>(
        mut self,
        write: impl FnOnce(&mut dyn Write) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let failed = |source| CommandError::Records { option: self.option, path: self.path.clone(), source };
        // A pipe or a device has no length to cut.
        if self.file.metadata().map_err(failed)?.is_file() {
            self.file.set_len(0).map_err(failed)?;
        }
        let mut out = BufWriter::with_capacity(1 << 16, &self.file);
        let done = write(&mut out).and_then(|done| match out.flush() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
            _ => Ok(done),
        });
        // What could not be written is not tried again.
        drop(out.into_parts());
        let done = done.map_err(|error| match error {
            CommandError::Output(source) => failed(source),
            CommandError::Run(error) => match *error {
                RunError::Cell(CellError::Log(LogError::Write(source))) => failed(source),
                error => error.into(),
            },
            error => error,
        })?;
        self.remove = false;
        Ok(done)
    }
}

/// Writes a header and the lines as CSV.
///
/// # Errors
/// A full disk, and the like.
pub fn write_csv<L: Serialize>(out: &mut dyn Write, lines: impl Iterator<Item = L>) -> Result<(), CommandError> {
    let mut writer = csv::Writer::from_writer(out);
    let mut lines = lines;
    let written = lines.try_for_each(|line| writer.serialize(line).map_err(cause)).and_then(|()| writer.flush());
    written.map_err(CommandError::Output)
}

/// Refuses files of which one would overwrite the other, a file that the run reads (by its path and what it is) or what
/// goes to standard output. They are open, so that every one of them exists, and nothing is overwritten yet.
///
/// # Errors
/// [`CommandError::SameFile`], which names the option and the path.
pub fn check_apart<'a>(
    files: &[&OutputFile],
    read: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> Result<(), CommandError> {
    // It may have been a pipe, which nobody can overwrite.
    let regular = |path: &Path| identity(&path.metadata().ok().filter(Metadata::is_file)?, path);
    let read: Vec<_> = read.into_iter().filter_map(|(path, what)| Some((regular(path)?, what))).collect();
    let stdout = stdout_file();
    let identity_of = |file: &OutputFile| identity(&file.file.metadata().ok()?, &file.path);
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

impl Drop for OutputFile {
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
            drop(OutputFile::open("--facilities", file).unwrap());
        }
        assert!(!fresh.exists());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept");
        std::fs::remove_file(&old).unwrap();
    }
}

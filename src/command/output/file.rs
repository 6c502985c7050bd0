//! A file that an option asks for. Its earlier contents stay complete until the new ones are.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

use super::form;
use crate::CommandError;

/// Incomplete files: none is left behind even by a second Ctrl-C, which ends the process at once.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes incomplete files.
pub fn remove_unfinished() {
    unfinished().drain(..).for_each(|path| drop(fs::remove_file(path)));
}

/// A file that is known to be writable; its contents stay until the new ones are complete.
pub struct OutputFile {
    pub(super) option: &'static str,
    pub(super) path: PathBuf,
    place: Place,
    /// Its error during the run.
    failed: Option<io::Error>,
    done: bool,
}

/// The place of the contents.
enum Place {
    /// In a file beside it, which takes its name in the end, and the permissions of an earlier file.
    Beside(Part, Option<Permissions>),
    /// In the file itself: a device, a pipe, the target of links. The path is removed if the run fails, as it did not
    /// exist before.
    Itself(File, Option<PathBuf>),
    /// The contents are complete, or have failed.
    Over,
}

/// An incomplete file.
struct Part {
    file: NamedTempFile,
    _listed: Listed,
}

/// A path in [`UNFINISHED`], until this is dropped.
pub struct Listed(PathBuf);

impl Listed {
    pub fn new(path: &Path) -> Self {
        unfinished().push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Part {
    fn new(folder: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(".tickless-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As any new file: less the user's mask.
            builder.permissions(Permissions::from_mode(0o666));
        }
        // The system's message names a file that the user does not know.
        let file = builder.tempfile_in(folder).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "there is no such folder"),
            kind => io::Error::from(kind),
        })?;
        let _listed = Listed::new(file.path());
        Ok(Self { file, _listed })
    }

    /// Gives it its name.
    fn persist(self, path: &Path, permissions: Option<Permissions>) -> io::Result<()> {
        if let Some(permissions) = permissions {
            self.file.as_file().set_permissions(permissions)?;
        }
        // Some disks report only here that they are full.
        self.file.as_file().sync_all()?;
        self.file.persist(path).map(drop).map_err(|error| error.error)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

impl Place {
    fn open(path: &Path) -> io::Result<Self> {
        let folder_asked = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound && !folder_asked => {
                Ok(Self::Beside(Part::new(folder(path))?, None))
            }
            Ok(data) if data.is_file() => {
                // A file that may not be written is not replaced either.
                let file = OpenOptions::new().write(true).open(path)?;
                match Part::new(folder(path)) {
                    Ok(part) if replaces(&data, &part) => Ok(Self::Beside(part, Some(data.permissions()))),
                    Err(error) if !matches!(error.kind(), ErrorKind::PermissionDenied) => Err(error),
                    // A folder that takes no new file may hold a writable one.
                    _ => Ok(Self::Itself(file, None)),
                }
            }
            Ok(_) => {
                let fresh = !path.exists();
                let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
                Ok(Self::Itself(file, path.canonicalize().ok().filter(|_| fresh)))
            }
            Err(error) if folder_asked => Err(io::Error::new(error.kind(), "there is no such folder")),
            Err(error) => Err(error),
        }
    }

    fn file(&self) -> Option<&File> {
        match self {
            Self::Beside(part, _) => Some(part.file.as_file()),
            Self::Itself(file, _) => Some(file),
            Self::Over => None,
        }
    }
}

/// The folder of a path that ends in a name.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a new file can replace an existing one: not if that has other names, or another owner.
#[cfg(unix)]
fn replaces(data: &Metadata, part: &Part) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own = part.file.as_file().metadata();
    data.nlink() == 1 && own.is_ok_and(|own| (own.uid(), own.gid()) == (data.uid(), data.gid()))
}

#[cfg(not(unix))]
fn replaces(_: &Metadata, _: &Part) -> bool {
    true
}

impl OutputFile {
    /// Finds out whether the file can be written, before its run.
    ///
    /// # Errors
    /// A path that cannot be written, or whose ending is that of another format.
    pub fn open(option: &'static str, path: &Path) -> Result<Self, CommandError> {
        form::check(option, path)?;
        let failed = |source| CommandError::Records { option, path: path.to_owned(), source };
        let place = Place::open(path).map_err(failed)?;
        Ok(Self { option, path: path.to_owned(), place, failed: None, done: false })
    }

    /// Its metadata; `None` for a file that does not exist yet.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        match &self.place {
            Place::Itself(file, _) => file.metadata().ok(),
            _ => self.path.metadata().ok(),
        }
    }

    /// Fills the file by `write`, and puts it in its place; errors name its option. A reader of a
    /// pipe that has gone away is no error.
    ///
    /// # Errors
    /// A full disk, and the like; errors of `write`.
    pub fn stream<T>(self, write: impl FnOnce(&mut dyn Write) -> Result<T, CommandError>) -> Result<T, CommandError> {
        let done = self.fill(write)?;
        self.finish()?;
        Ok(done)
    }

    /// The writer of the contents, from their beginning. [`finish`](Self::finish) puts them in their place.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn begin(&self) -> io::Result<BufWriter<&File>> {
        let file = self.place.file().expect("a file is filled before it is finished");
        // A pipe or a device has no length to cut.
        if file.metadata()?.is_file() {
            file.set_len(0)?;
            (&*file).rewind()?;
        }
        Ok(BufWriter::with_capacity(1 << 16, file))
    }

    /// Fills the file by `write`; [`finish`](Self::finish) puts it in its place.
    fn fill<T>(&self, write: impl FnOnce(&mut dyn Write) -> Result<T, CommandError>) -> Result<T, CommandError> {
        let mut out = match self.begin() {
            Ok(out) => out,
            Err(source) => return Err(self.failure(source)),
        };
        let done = write(&mut out).and_then(|done| match out.flush() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
            _ => Ok(done),
        });
        // A failed write is not tried again.
        drop(out.into_parts());
        done.map_err(|error| match error {
            CommandError::Output(source) => self.failure(source),
            error => error,
        })
    }

    /// Records an error, so that the file does not come to its place.
    pub fn fail(&mut self, source: io::Error) {
        self.failed.get_or_insert(source);
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// The recorded error; errors of the system.
    pub fn finish(mut self) -> Result<(), CommandError> {
        if let Some(source) = self.failed.take() {
            return Err(self.failure(source));
        }
        self.done = true;
        match std::mem::replace(&mut self.place, Place::Over) {
            Place::Beside(part, permissions) => {
                part.persist(&self.path, permissions).map_err(|source| self.failure(source))
            }
            _ => Ok(()),
        }
    }

    /// The error of the file, with its option.
    fn failure(&self, source: io::Error) -> CommandError {
        CommandError::Records { option: self.option, path: self.path.clone(), source }
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Place::Itself(_, Some(fresh)) = &self.place
            && !self.done
        {
            let _ = fs::remove_file(fresh);
        }
    }
}

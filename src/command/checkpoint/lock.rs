//! The lock on the files of a run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::file::wrong;
use crate::CommandError;
use crate::output::{Listed, complain};

/// The contents of the file, so that users know it is not theirs.
const MARK: &str = "a run of tickless holds this file while it leaves checkpoints\n";
/// The advice where a name is taken.
const OTHER_NAME: &str = "give --checkpoint another name";
/// The most times that a file may have been removed between its opening and its locking.
const TRIES: usize = 100;

/// The right to write the checkpoints of a run. The system takes it away when the process is killed; the file then stays, and
/// shows that incomplete files are of that run.
pub struct Lock {
    path: PathBuf,
    /// Incomplete files of checkpoints.
    parts: [PathBuf; 2],
    file: File,
    _listed: [Listed; 3],
}

impl Lock {
    /// Takes the lock of this path, for a run that writes into these incomplete files.
    ///
    /// # Errors
    /// A lock that another run holds; a file that is no lock.
    pub fn take(path: &Path, parts: [PathBuf; 2]) -> Result<Self, CommandError> {
        let (file, is_left) = locked(path)?;
        let taken = parts.iter().find(|part| fs::symlink_metadata(part).is_ok());
        if let Some(part) = taken.filter(|_| !is_left) {
            let _ = fs::remove_file(path);
            return Err(wrong(
                part,
                format!("it is there already, and no run has left it: {OTHER_NAME}, or move it away"),
            ));
        }
        let _listed = [path, &parts[0], &parts[1]].map(Listed::new);
        Ok(Self { path: path.to_owned(), parts, file, _listed })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A missing file need not be removed.
        for path in self.parts.iter().chain([&self.path]) {
            let _ = fs::remove_file(path);
        }
        let _ = self.file.unlock();
    }
}

/// The file of a lock that is held from here on, and whether a killed run has left it.
fn locked(path: &Path) -> Result<(File, bool), CommandError> {
    let unwritten = |error: io::Error| {
        let missing = error.kind() == io::ErrorKind::NotFound;
        let cause = if missing { "there is no such folder".into() } else { error.to_string() };
        wrong(path, format!("it cannot be written ({cause}): give --checkpoint a path that can"))
    };
    for _ in 0..TRIES {
        if fs::symlink_metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(wrong(path, format!("it is there already: {OTHER_NAME}")));
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(unwritten)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let said = format!("another run holds it: wait until that has ended, or {OTHER_NAME}");
                return Err(wrong(path, said));
            }
            Err(TryLockError::Error(error)) => {
                let said =
                    format!("{}: the file system takes no locks ({error}): see that no other run", path.display());
                complain("warning", &format!("{said} has the same --checkpoint"));
            }
        }
        if !is_at(&file, path) {
            // The holder has just ended.
            continue;
        }
        let mut text = String::new();
        let read = (&mut file).take(MARK.len() as u64 + 1).read_to_string(&mut text);
        match (read, text.as_str()) {
            (Ok(_), "") => file.write_all(MARK.as_bytes()).map_err(unwritten)?,
            (Ok(_), MARK) => return Ok((file, true)),
            _ => return Err(wrong(path, format!("it is there already, and no run has left it: {OTHER_NAME}"))),
        }
        return Ok((file, false));
    }
    Err(wrong(path, format!("other runs begin and end all the time with it: {OTHER_NAME}")))
}

/// Whether the path still leads to the file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let numbers = |data: fs::Metadata| (data.dev(), data.ino());
    file.metadata().ok().map(numbers) == path.metadata().ok().map(numbers)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

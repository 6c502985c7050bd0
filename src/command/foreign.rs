//! Paths that a file of somebody else may name: a checkpoint names outputs of its run, a result the inputs of its run.

use std::path::Path;

use super::CommandError;
use super::output::complain;

/// Says which files a run reads and writes, before it writes.
pub fn tell(file: &Path, read: &[&Path], written: &[(&'static str, &Path)]) {
    let reads = (!read.is_empty()).then(|| {
        let names: Vec<_> = read.iter().map(|path| path.display().to_string()).collect();
        format!("reads {}", names.join(", "))
    });
    let writes = (!written.is_empty()).then(|| {
        let names: Vec<_> = written.iter().map(|(option, path)| format!("{option} {}", path.display())).collect();
        format!("writes {}", names.join(", "))
    });
    let told: Vec<_> = reads.into_iter().chain(writes).collect();
    if !told.is_empty() {
        complain("note", &format!("as {} says, its run {}", file.display(), told.join(", and ")));
    }
}

/// Refuses to write over a file outside of the current folder.
///
/// # Errors
/// [`CommandError::Outside`] for the first such file.
pub fn check(written: &[(&'static str, &Path)]) -> Result<(), CommandError> {
    let here = std::env::current_dir().and_then(|folder| folder.canonicalize());
    for (option, path) in written {
        // Links are followed. What is no file, as a pipe or a terminal, is not written over.
        let Ok(whole) = path.canonicalize() else { continue };
        let inside = here.as_ref().is_ok_and(|here| whole.starts_with(here));
        if whole.is_file() && !inside {
            return Err(CommandError::Outside { option, path: path.to_path_buf() });
        }
    }
    Ok(())
}

//! The outputs of results: standard output, and the files of options.

#[cfg(unix)]
mod closed;
mod file;
mod form;
mod lines;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::fs::Metadata;
use std::io::{self, Write};
use std::path::Path;

use super::ending::is_leaving;
use super::terminal::{self, BAD, REMARK};
use super::text::{escaped, one_line, with_escapes};
use super::{CommandError, Ending};
pub use file::{Listed, OutputFile, remove_unfinished};
pub use form::check as check_form;
pub use lines::{cause, cell, write_csv, write_csv_of};
use tickless_core::number::acts;

/// Refuses a standard output that was closed: the result would be lost.
///
/// # Errors
/// [`CommandError::Output`].
pub fn check_open() -> Result<(), CommandError> {
    #[cfg(unix)]
    closed::check().map_err(CommandError::Output)?;
    Ok(())
}

/// Writes to standard output. A reader that has gone away (`tickless ... | head`) is no error.
pub fn print(text: &str) -> Result<(), CommandError> {
    // Text with colours has them for a terminal; some systems must be told so first.
    let write = |mut out: Box<dyn Write>| out.write_all(text.as_bytes()).and_then(|()| out.flush());
    check_open()?;
    let written = match terminal::has_colours() {
        true => write(Box::new(anstream::AutoStream::always(io::stdout()))),
        false => write(Box::new(io::stdout())),
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
        _ => Ok(()),
    }
}

/// One line on standard error: `tickless: error: ...`, and below it the line of a text with a caret, if the message ends
/// with such a line. A closed standard error is ignored, and notes are left out if the user asked for quiet.
pub fn complain(kind: &str, message: &dyn fmt::Display) {
    if is_leaving() || (kind == "note" && terminal::is_quiet()) {
        return;
    }
    let typed: Vec<_> = std::env::args_os().skip(1).collect();
    let message = message.to_string();
    let (said, mark) = marked(&message);
    let line = one_line(&with_escapes(said, &typed));
    let style = if kind == "error" { BAD } else { REMARK };
    let line = format!("tickless: {style}{kind}{style:#}: {}{mark}\n", escaped(&shortened(&line)));
    let _ = anstream::AutoStream::auto(io::stderr()).write_all(line.as_bytes());
}

/// A message without the line and the caret at its end, and these two. Characters that would move the cursor are spaces
/// in both.
fn marked(message: &str) -> (&str, String) {
    let lines = || message.rmatch_indices('\n').nth(1).map(|(end, _)| message.split_at(end));
    match lines().filter(|_| message.ends_with('^')) {
        Some((said, mark)) => {
            let shown = mark.chars().map(|c| if c == '\n' || !acts(c) { c } else { ' ' });
            (said, shown.collect())
        }
        None => (message, String::new()),
    }
}

/// The most characters of a line: a value of a user's file may be as long.
const LONGEST: usize = 1200;

/// A long line without its middle: the fault stands at the beginning, and the advice at the end.
fn shortened(line: &str) -> Cow<'_, str> {
    let count = line.chars().count();
    if count <= LONGEST {
        return line.into();
    }
    let begin: String = line.chars().take(LONGEST / 2).collect();
    let end: String = line.chars().skip(count - LONGEST / 2).collect();
    format!("{begin} ... {end}").into()
}

/// Writes files by their names into the folder of `--write`.
///
/// # Errors
/// All files that cannot be written, together.
pub fn write_into(folder: &Path, files: Vec<(String, String)>) -> Result<Ending, CommandError> {
    let fail = |path: &Path, source| CommandError::Records { option: "--write", path: path.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
    let written = |(name, text): &(String, String)| {
        let file = OutputFile::open("--write", &folder.join(name))?;
        file.stream(|out| out.write_all(text.as_bytes()).map_err(CommandError::Output))
    };
    let failed: Vec<_> = files.iter().filter_map(|file| Some((file.0.clone(), written(file).err()?))).collect();
    let (all, several) = (failed.len() == files.len(), failed.len() > 1);
    let names = if all { vec![] } else { failed.iter().map(|(name, _)| name.clone()).collect() };
    match failed.into_iter().next() {
        None => Ok(Ending::Done),
        // An error that is the same for all files is reported once.
        Some((_, CommandError::Records { source, .. })) if several => {
            Err(CommandError::Folder { folder: folder.to_owned(), names, source })
        }
        Some((_, error)) => Err(error),
    }
}

/// The ending of a command whose result is made: a file that could not be written does not hold back the others.
///
/// # Errors
/// All files that could not be written, together.
pub fn ended(ending: Ending, mut failures: Vec<CommandError>) -> Result<Ending, CommandError> {
    match failures.len() {
        0 => Ok(ending),
        1 => Err(failures.remove(0)),
        _ => Err(CommandError::Several { errors: failures }),
    }
}

/// Makes a file that passes the limit of the shell or of the system (`ulimit -f`) an error; the signal would end the
/// process without a message.
pub fn refuse_signals() {
    #[cfg(unix)]
    {
        // Without a handler the signal has its default effect.
        let ignored = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored);
    }
}

/// Refuses a file that would overwrite another one, a file that the run reads (given by path and use) or the file of
/// standard output. Nothing is overwritten yet.
///
/// # Errors
/// [`CommandError::SameFile`], which names the option and the path.
pub fn check_apart<'a>(
    files: &[&OutputFile],
    read: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> Result<(), CommandError> {
    let regular = |path: &Path| match path.metadata() {
        // It may have been a pipe, which cannot be overwritten.
        Ok(data) => data.is_file().then(|| Identity::of(Some(data), path)).flatten(),
        // It does not exist yet.
        Err(_) => Identity::of(None, path),
    };
    let read: Vec<_> = read.into_iter().filter_map(|(path, what)| Some((regular(path)?, what))).collect();
    let stdout = stdout_file();
    let identity_of = |file: &OutputFile| Identity::of(file.metadata(), &file.path);
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

/// The identity that two names of one file share.
#[derive(PartialEq)]
enum Identity {
    /// The number of the file, through links and `/dev/stdout`; elsewhere its path without links.
    File(Number),
    /// The number of its folder, and its name: it does not exist yet.
    InFolder(Number, OsString),
}

#[cfg(unix)]
type Number = (u64, u64);
#[cfg(not(unix))]
type Number = std::path::PathBuf;

impl Identity {
    /// Of a file from its metadata; of a file that does not exist yet from its path.
    fn of(data: Option<Metadata>, path: &Path) -> Option<Self> {
        if let Some(data) = data {
            return Some(Self::File(number(&data, path)?));
        }
        let folder = file::folder(path);
        Some(Self::InFolder(number(&folder.metadata().ok()?, folder)?, path.file_name()?.to_owned()))
    }
}

#[cfg(unix)]
fn number(data: &Metadata, _: &Path) -> Option<Number> {
    use std::os::unix::fs::MetadataExt as _;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata, path: &Path) -> Option<Number> {
    path.canonicalize().ok()
}

/// The file of standard output, if it is one.
#[cfg(unix)]
fn stdout_file() -> Option<Identity> {
    use std::os::fd::AsFd as _;
    let stdout = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    Identity::of(Some(stdout.metadata().ok().filter(Metadata::is_file)?), Path::new(""))
}

#[cfg(not(unix))]
fn stdout_file() -> Option<Identity> {
    None
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
            let file = OutputFile::open("--facilities", file).unwrap();
            let failed = file.stream(|out| -> Result<(), CommandError> {
                out.write_all(b"half of it").map_err(CommandError::Output)?;
                Err(CommandError::Output(io::Error::other("the disk is full")))
            });
            assert!(failed.unwrap_err().to_string().contains("the disk is full"));
        }
        assert!(!fresh.exists());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept");
        std::fs::remove_file(&old).unwrap();
    }

    /// A run that begins again, on another backend, has only its own log in the file.
    #[test]
    fn contents_that_begin_again_are_all_that_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.log");
        let file = OutputFile::open("--log", &path).unwrap();
        for contents in ["what a refused run had written", "the log"] {
            let mut out = file.begin().unwrap();
            out.write_all(contents.as_bytes()).and_then(|()| out.flush()).unwrap();
        }
        file.finish().unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "the log");
    }
}

//! The files of options: open before a run, and filled after it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::CommandError;
use super::case::{Case, Contents, RunOf, Written};
use super::output::{OutputFile, check_apart, complain};

/// The reason why a file may not be written.
pub const READ: &str = "a file that the run reads";

/// The files of a run, open.
pub struct Outputs<'a, C: Case> {
    files: Vec<(OutputFile, Contents<'a, C>)>,
    log: Option<OutputFile>,
    page: Option<OutputFile>,
}

/// Writes the page of a result.
pub type Page<'a> = dyn Fn(&mut dyn Write) -> Result<(), CommandError> + 'a;

impl<'a, C: Case> Outputs<'a, C> {
    /// Opens the files before the run, so that a file that cannot be written is refused before it. None may be a file
    /// that the case has read, or one of the files that are in use, with their uses.
    ///
    /// # Errors
    /// A path that cannot be written, or that is needed for another use.
    pub fn open(
        case: &C,
        files: Vec<Written<'a, C>>,
        log: Option<(&'static str, &Path)>,
        page: Option<&Path>,
        taken: (&[PathBuf], &str),
    ) -> Result<Self, CommandError> {
        let page = page.map(|path| OutputFile::open("--report", path)).transpose()?;
        let log = log.map(|(option, path)| OutputFile::open(option, path)).transpose()?;
        let open = |file: Written<'a, C>| Ok((OutputFile::open(file.option, file.path)?, file.contents));
        let files = files.into_iter().map(open).collect::<Result<Vec<_>, CommandError>>()?;
        let read = case.read_only().into_iter().map(|path| (path, READ));
        let inputs = read.chain(taken.0.iter().map(|path| (path.as_path(), taken.1)));
        check_apart(&files.iter().map(|(file, _)| file).chain(&log).chain(&page).collect::<Vec<_>>(), inputs)?;
        Ok(Self { files, log, page })
    }

    /// The file that is written during the run.
    pub fn log(&mut self) -> Option<&mut OutputFile> {
        self.log.as_mut()
    }

    /// Whether no file is written after the run.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files after the run, and puts every file in its place. A pipe whose reader has gone away is no error.
    /// Returns the errors of files that could not be written: a full disk, and the like.
    pub fn write(self, case: &C, run: &RunOf<C>, figures: &C::Figures, page: &Page<'_>) -> Vec<CommandError> {
        let after = |(file, contents): (OutputFile, Contents<'a, C>)| match file
            .stream(|out| contents(case, run, figures, out))
        {
            Err(CommandError::Records { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => None,
            // The run was interrupted, which its ending reports.
            Err(error @ CommandError::NoShard { .. }) => {
                complain("note", &error);
                None
            }
            written => written.err(),
        };
        let log = self.log.and_then(|log| log.finish().err());
        let page = self.page.and_then(|file| file.stream(page).err());
        log.into_iter().chain(self.files.into_iter().filter_map(after)).chain(page).collect()
    }
}

//! CSV files from compact binary files of runs, one line after the other.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::interrupt::Interrupt;
use super::output::{OutputFile, cause, check_apart, complain};
use super::text::counted;
use super::{CommandError, Ending};

/// A file that becomes a CSV file.
pub struct Conversion<'a> {
    pub path: &'a Path,
    /// `None` for standard output.
    pub output: Option<&'a Path>,
    /// The kind of file: `the log`.
    pub file: &'static str,
    /// The kind of entry in a line of the CSV file: `output`.
    pub line: &'static str,
    pub interrupt: &'a Interrupt,
}

/// Writes the fields of a line.
type Line<'a, T> = &'a mut dyn FnMut(&mut csv::Writer<&mut dyn Write>, T) -> csv::Result<()>;

impl Conversion<'_> {
    /// Writes a header, and a line for each entry up to where the file ends or cannot be read. The lines of a file that is
    /// cut off are kept, unless a pipe blocks the process.
    ///
    /// # Errors
    /// [`CommandError`]; the fault of the file, from `failed`.
    pub fn run<T, E>(
        &self,
        header: &[&str],
        entries: impl Iterator<Item = Result<T, E>>,
        line: Line<T>,
        failed: impl Fn(E) -> CommandError,
    ) -> Result<Ending, CommandError> {
        self.interrupt.watched_closely();
        let ended = match self.output {
            Some(output) => {
                let file = OutputFile::open("--output", output)?;
                check_apart(&[&file], [(self.path, self.file)])?;
                file.stream(|out| self.lines(header, entries, line, out)).and_then(|end| end.map_err(failed))
            }
            None => self.lines(header, entries, line, &mut io::stdout().lock())?.map_err(failed),
        };
        let (ending, count) = ended?;
        if ending == Ending::Interrupted {
            let whereto = self.output.map_or("standard output".into(), |path| path.display().to_string());
            let (count, file) = (counted(count, self.line), self.file);
            complain("note", &format!("interrupted: {count} of {file}, from its start, are in {whereto}"));
        }
        Ok(ending)
    }

    /// The ending and the number of lines; or the fault of the file, after the lines before it.
    fn lines<T, E>(
        &self,
        header: &[&str],
        mut entries: impl Iterator<Item = Result<T, E>>,
        line: Line<T>,
        out: &mut dyn Write,
    ) -> Result<Result<(Ending, u64), E>, CommandError> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let mut csv = csv::Writer::from_writer(&mut out as &mut dyn Write);
        let mut outcome = csv.write_record(header);
        let (mut count, mut end, mut ending) = (0, Ok(()), Ending::Done);
        while outcome.is_ok() {
            if self.interrupt.came() {
                ending = Ending::Interrupted;
                break;
            }
            match entries.next() {
                Some(Ok(entry)) => outcome = line(&mut csv, entry),
                Some(Err(error)) => {
                    end = Err(error);
                    break;
                }
                None => break,
            }
            count += 1;
        }
        let written = outcome.map_err(cause).and_then(|()| csv.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ok((Ending::Done, count))),
            Err(error) => Err(CommandError::Output(error)),
            Ok(()) => Ok(end.map(|()| (ending, count))),
        }
    }
}

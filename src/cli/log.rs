//! `tickless cells log`, which makes a CSV file of what a run of cells wrote with `--log`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::interrupt::Interrupt;
use super::output::{OutputFile, cause, check_apart, complain};
use super::text::counted;
use super::{CommandError, Ending};
use crate::cells::Cell;
use crate::cells::log::{LogEntry, LogError, LogHead, LogReader};
use crate::reading;

/// Columns of the CSV file before those of what cells send.
pub const COLUMNS: [&str; 6] = ["replication", "time", "ticks", "row", "column", "plane"];

#[derive(Debug, Args)]
pub struct LogArguments {
    /// What `tickless cells` wrote with --log
    #[arg(value_name = "LOG")]
    file: PathBuf,
    /// The CSV file to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Makes a CSV file of a log.
///
/// # Errors
/// [`CommandError`].
pub fn convert(arguments: &LogArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let path = &arguments.file;
    let failed = |source: LogError| CommandError::Log { path: path.clone(), source };
    let input = reading::open(path, Some("name what tickless cells wrote with --log"));
    let input = input.map_err(|error| failed(error.into()))?;
    let reader = LogReader::new(input).map_err(failed)?;
    // What there is of a log that is cut off is kept, unless a pipe keeps everybody waiting.
    interrupt.watched_closely();
    let ended = match &arguments.output {
        Some(output) => {
            let file = OutputFile::open("--output", output)?;
            check_apart(&[&file], [(path.as_path(), "the log")])?;
            file.stream(|out| lines(reader, out, interrupt)).and_then(|end| end.map_err(failed))
        }
        None => lines(reader, &mut io::stdout().lock(), interrupt)?.map_err(failed),
    };
    let (ending, count) = ended?;
    if ending == Ending::Interrupted {
        let whereto = arguments.output.as_ref().map_or("standard output".into(), |path| path.display().to_string());
        complain(
            "note",
            &format!("interrupted: {} of the log, from its start, are in {whereto}", counted(count, "output")),
        );
    }
    Ok(ending)
}

/// A header, and a line for each output up to where the log ends or cannot be read.
fn lines(
    mut reader: LogReader<File>,
    out: &mut dyn Write,
    interrupt: &Interrupt,
) -> Result<Result<(Ending, u64), LogError>, CommandError> {
    let head = reader.head().clone();
    let mut csv = csv::Writer::from_writer(BufWriter::with_capacity(1 << 16, out));
    let mut outcome = csv.write_record(COLUMNS.into_iter().chain(head.words.iter().map(|word| word.name.as_str())));
    let (mut count, mut end) = (0, Ok(()));
    let mut ending = Ending::Done;
    while outcome.is_ok() {
        if interrupt.came() {
            ending = Ending::Interrupted;
            break;
        }
        match reader.next() {
            Some(Ok(entry)) => outcome = line(&mut csv, &head, &entry),
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

/// As serde writes a number in other files: with a point.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

fn line(csv: &mut csv::Writer<impl Write>, head: &LogHead, entry: &LogEntry) -> csv::Result<()> {
    let LogEntry { cell: Cell { id, replication }, time, output } = entry;
    let [width, height, _] = head.size;
    let place = [id / width % height, id % width, id / width / height];
    csv.write_field(replication.to_string())?;
    csv.write_field(decimal(time.units()))?;
    csv.write_field(time.ticks().to_string())?;
    place.iter().try_for_each(|along| csv.write_field(along.to_string()))?;
    for (word, value) in head.words.iter().zip(output) {
        csv.write_field(word.meaning.value(*value).map_or(String::new(), decimal))?;
    }
    csv.write_record(None::<&[u8]>)
}

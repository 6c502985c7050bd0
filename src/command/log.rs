//! `tickless cells log`, which makes a CSV file of a log that a run of cells wrote with `--log`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::conversion::Conversion;
use super::interrupt::Interrupt;
use super::{CommandError, Ending};
use tickless_cells::Cell;
use tickless_cells::log::{LogEntry, LogError, LogHead, LogReader, LogWord, Meaning};
use tickless_core::reading;

/// Columns of the CSV file before those of the cells' outputs.
pub const COLUMNS: [&str; 6] = ["replication", "time", "ticks", "row", "column", "plane"];
/// The column after these if there are several layers.
pub const LAYER: &str = "layer";

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
pub fn convert(arguments: &LogArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let path = &arguments.file;
    let failed = |source: LogError| CommandError::Log { path: path.clone(), source };
    let input = reading::open(path, Some("name what tickless cells wrote with --log"));
    let input = input.map_err(|error| failed(error.into()))?;
    let reader = LogReader::new(input).map_err(failed)?;
    let head = reader.head().clone();
    let layer = (head.layers > 1).then_some(LAYER);
    let header: Vec<&str> =
        COLUMNS.into_iter().chain(layer).chain(columns(&head).map(|word| word.name.as_str())).collect();
    let output = arguments.output.as_deref();
    Conversion { path, output, file: "the log", line: "output", interrupt }.run(
        &header,
        reader,
        &mut |csv, entry| line(csv, &head, &entry),
        failed,
    )
}

/// The words that have a column: a fraction goes into that of the next.
fn columns(head: &LogHead) -> impl Iterator<Item = &LogWord> {
    head.words.iter().filter(|word| word.meaning != Meaning::Fraction)
}

/// As serde writes a number in other files: with a point.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

fn line(csv: &mut csv::Writer<impl Write>, head: &LogHead, entry: &LogEntry) -> csv::Result<()> {
    let LogEntry { cell: Cell { id, replication }, time, output } = entry;
    let [width, height, depth] = head.size;
    let (plane, planes) = (id / width / height, depth / head.layers);
    let place = [id / width % height, id % width, plane % planes, plane / planes];
    let places = if head.layers > 1 { 4 } else { 3 };
    csv.write_field(replication.to_string())?;
    csv.write_field(decimal(time.units()))?;
    csv.write_field(time.ticks().to_string())?;
    place[..places].iter().try_for_each(|along| csv.write_field(along.to_string()))?;
    let mut fraction = 0.0;
    for (word, value) in head.words.iter().zip(output) {
        let value = word.meaning.value(*value).map(|value| value + fraction);
        fraction = 0.0;
        match word.meaning {
            Meaning::Fraction => fraction = value.unwrap_or(0.0),
            _ => csv.write_field(value.map_or(String::new(), decimal))?,
        }
    }
    csv.write_record(None::<&[u8]>)
}

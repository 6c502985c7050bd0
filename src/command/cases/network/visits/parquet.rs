//! Visits as Parquet: columns of bounded groups of rows.

use std::io::{self, Write};
use std::mem::take;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::Names;
use super::format::Format;
use crate::CommandError;
use tickless_core::time::Time;
use tickless_core::time::decimals::nearest;
use tickless_queueing::{Left, NetworkModel, Visit};

/// The columns.
const SCHEMA: &str = "message visits {
    required int32 replication;
    required int64 token;
    optional binary class (string);
    required binary station (string);
    required double arrival;
    optional double start;
    optional double end;
    optional double departure;
    required binary left (string);
    optional binary to (string);
    optional binary resources (string);
}";
/// Numbers that hardly change from row to row.
const NUMBERS: [&str; 2] = ["replication", "token"];
const TIMES: [&str; 4] = ["arrival", "start", "end", "departure"];
const TEXTS: [&str; 5] = ["class", "station", "left", "to", "resources"];
/// Rows of a group.
const GROUP: usize = 1 << if cfg!(test) { 11 } else { 18 };

/// A visit, and its replication.
type Row = (u32, Visit);
type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

/// Makes columns of visits.
pub(super) struct Parquet {
    names: Names<ByteArray>,
    left: [ByteArray; 6],
}

/// The contents of the file that have not been written yet.
pub(super) struct File {
    rows: Vec<Row>,
    writer: SerializedFileWriter<Vec<u8>>,
}

impl Parquet {
    pub(super) fn new(model: &NetworkModel) -> Result<Self, CommandError> {
        let names = Names::new(model, |name| Ok::<_, CommandError>(ByteArray::from(name)))?;
        Ok(Self { names, left: Left::ALL.map(|left| ByteArray::from(left.name())) })
    }

    /// Writes a group of rows.
    fn group(&self, file: &mut File, count: usize, out: &mut dyn Write) -> Result<(), CommandError> {
        let rows: Vec<Row> = file.rows.drain(..count).collect();
        let mut group = file.writer.next_row_group().map_err(failed)?;
        self.columns(&rows, &mut group).and_then(|()| group.close()).map_err(failed)?;
        file.writer.flush().and_then(|()| out.write_all(&take(file.writer.inner_mut()))).map_err(CommandError::Output)
    }

    /// In the order of the schema.
    fn columns(&self, rows: &[Row], group: &mut Group<'_>) -> Result<(), ParquetError> {
        let names = &self.names;
        all::<Int32Type>(group, rows, |(replication, _)| *replication as i32)?;
        all::<Int64Type>(group, rows, |(_, visit)| visit.token as i64)?;
        some::<ByteArrayType>(group, rows, |(_, visit)| names.class(visit).cloned())?;
        all::<ByteArrayType>(group, rows, |(_, visit)| names.station(visit).clone())?;
        all::<DoubleType>(group, rows, |(_, visit)| nearest(visit.arrival))?;
        let times: [fn(&Visit) -> Option<Time>; 3] = [|visit| visit.start, |visit| visit.end, |visit| visit.departure];
        times.into_iter().try_for_each(|of| some::<DoubleType>(group, rows, |(_, visit)| of(visit).map(nearest)))?;
        all::<ByteArrayType>(group, rows, |(_, visit)| self.left[visit.left as usize].clone())?;
        some::<ByteArrayType>(group, rows, |(_, visit)| names.to(visit).cloned())?;
        some::<ByteArrayType>(group, rows, |(_, visit)| {
            names.held(visit).map(|held| ByteArray::from(held.into_bytes()))
        })
    }
}

/// Writes a column that every row has.
fn all<T: DataType>(group: &mut Group<'_>, rows: &[Row], of: impl Fn(&Row) -> T::T) -> Result<(), ParquetError> {
    let values: Vec<T::T> = rows.iter().map(of).collect();
    column::<T>(group, &values, None)
}

/// Writes a column that some rows have.
fn some<T: DataType>(
    group: &mut Group<'_>,
    rows: &[Row],
    of: impl Fn(&Row) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let (mut values, mut levels) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for row in rows {
        let value = of(row);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    column::<T>(group, &values, Some(&levels))
}

fn column<T: DataType>(group: &mut Group<'_>, values: &[T::T], levels: Option<&[i16]>) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("a column is not in the schema".into());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

fn failed(error: ParquetError) -> CommandError {
    CommandError::Output(io::Error::other(error))
}

/// How columns are packed: times differ in their low bytes alone from each other, names are few.
fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false);
    for name in NUMBERS {
        properties = properties.set_column_encoding(ColumnPath::from(name), Encoding::DELTA_BINARY_PACKED);
    }
    for name in TIMES {
        properties = properties.set_column_encoding(ColumnPath::from(name), Encoding::BYTE_STREAM_SPLIT);
    }
    for name in TEXTS.map(ColumnPath::from) {
        properties = properties.set_column_statistics_enabled(name.clone(), EnabledStatistics::None);
        properties = properties.set_column_dictionary_enabled(name, true);
    }
    properties.build()
}

impl Format for Parquet {
    type Open = ();
    type Part = Vec<Row>;
    type File = File;

    fn add(&self, replication: u32, visit: &Visit, (): &mut (), part: &mut Vec<Row>) {
        part.push((replication, visit.clone()));
    }

    fn bytes(part: &Vec<Row>) -> usize {
        part.capacity() * size_of::<Row>()
    }

    fn begin(&self, _: &mut dyn Write) -> Result<File, CommandError> {
        let schema = parse_message_type(SCHEMA).map_err(failed)?;
        let writer = SerializedFileWriter::new(vec![], Arc::new(schema), Arc::new(properties())).map_err(failed)?;
        Ok(File { rows: vec![], writer })
    }

    fn put(&self, file: &mut File, mut part: Vec<Row>, out: &mut dyn Write) -> Result<(), CommandError> {
        file.rows.append(&mut part);
        while file.rows.len() >= GROUP {
            self.group(file, GROUP, out)?;
        }
        Ok(())
    }

    fn finish(&self, mut file: File, out: &mut dyn Write) -> Result<(), CommandError> {
        let rest = file.rows.len();
        if rest > 0 {
            self.group(&mut file, rest, out)?;
        }
        let end = file.writer.into_inner().map_err(failed)?;
        out.write_all(&end).and_then(|()| out.flush()).map_err(CommandError::Output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::network::visits::csv::Csv;
    use crate::cases::network::visits::recording::Recording;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;
    use std::io::Seek as _;

    const NETWORK: &str = "
        until = 9000
        [[class]]
        name = 'a, \"b\"'
        [[class]]
        name = 'c'
        [[source]]
        name = 'in'
        interval = 'exponential:6'
        to = 'desk'
        class = 'a, \"b\"'
        [[source]]
        name = 'other'
        interval = 'exponential:20'
        to = 'desk'
        class = 'c'
        [[station]]
        name = 'desk'
        service = 'exponential:5'
        patience = 'exponential:30'
        [[station]]
        name = 'tests'
        service = 'constant:2'
        [[sink]]
        name = 'home'
        [[route]]
        from = 'desk'
        to = 'tests'
        [[route]]
        from = 'tests'
        to = 'home'
    ";

    /// The text of a value in CSV, which for times is one that stands for the same number.
    fn agrees(field: &Field, cell: &str) -> bool {
        match field {
            Field::Null => cell.is_empty(),
            Field::Int(number) => number.to_string() == cell,
            Field::Long(number) => number.to_string() == cell,
            Field::Double(number) => cell.parse() == Ok(*number),
            Field::Str(text) => text == cell,
            _ => false,
        }
    }

    /// More than a group of rows, read back value by value.
    #[test]
    fn columns_have_what_the_lines_have() {
        let model = tickless_queueing::Network::from_toml(NETWORK).expect("a network").check().expect("a model");
        let expected = &[];
        let recording = Recording { model: &model, first: 7, count: 2, expected, sample: 1, threads: None };
        let mut lines = vec![];
        recording.write(&Csv::new(&model).expect("names"), &mut lines).expect("lines");
        let mut file = tempfile::tempfile().expect("a file");
        recording.write(&Parquet::new(&model).expect("names"), &mut file).expect("columns");
        file.rewind().expect("a file");
        let reader = SerializedFileReader::new(file).expect("Parquet");
        let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
        assert!(groups.len() > 1 && groups[..groups.len() - 1].iter().all(|rows| *rows == GROUP as i64), "{groups:?}");
        let mut lines = ::csv::Reader::from_reader(&lines[..]);
        let names: Vec<String> = lines.headers().expect("names").iter().map(str::to_owned).collect();
        let (mut lines, mut count, mut nulls) = (lines.records(), 0_i64, 0);
        for row in reader.get_row_iter(None).expect("rows") {
            let (row, line) = (row.expect("a row"), lines.next().expect("a line").expect("cells"));
            for ((name, (column, field)), cell) in names.iter().zip(row.get_column_iter()).zip(&line) {
                assert!(name == column && agrees(field, cell), "row {count}, {column}: {field} and {cell}");
                nulls += u32::from(*field == Field::Null);
            }
            count += 1;
        }
        assert!(lines.next().is_none() && count == groups.iter().sum::<i64>() && nulls > 10, "{count} {nulls}");
    }
}

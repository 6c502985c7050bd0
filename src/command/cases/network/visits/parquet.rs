//! Visits as Parquet: columns of bounded groups of rows.

use std::io::Write;

use super::Names;
use super::format::Format;
use crate::CommandError;
use tickless_core::columns::{Column, Columns, Field, Kind, NO_TEXT};
use tickless_core::time::Time;
use tickless_core::time::decimals::nearest;
use tickless_queueing::{Left, NetworkModel, Visit};

/// The columns.
const FIELDS: [Field; 11] = [
    ("replication", Kind::Int32),
    ("token", Kind::Int64),
    ("class", Kind::Text),
    ("station", Kind::Text),
    ("arrival", Kind::Double),
    ("start", Kind::Doubles),
    ("end", Kind::Doubles),
    ("departure", Kind::Doubles),
    ("left", Kind::Text),
    ("to", Kind::Text),
    ("resources", Kind::Text),
];
/// Rows of a group.
const GROUP: usize = 1 << if cfg!(test) { 11 } else { 18 };

/// A visit, and its replication.
type Row = (u32, Visit);

/// Makes columns of visits.
pub(super) struct Parquet {
    names: Names<String>,
}

/// The contents of the file that have not been written yet.
pub(super) struct File {
    rows: Vec<Row>,
    columns: Columns,
    names: Names<u32>,
    left: [u32; 6],
}

impl Parquet {
    pub(super) fn new(model: &NetworkModel) -> Result<Self, CommandError> {
        Names::new(model, |name| Ok::<_, CommandError>(name.to_owned())).map(|names| Self { names })
    }
}

impl File {
    /// Writes a group of rows.
    fn group(&mut self, count: usize, out: &mut dyn Write) -> Result<(), CommandError> {
        let rows: Vec<Row> = self.rows.drain(..count).collect();
        let columns = self.columns_of(&rows);
        let bytes = self.columns.group(&columns).map_err(CommandError::Output)?;
        out.write_all(&bytes).map_err(CommandError::Output)
    }

    /// In the order of the fields.
    fn columns_of(&mut self, rows: &[Row]) -> [Column; FIELDS.len()] {
        let Self { columns, names, left, .. } = self;
        let text = |of: &dyn Fn(&Visit) -> Option<u32>| {
            Column::Text(rows.iter().map(|(_, visit)| of(visit).unwrap_or(NO_TEXT)).collect())
        };
        let times = |of: fn(&Visit) -> Option<Time>| {
            Column::Doubles(rows.iter().map(|(_, visit)| of(visit).map(nearest)).collect())
        };
        let held = |(_, visit): &Row| names.held(visit).map_or(NO_TEXT, |held| columns.text(&held));
        let held = Column::Text(rows.iter().map(held).collect());
        [
            Column::Int32(rows.iter().map(|(replication, _)| *replication as i32).collect()),
            Column::Int64(rows.iter().map(|(_, visit)| visit.token as i64).collect()),
            text(&|visit| names.class(visit).copied()),
            text(&|visit| Some(*names.station(visit))),
            Column::Double(rows.iter().map(|(_, visit)| nearest(visit.arrival)).collect()),
            times(|visit| visit.start),
            times(|visit| visit.end),
            times(|visit| visit.departure),
            text(&|visit| Some(left[visit.left as usize])),
            text(&|visit| names.to(visit).copied()),
            held,
        ]
    }
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
        let mut columns = Columns::new("visits", &FIELDS).map_err(CommandError::Output)?;
        let names = self.names.map(|name| columns.text(name));
        let left = Left::ALL.map(|left| columns.text(left.name()));
        Ok(File { rows: vec![], columns, names, left })
    }

    fn put(&self, file: &mut File, mut part: Vec<Row>, out: &mut dyn Write) -> Result<(), CommandError> {
        file.rows.append(&mut part);
        while file.rows.len() >= GROUP {
            file.group(GROUP, out)?;
        }
        Ok(())
    }

    fn finish(&self, mut file: File, out: &mut dyn Write) -> Result<(), CommandError> {
        let rest = file.rows.len();
        if rest > 0 {
            file.group(rest, out)?;
        }
        let end = file.columns.finish().map_err(CommandError::Output)?;
        out.write_all(&end).and_then(|()| out.flush()).map_err(CommandError::Output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::network::visits::csv::Csv;
    use crate::cases::network::visits::recording::Recording;
    use std::io::Seek as _;
    use tickless_core::columns::parquet::file::reader::{FileReader as _, SerializedFileReader};
    use tickless_core::columns::parquet::record::Field;

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

//! Columns as a Parquet file, in groups of rows. Functions of that format are made for each type of values by the crate that calls them: this
//! one is compiled for speed.

use std::collections::HashMap;
use std::io;
use std::mem::take;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

/// What reads such files, for tests.
pub use parquet;

/// The number of no text: the cell is empty.
pub const NO_TEXT: u32 = u32::MAX;

/// The name of a column, and what it has.
pub type Field = (&'static str, Kind);

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int32,
    Int64,
    Double,
    /// Numbers, of which some may be missing.
    Doubles,
    /// Texts, of which some may be missing, and of which few are different.
    Text,
}

/// The values of a column in a group of rows.
#[derive(Clone, Debug)]
pub enum Column {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Doubles(Vec<Option<f64>>),
    /// The numbers of texts ([`Columns::text`]), or [`NO_TEXT`].
    Text(Vec<u32>),
}

/// A file that is being made.
pub struct Columns {
    writer: SerializedFileWriter<Vec<u8>>,
    texts: Vec<ByteArray>,
    numbers: HashMap<String, u32>,
}

impl Columns {
    /// A file with these columns.
    ///
    /// # Errors
    /// Names that are none.
    pub fn new(name: &str, fields: &[Field]) -> io::Result<Self> {
        let field = |(name, kind): &Field| {
            let kind = match kind {
                Kind::Int32 => "required int32",
                Kind::Int64 => "required int64",
                Kind::Double => "required double",
                Kind::Doubles => "optional double",
                Kind::Text => return format!("optional binary {name} (string);"),
            };
            format!("{kind} {name};")
        };
        let fields_of: String = fields.iter().map(field).collect();
        let schema = parse_message_type(&format!("message {name} {{ {fields_of} }}")).map_err(io::Error::other)?;
        let properties = Arc::new(properties(fields));
        let writer = SerializedFileWriter::new(vec![], Arc::new(schema), properties).map_err(io::Error::other)?;
        Ok(Self { writer, texts: vec![], numbers: HashMap::new() })
    }

    /// The number of a text.
    pub fn text(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(ByteArray::from(text));
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// The bytes of the next group of rows.
    ///
    /// # Errors
    /// Columns that are not those of the file, or of different lengths.
    pub fn group(&mut self, columns: &[Column]) -> io::Result<Vec<u8>> {
        let texts = &self.texts;
        let mut group = self.writer.next_row_group().map_err(io::Error::other)?;
        let written = columns.iter().try_for_each(|column| write(&mut group, column, texts));
        written.and_then(|()| group.close()).map_err(io::Error::other)?;
        self.writer.flush().map_err(io::Error::other)?;
        Ok(take(self.writer.inner_mut()))
    }

    /// The bytes behind the last group.
    ///
    /// # Errors
    /// As of a group.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        self.writer.into_inner().map_err(io::Error::other)
    }
}

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

fn write(group: &mut Group<'_>, column: &Column, texts: &[ByteArray]) -> Result<(), ParquetError> {
    match column {
        Column::Int32(values) => values_of::<Int32Type>(group, values, None),
        Column::Int64(values) => values_of::<Int64Type>(group, values, None),
        Column::Double(values) => values_of::<DoubleType>(group, values, None),
        Column::Doubles(values) => {
            let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
            let values: Vec<f64> = values.iter().flatten().copied().collect();
            values_of::<DoubleType>(group, &values, Some(&levels))
        }
        Column::Text(numbers) => {
            let levels: Vec<i16> = numbers.iter().map(|number| i16::from(*number != NO_TEXT)).collect();
            let values: Vec<ByteArray> =
                numbers.iter().filter_map(|number| texts.get(*number as usize)).cloned().collect();
            values_of::<ByteArrayType>(group, &values, Some(&levels))
        }
    }
}

fn values_of<T: DataType>(group: &mut Group<'_>, values: &[T::T], levels: Option<&[i16]>) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("a column is not in the schema".into());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

/// How columns are packed: whole numbers hardly change from row to row, others differ in their low bytes alone, texts are few.
fn properties(fields: &[Field]) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false);
    for (name, kind) in fields {
        let name = ColumnPath::from(*name);
        properties = match kind {
            Kind::Int32 | Kind::Int64 => properties.set_column_encoding(name, Encoding::DELTA_BINARY_PACKED),
            Kind::Double | Kind::Doubles => properties.set_column_encoding(name, Encoding::BYTE_STREAM_SPLIT),
            Kind::Text => properties
                .set_column_statistics_enabled(name.clone(), EnabledStatistics::None)
                .set_column_dictionary_enabled(name, true),
        };
    }
    properties.build()
}

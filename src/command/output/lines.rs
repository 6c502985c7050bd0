//! CSV files: lines in order, made on all cores. No field of them is a formula for a spreadsheet.

use std::io::{self, Write};

use serde::Serialize;

use crate::CommandError;
use tickless_core::reading::parts;

/// Writes a header and the lines as CSV.
///
/// # Errors
/// A full disk, and the like.
pub fn write_csv<L: Serialize>(out: &mut dyn Write, lines: impl Iterator<Item = L>) -> Result<(), CommandError> {
    csv_of(out, true, lines).map_err(CommandError::Output)
}

/// Lines that a core makes at a time.
const LINES: usize = 1 << 11;

/// The same for so many lines, which are made on all cores, from their places.
///
/// # Errors
/// A full disk, and the like.
pub fn write_csv_of<L: Serialize>(
    out: &mut dyn Write,
    count: usize,
    line: impl Fn(usize) -> L + Sync,
) -> Result<(), CommandError> {
    let part = |number: usize| {
        let mut text = vec![];
        let lines = (number * LINES..count.min((number + 1) * LINES)).map(&line);
        csv_of(&mut text, number == 0, lines).map(|()| text)
    };
    parts::write(out, count.div_ceil(LINES), part).map_err(CommandError::Output)
}

fn csv_of<L: Serialize>(out: &mut dyn Write, header: bool, lines: impl Iterator<Item = L>) -> io::Result<()> {
    let mut lines = lines.peekable();
    let mut header = header;
    while lines.peek().is_some() {
        let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(vec![]);
        lines.by_ref().take(LINES).try_for_each(|line| writer.serialize(line).map_err(cause))?;
        let text = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        if has_formula(&text) {
            without_formulas(&text, out)?
        } else {
            out.write_all(&text)?
        }
        header = false;
    }
    out.flush()
}

/// A text as a field of a line, with quotes where it needs them.
pub fn cell(text: &str) -> io::Result<Vec<u8>> {
    let mut line = vec![];
    csv_of(&mut line, false, std::iter::once([text]))?;
    line.truncate(line.len().saturating_sub(1));
    Ok(if text.is_empty() { vec![] } else { line })
}

/// What a spreadsheet takes for a formula where a field begins with it. A number may begin with a sign.
fn begins_formula(byte: u8) -> bool {
    matches!(byte, b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r')
}

/// Whether a field may be a formula: few texts have one, and only these are read again.
fn has_formula(text: &[u8]) -> bool {
    let ends = |byte: &u8| matches!(byte, b',' | b'\n' | b'"');
    let begins = |place: usize| place == 0 || ends(&text[place - 1]);
    let formula = |place: usize| {
        let rest = &text[place..];
        !is_number(&rest[..rest.iter().position(ends).unwrap_or(rest.len())])
    };
    text.iter().enumerate().any(|(place, byte)| begins_formula(*byte) && begins(place) && formula(place))
}

fn is_number(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// Copies CSV with an apostrophe ahead of each field that would be a formula.
fn without_formulas(text: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(out);
    for record in reader.byte_records() {
        let record = record.map_err(cause)?;
        for field in &record {
            let formula = field.first().is_some_and(|byte| begins_formula(*byte)) && !is_number(field);
            let shown = if formula { [b"'", field].concat() } else { field.to_vec() };
            writer.write_field(shown).map_err(cause)?;
        }
        writer.write_record(None::<&[u8]>).map_err(cause)?;
    }
    writer.flush()
}

/// The error of the system, if it is one: csv's own conversion hides it.
pub fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header once, and no line lost or moved where parts meet.
    #[test]
    fn lines_made_on_all_cores_are_those_in_order() {
        #[derive(Serialize)]
        struct Line {
            place: usize,
            name: String,
        }
        let line = |place| Line { place, name: format!("\"{place}\", or so") };
        let turn = parts::at_once() * LINES;
        for count in [0, 1, LINES - 1, LINES, LINES + 1, turn, turn + LINES + 1] {
            let (mut expected, mut found) = (vec![], vec![]);
            write_csv(&mut expected, (0..count).map(line)).unwrap();
            write_csv_of(&mut found, count, line).unwrap();
            assert!(expected == found, "{count} lines");
            assert_eq!(found.iter().filter(|byte| **byte == b'\n').count(), count + usize::from(count > 0));
        }
    }

    /// A name that begins as a formula is a text for spreadsheets; numbers and other names stay.
    #[test]
    fn names_are_no_formulas() {
        let written = |name: &str, number: f64| {
            let mut text = vec![];
            write_csv(&mut text, std::iter::once((name, number, name))).unwrap();
            String::from_utf8(text).unwrap()
        };
        for name in ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A1", "-2+3", "\t=1"] {
            assert_eq!(written(name, -1.5), format!("'{name},-1.5,'{name}\n"));
            let mut text = vec![];
            write_csv(&mut text, std::iter::once((-1.5, name))).unwrap();
            assert_eq!(text, format!("-1.5,'{name}\n").as_bytes());
        }
        assert_eq!(written("=a,\"b\"", -1.0), "\"'=a,\"\"b\"\"\",-1.0,\"'=a,\"\"b\"\"\"\n");
        for name in ["door", "a=b", "-5", "4-bed room", "'", "ward \n=1"] {
            let mut expected = vec![];
            let mut writer = csv::Writer::from_writer(&mut expected);
            writer.serialize((name, -2.5, name)).unwrap();
            drop(writer);
            assert_eq!(written(name, -2.5).as_bytes(), expected, "{name}");
        }
    }
}

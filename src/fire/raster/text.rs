//! ESRI ASCII grids.

use std::io::{self, Write};

use rayon::prelude::*;

use super::{Grid, NO_DATA};
use crate::landscape::WIDTHS;
use crate::terrain::{SUPPRESSED, canadian, whole};
use crate::{FireError, Frame, FuelModels};
use tickless_core::reading::parts::{self, PART};
use tickless_core::reading::{self, Kind, without_mark};

/// Values that a core writes at a time.
const VALUES: usize = 1 << 14;
/// Keywords of a header; the corner is given in one of its two forms.
const KEYWORDS: [&str; 8] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value"];

impl Grid {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the value.
    pub fn parse(text: &str, name: &str) -> Result<Self, FireError> {
        Self::parse_of(text, name, &Values { allowed: "a number", fits: &|_| true })
    }

    /// The same of fuels: an invalid number is refused with its line.
    pub(super) fn parse_fuels(text: &str, name: &str, models: &FuelModels) -> Result<Self, FireError> {
        let fits = |value| whole(value).is_some_and(|number| number != 0 && models.knows(number));
        let allowed = format!("the number of a fuel: {}", models.numbers());
        Self::parse_of(text, name, &Values { allowed: &allowed, fits: &fits }).map_err(|error| match error {
            FireError::Value { value, line, .. } if canadian(finite(&value)) => {
                FireError::Canadian { file: name.into(), place: format!("line {line}"), value }
            }
            error => error,
        })
    }

    /// The same of marks of 0 and 1.
    pub(super) fn parse_suppressed(text: &str, name: &str) -> Result<Self, FireError> {
        let fits = |value| value == 0.0 || value == 1.0;
        Self::parse_of(text, name, &Values { allowed: SUPPRESSED, fits: &fits })
    }

    fn parse_of(text: &str, name: &str, values_of: &Values<'_>) -> Result<Self, FireError> {
        let mut header = Header { file: name, found: [None; 8] };
        let mut lines = without_mark(text).lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).peekable();
        while let Some((line, number)) = lines.next_if(|(line, _)| line.trim_start().starts_with(char::is_alphabetic)) {
            header.take(line, number)?;
        }
        let (frame, no_data) = header.frame()?;
        let (expected, mut values, mut last) = (frame.cells() as u64, vec![], 1);
        // A value has a character, and one behind it: a header alone allocates nothing.
        let room = usize::try_from(expected).unwrap_or(usize::MAX).min(text.len() / 2 + 1);
        values.try_reserve_exact(room).map_err(|_| {
            let cause = format!("there is no memory for its {room} values; give a smaller one");
            FireError::Read { file: name.into(), cause }
        })?;
        let value = |word: &str| match finite(word)? {
            value if Some(value) == no_data => Some(f64::NAN),
            value => (values_of.fits)(value).then_some(value),
        };
        let rest = lines.peek().map_or("", |(line, _)| &text[line.as_ptr() as usize - text.as_ptr() as usize..]);
        if read_all(rest, &mut values, expected, value).is_some() {
            return Ok(Self { name: name.into(), frame, projection: None, values });
        }
        for (line, number) in lines {
            last = number;
            for word in line.split_whitespace() {
                let found = values.len() as u64;
                if found == expected {
                    return Err(FireError::Count { file: name.into(), line: number, found: found + 1, expected });
                }
                let value = value(word).ok_or_else(|| {
                    let columns = u64::from(frame.columns);
                    let (column, row) = (found % columns, found / columns);
                    let what = format!("the value in column {column}, row {row} (from 0, north-west)");
                    wrong(name, number, what, word, values_of.allowed)
                })?;
                values.push(value);
            }
        }
        let found = values.len() as u64;
        if found < expected {
            return Err(FireError::Count { file: name.into(), line: last, found, expected });
        }
        Ok(Self { name: name.into(), frame, projection: None, values })
    }

    /// Writes the grid, with `digits` digits after the point.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write(&self, to: &mut impl Write, digits: usize) -> io::Result<()> {
        let Frame { columns, rows, corner: [x, y], cell_size } = self.frame;
        writeln!(to, "ncols {columns}\nnrows {rows}\nxllcorner {x}\nyllcorner {y}\ncellsize {cell_size}")?;
        writeln!(to, "NODATA_value {NO_DATA}")?;
        let (columns, cells) = (columns.max(1) as usize, self.values.len());
        let part = |number: usize| {
            let mut text = vec![];
            for cell in number * VALUES..cells.min((number + 1) * VALUES) {
                let space = if cell % columns > 0 { " " } else { "" };
                let end = if (cell + 1) % columns == 0 || cell + 1 == cells { "\n" } else { "" };
                match self.values[cell] {
                    value if value.is_nan() => write!(text, "{space}{NO_DATA}{end}")?,
                    value => write!(text, "{space}{value:.digits$}{end}")?,
                }
            }
            Ok(text)
        };
        parts::write(to, cells.div_ceil(VALUES), part)
    }
}

/// The text of a file.
pub(super) fn of_bytes<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, FireError> {
    reading::as_text(bytes, Kind::Grid).map_err(|error| FireError::Read { file: name.into(), cause: error.to_string() })
}

/// A finite number.
pub(crate) fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A value that is not allowed.
pub(crate) fn wrong(file: &str, line: u64, what: impl Into<String>, value: &str, allowed: &str) -> FireError {
    FireError::Value { file: file.into(), line, what: what.into(), value: value.into(), allowed: allowed.into() }
}

/// Reads values on all cores, if their number is right and all are valid. Where it returns `None` no value is kept: the caller
/// reads line by line, and reports the first fault.
fn read_all(
    text: &str,
    values: &mut Vec<f64>,
    expected: u64,
    value: impl Fn(&str) -> Option<f64> + Sync,
) -> Option<()> {
    let texts = parts::cut(text, PART, |bytes: &[u8]| bytes.iter().position(u8::is_ascii_whitespace));
    let all_of = |text: &&str| text.split_whitespace().map(&value).collect::<Option<Vec<_>>>();
    for some in texts.chunks(parts::at_once()) {
        let found: Option<Vec<_>> = some.par_iter().map(all_of).collect();
        let found = found.filter(|found| (values.len() + found.iter().map(Vec::len).sum::<usize>()) as u64 <= expected);
        match found {
            Some(found) => found.iter().for_each(|found| values.extend_from_slice(found)),
            None => break,
        }
    }
    if values.len() as u64 == expected {
        return Some(());
    }
    values.clear();
    None
}

/// The values that a grid may have.
struct Values<'a> {
    allowed: &'a str,
    fits: &'a (dyn Fn(f64) -> bool + Sync),
}

/// The lines of a header, by [`KEYWORDS`].
struct Header<'a> {
    file: &'a str,
    found: [Option<f64>; 8],
}

impl Header<'_> {
    fn take(&mut self, line: &str, number: u64) -> Result<(), FireError> {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let Some(place) = KEYWORDS.iter().position(|keyword| word.eq_ignore_ascii_case(keyword)) else {
            let (word, known) = (word.into(), KEYWORDS.join(", "));
            return Err(FireError::Unknown { file: self.file.into(), line: number, word, known });
        };
        let rest: Vec<&str> = words.collect();
        let value = match rest[..] {
            [value] => finite(value).filter(|value| fits(place, *value)),
            _ => None,
        };
        let allowed = match place {
            0 | 1 => "a whole number from 1 to 2^31",
            6 => "a number of metres from 0.01 to 100000",
            _ => "a number",
        };
        let value = value.ok_or_else(|| wrong(self.file, number, KEYWORDS[place], &rest.join(" "), allowed))?;
        if self.found[place].replace(value).is_some() {
            return Err(FireError::Twice { file: self.file.into(), line: number, what: KEYWORDS[place].into() });
        }
        Ok(())
    }

    /// The frame, and the value that stands for no value.
    fn frame(&self) -> Result<(Frame, Option<f64>), FireError> {
        let missing = |what: &str| FireError::Missing { file: self.file.into(), what: what.into() };
        let [columns, rows, x_corner, y_corner, x_centre, y_centre, cell_size, no_data] = self.found;
        let cell_size = cell_size.ok_or_else(|| missing("cellsize"))?;
        let corner = |corner: Option<f64>, centre: Option<f64>, what| match (corner, centre) {
            (Some(corner), None) => Ok(corner),
            (None, Some(centre)) => Ok(centre - cell_size / 2.0),
            (None, None) => Err(missing(what)),
            (Some(_), Some(_)) => Err(FireError::Twice { file: self.file.into(), line: 1, what: what.into() }),
        };
        let corner = [corner(x_corner, x_centre, KEYWORDS[2])?, corner(y_corner, y_centre, KEYWORDS[3])?];
        let columns = columns.ok_or_else(|| missing("ncols"))? as u32;
        let rows = rows.ok_or_else(|| missing("nrows"))? as u32;
        let frame = Frame { columns, rows, corner, cell_size };
        frame.space(vec![]).map_err(|error| FireError::Read { file: self.file.into(), cause: error.to_string() })?;
        Ok((frame, no_data))
    }
}

/// Whether a value is allowed for a keyword.
fn fits(place: usize, value: f64) -> bool {
    match place {
        0 | 1 => value.fract() == 0.0 && (1.0..=2_147_483_648.0).contains(&value),
        6 => WIDTHS.contains(&value),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts are kept where values are valid and their number is right; else no value is.
    #[test]
    fn values_are_read_in_parts() {
        // White space of two kinds outside of ASCII.
        let text = "1.5 2\u{a0}3\r\n4\u{b}5\t6 7\n".repeat(30_000);
        let mut values = vec![];
        assert!(text.len() > 3 * PART);
        assert_eq!(read_all(&text, &mut values, 210_000, finite), Some(()));
        let row = [1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert!(values.chunks(7).all(|values| values == row));
        for (text, expected) in
            [(text.clone(), 209_999), (text.clone(), 210_001), (text.replacen('6', "x", 1), 210_000)]
        {
            values.clear();
            assert_eq!(read_all(&text, &mut values, expected, finite), None);
            assert!(values.is_empty());
        }
    }

    /// Rows longer than a core writes at a time, and an incomplete last row.
    #[test]
    fn wide_rows_are_written() {
        let columns = 3 * VALUES as u32 + 5;
        let frame = Frame { columns, rows: 2, corner: [0.0; 2], cell_size: 1.0 };
        let cells = columns + 7;
        let grid = Grid { name: "g".into(), frame, projection: None, values: (0..cells).map(f64::from).collect() };
        let mut text = vec![];
        grid.write(&mut text, 0).unwrap();
        let text = String::from_utf8(text).unwrap();
        let rows: Vec<String> = [0..columns, columns..cells]
            .map(|cells| cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(" "))
            .into();
        assert!(text.lines().skip(6).eq(&rows) && text.ends_with('\n'));
    }
}

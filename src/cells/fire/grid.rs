//! ESRI ASCII grids.

use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use super::fuel::FUELS;
use super::landscape::{WIDTHS, known};
use super::terrain::{SUPPRESSED, whole};
use super::{FireError, Frame};
use crate::reading::{self, Kind, parts, without_mark};

/// What stands where there is no value, in grids that are written.
const NO_DATA: f64 = -9999.0;
/// Keywords of a header; of the corner's two forms one is given.
const KEYWORDS: [&str; 8] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value"];

/// A value for every cell, cell by cell and row by row from the north-west: an ESRI ASCII grid.
///
/// The header has `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or `yllcenter`, `cellsize` and, if there
/// are cells without a value, `NODATA_value`, a keyword and a number a line. Then come the values, between spaces
/// or lines.
///
/// ```
/// use tickless::cells::fire::Grid;
/// let text = "ncols 2\nnrows 1\nxllcenter 15\nyllcorner 0\ncellsize 30\nNODATA_value -1\n7 -1\n";
/// let grid = Grid::parse(text, "heights.asc")?;
/// assert_eq!((grid.frame.columns, grid.frame.corner), (2, [0.0, 0.0]));
/// assert!(grid.values[0] == 7.0 && grid.values[1].is_nan());
/// let error = Grid::parse(&text.replace("7 -1", "7 high"), "heights.asc").unwrap_err();
/// assert!(error.to_string().starts_with("heights.asc, line 7: the value in column 1, row 0 (from 0, north-west) is \"high\""));
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// What messages call it: its file.
    pub name: String,
    /// Where its cells lie.
    pub frame: Frame,
    /// The values; not a number where there is none.
    pub values: Vec<f64>,
}

impl Grid {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the value.
    pub fn read(path: &Path) -> Result<Self, FireError> {
        Self::parse(&text(path, Kind::Grid)?, &path.display().to_string())
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// As [`Grid::read`].
    pub fn parse(text: &str, name: &str) -> Result<Self, FireError> {
        Self::parse_of(text, name, &Values { allowed: "a number", fits: |_| true })
    }

    /// Reads the text of a grid of fuels, and refuses what is none by its line.
    ///
    /// # Errors
    /// As [`Grid::read`].
    pub(crate) fn parse_fuels(text: &str, name: &str) -> Result<Self, FireError> {
        let fits = |value| whole(value).is_some_and(|number| number != 0 && known(number));
        Self::parse_of(text, name, &Values { allowed: &format!("the number of a fuel: {FUELS}"), fits })
    }

    /// Reads the text of a grid of suppression in the same way.
    ///
    /// # Errors
    /// As [`Grid::read`].
    pub(crate) fn parse_suppressed(text: &str, name: &str) -> Result<Self, FireError> {
        Self::parse_of(text, name, &Values { allowed: SUPPRESSED, fits: |value| value == 0.0 || value == 1.0 })
    }

    fn parse_of(text: &str, name: &str, values_of: &Values<'_>) -> Result<Self, FireError> {
        let mut header = Header { file: name, found: [None; 8] };
        let mut lines = without_mark(text).lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).peekable();
        while let Some((line, number)) = lines.next_if(|(line, _)| line.trim_start().starts_with(char::is_alphabetic)) {
            header.take(line, number)?;
        }
        let (frame, no_data) = header.frame()?;
        let (expected, mut values, mut last) = (frame.cells() as u64, vec![], 1);
        // A value has a character, and one behind it: a header alone asks for nothing.
        let room = usize::try_from(expected).unwrap_or(usize::MAX).min(text.len() / 2 + 1);
        values.try_reserve_exact(room).map_err(|_| {
            let cause = format!("there is no memory for its {room} values; give a smaller one");
            FireError::Read { file: name.into(), cause }
        })?;
        let right = |value: &f64| Some(*value) == no_data || (values_of.fits)(*value);
        let rest = lines.peek().map_or("", |(line, _)| &text[line.as_ptr() as usize - text.as_ptr() as usize..]);
        if read_all(rest, &mut values, expected, |word| Some(without(no_data, finite(word).filter(&right)?))).is_some()
        {
            return Ok(Self { name: name.into(), frame, values });
        }
        for (line, number) in lines {
            last = number;
            for word in line.split_whitespace() {
                let found = values.len() as u64;
                if found == expected {
                    return Err(FireError::Count { file: name.into(), line: number, found: found + 1, expected });
                }
                let value = finite(word).filter(&right).ok_or_else(|| {
                    let columns = u64::from(frame.columns);
                    let (column, row) = (found % columns, found / columns);
                    let what = format!("the value in column {column}, row {row} (from 0, north-west)");
                    wrong(name, number, what, word, values_of.allowed)
                })?;
                values.push(without(no_data, value));
            }
        }
        let found = values.len() as u64;
        if found < expected {
            return Err(FireError::Count { file: name.into(), line: last, found, expected });
        }
        Ok(Self { name: name.into(), frame, values })
    }

    /// Writes the grid, with so many digits after the point.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, to: &mut impl Write, digits: usize) -> io::Result<()> {
        let Frame { columns, rows, corner: [x, y], cell_size } = self.frame;
        writeln!(to, "ncols {columns}\nnrows {rows}\nxllcorner {x}\nyllcorner {y}\ncellsize {cell_size}")?;
        writeln!(to, "NODATA_value {NO_DATA}")?;
        let columns = columns.max(1) as usize;
        let rows = (parts::PART / columns / 8).max(1);
        let part = |number: usize| {
            let begin = number * rows * columns;
            let values = &self.values[begin..self.values.len().min(begin + rows * columns)];
            let mut text = vec![];
            values.chunks(columns).try_for_each(|row| write_row(&mut text, row, digits)).map(|()| text)
        };
        parts::write(to, self.values.len().div_ceil(rows * columns), part)
    }

    /// Refuses a grid with other cells than those of this one.
    pub(super) fn covers(&self, other: &Self) -> Result<(), FireError> {
        let (found, expected) = (other.values.len(), other.frame.cells());
        if found != expected {
            return Err(FireError::Results { found, expected });
        }
        let (a, b) = (self.frame, other.frame);
        // Headers are rounded: corners may differ by a thousandth of a cell.
        let near = |x: f64, y: f64| (x - y).abs() <= a.cell_size * 1e-3;
        let same =
            a.columns == b.columns && a.rows == b.rows && (a.cell_size - b.cell_size).abs() <= a.cell_size * 1e-6;
        if same && near(a.corner[0], b.corner[0]) && near(a.corner[1], b.corner[1]) {
            return Ok(());
        }
        let [found, expected] = [b, a].map(|Frame { columns, rows, corner: [x, y], cell_size }| {
            format!("{columns} x {rows} cells of {cell_size} at ({x}, {y})")
        });
        Err(FireError::Shape { file: other.name.clone(), found, other: self.name.clone(), expected })
    }
}

/// The text of a file.
pub(super) fn text(path: &Path, kind: Kind) -> Result<String, FireError> {
    reading::text(path, kind)
        .map_err(|error| FireError::Read { file: path.display().to_string(), cause: error.to_string() })
}

/// A number that is one.
pub(super) fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A value that is not allowed.
pub(super) fn wrong(file: &str, line: u64, what: impl Into<String>, value: &str, allowed: &str) -> FireError {
    FireError::Value { file: file.into(), line, what: what.into(), value: value.into(), allowed: allowed.into() }
}

/// Not a number in place of what means no value.
fn without(no_data: Option<f64>, value: f64) -> f64 {
    if Some(value) == no_data { f64::NAN } else { value }
}

/// Reads values on all cores, where they are as many as expected and all right. Whoever reads them line by line finds what is
/// not.
fn read_all(
    text: &str,
    values: &mut Vec<f64>,
    expected: u64,
    value: impl Fn(&str) -> Option<f64> + Sync,
) -> Option<()> {
    let parts = parts::cut(text, |bytes| bytes.iter().position(u8::is_ascii_whitespace));
    for parts in parts.chunks(parts::at_once()) {
        let of_part = |part: &&str| part.split_whitespace().map(&value).collect::<Option<Vec<_>>>();
        let found: Option<Vec<_>> = parts.par_iter().map(of_part).collect();
        let found = found.filter(|found| (values.len() + found.iter().map(Vec::len).sum::<usize>()) as u64 <= expected);
        let Some(found) = found else {
            values.clear();
            return None;
        };
        found.iter().for_each(|found| values.extend_from_slice(found));
    }
    if values.len() as u64 == expected {
        return Some(());
    }
    values.clear();
    None
}

/// A line of a grid.
fn write_row(to: &mut impl Write, row: &[f64], digits: usize) -> io::Result<()> {
    for (column, value) in row.iter().enumerate() {
        let space = if column > 0 { " " } else { "" };
        if value.is_nan() {
            write!(to, "{space}{NO_DATA}")?;
        } else {
            write!(to, "{space}{value:.digits$}")?;
        }
    }
    writeln!(to)
}

/// What may stand in a grid.
struct Values<'a> {
    allowed: &'a str,
    fits: fn(f64) -> bool,
}

/// What the first lines say, by [`KEYWORDS`].
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

    /// The frame, and the value that means none.
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
        frame.space().map_err(|error| FireError::Read { file: self.file.into(), cause: error.to_string() })?;
        Ok((frame, no_data))
    }
}

/// Whether the value of a keyword can be one.
fn fits(place: usize, value: f64) -> bool {
    match place {
        0 | 1 => value.fract() == 0.0 && (1.0..=2_147_483_648.0).contains(&value),
        6 => WIDTHS.contains(&value),
        _ => true,
    }
}

//! Tables as CSV: the weather, and where fires begin.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::grid::{finite, text, wrong};
use super::{FireError, Ignition, LATEST, Place, Weather, WeatherRow};
use crate::reading::Kind;

/// Columns of ignitions.
const IGNITIONS: [&str; 4] = ["polygon", "x", "y", "minutes"];

impl Weather {
    /// Reads a CSV file with a header and a line for each row of weather, in the order of time.
    ///
    /// | column | what it is |
    /// |---|---|
    /// | `minutes` | from when on the row is in force; 0 in the first |
    /// | `wind_kmh` | wind 20 feet (6.1 m) over the vegetation, in km/h; divide a wind at 10 m by 1.15 |
    /// | `wind_adjustment` | midflame wind as a share of it; 1 if `wind_kmh` is at midflame height |
    /// | `wind_from` | where the wind comes from, in degrees clockwise from north |
    /// | `moisture_1h`, `moisture_10h`, `moisture_100h` | water in dead fuel, in percent of its dry weight |
    /// | `moisture_herb`, `moisture_woody` | water in live fuel, in percent |
    ///
    /// Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the column. All columns must be there, and no other.
    pub fn read(path: &Path) -> Result<Self, FireError> {
        Self::parse(&text(path, Kind::Table)?, &path.display().to_string())
    }

    /// Reads the text of a file.
    ///
    /// ```
    /// use tickless::cells::fire::Weather;
    /// let text = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,\
    ///             moisture_woody\n0,20,0.4,270,6,7,8,60,90\n60,25,0.4,300,5,7,8,60,90\n";
    /// assert_eq!(Weather::parse(text, "weather.csv")?.rows()[1].wind_from, 300.0);
    /// let error = Weather::parse(&text.replace("wind_from", "wind_to"), "weather.csv").unwrap_err();
    /// assert!(error.to_string().starts_with("weather.csv, line 1: \"wind_to\" is not known here"));
    /// # Ok::<(), tickless::cells::fire::FireError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Weather::read`].
    pub fn parse(text: &str, name: &str) -> Result<Self, FireError> {
        let columns = WeatherRow::empty().numbers().map(|(column, ..)| column);
        let (mut rows, mut typed) = (vec![], vec![]);
        for (line, fields) in table(text, name, columns)? {
            let mut row = WeatherRow::empty();
            for ((what, to, [least, most]), field) in row.numbers().into_iter().zip(&fields) {
                let allowed = format!("a number from {least} to {most}");
                *to = finite(field).ok_or_else(|| wrong(name, line, what, field, &allowed))?;
            }
            rows.push((row, line));
            typed.push(fields);
        }
        if rows.is_empty() {
            return Err(FireError::Missing { file: name.into(), what: "row of weather".into() });
        }
        Self::of_lines(rows, name, &|row, column, _| typed[row][column].clone())
    }
}

impl Ignition {
    /// Reads a CSV file of points and polygons of the map, with the columns `polygon`, `x`, `y` and `minutes`.
    ///
    /// A line without a name in `polygon` is a point. Lines that follow each other with one name are the corners of a
    /// polygon, all with the same time. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the column. All columns must be there, and no other.
    pub fn read(path: &Path) -> Result<Vec<Self>, FireError> {
        Self::parse(&text(path, Kind::Table)?, &path.display().to_string())
    }

    /// Reads the text of a file.
    ///
    /// ```
    /// use tickless::cells::fire::{Ignition, Place};
    /// let text = "polygon,x,y,minutes\n,100,200,0\nfield,0,0,5\nfield,90,0,5\nfield,0,90,5\n";
    /// let places = Ignition::parse(text, "starts.csv")?;
    /// assert_eq!(places[0].place, Place::Point([100.0, 200.0]));
    /// assert_eq!(places[1], Ignition::new(Place::Polygon(vec![[0.0, 0.0], [90.0, 0.0], [0.0, 90.0]])).at(5.0));
    /// # Ok::<(), tickless::cells::fire::FireError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ignition::read`].
    pub fn parse(text: &str, name: &str) -> Result<Vec<Self>, FireError> {
        // The names of polygons so far, and that of the open one.
        let (mut found, mut names): (Vec<Self>, HashSet<String>) = (vec![], HashSet::new());
        let (mut open, file) = (None, Arc::from(name));
        for (line, [polygon, x, y, minutes]) in table(text, name, IGNITIONS)? {
            let number = |what, field: &str| finite(field).ok_or_else(|| wrong(name, line, what, field, "a number"));
            let point = [number("x", &x)?, number("y", &y)?];
            let time = finite(&minutes).filter(|time| (0.0..=LATEST).contains(time));
            let time = time.ok_or_else(|| wrong(name, line, "minutes", &minutes, "a number from 0 to 2^31"))?;
            if polygon.is_empty() {
                open = None;
                found.push(Self::new(Place::Point(point)).at(time).of(&file, line));
                continue;
            }
            match found.last_mut() {
                Some(Self { place: Place::Polygon(corners), minutes: first, .. })
                    if open.as_ref() == Some(&polygon) =>
                {
                    if time != *first {
                        let allowed = format!("{first}, as in the other corners of {polygon:?}");
                        return Err(wrong(name, line, "minutes", &minutes, &allowed));
                    }
                    corners.push(point);
                }
                _ if names.contains(&polygon) => {
                    let what = format!("the polygon {polygon:?}");
                    return Err(FireError::Twice { file: name.into(), line, what });
                }
                _ => {
                    names.insert(polygon.clone());
                    open = Some(polygon);
                    found.push(Self::new(Place::Polygon(vec![point])).at(time).of(&file, line));
                }
            }
        }
        if found.is_empty() {
            return Err(FireError::Missing { file: name.into(), what: "line of an ignition".into() });
        }
        Ok(found)
    }
}

/// The lines of a table after its header, with their numbers, fields in the order of the columns asked.
fn table<const N: usize>(text: &str, file: &str, columns: [&str; N]) -> Result<Vec<(u64, [String; N])>, FireError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let unreadable = |error: csv::Error| match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len: expected, len: found } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            FireError::Fields { file: file.into(), line, found: *found, expected: *expected }
        }
        _ => FireError::Read { file: file.into(), cause: error.to_string() },
    };
    let header = reader.headers().map_err(unreadable)?.clone();
    let line = header.position().map_or(1, csv::Position::line);
    for (place, word) in header.iter().enumerate() {
        if !columns.contains(&word) {
            let (word, known) = (word.into(), columns.join(", "));
            return Err(FireError::Unknown { file: file.into(), line, word, known });
        }
        if header.iter().take(place).any(|before| before == word) {
            return Err(FireError::Twice { file: file.into(), line, what: format!("the column {word:?}") });
        }
    }
    let mut order = [0; N];
    for (place, column) in order.iter_mut().zip(columns) {
        let missing = || FireError::Missing { file: file.into(), what: format!("column {column:?}") };
        *place = header.iter().position(|word| word == column).ok_or_else(missing)?;
    }
    let fields = |record: csv::StringRecord| {
        let line = record.position().map_or(0, csv::Position::line);
        // Every record has as many fields as the header.
        (line, order.map(|place| record.get(place).unwrap_or_default().to_owned()))
    };
    reader.records().map(|record| record.map(fields).map_err(unreadable)).collect()
}

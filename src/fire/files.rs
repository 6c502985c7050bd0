//! Tables as CSV: the weather, and ignitions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::raster::{finite, wrong};
use super::weather::RowGrids;
use super::{Air, FireError, Grid, Ignition, LATEST, Place, Quantity, Weather, WeatherRow};

/// Columns of ignitions.
const IGNITIONS: [&str; 4] = ["polygon", "x", "y", "minutes"];
/// The columns of the speed of the wind, of which a table has one, and the kilometres per hour in their units.
const WINDS: [(&str, f64, Quantity); 3] = [
    ("wind_kmh", 1.0, Quantity::Wind),
    ("wind_mph", 1.609_344, Quantity::WindInMiles),
    ("wind_ms", 3.6, Quantity::WindInMetres),
];
/// The place of that column.
const WIND: usize = 1;

impl Weather {
    /// Reads a CSV file with a header and a line for each row of weather, in the order of time.
    ///
    /// | column | what it is |
    /// |---|---|
    /// | `minutes` | from when on the row is in force; 0 in the first |
    /// | `wind_kmh` | wind 20 feet (6.1 m) over the vegetation, in km/h; divide a wind at 10 m by 1.15. `wind_mph` or `wind_ms` in its place is in miles per hour or metres per second |
    /// | `wind_adjustment` | midflame wind as a share of it; 1 if `wind_kmh` is at midflame height |
    /// | `wind_from` | where the wind comes from, in degrees clockwise from north |
    /// | `moisture_1h`, `moisture_10h`, `moisture_100h` | water in dead fuel, in percent of its dry weight |
    /// | `moisture_herb`, `moisture_woody` | water in live fuel, in percent |
    /// | `temperature_c`, `humidity` | both or neither: dead fuel dries and wets by them ([`Air`]) |
    ///
    /// With temperature and humidity the moisture of dead fuel in the first row is that of the start, and the other rows have none.
    ///
    /// Lines that begin with `#` are comments.
    ///
    /// ```
    /// # use tickless_fire::facade as tickless;
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
    /// [`FireError`], which names the file, the line and the column. All columns must be there, and no other.
    pub fn parse(text: &str, name: &str) -> Result<Self, FireError> {
        Self::parse_with(text, name, &mut |file, _| {
            let cause = "it is a grid of weather, which is read of files only".into();
            Err(FireError::Read { file: file.into(), cause })
        })
    }

    /// Reads the same, where each number except the minutes and the moisture of drying fuel may be the name of a file with a grid: a
    /// name that ends with `.asc`, `.tif` or `.tiff`, for which `open` is called, once for each name and quantity.
    ///
    /// # Errors
    /// As [`Weather::parse`], and the errors of `open`.
    pub fn parse_with(
        text: &str,
        name: &str,
        open: &mut dyn FnMut(&str, Quantity) -> Result<Grid, FireError>,
    ) -> Result<Self, FireError> {
        let mut columns = WeatherRow::empty().numbers().map(|(column, ..)| column);
        let (wind, kilometres, speed) = *WINDS.iter().find(|(wind, ..)| has_column(text, wind)).unwrap_or(&WINDS[0]);
        columns[WIND] = wind;
        let mut known: HashMap<(String, Quantity), Arc<Grid>> = HashMap::new();
        let table = Table::read(text, name, &columns, &Air::COLUMNS)?;
        let dries = table.has(&Air::COLUMNS)?;
        let (mut rows, mut typed, mut grids, mut air) = (vec![], vec![], vec![], vec![]);
        for (line, fields) in table.lines {
            let mut row = WeatherRow::empty();
            let mut row_grids = RowGrids::default();
            for (place, ((_, to, [least, most]), field)) in row.numbers().into_iter().zip(&fields).enumerate() {
                let what = columns[place];
                if dries && !rows.is_empty() && DEAD.contains(&place) {
                    if !field.is_empty() {
                        let allowed = "empty behind the first row, where dead fuel dries by temperature and humidity";
                        return Err(wrong(name, line, what, field, allowed));
                    }
                    continue;
                }
                let may_be_grid = place > 0 && !(dries && DEAD.contains(&place));
                if may_be_grid && is_grid(field) {
                    let quantity = [speed, Quantity::WindAdjustment, Quantity::WindFrom];
                    let quantity = *quantity.get(place - WIND).unwrap_or(&Quantity::Moisture);
                    let grid = match known.get(&(field.clone(), quantity)) {
                        Some(grid) => grid.clone(),
                        None => Arc::new(open(field, quantity)?),
                    };
                    known.insert((field.clone(), quantity), grid.clone());
                    (*to, row_grids[place]) = (mean(&grid, what, [least, most]), Some(grid));
                    continue;
                }
                let factor = if place == WIND { kilometres } else { 1.0 };
                let most = (most / factor).floor();
                let allowed = format!("a number from {least} to {most}");
                let value = finite(field).filter(|value| factor == 1.0 || (least..=most).contains(value));
                *to = factor * value.ok_or_else(|| wrong(name, line, what, field, &allowed))?;
            }
            if dries {
                air.push(Air::of([&fields[columns.len()], &fields[columns.len() + 1]], name, line)?);
            }
            rows.push((row, line));
            typed.push(fields);
            grids.push(row_grids);
        }
        if rows.is_empty() {
            return Err(FireError::Missing { file: name.into(), what: "row of weather".into() });
        }
        if grids.iter().flatten().all(Option::is_none) {
            grids.clear();
        }
        let mut weather = Self::of_lines(rows, grids, name, &|row, column, _| typed[row][column].clone())?;
        weather.dry(&air);
        Ok(weather)
    }
}

/// The places of dead fuel among the numbers of a row.
const DEAD: std::ops::Range<usize> = 4..7;

/// Whether the header of a table has a column.
fn has_column(text: &str, column: &str) -> bool {
    let header = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    header.split(',').any(|word| word.trim().trim_matches('"') == column)
}

/// Whether a field names a file with a grid.
fn is_grid(field: &str) -> bool {
    let ending = field.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    finite(field).is_none() && matches!(ending.as_deref(), Some("asc" | "tif" | "tiff"))
}

/// The mean of the allowed values of a column, for messages about a whole row; for directions that of unit vectors.
fn mean(grid: &Grid, column: &str, [least, most]: [f64; 2]) -> f64 {
    let allowed = || grid.values.iter().copied().filter(|value| (least..=most).contains(value));
    if column == "wind_from" {
        let sum = |of: fn(f64) -> f64| allowed().map(|degrees| of(degrees.to_radians())).sum::<f64>();
        let degrees = libm::atan2(sum(libm::sin), sum(libm::cos)).to_degrees();
        return if degrees < 0.0 { degrees + 360.0 } else { degrees };
    }
    allowed().sum::<f64>() / allowed().count().max(1) as f64
}

impl Ignition {
    /// Reads a CSV file of points and polygons of the map, with the columns `polygon`, `x`, `y` and `minutes`.
    ///
    /// A line without a name in `polygon` is a point. Lines that follow each other with one name are the corners of a
    /// polygon, all with the same time. Lines that begin with `#` are comments.
    ///
    /// ```
    /// # use tickless_fire::facade as tickless;
    /// use tickless::cells::fire::{Ignition, Place};
    /// let text = "polygon,x,y,minutes\n,100,200,0\nfield,0,0,5\nfield,90,0,5\nfield,0,90,5\n";
    /// let places = Ignition::parse(text, "starts.csv")?;
    /// assert_eq!(places[0].place, Place::Point([100.0, 200.0]));
    /// assert_eq!(places[1], Ignition::new(Place::Polygon(vec![[0.0, 0.0], [90.0, 0.0], [0.0, 90.0]])).at(5.0));
    /// # Ok::<(), tickless::cells::fire::FireError>(())
    /// ```
    ///
    /// # Errors
    /// [`FireError`], which names the file, the line and the column. All columns must be there, and no other.
    pub fn parse(text: &str, name: &str) -> Result<Vec<Self>, FireError> {
        // The names of polygons so far, and the name of the open one.
        let (mut found, mut names): (Vec<Self>, HashSet<String>) = (vec![], HashSet::new());
        let (mut open, file) = (None, Arc::from(name));
        for (line, fields) in Table::read(text, name, &IGNITIONS, &[])?.lines {
            let Ok([polygon, x, y, minutes]) = <[String; 4]>::try_from(fields) else { continue };
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

/// A table: the fields of each line in the order of the columns asked for, optional columns last.
struct Table<'a> {
    file: &'a str,
    /// Which of the optional columns are there.
    optional: Vec<bool>,
    lines: Vec<(u64, Vec<String>)>,
}

impl<'a> Table<'a> {
    fn read(text: &str, file: &'a str, columns: &[&str], optional: &[&str]) -> Result<Self, FireError> {
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
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
            if !columns.iter().chain(optional).any(|column| *column == word) {
                // One of three columns has the speed of the wind.
                let others = columns.iter().any(|column| WINDS.iter().any(|(wind, ..)| wind == column));
                let winds = WINDS.iter().map(|(wind, ..)| *wind).filter(|wind| others && !columns.contains(wind));
                let known: Vec<&str> = columns.iter().chain(optional).copied().chain(winds).collect();
                let (word, known) = (word.into(), known.join(", "));
                return Err(FireError::Unknown { file: file.into(), line, word, known });
            }
            if header.iter().take(place).any(|before| before == word) {
                return Err(FireError::Twice { file: file.into(), line, what: format!("the column {word:?}") });
            }
        }
        let place = |column: &&str| header.iter().position(|word| word == *column);
        let missing = |column: &&str| FireError::Missing { file: file.into(), what: format!("column {column:?}") };
        let needed = columns.iter().map(|column| place(column).ok_or_else(|| missing(column)).map(Some));
        let order = needed.chain(optional.iter().map(|column| Ok(place(column)))).collect::<Result<Vec<_>, _>>()?;
        let fields = |record: csv::StringRecord| {
            let line = record.position().map_or(0, csv::Position::line);
            // Every record has as many fields as the header.
            let field =
                |place: &Option<usize>| place.and_then(|place| record.get(place)).unwrap_or_default().to_owned();
            (line, order.iter().map(field).collect())
        };
        let lines = reader.records().map(|record| record.map(fields).map_err(unreadable)).collect::<Result<_, _>>()?;
        Ok(Self { file, optional: order[columns.len()..].iter().map(Option::is_some).collect(), lines })
    }

    /// Whether the optional columns are there: all of them or none.
    fn has(&self, names: &[&str]) -> Result<bool, FireError> {
        let missing = self.optional.iter().position(|there| !there);
        match missing {
            None => Ok(true),
            Some(_) if self.optional.iter().all(|there| !there) => Ok(false),
            Some(place) => {
                let what = format!("column {:?}, which belongs to {:?}", names[place], names[1 - place]);
                Err(FireError::Missing { file: self.file.into(), what })
            }
        }
    }
}

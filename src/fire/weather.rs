//! The weather: wind and moisture, in force from a time on.

use std::sync::Arc;

use rayon::prelude::*;

use super::{FireError, Grid, Landscape, Wind};
use tickless_core::time::Time;

/// Metres per minute in a kilometre per hour.
const KILOMETRE_PER_HOUR: f64 = 1000.0 / 60.0;
/// The latest time of a row, of an ignition and of a horizon, in minutes (2³¹).
pub const LATEST: f64 = 2_147_483_648.0;

/// Water in fuel, in percent of its dry weight.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Moisture;
/// let low = Moisture { one_hour: 6.0, ten_hour: 7.0, hundred_hour: 8.0, herb: 60.0, woody: 90.0 };
/// assert!(low.herb > 30.0, "some of the grass is green");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moisture {
    /// Dead fuel of less than 6 mm.
    pub one_hour: f64,
    /// Dead fuel from 6 to 25 mm.
    pub ten_hour: f64,
    /// Dead fuel from 25 to 76 mm.
    pub hundred_hour: f64,
    /// Live herbaceous fuel. In dynamic models it dries to dead fuel between 120 and 30 %.
    pub herb: f64,
    /// Live woody fuel.
    pub woody: f64,
}

/// The weather from a time on.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Moisture, WeatherRow};
/// let moisture = Moisture { one_hour: 6.0, ten_hour: 7.0, hundred_hour: 8.0, herb: 60.0, woody: 90.0 };
/// // A west wind of 30 km/h at 20 feet over the vegetation.
/// let row = WeatherRow { minutes: 0.0, wind_kmh: 30.0, wind_adjustment: 0.4, wind_from: 270.0, moisture };
/// assert!((row.midflame_wind()[0] - 200.0).abs() < 1e-9, "metres per minute toward the east");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeatherRow {
    /// The time from which it is in force, in minutes from the start.
    pub minutes: f64,
    /// The wind 20 feet (6.1 m) over the vegetation, in kilometres per hour. Divide a wind at 10 m by 1.15.
    pub wind_kmh: f64,
    /// The wind at midflame height as a share of that wind: 1 where the speed is at midflame height already.
    pub wind_adjustment: f64,
    /// The direction from which the wind comes, in degrees clockwise from north.
    pub wind_from: f64,
    /// The water in the fuel.
    pub moisture: Moisture,
}

impl WeatherRow {
    /// The wind at midflame height, toward east and toward north, in metres per minute.
    pub fn midflame_wind(&self) -> [f64; 2] {
        let speed = self.wind_kmh * self.wind_adjustment * KILOMETRE_PER_HOUR;
        let from = self.wind_from.to_radians();
        [-speed * libm::sin(from), -speed * libm::cos(from)]
    }

    /// The wind at midflame height.
    pub fn wind(&self) -> Wind {
        Wind { toward: self.midflame_wind(), adjustment: self.wind_adjustment }
    }

    /// Its numbers, with their columns in a file and their ranges.
    pub(super) fn numbers(&mut self) -> [(&'static str, &mut f64, [f64; 2]); 9] {
        let moisture = &mut self.moisture;
        [
            ("minutes", &mut self.minutes, [0.0, LATEST]),
            ("wind_kmh", &mut self.wind_kmh, [0.0, 300.0]),
            ("wind_adjustment", &mut self.wind_adjustment, [0.0, 1.0]),
            ("wind_from", &mut self.wind_from, [0.0, 360.0]),
            ("moisture_1h", &mut moisture.one_hour, [0.0, 300.0]),
            ("moisture_10h", &mut moisture.ten_hour, [0.0, 300.0]),
            ("moisture_100h", &mut moisture.hundred_hour, [0.0, 300.0]),
            ("moisture_herb", &mut moisture.herb, [0.0, 400.0]),
            ("moisture_woody", &mut moisture.woody, [0.0, 400.0]),
        ]
    }

    /// A row of zeros.
    pub(super) fn empty() -> Self {
        let moisture = Moisture { one_hour: 0.0, ten_hour: 0.0, hundred_hour: 0.0, herb: 0.0, woody: 0.0 };
        Self { minutes: 0.0, wind_kmh: 0.0, wind_adjustment: 0.0, wind_from: 0.0, moisture }
    }
}

/// Rows of weather, each in force from its time on.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{FireError, Weather};
/// let row = Weather::still().rows()[0];
/// assert_eq!(row.wind_kmh, 0.0);
/// assert!(matches!(Weather::new(vec![row, row]), Err(FireError::Value { .. })));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weather {
    rows: Vec<WeatherRow>,
    /// For each row the grids in place of its numbers; empty where all cells have the same weather.
    grids: Vec<RowGrids>,
    /// Whether each row follows from the row before.
    dries: bool,
}

/// Grids in place of the numbers of a row, in order: a value for each cell.
pub(super) type RowGrids = [Option<Arc<Grid>>; 9];
/// The place of the wind adjustment among the numbers of a row, and of the first moisture.
const ADJUSTMENT: usize = 2;
const MOISTURES: usize = 4;
/// The place of the first moisture of live fuel.
const LIVE: usize = 7;

/// The allowed values of cells of grids, by their places.
const ALLOWED: [&str; 9] = [
    "a number",
    "a wind from 0 to 300 km/h, as the fuel there burns",
    "a share from 0 to 1, as the fuel there burns",
    "a direction from 0 to 360 degrees, as the fuel there burns",
    DEAD,
    DEAD,
    DEAD,
    LIVING,
    LIVING,
];
const DEAD: &str = "0 or from 1 to 300 percent, and a fraction of 1 times 100, as the fuel there burns";
const LIVING: &str = "0 or from 4 to 400 percent, and a fraction of 1 times 100, as the fuel there burns";

/// Whether a number of this place is too small to be a moisture in percent: no dead fuel is as dry as 1 %, no live fuel as 4 %. 0 is no
/// fraction.
fn is_fraction(place: usize, value: f64) -> bool {
    let least = match place {
        LIVE.. => 4.0,
        MOISTURES.. => 1.0,
        _ => 0.0,
    };
    0.0 < value && value < least
}

impl Weather {
    /// Rows in the order of time; the first is in force from 0 on.
    ///
    /// # Errors
    /// [`FireError`], which names the row (as a line) and the value.
    pub fn new(rows: Vec<WeatherRow>) -> Result<Self, FireError> {
        let numbered = rows.into_iter().zip(1..).collect();
        Self::of_lines(numbered, vec![], "the weather", &|_, _, value| value.to_string())
    }

    /// No wind and dry fuel (6, 7, 8 % dead; 60 and 90 % live), for ever.
    pub fn still() -> Self {
        let moisture = Moisture { one_hour: 6.0, ten_hour: 7.0, hundred_hour: 8.0, herb: 60.0, woody: 90.0 };
        Self {
            rows: vec![WeatherRow { wind_adjustment: 1.0, moisture, ..WeatherRow::empty() }],
            grids: vec![],
            dries: false,
        }
    }

    /// A wind of 15 km/h from the west-south-west, over ground with some shelter, and dry fuel as in [`Weather::still`].
    pub fn breeze() -> Self {
        let row = WeatherRow { wind_kmh: 15.0, wind_adjustment: 0.4, wind_from: 250.0, ..Self::still().rows[0] };
        Self { rows: vec![row], grids: vec![], dries: false }
    }

    /// The rows.
    pub fn rows(&self) -> &[WeatherRow] {
        &self.rows
    }

    /// The rows, mutable, to compute each from the row before.
    pub(super) fn drying_rows(&mut self) -> &mut [WeatherRow] {
        self.dries = true;
        &mut self.rows
    }

    /// Whether each row follows from the row before.
    pub(super) fn dries(&self) -> bool {
        self.dries
    }

    /// The weather of a cell in a row.
    pub(super) fn at(&self, row: usize, cell: usize) -> WeatherRow {
        let mut found = self.rows[row];
        if let Some(grids) = self.grids.get(row) {
            for ((_, value, _), grid) in found.numbers().into_iter().zip(grids) {
                if let Some(grid) = grid {
                    *value = grid.values[cell];
                }
            }
        }
        found
    }

    /// Whether the moisture of fuel differs among cells.
    pub(super) fn has_moisture_of_cells(&self, row: usize) -> bool {
        self.grids.get(row).is_some_and(|grids| grids[MOISTURES..].iter().any(Option::is_some))
    }

    /// Whether the wind differs among cells.
    pub(super) fn has_wind_of_cells(&self, row: usize) -> bool {
        self.grids.get(row).is_some_and(|grids| grids[..MOISTURES].iter().any(Option::is_some))
    }

    /// Whether the wind adjustment of a row, or of a cell that burns in it, is 0.
    pub(super) fn has_no_adjustment(&self, landscape: &Landscape) -> bool {
        let of_cells =
            |grid: &Grid| (0..grid.values.len()).any(|cell| landscape.burns(cell as u32) && grid.values[cell] <= 0.0);
        self.rows.iter().any(|row| row.wind_adjustment <= 0.0)
            || self.grids.iter().filter_map(|grids| grids[ADJUSTMENT].as_deref()).any(of_cells)
    }

    /// Puts the grids on the cells of a landscape, each cell with the value at its middle. Refuses grids that do not reach all cells
    /// that burn, and values that are not allowed there.
    pub(super) fn fit(&mut self, landscape: &Landscape) -> Result<(), FireError> {
        let columns = WeatherRow::empty().numbers().map(|(_, _, range)| range);
        // A grid that many rows name is fitted once.
        let mut known: Vec<(usize, Arc<Grid>, Arc<Grid>)> = vec![];
        for (place, grid) in self.grids.iter_mut().flat_map(|grids| grids.iter_mut().enumerate()) {
            let Some(grid) = grid else { continue };
            if let Some((.., fitted)) = known.iter().find(|(at, own, _)| *at == place && Arc::ptr_eq(own, grid)) {
                *grid = fitted.clone();
                continue;
            }
            grid.check_projection(landscape.projection(), "the landscape")?;
            let fitted =
                if landscape.frame().covered_by(grid).is_ok() { grid.clone() } else { Arc::new(grid.on(landscape)?) };
            let [least, most] = columns[place];
            let wrong = |cell: &u32| {
                let value = fitted.values[*cell as usize];
                landscape.burns(*cell) && (!(least..=most).contains(&value) || is_fraction(place, value))
            };
            if let Some(cell) = (0..fitted.values.len() as u32).into_par_iter().find_first(wrong) {
                let (column, row) = (cell % fitted.frame.columns, cell / fitted.frame.columns);
                let (file, value) = (fitted.name.clone(), fitted.values[cell as usize]);
                return Err(FireError::Cell { file, column, row, value, allowed: ALLOWED[place] });
            }
            known.push((place, std::mem::replace(grid, fitted.clone()), fitted));
        }
        Ok(())
    }

    /// Checks the rows of the lines of a file. `shown` says how the number of a row and a column was written.
    pub(super) fn of_lines(
        mut rows: Vec<(WeatherRow, u64)>,
        grids: Vec<RowGrids>,
        file: &str,
        shown: &dyn Fn(usize, usize, f64) -> String,
    ) -> Result<Self, FireError> {
        if rows.is_empty() {
            return Err(FireError::NoWeather);
        }
        let mut before = None;
        for (place, (row, line)) in rows.iter_mut().enumerate() {
            for (column, (what, value, [least, most])) in row.numbers().into_iter().enumerate() {
                // The cells of a grid are looked at where it is put on a landscape.
                let of_grid = grids.get(place).is_some_and(|grids| grids[column].is_some());
                if !of_grid && (!(least..=most).contains(value) || is_fraction(column, *value)) {
                    let percent = if column >= MOISTURES { " percent, and a fraction of 1 times 100" } else { "" };
                    let allowed = format!("a number from {least} to {most}{percent}");
                    let value = shown(place, column, *value);
                    return Err(FireError::Value { file: file.into(), line: *line, what: what.into(), value, allowed });
                }
            }
            let allowed = match before {
                None if row.minutes != 0.0 => "0 in the first row".to_owned(),
                // At least a tick apart: equal times would hide a row.
                Some(before) if Time::from_units(row.minutes) <= Time::from_units(before) => {
                    format!("later than the row before, at {before}")
                }
                _ => {
                    before = Some(row.minutes);
                    continue;
                }
            };
            let (what, value) = ("minutes".into(), shown(place, 0, row.minutes));
            return Err(FireError::Value { file: file.into(), line: *line, what, value, allowed });
        }
        Ok(Self { rows: rows.into_iter().map(|(row, _)| row).collect(), grids, dries: false })
    }
}

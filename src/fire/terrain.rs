//! Checks and conversions of the grids of a landscape: whole numbers, slopes from heights.

use rayon::prelude::*;

use super::{FireError, Frame, Grid};

/// The allowed values of a grid of suppression.
pub(super) const SUPPRESSED: &str = "0, or 1 where fire never enters";

/// The text of the allowed heights.
const HEIGHTS: &str = "a height from -500 to 9000 metres: state the unit, or where it stands for no value that, as with gdal_edit.py -a_nodata";

impl Grid {
    /// Refuses heights in metres where there is no ground: numbers that stand for no value, and heights in another unit.
    ///
    /// # Errors
    /// [`FireError::Cell`] for the first such cell.
    pub fn check_heights(&self) -> Result<(), FireError> {
        let wrong = |height: &f64| !height.is_nan() && !(-500.0..=9000.0).contains(height);
        match self.values.par_iter().position_first(wrong) {
            Some(cell) => Err(wrong_cell(self, cell, HEIGHTS)),
            None => Ok(()),
        }
    }
}

/// A value as a whole number of 16 bits.
pub(super) fn whole(value: f64) -> Option<u16> {
    (value.fract() == 0.0 && (0.0..65_536.0).contains(&value)).then_some(value as u16)
}

/// Whether a value is a fuel type of the Canadian Forest Fire Behavior Prediction System, and no fuel model: slash, grass, mixed wood
/// by its share of conifers.
pub(super) fn canadian(value: Option<f64>) -> bool {
    value
        .and_then(whole)
        .is_some_and(|number| matches!(number, 21..=25 | 31..=33 | 40 | 50 | 60 | 70 | 80 | 90 | 405..=995))
}

/// Whole numbers, 0 for no value.
pub(super) fn numbers(
    grid: &Grid,
    allowed: &'static str,
    fits: impl Fn(u16) -> bool + Sync,
) -> Result<Vec<u16>, FireError> {
    let number = |value: &f64| if value.is_nan() { Some(0) } else { whole(*value).filter(|number| fits(*number)) };
    match grid.values.par_iter().map(number).collect::<Option<_>>() {
        Some(numbers) => Ok(numbers),
        None => {
            let first = grid.values.iter().position(|value| number(value).is_none()).unwrap_or_default();
            let error = wrong_cell(grid, first, allowed);
            Err(match error {
                FireError::Cell { file, column, row, value, .. } if canadian(Some(value)) => {
                    let place = format!("column {column}, row {row} (from 0, north-west)");
                    FireError::Canadian { file, place, value: value.to_string() }
                }
                error => error,
            })
        }
    }
}

pub(super) fn wrong_cell(grid: &Grid, cell: usize, allowed: &'static str) -> FireError {
    let columns = grid.frame.columns as usize;
    let [column, row] = [cell % columns, cell / columns].map(|along| along as u32);
    FireError::Cell { file: grid.name.clone(), column, row, value: grid.values[cell], allowed }
}

/// Rise per distance toward east and toward north, by the weights of Horn (1981). Where a neighbour has no height the
/// slope continues from the other side, or is level.
pub(super) fn gradients(frame: Frame, heights: &[f64]) -> Vec<[f64; 2]> {
    let [width, rows] = [frame.columns, frame.rows].map(i64::from);
    let height = |x: i64, y: i64| {
        let inside = (0..width).contains(&x) && (0..rows).contains(&y);
        if inside { heights[(x + width * y) as usize] } else { f64::NAN }
    };
    let of_cell = |cell: usize| {
        let (x, y) = (cell as i64 % width, cell as i64 / width);
        let own = height(x, y);
        if own.is_nan() {
            return [0.0; 2];
        }
        let beside = |dx: i64, dy: i64| {
            let [there, opposite] = [height(x + dx, y + dy), height(x - dx, y - dy)];
            match (there.is_nan(), opposite.is_nan()) {
                (false, _) => there,
                (true, false) => 2.0 * own - opposite,
                (true, true) => own,
            }
        };
        let near = |dx: i64, dy: i64| match height(x + dx, y + dy) {
            there if dx * dy != 0 && there.is_nan() => beside(dx, 0) + beside(0, dy) - own,
            there if dx * dy != 0 => there,
            _ => beside(dx, dy),
        };
        let across = |dx, dy, sx, sy| near(dx - sx, dy - sy) + 2.0 * near(dx, dy) + near(dx + sx, dy + sy);
        let run = 8.0 * frame.cell_size;
        [(across(1, 0, 0, 1) - across(-1, 0, 0, 1)) / run, (across(0, -1, 1, 0) - across(0, 1, 1, 0)) / run]
    };
    (0..heights.len()).into_par_iter().map(of_cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuelModels, Landscape, Layers};

    fn landscape(fuel: &Grid, elevation: Option<&Grid>, suppressed: Option<&Grid>) -> Result<Landscape, FireError> {
        let [elevation, suppressed] = [elevation, suppressed].map(Option::<&Grid>::cloned);
        Landscape::of_layers(&Layers { elevation, suppressed, ..Layers::new(fuel.clone()) }, FuelModels::default())
    }

    fn grid(name: &str, values: &[f64]) -> Grid {
        let frame = Frame { columns: 3, rows: 3, corner: [0.0; 2], cell_size: 10.0 };
        Grid { name: name.into(), frame, projection: None, values: values.to_vec() }
    }

    #[test]
    fn a_plane_has_its_slope_up_to_the_border() {
        let plane: Vec<f64> = (0..9).map(|cell| f64::from(cell % 3) * 2.0 - f64::from(cell / 3)).collect();
        for [east, north] in gradients(grid("", &[]).frame, &plane) {
            assert!((east - 0.2).abs() < 1e-15 && (north - 0.1).abs() < 1e-15, "{east} {north}");
        }
    }

    #[test]
    fn horn_weighs_the_middle_twice() {
        let heights = [10.0, 20.0, 40.0, 0.0, 5.0, 30.0, 0.0, 10.0, 20.0];
        // ((40 + 60 + 20) - (10 + 0 + 0)) / 80 and ((10 + 40 + 40) - (0 + 20 + 20)) / 80
        assert_eq!(gradients(grid("", &[]).frame, &heights)[4], [110.0 / 80.0, 50.0 / 80.0]);
    }

    #[test]
    fn grids_make_a_landscape() {
        let (none, one) = (f64::NAN, 1.0);
        let fuels = grid("fuel.asc", &[1.0, 2.0, 99.0, none, 101.0, 1.0, 1.0, 1.0, 204.0]);
        let mask = grid("mask.asc", &[0.0, one, 0.0, 0.0, none, 0.0, 0.0, 0.0, 0.0]);
        let heights = grid("height.asc", &[1.0, 1.0, none, none, 1.0, 1.0, 1.0, 1.0, 1.0]);
        let found = landscape(&fuels, Some(&heights), Some(&mask)).unwrap();
        assert_eq!(found.fuels(), [1, 0, 99, 0, 101, 1, 1, 1, 204]);
        assert_eq!(found.gradients(), [[0.0; 2]; 9]);
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        let fuels = |value| grid("fuel.asc", &[value; 9]);
        for wrong in [0.0, 14.0, 1.5, -1.0, 1e9, 94.0, 210.0] {
            let error = landscape(&fuels(wrong), None, None).unwrap_err().to_string();
            assert!(error.starts_with("fuel.asc: the value in column 0, row 0"), "{error}");
        }
        let mut heights = grid("height.asc", &[1.0; 9]);
        heights.values[5] = f64::NAN;
        let error = landscape(&fuels(1.0), Some(&heights), None).unwrap_err().to_string();
        assert!(error.starts_with("height.asc: the value in column 2, row 1"), "{error}");
        let error = landscape(&fuels(1.0), None, Some(&fuels(2.0))).unwrap_err().to_string();
        assert!(error.contains("it must be 0, or 1 where fire never enters"), "{error}");
        for wrong in [-9999.0, -501.0, 9001.0, 1e20] {
            heights.values[5] = wrong;
            let error = landscape(&fuels(1.0), Some(&heights), None).unwrap_err().to_string();
            assert!(
                error.starts_with("height.asc: the value in column 2, row 1") && error.contains("from -500 to 9000"),
                "{error}"
            );
        }
        heights.values[5] = 1.0;
        heights.frame.corner[0] += 0.5;
        let error = landscape(&fuels(1.0), Some(&heights), None).unwrap_err().to_string();
        assert!(error.starts_with("height.asc is 3 x 3 cells of 10 at (0.5, 0), and fuel.asc is"), "{error}");
    }
}

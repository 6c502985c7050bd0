//! Maps of watersheds: the depth of the water over the relief, with a legend.

use std::io::{self, Write};

use super::ground::{lit, mix};
use super::legend::Legend;
use super::sheet::{Sheet, Window};
use crate::watershed::{UNITS, WatershedModel};
use tickless_cells::CellOutcome;
use tickless_core::memory;

/// Shallow, deeper and deep water.
const COLOURS: [[u8; 3]; 3] = [[190, 220, 238], [66, 146, 198], [8, 48, 107]];
/// Low and high ground.
const GROUND: [[u8; 3]; 2] = [[164, 184, 140], [228, 216, 190]];
/// Orders of magnitude from the deepest water to the palest.
const ORDERS: f64 = 2.0;
/// Water of less millimetres is not seen.
const LEAST: f64 = 0.01;
/// The opacity of the palest water, and of the deepest.
const OVER: [f64; 2] = [0.2, 0.9];

fn colour(share: f64) -> [u8; 3] {
    let along = share.clamp(0.0, 1.0) * 2.0;
    let first = (along as usize).min(1);
    mix(COLOURS[first], COLOURS[first + 1], along - first as f64)
}

/// Millimetres as a text for people, to three digits.
fn length(millimetres: f64) -> String {
    let (value, unit) = if millimetres >= 1000.0 { (millimetres / 1000.0, "m") } else { (millimetres, "mm") };
    let digits = (2.0 - value.max(0.001).log10().floor()).clamp(0.0, 5.0) as usize;
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

impl WatershedModel {
    /// Writes a PNG of the water, the deeper the darker by orders of magnitude, over the relief in the light of the north-west, with a legend,
    /// a scale and north, for cells of so many metres.
    ///
    /// # Errors
    /// The error of writing; too little memory.
    pub fn write_map(&self, outcome: &CellOutcome, cell_size: f64, to: impl Write) -> io::Result<()> {
        let size @ [columns, rows] = self.size();
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| self.depth(outcome, column, row)));
        let mut depths = memory::with_room(self.heights.len(), "the depths of the map").map_err(io::Error::other)?;
        depths.extend(all);
        let deepest = depths.iter().copied().fold(0.0, f64::max);
        let highest = f64::from(self.heights.iter().copied().max().unwrap_or(0).max(1));
        let height = |column: u32, row: u32| f64::from(self.heights[(column + columns * row) as usize]);
        let share = |depth: f64| (1.0 + (depth / deepest).log10() / ORDERS).clamp(0.0, 1.0);
        let mut sheet = Sheet::new(Window { first: [0; 2], size }).map_err(io::Error::other)?;
        sheet.paint(|[x, y], _| {
            let [column, row] = [(x as u32).min(columns - 1), (y as u32).min(rows - 1)];
            let [west, east] = [column.saturating_sub(1), (column + 1).min(columns - 1)];
            let [north, south] = [row.saturating_sub(1), (row + 1).min(rows - 1)];
            let slope = |rises: f64, cells: u32| rises / (UNITS * 1000.0) / (f64::from(cells.max(1)) * cell_size);
            let gradient = [
                slope(height(east, row) - height(west, row), east - west),
                slope(height(column, north) - height(column, south), south - north),
            ];
            let ground = lit(gradient, mix(GROUND[0], GROUND[1], height(column, row) / highest));
            let depth = depths[(column + columns * row) as usize];
            if depth < LEAST {
                return ground;
            }
            let share = share(depth);
            mix(ground, colour(share), OVER[0] + (OVER[1] - OVER[0]) * share)
        });
        let mut legend = Legend::of_ground(size, cell_size);
        legend.title = format!("Depth of the water on {columns} x {rows} cells of {}", length(1000.0 * cell_size));
        legend.scale = "depth".into();
        if deepest >= LEAST {
            let [middle, least] = [10.0, 100.0].map(|part| length(deepest / part));
            legend.marks = vec![(0.0, length(deepest)), (0.5, middle), (1.0, format!("{least} or less"))];
        }
        let drawn = legend.draw(&mut sheet, &[], &|down| colour(1.0 - down));
        drawn.map_err(|error| io::Error::other(error.to_string()))?;
        sheet.write(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watershed::Watershed;
    use tickless_core::run::unwatched;
    use tickless_device::Target;

    /// A valley from north to south: its middle is blue, and the slope that faces the light is brighter than the other.
    #[test]
    fn water_lies_over_the_relief() {
        let heights = (0..17 * 9).map(|cell| (f64::from(cell % 17) - 8.0).abs() * 20.0).collect();
        let model = Watershed::new(17, 9, heights).rain(50.0, 1.0).until(3000.0).check().unwrap();
        let run = tickless_cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        let mut file = vec![];
        model.write_map(&run.outcome, 30.0, &mut file).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut found = vec![0; reader.output_buffer_size()];
        let width = reader.next_frame(&mut found).unwrap().width;
        let sheet = Sheet::new(Window { first: [0; 2], size: [17, 9] }).unwrap();
        let at = |column: u32, row: u32| {
            let [x, y] = [0, 1].map(|axis| sheet.map[axis] + [column, row][axis] * sheet.zoom + sheet.zoom / 2);
            found.as_chunks::<3>().0[(x + width * y) as usize]
        };
        let [middle, lit, shadow] = [at(8, 4), at(14, 4), at(2, 4)];
        assert!(middle[2] > middle[0] + 40, "{middle:?}");
        let sum = |pixel: [u8; 3]| pixel.iter().map(|channel| u32::from(*channel)).sum::<u32>();
        assert!(sum(lit) > sum(shadow) + 30, "{lit:?} {shadow:?}");
    }

    #[test]
    fn lengths_have_three_digits() {
        assert_eq!(
            [5254.5, 525.45, 52.5, 0.5, 30_000.0].map(length),
            ["5.25 m", "525 mm", "52.5 mm", "0.5 mm", "30 m"]
        );
    }
}

//! The sheet of a map: the layout, and its pixels.

use std::io::{self, Write};

use crate::Frame;
use tickless_core::memory::{self, NoMemory};
use tickless_core::picture;

/// On a map of fewer pixels a cell has several.
const LEAST: u32 = 820;
/// The fewest cells along an axis of a map, and the share of a fire's size that is left around it: one in so many.
const FEWEST: u32 = 16;
const AROUND: u32 = 8;
/// On a map of so many pixels a unit of text and margins is one pixel.
const UNIT: u32 = 900;
/// The most pixels of a unit.
const LARGEST_UNIT: f64 = 8.0;
/// In units: the margin around the map, the space above it, below it, and the width of the legend beside it.
const MARGIN: u32 = 14;
const ABOVE: u32 = 52;
const BELOW: u32 = 48;
const BESIDE: u32 = 230;

/// A picture of a landscape with room for a title, a legend and a scale.
pub(super) struct Sheet {
    pub(super) size: [u32; 2],
    /// The first pixel of the map, and its pixels.
    pub(super) map: [u32; 2],
    pub(super) extent: [u32; 2],
    /// The part of the landscape on it.
    pub(super) window: Window,
    /// Pixels of a cell along each axis.
    pub(super) zoom: u32,
    /// Pixels of a unit.
    pub(super) unit: f64,
    pub(super) pixels: Vec<u8>,
}

/// A part of a landscape: its first column and row, and how many there are of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) first: [u32; 2],
    pub(super) size: [u32; 2],
}

impl Window {
    /// The cells for which `shown` holds with a margin around them, at least [`FEWEST`] along each axis where the landscape has so many;
    /// all of the landscape where none is shown.
    pub(super) fn around(frame: Frame, shown: impl Fn(usize) -> bool) -> Self {
        let whole = [frame.columns, frame.rows];
        let (mut least, mut most) = (whole, [0; 2]);
        for cell in (0..frame.cells()).filter(|cell| shown(*cell)) {
            let place = [cell as u32 % frame.columns, cell as u32 / frame.columns];
            least = [0, 1].map(|axis| least[axis].min(place[axis]));
            most = [0, 1].map(|axis| most[axis].max(place[axis]));
        }
        if least == whole {
            return Self { first: [0; 2], size: whole };
        }
        let larger = (most[0] - least[0]).max(most[1] - least[1]) + 1;
        let margin = (larger / AROUND).max(1);
        let of_axis = |axis: usize| {
            let wanted = (most[axis] + 1 - least[axis] + 2 * margin).max(FEWEST).min(whole[axis]);
            let middle = (least[axis] + most[axis]).div_ceil(2);
            let first = middle.saturating_sub(wanted / 2).min(least[axis].saturating_sub(margin));
            // Nothing shown is left out at either end.
            let first = first.max((most[axis] + 1).saturating_sub(wanted)).min(whole[axis] - wanted);
            (first, wanted)
        };
        let axes = [0, 1].map(of_axis);
        Self { first: axes.map(|axis| axis.0), size: axes.map(|axis| axis.1) }
    }
}

/// The first pixel of the map of a landscape, and the pixels of a side of a cell.
#[cfg(test)]
pub(super) fn place_of_map(frame: Frame) -> ([u32; 2], u32) {
    let sheet = Sheet::new(Window::around(frame, |_| true)).unwrap();
    (sheet.map, sheet.zoom)
}

impl Sheet {
    /// # Errors
    /// Too little memory.
    pub(super) fn new(window: Window) -> Result<Self, NoMemory> {
        let larger = window.size[0].max(window.size[1]).max(1);
        let zoom = LEAST.div_ceil(larger);
        let extent = window.size.map(|cells| cells * zoom);
        let unit = f64::from(extent[0].max(extent[1])).max(f64::from(LEAST)) / f64::from(UNIT);
        let unit = unit.min(LARGEST_UNIT);
        let of = |units: u32| (f64::from(units) * unit).round() as u32;
        // The legend needs some height, also for a landscape of one row.
        let height = extent[1].max(of(620));
        let size = [extent[0] + of(2 * MARGIN + BESIDE), height + of(ABOVE + BELOW)];
        let map = [of(MARGIN), of(ABOVE)];
        let pixels = memory::filled(255, 3 * size[0] as usize * size[1] as usize, "the pixels of the map")?;
        Ok(Self { size, map, extent, window, zoom, unit, pixels })
    }

    /// Paints every pixel of the map: `colour` gets the middle of the pixel, and those of the next pixels to the right and below, then to
    /// the left and above, in cells from the north-west.
    pub(super) fn paint(&mut self, colour: impl Fn([f64; 2], [[f64; 2]; 4]) -> [u8; 3] + Sync) {
        use rayon::prelude::*;
        let ([left, top], [width, height], zoom) = (self.map, self.extent, f64::from(self.zoom));
        let first = self.window.first.map(f64::from);
        let place = |x: u32, y: u32| [first[0] + (f64::from(x) + 0.5) / zoom, first[1] + (f64::from(y) + 0.5) / zoom];
        let row_bytes = 3 * self.size[0] as usize;
        let rows = self.pixels.par_chunks_mut(row_bytes).skip(top as usize).take(height as usize).enumerate();
        rows.for_each(|(y, row)| {
            for x in 0..width {
                let y = y as u32;
                let next = [
                    place((x + 1).min(width - 1), y),
                    place(x, (y + 1).min(height - 1)),
                    place(x.saturating_sub(1), y),
                    place(x, y.saturating_sub(1)),
                ];
                let pixel = 3 * (left + x) as usize;
                row[pixel..pixel + 3].copy_from_slice(&colour(place(x, y), next));
            }
        });
    }

    /// # Errors
    /// The error of writing.
    pub(super) fn write(&self, to: impl Write) -> io::Result<()> {
        picture::write(self.size, self.pixels.as_chunks::<3>().0.iter().copied(), to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(columns: u32, rows: u32, shown: &[u32]) -> Window {
        let frame = Frame { columns, rows, corner: [0.0; 2], cell_size: 30.0 };
        Window::around(frame, |cell| shown.contains(&(cell as u32)))
    }

    #[test]
    fn a_map_shows_what_burnt() {
        let window = |first, size| Window { first, size };
        // A small landscape, and one where nothing burnt, are shown whole.
        assert_eq!(around(12, 8, &[3]), window([0; 2], [12, 8]));
        assert_eq!(around(300, 200, &[]), window([0; 2], [300, 200]));
        // One cell in the middle, and in each of two corners.
        assert_eq!(around(300, 200, &[150 + 300 * 100]), window([142, 92], [16, 16]));
        assert_eq!(around(300, 200, &[0]), window([0; 2], [16, 16]));
        assert_eq!(around(300, 200, &[300 * 200 - 1]), window([284, 184], [16, 16]));
        // From column 100 to 179: a margin of an eighth; from side to side, all columns.
        assert_eq!(around(300, 200, &[100 + 300 * 90, 179 + 300 * 90]), window([90, 80], [100, 21]));
        assert_eq!(around(300, 200, &[300 * 5, 299 + 300 * 7]), window([0, 0], [300, 77]));
    }
}

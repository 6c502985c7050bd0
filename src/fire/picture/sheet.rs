//! The sheet of a map: the layout, and its pixels.

use std::io::{self, Write};

use crate::Frame;
use tickless_core::memory::{self, NoMemory};
use tickless_core::picture;

/// On a map of fewer pixels a cell has several.
const LEAST: u32 = 820;
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
    /// Pixels of a cell along each axis.
    pub(super) zoom: u32,
    /// Pixels of a unit.
    pub(super) unit: f64,
    pub(super) pixels: Vec<u8>,
}

/// The first pixel of the map of a landscape, and the pixels of a side of a cell.
#[cfg(test)]
pub(super) fn place_of_map(frame: Frame) -> ([u32; 2], u32) {
    let sheet = Sheet::new(frame).unwrap();
    (sheet.map, sheet.zoom)
}

impl Sheet {
    /// # Errors
    /// Too little memory.
    pub(super) fn new(frame: Frame) -> Result<Self, NoMemory> {
        let larger = frame.columns.max(frame.rows).max(1);
        let zoom = LEAST.div_ceil(larger);
        let extent = [frame.columns, frame.rows].map(|cells| cells * zoom);
        let unit = f64::from(extent[0].max(extent[1])).max(f64::from(LEAST)) / f64::from(UNIT);
        let unit = unit.min(LARGEST_UNIT);
        let of = |units: u32| (f64::from(units) * unit).round() as u32;
        // The legend needs some height, also for a landscape of one row.
        let height = extent[1].max(of(620));
        let size = [extent[0] + of(2 * MARGIN + BESIDE), height + of(ABOVE + BELOW)];
        let map = [of(MARGIN), of(ABOVE)];
        let pixels = memory::filled(255, 3 * size[0] as usize * size[1] as usize, "the pixels of the map")?;
        Ok(Self { size, map, extent, zoom, unit, pixels })
    }

    /// Paints every pixel of the map: `colour` gets the middle of the pixel, and those of the next pixels to the right and below,
    /// in cells from the north-west.
    pub(super) fn paint(&mut self, colour: impl Fn([f64; 2], [[f64; 2]; 2]) -> [u8; 3] + Sync) {
        use rayon::prelude::*;
        let ([left, top], [width, height], zoom) = (self.map, self.extent, f64::from(self.zoom));
        let cells = |pixel: u32| (f64::from(pixel) + 0.5) / zoom;
        let row_bytes = 3 * self.size[0] as usize;
        let rows = self.pixels.par_chunks_mut(row_bytes).skip(top as usize).take(height as usize).enumerate();
        rows.for_each(|(y, row)| {
            for x in 0..width {
                let next = [
                    [cells((x + 1).min(width - 1)), cells(y as u32)],
                    [cells(x), cells((y as u32 + 1).min(height - 1))],
                ];
                let place = 3 * (left + x) as usize;
                row[place..place + 3].copy_from_slice(&colour([cells(x), cells(y as u32)], next));
            }
        });
    }

    /// # Errors
    /// The error of writing.
    pub(super) fn write(&self, to: impl Write) -> io::Result<()> {
        picture::write(self.size, self.pixels.as_chunks::<3>().0.iter().copied(), to)
    }
}

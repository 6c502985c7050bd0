//! Generated landscapes, for measurements and examples.

use rayon::prelude::*;

use super::terrain::gradients;
use super::{FireError, Frame, Landscape};
use tickless_core::memory;
use tickless_core::random::{Stream, StreamKey};

/// Fuels of its patches: grass, shrub, timber and slash of both tables, and sometimes water or rock.
const FUELS: [u16; 20] = [1, 2, 4, 5, 6, 8, 9, 10, 101, 102, 104, 122, 142, 145, 161, 165, 183, 188, 98, 99];
/// Cells from one patch of fuel to the next.
const PATCH: u32 = 24;
/// Cells between hills, from the largest to the smallest; the height of each follows from the steepness.
const HILLS: [u32; 6] = [256, 128, 64, 32, 16, 8];
/// The height of hills divided by their distance.
const STEEPNESS: f64 = 0.12;
/// The width of a cell, in metres.
const CELL: f64 = 30.0;
/// Its streams are those of replications from this number on, which no fire has.
const STREAMS: u64 = 1 << 40;

impl Landscape {
    /// Hills under patches of mixed fuels, a tenth of which never burns, in cells of 30 m. A seed gives the same
    /// landscape always.
    ///
    /// ```
    /// # use tickless_fire::facade as tickless;
    /// use tickless::cells::fire::Landscape;
    /// let [one, same, other] = [1, 1, 2].map(|seed| Landscape::made_up(100, 80, seed));
    /// assert_eq!(one, same);
    /// assert_ne!(one, other);
    /// ```
    ///
    /// # Errors
    /// [`FireError`] where there are no cells or more than 2^31.
    pub fn made_up(columns: u32, rows: u32, seed: u64) -> Result<Self, FireError> {
        let frame = Frame { columns, rows, corner: [0.0; 2], cell_size: CELL };
        frame.space(vec![])?;
        // Heights, fuels and slopes.
        memory::room::<[u16; 13]>(frame.cells(), "the cells of the landscape")?;
        let heights = Self::made_up_heights(columns, rows, seed)?;
        Self::new(frame, patches(frame, StreamKey::new(seed, STREAMS)), gradients(frame, &heights))
    }

    /// The heights of [`Landscape::made_up`], in metres.
    ///
    /// # Errors
    /// As [`Landscape::made_up`].
    pub fn made_up_heights(columns: u32, rows: u32, seed: u64) -> Result<Vec<f64>, FireError> {
        let frame = Frame { columns, rows, corner: [0.0; 2], cell_size: CELL };
        frame.space(vec![])?;
        let mut heights = memory::filled(0.0, frame.cells(), "the heights of the landscape")?;
        for (distance, layer) in HILLS.into_iter().zip(1..) {
            add_hills(frame, distance, StreamKey::new(seed, STREAMS + layer), &mut heights);
        }
        Ok(heights)
    }
}

/// The stream of each point of a lattice with `distance` cells between points, by its column and row from -1.
fn lattice<T>(frame: Frame, distance: u32, key: StreamKey, draw: impl Fn(Stream) -> T) -> (usize, Vec<T>) {
    let [across, down] = [frame.columns, frame.rows].map(|cells| cells / distance + 3);
    (across as usize, (0..across * down).map(|point| draw(key.stream(point))).collect())
}

/// Adds heights drawn at the points of a lattice, and smooth between them.
fn add_hills(frame: Frame, distance: u32, key: StreamKey, heights: &mut [f64]) {
    let highest = STEEPNESS * CELL * f64::from(distance);
    let (across, points) = lattice(frame, distance, key, |mut stream| f64::from(stream.draw() >> 8) / 16_777_216.0);
    let smooth = |along: u32| {
        let share = f64::from(along % distance) / f64::from(distance);
        share * share * (3.0 - 2.0 * share)
    };
    let between = |a: f64, b: f64, share: f64| a + (b - a) * share;
    heights.par_iter_mut().enumerate().for_each(|(cell, height)| {
        let (x, y) = (cell as u32 % frame.columns, cell as u32 / frame.columns);
        let point = (x / distance) as usize + across * (y / distance) as usize;
        let row = |point: usize| between(points[point], points[point + 1], smooth(x));
        *height += highest * between(row(point), row(point + across), smooth(y));
    });
}

/// A fuel for every cell: that of the nearest of random points, one in each square of a lattice.
fn patches(frame: Frame, key: StreamKey) -> Vec<u16> {
    let (across, points) = lattice(frame, PATCH, key, |mut stream| {
        let mut below = |most: u32| ((u64::from(stream.draw()) * u64::from(most)) >> 32) as u32;
        (below(PATCH), below(PATCH), FUELS[below(FUELS.len() as u32) as usize])
    });
    let fuel = |cell: u32| {
        let (x, y) = (cell % frame.columns, cell / frame.columns);
        let around = (0..9).map(|place| {
            let (column, row) = (x / PATCH + place % 3, y / PATCH + place / 3);
            let (east, south, fuel) = points[column as usize + across * row as usize];
            // The lattice begins a square before the cells.
            let [dx, dy] = [(column * PATCH + east, x), (row * PATCH + south, y)]
                .map(|(there, here)| i64::from(there) - i64::from(here) - i64::from(PATCH));
            (dx * dx + dy * dy, fuel)
        });
        around.min_by_key(|point| point.0).map_or(0, |point| point.1)
    };
    (0..frame.cells() as u32).into_par_iter().map(fuel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fuel;

    #[test]
    fn it_is_hilly_and_mixed() {
        let found = Landscape::made_up(512, 384, 3).unwrap();
        let burns = found.fuels().iter().filter(|&&fuel| Fuel::of(fuel).is_some()).count();
        assert!((0.8..0.97).contains(&(burns as f64 / 196_608.0)), "{burns} cells burn");
        assert!(FUELS.iter().all(|fuel| found.fuels().contains(fuel)));
        let slope = |[east, north]: &[f64; 2]| (east * east + north * north).sqrt();
        let mean = found.gradients().iter().map(slope).sum::<f64>() / 196_608.0;
        let steepest = found.gradients().iter().map(slope).fold(0.0, f64::max);
        assert!((0.1..0.5).contains(&mean) && steepest < 2.0, "slopes of {mean}, {steepest} at most");
        let same = found.fuels().windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(same > 180_000, "neighbours are alike: {same}");
    }

    #[test]
    fn any_size_will_do() {
        for (columns, rows) in [(1, 1), (1, 97), (255, 2), (257, 24), (24, 25)] {
            assert!(Landscape::made_up(columns, rows, 9).is_ok(), "{columns} x {rows}");
        }
        assert!(Landscape::made_up(0, 3, 9).is_err());
    }
}

//! Pictures of arrival times and burn probabilities, one pixel a cell.

use std::io::{self, Write};

use super::{Arrivals, BurnCounts, Grid, Landscape};
use crate::picture::{colour, write};

/// Fuel that did not burn, and ground that never does.
const UNBURNT: [[u8; 3]; 2] = [[200, 200, 200], [120, 120, 120]];
/// Lines of equal time.
const LINE: [u8; 3] = [20, 20, 20];

impl Arrivals {
    /// Writes a PNG of the times: the first in yellow, the last in violet, fuel that did not burn in light grey and
    /// ground that never burns in dark grey. If asked, dark lines part every so many minutes.
    ///
    /// # Errors
    /// What the system says; an invalid input where the landscape has other cells, or lines are not above 0 minutes
    /// apart.
    pub fn write_picture(&self, landscape: &Landscape, lines: Option<f64>, to: impl Write) -> io::Result<()> {
        let step = lines.unwrap_or(f64::INFINITY);
        if step.is_nan() || step <= 0.0 {
            return Err(invalid("lines of equal time must be above 0 minutes apart"));
        }
        let grid = self.grid();
        let last = self.last().map_or(0.0, |time| time.units());
        // 1 at the first: bright.
        let share = |minutes: f64| if last > 0.0 { 1.0 - minutes / last } else { 1.0 };
        let band = |cell: usize| grid.values.get(cell).map(|minutes| (minutes / step).floor());
        let columns = self.frame().columns as usize;
        // No value, and no cell, differs from none.
        let differs = |cell, there| band(cell) < band(there) || band(there).is_some() && band(there) < band(cell);
        let line = |cell: usize| {
            lines.is_some()
                && (!(cell + 1).is_multiple_of(columns) && differs(cell, cell + 1) || differs(cell, cell + columns))
        };
        write_png(&grid, landscape, share, line, to)
    }
}

impl BurnCounts {
    /// Writes a PNG of the burn probability: the most probable in yellow, and as [`Arrivals::write_picture`] where
    /// nothing burnt.
    ///
    /// # Errors
    /// What the system says; an invalid input where the landscape has other cells.
    pub fn write_picture(&self, landscape: &Landscape, to: impl Write) -> io::Result<()> {
        let mut grid = self.probability();
        let most = grid.values.iter().copied().fold(0.0, f64::max);
        grid.values.iter_mut().filter(|share| **share == 0.0).for_each(|share| *share = f64::NAN);
        write_png(&grid, landscape, |share| share / most, |_| false, to)
    }
}

fn write_png(
    grid: &Grid,
    landscape: &Landscape,
    share: impl Fn(f64) -> f64,
    line: impl Fn(usize) -> bool,
    to: impl Write,
) -> io::Result<()> {
    if grid.values.len() != landscape.fuels().len() {
        return Err(invalid("the landscape has other cells than the fire"));
    }
    let pixel = |(cell, value): (usize, &f64)| match value {
        value if value.is_nan() => UNBURNT[usize::from(!landscape.burns(cell as u32))],
        _ if line(cell) => LINE,
        value => colour(share(*value)),
    };
    write([grid.frame.columns, grid.frame.rows], grid.values.iter().enumerate().map(pixel), to)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::COLOURS;
    use crate::time::Time;

    fn pixels(lines: Option<f64>) -> io::Result<Vec<[u8; 3]>> {
        let ground = Landscape::uniform(3, 2, 10.0, 1).unwrap();
        let mut fuels = ground.fuels().to_vec();
        fuels[5] = 98;
        let ground = Landscape::new(ground.frame(), fuels, ground.gradients().to_vec()).unwrap();
        let times = [0, 1, 2, 3, u64::MAX, u64::MAX]
            .map(|minutes: u64| if minutes == u64::MAX { Time::NEVER } else { Time::from_ticks(minutes << 32) });
        let mut file = vec![];
        Arrivals::new(ground.frame(), times.to_vec()).unwrap().write_picture(&ground, lines, &mut file)?;
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut found = vec![0; 18];
        reader.next_frame(&mut found).unwrap();
        Ok(found.as_chunks::<3>().0.to_vec())
    }

    #[test]
    fn a_picture_has_a_pixel_for_every_cell() {
        let expected = [COLOURS[8], colour(2.0 / 3.0), colour(1.0 / 3.0), COLOURS[0], UNBURNT[0], UNBURNT[1]];
        assert_eq!(pixels(None).unwrap(), expected);
        // 0 | 1 with 3 below it, then 2.
        let lines: Vec<usize> = (0..6).filter(|&cell| pixels(Some(2.0)).unwrap()[cell] == LINE).collect();
        assert_eq!(lines, [0, 1]);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        assert!(pixels(Some(0.0)).is_err() && pixels(Some(f64::NAN)).is_err());
        let other = Landscape::uniform(9, 9, 10.0, 1).unwrap();
        let fire = Arrivals::new(Landscape::uniform(1, 1, 10.0, 1).unwrap().frame(), vec![Time::ZERO]).unwrap();
        assert!(fire.write_picture(&other, None, vec![]).is_err());
    }

    #[test]
    fn colours_go_from_violet_to_yellow() {
        assert_eq!([0.0, 0.5, 1.0, 2.0, -1.0].map(colour), [0, 4, 8, 8, 0].map(|place| COLOURS[place]));
    }
}

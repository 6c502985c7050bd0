//! The times that a fire takes to a cell from each neighbour: integers that the host computes once.

use rayon::prelude::*;

use super::Fire;
use super::conditions::Conditions;
use super::inclines::over_map;
use super::spread::DIRECTIONS;
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// No fire comes from this neighbour.
pub(super) const NO_WAY: u32 = u32::MAX;
/// Delays count 2⁻²⁰ minutes; a shift by this many bits makes them ticks.
pub(super) const SHIFT: u32 = 12;
/// Delays in a minute.
const PER_MINUTE: f64 = 1_048_576.0;
/// A fire that needs more minutes for a cell does not cross it.
pub(super) const SLOWEST: f64 = 4095.0;

/// The ticks of a delay.
pub(super) fn ticks(delay: u32) -> Time {
    Time::from_ticks(u64::from(delay) << SHIFT)
}

/// For every row of weather and every cell, the eight delays from its neighbours to it.
pub(super) fn delays(fire: &Fire) -> Result<Vec<u32>, NoMemory> {
    let (cells, rows) = (fire.landscape().frame().cells(), fire.rows());
    // The delays, and the working memory of one row at a time.
    let each = size_of::<[u32; 8]>() * rows + size_of::<[f64; 8]>();
    memory::room_of(cells as u64 * each as u64, "the delays of the fire")?;
    let mut found = bytemuck::zeroed_vec(8 * cells * rows);
    for (row, delays) in found.chunks_exact_mut(8 * cells).enumerate() {
        of_row(fire, row, delays);
    }
    Ok(found)
}

/// The least delay to each cell, whatever the weather and the neighbour.
pub(super) fn quickest(delays: &[u32], cells: usize) -> Result<Vec<u32>, NoMemory> {
    let mut least = memory::filled(NO_WAY, cells, "the shortest delays of the fire")?;
    for row in delays.chunks_exact(8 * cells) {
        let to = least.par_iter_mut().zip(row.par_chunks_exact(8));
        to.for_each(|(least, delays)| *least = delays.iter().copied().fold(*least, u32::min));
    }
    Ok(least)
}

fn of_row(fire: &Fire, row: usize, found: &mut [u32]) {
    let frame = fire.landscape().frame();
    let [width, height] = [frame.columns as usize, frame.rows as usize];
    let halves = half_crossings(fire, row);
    found.par_chunks_mut(width * 8).enumerate().for_each(|(y, line)| {
        for (x, cell) in line.chunks_mut(8).enumerate() {
            for (n, delay) in cell.iter_mut().enumerate() {
                // The offsets of `Space::moore`, without the cell itself; the fire goes the opposite way.
                let (place, way) = (n + usize::from(n > 3), 7 - n);
                let (there_x, there_y) = ((x + place % 3).wrapping_sub(1), (y + place / 3).wrapping_sub(1));
                let burns = |x: usize, y: usize| halves[x + width * y][way] < f64::INFINITY;
                // No fire comes over a corner between two cells that do not burn.
                *delay = if there_x < width && there_y < height && (burns(there_x, y) || burns(x, there_y)) {
                    units(halves[there_x + width * there_y][way] + halves[x + width * y][way])
                } else {
                    NO_WAY
                };
            }
        }
    });
}

/// Minutes from the middle of every cell to its border in each of the eight directions, infinite where nothing burns.
fn half_crossings(fire: &Fire, row: usize) -> Vec<[f64; 8]> {
    let (conditions, frame) = (Conditions::new(fire, row), fire.landscape().frame());
    let half = frame.cell_size / 2.0;
    let minutes = |cell| {
        let Some((spread, _)) = conditions.at(cell) else { return [f64::INFINITY; 8] };
        let (rates, gradient) = (spread.rates(), fire.landscape().gradients()[cell]);
        std::array::from_fn(|way| {
            let diagonal = DIRECTIONS[way][0] * DIRECTIONS[way][1] != 0.0;
            let distance = half * if diagonal { std::f64::consts::SQRT_2 } else { 1.0 };
            distance * over_map(gradient, DIRECTIONS[way]) / rates[way]
        })
    };
    (0..frame.cells()).into_par_iter().map(minutes).collect()
}

/// Minutes as a delay: one unit at least.
fn units(minutes: f64) -> u32 {
    // Not a number where neither side burns: no way either.
    if minutes <= SLOWEST { ((minutes * PER_MINUTE).round() as u32).max(1) } else { NO_WAY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fuel, FuelBed, Landscape, Laws, Weather};
    use tickless_cells::Space;

    #[test]
    fn delays_are_whole_units_within_their_range() {
        let expected = [1, 1, 1 << 20, 4_293_918_720, NO_WAY, NO_WAY, NO_WAY];
        assert_eq!([0.0, 1e-9, 1.0, SLOWEST, 4095.01, f64::INFINITY, f64::NAN].map(units), expected);
    }

    #[test]
    fn directions_are_those_of_the_space() {
        for (direction, offset) in DIRECTIONS.iter().zip(Space::moore()) {
            let length = f64::from(offset[0] * offset[0] + offset[1] * offset[1]).sqrt();
            assert!((direction[0] - f64::from(offset[0]) / length).abs() < 1e-15);
            assert!((direction[1] + f64::from(offset[1]) / length).abs() < 1e-15);
        }
    }

    #[test]
    fn a_delay_is_that_of_both_halves_along_the_way() {
        let frame = Landscape::uniform(2, 1, 30.0, 1).unwrap().frame();
        let landscape = Landscape::new(frame, vec![1, 8], vec![[0.0; 2], [0.0, 0.5]]).unwrap();
        let mut row = Weather::still().rows()[0];
        (row.wind_kmh, row.wind_from) = (5.0, 270.0);
        let found = delays(&Fire::new(landscape, Weather::new(vec![row]).unwrap())).unwrap();
        let rate = |fuel, gradient, direction| {
            let bed = FuelBed::new(Fuel::of(fuel).unwrap(), &row.moisture);
            bed.spread(row.wind(), gradient, Laws::default()).rate_toward(direction) / over_map(gradient, direction)
        };
        // The eastern cell hears its western neighbour by offset 3, and the fire goes east.
        let [east, west] = [[1.0, 0.0], [-1.0, 0.0]]
            .map(|direction| units(15.0 / rate(1, [0.0; 2], direction) + 15.0 / rate(8, [0.0, 0.5], direction)));
        assert_eq!([found[8 + 3], found[4]], [east, west]);
        assert!(east < west, "the wind blows from the west");
        assert_eq!(found.iter().filter(|&&delay| delay != NO_WAY).count(), 2, "the other neighbours are not there");
    }
}

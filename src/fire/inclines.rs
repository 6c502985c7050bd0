//! Fires on slopes, over the map: a fire that goes along the ground at a rate goes over the map at this rate times the cosine of the
//! slope in its direction.

use super::ways::{DIRECTION, Way};

/// Units of a rise per distance, as a logarithm, and the bits of a rise: a steeper one than 8 counts as 8.
const RISE: u32 = 10;
const BITS: u32 = 14;
/// Units of a stretch, as a logarithm.
pub(super) const STRETCH: u32 = 14;
/// A multiple of 4, more than the largest rise along a way: that of a slope of 8 toward a corner, 11,582.
const RISES: usize = 11_616;

/// For each rise along a way how much longer the way is over the ground than on the map, in units of 2^-14, so 2^14 and more: the least whole number whose
/// square is at least 2^28 + 2^8 rise^2.
pub(super) static STRETCHES: [u32; RISES] = stretches();

const fn stretches() -> [u32; RISES] {
    let mut stretches = [0; RISES];
    let (mut rise, mut root) = (0, 1 << STRETCH);
    while rise < RISES {
        let square = (1 << (2 * STRETCH)) + ((rise as u64 * rise as u64) << (2 * (STRETCH - RISE)));
        while root * root < square {
            root += 1;
        }
        stretches[rise] = root as u32;
        rise += 1;
    }
    stretches
}

/// The slope of a cell (rise per distance toward east and north) as a word: its rise toward east, then toward south. The lowest four bits
/// are 0.
pub(super) fn incline([east, north]: [f64; 2]) -> i32 {
    let most = f64::from((1 << (BITS - 1)) - 1);
    let [east, south] =
        [east, -north].map(|rise| (rise * f64::from(1 << RISE)).round().clamp(-most, most) as i32 & ((1 << BITS) - 1));
    east << (32 - BITS) | south << (32 - 2 * BITS)
}

/// How much longer a way is over the ground of a cell than on the map, in units of 2^-14.
///
/// Twin of `stretch` in shaders/cells/fire_near.wgsl.
pub(super) fn stretch(incline: i32, way: &Way) -> u64 {
    STRETCHES[rise(incline, way)].into()
}

/// The rise along a way, up or down.
fn rise(incline: i32, way: &Way) -> usize {
    let [east, south] = [incline >> (32 - BITS), incline << BITS >> (32 - BITS)];
    ((east * way.direction[0] + south * way.direction[1]).unsigned_abs() >> DIRECTION) as usize
}

/// The same in any direction (a unit vector toward east and north), as a ratio.
pub(super) fn over_map(gradient: [f64; 2], direction: [f64; 2]) -> f64 {
    libm::hypot(1.0, gradient[0] * direction[0] + gradient[1] * direction[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ways::EDGES;

    #[test]
    fn a_stretch_is_that_of_the_slope_along_the_way() {
        let gradients =
            [[0.0, 0.0], [0.0, 1.0], [0.45, 0.0], [-0.3, 0.2], [0.6, 0.6], [-4.0, 3.0], [7.9, -7.9], [0.001, 0.0]];
        for (gradient, way) in
            gradients.iter().flat_map(|of| EDGES.iter().flat_map(|edge| &edge.ways).map(move |way| (of, way)))
        {
            let [east, south] = way.along.map(|along| f64::from(along) / f64::from(way.length));
            let found = stretch(incline(*gradient), way) as f64 / f64::from(1 << STRETCH);
            let expected = over_map(*gradient, [east, -south]);
            assert!(found >= 1.0 && (found / expected - 1.0).abs() < 1e-3, "{gradient:?} {way:?}: {found}, {expected}");
        }
        assert_eq!(stretch(incline([0.0; 2]), &EDGES[0].ways[0]), 1 << STRETCH);
        // Stretches have the rises of the steepest slopes, and a device reads four at once.
        let steepest = [8.0, -8.0].map(|east| [8.0, -8.0].map(|north| incline([east, north]))).concat();
        let ways = || EDGES.iter().flat_map(|edge| &edge.ways);
        assert!(steepest.iter().all(|incline| ways().all(|way| rise(*incline, way) < RISES)));
        assert!(RISES.is_multiple_of(4));
        for (rise, &stretch) in (0_u64..).zip(&STRETCHES) {
            let square = (1 << 28) + 256 * rise * rise;
            let [below, at] = [stretch - 1, stretch].map(|stretch| u64::from(stretch).pow(2));
            assert!(below < square && square <= at, "{rise}");
        }
        // What is steeper counts as 8, and the four lowest bits are free.
        assert_eq!([incline([1000.0, -1000.0]), incline([7.9995, -7.9995])], [incline([8.0, -8.0]); 2]);
        assert_eq!(incline([-0.7, -3.3]) & 15, 0);
    }
}

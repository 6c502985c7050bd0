//! A way over the cells that it crosses, from the ellipses of these cells by their offsets from the cell to which the way leads.

use super::beds::NONE;
use super::inclines::{STRETCH, stretch};
use super::paces::Pace;
use super::ways::Way;

/// The longest time of a way, in ticks: its product with 2^16 fits 64 bits.
const LONGEST: u64 = (1 << 48) - 1;

/// The ticks that a way takes on level ground, never more than [`ticks`]; `None` where it leads through a cell that no fire crosses. Most ways
/// are too long by this already, so nothing else is looked at here.
#[inline]
pub(super) fn level(way: &Way, pace: impl Fn([i32; 2]) -> Pace) -> Option<u64> {
    let [first, second, last] = way.through;
    let mut sum = [0; 3];
    for (offset, share) in [([0, 0], 1), (first, 2), (second, 2), (last, 1)] {
        let Pace([around, east, south, _]) = pace(offset);
        if around == NONE {
            return None;
        }
        sum = [sum[0] + share * around, sum[1] + share * east, sum[2] + share * south];
    }
    Some(along(way, sum))
}

/// The ticks that a way takes, where `level` is right on level ground; `None` where it leads over a corner that no fire crosses.
#[inline]
pub(super) fn ticks(way: &Way, level: u64, pace: impl Fn([i32; 2]) -> Pace) -> Option<u64> {
    let [first, second, last] = way.through;
    let cells = [[0, 0], first, second, last].map(pace);
    let [own, first, second, last] = cells.map(Pace::ground);
    let corners = own & way.corners | first & way.corners >> 4 | second & way.corners >> 8;
    let is_level = (own | first | second | last) & !15 == 0;
    (corners & 15 == 0).then(|| if is_level { level } else { over_slopes(way, cells) })
}

/// Added to the sum of a: each of the three sums is rounded down, which takes less than the length of the way from the time. So no time is
/// less than on level ground.
const LOST: i64 = 3;

fn over_slopes(way: &Way, cells: [Pace; 4]) -> u64 {
    let mut sums = [0; 3];
    for (Pace([a, east, south, incline]), share) in cells.into_iter().zip([1, 2, 2, 1]) {
        let stretch = share * stretch(incline, way) as i64;
        sums = [
            sums[0] + stretch * i64::from(a),
            sums[1] + stretch * i64::from(east),
            sums[2] + stretch * i64::from(south),
        ];
    }
    let [around, east, south] = sums.map(|sum| sum >> STRETCH);
    let [x, y] = way.along.map(i64::from);
    (((around + LOST) * i64::from(way.length) + east * x + south * y) as u64).min(LONGEST)
}

#[inline]
fn along(way: &Way, [around, east, south]: [i32; 3]) -> u64 {
    let [x, y] = way.along;
    (i64::from(around) * i64::from(way.length) + i64::from(east) * i64::from(x) + i64::from(south) * i64::from(y))
        as u64
}

#[cfg(test)]
mod tests {
    use super::super::beds::MOST;
    use super::super::inclines::incline;
    use super::super::ways::EDGES;
    use super::*;
    use tickless_core::random::StreamKey;

    /// An ellipse on a slope, at most 8 times longer than wide, whose head takes `head` units through a cell.
    fn drawn(share: &mut impl FnMut() -> f64, [head, steepest]: [f64; 2]) -> Pace {
        let eccentricity = f64::sqrt(63.0 / 64.0) * share();
        let along = (head * eccentricity / (1.0 - eccentricity)).min(MOST as f64 - head);
        let (south, east) = (std::f64::consts::TAU * share()).sin_cos();
        let gradient = [share(), share()].map(|part| steepest * (2.0 * part - 1.0));
        Pace([(head + along) as i32, (along * east) as i32, (along * south) as i32, incline(gradient)])
    }

    #[test]
    fn no_slope_is_quicker_than_level_ground() {
        let mut stream = StreamKey::new(5, 0).stream(0);
        let mut share = || f64::from(stream.draw()) / 4_294_967_296.0;
        let [mut slower, mut lost] = [0; 2];
        for n in 0..1000 {
            // From heads that cross a cell in one unit to the slowest ones, and from nearly level ground to the steepest.
            let head = f64::exp2(28.0 * share());
            let steepest = [0.002, 0.05, 1.0, 8.0][n % 4];
            let paces: [Pace; 4] = std::array::from_fn(|_| drawn(&mut share, [head, steepest]));
            for way in EDGES.iter().flat_map(|edge| &edge.ways) {
                let pace = |[x, y]: [i32; 2]| paces[(x + 2 * y).rem_euclid(4) as usize];
                let level = level(way, pace).unwrap();
                let ticks = ticks(way, level, pace).unwrap();
                assert!(ticks >= level, "{paces:?} {way:?}: {ticks}, {level}");
                slower += u32::from(ticks > level);
                // Without what is added the time would be less.
                lost += u32::from(ticks < level + LOST as u64 * u64::from(way.length));
            }
        }
        assert!(slower > 100_000 && lost > 100, "{slower} {lost}");
    }
}

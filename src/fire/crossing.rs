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

/// Each of the three sums is rounded down, which takes less than the length of the way from the time. So 3 is added to the sum of a: no time is
/// less than on level ground.
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
    (((around + 3) * i64::from(way.length) + east * x + south * y) as u64).min(LONGEST)
}

#[inline]
fn along(way: &Way, [around, east, south]: [i32; 3]) -> u64 {
    let [x, y] = way.along;
    (i64::from(around) * i64::from(way.length) + i64::from(east) * i64::from(x) + i64::from(south) * i64::from(y))
        as u64
}

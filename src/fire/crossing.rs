//! A way over the cells that it crosses.

use super::beds::NONE;
use super::inclines::{STRETCH, stretch};
use super::paces::Pace;
use super::ways::Way;

/// The longest time of a way, in ticks: its product with 2^16 fits 64 bits.
const LONGEST: u64 = (1 << 48) - 1;

/// A way, and the ellipses of the cells in which its parts lie.
pub(super) struct Crossing<'a> {
    way: &'a Way,
    own: Pace,
    first: Pace,
    second: Pace,
    last: Pace,
}

impl<'a> Crossing<'a> {
    /// From the ellipses of cells at offsets from the cell to which the way leads; `None` where it leads through a cell or over a corner
    /// that no fire crosses.
    #[inline]
    pub(super) fn new(way: &'a Way, pace: impl Fn([i32; 2]) -> Pace) -> Option<Self> {
        let [first, second, last] = way.through;
        let (own, first, second, last) = (pace([0, 0]), pace(first), pace(second), pace(last));
        let corners =
            own.ground() & way.corners | first.ground() & way.corners >> 4 | second.ground() & way.corners >> 8;
        let crossed = own.0[0] != NONE && first.0[0] != NONE && second.0[0] != NONE && last.0[0] != NONE;
        (crossed && corners & 15 == 0).then_some(Self { way, own, first, second, last })
    }

    /// The ticks that it took on level ground, never more than [`ticks`](Self::ticks).
    #[inline]
    pub(super) fn level(&self) -> u64 {
        let sum = |word: usize| self.own.0[word] + 2 * (self.first.0[word] + self.second.0[word]) + self.last.0[word];
        self.along([sum(0), sum(1), sum(2)])
    }

    #[inline]
    fn along(&self, [a, east, south]: [i32; 3]) -> u64 {
        let [x, y] = self.way.along;
        (i64::from(a) * i64::from(self.way.length) + i64::from(east) * i64::from(x) + i64::from(south) * i64::from(y))
            as u64
    }

    /// The ticks that it takes, where `level` is right on level ground.
    #[inline]
    pub(super) fn ticks(&self, level: u64) -> u64 {
        let all = self.own.ground() | self.first.ground() | self.second.ground() | self.last.ground();
        if all & !15 == 0 { level } else { self.over_slopes() }
    }

    fn over_slopes(&self) -> u64 {
        let sixth = |Pace([a, east, south, incline]): Pace| {
            (self.along([a, east, south]) * stretch(incline, self.way)) >> STRETCH
        };
        let ends = sixth(self.own) + sixth(self.last);
        (ends + 2 * (sixth(self.first) + sixth(self.second))).min(LONGEST)
    }
}

//! The extent of first passages, and their sums in place of the time of each cell.

use super::CellOutcome;
use tickless_core::run::Sums;
use tickless_core::time::Time;

/// The sums of the cells of a [`FirstPassage`](super::gpu::FirstPassage), added up on a device: enough for the figures of
/// each replication and for the digest.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::{CellOutcome, Passages};
/// fn reached(outcome: &CellOutcome) -> Option<u64> {
///     outcome.added_up.as_ref().map(|cells| cells.passages.iter().map(|one| one.cells).sum())
/// }
/// assert_eq!(reached(&CellOutcome::default()), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedUpCells {
    /// The extent in each replication.
    pub passages: Vec<Passages>,
    /// The base of the digest.
    #[doc(hidden)]
    pub sums: Sums,
}

/// The extent of first passages in one replication.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::Passages;
/// assert_eq!(Passages::default(), Passages { cells: 0, edge: 0, sides: 0, corners: 0, last: None });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passages {
    /// Reached cells.
    pub cells: u64,
    /// Those at the border of the plane.
    pub edge: u64,
    /// Their sides beyond which lies no reached cell.
    pub sides: u64,
    /// Their corners beyond which lies no reached cell.
    pub corners: u64,
    /// The last time; `None` where no cell was reached.
    pub last: Option<Time>,
}

impl Passages {
    /// From the times of the cells of a plane, row by row: [`Time::NEVER`] for a cell that was not reached. No reached cell lies
    /// beyond the border.
    #[doc(hidden)]
    pub fn of_times([width, height]: [u32; 2], times: impl Fn(usize) -> Time) -> Self {
        let (width, height) = (i64::from(width), i64::from(height));
        let reached = |x: i64, y: i64| {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            inside && times((x + width * y) as usize) < Time::NEVER
        };
        let mut all = Self::default();
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))).filter(|(y, x)| reached(*x, *y)) {
            all.cells += 1;
            all.edge += u64::from(x == 0 || y == 0 || x + 1 == width || y + 1 == height);
            all.last = all.last.max(Some(times((x + width * y) as usize)));
            let open =
                |offsets: [[i64; 2]; 4]| offsets.iter().filter(|[dx, dy]| !reached(x + dx, y + dy)).count() as u64;
            all.sides += open([[1, 0], [0, 1], [-1, 0], [0, -1]]);
            all.corners += open([[1, 1], [-1, 1], [1, -1], [-1, -1]]);
        }
        all
    }
}

impl CellOutcome {
    /// Adds up the arrays, which are of replications of a first passage from `first` on.
    pub(super) fn add_up(&mut self, first: u32) {
        let (cells, [width, height, _]) = (self.cells(), self.size);
        let sums = self.sums_from(first as usize * cells);
        let passages = self.state.chunks(2 * cells).map(|states| {
            let time = |cell: usize| u64::from(states[2 * cell + 1]) << 32 | u64::from(states[2 * cell]);
            Passages::of_times([width, height], |cell| Time::from_ticks(time(cell)))
        });
        let passages: Vec<_> = passages.collect();
        let all = self.added_up.get_or_insert_with(|| AddedUpCells { passages: vec![], sums: Sums::default() });
        all.sums += sums;
        all.passages.extend(passages);
        (self.state, self.next) = (vec![], vec![]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three replications of a first passage on 3 x 2 cells.
    fn outcome() -> CellOutcome {
        let times = [5, 0, 7, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1 << 33, 2, 3, 4, 5, 6];
        let never = |tick: u64| if tick == 0 { u64::MAX } else { tick };
        let state = times.iter().flat_map(|tick| [never(*tick) as u32, (never(*tick) >> 32) as u32]).collect();
        let next = times.iter().map(|tick| if *tick == 0 { Time::UNIT } else { Time::NEVER }).collect();
        CellOutcome { size: [3, 2, 1], replications: 3, state, next, transitions: 8, ..Default::default() }
    }

    #[test]
    fn arrays_are_added_up_replication_by_replication() {
        let whole = outcome();
        let mut parts = CellOutcome { state: vec![], next: vec![], ..outcome() };
        for (first, count) in [(0, 1), (1, 2)] {
            let [cells, end] = [6 * first, 6 * (first + count)];
            parts.state = whole.state[2 * cells..2 * end].to_vec();
            parts.next = whole.next[cells..end].to_vec();
            parts.add_up(first as u32);
        }
        assert_eq!((whole.first_difference(&parts), whole.digest()), (None, parts.digest()));
        let last = |ticks| Some(Time::from_ticks(ticks));
        let expected = [
            Passages { cells: 3, edge: 3, sides: 12, corners: 8, last: last(9) },
            Passages::default(),
            Passages { cells: 6, edge: 6, sides: 10, corners: 16, last: last(1 << 33) },
        ];
        assert_eq!(parts.added_up.unwrap().passages, expected);
    }
}

//! How far the cells of a round may be ahead of each other.

use rayon::prelude::*;

use super::model::DeviceCells;
use crate::{Border, Space};
use tickless_core::time::Time;

/// The most cells looked at around a cell that is to go before others; where even its surroundings have more, only the
/// earliest cells go.
const MOST_AROUND: i64 = 4096;
/// The number of cells that is worth the time: from farther away an event takes longer, and so more cells may go.
const WORTHWHILE: i64 = 128;

/// The most lookaheads that are added up.
const MOST_HOPS: i32 = 8;
/// The longest useful lookahead of a cell, in ticks.
const LONGEST: u64 = 1 << 58;

/// The distances for `shaders/cells/meet.wgsl`.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The largest distance, along each axis, of a cell that a cell could meet: one hears the other, or a third cell hears
    /// both.
    pub(super) meets: [i32; 3],
    /// How far a cell hears.
    pub(super) hears: [i32; 3],
    /// How far to look around.
    pub(super) around: [i32; 3],
    /// The least number of cells that an event passes on its way from farther away.
    pub(super) hops: u32,
    /// The least lookahead of all, 0 where only the earliest cells go.
    pub(super) lookahead: Time,
    /// No event so long behind the earliest may go.
    pub(super) furthest: Time,
    /// The least lookahead around each cell by its place, where they differ.
    pub(super) of_cells: Option<Vec<([u32; 3], Time)>>,
}

impl Reach {
    /// Looks at no cell: first passages need none, and [`Reach::new`] begins with it.
    pub(super) fn nowhere() -> Self {
        let nothing = [0; 3];
        Self {
            meets: nothing,
            hears: nothing,
            around: nothing,
            hops: 0,
            lookahead: Time::ZERO,
            furthest: Time::ZERO,
            of_cells: None,
        }
    }

    pub(super) fn new(model: &impl DeviceCells) -> Self {
        let space = model.space();
        let spans = [0, 1, 2].map(|axis| {
            let along = || space.offsets().iter().map(|offset| offset[axis]);
            [along().min().unwrap_or(0).min(0), along().max().unwrap_or(0).max(0)]
        });
        let (meets, hears) = (spans.map(|[least, most]| most - least), spans.map(|[least, most]| most.max(-least)));
        let further = |hops: i32| [0, 1, 2].map(|axis| meets[axis].saturating_add(hears[axis].saturating_mul(hops)));
        let fits = |most: i64, hops: i32| volume(further(hops)).is_some_and(|volume| volume <= most);
        let mut reach = Self { meets, hears, ..Self::nowhere() };
        if model.lookahead() == Time::ZERO || !fits(MOST_AROUND, 0) {
            return reach;
        }
        let more = (1..=MOST_HOPS).take_while(|&hops| fits(WORTHWHILE, hops)).last().unwrap_or(0);
        reach.hops = more as u32 + 1;
        reach.around = further(more);
        // The lookaheads of as many cells as a space is wide must add up within range.
        let most = (1 << 62) / u64::from(space.size().into_iter().max().unwrap_or(1));
        reach.lookahead = model.lookahead().min(Time::from_ticks(most.min(LONGEST)));
        reach.of_cells = lookaheads(model).map(|cells| around(space, reach.around, cells));
        let most = reach.of_cells.iter().flatten().map(|(_, lookahead)| *lookahead).max();
        let most = most.unwrap_or(reach.lookahead).ticks();
        // No time of a run is beyond 2^63 ticks.
        reach.furthest = Time::from_ticks(most.saturating_mul(reach.hops.into()).min(1 << 62));
        reach
    }

    /// The module with the lookahead of a cell.
    pub(super) fn module(&self) -> &'static str {
        if self.of_cells.is_some() { "cells/uneven" } else { "cells/even" }
    }
}

/// The lookahead of each cell, where they differ.
fn lookaheads(model: &impl DeviceCells) -> Option<Vec<Time>> {
    let cells = 0..model.space().cells();
    let differ = cells.clone().into_par_iter().any(|cell| model.lookahead_of(cell) != model.lookahead());
    differ.then(|| cells.into_par_iter().map(|cell| model.lookahead_of(cell)).collect())
}

/// The cells of a box that extends so far to each side.
fn volume(sides: [i32; 3]) -> Option<i64> {
    sides.iter().map(|&side| 2 * i64::from(side) + 1).try_fold(1_i64, i64::checked_mul)
}

/// The least of the values of all cells within a distance, for each cell: axis after axis.
fn around(space: &Space, sides: [i32; 3], mut values: Vec<Time>) -> Vec<([u32; 3], Time)> {
    // The sum of the lookaheads of all hops must fit.
    values.iter_mut().for_each(|value| *value = (*value).min(Time::from_ticks(LONGEST)));
    for (axis, &side) in sides.iter().enumerate() {
        let size = space.size()[axis] as i32;
        // In a space that wraps a larger side adds no cell.
        let side = if space.border() == Border::Wrapped { side.min(size / 2 + 1) } else { side.min(size) };
        let least = |cell: u32| {
            let place = space.place(cell);
            let there = (-side..=side).filter_map(|along| {
                let mut offset = [0; 3];
                offset[axis] = along;
                space.at(place, offset)
            });
            there.map(|cell| values[cell as usize]).min().unwrap_or(Time::ZERO)
        };
        values = (0..space.cells()).into_par_iter().map(least).collect();
    }
    values.into_par_iter().enumerate().map(|(cell, value)| (space.place(cell as u32), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_a_box_is_found() {
        let space = Space::new([9, 7, 1], Border::Wrapped, vec![]).unwrap();
        let mut values = vec![Time::from_ticks(9); 63];
        values[space.cell([1, 6, 0]) as usize] = Time::UNIT.min(Time::from_ticks(4));
        let found = around(&space, [2, 1, 0], values);
        let low: Vec<_> = found.iter().filter(|(_, value)| value.ticks() == 4).map(|(place, _)| *place).collect();
        assert_eq!(low.len(), 15);
        assert!(low.contains(&[8, 0, 0]) && low.contains(&[3, 5, 0]) && !low.contains(&[4, 6, 0]));
    }
}

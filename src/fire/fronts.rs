//! Fires as fronts: when a front arrives at a cell, under weather that may change on its way.

use super::model::{FireModel, Ways};
use super::paces::Paces;
use super::ways::{POINTS, Way, edges_at};
use tickless_cells::{Cell, CellModel as _, Fronts, Times};
use tickless_core::time::Time;

/// The parts of a way within which the weather may change, as a logarithm.
const PARTS: u32 = 16;

impl Fronts for FireModel {
    fn starts(&self, replication: u32) -> Vec<(u32, Time)> {
        self.ignitions(replication)
    }

    fn arrival(&self, cell: Cell, n: usize, times: &Times<'_>) -> Time {
        let Ways::Fronts(paces) = &*self.ways else { return Time::NEVER };
        let course = Course {
            model: self,
            paces,
            cell,
            width: self.space().size()[0],
            row: self.row_throughout(cell.replication),
        };
        let (own, quickest) = (times.of(n), self.lookahead.ticks());
        let [behind, before] = edges_at(n);
        let mut least = times.known();
        for (edge, [from, to]) in [(behind, [own, times.of(behind.ends[1])]), (before, [times.of(before.ends[0]), own])]
        {
            let sooner = from.min(to);
            if from == Time::NEVER || sooner >= least || sooner.ticks() + edge.least(quickest) >= least.ticks() {
                continue;
            }
            for (point, way) in edge.ways.iter().enumerate().take(if to == Time::NEVER { 1 } else { POINTS }) {
                let out = between(from, to, point);
                if out < least {
                    least = least.min(course.arrival(out, way, least));
                }
            }
        }
        least
    }
}

/// When a front passes a point of an edge.
fn between(from: Time, to: Time, point: usize) -> Time {
    if point == 0 {
        return from;
    }
    // Times before the horizon are below 2^60.
    let [from, to] = [from, to].map(Time::ticks);
    Time::from_ticks(((POINTS - point) as u64 * from + point as u64 * to) / POINTS as u64)
}

/// The way of a front to a cell.
struct Course<'a> {
    model: &'a FireModel,
    paces: &'a Paces,
    cell: Cell,
    width: u32,
    /// The row of the weather, where it is the same throughout.
    row: Option<usize>,
}

impl Course<'_> {
    /// When a front arrives that sets out at a time. For each part of the way the weather in force then counts, so a front that sets
    /// out later never arrives earlier; where no fire crosses a cell under a row of the weather, the front waits for the next row.
    /// Never where it arrives no sooner than a known time.
    fn arrival(&self, out: Time, way: &Way, known: Time) -> Time {
        let mut row = self.row.unwrap_or_else(|| self.model.row(self.cell.replication, out));
        let (mut now, mut left) = (out.ticks(), 1_u64 << PARTS);
        loop {
            let next = self.model.starts.get(row + 1).filter(|_| self.row.is_none());
            let turn = next.map_or(Time::NEVER.ticks(), |start| start.ticks());
            let mut passed = 0;
            let level = self.paces.level(row, self.cell.id, way, self.width);
            let soonest = level.map_or(Time::NEVER.ticks(), |level| now + rest(level, left));
            if soonest >= known.ticks() && turn >= soonest {
                return Time::NEVER;
            }
            let ticks = level.and_then(|level| self.paces.ticks(row, self.cell.id, (way, level), self.width));
            if let Some(ticks) = ticks {
                let arrival = now + rest(ticks, left);
                if arrival <= turn {
                    return Time::from_ticks(arrival);
                }
                passed = ((turn - now) << PARTS) / ticks;
            }
            if next.is_none() || turn >= known.ticks() {
                return Time::NEVER;
            }
            // The part of the way that is left when the weather changes.
            left -= passed;
            (now, row) = (turn, row + 1);
        }
    }
}

/// The time of the rest of a way, rounded down.
fn rest(ticks: u64, left: u64) -> u64 {
    (ticks * left) >> PARTS
}

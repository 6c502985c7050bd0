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
        let course = Course { model: self, paces, cell, width: self.space().size()[0] };
        let mut least = times.known();
        for edge in edges_at(n) {
            let [from, to] = edge.ends.map(|end| times.of(end));
            if from == Time::NEVER || from.min(to) >= least {
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
}

impl Course<'_> {
    /// When a front arrives that sets out at a time. For each part of the way the weather in force then counts, so a front that sets
    /// out later never arrives earlier; where no fire crosses a cell under a row of the weather, the front waits for the next row.
    /// Never where it arrives no sooner than a known time.
    fn arrival(&self, out: Time, way: &Way, known: Time) -> Time {
        let mut row = self.model.row(self.cell.replication, out);
        let took = |row| self.paces.of_way(row, self.cell.id, way, self.width);
        if self.model.description.has_random_weather() {
            return took(row).map_or(Time::NEVER, |ticks| Time::from_ticks(out.ticks() + ticks));
        }
        let (mut now, mut left) = (out.ticks(), 1_u64 << PARTS);
        loop {
            let ticks = took(row);
            let needed = ticks.map(|ticks| rest(ticks, left));
            let Some(turn) = self.model.starts.get(row + 1).map(|start| start.ticks()) else {
                return needed.map_or(Time::NEVER, |needed| Time::from_ticks(now + needed));
            };
            if let Some(needed) = needed.filter(|needed| now + needed <= turn) {
                return Time::from_ticks(now + needed);
            }
            if turn >= known.ticks() {
                return Time::NEVER;
            }
            // The part of the way that is left when the weather changes.
            left -= ticks.map_or(0, |ticks| ((turn - now) << PARTS) / ticks);
            (now, row) = (turn, row + 1);
        }
    }
}

/// The time of the rest of a way, rounded down.
fn rest(ticks: u64, left: u64) -> u64 {
    (ticks * left) >> PARTS
}

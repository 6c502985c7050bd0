//! What one search has seen of its map, for pictures: records have the number of its expansions alone.

use std::collections::BTreeSet;

use super::map::{DIAGONAL, Map, STEPS, STRAIGHT};
use super::model::{Query, SearchModel};
use crate::memory::{self, NoMemory};

/// A step expands no cell whose sum is so much more than the least of the step.
const SPREAD: u64 = 500 * STRAIGHT;

/// What a search knows of a cell when it ends.
///
/// ```
/// use tickless::pathfinding::Visit;
/// assert_eq!(Visit::default(), Visit::Unknown);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visit {
    /// No path to it has been found.
    #[default]
    Unknown,
    /// A path to it has been found.
    Known,
    /// The same, and the search has gone on from it.
    Expanded,
}

/// A search of one query, cell by cell.
///
/// ```
/// use tickless::pathfinding::{Cell, Explored, Map, Query, Searches, Visit};
/// let query = Query { start: Cell { column: 0, row: 2 }, goal: Cell { column: 4, row: 2 } };
/// let model = Searches::new(Map::free(9, 5)?).expand(1).check()?;
/// let explored = Explored::new(&model, &query)?;
/// // It goes straight to the goal, and knows the neighbours of the cells that it came by.
/// assert_eq!(explored.expansions(), 4);
/// assert_eq!(explored.cells()[2 * 9..][..6], [vec![Visit::Expanded; 4], vec![Visit::Known, Visit::Unknown]].concat());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    cells: Vec<Visit>,
    expansions: u64,
}

impl Explored {
    /// Runs a search on the map and by the rules of a model. A query that the map does not have knows nothing.
    ///
    /// # Errors
    /// No memory.
    pub fn new(model: &SearchModel, query: &Query) -> Result<Self, NoMemory> {
        let (map, expand) = (model.map(), model.expanded() as usize);
        let mut explored =
            Self { cells: memory::filled(Visit::Unknown, map.costs().len(), "what a search knows")?, expansions: 0 };
        if !map.is_free(query.start) || !map.is_free(query.goal) {
            return Ok(explored);
        }
        let moves = map.moves(model.cut_corners())?;
        let (start, goal) = (map.id(query.start), map.id(query.goal));
        let parts = map.parts(&moves)?;
        if parts[start] != parts[goal] {
            return Ok(explored);
        }
        drop(parts);
        let mut costs = memory::filled(u64::MAX, map.costs().len(), "the costs of a search")?;
        let estimates = Estimates { map, goal: query, least: map.least_cost().into() };
        let mut open = BTreeSet::from([estimates.key(start, 0)]);
        costs[start] = 0;
        explored.cells[start] = Visit::Known;
        loop {
            let mut taken = vec![];
            while let Some(&(sum, _, cell)) = open.first() {
                let far = taken.first().is_some_and(|&(first, _)| sum > first + SPREAD);
                if cell == goal || taken.len() == expand || far {
                    break;
                }
                open.pop_first();
                taken.push((sum, cell));
            }
            // The goal is the first.
            if taken.is_empty() {
                return Ok(explored);
            }
            let before: Vec<u64> = taken.iter().map(|&(_, cell)| costs[cell]).collect();
            for ((_, cell), before) in taken.into_iter().zip(before) {
                explored.cells[cell] = Visit::Expanded;
                explored.expansions += 1;
                for d in (0..8).filter(|d| moves[cell] >> d & 1 == 1) {
                    let (columns, rows) = STEPS[d];
                    let to = cell.wrapping_add_signed((rows * map.width() as i32 + columns) as isize);
                    let both = u64::from(map.costs()[cell]) + u64::from(map.costs()[to]);
                    let base = if d % 2 == 1 { DIAGONAL } else { STRAIGHT };
                    let cost = before + base / 2 * both;
                    if cost < costs[to] {
                        open.remove(&estimates.key(to, costs[to]));
                        open.insert(estimates.key(to, cost));
                        costs[to] = cost;
                        explored.cells[to] = explored.cells[to].max(Visit::Known);
                    }
                }
            }
        }
    }

    /// What it knows of each cell, row after row.
    pub fn cells(&self) -> &[Visit] {
        &self.cells
    }

    /// How many cells it has expanded; one that is expanded again counts again.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }
}

/// The order of open cells.
struct Estimates<'a> {
    map: &'a Map,
    goal: &'a Query,
    least: u64,
}

impl Estimates<'_> {
    /// The cost with what is left over cells of the least cost, what is left over cells of cost 1, and the cell.
    fn key(&self, id: usize, cost: u64) -> (u64, u64, usize) {
        let (cell, goal) = (self.map.cell(id), self.goal.goal);
        let (columns, rows) = (cell.column.abs_diff(goal.column), cell.row.abs_diff(goal.row));
        let (long, short) = (u64::from(columns.max(rows)), u64::from(columns.min(rows)));
        let left = STRAIGHT * (long - short) + DIAGONAL * short;
        (cost.saturating_add(self.least * left), left, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pathfinding::{Corners, Obstacles, random_queries, reference};
    use crate::run::unwatched;

    /// It expands what the sequential simulator expands, of which it shares nothing.
    #[test]
    fn a_search_is_that_of_a_run() {
        for (seed, corners) in [(1, Corners::Forbid), (2, Corners::Allow), (3, Corners::Forbid)] {
            let mut map = Obstacles::new(40, 30).density(0.25).seed(seed).map().unwrap();
            if seed == 3 {
                let costs = map.costs().iter().enumerate().map(|(id, cost)| cost * (1 + id % 7) as u8).collect();
                map = Map::new(40, 30, costs).unwrap();
            }
            for expand in [1, 8, 32] {
                let queries = random_queries(&map, 12, 5);
                let searches = super::super::Searches::new(map.clone()).corners(corners).expand(expand).paths(true);
                let model = searches.queries(queries).check().unwrap();
                let outcome = reference::run(&model, 1, &mut unwatched()).unwrap().outcome;
                let paths = outcome.paths.as_ref().unwrap();
                for (search, query) in model.queries().iter().enumerate() {
                    let explored = Explored::new(&model, query).unwrap();
                    assert_eq!(explored.expansions(), outcome.searches[search].expansions, "search {search}");
                    if outcome.searches[search].cost().is_some() {
                        let known =
                            paths.cells(search, query.start).all(|c| explored.cells()[map.id(c)] != Visit::Unknown);
                        assert!(known, "search {search}");
                    }
                }
            }
        }
    }
}

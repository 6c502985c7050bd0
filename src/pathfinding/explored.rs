//! The cells that one search has seen, for pictures: records have only the number of its expansions.

use super::model::{Query, SearchModel};
use super::reference::{Explorer, Ground};
use tickless_core::memory::{self, NoMemory};

/// The knowledge of a search about a cell at its end.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::Visit;
/// assert_eq!(Visit::default(), Visit::Unknown);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visit {
    /// The search has found no path to the cell.
    #[default]
    Unknown,
    /// The search has found a path to the cell.
    Known,
    /// The search has also gone on from the cell.
    Expanded,
}

/// A search of one query, cell by cell.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
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
    /// Runs a search on the map and by the rules of a model. A search of a query outside of the map knows no cell.
    ///
    /// # Errors
    /// Too little memory.
    pub fn new(model: &SearchModel, query: &Query) -> Result<Self, NoMemory> {
        let mut explored = Self { cells: vec![], expansions: 0 };
        Self::each(model, [query], |search| explored = search.clone())?;
        Ok(explored)
    }

    /// The same for one search after the other, with shared preparations.
    ///
    /// # Errors
    /// Too little memory.
    pub fn each<'q>(
        model: &SearchModel,
        queries: impl IntoIterator<Item = &'q Query>,
        mut ended: impl FnMut(&Self),
    ) -> Result<(), NoMemory> {
        let ground = Ground::new(model)?;
        let mut explorer = Explorer::new(&ground)?;
        let cells = memory::filled(Visit::Unknown, model.map().costs().len(), "what a search knows")?;
        let mut search = Self { cells, expansions: 0 };
        for query in queries {
            search.cells.fill(Visit::Unknown);
            search.expansions = 0;
            // No watch ends it.
            let _ = explorer.explore(
                query,
                |_| false,
                |cell| {
                    search.cells[cell] = Visit::Expanded;
                    search.expansions += 1;
                },
            );
            for (_, visit) in search.cells.iter_mut().enumerate().filter(|(id, _)| explorer.knows(*id)) {
                *visit = (*visit).max(Visit::Known);
            }
            ended(&search);
        }
        Ok(())
    }

    /// The visits of the cells, row after row.
    pub fn cells(&self) -> &[Visit] {
        &self.cells
    }

    /// The number of expansions; a cell that is expanded again counts again.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::STEPS;
    use crate::{Cell, Corners, Map, Obstacles, random_queries};
    use tickless_core::run::unwatched;
    use tickless_device::Target;

    #[test]
    fn a_query_that_the_map_does_not_have_knows_nothing() {
        let model = super::super::Searches::new(Map::free(5, 5).unwrap()).check().unwrap();
        let inside = Cell { column: 0, row: 0 };
        for outside in [Cell { column: 0, row: 9 }, Cell { column: 7, row: 1 }] {
            for query in [Query { start: inside, goal: outside }, Query { start: outside, goal: inside }] {
                let explored = Explored::new(&model, &query).unwrap();
                assert_eq!(explored.expansions(), 0);
                assert!(explored.cells().iter().all(|visit| *visit == Visit::Unknown));
            }
        }
    }

    /// The next search, even before it has begun, does not know the cells of the last.
    #[test]
    fn searches_share_nothing_that_they_know() {
        let map = Obstacles::new(40, 30).density(0.25).seed(4).map().unwrap();
        let outside = Cell { column: 40, row: 0 };
        let mut queries = random_queries(&map, 12, 5);
        queries.insert(6, Query { start: outside, goal: outside });
        let model = super::super::Searches::new(map).check().unwrap();
        let mut search = 0;
        Explored::each(&model, &queries, |explored| {
            assert!(*explored == Explored::new(&model, &queries[search]).unwrap(), "search {search}");
            search += 1;
        })
        .unwrap();
        assert_eq!(search, queries.len());
    }

    /// The search has expanded as many cells as the run, and knows the path and all neighbours of expanded cells.
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
                let outcome = crate::run(&model, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
                let paths = outcome.paths.as_ref().unwrap();
                for (search, query) in model.queries().iter().enumerate() {
                    let explored = Explored::new(&model, query).unwrap();
                    assert_eq!(explored.expansions(), outcome.searches[search].expansions, "search {search}");
                    if outcome.searches[search].cost().is_some() {
                        let known =
                            paths.cells(search, query.start).all(|c| explored.cells()[map.id(c)] != Visit::Unknown);
                        assert!(known, "search {search}");
                    }
                    let moves = map.moves(corners).unwrap();
                    for (id, _) in explored.cells().iter().enumerate().filter(|(_, visit)| **visit == Visit::Expanded) {
                        let cell = map.cell(id);
                        for (columns, rows) in (0..8).filter(|d| moves[id] >> d & 1 == 1).map(|d| STEPS[d]) {
                            let column = cell.column.wrapping_add_signed(columns);
                            let near = Cell { column, row: cell.row.wrapping_add_signed(rows) };
                            assert_ne!(explored.cells()[map.id(near)], Visit::Unknown, "search {search}");
                        }
                    }
                }
            }
        }
    }
}

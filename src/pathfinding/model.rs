//! A batch of searches: described by a user, and checked.

use super::error::SearchError;
use super::map::{Cell, Corners, Map};

/// The most cells that a search expands in a step.
pub const MOST_EXPANDED: u32 = 32;
/// The most searches: their indices, and one beyond, fit 32 bits with a device's counts.
pub const MOST_SEARCHES: u32 = 1 << 30;

/// The start and the goal of a search.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Cell, Query};
/// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 9, row: 4 } };
/// assert_ne!(query.start, query.goal);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Query {
    /// Where the path begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
}

/// A batch of searches on one map.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Cell, Map, Query, Searches}};
/// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 9, row: 4 } };
/// let model = Searches::new(Map::free(10, 10)?).paths(true).queries(vec![query]).check()?;
/// let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
/// // Four diagonal moves and five straight ones.
/// assert_eq!(run.outcome.searches[0].cost(), Some(4 * 1_414_214 + 5 * 1_000_000));
/// assert_eq!(run.outcome.paths.as_ref().unwrap().moves(0).count(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searches {
    map: Map,
    corners: Corners,
    expand: u32,
    paths: bool,
    queries: Vec<Query>,
}

impl Searches {
    /// A batch without searches: corners are not cut, 8 cells are expanded in a step, paths are not kept.
    pub fn new(map: Map) -> Self {
        Self { map, corners: Corners::Forbid, expand: 8, paths: false, queries: vec![] }
    }

    /// Whether a diagonal move may pass a blocked cell.
    #[must_use]
    pub fn corners(self, corners: Corners) -> Self {
        Self { corners, ..self }
    }

    /// The number of cells that a search expands in a step, 1 to [`MOST_EXPANDED`]. With 1 it is the classic A*; with more
    /// cells there are fewer steps and somewhat more expansions, and the costs are the same.
    #[must_use]
    pub fn expand(self, expand: u32) -> Self {
        Self { expand, ..self }
    }

    /// Whether the outcome has the paths, or only their costs.
    #[must_use]
    pub fn paths(self, paths: bool) -> Self {
        Self { paths, ..self }
    }

    /// The starts and goals of the searches.
    #[must_use]
    pub fn queries(self, queries: Vec<Query>) -> Self {
        Self { queries, ..self }
    }

    /// Checks everything.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn check(self) -> Result<SearchModel, SearchError> {
        if !(1..=MOST_EXPANDED).contains(&self.expand) {
            return Err(SearchError::Expand { expand: self.expand });
        }
        check_queries(&self.map, &self.queries)?;
        Ok(SearchModel(self))
    }
}

/// Checks a batch against a map.
pub(super) fn check_queries(map: &Map, queries: &[Query]) -> Result<(), SearchError> {
    let (width, height) = (map.width(), map.height());
    if queries.len() > MOST_SEARCHES as usize {
        return Err(SearchError::Searches { searches: queries.len(), most: MOST_SEARCHES });
    }
    for (search, query) in queries.iter().enumerate() {
        for (end, cell) in [("start", query.start), ("goal", query.goal)] {
            if map.cost(cell).is_none() {
                return Err(SearchError::Outside { end, search, cell, width, height });
            }
        }
    }
    Ok(())
}

/// A batch of searches that can run.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Map, Searches};
/// let model = Searches::new(Map::free(10, 10)?).check()?;
/// assert_eq!((model.expanded(), model.queries().len()), (8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchModel(Searches);

impl SearchModel {
    /// The same with other searches, within the map.
    pub(super) fn with_queries(&self, queries: Vec<Query>) -> Self {
        let Searches { map, corners, expand, paths, .. } = &self.0;
        Self(Searches { map: map.clone(), corners: *corners, expand: *expand, paths: *paths, queries })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.0.map
    }

    /// Whether a diagonal move may pass a blocked cell.
    pub fn corner_rule(&self) -> Corners {
        self.0.corners
    }

    /// The number of cells that a search expands in a step.
    pub fn expanded(&self) -> u32 {
        self.0.expand
    }

    /// Whether paths are kept.
    pub fn keeps_paths(&self) -> bool {
        self.0.paths
    }

    /// The starts and goals of the searches.
    pub fn queries(&self) -> &[Query] {
        &self.0.queries
    }
}

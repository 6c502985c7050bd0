//! The results of all searches, and the figures of a run.

use serde::Serialize;

use super::gpu::OpenList;
use super::paths::Paths;
use tickless_core::time::Time;

/// How a search ended.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::SearchState;
/// assert_eq!(SearchState::default(), SearchState::Unfinished);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchState {
    /// The run was interrupted before the search ended.
    #[default]
    Unfinished,
    /// The search has found a path.
    Found,
    /// There is no path, or the start or the goal is blocked.
    NoPath,
}

/// One search.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{SearchRecord, SearchState};
/// let record = SearchRecord::found(2_414_214, 5);
/// assert_eq!((record.state, record.cost()), (SearchState::Found, Some(2_414_214)));
/// assert_eq!(SearchRecord::no_path(9).cost(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchRecord {
    /// How the search ended.
    pub state: SearchState,
    /// The cost of the path in millionths of a move; 0 where there is no path.
    millionths: u64,
    /// Cells expanded: a cell that is expanded again, at a lower cost, counts again.
    pub expansions: u64,
}

impl SearchRecord {
    /// A search that found a path of this cost, in millionths of a move.
    pub fn found(millionths: u64, expansions: u64) -> Self {
        Self { state: SearchState::Found, millionths, expansions }
    }

    /// A search without a path.
    pub fn no_path(expansions: u64) -> Self {
        Self { state: SearchState::NoPath, millionths: 0, expansions }
    }

    /// The cost of the cheapest path in millionths of a move, where one was found.
    pub fn cost(&self) -> Option<u64> {
        (self.state == SearchState::Found).then_some(self.millionths)
    }
}

/// Every search of a batch, in the order of the queries.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Cell, Map, Query, Searches}};
/// let model = Searches::new(Map::free(10, 10)?).queries(vec![Query::default()]).check()?;
/// let outcome = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome;
/// // From a cell to itself there is nothing to do.
/// assert_eq!((outcome.searches[0].cost(), outcome.searches[0].expansions), (Some(0), 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// One record a search.
    pub searches: Vec<SearchRecord>,
    /// The paths, where they were asked for.
    pub paths: Option<Paths>,
}

/// The details of a run of searches beside its records.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Map, Searches}};
/// let model = Searches::new(Map::free(10, 10)?).check()?;
/// let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
/// assert_eq!(run.details.open_list, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchDetails {
    /// How open cells were kept, on a device.
    pub open_list: Option<OpenList>,
}

/// The figures of a run.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// # use tickless::{device::Target, pathfinding::{self, Map, Query, Searches}};
/// let model = Searches::new(Map::free(10, 10)?).queries(vec![Query::default(); 3]).check()?;
/// let figures = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome.statistics();
/// assert_eq!((figures.searches, figures.found, figures.mean_cost), (3, 3, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SearchStatistics {
    /// All searches.
    pub searches: u64,
    /// Those with a path.
    pub found: u64,
    /// Those without one.
    pub no_path: u64,
    /// Those that an interruption came before.
    pub unfinished: u64,
    /// The mean cost of the paths, in moves.
    pub mean_cost: f64,
    /// Cells expanded by all searches.
    pub expansions: u64,
    /// Cells expanded by a search that ended, in the mean.
    pub mean_expansions: f64,
}

impl Outcome {
    /// The figures. A mean over nothing is 0.
    pub fn statistics(&self) -> SearchStatistics {
        let number = |state| self.searches.iter().filter(|search| search.state == state).count() as u64;
        let (found, no_path) = (number(SearchState::Found), number(SearchState::NoPath));
        let cost: u128 = self.searches.iter().filter_map(SearchRecord::cost).map(u128::from).sum();
        let expansions = self.searches.iter().map(|search| search.expansions).sum();
        SearchStatistics {
            searches: self.searches.len() as u64,
            found,
            no_path,
            unfinished: number(SearchState::Unfinished),
            mean_cost: cost as f64 / 1e6 / found.max(1) as f64,
            expansions,
            mean_expansions: expansions as f64 / (found + no_path).max(1) as f64,
        }
    }
}

/// The clock of a run when this many of its searches have ended.
pub(super) fn ended_at(searches: usize) -> Time {
    Time::from_ticks((searches as u64) << 32)
}

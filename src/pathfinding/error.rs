//! Errors of maps and batches of searches, before and during a run.

use super::map::{Cell, MOST_COST, MOST_SIDE};
use super::model::MOST_EXPANDED;
use tickless_core::memory::NoMemory;
use tickless_core::number::Written;
use tickless_device::DeviceError;

/// An invalid map.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Map, MapError};
/// let error = Map::new(3, 2, vec![1; 5]).unwrap_err();
/// assert!(matches!(error, MapError::Cells { .. }));
/// assert_eq!(error.to_string(), "the map has 5 cells; 3 x 2 has 6");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A side that is too short or too long.
    #[error("the map is {width} x {height} cells; each side must be 1 to {MOST_SIDE}")]
    Sides {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The number of costs is not the number of cells.
    #[error("the map has {cells} cells; {width} x {height} has {}", u64::from(*width) * u64::from(*height))]
    Cells {
        /// The number of costs.
        cells: usize,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// An invalid cost.
    #[error("the cost of {cell} is {cost}; it must be 0 (blocked) or 1 to {MOST_COST}")]
    Cost {
        /// The cell.
        cell: Cell,
        /// Its cost.
        cost: u8,
    },
    /// A cell that the map does not have.
    #[error("there is no {cell} on a map of {width} x {height}: columns and rows are counted from 0")]
    Outside {
        /// The cell.
        cell: Cell,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// An invalid density of obstacles.
    #[error("the density of obstacles is {}; it must lie between 0 and 1", Written(*.density))]
    Density {
        /// The obstacles asked for, as a share of the cells.
        density: f64,
    },
    /// An invalid mean side of obstacles.
    #[error("the mean side of obstacles is {}; it must lie between {least} and {most} cells", Written(*.mean))]
    Mean {
        /// The mean asked for, in cells.
        mean: f64,
        /// The least, in cells.
        least: f64,
        /// The most, in cells.
        most: f64,
    },
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
}

/// A fault in a file of a map, of the costs of letters, or of searches.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Map, Terrain};
/// let error = Map::parse("type hex\n", "my.map", &Terrain::default()).unwrap_err();
/// assert_eq!((error.line, error.to_string().as_str()), (1, "my.map, line 1: the type is 'hex'; it must be octile: moves lead to eight sides"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {fault}")]
pub struct InputError {
    /// The name of the file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// The fault and what is allowed.
    pub fault: String,
}

impl InputError {
    pub(super) fn new(file: &str, line: usize, fault: String) -> Self {
        Self { file: file.to_owned(), line, fault }
    }
}

/// A batch of searches that cannot run, found before anything is allocated.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Cell, Map, Query, SearchError, Searches};
/// let outside = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 8, row: 0 } };
/// let error = Searches::new(Map::free(8, 8)?).queries(vec![outside]).check().unwrap_err();
/// assert!(matches!(error, SearchError::Outside { search: 0, .. }));
/// assert!(error.to_string().starts_with("the goal of search 0 is column 8, row 0"));
/// # Ok::<(), tickless::pathfinding::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A number of cells for a step that is not allowed.
    #[error("{expand} cells are to be expanded in a step; it must be 1 to {MOST_EXPANDED}")]
    Expand {
        /// The number asked for.
        expand: u32,
    },
    /// Too many searches.
    #[error("there are {searches} searches; at most {most} can be numbered: use fewer, or several runs")]
    Searches {
        /// The number of searches.
        searches: usize,
        /// The most.
        most: u32,
    },
    /// A start or a goal outside of the map.
    #[error(
        "the {end} of search {search} is {cell}, and the map is {width} x {height}: columns and rows are counted from 0"
    )]
    Outside {
        /// `start` or `goal`.
        end: &'static str,
        /// The search, counted from 0.
        search: usize,
        /// The cell.
        cell: Cell,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// An error that ended a run of searches without a result.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::DeviceError, pathfinding::PathfindingError};
/// let error = PathfindingError::from(DeviceError::Interrupted);
/// assert!(matches!(error, PathfindingError::Device(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathfindingError {
    /// The device refused, failed or went away.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A batch that does not fit the map of a [`Finder`](super::gpu::Finder).
    #[error(transparent)]
    Search(#[from] SearchError),
    /// An invalid change of a map.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A set of pending events that only works in rounds of many processes.
    #[error(
        "searches keep no open list in '{set}', a set for rounds of many processes: use another set of pending events"
    )]
    NoOpenList {
        /// Its name.
        set: &'static str,
    },
    /// An outcome of another batch.
    #[error("the checkpoint has {found} {what}, and this batch has {expected}: go on with the batch that left it")]
    Checkpoint {
        /// The quantity that differs.
        what: &'static str,
        /// Its value in the outcome.
        found: u64,
        /// Its value in the batch.
        expected: u64,
    },
}

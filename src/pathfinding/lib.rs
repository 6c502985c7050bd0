//! Path searches: many A* searches on one grid, each with an open list of its own.
//!
//! A search is a logical process of its own: its open list is its pending event set, its step executes the imminent
//! cells, and no search knows of another. The costs are integers, so every backend finds the same costs, the same number
//! of expansions and the same paths; docs/semantics.md says in which order (Baudis, Jacob, Andelfinger 2017).
//!
//! | item | what it is |
//! |---|---|
//! | [`Map`], [`Cell`] | the grid: which cells are free, and what moving over them costs |
//! | [`Searches`], [`SearchModel`] | a batch of searches, as described and as checked |
//! | [`run`](fn@run) | runs it, or what is left of it, on the heap simulator or on a device ([`gpu`]) |
//! | [`gpu::Finder`] | a map that stays on a device from batch to batch |
//! | [`Outcome`], [`SearchRecord`], [`Paths`] | what a [`Run`](tickless_core::run::Run) gives back |
//! | [`Explored`], [`MapPicture`] | what one search has seen of the map, and pictures of it |
//! | [`PathReader`] | reads a file of paths that [`Outcome::write_paths`] has written |

mod checkpoint;
mod digest;
mod error;
mod explored;
pub mod gpu;
mod map;
mod model;
mod moving_ai;
mod outcome;
mod path_file;
mod paths;
#[cfg(feature = "pictures")]
mod picture;
mod random;
mod reference;
mod run;

pub use error::{InputError, MapError, PathfindingError, SearchError};
pub use explored::{Explored, Visit};
pub use map::{Cell, Corners, DIAGONAL, MOST_COST, MOST_SIDE, Map, STRAIGHT};
#[doc(hidden)]
pub use model::MOST_SEARCHES;
pub use model::{MOST_EXPANDED, Query, SearchModel, Searches};
pub use moving_ai::{Scenario, Terrain};
pub use outcome::{Outcome, SearchDetails, SearchRecord, SearchState, SearchStatistics};
pub use path_file::{PathFileError, PathHead, PathReader, PathStep};
pub use paths::{Direction, Paths};
#[cfg(feature = "pictures")]
pub use picture::MapPicture;
pub use random::{Obstacles, random_queries};
pub use run::run;

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as pathfinding;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_engine::{self as engine, pending};
    pub use tickless_kernels as kernels;
}

//! How searches run.

use crate::engine::Options;
use crate::pending::PendingSet;

/// How searches run on a device, and on how many cores without one. None of it changes a result.
///
/// ```
/// use tickless::{pathfinding::gpu::SearchOptions, pending::PendingSet};
/// let options = SearchOptions { pending: PendingSet::Splay, ..SearchOptions::default() };
/// assert_eq!((options.at_once, options.cores), (None, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// How open cells are kept. [`PendingSet::GlobalHeap`] is none for searches, which share nothing.
    pub pending: PendingSet,
    /// The most searches at once; `None` for what suits the device and fits it.
    pub at_once: Option<u32>,
    /// For how many open cells of a search there is room at first; `None` for what seems enough. A search that needs more
    /// gets it, behind the others.
    pub room: Option<u32>,
    /// After how many expansions a thread ends its part of a round; `None` for what suits the device.
    pub expansions: Option<u32>,
    /// The cores of the heap simulator; 0 for all.
    pub cores: usize,
    /// How rounds are cut up.
    pub rounds: Options,
}

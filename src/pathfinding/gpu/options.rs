//! How searches run.

use crate::Map;
use tickless_device::AdapterKind;
use tickless_engine::Options;
use tickless_engine::pending::PendingSet;

/// How the open cells of a search are kept on a device. No result depends on it.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{pathfinding::gpu::OpenList, pending::PendingSet};
/// assert_eq!("splay".parse(), Ok(OpenList::Set(PendingSet::Splay)));
/// assert_eq!(OpenList::default().name(), "auto");
/// assert!("list".parse::<OpenList>().unwrap_err().to_string().contains("auto, near-far"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenList {
    /// The fastest: on a GPU [`NearFar`](Self::NearFar) where a step expands several cells or the map is not small, else a
    /// heap with four children a place.
    #[default]
    Auto,
    /// A workgroup for each search: the first open cells in order in its own memory, the others without order behind them
    /// (Davidson, Baxter, Garland, Owens 2014).
    NearFar,
    /// A set of pending events, as logical processes have it: with [`PendingSet::CircularParallel`] a workgroup for each
    /// search, with the others a thread. Searches have neither [`PendingSet::GlobalHeap`], since they share nothing, nor
    /// [`PendingSet::Unsorted`], since a search expands one step after the other.
    Set(PendingSet),
}

/// An unknown name of an open list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no open list named '{name}'; there are {}", OpenList::ALL.map(OpenList::name).join(", "))]
pub struct UnknownList {
    /// The name asked for.
    name: String,
}

impl OpenList {
    /// All open lists of searches.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::NearFar,
        Self::Set(PendingSet::Heap),
        Self::Set(PendingSet::HeapOfFours),
        Self::Set(PendingSet::Circular),
        Self::Set(PendingSet::CircularSinglePass),
        Self::Set(PendingSet::CircularParallel),
        Self::Set(PendingSet::Splay),
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::NearFar => "near-far",
            Self::Set(set) => set.name(),
        }
    }

    /// The list that `Auto` stands for, for a search that expands `expand` cells a step; other lists stay.
    pub(super) fn resolved(self, expand: u32, map: &Map, kind: AdapterKind) -> Self {
        let together = expand > 1 || map.width() + map.height() >= ALONE;
        match self {
            Self::Auto if kind != AdapterKind::Software && together => Self::NearFar,
            Self::Auto | Self::Set(PendingSet::Auto) => Self::Set(PendingSet::HeapOfFours),
            list => list,
        }
    }

    /// Whether a search has a workgroup, not a thread.
    pub(super) fn is_parallel(self) -> bool {
        self == Self::NearFar || self.set().is_parallel()
    }

    /// The set whose modules a list uses; near and far cells lie in slots like those of a ring.
    pub(super) fn set(self) -> PendingSet {
        match self {
            Self::Set(set) => set,
            Self::Auto | Self::NearFar => PendingSet::Circular,
        }
    }
}

/// Columns plus rows of a map from which on a workgroup is faster than a thread for a search that expands one cell a step. A
/// workgroup does 0.5 of the searches a second at side 64, 1.2 at 256 and 2.5 at 512 (docs/notebook/others.md).
const ALONE: u32 = 2 * 160;

impl std::str::FromStr for OpenList {
    type Err = UnknownList;

    fn from_str(name: &str) -> Result<Self, UnknownList> {
        let found = Self::ALL.into_iter().find(|list| list.name() == name);
        found.ok_or_else(|| UnknownList { name: name.to_owned() })
    }
}

/// How searches run on a device. No result depends on it.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::gpu::{OpenList, SearchOptions};
/// let options = SearchOptions { open_list: OpenList::Auto, ..SearchOptions::default() };
/// assert_eq!((options.at_once, options.room), (None, None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// How open cells are kept.
    pub open_list: OpenList,
    /// The most searches at once; `None` for as many as suit and fit the device.
    pub at_once: Option<u32>,
    /// The open cells of a search for which there is room at first; `None` for the usual room. A search that needs more
    /// room gets it, behind the others.
    pub room: Option<u32>,
    /// The expansions after which a thread ends its part of a round; `None` for the device's default.
    pub expansions: Option<u32>,
    /// How rounds are cut up.
    pub rounds: Options,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Obstacles;

    #[test]
    fn a_workgroup_has_a_search_where_that_is_faster() {
        let list = |expand, side, kind| {
            let map = Obstacles::new(side, side).map().unwrap();
            OpenList::Auto.resolved(expand, &map, kind)
        };
        let heap = OpenList::Set(PendingSet::HeapOfFours);
        assert_eq!(list(1, 64, AdapterKind::Discrete), heap);
        assert_eq!(list(2, 64, AdapterKind::Discrete), OpenList::NearFar);
        assert_eq!(list(1, 160, AdapterKind::Discrete), OpenList::NearFar);
        assert_eq!(list(8, 160, AdapterKind::Software), heap);
    }
}

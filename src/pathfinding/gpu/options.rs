//! How searches run.

use crate::device::AdapterKind;
use crate::engine::Options;
use crate::pending::PendingSet;

/// How the open cells of a search are kept on a device. It changes no result.
///
/// ```
/// use tickless::{pathfinding::gpu::OpenList, pending::PendingSet};
/// assert_eq!("splay".parse(), Ok(OpenList::Set(PendingSet::Splay)));
/// assert_eq!(OpenList::default().name(), "auto");
/// assert!("list".parse::<OpenList>().unwrap_err().to_string().contains("auto, near-far"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenList {
    /// What is fastest: on a GPU [`NearFar`](Self::NearFar) where a step expands several cells, else a heap with four below
    /// each place.
    #[default]
    Auto,
    /// A workgroup a search: the first open cells in order in its own memory, the others without order behind them (Davidson,
    /// Baxter, Garland, Owens 2014).
    NearFar,
    /// A set of pending events, as logical processes have it: with [`PendingSet::CircularParallel`] a workgroup a search, with
    /// the others a thread. [`PendingSet::GlobalHeap`] is none for searches, which share nothing.
    Set(PendingSet),
}

/// A name that no open list has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no open list named '{name}'; there are {}", OpenList::ALL.map(OpenList::name).join(", "))]
pub struct UnknownList {
    /// What was asked.
    name: String,
}

impl OpenList {
    /// All that searches run with.
    pub const ALL: [Self; 9] = [
        Self::Auto,
        Self::NearFar,
        Self::Set(PendingSet::Heap),
        Self::Set(PendingSet::HeapOfFours),
        Self::Set(PendingSet::Circular),
        Self::Set(PendingSet::CircularFront),
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

    /// What `Auto` is for a search that expands so many cells a step, on an adapter; the others are what they are.
    pub(super) fn resolved(self, expand: u32, kind: AdapterKind) -> Self {
        match self {
            Self::Auto if kind != AdapterKind::Software && expand >= SEVERAL => Self::NearFar,
            Self::Auto => Self::Set(PendingSet::HeapOfFours),
            list => list,
        }
    }

    /// Whether a workgroup has a search, not a thread.
    pub(super) fn is_parallel(self) -> bool {
        self == Self::NearFar || self.set().is_parallel()
    }

    /// The set that the modules of a list are made for; near and far cells lie in slots as those of a ring.
    pub(super) fn set(self) -> PendingSet {
        match self {
            Self::Set(set) => set,
            Self::Auto | Self::NearFar => PendingSet::Circular,
        }
    }
}

/// Cells of a step from which on a workgroup a search is faster than a thread.
const SEVERAL: u32 = 4;

impl std::str::FromStr for OpenList {
    type Err = UnknownList;

    fn from_str(name: &str) -> Result<Self, UnknownList> {
        let found = Self::ALL.into_iter().find(|list| list.name() == name);
        found.ok_or_else(|| UnknownList { name: name.to_owned() })
    }
}

/// How searches run on a device. None of it changes a result.
///
/// ```
/// use tickless::pathfinding::gpu::{OpenList, SearchOptions};
/// let options = SearchOptions { open_list: OpenList::Auto, ..SearchOptions::default() };
/// assert_eq!((options.at_once, options.room), (None, None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// How open cells are kept.
    pub open_list: OpenList,
    /// The most searches at once; `None` for what suits the device and fits it.
    pub at_once: Option<u32>,
    /// For how many open cells of a search there is room at first; `None` for what seems enough. A search that needs more
    /// gets it, behind the others.
    pub room: Option<u32>,
    /// After how many expansions a thread ends its part of a round; `None` for what suits the device.
    pub expansions: Option<u32>,
    /// How rounds are cut up.
    pub rounds: Options,
}

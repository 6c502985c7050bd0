//! Sets of pending events on a device: which there are, and of what modules of `shaders/pending/` each is made.

use crate::kernels::Mounts;

/// How the pending events of a process, or the open cells of a search, are kept on a device. It changes no result.
///
/// ```
/// use tickless::pending::PendingSet;
/// assert_eq!("splay".parse(), Ok(PendingSet::Splay));
/// assert!(PendingSet::ALL.iter().all(|set| set.name().parse() == Ok(*set)));
/// assert_eq!("auto".parse(), Ok(PendingSet::default()));
/// assert!("list".parse::<PendingSet>().unwrap_err().to_string().contains("auto, heap"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PendingSet {
    /// An implicit binary heap.
    Heap,
    /// An implicit heap with four below each place: the fastest, or as fast as the fastest within 2 %, in every row of the
    /// tables under "PHOLD" in docs/performance.md, whatever the model, the adapter and the events a round.
    #[default]
    HeapOfFours,
    /// A sorted ring; what arrives is inserted from its end.
    Circular,
    /// A sorted ring; what arrives is inserted from its beginning.
    CircularFront,
    /// A sorted ring; what arrives in a round is sorted first and merged in one pass.
    CircularSinglePass,
    /// A sorted ring; a workgroup sorts and merges what arrives in a round, for one process after the other.
    CircularParallel,
    /// A splay tree, from the top down.
    Splay,
    /// No set for each process but one for all: a parallel heap, whose nodes have many events each.
    GlobalHeap,
}

/// A name that no set of pending events has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no set of pending events named '{name}'; there are auto, {}", names())]
pub struct UnknownSet {
    /// What was asked.
    name: String,
}

fn names() -> String {
    PendingSet::ALL.map(PendingSet::name).join(", ")
}

impl std::str::FromStr for PendingSet {
    type Err = UnknownSet;

    fn from_str(name: &str) -> Result<Self, UnknownSet> {
        let found = Self::ALL.into_iter().find(|set| set.name() == name);
        let found = found.or_else(|| (name == "auto").then(Self::default));
        found.ok_or_else(|| UnknownSet { name: name.to_owned() })
    }
}

impl PendingSet {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Heap,
        Self::HeapOfFours,
        Self::Circular,
        Self::CircularFront,
        Self::CircularSinglePass,
        Self::CircularParallel,
        Self::Splay,
        Self::GlobalHeap,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heap => "heap",
            Self::HeapOfFours => "heap-of-fours",
            Self::Circular => "circular",
            Self::CircularFront => "circular-front",
            Self::CircularSinglePass => "circular-single-pass",
            Self::CircularParallel => "circular-parallel",
            Self::Splay => "splay",
            Self::GlobalHeap => "global-heap",
        }
    }

    /// What it mounts, for events that carry words or none.
    pub(crate) fn mounts(self, carrying: bool) -> Mounts {
        let [set, insertion, intake] = match self {
            Self::Heap | Self::HeapOfFours => ["pending/heap", "pending/heap", "pending/one_by_one"],
            Self::Circular | Self::CircularFront => ["pending/ring", "pending/circular", "pending/one_by_one"],
            Self::CircularSinglePass => ["pending/ring", "pending/circular", "pending/circular_single_pass"],
            Self::CircularParallel => ["pending/ring", "pending/circular", "pending/circular_parallel"],
            Self::Splay => ["pending/splay", "pending/splay", "pending/one_by_one"],
            // Its own room has the rest.
            Self::GlobalHeap => return Mounts::default(),
        };
        Mounts::default()
            .with("set", set)
            .with("insertion", insertion)
            .with("intake", intake)
            .with("arity", if self == Self::HeapOfFours { "pending/heap_fours" } else { "pending/heap_pairs" })
            .with("events", if carrying { "pending/carrying" } else { "pending/bare" })
    }

    /// The constants of its modules.
    pub(crate) fn constants(self) -> String {
        format!("const FROM_FRONT: bool = {};\n", self == Self::CircularFront)
    }

    /// Whether a workgroup adds to a set.
    pub(crate) fn is_parallel(self) -> bool {
        self == Self::CircularParallel
    }

    pub(crate) fn is_ring(self) -> bool {
        match self {
            Self::Circular | Self::CircularFront | Self::CircularSinglePass | Self::CircularParallel => true,
            Self::Heap | Self::HeapOfFours | Self::Splay | Self::GlobalHeap => false,
        }
    }

    /// Whether the number of a slot tells if it holds an event: not in trees, nor in one heap for all processes.
    pub(crate) fn tells_by_slot(self) -> bool {
        !matches!(self, Self::Splay | Self::GlobalHeap)
    }

    /// Words of 16 bytes in a slot.
    pub(crate) fn slot_words(self, carrying: bool) -> u32 {
        1 + u32::from(carrying) + u32::from(self == Self::Splay)
    }

    /// Slots of a set that hold no event.
    pub(crate) fn spare(self) -> u32 {
        match self {
            Self::Splay => 0,
            _ => 3,
        }
    }
}

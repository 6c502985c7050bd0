//! Sets of pending events on a device, and the modules of `shaders/pending/` for each.

use tickless_kernels::Mounts;

/// How the pending events of a process, or the open cells of a search, are kept on a device. No result depends on it.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// use tickless::pending::PendingSet;
/// assert_eq!("splay".parse(), Ok(PendingSet::Splay));
/// assert!(PendingSet::ALL.iter().all(|set| set.name().parse() == Ok(*set)));
/// assert_eq!("auto".parse(), Ok(PendingSet::Auto));
/// assert!("list".parse::<PendingSet>().unwrap_err().to_string().contains("auto, heap"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PendingSet {
    /// The fastest: on a GPU [`Unsorted`](Self::Unsorted) where a process executes many of its events in a round, else
    /// [`HeapOfFours`](Self::HeapOfFours).
    #[default]
    Auto,
    /// An implicit binary heap.
    Heap,
    /// An implicit heap with four children a place.
    HeapOfFours,
    /// A sorted ring; an arriving event is inserted from its end.
    Circular,
    /// A sorted ring; the arrivals of a round are sorted first and merged in one pass.
    CircularSinglePass,
    /// A sorted ring; a workgroup sorts and merges the arrivals of a round, for one process after the other.
    CircularParallel,
    /// No order: when a round begins, a workgroup takes the imminent events of one process after another out and puts them
    /// in order.
    Unsorted,
    /// A splay tree, from the top down.
    Splay,
    /// One set for all processes: a parallel heap, whose nodes have many events each.
    GlobalHeap,
}

/// An unknown name of a set of pending events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no set of pending events named '{name}'; there are auto, {}", names())]
pub struct UnknownSet {
    /// The name asked for.
    name: String,
}

fn names() -> String {
    PendingSet::ALL.map(PendingSet::name).join(", ")
}

impl std::str::FromStr for PendingSet {
    type Err = UnknownSet;

    fn from_str(name: &str) -> Result<Self, UnknownSet> {
        let mut sets = [Self::Auto].into_iter().chain(Self::ALL);
        sets.find(|set| set.name() == name).ok_or_else(|| UnknownSet { name: name.to_owned() })
    }
}

impl PendingSet {
    /// All sets except `Auto`.
    pub const ALL: [Self; 8] = [
        Self::Heap,
        Self::HeapOfFours,
        Self::Circular,
        Self::CircularSinglePass,
        Self::CircularParallel,
        Self::Unsorted,
        Self::Splay,
        Self::GlobalHeap,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Heap => "heap",
            Self::HeapOfFours => "heap-of-fours",
            Self::Circular => "circular",
            Self::CircularSinglePass => "circular-single-pass",
            Self::CircularParallel => "circular-parallel",
            Self::Unsorted => "unsorted",
            Self::Splay => "splay",
            Self::GlobalHeap => "global-heap",
        }
    }

    /// The set itself; a heap of fours where [`Auto`](Self::Auto) has not been resolved for a model.
    #[doc(hidden)]
    pub fn chosen(self) -> Self {
        if self == Self::Auto { Self::HeapOfFours } else { self }
    }

    /// The modules that the set mounts, for events with or without words.
    #[doc(hidden)]
    pub fn mounts(self, carrying: bool) -> Mounts {
        let [set, insertion, intake] = match self.chosen() {
            Self::Auto | Self::Heap | Self::HeapOfFours => ["pending/heap", "pending/heap", "pending/one_by_one"],
            Self::Circular => ["pending/ring", "pending/circular", "pending/one_by_one"],
            Self::CircularSinglePass => ["pending/ring", "pending/circular", "pending/circular_single_pass"],
            Self::CircularParallel => ["pending/ring", "pending/circular", "pending/circular_parallel"],
            // Nothing is taken in: messages lie there already.
            Self::Unsorted => ["pending/unsorted", "pending/unsorted", "pending/one_by_one"],
            Self::Splay => ["pending/splay", "pending/splay", "pending/one_by_one"],
            // `processes/gpu/global` mounts its modules.
            Self::GlobalHeap => return Mounts::default(),
        };
        Mounts::default()
            .with("set", set)
            .with("insertion", insertion)
            .with("intake", intake)
            .with("arity", if self.chosen() == Self::HeapOfFours { "pending/heap_fours" } else { "pending/heap_pairs" })
            .with("sets", if self == Self::Unsorted { "processes/counted_sets" } else { "processes/sets" })
            .with("outgoing", if self == Self::Unsorted { "processes/deliver" } else { "processes/outbox" })
            .with("events", if carrying { "pending/carrying" } else { "pending/bare" })
    }

    /// Whether a workgroup adds to a set.
    #[doc(hidden)]
    pub fn is_parallel(self) -> bool {
        self == Self::CircularParallel
    }

    #[doc(hidden)]
    pub fn is_ring(self) -> bool {
        match self {
            Self::Circular | Self::CircularSinglePass | Self::CircularParallel => true,
            Self::Auto | Self::Heap | Self::HeapOfFours | Self::Unsorted | Self::Splay | Self::GlobalHeap => false,
        }
    }

    /// Whether the number of a slot tells if the slot holds an event: not in trees, nor in one heap for all processes.
    #[doc(hidden)]
    pub fn tells_by_slot(self) -> bool {
        !matches!(self, Self::Splay | Self::GlobalHeap)
    }

    /// Slots for each event of a set: one more where imminent events have a place of their own.
    #[doc(hidden)]
    pub fn slots_each(self) -> u32 {
        1 + u32::from(self == Self::Unsorted)
    }

    /// Words of 16 bytes in a slot.
    #[doc(hidden)]
    pub fn slot_words(self, carrying: bool) -> u32 {
        1 + u32::from(carrying) + u32::from(self == Self::Splay)
    }

    /// Slots of a set that hold no event.
    #[doc(hidden)]
    pub fn spare(self) -> u32 {
        match self {
            Self::Splay | Self::Unsorted => 0,
            _ => 3,
        }
    }
}

//! Sets of pending events: which there are, and what lies in their slots.

use super::records::Process;

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../../shaders/pending/", $stem, ".wgsl"))
    };
}

const FROM_BACK: &str = "const FROM_FRONT: bool = false;\n";
const FROM_FRONT: &str = "const FROM_FRONT: bool = true;\n";

/// How the pending events of a process are kept on a device. It changes no result.
///
/// ```
/// use tickless::processes::gpu::PendingSet;
/// assert_eq!("splay".parse(), Ok(PendingSet::Splay));
/// assert!(PendingSet::ALL.iter().all(|set| set.name().parse() == Ok(*set)));
/// assert!("list".parse::<PendingSet>().unwrap_err().to_string().contains("heap"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PendingSet {
    /// An implicit binary heap.
    #[default]
    Heap,
    /// An implicit heap with four below each place.
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

/// What is asked: a set, or the one that suits most models.
///
/// ```
/// use tickless::processes::gpu::{Pending, PendingSet};
/// assert_eq!("auto".parse(), Ok(Pending::Auto));
/// assert_eq!("heap".parse(), Ok(Pending::Fixed(PendingSet::Heap)));
/// assert!("list".parse::<Pending>().unwrap_err().to_string().contains("auto, heap"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pending {
    /// Heaps of fours: see [`Pending::set`].
    #[default]
    Auto,
    /// This one.
    Fixed(PendingSet),
}

impl From<PendingSet> for Pending {
    fn from(set: PendingSet) -> Self {
        Self::Fixed(set)
    }
}

impl std::str::FromStr for Pending {
    type Err = UnknownSet;

    fn from_str(name: &str) -> Result<Self, UnknownSet> {
        match name {
            "auto" => Ok(Self::Auto),
            name => {
                name.parse().map(Self::Fixed).map_err(|unknown: UnknownSet| UnknownSet { also: "auto, ", ..unknown })
            }
        }
    }
}

/// Which set of pending events a run had.
///
/// ```
/// use tickless::processes::gpu::{Pending, PendingReport};
/// let report = PendingReport { asked: Pending::Auto, set: Pending::Auto.set(), node: None };
/// assert_eq!(report.set.name(), "heap-of-fours");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingReport {
    /// What was asked.
    pub asked: Pending,
    /// The set that the run had.
    pub set: PendingSet,
    /// Events of a node of [`PendingSet::GlobalHeap`] at the end of the run; `None` with any other set.
    pub node: Option<u32>,
}

impl Pending {
    /// The set that a run has, decided before it begins. [`Pending::Auto`] is [`PendingSet::HeapOfFours`] for every model
    /// and adapter, and however many events a round executes: in every row of the tables under "PHOLD" in
    /// docs/performance.md (an H200) it is the fastest set, or within 2 % of the fastest.
    pub const fn set(self) -> PendingSet {
        match self {
            Self::Auto => PendingSet::HeapOfFours,
            Self::Fixed(set) => set,
        }
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Fixed(set) => set.name(),
        }
    }
}

/// A name that no set of pending events has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no set of pending events named '{name}'; there are {also}{}", names())]
pub struct UnknownSet {
    /// What was asked.
    name: String,
    /// What may be asked besides.
    also: &'static str,
}

fn names() -> String {
    PendingSet::ALL.map(PendingSet::name).join(", ")
}

impl std::str::FromStr for PendingSet {
    type Err = UnknownSet;

    fn from_str(name: &str) -> Result<Self, UnknownSet> {
        let found = Self::ALL.into_iter().find(|set| set.name() == name);
        found.ok_or_else(|| UnknownSet { name: name.to_owned(), also: "" })
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

    /// Its files, for events that carry words or none.
    pub(super) fn sources(self, carrying: bool) -> Vec<&'static str> {
        let one_by_one = shader!("one_by_one");
        let (ring, circular) = (shader!("ring"), shader!("circular"));
        let own: &[&'static str] = match self {
            Self::Heap => &[shader!("heap"), shader!("heap_pairs"), one_by_one],
            Self::HeapOfFours => &[shader!("heap"), shader!("heap_fours"), one_by_one],
            Self::Circular => &[FROM_BACK, ring, circular, one_by_one],
            Self::CircularFront => &[FROM_FRONT, ring, circular, one_by_one],
            Self::CircularSinglePass => {
                &[FROM_BACK, ring, circular, shader!("circular_single_pass"), shader!("sorted_list")]
            }
            Self::CircularParallel => &[FROM_BACK, ring, circular, shader!("circular_parallel")],
            Self::Splay => &[shader!("splay"), one_by_one],
            // Its own room has them.
            Self::GlobalHeap => &[],
        };
        let event = if carrying { shader!("carrying") } else { shader!("bare") };
        [&[shader!("order"), shader!("queue"), shader!("messages"), event], own].concat()
    }

    /// The files of what executes events: rings have them in common.
    pub(super) fn executing(self, carrying: bool) -> Vec<&'static str> {
        let set = if self.is_ring() { Self::Circular } else { self };
        set.sources(carrying)
    }

    /// Whether a workgroup adds to a set.
    pub(super) fn is_parallel(self) -> bool {
        self == Self::CircularParallel
    }

    pub(super) fn is_ring(self) -> bool {
        match self {
            Self::Circular | Self::CircularFront | Self::CircularSinglePass | Self::CircularParallel => true,
            Self::Heap | Self::HeapOfFours | Self::Splay | Self::GlobalHeap => false,
        }
    }

    /// Words of 16 bytes in a slot.
    pub(super) fn slot_words(self, carrying: bool) -> u32 {
        1 + u32::from(carrying) + u32::from(self == Self::Splay)
    }

    /// Slots of a set that hold no event.
    pub(super) fn spare(self) -> u32 {
        match self {
            Self::Splay => 0,
            _ => 3,
        }
    }

    /// The slots of the events in a set of so many slots, in any order. `left_and_right` are the links of a tree.
    pub(super) fn occupied(self, process: &Process, slots: u32, links: impl Fn(u32) -> [u32; 2]) -> Vec<u32> {
        let Process { top, count, .. } = *process;
        match self {
            Self::Heap | Self::HeapOfFours => (0..count).map(|place| place + self.spare()).collect(),
            _ if self.is_ring() => (0..count).map(|place| (top + place) % slots).collect(),
            _ => {
                let (mut found, mut left) = (Vec::with_capacity(count as usize), vec![top]);
                while let Some(link) = left.pop() {
                    if let Some(slot) = link.checked_sub(1) {
                        found.push(slot);
                        left.extend(links(slot));
                    }
                }
                found
            }
        }
    }

    /// Moves a set into more slots: `new` begins with zeros.
    pub(super) fn spread(self, process: &mut Process, old: &[[u32; 4]], new: &mut [[u32; 4]], words: usize) {
        new[..old.len()].copy_from_slice(old);
        let (slots, begin) = (old.len() / words, process.top as usize);
        if self.is_ring() && begin + process.count as usize > slots {
            // What lies before the old end comes to lie before the new one.
            let end = new.len();
            let moved = old.len() - begin * words;
            new[end - moved..].copy_from_slice(&old[begin * words..]);
            process.top += ((end - old.len()) / words) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_that_goes_round_its_end_spreads_whole() {
        for words in [1, 2] {
            for (top, count) in [(0, 5), (3, 2), (3, 4), (4, 5), (2, 0)] {
                let mut process = Process { top, count, ..Process::default() };
                let old: Vec<[u32; 4]> = (0..5 * words as u32).map(|word| [word + 100; 4]).collect();
                let mut new = vec![[0; 4]; 8 * words];
                let set = PendingSet::Circular;
                let events = |process: &Process, slots: u32, buffer: &[[u32; 4]]| -> Vec<[u32; 4]> {
                    let occupied = set.occupied(process, slots, |_| [0; 2]);
                    occupied.iter().flat_map(|slot| buffer[*slot as usize * words..][..words].to_vec()).collect()
                };
                let before = events(&process, 5, &old);
                set.spread(&mut process, &old, &mut new, words);
                assert_eq!(events(&process, 8, &new), before, "{top} {count} {words}");
                assert_eq!(before.len(), count as usize * words);
            }
        }
    }

    #[test]
    fn the_events_of_a_tree_are_those_that_its_root_leads_to() {
        let links = [[0, 0], [4, 3], [0, 0], [0, 1]];
        let process = Process { top: 2, count: 4, ..Process::default() };
        let mut found = PendingSet::Splay.occupied(&process, 9, |slot| links[slot as usize]);
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3]);
    }
}

//! Sets of pending events: which there are, and what lies in their slots.

use super::records::Process;
use crate::kernels::Mounts;

/// How the pending events of a process are kept on a device. It changes no result.
///
/// ```
/// use tickless::processes::gpu::PendingSet;
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
    pub(super) fn mounts(self, carrying: bool) -> Mounts {
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
    pub(super) fn constants(self) -> String {
        format!("const FROM_FRONT: bool = {};\n", self == Self::CircularFront)
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

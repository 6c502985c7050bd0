//! The slots of the events in a set of pending events, and how a set moves into more slots.

use super::records::Process;
use tickless_engine::pending::PendingSet;

/// The slots of the events in a set of `slots` slots, in any order. `links` gives the links of a tree.
pub(super) fn occupied(set: PendingSet, process: &Process, slots: u32, links: impl Fn(u32) -> [u32; 2]) -> Vec<u32> {
    let Process { top, count, .. } = *process;
    match set {
        PendingSet::Heap | PendingSet::HeapOfFours | PendingSet::Unsorted => {
            (0..count).map(|place| place + set.spare()).collect()
        }
        _ if set.is_ring() => (0..count).map(|place| (top + place) % slots).collect(),
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
pub(super) fn spread(set: PendingSet, process: &mut Process, old: &[[u32; 4]], new: &mut [[u32; 4]], words: usize) {
    new[..old.len()].copy_from_slice(old);
    let (slots, begin) = (old.len() / words, process.top as usize);
    if set.is_ring() && begin + process.count as usize > slots {
        // Events before the old end come to lie before the new end.
        let end = new.len();
        let moved = old.len() - begin * words;
        new[end - moved..].copy_from_slice(&old[begin * words..]);
        process.top += ((end - old.len()) / words) as u32;
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
                    let occupied = occupied(set, process, slots, |_| [0; 2]);
                    occupied.iter().flat_map(|slot| buffer[*slot as usize * words..][..words].to_vec()).collect()
                };
                let before = events(&process, 5, &old);
                spread(set, &mut process, &old, &mut new, words);
                assert_eq!(events(&process, 8, &new), before, "{top} {count} {words}");
                assert_eq!(before.len(), count as usize * words);
            }
        }
    }

    #[test]
    fn the_events_of_a_tree_are_those_that_its_root_leads_to() {
        let links = [[0, 0], [4, 3], [0, 0], [0, 1]];
        let process = Process { top: 2, count: 4, ..Process::default() };
        let mut found = occupied(PendingSet::Splay, &process, 9, |slot| links[slot as usize]);
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3]);
    }
}

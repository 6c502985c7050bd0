//! The contents of the buffers of a run that resumes from a checkpoint.

use rayon::prelude::*;

use super::layout::Layout;
use super::records::Process;
use crate::{Checkpoint, PendingMessage, ProcessRecord};
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;
use tickless_engine::ModelParts;
use tickless_engine::pending::PendingSet;

/// Gives a buffer of a model its contents, if the model has it.
pub(super) fn fill<T: bytemuck::NoUninit>(parts: &mut ModelParts, name: &str, contents: &[T]) {
    if let Some(buffer) = parts.buffers.iter_mut().find(|buffer| buffer.name == name) {
        buffer.contents = Some(bytemuck::cast_slice(contents).to_vec());
    }
}

/// Processes without their pending events, and the words of their states beside the first.
pub(super) fn records(from: &Checkpoint) -> Result<(Vec<Process>, Vec<u32>), NoMemory> {
    let (processes, words) = (&from.outcome.processes, from.outcome.state_words());
    let state = &from.outcome.state;
    memory::room_of((size_of::<Process>() * processes.len() + 4 * state.len()) as u64, "the records of the processes")?;
    let record = |(id, (record, stream)): (usize, (&ProcessRecord, &u64))| Process {
        state: *stream,
        now: record.last.ticks(),
        executed: record.executed,
        sent: record.sent,
        word: state.get(id * words).copied().unwrap_or_default(),
        ..Process::default()
    };
    let records = processes.iter().zip(&from.streams).enumerate().map(record).collect();
    let more = state.chunks(words.max(1)).flat_map(|words| words[1..].iter().copied()).collect();
    Ok((records, more))
}

/// The slots that the fullest set needs.
pub(super) fn needed(from: &Checkpoint, set: PendingSet) -> u32 {
    let most = from.outcome.processes.iter().map(|record| record.pending).max();
    most.unwrap_or(0).saturating_add(set.spare())
}

/// The sets of all processes.
pub(super) struct Sets {
    pub(super) slots: Vec<[u32; 4]>,
    /// The number of events of each set, for sets without order.
    pub(super) counts: Vec<u32>,
    /// The earliest event of each process.
    pub(super) next_event: Vec<u64>,
}

impl Sets {
    /// Puts pending messages into slots, and the words of their sets into the records of the processes.
    pub(super) fn new(from: &Checkpoint, layout: &Layout, processes: &mut [Process]) -> Result<Self, NoMemory> {
        let words = layout.set_words();
        let mut slots = memory::filled([0; 4], processes.len() * words, "the slots of the pending events")?;
        let pending: Vec<&[PendingMessage]> = from.pending().collect();
        let put_all = |((process, set), pending): ((&mut Process, &mut [[u32; 4]]), &&[PendingMessage])| {
            put(layout.set, layout.slot_words(), process, set, pending);
        };
        processes.par_iter_mut().zip(slots.par_chunks_mut(words)).zip(&pending).for_each(put_all);
        let unsorted = layout.set == PendingSet::Unsorted;
        let count = |pending: &&[PendingMessage]| if unsorted { pending.len() as u32 } else { 0 };
        let earliest =
            |pending: &&[PendingMessage]| pending.first().map_or(Time::NEVER, |message| message.time).ticks();
        let (counts, next_event) = (pending.iter().map(count).collect(), pending.iter().map(earliest).collect());
        Ok(Self { slots, counts, next_event })
    }
}

/// Puts ordered messages into the slots of a set. In order they are a heap, and a ring from its first slot on.
fn put(set: PendingSet, words: usize, process: &mut Process, slots: &mut [[u32; 4]], pending: &[PendingMessage]) {
    let first = if set.is_ring() { 0 } else { set.spare() as usize };
    for (slot, message) in slots.chunks_mut(words).skip(first).zip(pending) {
        let &PendingMessage { time, source, sequence, payload: [a, b, c] } = message;
        slot[0] = [time.ticks() as u32, (time.ticks() >> 32) as u32, source, sequence];
        // In a tree the links follow behind the slot's event.
        if let Some(carried) = slot.get_mut(1) {
            *carried = [a, b, c, 0];
        }
    }
    let count = pending.len() as u32;
    process.count = if set == PendingSet::Unsorted { 0 } else { count };
    if set == PendingSet::Splay {
        (process.top, process.least) = (link(slots, words, 0..count), u32::from(count > 0));
    }
}

/// Makes a balanced tree of slots in order; returns the link of its root.
fn link(slots: &mut [[u32; 4]], words: usize, range: std::ops::Range<u32>) -> u32 {
    if range.is_empty() {
        return 0;
    }
    let root = range.start.midpoint(range.end);
    let [left, right] = [range.start..root, root + 1..range.end].map(|half| link(slots, words, half));
    slots[(root as usize + 1) * words - 1] = [left, right, 0, 0];
    root + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::pending::occupied;

    fn messages(count: u32) -> Vec<PendingMessage> {
        let message = |n: u32| PendingMessage {
            time: Time::from_ticks(u64::from(n) << 31),
            source: n % 3,
            sequence: n,
            payload: [n, 2 * n, 7],
        };
        (0..count).map(message).collect()
    }

    /// A set contains the messages that were put in, at the slots where it looks for them.
    #[test]
    fn every_set_has_all_that_was_pending() {
        for set in PendingSet::ALL.into_iter().filter(|set| *set != PendingSet::GlobalHeap) {
            for (count, carrying) in [(0, false), (1, true), (2, false), (7, true), (8, false), (13, true)] {
                let (words, room) = (set.slot_words(carrying) as usize, 16 + set.spare());
                let mut slots = vec![[0; 4]; (room * set.slots_each()) as usize * words];
                let (mut process, pending) = (Process::default(), messages(count));
                put(set, words, &mut process, &mut slots, &pending);
                if set == PendingSet::Unsorted {
                    process.count = count;
                }
                let links = |slot: u32| {
                    let [left, right, ..] = slots[(slot as usize + 1) * words - 1];
                    [left, right]
                };
                let mut found = occupied(set, &process, room, links);
                found.sort_unstable();
                let first = if set.is_ring() { 0 } else { set.spare() };
                assert_eq!(found, (first..first + count).collect::<Vec<_>>(), "{set:?} {count}");
                for (slot, message) in found.iter().zip(&pending) {
                    let [.., source, sequence] = slots[*slot as usize * words];
                    assert_eq!((source, sequence), (message.source, message.sequence), "{set:?}");
                    if carrying {
                        assert_eq!(slots[*slot as usize * words + 1][..3], message.payload, "{set:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_tree_of_slots_is_in_order() {
        let (count, words) = (11, 2);
        let (mut process, mut slots) = (Process::default(), vec![[0; 4]; 12 * words]);
        put(PendingSet::Splay, words, &mut process, &mut slots, &messages(count));
        // From left to right the slots come in their order.
        fn walk(slots: &[[u32; 4]], link: u32, found: &mut Vec<u32>) {
            if let Some(slot) = link.checked_sub(1) {
                let [left, right, ..] = slots[slot as usize * 2 + 1];
                walk(slots, left, found);
                found.push(slot);
                walk(slots, right, found);
            }
        }
        let mut found = vec![];
        walk(&slots, process.top, &mut found);
        assert_eq!((found, process.least, process.count), ((0..count).collect(), 1, count));
    }
}

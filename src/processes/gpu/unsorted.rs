//! Sets without order when there is no room for a message: the events of each, the imminent events left in it, and the messages
//! that are still with their senders.

use rayon::prelude::*;

use super::crossing::Crossing;
use super::layout::Layout;
use super::records::{Process, gathered_inboxes};
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_engine::Rounds;

/// A word of slots and messages.
type Word = [u32; 4];

/// The sets of all processes as a device has left them.
pub(super) struct Sets {
    processes: Vec<Process>,
    /// The events of each set, those without room included.
    counts: Vec<u32>,
    slots: Vec<Word>,
    messages: Vec<Word>,
    /// The messages that crossed in the last round, keys and the rest.
    crossed: Vec<(Word, Word)>,
}

/// The same sets in more slots.
pub(super) struct Spread {
    pub(super) processes: Vec<Process>,
    pub(super) counts: Vec<u32>,
    pub(super) slots: Vec<Word>,
    /// The earliest event of each process.
    pub(super) next_event: Vec<u64>,
}

impl Sets {
    /// # Errors
    /// A lost device.
    pub(super) fn read(rounds: &mut Rounds, crossing: Option<Crossing>, inbox_shift: u32) -> Result<Self, DeviceError> {
        let (processes, counts) = (rounds.read("processes")?, gathered_inboxes(rounds.read("inboxes")?, inbox_shift));
        let (slots, messages) = (rounds.read("slots")?, rounds.read("messages")?);
        let crossed = match crossing {
            Some(crossing) => crossing.messages(&rounds.read::<Word>("crossing")?).collect(),
            None => vec![],
        };
        Ok(Self { processes, counts, slots, messages, crossed })
    }

    /// The most events of a process, and the most slots that a process needs for them and for the events that it has not
    /// executed. In its record `top` says where its imminent events begin, `count` how many are left, `free` how many messages
    /// it sent for which there was no room (`shaders/processes/counted_sets.wgsl`).
    pub(super) fn needed(&self) -> [u32; 2] {
        let slots = self.processes.iter().zip(&self.counts).map(|(process, count)| count + process.count);
        [self.counts.iter().copied().max(), slots.max()].map(Option::unwrap_or_default)
    }

    /// The messages that crossed to a set without room for all, and are not in it.
    fn undelivered(&self, layout: &Layout) -> Vec<(Word, Word)> {
        let (words, room) = (layout.slot_words(), layout.slots as usize);
        let is_missing = |(key, [destination, ..]): &(Word, Word)| {
            let first = *destination as usize * layout.set_words();
            let is_full = self.counts[*destination as usize] as usize > room;
            is_full && !self.slots[first..first + room * words].iter().step_by(words).any(|other| other == key)
        };
        self.crossed.par_iter().copied().filter(is_missing).collect()
    }

    pub(super) fn spread(self, old: &Layout, new: &Layout) -> Spread {
        let undelivered = self.undelivered(old);
        let Self { mut processes, mut counts, slots, messages, .. } = self;
        let (words, room, outbox) = (old.slot_words(), old.slots as usize, old.outbox as usize);
        let mut spread = vec![[0; 4]; processes.len() * new.set_words()];
        let sets = slots.par_chunks(old.set_words()).zip(spread.par_chunks_mut(new.set_words()));
        counts.par_iter_mut().zip(&processes).zip(sets).for_each(|((count, process), (old, new))| {
            let there = (*count as usize).min(room) * words;
            let first = (room + process.top as usize) * words;
            let imminent = &old[first..first + process.count as usize * words];
            new[..there].copy_from_slice(&old[..there]);
            new[there..there + imminent.len()].copy_from_slice(imminent);
            *count = ((there + imminent.len()) / words) as u32;
        });
        let sent = processes
            .iter()
            .enumerate()
            .flat_map(|(id, process)| (0..process.free as usize).map(move |n| id * outbox + n));
        let kept = sent.map(|number| (messages[2 * number], messages[2 * number + 1]));
        for (key, rest) in kept.chain(undelivered) {
            let [destination, carried @ ..] = rest;
            let place = destination as usize * new.set_words() + counts[destination as usize] as usize * words;
            spread[place] = key;
            if words > 1 {
                spread[place + 1] = [carried[0], carried[1], carried[2], 0];
            }
            counts[destination as usize] += 1;
        }
        let earliest = |(count, set): (&u32, &[Word])| {
            let times =
                set.iter().step_by(words).take(*count as usize).map(|key| u64::from(key[1]) << 32 | u64::from(key[0]));
            times.min().unwrap_or(Time::NEVER.ticks())
        };
        let next_event = counts.par_iter().zip(spread.par_chunks(new.set_words())).map(earliest).collect();
        processes.iter_mut().for_each(|process| (process.top, process.count, process.free) = (0, 0, 0));
        Spread { processes, counts, slots: spread, next_event }
    }
}

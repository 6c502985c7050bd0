//! The contents of the heap of all processes' events: made from ordered events, and read back.

use rayon::prelude::*;

use super::shape::{Shape, cargo_words};
use crate::PendingMessage;
use tickless_core::time::Time;

/// A key behind all others: the place is empty.
const NONE: [u32; 4] = [u32::MAX; 4];

/// An event and its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) destination: u32,
    pub(super) message: PendingMessage,
}

/// The buffers of a heap.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) keys: Vec<[u32; 4]>,
    /// A word for each event, or four where events carry words.
    pub(super) cargo: Vec<u32>,
    pub(super) words: Vec<u32>,
}

impl Entry {
    /// `None` for an empty place.
    fn from_words(key: [u32; 4], cargo: &[u32]) -> Option<Self> {
        let [low, high, source, sequence] = key;
        let time = Time::from_ticks(u64::from(high) << 32 | u64::from(low));
        let payload = if let [_, a, b, c] = *cargo { [a, b, c] } else { [0; 3] };
        let message = PendingMessage { time, source, sequence, payload };
        (low & high != u32::MAX).then(|| Self { destination: cargo[0], message })
    }

    fn key(&self) -> [u32; 4] {
        let PendingMessage { time, source, sequence, .. } = self.message;
        [time.ticks() as u32, (time.ticks() >> 32) as u32, source, sequence]
    }
}

impl Contents {
    /// A heap of events in the order of their keys: node after node, so that no event comes before an event in a node
    /// above.
    pub(super) fn new(shape: &Shape, carrying: bool, entries: &[Entry]) -> Self {
        let (places, each) = (shape.events() as usize, cargo_words(carrying));
        let mut contents =
            Self { keys: vec![NONE; places], cargo: vec![0; places * each], words: vec![0; shape.words()] };
        contents.keys.par_iter_mut().zip(entries).for_each(|(key, entry)| *key = entry.key());
        contents.cargo.par_chunks_mut(each).zip(entries).for_each(|(cargo, entry)| {
            let [a, b, c] = entry.message.payload;
            cargo.copy_from_slice(&[entry.destination, a, b, c][..each]);
        });
        for node in 0..shape.nodes {
            contents.words[(shape.node + node) as usize] = node;
        }
        for level in 0..shape.levels() {
            contents.words[shape.level_at(level) + 2] = shape.nodes + level;
        }
        contents
    }

    /// All events between two rounds, in no order.
    pub(super) fn entries(&self, shape: &Shape) -> Vec<Entry> {
        let size = u64::from(shape.node);
        let areas = (0..shape.nodes).into_par_iter().map(|node| (self.area(shape, node), size));
        let beside = (shape.sorted_at() + size, u64::from(shape.sorted) - size);
        areas.chain([beside]).flat_map_iter(|(at, length)| self.found(at, length)).collect()
    }

    /// The area of the events of a node: its slot; the slot that was spare until the last part of a round; or the area
    /// held for it, where a step is due. After a whole round steps are due at odd levels, and slots change at the levels
    /// below even ones.
    fn area(&self, shape: &Shape, node: u32) -> u64 {
        let level = (node + 1).ilog2();
        let record = |level: u32| &self.words[shape.level_at(level)..][..4];
        let slot = self.words[(shape.node + node) as usize];
        let slot = match level.checked_sub(1).filter(|above| above % 2 == 0).map(record) {
            Some(&[_, _, spare, changed]) if changed == node + 1 => spare,
            _ => slot,
        };
        match *record(level) {
            [due, 1, ..] if level % 2 == 1 && due == node => shape.held_at(level),
            _ => u64::from(slot) * u64::from(shape.node),
        }
    }

    fn found(&self, at: u64, length: u64) -> impl Iterator<Item = Entry> {
        let (at, length) = (at as usize, length as usize);
        let each = self.cargo.len() / self.keys.len();
        let keys = &self.keys[at..][..length];
        let cargo = self.cargo[at * each..][..length * each].chunks(each);
        keys.iter().zip(cargo).filter_map(|(key, cargo)| Entry::from_words(*key, cargo))
    }
}

/// Events as they lie one behind the other, without empty places.
pub(super) fn listed(keys: &[[u32; 4]], cargo: &[u32]) -> Vec<Entry> {
    let each = cargo.len() / keys.len();
    let found = keys.par_iter().zip(cargo.par_chunks(each));
    found.filter_map(|(key, cargo)| Entry::from_words(*key, cargo)).collect()
}

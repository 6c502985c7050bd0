//! Queues of unlimited length: intrusive lists of slots that all facilities share.

use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// No slot.
const NONE: u32 = u32::MAX;
/// No slot, and no service in progress either.
const IDLE: u32 = u32::MAX - 1;

/// The server and the queue of a facility. The first arrival time lies here, since most queues are short.
pub struct Queue {
    /// The arrival time of the first token in the queue, or never.
    first: Time,
    /// The slot of the second token, or [`NONE`] or [`IDLE`].
    second: u32,
    /// The slot of the last token, if there is a second.
    last: u32,
}

/// One waiting token, or a link of the list of free slots.
#[derive(Clone, Copy)]
struct Slot {
    arrival: Time,
    next: u32,
}

/// The slots of all queues, at most as many as tokens.
pub struct Slots {
    slots: Vec<Slot>,
    /// The slot freed last, whose memory is the nearest.
    free: u32,
}

impl Default for Queue {
    fn default() -> Self {
        Self { first: Time::NEVER, second: IDLE, last: NONE }
    }
}

impl Default for Slots {
    fn default() -> Self {
        Self { slots: Vec::new(), free: NONE }
    }
}

impl Slots {
    /// Makes room for so many slots before the first is taken.
    pub fn reserve(&mut self, slots: usize) -> Result<(), NoMemory> {
        self.slots = memory::with_room(slots, "the waiting tokens")?;
        Ok(())
    }

    #[inline]
    fn take(&mut self, arrival: Time) -> u32 {
        let slot = Slot { arrival, next: NONE };
        let id = self.free;
        if let Some(place) = self.slots.get_mut(id as usize) {
            self.free = place.next;
            *place = slot;
            return id;
        }
        self.slots.push(slot);
        (self.slots.len() - 1) as u32
    }

    #[inline]
    fn give(&mut self, id: u32) -> Slot {
        let place = &mut self.slots[id as usize];
        let slot = *place;
        place.next = self.free;
        self.free = id;
        slot
    }
}

impl Queue {
    /// A token comes; returns whether it finds the server idle and starts. Otherwise it queues.
    #[inline]
    pub fn arrive(&mut self, now: Time, slots: &mut Slots) -> bool {
        if self.second == IDLE {
            self.second = NONE;
            return true;
        }
        if self.first == Time::NEVER {
            self.first = now;
        } else {
            let slot = slots.take(now);
            if self.second == NONE {
                self.second = slot;
            } else {
                slots.slots[self.last as usize].next = slot;
            }
            self.last = slot;
        }
        false
    }

    /// A token leaves; returns the arrival time of the next token, if one waits. Otherwise the server falls idle.
    #[inline]
    pub fn depart(&mut self, slots: &mut Slots) -> Option<Time> {
        let arrival = self.first;
        if arrival == Time::NEVER {
            self.second = IDLE;
            return None;
        }
        self.first = Time::NEVER;
        if self.second != NONE {
            let slot = slots.give(self.second);
            self.first = slot.arrival;
            self.second = slot.next;
        }
        Some(arrival)
    }

    /// The arrival times of the waiting tokens, in order.
    pub fn iter<'a>(&self, slots: &'a Slots) -> impl Iterator<Item = Time> + 'a {
        let rest =
            std::iter::successors(slots.slots.get(self.second as usize), |slot| slots.slots.get(slot.next as usize));
        Some(self.first).filter(|first| *first != Time::NEVER).into_iter().chain(rest.map(|slot| slot.arrival))
    }
}

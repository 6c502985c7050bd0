//! The future event list: 16-byte events on an implicit heap.

use std::fmt;

use super::Key;
use super::implicit_heap::Heap;
use crate::time::Time;

/// Something that happens to an entity at a time; the payload is the model's.
///
/// Events are ordered by time, then entity, then payload.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{heap::Event, time::Time};
/// let event = |units, entity| Event { time: Time::from_units(units).unwrap(), entity, payload: 0 };
/// assert!(event(1.0, 9) < event(2.0, 3));
/// assert!(event(2.0, 3) < event(2.0, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// The time of the event.
    pub time: Time,
    /// The entity, which orders the events of one instant.
    pub entity: u32,
    /// A word of the model.
    pub payload: u32,
}

impl Event {
    /// The event as one word of the same order.
    #[inline]
    const fn pack(self) -> u128 {
        (self.time.ticks() as u128) << 64 | (self.entity as u128) << 32 | self.payload as u128
    }

    #[inline]
    const fn unpack(word: u128) -> Self {
        Self { time: Time::from_ticks((word >> 64) as u64), entity: (word >> 32) as u32, payload: word as u32 }
    }
}

/// The future event list: a priority queue of 16-byte events in the order of [`Event`].
///
/// A removal leaves its place open at a leaf and the next insertion takes it, so that an event that schedules another
/// costs one walk down the heap.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{heap::{Event, EventList}, time::Time};
/// let event = |ticks, entity| Event { time: Time::from_ticks(ticks), entity, payload: 0 };
/// let mut list: EventList = [event(5, 0), event(3, 2), event(3, 1)].into_iter().collect();
/// assert_eq!(list.pop(), Some(event(3, 1)));
/// list.push(event(4, 1));
/// assert_eq!(list.first(), Some(event(3, 2)));
/// assert_eq!(list.len(), 3);
/// ```
#[derive(Clone, Default)]
pub struct EventList {
    heap: Heap<u128>,
}

impl EventList {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many events are scheduled.
    #[inline]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether no event is scheduled.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// The earliest event.
    #[inline]
    pub fn first(&self) -> Option<Event> {
        let word = self.heap.first();
        (word != <u128 as Key>::EMPTY).then(|| Event::unpack(word))
    }

    /// The time of the earliest event; [`Time::NEVER`] where there is none.
    #[inline]
    pub fn next(&self) -> Time {
        Event::unpack(self.heap.first()).time
    }

    /// Schedules an event; an event at [`Time::NEVER`] is left out.
    #[inline]
    pub fn push(&mut self, event: Event) {
        if event.time != Time::NEVER {
            self.heap.push(event.pack());
        }
    }

    /// Removes the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<Event> {
        let first = self.first()?;
        self.heap.pop();
        Some(first)
    }

    /// Every scheduled event, in no particular order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        self.heap.iter().map(Event::unpack)
    }
}

impl FromIterator<Event> for EventList {
    /// Builds the list in linear time.
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let scheduled = events.into_iter().filter(|event| event.time != Time::NEVER);
        Self { heap: scheduled.map(Event::pack).collect() }
    }
}

impl fmt::Debug for EventList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventList").field("len", &self.len()).field("first", &self.first()).finish()
    }
}

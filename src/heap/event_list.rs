//! The future event list: the current stretch of time sorted, the near future on a heap, the rest in buckets.

use std::fmt;

use super::far::Far;
use super::near::{EMPTY, Heap};
use crate::time::Time;

/// A list of fewer events is a heap and nothing else.
const SMALL: usize = 512;
/// How far [`EventList::upcoming`] looks ahead.
const AHEAD: usize = 8;

/// Something that happens to an entity at a time; the payload is the model's.
///
/// Events are ordered by time, then entity, then payload.
///
/// ```
/// use tickless::{heap::Event, time::Time};
/// let event = |units, entity| Event { time: Time::from_units(units).unwrap(), entity, payload: 0 };
/// assert!(event(1.0, 9) < event(2.0, 3));
/// assert!(event(2.0, 3) < event(2.0, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// When.
    pub time: Time,
    /// To whom; orders the events of one instant.
    pub entity: u32,
    /// What the model wants to remember of it.
    pub payload: u32,
}

impl Event {
    /// The event in one word that orders as the event does.
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
/// Time is cut into buckets of equal width that hold a few hundred events each. The earliest bucket is sorted and
/// taken from its end; what is scheduled into it meanwhile goes on a heap; later events are thrown into their
/// buckets unsorted. So most events cost an append and a share of a sort that stays in the nearest cache, however
/// many there are. Widths follow the events: whenever they fit badly, and the list has changed enough to pay
/// for it, all events are spread anew. A small list, or one whose events all meet at one time, is a plain heap.
///
/// ```
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
    /// What was scheduled into the current bucket after it was sorted; everything, where the list is small.
    near: Heap,
    /// The current bucket, the earliest event last.
    run: Vec<u128>,
    /// Everything after the current bucket.
    far: Far,
    /// Insertions since the events were spread.
    changes: usize,
}

impl EventList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many events are scheduled.
    pub fn len(&self) -> usize {
        self.near.len() + self.run.len() + self.far.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// The earliest event.
    #[inline]
    pub fn first(&self) -> Option<Event> {
        let word = self.near.first().min(self.sorted());
        // Only "no event" has this time; one comparison of half the word.
        Some(Event::unpack(word)).filter(|event| event.time != Time::NEVER)
    }

    /// An event that is likely to be among the next few, so that its memory can be touched early.
    #[inline]
    pub fn upcoming(&self) -> Option<Event> {
        let ahead = self.run.len().wrapping_sub(1 + AHEAD);
        self.run.get(ahead).map_or_else(|| self.first(), |&word| Some(Event::unpack(word)))
    }

    /// Schedules an event. At [`Time::NEVER`] nothing is scheduled.
    #[inline]
    pub fn push(&mut self, event: Event) {
        self.changes += 1;
        if self.far.takes(event.time) {
            self.far.push(event.pack());
        } else if event.time != Time::NEVER {
            self.near.push(event.pack());
            if self.near.len() > SMALL && self.changes > self.len() {
                self.spread();
            }
        }
    }

    /// Removes the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<Event> {
        let first = self.first()?;
        if self.sorted() < self.near.first() {
            self.run.pop();
        } else {
            self.near.pop();
        }
        if self.run.is_empty() && self.near.first() == EMPTY {
            self.advance();
        }
        Some(first)
    }

    /// Every scheduled event, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        self.near.iter().chain(self.run.iter().copied()).chain(self.far.iter()).map(Event::unpack)
    }

    /// The earliest word of the current bucket.
    #[inline]
    fn sorted(&self) -> u128 {
        self.run.last().copied().unwrap_or(EMPTY)
    }

    /// Sorts the next bucket.
    #[inline(never)]
    fn advance(&mut self) {
        if self.far.is_sparse(self.changes) && self.changes > self.len() || !self.far.next(&mut self.run) {
            self.spread();
        } else {
            self.run.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// Chooses new buckets for all events.
    #[cold]
    fn spread(&mut self) {
        let words: Vec<u128> = self.near.iter().chain(self.run.iter().copied()).chain(self.far.iter()).collect();
        self.scatter(words);
    }

    fn scatter(&mut self, words: Vec<u128>) {
        self.changes = 0;
        self.run.clear();
        if words.len() <= SMALL {
            self.far = Far::default();
            self.near = words.into_iter().collect();
        } else {
            self.near = Heap::default();
            self.far.spread(&words, &mut self.run);
            self.run.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
}

impl FromIterator<Event> for EventList {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut list = Self::new();
        list.scatter(events.into_iter().filter(|event| event.time != Time::NEVER).map(Event::pack).collect());
        list
    }
}

impl fmt::Debug for EventList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventList").field("len", &self.len()).field("first", &self.first()).finish()
    }
}

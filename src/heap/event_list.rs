//! The future event list: a priority queue of 16-byte entries on a heap whose groups of children fill cache lines.

use std::fmt;

use crate::time::Time;

/// Children of a node.
const ARITY: usize = 4;
/// The place of the first event. The places before it stay empty, so that every group of children is aligned.
const ROOT: usize = ARITY - 1;
/// No event: after every event.
const EMPTY: u128 = u128::MAX;

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

/// The children of one node, in whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group([u128; ARITY]);

impl Group {
    const EMPTY: Self = Self([EMPTY; ARITY]);

    /// The smallest entry and its place, by pairs: a short chain of comparisons without a branch.
    #[inline]
    fn smallest(&self) -> (u128, usize) {
        let mut best: [(u128, usize); ARITY] = std::array::from_fn(|place| (self.0[place], place));
        let mut half = ARITY / 2;
        while half > 0 {
            for i in 0..half {
                let (a, b) = (best[i], best[i + half]);
                best[i] = if b.0 < a.0 { b } else { a };
            }
            half /= 2;
        }
        best[0]
    }
}

/// The future event list.
///
/// A removal walks the empty place from the root down to a leaf and leaves it open there; the next insertion takes
/// that place and rises from it. So an event that schedules another costs one walk, which does not depend on the
/// new event's time and overlaps with the work that finds it.
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
#[derive(Clone)]
pub struct EventList {
    /// Place `i` is entry `i % ARITY` of group `i / ARITY`. Beyond the last event entries are empty.
    groups: Vec<Group>,
    /// One more than the last place in use.
    end: usize,
    /// The leaf that the last removal left open, or `end` where there is none.
    hole: usize,
}

impl Default for EventList {
    fn default() -> Self {
        Self { groups: vec![Group::EMPTY], end: ROOT, hole: ROOT }
    }
}

impl EventList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many events are scheduled.
    pub fn len(&self) -> usize {
        self.end - ROOT - usize::from(self.hole < self.end)
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The earliest event.
    #[inline]
    pub fn first(&self) -> Option<Event> {
        let word = self.groups[0].0[ROOT];
        (word != EMPTY).then(|| Event::unpack(word))
    }

    /// Schedules an event. At [`Time::NEVER`] nothing is scheduled.
    #[inline]
    pub fn push(&mut self, event: Event) {
        if event.time == Time::NEVER {
            return;
        }
        let place = self.hole;
        if place == self.end {
            if place.is_multiple_of(ARITY) {
                self.groups.push(Group::EMPTY);
            }
            self.end += 1;
        }
        self.hole = self.end;
        self.rise(place, event.pack());
    }

    /// Removes the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<Event> {
        self.fill_hole();
        let first = self.first()?;
        let (mut group, mut place) = (0, ROOT);
        let mut below = 1;
        while let Some(children) = self.groups.get(below) {
            let (word, child) = children.smallest();
            self.groups[group].0[place % ARITY] = word;
            (group, place) = (below, child);
            below = group * ARITY + place - ROOT + 1;
        }
        self.groups[group].0[place % ARITY] = EMPTY;
        self.hole = group * ARITY + place;
        Some(first)
    }

    /// Every scheduled event, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        self.groups.iter().flat_map(|g| g.0).filter(|&word| word != EMPTY).map(Event::unpack)
    }

    /// Moves the last event to the open place, if there is one.
    #[inline]
    fn fill_hole(&mut self) {
        let place = self.hole;
        if place == self.end {
            return;
        }
        self.end -= 1;
        let last = &mut self.groups[self.end / ARITY].0[self.end % ARITY];
        let word = std::mem::replace(last, EMPTY);
        if self.end.is_multiple_of(ARITY) {
            self.groups.pop();
        }
        self.hole = self.end;
        if place != self.end {
            self.rise(place, word);
        }
    }

    /// Puts a word where its parents are smaller, on the way from an open place to the root.
    #[inline]
    fn rise(&mut self, mut place: usize, word: u128) {
        while place != ROOT {
            let parent = place / ARITY + ROOT - 1;
            let above = self.groups[parent / ARITY].0[parent % ARITY];
            if above < word {
                break;
            }
            self.groups[place / ARITY].0[place % ARITY] = above;
            place = parent;
        }
        self.groups[place / ARITY].0[place % ARITY] = word;
    }

    /// Puts a word where its children are larger, on the way from a place down.
    fn sink(&mut self, mut place: usize, word: u128) {
        while let Some(children) = self.groups.get(place - ROOT + 1) {
            let (least, child) = children.smallest();
            if word <= least {
                break;
            }
            self.groups[place / ARITY].0[place % ARITY] = least;
            place = (place - ROOT + 1) * ARITY + child;
        }
        self.groups[place / ARITY].0[place % ARITY] = word;
    }
}

impl FromIterator<Event> for EventList {
    /// Builds the list in linear time.
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut list = Self::new();
        for event in events {
            if event.time == Time::NEVER {
                continue;
            }
            if list.end.is_multiple_of(ARITY) {
                list.groups.push(Group::EMPTY);
            }
            list.groups[list.end / ARITY].0[list.end % ARITY] = event.pack();
            list.end += 1;
        }
        list.hole = list.end;
        // Places whose children exist, from the last to the root; each becomes the top of a heap.
        for place in (ROOT..list.groups.len() + ROOT - 1).rev() {
            let word = list.groups[place / ARITY].0[place % ARITY];
            list.sink(place, word);
        }
        list
    }
}

impl fmt::Debug for EventList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventList").field("len", &self.len()).field("first", &self.first()).finish()
    }
}

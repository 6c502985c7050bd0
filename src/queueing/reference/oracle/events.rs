//! The events to come, in the order of the contract: by time, phase, entity and number.
//!
//! An event is one word, which has all of this but the number: the number is its token's. Events that have the rest in common are few, and
//! are put in order when they come first. What is interrupted, or served in time, leaves its event behind: it is left out when it comes first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::NOBODY;
use super::token::Token;
use super::touched::Stations;
use crate::reference::Slab;
use tickless_core::heap::{BucketList, Key};
use tickless_core::time::Time;

/// What kind of event it is: the order of those of one instant. Of 32 bits: an [`Event`] would have a gap behind a single byte, and the
/// compiler would copy the gap with every event, in overlapping pieces that the processor waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(super) enum Phase {
    /// A service ends.
    Departure,
    /// A token loses its patience.
    Patience,
    /// A shift begins.
    Shift,
    /// A server fails or is repaired.
    Failure,
    /// A server is set up, or comes back.
    Return,
    /// A token comes to a station or a sink.
    Arrival,
}

impl Phase {
    /// By number, in three bits.
    const ALL: [Self; 8] = {
        use Phase::{Arrival, Departure, Failure, Patience, Return, Shift};
        [Departure, Patience, Shift, Failure, Return, Arrival, Arrival, Arrival]
    };
}

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) time: Time,
    pub(super) phase: Phase,
    /// The station; of an arrival where it comes from, sources behind the stations. Below 2²⁹.
    pub(super) entity: u32,
    /// The place of a token, of a failure the number of the server, of a set-up its own, of a shift or a walk of a group its number, of units theirs
    /// (`unit_changes`); of others nothing.
    pub(super) token: u32,
}

/// Bits of an event that are no part of its order.
const TOKEN: u32 = 32;
const PHASE: u32 = 61;

impl Event {
    #[inline]
    pub(super) fn pack(self) -> u128 {
        let Self { time, phase, entity, token } = self;
        let below = (phase as u64) << PHASE | u64::from(entity) << TOKEN | u64::from(token);
        u128::from(time.ticks()) << 64 | u128::from(below)
    }

    #[inline]
    pub(super) fn unpack(word: u128) -> Self {
        let below = word as u64;
        Self {
            time: Time::from_ticks(word.rank()),
            phase: Phase::ALL[(below >> PHASE) as usize],
            entity: (below >> TOKEN) as u32 & (u32::MAX >> 3),
            token: below as u32,
        }
    }

    /// Its number in the order of the contract.
    pub(super) fn number(&self, tokens: &Slab<Token>) -> u128 {
        match self.phase {
            // Original times are of approximate time alone.
            Phase::Departure => {
                let token = &tokens[self.token];
                u128::from(token.original.ticks()) << 64 | u128::from(token.visit)
            }
            Phase::Patience => tokens[self.token].arrival.into(),
            Phase::Shift if self.token == NOBODY => 0,
            // Of a shift the group, or a resource.
            Phase::Failure | Phase::Shift => self.token.into(),
            Phase::Arrival if self.token != NOBODY => tokens[self.token].order(),
            Phase::Return | Phase::Arrival => 0,
        }
    }

    /// Whether nothing has come in between since it was scheduled.
    #[inline]
    pub(super) fn happens(&self, tokens: &Slab<Token>, stations: &Stations) -> bool {
        let &Self { time, phase, entity, token: place } = self;
        let is_there = || tokens[place].at == entity;
        if phase == Phase::Departure {
            return tokens[place].end == time && is_there();
        }
        match phase {
            Phase::Patience => tokens[place].gives_up == time && !tokens[place].begun && is_there(),
            Phase::Failure => stations[entity as usize].is_due(place, time),
            Phase::Return => stations[entity as usize].comes_back(place),
            _ => true,
        }
    }
}

/// An event of the instant under way, by what orders it there: its phase and entity, its number, its token.
type Numbered = (u32, u128, u32);
/// None of these: behind all others.
const NO_EVENT: Numbered = (u32::MAX, 0, NOBODY);

pub(super) struct Events {
    /// All but the first.
    list: BucketList<u128>,
    first: u128,
    /// Of the instant under way: events that have all but the number in common with others, and arrivals without delay. The first, or
    /// [`NO_EVENT`], and the others.
    near: Numbered,
    behind: BinaryHeap<Reverse<Numbered>>,
    /// Nothing happens from here on.
    until: Time,
}

impl Events {
    pub(super) fn new(until: Time) -> Self {
        let (list, first) = (BucketList::new(), <u128 as Key>::EMPTY);
        Self { list, first, near: NO_EVENT, behind: BinaryHeap::new(), until }
    }

    /// When the next instant is, where none is under way.
    #[inline]
    pub(super) fn next(&self) -> Time {
        Time::from_ticks(self.first.rank())
    }

    /// Schedules an event. Behind the horizon only arrivals are of use: they say who is on the way.
    #[inline]
    pub(super) fn push(&mut self, event: Event) {
        if event.time < self.until || event.phase == Phase::Arrival && event.time < Time::NEVER {
            let word = event.pack();
            if word < self.first {
                return self.push_first(word);
            }
            self.list.push(word);
        }
    }

    /// Schedules what comes before all others. It is seldom so, and a branch: of two values compared, the next event would wait for the draw of
    /// the service that the last one has begun.
    #[cold]
    fn push_first(&mut self, word: u128) {
        let behind = std::mem::replace(&mut self.first, word);
        if behind != <u128 as Key>::EMPTY {
            self.list.push(behind);
        }
    }

    /// The same for an event of the instant under way.
    pub(super) fn push_near(&mut self, event: Event, number: u128) {
        let numbered = (order(event.pack()), number, event.token);
        let later = numbered.max(self.near);
        self.near = numbered.min(self.near);
        if later != NO_EVENT {
            self.behind.push(Reverse(later));
        }
    }

    /// Whether nothing else is to happen at the instant under way.
    #[inline]
    pub(super) fn is_over(&self, now: Time) -> bool {
        self.near == NO_EVENT && self.first.rank() != now.ticks()
    }

    /// Takes out the first event of the instant under way, by what gives the number of each.
    #[inline(always)]
    pub(super) fn take(&mut self, now: Time, number: impl Fn(&Event) -> u128) -> Option<Event> {
        if self.first.rank() == now.ticks() && order(self.first) < self.near.0 {
            let first = self.take_first();
            if (self.first ^ first) >> TOKEN != 0 {
                return Some(Event::unpack(first));
            }
            let event = Event::unpack(first);
            self.push_near(event, number(&event));
        }
        if self.near == NO_EVENT { None } else { self.take_near(now, &number) }
    }

    /// The same of those that are not in the list, and of those in the list that have all but the number in common with the first of these.
    fn take_near(&mut self, now: Time, number: &dyn Fn(&Event) -> u128) -> Option<Event> {
        let first = self.near.0;
        while self.first.rank() == now.ticks() && order(self.first) == first {
            let event = Event::unpack(self.take_first());
            self.push_near(event, number(&event));
        }
        let token = self.near.2;
        self.near = self.behind.pop().map_or(NO_EVENT, |next| next.0);
        Some(Event::unpack(word(now, first) | u128::from(token)))
    }

    /// Drops the next events, as long as they happen no longer. No instant is under way.
    pub(super) fn drop_while(&mut self, is_over: impl Fn(&Event) -> bool) {
        while self.first != <u128 as Key>::EMPTY && is_over(&Event::unpack(self.first)) {
            self.take_first();
        }
    }

    /// All events, in no particular order, with some that happen no longer. No instant is under way.
    pub(super) fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        let first = Some(self.first).filter(|first| *first != <u128 as Key>::EMPTY);
        first.into_iter().chain(self.list.iter()).map(Event::unpack)
    }

    /// Takes out the first word.
    #[inline]
    fn take_first(&mut self) -> u128 {
        let next = self.list.pop();
        std::mem::replace(&mut self.first, next)
    }
}

/// The order of an event within its instant, but for its number.
#[inline]
fn order(word: u128) -> u32 {
    (word as u64 >> TOKEN) as u32
}

/// The word of an event of this order, without its token.
#[inline]
fn word(time: Time, order: u32) -> u128 {
    u128::from(time.ticks()) << 64 | u128::from(u64::from(order) << TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events at few times and entities against a sorted list of what is there, with events that no longer happen.
    #[test]
    fn events_come_in_the_order_of_their_keys() {
        let mut stream = tickless_core::random::StreamKey::new(5, 0).stream(0);
        let mut draw = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
        let until = Time::from_ticks(1000);
        let mut events = Events::new(until);
        // By token: its number, whether it happens, and the rest.
        let mut all: Vec<(u128, bool, Event)> = vec![];
        let mut now = Time::ZERO;
        for token in 0..4000 {
            let phase = Phase::ALL[draw(8) as usize];
            let at = Time::from_ticks(now.ticks() + u64::from(draw(4)));
            let (event, number) = (Event { time: at, phase, entity: draw(3), token }, u128::from(draw(1 << 20)));
            // What happens at once is no earlier than what has just happened.
            let is_near = phase == Phase::Arrival && draw(2) == 0;
            let event = if is_near { Event { time: now, ..event } } else { event };
            all.push((number, is_near || draw(5) > 0, event));
            if is_near {
                events.push_near(event, number)
            } else {
                events.push(event)
            }
            for _ in 0..1 + draw(2) {
                let (happens, number) =
                    (|event: &Event| all[event.token as usize].1, |event: &Event| all[event.token as usize].0);
                let found = loop {
                    match events.take(now, number) {
                        Some(event) if happens(&event) => break Some(event),
                        Some(_) => {}
                        None if events.next() == Time::NEVER => break None,
                        None => now = events.next(),
                    }
                };
                let there = all
                    .iter()
                    .filter(|(_, happens, event)| *happens && (event.time < until || event.phase == Phase::Arrival));
                let first = there.min_by_key(|(number, _, event)| (event.pack() >> TOKEN, *number, event.token));
                assert_eq!(found, first.map(|(.., event)| *event));
                let Some(found) = found else { continue };
                assert_eq!(now, found.time);
                all[found.token as usize].1 = false;
            }
        }
        assert!(now.ticks() > 990, "{}", now.ticks());
    }
}

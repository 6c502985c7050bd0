//! Networks in exact time whose stations have one server each.
//!
//! Such a station has at most one next event, the end of its service, and so has a source: the event list is a tournament
//! among them, with one place more for the transits. The duration of a service is drawn when the one before it starts, so
//! that its end is one addition. Nearly every instant has one event, which is executed without being collected and sorted.

mod arrival_bound;
mod distributed;
mod outcome;
mod resumption;
mod station;
#[cfg(test)]
mod tests;

use super::border::{self, Border};
use super::{Slab, tally};
use crate::QueueingError;
use crate::capability::{delays, entities};
use crate::messages::Announcement;
use crate::{NetworkModel, SinkRecord};
use arrival_bound::ArrivalBound;
use station::{Ahead, Station, Token};
use tickless_core::heap::{BucketList, Handler, Key as _, Tournament, Word};
use tickless_core::random::{LogarithmRow, StreamKey, logarithm_table};
use tickless_core::run::{Asking, Interrupted};
use tickless_core::time::Time;

/// An arriving token: its target, and its place in the order of an instant.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    from: u32,
    target: u32,
    number: u64,
    entered: Time,
}

struct Source {
    interval: Ahead,
    sent: u64,
    /// The time of its last token.
    last: Time,
    target: u32,
}

/// A bit in the end of a transit: its token comes from another rank.
const COMES: u128 = 1 << 32;

/// The end of the transit in a place.
fn end_of(time: Time, place: u32) -> u128 {
    u128::from(time.ticks()) << 64 | u128::from(place)
}

/// The counts at the end of the warm-up.
struct Opening {
    stations: Vec<tally::Opening>,
    /// Tokens from each source.
    sent: Vec<u64>,
    /// Tokens in the network.
    tokens: u64,
}

/// The state of such a network.
pub(super) struct Singles<'a, W> {
    model: &'a NetworkModel,
    logarithms: &'static [LogarithmRow; 256],
    stations: Vec<Station>,
    sources: Vec<Source>,
    sinks: Vec<SinkRecord>,
    /// Losses by station, where a capacity is limited.
    losses: Vec<u64>,
    delays: bool,
    next: Tournament<W>,
    transits: Slab<Arrival>,
    /// In the upper 64 bits the time, see [`end_of`].
    ends_of_transits: BucketList<u128>,
    arriving: Vec<Arrival>,
    /// The end of the warm-up; never once it is past.
    opens: Time,
    opening: Option<Opening>,
    /// Losses before the end of the warm-up.
    lost_before: u64,
    /// Tokens from sources and ends of services before the run resumed from a checkpoint.
    sent_before: u64,
    completed_before: u64,
    /// Targets from this one on are stations of other ranks.
    abroad: u32,
    pub(super) border: Option<Border<'a>>,
    outlooks: Vec<ArrivalBound>,
}

impl<W: Word> Handler for Singles<'_, W> {
    type Error = QueueingError;

    #[inline]
    fn next(&mut self) -> Time {
        self.next.first().0
    }

    #[inline(always)]
    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        let (_, entity) = self.next.first();
        if now >= self.opens {
            self.open();
        }
        if entity >= self.model.stations() || self.delays {
            return Ok(self.other_instant(entity, now));
        }
        let arrival = self.depart(entity, now);
        Ok(self.conclude(arrival, now))
    }

    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

impl<'a, W: Word> Singles<'a, W> {
    /// The state before time 0: see [`Singles::begin`].
    pub(super) fn new(model: &'a NetworkModel, key: StreamKey, border: Option<Border<'a>>) -> Self {
        let number = |id| border::number(border.as_ref(), id);
        let station = |id| Station::new(model, id, key.stream(number(id)));
        let source = |id| {
            let (inflow, stream) = (model.inflow(id), key.stream(number(model.stations() + id)));
            Source { interval: Ahead::new(&inflow.law, stream), sent: 0, last: inflow.start, target: inflow.target }
        };
        let limited = (0..model.stations()).any(|id| model.capacity(id) < u32::MAX);
        Self {
            model,
            logarithms: logarithm_table(),
            stations: (0..model.stations()).map(station).collect(),
            sources: (0..model.sources()).map(source).collect(),
            sinks: vec![SinkRecord::default(); model.sinks() as usize],
            losses: if limited { vec![0; model.stations() as usize] } else { vec![] },
            delays: delays(model) || border.is_some(),
            next: Tournament::new(entities(model, border.is_some()), model.until()),
            transits: Slab::new(),
            ends_of_transits: BucketList::new(),
            arriving: vec![],
            opens: model.warmup(),
            opening: None,
            lost_before: 0,
            sent_before: 0,
            completed_before: 0,
            abroad: border.as_ref().map_or(u32::MAX, Border::first),
            outlooks: arrival_bound::outlooks(model, border.as_ref()),
            border,
        }
    }

    /// Places the tokens, starts their services and the sources' first intervals.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        let token = Token { arrived: Time::ZERO, entered: Time::NEVER };
        for id in 0..self.model.stations() {
            let tokens = self.model.tokens_at(id);
            let Some(mut waiting) = tokens.checked_sub(1) else { continue };
            self.admit(id, token, Time::ZERO);
            let queue = &mut self.stations[id as usize].queue;
            queue.reserve_exact(waiting as usize);
            while waiting > 0 {
                let some = waiting.min(1 << 16);
                queue.extend(std::iter::repeat_n(token, some as usize));
                waiting -= some;
                asking.made(some.into())?;
            }
            asking.made(1)?;
        }
        (0..self.model.sources()).for_each(|id| self.schedule_source(id));
        Ok(())
    }

    /// An instant that does not begin with the end of a service whose token arrives at once.
    fn other_instant(&mut self, entity: u32, now: Time) -> u64 {
        match self.happen(entity, now) {
            Some(arrival) => self.conclude(arrival, now),
            None => self.crowd(None, now),
        }
    }

    /// Executes the next event of an entity; returns the token that arrives with it, if any.
    fn happen(&mut self, entity: u32, now: Time) -> Option<Arrival> {
        let (stations, sources) = (self.model.stations(), self.model.sources());
        if entity < stations {
            let edge = self.stations[entity as usize].edge;
            let arrival = self.depart(entity, now);
            self.delay(arrival, edge, now)
        } else if entity < stations + sources {
            Some(self.send(entity - stations, now))
        } else {
            self.end_of_transit()
        }
    }

    /// The part of an instant after its first event: nearly always the arrival of its token and nothing else.
    #[inline(always)]
    fn conclude(&mut self, arrival: Arrival, now: Time) -> u64 {
        if self.next.first().0 == now {
            return self.crowd(Some(arrival), now);
        }
        self.arrive(arrival, now);
        1
    }

    /// The rest of an instant of several events: the events in the order of the tournament, stations first, then the arrivals
    /// by source and number.
    #[cold]
    #[inline(never)]
    fn crowd(&mut self, first: Option<Arrival>, now: Time) -> u64 {
        let mut arriving = std::mem::take(&mut self.arriving);
        arriving.extend(first);
        let mut events = 1;
        loop {
            let (time, entity) = self.next.first();
            if time > now {
                break;
            }
            arriving.extend(self.happen(entity, now));
            events += 1;
        }
        if let Some(border) = &mut self.border {
            arriving.extend(border.landed().map(|(number, coming)| {
                let Announcement { from, target, entered, .. } = coming;
                Arrival { from, target, number, entered }
            }));
        }
        let number = |from| border::number(self.border.as_ref(), from);
        arriving.sort_unstable_by_key(|arrival| (number(arrival.from), arrival.number));
        arriving.drain(..).for_each(|arrival| self.arrive(arrival, now));
        self.arriving = arriving;
        events
    }

    /// A service ends; the next one starts.
    #[inline(always)]
    fn depart(&mut self, id: u32, now: Time) -> Arrival {
        let station = &mut self.stations[id as usize];
        // Every service but the one that ends comes after a departure.
        let (target, number) = (station.target, station.tally.starts);
        let arrival = Arrival { from: id, target, number, entered: station.entered };
        if let Some(token) = station.queue.pop_front() {
            self.start(id, token, now);
        } else {
            station.end = Time::NEVER;
            self.next.set(id, Time::NEVER);
        }
        arrival
    }

    /// A token leaves by an edge that may have a delay, or lead to another rank, which has been told.
    fn delay(&mut self, arrival: Arrival, edge: u32, now: Time) -> Option<Arrival> {
        if arrival.target >= self.abroad {
            return None;
        }
        let delay = self.model.edges()[edge as usize].delay;
        if delay == Time::ZERO {
            return Some(arrival);
        }
        let payload = self.transits.put(arrival);
        self.ends_of_transits.push(end_of(super::later(now, delay), payload));
        self.schedule_transits();
        None
    }

    /// Executes the transit that ends first. A token of another rank is left with the others of this instant.
    fn end_of_transit(&mut self) -> Option<Arrival> {
        let end = self.ends_of_transits.pop();
        self.schedule_transits();
        match &mut self.border {
            Some(border) if end & COMES != 0 => {
                border.lands(end as u32);
                None
            }
            _ => Some(*self.transits.take(end as u32)),
        }
    }

    fn schedule_transits(&mut self) {
        let time = Time::from_ticks(self.ends_of_transits.first().rank());
        self.next.set(self.model.stations() + self.model.sources(), time);
    }

    #[inline(always)]
    fn send(&mut self, id: u32, now: Time) -> Arrival {
        let source = &mut self.sources[id as usize];
        let from = self.model.stations() + id;
        let arrival = Arrival { from, target: source.target, number: source.sent, entered: now };
        source.sent += 1;
        source.last = now;
        self.schedule_source(id);
        arrival
    }

    /// The next token of a source that has tokens left.
    #[inline(always)]
    fn schedule_source(&mut self, id: u32) {
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        let left = source.sent < inflow.limit;
        let time = if left { super::later(source.last, source.interval.time) } else { Time::NEVER };
        self.next.set(self.model.stations() + id, time);
        source.interval.draw(self.logarithms, || &inflow.law);
    }

    #[inline(always)]
    fn arrive(&mut self, arrival: Arrival, now: Time) {
        let Arrival { target, entered, .. } = arrival;
        if target >= self.model.stations() {
            return self.leave(target - self.model.stations(), entered, now);
        }
        if !self.losses.is_empty() && self.stations[target as usize].present() >= self.model.capacity(target) as usize {
            self.losses[target as usize] += 1;
            return;
        }
        self.admit(target, Token { arrived: now, entered }, now);
    }

    /// A token comes to a sink.
    #[inline(always)]
    fn leave(&mut self, sink: u32, entered: Time, now: Time) {
        let sink = &mut self.sinks[sink as usize];
        sink.tokens += 1;
        if entered != Time::NEVER {
            sink.from_sources += 1;
            sink.sojourn += u128::from(now.ticks() - entered.ticks());
        }
    }

    /// A token goes into service if the server is free, else to the end of the queue.
    #[inline(always)]
    fn admit(&mut self, id: u32, token: Token, now: Time) {
        let station = &mut self.stations[id as usize];
        if station.end == Time::NEVER {
            self.start(id, token, now);
        } else {
            station.queue.push_back(token);
        }
    }

    #[inline(always)]
    fn start(&mut self, id: u32, token: Token, now: Time) {
        let station = &mut self.stations[id as usize];
        self.next.set(id, station.start(token, now));
        station.draw(self.model, self.logarithms, id);
        if station.target >= self.abroad {
            self.announce(id);
        }
    }

    /// If the token in service will go to another rank, it is announced now.
    #[cold]
    fn announce(&mut self, id: u32) {
        let (station, Some(border)) = (&self.stations[id as usize], &mut self.border) else { return };
        let delay = self.model.edges()[station.edge as usize].delay;
        let visit = station.tally.starts;
        border.announce(Announcement {
            from: id,
            target: station.target,
            class: 0,
            visit,
            entered: station.entered,
            departed: station.end,
            arrives: super::later(station.end, delay),
        });
    }
}

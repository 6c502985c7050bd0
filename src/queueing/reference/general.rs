//! Any network, in exact or in approximate time.
//!
//! An event is the end of a service, the end of a transit or a token from a source. All events of one instant are
//! collected and then settled in the contract's order: first the departures, then the arrivals by their source and that
//! source's number. In approximate time ([`NetworkModel::approximate`]) an event has an original time beside the one at
//! which it happens. Sums are integrals that are brought up to date whenever the number at a station changes.

mod approximate;

mod outcome;
mod over;
mod queue;
mod resumption;
mod visits;

use super::accounts::Accounts;
use super::border::{self, Border, COMING};
use super::observation::Observations;
use super::{Slab, later};
use crate::QueueingError;
use crate::{NetworkModel, SinkRecord};
use approximate::Approximation;
use queue::Queue;
use tickless_core::heap::{Event, EventList, Handler};
use tickless_core::random::{Stream, StreamKey};
use tickless_core::run::{Asking, Interrupted};
use tickless_core::time::Time;

/// The entity of events that end a transit.
const TRANSIT: u32 = u32::MAX;

/// What a token remembers.
#[derive(Clone, Copy, Debug)]
struct Token {
    /// When it came from a source; never where it was there at time 0.
    entered: Time,
    /// When it came to the station where it is.
    arrived: Time,
    /// The original time of that; in exact time, the same.
    original: Time,
}

/// A service in progress; its edge is drawn with it.
#[derive(Clone, Copy, Debug)]
struct Service {
    station: u32,
    token: Token,
    visit: u64,
    target: u32,
    delay: Time,
    end: Time,
    /// The original time of its end; in exact time, the same.
    original: Time,
}

impl Token {
    fn new(arrived: Time, original: Time) -> Self {
        Self { entered: arrived, arrived, original }
    }
}

/// A token on its way: to whom, and its place in the order of an instant.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    from: u32,
    number: u64,
    target: u32,
    token: Token,
    left: Left,
}

/// When a token left a station, and the number of its visit there: the order of departures for those who do not see all of them.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    departed: Time,
    visit: u64,
}

struct Station {
    stream: Stream,
    accounts: Accounts,
    queue: Queue,
    visits: u64,
    departures: u64,
}

struct Source {
    stream: Stream,
    sent: u64,
    counted: u64,
    /// The original time of its next token.
    original: Time,
}

pub(super) struct Simulation<'a> {
    model: &'a NetworkModel,
    stations: Vec<Station>,
    sources: Vec<Source>,
    sinks: Vec<SinkRecord>,
    approximation: Option<Approximation>,
    observations: Option<Observations>,
    /// What is to come: ends of services and of transits, tokens from sources.
    events: EventList,
    services: Slab<Service>,
    transits: Slab<Arrival>,
    departing: Vec<Service>,
    arriving: Vec<Arrival>,
    in_transit: u64,
    transits_ended: u64,
    present: u64,
    present_before: u64,
    lost_before: u64,
    /// The sum over the stations of the number present, squared.
    squares: u64,
    /// Ends of services before the run went on from a checkpoint.
    completed_before: u64,
    /// Targets from this one on are stations of other ranks.
    abroad: u32,
    border: Option<Border<'a>>,
}

impl Handler for Simulation<'_> {
    type Error = QueueingError;

    #[inline]
    fn next(&mut self) -> Time {
        self.events.next()
    }

    /// Every event of an instant.
    #[inline]
    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        let mut events = 0;
        while let Some(Event { entity, payload, .. }) = self.events.pop() {
            events += 1;
            if entity < self.model.stations() {
                let service = self.services.take(payload);
                self.departing.push(service);
            } else if entity == TRANSIT {
                let arrival = self.transits.take(payload);
                self.in_transit -= 1;
                self.transits_ended += 1;
                self.arriving.push(arrival);
            } else if entity == COMING {
                self.land(payload, now);
            } else {
                self.send(entity - self.model.stations(), now);
            }
            if self.events.next() > now {
                break;
            }
        }
        self.settle(now);
        Ok(events)
    }
}

impl<'a> Simulation<'a> {
    pub(super) fn new(model: &'a NetworkModel, key: StreamKey, border: Option<Border<'a>>) -> Self {
        let stream = |id| key.stream(border::number(border.as_ref(), id));
        let station = |id| Station {
            stream: stream(id),
            accounts: Accounts::new(model.warmup()),
            queue: Default::default(),
            visits: 0,
            departures: 0,
        };
        let source = |id| Source {
            stream: stream(model.stations() + id),
            sent: 0,
            counted: 0,
            original: model.inflow(id).start,
        };
        let tokens = u64::from(model.tokens());
        Self {
            model,
            stations: (0..model.stations()).map(station).collect(),
            sources: (0..model.sources()).map(source).collect(),
            sinks: vec![SinkRecord::default(); model.sinks() as usize],
            approximation: model.approximate().map(|interval| Approximation::new(interval, model)),
            observations: Observations::new(model),
            events: EventList::new(),
            services: Slab::new(),
            transits: Slab::new(),
            departing: vec![],
            arriving: vec![],
            in_transit: 0,
            transits_ended: 0,
            present: tokens,
            present_before: tokens,
            lost_before: 0,
            squares: 0,
            completed_before: 0,
            abroad: border.as_ref().map_or(u32::MAX, Border::first),
            border,
        }
    }

    /// Places the tokens, starts their services and the sources' first intervals.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        for id in 0..self.model.stations() {
            let tokens = self.model.tokens_at(id);
            let served = tokens.min(self.model.servers(id));
            for _ in 0..served {
                self.admit(id, Queue::FIRST, Time::ZERO);
                asking.made(1)?;
            }
            self.wait(id, tokens - served);
            asking.made(1)?;
        }
        for id in 0..self.model.sources() {
            self.schedule_source(id);
        }
        Ok(())
    }

    /// Ends of services in this run, the warm-up included.
    pub(super) fn completions(&self) -> u64 {
        self.stations.iter().map(|station| station.departures).sum::<u64>() - self.completed_before
    }

    /// Ends of transits: events of the list, but not of the run, which has counted the departure of the token.
    pub(super) fn transits_ended(&self) -> u64 {
        self.transits_ended
    }

    /// The sum over the stations of the number present, squared.
    pub(super) fn squares(&self) -> u64 {
        self.squares
    }

    fn counted(&self, now: Time) -> bool {
        now >= self.model.warmup()
    }

    /// Draws the next interval of a source that has tokens left.
    fn schedule_source(&mut self, id: u32) {
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        if source.sent < inflow.limit {
            source.original = later(source.original, inflow.law.service(&mut source.stream));
            let time = self.approximation.as_ref().map_or(source.original, |a| a.executed(source.original));
            self.events.push(Event { time, entity: self.model.stations() + id, payload: 0 });
        }
    }

    fn send(&mut self, id: u32, now: Time) {
        let counted = u64::from(self.counted(now));
        let source = &mut self.sources[id as usize];
        let token = Token::new(now, source.original);
        let from = self.model.stations() + id;
        let target = self.model.inflow(id).target;
        self.arriving.push(Arrival { from, number: source.sent, target, token, left: Left::default() });
        source.sent += 1;
        source.counted += counted;
        self.came(now, 1);
        self.schedule_source(id);
    }

    /// Counts tokens that came (1) or went (-1).
    fn came(&mut self, now: Time, change: i64) {
        self.present = self.present.wrapping_add_signed(change);
        if !self.counted(now) {
            self.present_before = self.present;
        }
    }

    /// Everything of one instant: departures first, then arrivals by source and number.
    fn settle(&mut self, now: Time) {
        let mut departing = std::mem::take(&mut self.departing);
        if departing.len() > 1 {
            departing.sort_unstable_by_key(|service| (service.station, service.original, service.visit));
        }
        for service in departing.drain(..) {
            self.depart(service, now);
        }
        self.departing = departing;
        self.number_landed();
        let mut arriving = std::mem::take(&mut self.arriving);
        if arriving.len() > 1 {
            let number = |from| border::number(self.border.as_ref(), from);
            arriving.sort_unstable_by_key(|arrival| (arrival.token.original, number(arrival.from), arrival.number));
        }
        for arrival in arriving.drain(..) {
            self.arrive(arrival, now);
        }
        self.arriving = arriving;
    }
}

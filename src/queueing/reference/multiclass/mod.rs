//! A network of classes, disciplines and patience: one event at a time.
//!
//! The event that comes first in the order of [`Key`] happens next, whatever was scheduled when. Of one instant that is: ends of
//! services, then the ends of patience, shifts, failures and repairs, servers that
//! come back, then arrivals by the station that they come from and its departure number, sources last;
//! what an event causes at its own instant takes its place among those that are still to come.

mod before;
mod blocking;
mod forks;
mod line;
mod outcome;
mod resources;
mod routes;
mod series;
mod servers;
mod sharing;
mod station;
mod touched;
mod visits;
mod wear;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::observation::Observations;
use super::{Slab, later};
use crate::multiclass::{Coming, ForkRecord, PhaseStanding, Rules, SourceRules, Standing};
use crate::{NetworkModel, QueueingError, SinkRecord};
use forks::Siblings;
use resources::Units;
use series::Recorder;
use station::Station;
use tickless_core::heap::Handler;
use tickless_core::random::{Stream, StreamKey};
use tickless_core::run::{Asking, Interrupted};
use tickless_core::time::Time;
use touched::Stations;

/// What kind of event it is: the order of those of one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
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

/// An event, and its place in the order of all: no two have the same up to its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    time: Time,
    phase: Phase,
    /// The station; of an arrival where it comes from, sources behind the stations.
    entity: u32,
    /// Of a departure the number of the service, of the end of patience that of the arrival, of a shift its own, of a failure that of
    /// the server, of one that comes back that of
    /// its absence, of an arrival that of the departure.
    number: u64,
    /// Its place; of a source none yet.
    token: u32,
}

/// The number of the arrival of a token that is on its way.
const NONE: u64 = u64::MAX;
/// Nobody's place.
const NOBODY: u32 = u32::MAX;

/// A token.
#[derive(Clone, Copy, Debug)]
struct Token {
    class: u32,
    /// When it came from a source; never where it was there at time 0.
    entered: Time,
    /// The station where it is, or the target that it goes to.
    at: u32,
    /// When it came there.
    arrived: Time,
    /// Since when the times of its service count: its arrival, or the end of a service that is repeated.
    from: Time,
    /// The number of its arrival there.
    arrival: u64,
    /// What is left of its service; nothing is drawn before the first one begins, but where the shortest job is served first.
    work: Option<Time>,
    /// Its whole service.
    service: Time,
    /// Where it goes then.
    edge: u32,
    /// Since when it waits.
    since: Time,
    /// What it has waited here.
    waited: u64,
    /// Whether a service has begun.
    begun: bool,
    /// Since when it holds its server, served and without room where it goes.
    blocked: Option<Time>,
    /// The route that it keeps, served again since there was no room.
    kept: Option<u32>,
    /// Whether there is room for it where it goes.
    expected: bool,
    /// The number of the service in progress, and when it ends.
    serving: Option<(u64, Time)>,
    /// The copies of one token that it is one of.
    siblings: u32,
    /// The server that serves or holds it, where servers fail by use.
    server: u32,
}

struct Source {
    stream: Stream,
    sent: u64,
    counted: u64,
    /// When the next token comes.
    next: Time,
    standing: Standing,
    phase: PhaseStanding,
    /// The next row of its trace.
    row: usize,
}

pub(super) struct Simulation<'a> {
    model: &'a NetworkModel,
    rules: &'a Rules,
    stations: Stations,
    sources: Vec<Source>,
    /// By sink and class.
    sinks: Vec<SinkRecord>,
    observations: Option<Observations>,
    series: Option<Recorder>,
    units: Units,
    /// Stations where the first token waits for units, and for nothing else.
    short: BTreeSet<u32>,
    siblings: Slab<Siblings>,
    /// Copies that have been made at this event: their places, and where they go.
    copies: Vec<(u32, u32, Time)>,
    forks: ForkRecord,
    /// What ends the run.
    fault: Option<QueueingError>,
    /// Stations that may wait for ever since this event, which are looked at behind it: where a service has stopped for want of room, a
    /// token has made room of no use, or servers have changed.
    suspects: BTreeSet<u32>,
    /// Whether classes may have room of their own.
    counts_classes: bool,
    events: BinaryHeap<Reverse<Key>>,
    tokens: Slab<Token>,
    in_transit: u64,
    present: u64,
    present_before: u64,
    lost_before: u64,
    /// The sum over the stations of the number present, squared.
    squares: u64,
    /// How many tokens have balked at the present instant.
    balked: (Time, u64),
}

impl Handler for Simulation<'_> {
    type Error = QueueingError;

    fn next(&mut self) -> Time {
        if self.fault.is_some() {
            // Of time 0: it is told at once.
            return Time::ZERO;
        }
        // What has been interrupted, or was served in time, is no event.
        while let Some(Reverse(event)) = self.events.peek() {
            if self.happens(event) {
                return event.time;
            }
            self.events.pop();
        }
        Time::NEVER
    }

    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        self.fault.take().map_or(Ok(()), Err)?;
        let Some(Reverse(event)) = self.events.pop() else { return Ok(0) };
        let count = self.happen(event, now)?;
        loop {
            self.grant_and_check(now);
            self.fault.take().map_or(Ok(()), Err)?;
            // Tokens that have changed places may have given units back.
            if !self.rules.has_resources() || !self.check_units(now)? {
                return Ok(count);
            }
        }
    }
}

impl<'a> Simulation<'a> {
    /// An event happens; how many it counts as.
    fn happen(&mut self, event: Key, now: Time) -> Result<u64, QueueingError> {
        match event.phase {
            Phase::Departure => self.depart(event.token, now)?,
            Phase::Patience => self.renege(event.token, now),
            Phase::Shift | Phase::Failure | Phase::Return => {
                match event.phase {
                    Phase::Shift => self.change_shift(event.entity, event.number, now),
                    Phase::Failure => self.change_server(event.entity, event.number, now),
                    _ => self.come_back(event.entity, now),
                }
                self.looks_again(event.entity);
            }
            Phase::Arrival if event.token == NOBODY => return self.send(event.entity - self.model.stations(), now),
            Phase::Arrival => {
                self.in_transit -= 1;
                return self.arrive(event.token, now);
            }
        }
        Ok(1)
    }

    pub(super) fn new(model: &'a NetworkModel, rules: &'a Rules, key: StreamKey) -> Self {
        let order = |id: u32| rules.stations[id as usize].order;
        let station = |id| Station::new(key.stream(id), rules.classes(), model.warmup(), order(id));
        let source = |id| Source {
            stream: key.stream(model.stations() + id),
            sent: 0,
            counted: 0,
            next: model.inflow(id).start,
            standing: Standing::default(),
            phase: PhaseStanding::default(),
            row: 0,
        };
        let tokens = u64::from(model.tokens());
        Self {
            model,
            rules,
            stations: Stations::new((0..model.stations()).map(station).collect(), &rules.seizing),
            sources: (0..model.sources()).map(source).collect(),
            sinks: vec![SinkRecord::default(); (model.sinks() * rules.classes()) as usize],
            observations: Observations::new(model),
            series: Recorder::new(model),
            units: Units::new(rules, model.warmup()),
            short: BTreeSet::new(),
            siblings: Slab::new(),
            copies: vec![],
            forks: ForkRecord::default(),
            fault: None,
            suspects: BTreeSet::new(),
            counts_classes: rules.counts_classes(),
            events: BinaryHeap::new(),
            tokens: Slab::new(),
            in_transit: 0,
            present: tokens,
            present_before: tokens,
            lost_before: 0,
            squares: 0,
            balked: (Time::ZERO, 0),
        }
    }

    /// Places the tokens, class by class from the first priority on, and starts the sources' first intervals.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        let mut classes: Vec<u32> = (0..self.rules.classes()).collect();
        classes.sort_by_key(|class| self.rules.levels[*class as usize]);
        for id in 0..self.model.stations() {
            self.open(id);
            for &class in &classes {
                for _ in 0..self.rules.visit(id, class).tokens {
                    let token = self.tokens.put(Token::new(class, Time::NEVER, id));
                    self.numbers(class, Time::ZERO, 1);
                    self.admit(token, Time::ZERO);
                    asking.made(1)?;
                }
            }
            self.filled(id, Time::ZERO);
            self.rest(id, Time::ZERO);
            asking.made(1)?;
        }
        self.grant_and_check(Time::ZERO);
        (0..self.model.sources()).for_each(|id| self.schedule_source(id));
        Ok(())
    }

    /// Ends of services so far, the warm-up included.
    pub(super) fn completions(&self) -> u64 {
        self.stations.iter().map(|station| station.completed).sum()
    }

    /// The sum over the stations of the number present, squared.
    pub(super) fn squares(&self) -> u64 {
        self.squares
    }

    /// Whether nothing has come in between since an event was scheduled.
    fn happens(&self, event: &Key) -> bool {
        match event.phase {
            Phase::Failure => return self.is_due(event),
            Phase::Shift | Phase::Return | Phase::Arrival => return true,
            Phase::Departure | Phase::Patience => {}
        }
        let token = self.tokens.get(event.token);
        token.at == event.entity
            && match event.phase {
                Phase::Departure => token.serving.is_some_and(|(number, _)| number == event.number),
                _ => !token.begun && token.arrival == event.number,
            }
    }

    fn counted(&self, now: Time) -> u64 {
        u64::from(now >= self.model.warmup())
    }

    /// Draws the next interval of a source that has tokens left.
    fn schedule_source(&mut self, id: u32) {
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        if source.sent < inflow.limit {
            let rules = &self.rules.sources[id as usize];
            let behind = |row: &Coming| inflow.start.checked_add(row.after).filter(|time| time.ticks() < 1 << 63);
            let next = match (&rules.intensity, &rules.phases, &rules.trace) {
                (Some(intensity), ..) => intensity.next(inflow.start, &mut source.standing, &mut source.stream),
                (_, Some(phases), _) => phases.next(source.next, &mut source.phase, &mut source.stream),
                (.., Some(trace)) => trace.get(source.row).and_then(behind),
                _ => Some(later(source.next, inflow.law.service(&mut source.stream))),
            };
            let Some(next) = next else { return };
            source.next = next;
            let (entity, number) = (self.model.stations() + id, source.sent);
            let event = Key { time: source.next, phase: Phase::Arrival, entity, number, token: NOBODY };
            self.events.push(Reverse(event));
        }
    }

    /// Tokens of a source come; how many, and how many of them balk. Or its phase changes without any.
    fn send(&mut self, id: u32, now: Time) -> Result<u64, QueueingError> {
        let (counted, SourceRules { batch, phases, trace, .. }) = (self.counted(now), &self.rules.sources[id as usize]);
        if phases.is_some() && !self.sources[id as usize].phase.brings {
            self.schedule_source(id);
            return Ok(1);
        }
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        let row = trace.as_ref().and_then(|trace| trace.get(source.row));
        source.row += 1;
        let class = row.map_or(self.rules.source_classes[id as usize], |row| row.class);
        let size = match row {
            Some(row) => row.tokens.into(),
            None if batch.is_empty() => 1,
            None => batch_of(batch, source.stream.draw()),
        };
        let size = size.min(inflow.limit - source.sent);
        source.sent += size;
        source.counted += counted * size;
        self.came(now, size as i64);
        self.numbers(class, now, size as i64);
        self.schedule_source(id);
        let mut balked = 0;
        for _ in 0..size {
            let token = Token::new(class, now, inflow.target);
            let token = self.tokens.put(token);
            balked += self.arrive(token, now)?;
        }
        Ok(size + balked)
    }

    /// Notes that tokens of a class are in the network from now on, or are not.
    fn numbers(&mut self, class: u32, now: Time, change: i64) {
        if let Some(series) = &mut self.series {
            series.in_network(class, now, change);
        }
    }

    /// Counts tokens that came (1) or went (-1).
    fn came(&mut self, now: Time, change: i64) {
        self.present = self.present.wrapping_add_signed(change);
        if self.counted(now) == 0 {
            self.present_before = self.present;
        }
    }
}

/// How many tokens come at a time with this draw.
fn batch_of(batch: &[u64], draw: u32) -> u64 {
    1 + batch.partition_point(|end| *end <= u64::from(draw)) as u64
}

impl Token {
    fn new(class: u32, entered: Time, at: u32) -> Self {
        Self {
            class,
            entered,
            at,
            arrived: Time::ZERO,
            from: Time::ZERO,
            arrival: NONE,
            work: None,
            service: Time::ZERO,
            edge: 0,
            since: Time::ZERO,
            waited: 0,
            begun: false,
            blocked: None,
            kept: None,
            expected: false,
            serving: None,
            siblings: NOBODY,
            server: NOBODY,
        }
    }
}

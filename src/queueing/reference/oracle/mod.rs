//! The oracle: any network whose edges are in lists, in exact and in approximate time, one event at a time. Every other simulator and every
//! device is held against it.
//!
//! The event that comes first in the order of [`events`] happens next, whatever was scheduled when. Of one instant that is: ends of
//! services, then the ends of patience, shifts, failures and repairs, servers that come back, then arrivals by the station that they come
//! from and its departure number, sources last. What an event causes at its own instant takes its place among those that are still to
//! come. In approximate time and over ranks the arrivals of an instant are collected, and put in order before the first of them happens.

mod approximate;
mod before;
mod blocking;
mod blocks;
mod events;
mod forks;
mod line;
mod outcome;
mod over;
mod resources;
mod resumption;
mod ring;
mod routes;
mod series;
mod servers;
mod serving;
mod sharing;
mod simple;
mod station;
#[cfg(test)]
mod tests;
mod token;
mod touched;
mod visits;
mod wear;
mod whole;

use std::collections::BTreeSet;

use super::border::{self, Border};
use super::observation::Observations;
use super::{Slab, later};
use crate::multiclass::{ClassRecord, Coming, ForkRecord, PhaseStanding, Rules, SourceRules, Standing};
use crate::{NetworkModel, QueueingError, SinkRecord};
use approximate::Approximation;
use events::{Event, Events, Phase};
use forks::Siblings;
use over::COMING;
use resources::Units;
use serde::{Deserialize, Serialize};
use series::Recorder;
use station::{ClassAccounts, Station};
use tickless_core::heap::Handler;
use tickless_core::random::{Stream, StreamKey};
use tickless_core::run::{Asking, Interrupted};
use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;
use token::{NONE, Token};
use touched::Stations;

/// Nobody's place.
const NOBODY: u32 = u32::MAX;

/// An arrival that has been collected, in the order of an instant: in approximate time by its original time, then by the number of where it
/// comes from in the whole network, sources behind the stations, and by that of its departure there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Collected {
    original: Time,
    from: u32,
    number: u64,
    place: u32,
}

#[derive(Serialize, Deserialize)]
struct Source {
    stream: Stream,
    sent: u64,
    counted: u64,
    /// When the next token comes; in approximate time its original time.
    next: Time,
    standing: Standing,
    phase: PhaseStanding,
    /// The next row of its trace.
    row: usize,
}

pub(super) struct Oracle<'a> {
    model: &'a NetworkModel,
    rules: &'a Rules,
    stations: Stations,
    sources: Vec<Source>,
    /// By sink and class.
    sinks: Vec<SinkRecord>,
    observations: Option<Observations>,
    series: Option<Recorder>,
    units: Units,
    /// By resource the stations that seize units of it.
    seizing: Vec<Vec<u32>>,
    /// Stations where the first token waits for units, and for nothing else.
    short: BTreeSet<u32>,
    /// Of the stations short of units those that may wait for ever since this event: see [`Oracle::check_units`].
    doubtful: BTreeSet<u32>,
    /// Whether a token that holds units has begun to wait since all stations short of units were looked at.
    holder_waits: bool,
    siblings: Slab<Siblings>,
    /// Copies that have been made at this event: their places, and where they go.
    copies: Vec<(u32, u32, Time)>,
    forks: ForkRecord,
    /// What ends the run.
    fault: Option<Box<QueueingError>>,
    /// Stations that may wait for ever since this event, which are looked at behind it: where a service has stopped for want of room, a
    /// token has made room of no use, or servers have changed.
    suspects: BTreeSet<u32>,
    approximation: Option<Approximation>,
    border: Option<Border<'a>>,
    /// Targets from this one on are stations of other ranks.
    abroad: u32,
    /// Whether all arrivals of an instant are put in order before the first of them is: in approximate time, and over ranks.
    collects: bool,
    collected: Vec<Collected>,
    /// Ends of services before the run went on from a checkpoint.
    completed_before: u64,
    has_resources: bool,
    /// Whether numbers over time are noted.
    notes: bool,
    /// Whether classes may have room of their own.
    counts_classes: bool,
    /// Whether some station blocks: tokens that find no room there wait where they are.
    has_blocking: bool,
    events: Events,
    tokens: Slab<Token>,
    in_transit: u64,
    /// Ends of transits that took time, in this run.
    transits_ended: u64,
    present: u64,
    present_before: u64,
    lost_before: u64,
    /// The sum over the stations of the number present, squared.
    squares: u64,
    /// How many tokens have balked at the present instant.
    balked: (Time, u64),
}

impl Handler for Oracle<'_> {
    type Error = QueueingError;

    fn next(&mut self) -> Time {
        if self.fault.is_some() {
            // Of time 0: it is told at once.
            return Time::ZERO;
        }
        self.events.next()
    }

    /// Every event of an instant.
    #[inline(always)]
    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        let mut count = 0;
        while let Some(event) = self.take(now) {
            count += self.happen(event, now);
            if self.has_resources || !self.suspects.is_empty() {
                self.settle(now);
            }
            if self.fault.is_some() {
                break;
            }
        }
        if self.collects {
            count += self.arrive_in_order(now);
        }
        match self.fault.take() {
            None => Ok(count),
            Some(fault) => Err(*fault),
        }
    }
}

impl<'a> Oracle<'a> {
    /// Takes out the event that happens next at this instant.
    #[inline(always)]
    fn take(&mut self, now: Time) -> Option<Event> {
        let Self { events, tokens, stations, .. } = self;
        loop {
            let event = events.take(now, |event| number_of(event, tokens))?;
            if happens(&event, tokens, stations) {
                return Some(event);
            }
        }
    }

    /// The run ends with an error.
    #[cold]
    fn fail(&mut self, error: QueueingError) {
        self.fault.get_or_insert(Box::new(error));
    }

    /// A token is on its way no longer.
    #[inline]
    fn ends_transit(&mut self, place: u32, now: Time) {
        self.in_transit -= 1;
        self.transits_ended += u64::from(self.tokens[place].since < now);
    }

    /// All arrivals of an instant.
    fn arrive_in_order(&mut self, now: Time) -> u64 {
        self.collect_landed();
        let mut collected = std::mem::take(&mut self.collected);
        collected.sort_unstable();
        let count = collected.drain(..).map(|arrival| self.arrive(arrival.place, now)).sum();
        self.collected = collected;
        count
    }

    /// Behind an event: units are granted, and who may wait for ever is looked at. Tokens that have changed places may have given units back.
    fn settle(&mut self, now: Time) {
        loop {
            self.grant_and_check(now);
            if self.fault.is_some() || !self.has_resources || !self.check_units(now) {
                return;
            }
        }
    }

    /// An event happens; how many it counts as.
    #[inline(always)]
    fn happen(&mut self, event: Event, now: Time) -> u64 {
        match event.phase {
            Phase::Departure if self.stations[event.entity as usize].simple => {
                return self.ends_service(event.token, now);
            }
            Phase::Departure => self.depart(event.token, now),
            Phase::Patience => self.renege(event.token, now),
            Phase::Shift | Phase::Failure | Phase::Return => {
                match event.phase {
                    Phase::Shift => self.change_shift(event.entity, now),
                    Phase::Failure => self.change_server(event.entity, event.token, now),
                    _ => self.come_back(event.entity, now),
                }
                self.looks_again(event.entity);
            }
            Phase::Arrival if event.entity == COMING => {
                self.land(event.token, now);
                return 0;
            }
            Phase::Arrival if event.token == NOBODY => return self.send(event.entity - self.model.stations(), now),
            Phase::Arrival => {
                self.ends_transit(event.token, now);
                if self.collects {
                    self.collect(event.token, event.entity);
                    return 0;
                }
                return self.arrive(event.token, now);
            }
        }
        1
    }

    pub(super) fn new(model: &'a NetworkModel, key: StreamKey, border: Option<Border<'a>>) -> Self {
        let rules = model.rules();
        let stream = |id| key.stream(border::number(border.as_ref(), id));
        let mut levels = rules.levels.clone();
        levels.sort_unstable();
        levels.dedup();
        let station = |id| Station::new((model, rules, id), stream(id), levels.len());
        let source = |id| Source {
            stream: stream(model.stations() + id),
            sent: 0,
            counted: 0,
            next: model.inflow(id).start,
            standing: Standing::default(),
            phase: PhaseStanding::default(),
            row: 0,
        };
        let mut seizing = vec![vec![]; rules.resources.len()];
        for id in &rules.seizing {
            let needs = rules.stations[*id as usize].seizes.iter();
            needs.for_each(|need| seizing[need.resource as usize].push(*id));
        }
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
            seizing,
            short: BTreeSet::new(),
            doubtful: BTreeSet::new(),
            holder_waits: true,
            siblings: Slab::new(),
            copies: vec![],
            forks: ForkRecord::default(),
            fault: None,
            suspects: BTreeSet::new(),
            approximation: model.approximate().map(|interval| Approximation::new(interval, model)),
            abroad: border.as_ref().map_or(u32::MAX, Border::first),
            collects: border.is_some() || model.approximate().is_some(),
            collected: vec![],
            completed_before: 0,
            has_resources: rules.has_resources(),
            notes: model.scale().is_some() || model.series_step().is_some(),
            counts_classes: rules.counts_classes(),
            has_blocking: rules.stations.iter().any(|station| station.blocks),
            events: Events::new(model.until()),
            tokens: Slab::with_room(tokens as usize),
            in_transit: 0,
            transits_ended: 0,
            present: tokens,
            present_before: tokens,
            lost_before: 0,
            squares: 0,
            balked: (Time::ZERO, 0),
            border,
        }
    }

    /// Bytes at time 0, with those of the records and of what is noted over time.
    pub(super) fn bytes(model: &NetworkModel) -> u64 {
        let station = (size_of::<Station>() + size_of::<FacilityRecord>()) as u64;
        let class = (size_of::<ClassAccounts>() + 2 * size_of::<ClassRecord>()) as u64;
        // Beside a token its place in a line, and its event.
        let token = size_of::<Token>() as u64 + 16 + 32;
        station * u64::from(model.stations())
            + class * u64::from(model.places())
            + token * u64::from(model.tokens())
            + size_of::<Source>() as u64 * u64::from(model.sources())
            + 8 * model.noted()
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
                    if self.stations[id as usize].simple {
                        self.enters(token, Time::ZERO);
                    } else {
                        self.admit(token, Time::ZERO);
                    }
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

    /// Ends of services in this run, the warm-up included.
    pub(super) fn completions(&self) -> u64 {
        self.stations.iter().map(|station| station.completed).sum::<u64>() - self.completed_before
    }

    /// Ends of transits that took time, in this run: no events of it.
    pub(super) fn transits_ended(&self) -> u64 {
        self.transits_ended
    }

    /// The sum over the stations of the number present, squared.
    pub(super) fn squares(&self) -> u64 {
        self.squares
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
            let entity = self.model.stations() + id;
            let time = self.approximation.as_ref().map_or(next, |approximation| approximation.executed(next));
            self.events.push(Event { time, phase: Phase::Arrival, entity, token: NOBODY });
        }
    }

    /// Tokens of a source come; how many, and how many of them balk. Or its phase changes without any.
    fn send(&mut self, id: u32, now: Time) -> u64 {
        let (counted, SourceRules { batch, phases, trace, .. }) = (self.counted(now), &self.rules.sources[id as usize]);
        if phases.is_some() && !self.sources[id as usize].phase.brings {
            self.schedule_source(id);
            return 1;
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
        let first = source.sent;
        let original = if self.approximation.is_some() { source.next } else { Time::ZERO };
        source.sent += size;
        source.counted += counted * size;
        self.came(now, size as i64);
        self.numbers(class, now, size as i64);
        self.schedule_source(id);
        let mut balked = 0;
        for _ in 0..size {
            let token = Token::new(class, now, inflow.target);
            if self.collects {
                let token = Token { number: first, original, ..token };
                let place = self.tokens.put(token);
                self.collect(place, self.model.stations() + id);
                continue;
            }
            let token = self.tokens.put(token);
            balked += self.arrive(token, now);
        }
        size + balked
    }

    /// A token is among the arrivals of this instant, from a station or, behind the stations, a source.
    fn collect(&mut self, place: u32, from: u32) {
        let &Token { number, original, .. } = &self.tokens[place];
        self.collected.push(Collected { original, from: border::number(self.border.as_ref(), from), number, place });
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

/// The number of an event in the order of the contract.
fn number_of(event: &Event, tokens: &Slab<Token>) -> u128 {
    match event.phase {
        // Original times are of approximate time alone.
        Phase::Departure => {
            let token = &tokens[event.token];
            u128::from(token.original.ticks()) << 64 | u128::from(token.visit)
        }
        Phase::Patience => tokens[event.token].arrival.into(),
        Phase::Failure => event.token.into(),
        Phase::Arrival if event.token != NOBODY && event.entity != COMING => tokens[event.token].number.into(),
        Phase::Shift | Phase::Return | Phase::Arrival => 0,
    }
}

/// Whether nothing has come in between since an event was scheduled.
#[inline]
fn happens(event: &Event, tokens: &Slab<Token>, stations: &Stations) -> bool {
    let &Event { time, phase, entity, token: place } = event;
    let is_there = || tokens[place].at == entity;
    match phase {
        Phase::Departure => tokens[place].end == time && is_there(),
        Phase::Patience => tokens[place].gives_up == time && !tokens[place].begun && is_there(),
        Phase::Failure => stations[entity as usize].is_due(place, time),
        Phase::Shift | Phase::Return | Phase::Arrival => true,
    }
}

/// How many tokens come at a time with this draw.
fn batch_of(batch: &[u64], draw: u32) -> u64 {
    1 + batch.partition_point(|end| *end <= u64::from(draw)) as u64
}

//! The torus on the sequential simulator: one event at a time, without rounds.
//!
//! An event is the end of a service: the token goes to the neighbour that its visit's route names, the next token in
//! the queue starts. Statistics are added up event by event: every wait and every service is clipped to the measured
//! time on its own, and no total is a difference of two snapshots.

mod resumption;
mod waiting;

use std::collections::HashMap;
use std::time::Instant;

use super::ended;
use crate::checkpoint::{End, State};
use crate::torus::Torus;
use crate::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError};
use tickless_core::heap::{Event, EventList, Handler, execute};
use tickless_core::memory;
use tickless_core::random::{EffectiveLaw, Stream, StreamKey};
use tickless_core::run::{Asking, Run, RunMode, Watch};
use tickless_core::statistics::{FacilityRecord, Outcome, sum_of};
use tickless_core::time::Time;
use waiting::{Queue, Slots};

/// All data of a facility that an event touches, in one cache line.
#[repr(align(64))]
struct Facility {
    stream: Stream,
    queue: Queue,
    arrivals: u64,
    completions: u64,
    waiting: u64,
    service: u64,
}

/// The sums of a facility that go over the end of the warm-up.
#[derive(Clone, Copy, Default)]
struct Carried {
    /// The remaining time, at the end of the warm-up, of the service in progress there.
    service: Option<u64>,
    /// The part before the end of the warm-up of waits that are counted.
    waiting: u128,
}

struct Simulation<'a> {
    torus: Torus,
    law: &'a EffectiveLaw,
    warmup: Time,
    facilities: Vec<Facility>,
    slots: Slots,
    /// The ends of services in progress.
    events: EventList,
    /// Empty where there is no warm-up.
    carried: Vec<Carried>,
    /// For each facility whose sum of waiting times has passed 64 bits, how often.
    passed: HashMap<u32, u64>,
}

/// Runs one replication of a model of a torus, one event at a time.
pub(super) fn simulate(
    model: &NetworkModel,
    torus: Torus,
    replication: u32,
    mode: RunMode<'_, State>,
    watch: &mut dyn Watch,
) -> Result<Run<End, NetworkDetails>, QueueingError> {
    let begin = Instant::now();
    let stations = torus.stations() as usize;
    memory::room::<(Facility, Carried, Event)>(stations, "the stations")?;
    let mut simulation = Simulation::new(model, torus, model.key(replication));
    // The token in service and the first in the queue of a station need no slot.
    simulation.slots.reserve(stations * model.tokens_at(0).saturating_sub(2) as usize)?;
    match mode.from {
        None => simulation.begin(model.tokens_at(0), &mut Asking::new(watch))?,
        Some(state) => simulation.go_on_from(state, model, model.key(replication)),
    }
    let setup = begin.elapsed();
    let summary = execute(&mut simulation, model.until(), watch)?;
    let stations = simulation.outcome(summary.clock)?;
    let outcome = NetworkOutcome::closed(stations, model.tokens().into());
    let keeps = mode.keeps() && summary.interrupted;
    let state = keeps.then(|| simulation.state(model.key(replication), model.tokens() as usize)).transpose()?;
    Ok(ended(End { outcome, state }, summary.events, &summary, setup))
}

/// A popped event ends a service. In the order of (time, facility) an arrival may come to a facility before that
/// facility's own departure of the same instant, where the contract has all departures first. With unlimited first-come
/// first-served queues both orders give the same result: the arrival that finds the server still busy queues, and the
/// departure starts it (or the token before it) at the same instant, after a wait of zero and with the same draws.
/// Arrivals of one instant come in the order of their sources, as the contract says.
impl Handler for Simulation<'_> {
    type Error = QueueingError;

    #[inline]
    fn next(&mut self) -> Time {
        self.events.next()
    }

    #[inline]
    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        let Some(Event { entity: source, payload: destination, .. }) = self.events.pop() else { return Ok(0) };
        self.approach();
        let counted = u64::from(now >= self.warmup);
        let facility = &mut self.facilities[source as usize];
        facility.completions += counted;
        if let Some(arrival) = facility.queue.depart(&mut self.slots) {
            self.start(source, arrival, now);
        }
        let facility = &mut self.facilities[destination as usize];
        facility.arrivals += counted;
        if facility.queue.arrive(now, &mut self.slots) {
            self.start(destination, now, now);
        }
        Ok(1)
    }

    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

impl<'a> Simulation<'a> {
    fn new(model: &'a NetworkModel, torus: Torus, key: StreamKey) -> Self {
        let facility = |id| Facility {
            stream: key.stream(id),
            queue: Queue::default(),
            arrivals: 0,
            completions: 0,
            waiting: 0,
            service: 0,
        };
        let carried = if model.warmup() == Time::ZERO { 0 } else { torus.stations() as usize };
        Self {
            torus,
            law: model.law(0),
            warmup: model.warmup(),
            facilities: (0..torus.stations()).map(facility).collect(),
            slots: Slots::default(),
            events: EventList::new(),
            carried: vec![Carried::default(); carried],
            passed: HashMap::new(),
        }
    }

    /// Places the tokens; the first of each facility starts at time 0.
    fn begin(&mut self, tokens_each: u32, asking: &mut Asking<'_>) -> Result<(), QueueingError> {
        for id in 0..self.torus.stations() {
            for _ in 0..tokens_each {
                if self.facilities[id as usize].queue.arrive(Time::ZERO, &mut self.slots) {
                    self.start(id, Time::ZERO, Time::ZERO);
                }
            }
            asking.made(tokens_each.into())?;
        }
        Ok(())
    }

    /// Touches the memory of the event that is probably next.
    #[inline]
    fn approach(&self) {
        if let Some(event) = self.events.first() {
            for facility in [event.entity, event.payload] {
                std::hint::black_box(self.facilities[facility as usize].completions);
            }
        }
    }

    /// Starts a service; its end is the event, whose payload is the token's target.
    #[inline]
    fn start(&mut self, id: u32, arrival: Time, now: Time) {
        let facility = &mut self.facilities[id as usize];
        let service = self.law.service(&mut facility.stream).ticks();
        let direction = facility.stream.draw() >> 30;
        // The model allows only horizons from which no service can pass the range of times.
        let time = Time::from_ticks(now.ticks() + service);
        self.events.push(Event { time, entity: id, payload: self.torus.neighbour(id, direction) });
        if arrival < self.warmup {
            return self.start_early(id, arrival, now, service);
        }
        facility.service += service;
        self.wait(id, now.ticks() - arrival.ticks());
    }

    /// Accounts for a service whose token came during the warm-up.
    #[cold]
    fn start_early(&mut self, id: u32, arrival: Time, now: Time, service: u64) {
        let warmup = self.warmup.ticks();
        if now.ticks() >= warmup {
            self.wait(id, now.ticks() - arrival.ticks());
            self.facilities[id as usize].service += service;
            self.carried[id as usize].waiting += u128::from(warmup - arrival.ticks());
        } else {
            self.carried[id as usize].service = (now.ticks() + service).checked_sub(warmup);
        }
    }

    /// Adds a wait. Services of one server do not overlap, so only waits can add up beyond 64 bits.
    #[inline]
    fn wait(&mut self, id: u32, ticks: u64) {
        let facility = &mut self.facilities[id as usize];
        let (sum, passes) = facility.waiting.overflowing_add(ticks);
        facility.waiting = sum;
        if passes {
            self.passes(id);
        }
    }

    #[cold]
    fn passes(&mut self, id: u32) {
        *self.passed.entry(id).or_default() += 1;
    }

    /// The records, cut at `clock`.
    fn outcome(&self, clock: Time) -> Result<Outcome, QueueingError> {
        let mut facilities = memory::filled(
            FacilityRecord { in_service: Time::NEVER, ..Default::default() },
            self.facilities.len(),
            "the records of the stations",
        )?;
        for event in self.events.iter() {
            facilities[event.entity as usize].in_service = event.time;
            facilities[event.entity as usize].serving = 1;
        }
        let waiting = self.facilities.iter().map(|facility| facility.queue.iter(&self.slots).count()).sum();
        let mut queue = memory::with_room(waiting, "the waiting tokens")?;
        for (id, record) in facilities.iter_mut().enumerate() {
            let before = queue.len();
            queue.extend(self.facilities[id].queue.iter(&self.slots));
            record.queued = (queue.len() - before) as u64;
            if clock > self.warmup {
                self.account(id, &queue[before..], clock, record);
            }
        }
        Ok(Outcome { facilities, queue, services: vec![], from: self.warmup, until: clock, added_up: None })
    }

    /// The counts and sums of a facility at `clock`, which lies after the warm-up.
    fn account(&self, id: usize, queue: &[Time], clock: Time, record: &mut FacilityRecord) {
        let facility = &self.facilities[id];
        let carried = self.carried.get(id).copied().unwrap_or_default();
        let serving = record.in_service != Time::NEVER;
        record.arrivals = facility.arrivals;
        record.completions = facility.completions;
        // Services that started have ended, but for one in progress at the end of the warm-up and one in progress now.
        record.starts = facility.completions + u64::from(serving) - u64::from(carried.service.is_some());
        record.waiting = sum_of([facility.waiting, self.passed.get(&(id as u32)).copied().unwrap_or(0)]);
        record.service = facility.service.into();
        let beyond = if serving { record.in_service.ticks() - clock.ticks() } else { 0 };
        record.busy = (facility.service + carried.service.unwrap_or(0) - beyond).into();
        let from = self.warmup;
        let still = queue.iter().map(|&arrival| u128::from(clock.ticks() - arrival.max(from).ticks())).sum::<u128>();
        record.presence = record.busy + record.waiting - carried.waiting + still;
    }
}

#[cfg(test)]
mod tests;

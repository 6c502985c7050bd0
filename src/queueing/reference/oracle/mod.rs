//! The oracle: any network whose edges are in lists, in exact and in approximate time, one event at a time. Every other simulator and every
//! device is held against it.
//!
//! The event that comes first in the order of [`events`] happens next, whatever was scheduled when. Of one instant that is: ends of
//! services, then the ends of patience, shifts, failures and repairs, servers that come back, then arrivals by the station that they come
//! from and its departure number, sources last. What an event causes at its own instant takes its place among those that are still to
//! come. In approximate time the arrivals of an instant are collected, and put in order before the first of them happens.
//!
//! An error does not leave an event in the middle. [`Oracle::fail`] notes it in `fault`, and the event goes on to its end as if nothing had
//! happened. Whoever goes from one event or one token to the next asks for `fault` before: the loops in `handle`, `settle` and
//! `grant_and_check`.

mod approximate;
mod arrivals;
mod before_service;
mod begin;
mod blocking;
mod blocks;
mod breakdowns;
mod bulks;
mod collected;
mod controlled;
mod departures;
mod distributed;
mod events;
mod fold;
mod forks;
mod groups;
mod kits;
mod line;
mod outcome;
mod preemption;
mod resources;
mod resumption;
mod ring;
mod routes;
mod series;
mod servers;
mod services;
mod serving;
mod sharing;
mod simple;
mod sources;
mod station;
#[cfg(test)]
mod tests;
mod token;
mod touched;
mod unit_changes;
mod units;
mod visits;
mod walks;
mod wear;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use super::Slab;
use super::border::Border;
use super::histograms::Histograms;
use crate::model::Rules;
use crate::outcome::ForkRecord;
use crate::{NetworkModel, QueueingError, SinkRecord};
use approximate::Approximation;
use collected::Collected;
use controlled::Decided;
use events::{Event, Events, Phase};
use fold::Folding;
use forks::Siblings;
use series::Recorder;
use sources::Source;
use tickless_core::heap::Handler;
use tickless_core::time::Time;
use token::{COMING, NONE, Token};
use touched::Stations;
use unit_changes::UNITS;
use units::Units;
use visits::Visits;

/// Nobody's place.
const NOBODY: u32 = u32::MAX;

pub(super) struct Oracle<'a> {
    model: &'a NetworkModel,
    rules: &'a Rules,
    stations: Stations,
    sources: Vec<Source>,
    /// By sink and class.
    sinks: Vec<SinkRecord>,
    histograms: Option<Histograms>,
    series: Option<Recorder>,
    folding: Option<Box<Folding>>,
    /// When the next bin ends or the next time of the grid comes.
    look: Time,
    visits: Option<Visits>,
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
    /// Where routes go by visit: how often each token in the network, by its place, has been served at each station.
    served: Vec<BTreeMap<u32, u64>>,
    /// Copies that have been made at this event: their places, and where they go.
    copies: Vec<(u32, u32, Time)>,
    forks: ForkRecord,
    /// What is decided during the run, if anything.
    decided: Option<Box<Decided>>,
    /// What ends the run.
    fault: Option<Box<QueueingError>>,
    /// Stations that may wait for ever since this event, which are looked at behind it: where a service has stopped for want of room, a
    /// token has made room of no use, or servers have changed.
    suspects: BTreeSet<u32>,
    approximation: Option<Approximation>,
    pub(super) border: Option<Border<'a>>,
    /// Targets from this one on are stations of other ranks.
    abroad: u32,
    /// Whether all arrivals of an instant are put in order before the first of them is: in approximate time.
    collects: bool,
    collected: Vec<Collected>,
    /// Ends of services before the run went on from a checkpoint.
    completed_before: u64,
    has_resources: bool,
    has_kits: bool,
    has_forks: bool,
    /// Whether arrivals and departures are noted: of numbers over time, of distributions, or of visits.
    notes: bool,
    /// Whether single times of services are: of distributions, by targets, or of visits.
    times: bool,
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
        if now >= self.look {
            self.looks_around(now);
        }
        let mut count = 0;
        while let Some(event) = self.take(now) {
            count += self.happen(event, now);
            if self.has_resources || !self.suspects.is_empty() {
                self.settle(now);
            }
            if self.fault.is_some() || self.events.is_over(now) {
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

    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

impl<'a> Oracle<'a> {
    /// Takes out the event that happens next at this instant.
    #[inline(always)]
    fn take(&mut self, now: Time) -> Option<Event> {
        let Self { events, tokens, stations, .. } = self;
        loop {
            let event = events.take(now, |event| event.number(tokens))?;
            if event.happens(tokens, stations) {
                return Some(event);
            }
        }
    }

    /// The run ends with an error, once the event has gone on to its end: see the module's description.
    #[cold]
    fn fail(&mut self, error: QueueingError) {
        self.fault.get_or_insert(Box::new(error));
    }

    /// A token is on its way no longer.
    #[inline]
    fn ends_transit(&mut self, place: u32, now: Time) {
        if self.tokens[place].arrival == COMING {
            return self.land(place, now);
        }
        self.in_transit -= 1;
        self.transits_ended += u64::from(self.tokens[place].since < now);
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

    /// An event happens; how many it counts as. What is frequent is asked for first, which a processor foresees better than a table of jumps.
    #[inline(always)]
    fn happen(&mut self, event: Event, now: Time) -> u64 {
        if event.phase == Phase::Departure && self.stations[event.entity as usize].simple {
            return self.ends_service(event.token, now);
        }
        if event.phase != Phase::Arrival {
            self.changes(event, now);
            return 1;
        }
        if event.token == NOBODY {
            return self.send(self.source_of(event.entity), now);
        }
        self.ends_transit(event.token, now);
        if self.collects {
            self.collect(event.token, event.entity);
            return 0;
        }
        self.arrive(event.token, now)
    }

    /// Something that is no arrival happens at a station.
    fn changes(&mut self, event: Event, now: Time) {
        match event.phase {
            Phase::Departure => return self.depart(event.token, now),
            Phase::Patience => return self.renege(event.token, now),
            Phase::Shift if event.token == NOBODY => self.change_shift(event.entity, now),
            Phase::Shift if event.token >= UNITS => self.change_shift_of_units(event.token - UNITS, now),
            Phase::Shift => self.change_shift_of(event.entity, event.token, now),
            Phase::Failure if event.token >= UNITS => self.change_unit(event.token - UNITS, now),
            Phase::Failure => self.change_server(event.entity, event.token, now),
            Phase::Return => self.come_back(event.entity, event.token, now),
            Phase::Arrival => return,
        }
        self.looks_again(event.entity);
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

    #[inline]
    fn counted(&self, now: Time) -> u64 {
        u64::from(now >= self.model.warmup())
    }

    /// Notes that tokens of a class are in the network from now on, or are not.
    #[inline]
    fn numbers(&mut self, class: u32, now: Time, change: i64) {
        if let Some(series) = &mut self.series {
            series.in_network(class, now, change);
        }
    }

    /// Counts tokens that came (1) or went (-1).
    #[inline]
    fn came(&mut self, now: Time, change: i64) {
        self.present = self.present.wrapping_add_signed(change);
        if self.counted(now) == 0 {
            self.present_before = self.present;
        }
    }
}

#[inline]
pub(super) fn span(from: Time, to: Time) -> Time {
    Time::from_ticks(to.ticks() - from.ticks())
}

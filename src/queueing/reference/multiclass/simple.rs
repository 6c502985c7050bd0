//! Stations that only serve who comes, which most are: what [`visits`](super::visits) does there, in one piece.

use super::super::later;
use super::events::Events;
use super::station::Station;
use super::visits::span;
use super::{Event, NONE, Phase, Simulation, Token};
use crate::{NetworkModel, QueueingError};
use crate::multiclass::{Order, Routing, Rules};
use tickless_core::time::Time;

/// Whether a station only serves who comes: servers are always there, nobody is interrupted, joined, held or split, and nothing of it is noted.
pub(super) fn is_simple(model: &NetworkModel, rules: &Rules, id: u32) -> bool {
    let station = &rules.stations[id as usize];
    let visits = || (0..rules.classes()).map(|class| rules.visit(id, class));
    let blocks = |target: u32| rules.stations.get(target as usize).is_some_and(|station| station.blocks);
    let edges = || visits().flat_map(|visit| &rules.edges[visit.first as usize..visit.end as usize]);
    let is_served = !matches!(station.order, Order::ShortestJob | Order::Sharing)
        && !station.waits_until_the_end()
        && station.setup.is_none()
        && station.vacation.is_none();
    let joins = !station.joins
        && station.seizes.is_empty()
        && visits().all(|visit| visit.capacity == u32::MAX);
    let goes = station.routing == Routing::Random
        && station.releases.is_empty()
        && !blocks(id)
        && !edges().any(|edge| blocks(edge.target));
    is_served && joins && goes && model.scale().is_none() && model.series_step().is_none()
}

impl Simulation<'_> {
    /// A token comes to such a station; 1 where it balks, and so goes on.
    pub(super) fn comes(&mut self, place: u32, now: Time) -> Result<u64, QueueingError> {
        let (token, rules) = (&self.tokens[place], self.rules);
        let (id, class) = (token.at, token.class);
        let station = &mut self.stations[id as usize];
        let present = (station.waiting.len() + station.serving.len()) as u64;
        let accounts = &mut station.accounts[class as usize].accounts;
        let is_full = present >= station.capacity;
        accounts.arrives(now, is_full);
        if is_full {
            self.lost_before += 1 - self.counted(now);
            self.vanish(place, now);
            return Ok(0);
        }
        if station.balks && self.balks(place, id, now) {
            return self.goes_on(id, now);
        }
        let (token, station) = (&mut self.tokens[place], &mut self.stations[id as usize]);
        let accounts = &mut station.accounts[class as usize].accounts;
        self.squares = self.squares.wrapping_add(2 * present + 1);
        accounts.enters(now);
        token.joins(station.arrivals, now);
        station.arrivals += 1;
        let patience = rules.visit(id, class).patience.as_ref().map(|law| law.service(&mut station.stream));
        if (station.serving.len() as u64) < station.servers() {
            station.begin((place, token), rules, &mut self.events, now);
            return Ok(0);
        }
        station.waiting.insert(token.rank(rules), place);
        if let Some(patience) = patience {
            token.gives_up = later(now, patience);
            self.events.push(Event { time: token.gives_up, phase: Phase::Patience, entity: id, token: place });
        }
        Ok(0)
    }

    /// A service ends at such a station.
    pub(super) fn is_served(&mut self, place: u32, now: Time) {
        let (token, rules) = (&mut self.tokens[place], self.rules);
        let (id, class) = (token.at, token.class);
        let station = &mut self.stations[id as usize];
        let present = (station.waiting.len() + station.serving.len()) as u64;
        self.squares = self.squares.wrapping_sub(2 * present - 1);
        station.serving.remove(|| token.rank(rules));
        station.completed += 1;
        station.accounts[class as usize].accounts.departs(now);
        let edge = rules.edges[token.edge as usize];
        let event = Event { time: later(now, edge.delay), phase: Phase::Arrival, entity: id, token: place };
        (token.number, token.end) = (station.departures, Time::NEVER);
        (token.class, token.at, token.arrival) = (edge.becomes, edge.target, NONE);
        station.departures += 1;
        self.in_transit += 1;
        let events = &mut self.events;
        if event.time == now { events.push_near(event, token.number) } else { events.push(event) }
        if (station.serving.len() as u64) < station.servers()
            && let Some(next) = station.next()
        {
            station.begin((next, &mut self.tokens[next]), rules, events, now);
        }
    }
}

impl Station {
    /// A service begins.
    #[inline]
    fn begin(&mut self, (place, token): (u32, &mut Token), rules: &Rules, events: &mut Events, now: Time) {
        token.draw(&mut self.stream, rules);
        let waited = span(token.since, now);
        self.accounts[token.class as usize].accounts.starts(now, waited, token.service);
        (token.begun, token.waited) = (true, waited.ticks());
        (token.number, token.end) = (self.services, later(now, token.service));
        self.services += 1;
        self.serving.insert(|| token.rank(rules), place);
        events.push(Event { time: token.end, phase: Phase::Departure, entity: token.at, token: place });
    }
}

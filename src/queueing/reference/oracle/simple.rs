//! Stations that only serve who comes, as most do: what the modules `arrivals`, `services` and `departures` do there, in one piece.

use super::Oracle;
use super::approximate::Approximation;
use super::events::{Event, Phase};
use super::span;
use super::token::NONE;
use super::visits::Stay;
use crate::Left;
use crate::reference::later;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// A token comes to such a station; 1 where it balks, and so goes on.
    #[inline(always)]
    pub(super) fn comes(&mut self, place: u32, now: Time) -> u64 {
        let token = &self.tokens[place];
        let (id, class) = (token.at, token.class);
        let station = self.stations.simple(id);
        let present = (station.waiting.len() + station.serving.len()) as u64;
        let is_full = present >= station.capacity;
        station.accounts[class as usize].accounts.arrives(now, is_full);
        if let Some(approximation) = &mut self.approximation {
            approximation.arrives(id, token.original, is_full, now >= self.model.warmup());
        }
        if is_full {
            return self.finds_no_room(place, now);
        }
        if station.balks && self.balks(place, id, now) {
            return self.checks_livelock(id, now);
        }
        self.enters(place, now);
        0
    }

    /// A token joins such a station.
    #[inline(always)]
    pub(super) fn enters(&mut self, place: u32, now: Time) {
        let (token, rules) = (&mut self.tokens[place], self.rules);
        let (id, class) = (token.at, token.class);
        let station = self.stations.simple(id);
        let (serving, present) = (station.serving.len() as u64, (station.waiting.len() + station.serving.len()) as u64);
        self.squares = self.squares.wrapping_add(2 * present + 1);
        station.accounts[class as usize].accounts.enters(now);
        (token.arrival, token.since) = (station.arrivals, now);
        station.arrivals += 1;
        let mut patience = None;
        if station.impatient {
            token.gives_up = Time::NEVER;
            patience = rules.visit(id, class).patience.as_ref().map(|law| law.service(&mut station.stream));
        }
        let servers = station.servers();
        if serving < servers {
            let freed = |approximation: &mut Approximation| approximation.takes(id, servers, serving);
            let freed = self.approximation.as_mut().map_or(now, freed);
            self.stays(place, (id, class), now, Stay::Comes);
            return self.start(place, freed, now);
        }
        // Another shift serves it as any other station would.
        token.joins(token.arrival, now);
        station.waiting.join((rules.levels[class as usize], token.arrival), place, || token.rank(rules));
        if self.has_resources {
            self.holder_waits |= self.units.are_held_by(place);
        }
        if let Some(patience) = patience {
            token.gives_up = later(now, patience);
            self.events.push(Event { time: token.gives_up, phase: Phase::Patience, entity: id, token: place });
        }
        self.stays(place, (id, class), now, Stay::Comes);
    }

    /// A service ends at such a station; as how many events that counts, with what follows at once.
    #[inline(always)]
    pub(super) fn ends_service(&mut self, place: u32, now: Time) -> u64 {
        let token = &mut self.tokens[place];
        let id = token.at;
        let station = self.stations.simple(id);
        station.serving.ends();
        let present = (station.waiting.len() + station.serving.len()) as u64;
        self.squares = self.squares.wrapping_sub(2 * present + 1);
        station.completed += 1;
        station.accounts[token.class as usize].accounts.departs(now);
        token.end = Time::NEVER;
        token.number = station.departures;
        station.departures += 1;
        let next = if (station.serving.len() as u64) < station.servers() { station.next() } else { None };
        let freed = if self.approximation.is_some() { token.original } else { now };
        if self.notes {
            self.notes_departure(place, now);
        }
        if let Some(next) = next {
            self.start(next, freed, now);
        } else if let Some(approximation) =
            self.approximation.as_mut().filter(|_| !self.model.rules().stations[id as usize].infinite)
        {
            approximation.idles(id, now, freed);
        }
        if self.sends(place, id, now) { 1 + self.arrive(place, now) } else { 1 }
    }

    /// A token that has been served leaves a station; whether its arrival is what happens next.
    #[inline(always)]
    fn sends(&mut self, place: u32, id: u32, now: Time) -> bool {
        let token = &mut self.tokens[place];
        let edge = self.rules.edges[token.edge as usize];
        if edge.target >= self.abroad {
            self.tokens.take(place);
            self.came(now, -1);
            return false;
        }
        (token.class, token.at, token.arrival, token.since) = (edge.becomes, edge.target, NONE, now);
        let mut time = later(now, edge.delay);
        if let Some(approximation) = &self.approximation {
            token.original = later(token.original, edge.delay);
            let executed = approximation.executed(token.original).max(now);
            time = if edge.delay == Time::ZERO { now } else { executed };
        }
        if self.collects && time == now {
            self.collect(place, id);
            return false;
        }
        if time == now && self.events.is_over(now) && !self.has_resources && self.suspects.is_empty() {
            return true;
        }
        self.sets_out((place, id), time, now);
        false
    }

    /// A service begins, by a server whose last one ended at the original time `freed`.
    #[inline(always)]
    fn start(&mut self, place: u32, freed: Time, now: Time) {
        let (token, rules) = (&mut self.tokens[place], self.rules);
        let (id, class) = (token.at, token.class);
        let (station, visit) = (self.stations.simple(id), rules.visit(id, class));
        let mut service = visit.law.service(&mut station.stream);
        token.edge = rules.edge(visit, station.stream.draw());
        token.end = later(now, service);
        if let Some(approximation) = &self.approximation {
            token.original = later(token.original.max(freed), service);
            token.end = approximation.end(token.original, now);
            service = span(now, token.end);
        }
        let waited = span(token.since, now);
        station.accounts[class as usize].accounts.starts(now, waited, service);
        token.visit = station.services;
        station.services += 1;
        station.serving.begins();
        if station.impatient {
            token.begun = true;
        }
        self.events.push(Event { time: token.end, phase: Phase::Departure, entity: id, token: place });
        if self.times {
            self.records_start(place, (waited, service), now);
        }
        self.announce_abroad(place);
    }

    /// Tells another rank of a token in service that will go there.
    #[inline]
    pub(super) fn announce_abroad(&mut self, place: u32) {
        if self.abroad < u32::MAX && self.rules.edges[self.tokens[place].edge as usize].target >= self.abroad {
            self.announce(place);
        }
    }

    /// Notes that a token leaves a station, perhaps of another class.
    fn notes_departure(&mut self, place: u32, now: Time) {
        let token = &self.tokens[place];
        let (id, class, edge) = (token.at, token.class, self.rules.edges[token.edge as usize]);
        let becomes = edge.becomes;
        self.notes_end(place, now);
        self.stays(place, (id, class), now, Stay::Goes(Left::Served, edge.target));
        if class != becomes {
            self.numbers(class, now, -1);
            self.numbers(becomes, now, 1);
        }
    }
}

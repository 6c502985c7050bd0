//! Services: they begin, are interrupted and end.

use super::span;
use super::station::Rank;
use super::{Event, NOBODY, Oracle, Phase};
use crate::describe::Order;
use crate::reference::later;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// Draws a service and where it leads.
    pub(super) fn draw(&mut self, place: u32, now: Time) {
        let token = &mut self.tokens[place];
        token.draw(&mut self.stations[token.at as usize].stream, self.rules, now);
    }

    /// A service begins, or goes on.
    pub(super) fn serve(&mut self, place: u32, now: Time) {
        if self.tokens[place].work == Time::NEVER {
            self.draw(place, now);
        }
        if self.has_blocking && self.waits_in_server(place, now) {
            return;
        }
        let token = &mut self.tokens[place];
        let (id, class) = (token.at, token.class);
        if self.rules.stations[id as usize].patience_runs_on {
            token.may_abandon(now);
        }
        let station = &mut self.stations[id as usize];
        let has_clock = station.sharing.is_some();
        // Where all share, its wait for units is counted at its end, with what the service lasts longer.
        let shares = station.sharing.as_ref().is_some_and(|sharing| sharing.shares);
        let waited = if shares { Time::ZERO } else { span(token.since, now) };
        let accounts = &mut station.accounts[class as usize].accounts;
        let is_first = !token.begun;
        if is_first {
            let known = self.rules.stations[id as usize].speeds.is_empty();
            accounts.starts(now, waited, if known { token.service } else { Time::ZERO });
        } else {
            accounts.resumes(now, waited);
        }
        token.begun = true;
        token.waited += waited.ticks();
        if !has_clock {
            token.visit = station.services;
            token.end = later(now, token.work);
            station.services += 1;
            if self.rules.stations[id as usize].order == Order::ShortestRemaining {
                token.key = token.end;
            }
            self.events.push(Event { time: token.end, phase: Phase::Departure, entity: id, token: place });
        }
        let service = token.service;
        if is_first && self.times {
            self.records_start(place, (waited, service), now);
        }
        let rank = || self.tokens[place].rank(self.rules);
        self.stations[id as usize].count_downtime(now);
        self.stations[id as usize].serving.insert(rank, place);
        if self.has_resources {
            self.may_lose(place);
        }
        self.take_up(place, now);
        if has_clock {
            self.enter(place, now);
        }
        // At the beginning of a shift, at a station that only serves who comes.
        if self.stations[id as usize].simple {
            self.announce_abroad(place);
        }
    }

    /// Notes how long a token has waited, and stays, where that is known when its service begins.
    pub(super) fn records_start(&mut self, place: u32, (waited, service): (Time, Time), now: Time) {
        if let Some(visits) = &mut self.visits {
            visits.starts(place, now, &self.units);
        }
        let at = (self.tokens[place].at, self.tokens[place].class);
        let (rules, Some(histograms)) = (&self.rules.stations[at.0 as usize], &mut self.histograms) else { return };
        if !rules.waits_until_the_end() {
            histograms.waited_of(at, now, waited);
        }
        if !rules.is_seen_at_end() {
            histograms.stayed_of(at, now, Time::from_ticks(waited.ticks() + service.ticks()));
        }
    }

    /// A service is interrupted: its token waits for what is left of it.
    pub(super) fn interrupt(&mut self, id: u32, rank: Rank, now: Time) {
        let Some(place) = self.stations[id as usize].serving.get(&rank) else { return };
        let by_clock = self.has_clock(id).then(|| self.part(place, now));
        self.stations[id as usize].count_downtime(now);
        self.stations[id as usize].serving.remove(|| rank);
        self.leaves_server(place);
        self.leaves_group(place, now);
        if self.rules.stations[id as usize].loses_units {
            self.loses_no_more(place);
            self.units.give_back(place, &self.rules.stations[id as usize].seizes, now);
        }
        self.begins_to_wait(place);
        let token = &mut self.tokens[place];
        let counted = u64::from(now >= self.model.warmup());
        let station = &mut self.stations[id as usize];
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.pauses(now);
        accounts.preemptions += counted;
        token.work = by_clock.unwrap_or_else(|| span(now, token.end));
        (token.since, token.end) = (now, Time::NEVER);
        if self.rules.stations[id as usize].order == Order::ShortestRemaining {
            token.key = token.work;
        }
        self.waits(place);
        self.put_down(place, now);
        self.let_go(place);
    }

    /// A service ends.
    pub(super) fn depart(&mut self, place: u32, now: Time) {
        let id = self.tokens[place].at;
        if self.has_clock(id) {
            self.part(place, now);
        }
        self.put_down(place, now);
        self.leaves_server(place);
        if self.has_resources {
            self.loses_no_more(place);
        }
        let is_abandoned = self.tokens[place].edge == NOBODY;
        let edge = if is_abandoned { NOBODY } else { self.way(place) };
        let token = &mut self.tokens[place];
        (token.edge, token.end) = (edge, Time::NEVER);
        let stay = span(token.from, now);
        let station = &mut self.stations[id as usize];
        station.count_downtime(now);
        station.serving.remove(|| token.rank(self.rules));
        station.completed += 1;
        self.counts_end(place, stay, now);
        self.notes_end(place, now);
        if is_abandoned {
            return self.abandon(place, now);
        }
        if self.has_blocking && self.lacks_room(place) {
            let target = self.rules.edges[edge as usize].target;
            let Some(repetition) = self.rules.stations[target as usize].repeats else {
                return self.block(place, now);
            };
            self.records_stay(place, stay, now);
            return self.repeat(place, repetition, now);
        }
        self.records_stay(place, stay, now);
        let class = self.tokens[place].class;
        self.stations[id as usize].accounts[class as usize].accounts.departs(now);
        self.go(place, now);
    }

    /// Adds up what is known only when a service ends.
    fn counts_end(&mut self, place: u32, stay: Time, now: Time) {
        let token = &self.tokens[place];
        let (id, class) = (token.at, token.class);
        let (rules, shares) = (&self.rules.stations[id as usize], self.shares(id));
        // Where all share, what a service lasts longer than alone is waiting.
        let longer = stay.ticks().saturating_sub(token.service.ticks());
        let waited = Time::from_ticks(if shares { longer } else { token.waited });
        let accounts = &mut self.stations[id as usize].accounts[class as usize].accounts;
        if shares {
            accounts.lasts(now, waited);
        }
        if !rules.speeds.is_empty() {
            accounts.took(now, span(waited, stay));
        }
        if let Some(histograms) = self.histograms.as_mut().filter(|_| rules.waits_until_the_end()) {
            histograms.waited_of((id, class), now, waited);
        }
    }

    /// Notes how long a token was at a station until a service of its ended, where that is not known before.
    fn records_stay(&mut self, place: u32, stay: Time, now: Time) {
        let token = &self.tokens[place];
        if let Some(histograms) = &mut self.histograms
            && self.rules.stations[token.at as usize].is_seen_at_end()
        {
            histograms.stayed_of((token.at, token.class), now, stay);
            histograms.was_blocked_of((token.at, token.class), now, Time::ZERO);
        }
    }

    /// Serves who waits, as far as there are servers.
    pub(super) fn serve_next(&mut self, id: u32, now: Time) {
        let rules = &self.rules.stations[id as usize];
        if rules.seizes_at_service() {
            // Once what happens has happened, with all that wait for units.
            return;
        }
        if !rules.groups.is_empty() {
            while let Some(batch) = self.next_batch(id) {
                self.serve_batch(id, batch, now);
            }
            return self.walk_on(id, now);
        }
        loop {
            let station = &mut self.stations[id as usize];
            let is_ready = station.has_free_server() && (rules.setup.is_none() || station.ready > 0);
            if !is_ready {
                break;
            }
            let next = if self.decided.is_some() { self.next_decided(id, now) } else { station.next() };
            let Some(next) = next else { break };
            let station = &mut self.stations[id as usize];
            if station.ready > 0 {
                station.ready -= 1;
            }
            self.serve(next, now);
        }
        self.rest(id, now);
    }

    /// Interrupts services for which there is no server.
    pub(super) fn interrupt_last(&mut self, id: u32, now: Time) {
        loop {
            let station = &self.stations[id as usize];
            let Some((last, _)) = station.serving.last() else { return };
            if station.taken() <= station.servers() {
                return;
            }
            self.interrupt(id, last, now);
        }
    }
}

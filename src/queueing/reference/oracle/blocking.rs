//! Blocking after service: a token without room where it goes holds its server. Repetitive service: it is served again.

use super::span;
use super::{NOBODY, Oracle};
use crate::QueueingError;
use crate::describe::Repetition;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// Whether those that come to a target may have to wait where they are.
    pub(super) fn blocks(&self, target: u32) -> bool {
        target < self.model.stations() && self.rules.stations[target as usize].blocks
    }

    /// Whether a token has no room where it goes and waits for it. Who goes round makes its own; but not where it becomes of a class of which
    /// there are as many as may be.
    pub(super) fn lacks_room(&self, place: u32) -> bool {
        let token = &self.tokens[place];
        let edge = self.rules.edges[token.edge as usize];
        if !self.blocks(edge.target) {
            return false;
        }
        let (goes_round, keeps_class) = (edge.target == token.at, edge.becomes == token.class);
        !goes_round && !self.has_room_at_all(edge.target)
            || !(goes_round && keeps_class)
                && self.stations[edge.target as usize]
                    .is_full_of(edge.becomes, self.rules.visit(edge.target, edge.becomes).capacity)
    }

    /// Whether there is room for a token of some class.
    fn has_room_at_all(&self, id: u32) -> bool {
        !self.stations[id as usize].is_full()
    }

    /// A token that has been served holds its server.
    pub(super) fn block(&mut self, place: u32, now: Time) {
        self.begins_to_wait(place);
        let rank = self.rank(place);
        let token = &mut self.tokens[place];
        let id = token.at;
        let station = &mut self.stations[id as usize];
        station.accounts[token.class as usize].accounts.is_held(now);
        station.count_downtime(now);
        station.blocked.insert(rank, place);
        token.blocked = now;
        let target = self.target(place);
        self.stations[target as usize].held.push_back(place);
        if let Some(cycle) = self.cycle(id) {
            self.resolve(&cycle, now);
        }
    }

    /// A token that has been served and has no room where it goes is served again.
    pub(super) fn repeat(&mut self, place: u32, repetition: Repetition, now: Time) {
        let token = &mut self.tokens[place];
        self.stations[token.at as usize].accounts[token.class as usize].accounts.is_held(now);
        token.kept = if repetition == Repetition::SameDestination { token.edge } else { NOBODY };
        // It is a service of its own, and its times are.
        (token.work, token.begun, token.waited) = (Time::NEVER, false, 0);
        (token.since, token.from) = (now, now);
        self.serve(place, now);
    }

    /// A token has come to a station whose servers are perhaps all held: who it goes behind may wait for ever.
    pub(super) fn check_held(&mut self, id: u32, now: Time) {
        let station = &self.stations[id as usize];
        if station.blocked.is_empty() || !station.serving.is_empty() {
            return;
        }
        if let Some(cycle) = self.cycle(id) {
            self.resolve(&cycle, now);
        }
    }

    /// A station whose tokens hold servers is looked at behind the event: nothing else may make it go on now.
    pub(super) fn looks_again(&mut self, id: u32) {
        if !self.stations[id as usize].blocked.is_empty() {
            self.suspects.insert(id);
        }
    }

    /// Behind an event: units are granted, and stations that may wait for ever since are looked at, one after the other. Not before, as
    /// somebody may make room for them within the event. Tokens that exchange may give units back, and stop others.
    pub(super) fn grant_and_check(&mut self, now: Time) {
        loop {
            if self.has_resources {
                self.grant(now);
            }
            let Some(id) = self.suspects.pop_first().filter(|_| self.fault.is_none()) else { return };
            if let Some(cycle) = self.cycle(id) {
                self.resolve(&cycle, now);
            }
        }
    }

    fn target(&self, place: u32) -> u32 {
        self.rules.edges[self.tokens[place].edge as usize].target
    }

    /// Lets in who waits for room, as far as there is some.
    pub(super) fn admit_held(&mut self, id: u32, now: Time) {
        self.has_room(id, now);
        // Where classes have room of their own, what one has left may be of no use to those that wait.
        if self.counts_classes {
            self.looks_again(id);
        }
        if self.stations[id as usize].held.is_empty() {
            return;
        }
        let limits = |class| self.rules.visit(id, class).capacity < u32::MAX;
        let of_classes = (0..self.rules.classes()).any(limits);
        while of_classes || self.has_room_at_all(id) {
            let held = &self.stations[id as usize].held;
            let Some(first) = held.iter().position(|place| !self.lacks_room(*place)) else { return };
            let Some(place) = self.stations[id as usize].held.remove(first) else { return };
            self.release(place, now);
        }
    }

    /// A blocked token goes.
    fn release(&mut self, place: u32, now: Time) {
        let rank = self.rank(place);
        let token = &mut self.tokens[place];
        let since = token.blocked_since(self.model.warmup());
        let station = &mut self.stations[token.at as usize];
        station.count_downtime(now);
        station.blocked.remove(&rank);
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.gives_up(now);
        accounts.blocked += u128::from(now.ticks().saturating_sub(since.ticks()));
        let blocked = span(std::mem::replace(&mut token.blocked, Time::NEVER), now);
        if let Some(histograms) = &mut self.histograms {
            histograms.stayed_of((token.at, token.class), now, span(token.from, now));
            histograms.was_blocked_of((token.at, token.class), now, blocked);
        }
        self.go(place, now);
    }

    /// Stations and resources whose tokens wait for each other for ever, round from one to the next; from this station on.
    pub(super) fn cycle(&self, from: u32) -> Option<Vec<u32>> {
        let (mut seen, mut open) = (vec![from], vec![from]);
        while let Some(id) = open.pop() {
            for node in self.waits_for(id)? {
                if !seen.contains(&node) {
                    seen.push(node);
                    open.push(node);
                }
            }
        }
        // Everyone waits: so following the first of each leads round.
        let (mut path, mut here) = (vec![], from);
        while !path.contains(&here) {
            path.push(here);
            here = self.waits_for(here).and_then(|nodes| nodes.first().copied()).unwrap_or(from);
        }
        let begin = path.iter().position(|id| *id == here).unwrap_or(0);
        Some(path.split_off(begin))
    }

    /// Tokens that wait for each other for ever change places, where every station of theirs has it so; else they end the run.
    pub(super) fn resolve(&mut self, cycle: &[u32], now: Time) {
        let of_units = cycle.iter().any(|node| *node >= self.model.stations());
        if !of_units && cycle.iter().all(|id| self.rules.stations[*id as usize].exchanges) {
            return self.exchange(cycle, now);
        }
        let names = cycle.iter().chain(cycle.first()).map(|node| self.node_name(*node));
        let (clock, cycle) = (now.units(), names.collect::<Vec<_>>().join(" -> "));
        self.fail(match of_units {
            true => QueueingError::Stuck { clock, cycle },
            false => QueueingError::Deadlock { clock, cycle },
        });
    }

    /// The first blocked token of each station of a cycle goes to the next one, all at once.
    fn exchange(&mut self, cycle: &[u32], now: Time) {
        let first = |id: &u32| self.stations[*id as usize].blocked.values().next().copied();
        let places: Vec<u32> = cycle.iter().filter_map(first).collect();
        for place in &places {
            // Nobody else gets the room that the others make.
            let edge = self.rules.edges[self.tokens[*place].edge as usize];
            let station = &mut self.stations[edge.target as usize];
            station.held.retain(|held| held != place);
            station.keep_room(edge.becomes);
        }
        for place in places {
            let edge = self.rules.edges[self.tokens[place].edge as usize];
            self.stations[edge.target as usize].end_keeping(edge.becomes);
            self.release(place, now);
        }
    }

    /// Where the blocked tokens of a station go; `None` where it may make room, or serve, before one of them can go.
    pub(super) fn blocked_for(&self, id: u32) -> Option<Vec<u32>> {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        let goes = self.rules.going_on(id, self.model.servers(id), station.shift);
        let waits = !station.waiting.is_empty();
        // Who comes back serves who waits.
        let comes_back = station.away > 0 && waits;
        // Where the first that waits lacks units beside a free server, another server does not help.
        let helps = waits && (rules.seizes_early || self.lacking(id).is_empty());
        let changes = goes.most_servers.is_some_and(|most| helps && station.blocked.len() < most as usize);
        let loses_patience = goes.impatient && (waits || !station.outside.is_empty());
        let goes_on = goes.at_once || comes_back || changes || loses_patience || station.aside > 0;
        // In the middle of an event a server may be free for who waits.
        let serves = rules.seizes_early && waits && station.taken() < station.servers();
        let serves = serves || self.served(id).is_some();
        let is_stuck = station.serving.is_empty() && station.coming == 0 && !goes_on && !serves;
        is_stuck.then(|| station.blocked.values().map(|place| self.target(*place)).collect())
    }
}

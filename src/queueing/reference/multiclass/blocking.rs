//! Blocking after service: a token without room where it goes holds its server.

use super::station::Rank;
use super::{Simulation, Token};
use crate::queueing::QueueingError;
use crate::time::Time;

impl Simulation<'_> {
    /// Whether those that come to a target may have to wait where they are.
    pub(super) fn blocks(&self, target: u32) -> bool {
        target < self.model.stations() && self.rules.stations[target as usize].blocks
    }

    /// Whether a token of a station has no room at a target and waits for it. Who goes round makes its own.
    pub(super) fn is_full(&self, target: u32, from: u32) -> bool {
        if !self.blocks(target) || target == from {
            return false;
        }
        let station = &self.stations[target as usize];
        station.present() + station.coming >= u64::from(self.model.capacity(target))
    }

    /// A token that has been served holds its server.
    pub(super) fn block(&mut self, place: u32, rank: Rank, now: Time) -> Result<(), QueueingError> {
        let token = self.tokens.get(place);
        let station = &mut self.stations[token.at as usize];
        station.accounts[token.class as usize].accounts.is_held(now);
        station.blocked.insert(rank, place);
        self.tokens.set(place, Token { blocked: Some(now), ..token });
        let target = self.target(place);
        self.stations[target as usize].held.push_back(place);
        match self.deadlock(token.at) {
            Some(cycle) => Err(QueueingError::Deadlock { clock: now.units(), cycle }),
            None => Ok(()),
        }
    }

    fn target(&self, place: u32) -> u32 {
        self.rules.edges[self.tokens.get(place).edge as usize].target
    }

    /// Lets in who waits for room, as far as there is some.
    pub(super) fn admit_held(&mut self, id: u32, now: Time) {
        while self.rules.stations[id as usize].blocks {
            let station = &mut self.stations[id as usize];
            if station.present() + station.coming >= u64::from(self.model.capacity(id)) {
                return;
            }
            let Some(place) = station.held.pop_front() else { return };
            self.release(place, now);
        }
    }

    /// A blocked token goes.
    fn release(&mut self, place: u32, now: Time) {
        let (token, rank) = (self.tokens.get(place), self.rank(place));
        let since = token.blocked.unwrap_or(now).max(self.model.warmup());
        let station = &mut self.stations[token.at as usize];
        station.blocked.remove(&rank);
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.gives_up(now);
        accounts.blocked += u128::from(now.ticks().saturating_sub(since.ticks()));
        self.tokens.set(place, Token { blocked: None, ..token });
        self.go(place, now);
    }

    /// The names of stations that wait for each other for ever, from this one on.
    fn deadlock(&self, from: u32) -> Option<String> {
        let (mut seen, mut open) = (vec![from], vec![from]);
        while let Some(id) = open.pop() {
            if !self.is_stuck(id) {
                return None;
            }
            for place in self.stations[id as usize].blocked.values() {
                let target = self.target(*place);
                if !seen.contains(&target) {
                    seen.push(target);
                    open.push(target);
                }
            }
        }
        // Everyone waits: so following the first of each leads round.
        let (mut path, mut here) = (vec![], from);
        while !path.contains(&here) {
            path.push(here);
            here = self.stations[here as usize].blocked.values().next().map_or(from, |place| self.target(*place));
        }
        let begin = path.iter().position(|id| *id == here).unwrap_or(0);
        let names = path[begin..].iter().chain([&here]).map(|id| self.model.station_name(*id));
        Some(names.collect::<Vec<_>>().join(" -> "))
    }

    /// Whether a station makes no room before one of its tokens that are blocked can go.
    fn is_stuck(&self, id: u32) -> bool {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        // Who comes back serves who waits.
        let comes_back = station.away > 0 && !station.waiting.is_empty();
        let changes = comes_back || rules.roster.is_some() || rules.failures.is_some() || rules.infinite;
        let classes = 0..self.rules.classes();
        let patient = classes.into_iter().all(|class| self.rules.visit(id, class).patience.is_none());
        !station.blocked.is_empty() && station.serving.is_empty() && station.coming == 0 && !changes && patient
    }
}

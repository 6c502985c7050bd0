//! Blocking before service: a token is served only while there is room where it goes then.

use super::{Simulation, Token};
use crate::time::Time;

impl Simulation<'_> {
    /// The station whose room a token in a server needs to be served, where there is one.
    fn needed(&self, place: u32) -> Option<u32> {
        let token = self.tokens.get(place);
        let target = self.rules.edges[token.edge as usize].target;
        let is_before = target != token.at && self.blocks(target) && self.rules.stations[target as usize].before;
        is_before.then_some(target)
    }

    /// A token takes a server; whether its service has to wait for room where it goes.
    pub(super) fn waits_in_server(&mut self, place: u32, now: Time) -> bool {
        let Some(target) = self.needed(place) else { return false };
        let (token, rank) = (self.tokens.get(place), self.rank(place));
        self.stations[target as usize].feeding.insert((token.at, rank, place));
        if !self.is_full(target, token.at) {
            return false;
        }
        self.hold(place, now);
        true
    }

    /// A token keeps its server and is not served.
    fn hold(&mut self, place: u32, now: Time) {
        let (token, rank) = (self.tokens.get(place), self.rank(place));
        self.stations[token.at as usize].blocked.insert(rank, place);
        self.tokens.set(place, Token { blocked: Some(now), ..token });
        let fault = self.cycle(token.at).and_then(|cycle| self.resolve(&cycle, now).err());
        self.fault = self.fault.take().or(fault);
    }

    /// Those who are served to go to a station that is full now wait for room, with what is left of their services.
    pub(super) fn filled(&mut self, id: u32, now: Time) {
        if !self.rules.stations[id as usize].before {
            return;
        }
        let feeding: Vec<_> = self.stations[id as usize].feeding.iter().copied().collect();
        for (at, rank, place) in feeding {
            if !self.is_full(id, at) || self.stations[at as usize].serving.remove(&rank).is_none() {
                continue;
            }
            let token = self.tokens.get(place);
            let left = token.serving.map(|(_, end)| Time::from_ticks(end.ticks() - now.ticks()));
            self.stations[at as usize].accounts[token.class as usize].accounts.pauses(now);
            self.tokens.set(place, Token { work: left, since: now, serving: None, ..token });
            self.hold(place, now);
        }
    }

    /// Those who wait for room at a station that has some now are served.
    pub(super) fn has_room(&mut self, id: u32, now: Time) {
        if !self.rules.stations[id as usize].before {
            return;
        }
        let feeding: Vec<_> = self.stations[id as usize].feeding.iter().copied().collect();
        for (at, rank, place) in feeding {
            if self.is_full(id, at) || self.stations[at as usize].blocked.remove(&rank).is_none() {
                continue;
            }
            let token = self.tokens.get(place);
            let since = token.blocked.unwrap_or(now).max(self.model.warmup());
            let accounts = &mut self.stations[at as usize].accounts[token.class as usize];
            accounts.blocked += u128::from(now.ticks().saturating_sub(since.ticks()));
            self.tokens.set(place, Token { blocked: None, ..token });
            self.serve(place, now);
        }
    }

    /// A token is in no server any longer.
    pub(super) fn leaves_server(&mut self, place: u32) {
        if let Some(target) = self.needed(place) {
            let entry = (self.tokens.get(place).at, self.rank(place), place);
            self.stations[target as usize].feeding.remove(&entry);
        }
    }
}

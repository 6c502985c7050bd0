//! Preemption of what tokens hold: of servers at stations that seize units with the server, and of units of preemptive resources.

use std::collections::BTreeSet;

use super::Oracle;
use super::station::Rank;
use super::units::Loser;
use crate::model::{Need, StationRules};
use tickless_core::time::Time;

impl Oracle<'_> {
    /// Whom the first token that waits at a station without a free server would interrupt there, once it has its units.
    pub(super) fn pushed(&self, id: u32) -> Option<Rank> {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        if !rules.pushes() || self.has_server(id) {
            return None;
        }
        station.interrupted(rules.preemption, self.rank(station.waiting.first()?))
    }

    /// Interrupts whoever is in the way of the first token that waits at a station: one in service there, if no server is free; then holders of the
    /// units that it lacks.
    pub(super) fn make_way(&mut self, id: u32, now: Time) {
        if let Some(rank) = self.pushed(id) {
            self.preempt(id, rank, now);
        }
        while let Some(place) = self.in_the_way(id) {
            self.preempt(self.tokens[place].at, self.rank(place), now);
        }
    }

    /// The token that is interrupted next, so that the first token of a station gets the units that it lacks.
    fn in_the_way(&self, id: u32) -> Option<u32> {
        let rules = &self.rules.stations[id as usize];
        let first = self.stations[id as usize].waiting.first().filter(|_| rules.loses_units)?;
        let lacks = |need: &&Need| self.units.resources[need.resource as usize].lacks(need.units);
        let lacking = rules.seizes.iter().find(lacks)?;
        let level = self.rules.levels[self.tokens[first].class as usize];
        self.losers(lacking.resource, level).next()
    }

    /// A token in service waits again, without its server and without units that may be lost. Who takes the server needs no set-up.
    fn preempt(&mut self, id: u32, rank: Rank, now: Time) {
        self.interrupt(id, rank, now);
        if self.rules.stations[id as usize].setup.is_some() {
            self.stations[id as usize].ready += 1;
        }
    }

    /// Whether all that a token lacks would be there without those in service of lower priorities.
    pub(super) fn may_preempt(&self, rules: &StationRules, place: u32) -> bool {
        let level = self.rules.levels[self.tokens[place].class as usize];
        rules.seizes.iter().all(|Need { resource, units }| {
            let mut lacking = self.units.resources[*resource as usize].lacking(*units);
            lacking == 0
                || self.losers(*resource, level).any(|place| {
                    lacking = lacking.saturating_sub(self.loses(place, *resource).into());
                    lacking == 0
                })
        })
    }

    /// How many units of a resource a token loses that is interrupted where it is.
    fn loses(&self, place: u32, resource: u32) -> u32 {
        let rules = &self.rules.stations[self.tokens[place].at as usize];
        let need = rules.seizes.iter().find(|need| rules.loses_units && need.resource == resource);
        need.map_or(0, |need| need.units)
    }

    /// The places of tokens that lose units of a resource to one of a priority, the first to lose them first.
    fn losers(&self, resource: u32, level: u32) -> impl Iterator<Item = u32> {
        let all = self.units.resources[resource as usize].losers.iter().rev();
        all.take_while(move |(own_level, ..)| *own_level > level).map(|(.., place)| *place)
    }

    /// A service begins, or goes on: the token may lose what its station seizes.
    pub(super) fn may_lose(&mut self, place: u32) {
        self.note_loser(place, |all, loser| {
            all.insert(loser);
        });
    }

    /// A service ends, or is interrupted.
    pub(super) fn loses_no_more(&mut self, place: u32) {
        self.note_loser(place, |all, loser| {
            all.remove(&loser);
        });
    }

    fn note_loser(&mut self, place: u32, note: fn(&mut BTreeSet<Loser>, Loser)) {
        let rules = self.rules;
        let token = &self.tokens[place];
        let of_station = &rules.stations[token.at as usize];
        if !of_station.loses_units {
            return;
        }
        let loser = (rules.levels[token.class as usize], token.arrived, token.at, token.arrival, place);
        for Need { resource, .. } in &of_station.seizes {
            if rules.resources[*resource as usize].preemptive {
                note(&mut self.units.resources[*resource as usize].losers, loser);
            }
        }
    }

    /// All losers of a run that goes on from a checkpoint.
    pub(super) fn find_losers(&mut self) {
        let holders = self.units.resources.iter().flat_map(|held| held.holders.iter().copied());
        let served = holders.filter(|place| self.tokens[*place].end < Time::NEVER).collect::<BTreeSet<u32>>();
        served.into_iter().for_each(|place| self.may_lose(place));
    }

    /// Whether the losers are those that they would be in a run that goes on from here.
    pub(super) fn losers_are_known(&self) -> bool {
        let is_loser = |resource: u32, place: u32| {
            let is_served = self.tokens[place].end < Time::NEVER;
            is_served && self.rules.resources[resource as usize].preemptive && self.loses(place, resource) > 0
        };
        (0..).zip(&self.units.resources).all(|(resource, held)| {
            let found: BTreeSet<u32> = held.losers.iter().map(|(.., place)| *place).collect();
            found == held.holders.iter().copied().filter(|place| is_loser(resource, *place)).collect()
        })
    }
}

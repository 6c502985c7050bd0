//! Preemption of what tokens hold: of servers at stations that seize with them, and of units of preemptive resources.

use super::Oracle;
use super::station::Rank;
use crate::model::{Need, StationRules};
use tickless_core::time::Time;

/// A token in service, by its station and its place in the order of service.
type Served = (u32, Rank);

impl Oracle<'_> {
    /// Whom the first token that waits at a station without a free server would interrupt there, once it has its units.
    pub(super) fn pushed(&self, id: u32) -> Option<Rank> {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        if !rules.pushes() || self.has_server(id) {
            return None;
        }
        station.interrupted(rules.preemption, self.rank(station.waiting.first()?))
    }

    /// Who is interrupted first so that the next token of a station is served.
    pub(super) fn in_the_way(&self, id: u32) -> Option<Served> {
        if let Some(rank) = self.pushed(id) {
            return Some((id, rank));
        }
        let rules = &self.rules.stations[id as usize];
        let first = self.stations[id as usize].waiting.first().filter(|_| rules.loses_units)?;
        let lacks = |need: &&Need| self.units.resources[need.resource as usize].lacks(need.units);
        let lacking = rules.seizes.iter().find(lacks)?;
        let level = self.rules.levels[self.tokens[first].class as usize];
        let (.., place) = self.preempted(lacking.resource, level).max()?;
        Some((self.tokens[place].at, self.rank(place)))
    }

    /// A token in service waits again, without its server and without units that may be lost.
    pub(super) fn preempt(&mut self, (id, rank): Served, now: Time) {
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
                || self.preempted(*resource, level).any(|(_, place)| {
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

    /// Tokens in service that lose units of a resource to one of a priority: by their priority, when they have come to their station, the
    /// station and their number there. Of these the last is interrupted first.
    fn preempted(&self, resource: u32, level: u32) -> impl Iterator<Item = ((u32, Time, u32, u64), u32)> {
        let holders = self.units.resources[resource as usize].holders.iter();
        let holders = holders.filter(move |_| self.rules.resources[resource as usize].preemptive);
        holders.filter_map(move |place| {
            let token = &self.tokens[*place];
            let own_level = self.rules.levels[token.class as usize];
            let may_lose = token.end < Time::NEVER && own_level > level && self.loses(*place, resource) > 0;
            may_lose.then_some(((own_level, token.arrived, token.at, token.arrival), *place))
        })
    }
}

//! Resources: who gets the units that are free, and who never will.

use super::{NONE, Oracle};
use crate::model::Need;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// Gives free units to who waits for them, and servers at stations that seize: of several stations first to that whose token has
    /// the higher priority, then has come earlier.
    pub(super) fn grant(&mut self, now: Time) {
        let rules = self.rules;
        loop {
            self.notice_freed();
            let first = |id: &u32| {
                let token = &self.tokens[self.granted(*id)?];
                Some((self.rules.levels[token.class as usize], token.arrived, *id))
            };
            let Some((.., id)) = self.stations.touched().iter().filter_map(first).min() else { break };
            if let Some((_, place)) = self.stations[id as usize].outside.pop_first() {
                self.units.seize(place, &rules.stations[id as usize], now);
                self.line_up(place, now);
                continue;
            }
            self.make_way(id, now);
            if let Some(place) = self.next_at(id) {
                let station = &mut self.stations[id as usize];
                if station.ready > 0 {
                    station.ready -= 1;
                }
                if !self.tokens[place].begun || rules.stations[id as usize].loses_units {
                    self.units.seize(place, &rules.stations[id as usize], now);
                }
                self.serve(place, now);
            }
        }
        let touched = self.stations.take_touched();
        for id in &touched {
            self.rest(*id, now);
            if self.lacking(*id).is_empty() {
                self.short.remove(id)
            } else {
                self.doubtful.insert(*id);
                self.short.insert(*id)
            };
        }
        self.stations.put_back(touched);
        debug_assert!(self.losers_are_known());
        debug_assert!(self.nobody_else_goes_on(), "{:?} are short of units, which is not all or too much", self.short);
    }

    /// What holds after all units are granted: no station grants any more, and those that are short of units are known.
    fn nobody_else_goes_on(&self) -> bool {
        let is_known = |id: &u32| self.lacking(*id).is_empty() != self.short.contains(id);
        self.rules.seizing.iter().all(|id| self.granted(*id).is_none() && is_known(id))
    }

    /// Puts the stations that are short of units which have come back into the list of those that may go on.
    fn notice_freed(&mut self) {
        for resource in self.units.freed.drain(..) {
            let seizing = &self.seizing[resource as usize];
            seizing.iter().filter(|id| self.short.contains(id)).for_each(|id| self.stations.touch(*id));
        }
    }

    /// Whether a station has a server for a token that waits.
    pub(super) fn has_server(&self, id: u32) -> bool {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        station.has_free_server() && (rules.setup.is_none() || station.ready > 0)
    }

    /// The first token of a station which has all that it waits for, perhaps of others, whom it interrupts.
    fn granted(&self, id: u32) -> Option<u32> {
        self.served(id).or_else(|| self.pushed(id).and_then(|_| self.first_with_units(id)))
    }

    /// The same of those for whom there is a server: of a station that seizes nothing, who waits beside one.
    pub(super) fn served(&self, id: u32) -> Option<u32> {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        if !rules.groups.is_empty() {
            // A group that has a free server has served all whom it can.
            return None;
        }
        if rules.seizes_early {
            let are_free = self.units.are_there(rules);
            return station.outside.values().next().copied().filter(|_| are_free);
        }
        if !self.has_server(id) {
            return None;
        }
        self.first_with_units(id).or_else(|| self.first_begun(id))
    }

    /// The first token that waits, if it has its units, or all that it takes is there, perhaps with others.
    fn first_with_units(&self, id: u32) -> Option<u32> {
        let rules = &self.rules.stations[id as usize];
        let first = self.stations[id as usize].waiting.first()?;
        let has_all = match rules.loses_units {
            true => self.may_preempt(rules, first),
            false => self.tokens[first].begun,
        };
        (has_all || self.units.are_there(rules)).then_some(first)
    }

    /// The first token that has its units since a service that was interrupted.
    fn first_begun(&self, id: u32) -> Option<u32> {
        let rules = &self.rules.stations[id as usize];
        if !rules.interrupts() || rules.loses_units {
            return None;
        }
        let mut waiting = self.stations[id as usize].waiting.places();
        waiting.find(|place| self.tokens[*place].begun)
    }

    /// Takes the token that is served next out of the queue of a station that seizes at the service.
    fn next_at(&mut self, id: u32) -> Option<u32> {
        let rules = &self.rules.stations[id as usize];
        if self.units.are_there(rules) {
            return self.stations[id as usize].next();
        }
        let place = self.first_begun(id)?;
        let rank = self.rank(place);
        self.stations[id as usize].waiting.remove(&rank)
    }

    /// The resources that the first token of a station waits for, where that is all that it waits for.
    pub(super) fn lacking(&self, id: u32) -> Vec<u32> {
        let (rules, station) = (&self.rules.stations[id as usize], &self.stations[id as usize]);
        let waits = match rules.seizes_early {
            true => !station.outside.is_empty(),
            false => !station.waiting.is_empty() && (self.has_server(id) || self.pushed(id).is_some()),
        };
        if !waits || self.granted(id).is_some() {
            return vec![];
        }
        let lacks = |need: &&Need| self.units.resources[need.resource as usize].lacks(need.units);
        rules.seizes.iter().filter(lacks).map(|need| need.resource).collect()
    }

    /// A token begins to wait, perhaps with units.
    pub(super) fn begins_to_wait(&mut self, place: u32) {
        self.holder_waits |= self.has_resources && self.units.are_held_by(place);
    }

    /// Ends a run in which tokens wait for units that nobody gives back. Whether tokens have changed places instead.
    ///
    /// A station that is short of units does not wait for ever while a holder of such units goes on. So only stations are looked at whose
    /// units or tokens have changed, and those of which no holder goes on; or all where a holder has begun to wait.
    pub(super) fn check_units(&mut self, now: Time) -> bool {
        let all = std::mem::take(&mut self.holder_waits);
        let doubtful = std::mem::take(&mut self.doubtful);
        let looked_at: Vec<u32> = if all {
            self.short.iter().copied().collect()
        } else {
            doubtful.intersection(&self.short).copied().collect()
        };
        for id in looked_at {
            if self.has_going_holder(id) {
                continue;
            }
            self.doubtful.insert(id);
            if let Some(cycle) = self.cycle(id) {
                self.holder_waits = true;
                self.resolve(&cycle, now);
                return self.fault.is_none();
            }
        }
        debug_assert!(self.short.iter().all(|id| self.has_going_holder(*id) || self.cycle(*id).is_none()));
        false
    }

    /// Whether a token that does not wait holds units of a resource that a station is short of. Then the station does not wait for ever, and no
    /// search for a cycle is needed.
    fn has_going_holder(&self, id: u32) -> bool {
        let held = |need: &Need| &self.units.resources[need.resource as usize];
        let short = self.rules.stations[id as usize].seizes.iter().filter(|need| held(need).lacks(need.units));
        short.flat_map(|need| &held(need).holders).any(|place| self.holder_waits_at(*place).is_none())
    }

    /// Where a holder of units waits, if it does.
    fn holder_waits_at(&self, place: u32) -> Option<u32> {
        let token = &self.tokens[place];
        let is_there = token.arrival != NONE && token.end == Time::NEVER;
        let is_outside = || self.stations[token.at as usize].outside.contains_key(&self.rank(place));
        let waits = is_there && (token.blocked < Time::NEVER || !self.shares(token.at) || is_outside());
        waits.then_some(token.at)
    }

    /// What every token of a station, or every holder of a resource (behind the stations), waits for: stations that give no server and
    /// no room, resources that have no units. `None` where one may go on.
    pub(super) fn waits_for(&self, node: u32) -> Option<Vec<u32>> {
        let stations = self.model.stations();
        let Some(resource) = node.checked_sub(stations) else {
            let mut waits = self.blocked_for(node)?;
            waits.extend(self.lacking(node).into_iter().map(|resource| stations + resource));
            return (!waits.is_empty()).then_some(waits);
        };
        let held = &self.units.resources[resource as usize];
        if self.rules.resources[resource as usize].is_delivered || held.is_reduced() {
            // More may come.
            return None;
        }
        let holders = held.holders.iter();
        let mut stations: Vec<u32> = holders.map(|place| self.holder_waits_at(*place)).collect::<Option<_>>()?;
        stations.sort_unstable();
        Some(stations)
    }

    /// The name of a station, or of a resource.
    pub(super) fn node_name(&self, node: u32) -> String {
        match node.checked_sub(self.model.stations()) {
            None => self.model.station_name(node).into_owned(),
            Some(resource) => self.rules.resources[resource as usize].name.clone(),
        }
    }
}

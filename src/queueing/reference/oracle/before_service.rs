//! Blocking before service: a token is served only while there is room where it goes then.

use super::Oracle;
use super::span;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// The station whose room a token in a server needs to be served, where there is one.
    pub(super) fn needed(&self, place: u32) -> Option<u32> {
        let token = &self.tokens[place];
        // Who abandons its service has no edge.
        let edge = self.rules.edges.get(token.edge as usize)?;
        let is_elsewhere = edge.target != token.at || edge.becomes != token.class;
        let is_before = is_elsewhere && self.blocks(edge.target) && self.rules.stations[edge.target as usize].before;
        is_before.then_some(edge.target)
    }

    /// A token takes a server; whether its service has to wait for room where it goes.
    pub(super) fn waits_in_server(&mut self, place: u32, now: Time) -> bool {
        let Some(target) = self.needed(place) else { return false };
        let entry = (self.tokens[place].at, self.rank(place), place);
        self.stations[target as usize].feeding.insert(entry);
        if !self.lacks_room(place) {
            return false;
        }
        self.hold(place, now);
        true
    }

    /// A token keeps its server and is not served.
    fn hold(&mut self, place: u32, now: Time) {
        self.take_server(place);
        let (id, rank) = (self.tokens[place].at, self.rank(place));
        self.begins_to_wait(place);
        self.stations[id as usize].count_downtime(now);
        self.stations[id as usize].blocked.insert(rank, place);
        self.tokens[place].blocked = now;
        self.keep_pace(id, now);
        self.suspects.insert(id);
    }

    /// Those who are served to go to a station that is full now wait for room, with what is left of their services.
    pub(super) fn filled(&mut self, id: u32, now: Time) {
        if !self.rules.stations[id as usize].before {
            return;
        }
        let feeding: Vec<_> = self.stations[id as usize].feeding.iter().copied().collect();
        for (at, rank, place) in feeding {
            if !self.lacks_room(place) || self.stations[at as usize].serving.get(&rank).is_none() {
                continue;
            }
            let by_clock = self.has_clock(at).then(|| self.part(place, now));
            self.put_down(place, now);
            self.stations[at as usize].count_downtime(now);
            self.stations[at as usize].serving.remove(|| rank);
            self.loses_no_more(place);
            let token = &mut self.tokens[place];
            self.stations[at as usize].accounts[token.class as usize].accounts.pauses(now);
            token.work = by_clock.unwrap_or_else(|| span(now, token.end));
            (token.since, token.end) = (now, Time::NEVER);
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
            if self.lacks_room(place) {
                continue;
            }
            self.stations[at as usize].count_downtime(now);
            if self.stations[at as usize].blocked.remove(&rank).is_none() {
                continue;
            }
            let token = &mut self.tokens[place];
            let (since, begun) = (token.blocked_since(self.model.warmup()), token.begun);
            token.blocked = Time::NEVER;
            let accounts = &mut self.stations[at as usize].accounts[token.class as usize];
            let stopped = u128::from(now.ticks().saturating_sub(since.ticks()));
            accounts.blocked += stopped;
            accounts.stopped += stopped;
            if self.has_lost_its_server(at) {
                self.leaves_server(place);
                let rules = &self.rules.stations[at as usize];
                if (!begun || rules.loses_units) && rules.seizes_at_service() {
                    // It takes them again with a server.
                    self.units.give_back(place, &rules.seizes, now);
                }
                self.begins_to_wait(place);
                self.waits(place);
                continue;
            }
            if self.rules.stations[at as usize].loses_units {
                // Its units may be taken again.
                self.units.may_be_free(&self.rules.stations[at as usize].seizes);
            }
            self.serve(place, now);
        }
    }

    /// Whether servers that hold tokens have failed or gone meanwhile, so that a service which may go on there waits for one.
    fn has_lost_its_server(&self, id: u32) -> bool {
        let (shift_schedule, station) = (&self.rules.stations[id as usize].shift_schedule, &self.stations[id as usize]);
        let ends = shift_schedule.as_ref().is_some_and(|shift_schedule| shift_schedule.interrupts)
            || station.in_order.contains(&false);
        ends && station.taken() >= station.servers()
    }

    /// A token is in no server any longer.
    pub(super) fn leaves_server(&mut self, place: u32) {
        if self.has_blocking
            && let Some(target) = self.needed(place)
        {
            let entry = (self.tokens[place].at, self.rank(place), place);
            self.stations[target as usize].feeding.remove(&entry);
        }
    }
}

//! Tokens that leave a station, or the network.

use super::span;
use super::visits::Stay;
use super::{Event, NOBODY, NONE, Oracle, Phase, Token};
use crate::Left;
use crate::model::Rules;
use crate::reference::later;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// A token that has been served, and has room where it goes, leaves.
    pub(super) fn go(&mut self, place: u32, now: Time) {
        let (id, class) = (self.tokens[place].at, self.tokens[place].class);
        if self.has_forks {
            self.fork(place, now);
        }
        let edge = self.rules.edges[self.tokens[place].edge as usize];
        self.squares = self.squares.wrapping_sub(2 * self.stations[id as usize].present() + 1);
        self.stays(place, (id, class), now, Stay::Goes(Left::Served, edge.target));
        if class != edge.becomes {
            self.numbers(class, now, -1);
            self.numbers(edge.becomes, now, 1);
        }
        let expected = self.has_blocking && self.blocks(edge.target);
        if expected {
            self.stations[edge.target as usize].keep_room(edge.becomes);
            self.filled(edge.target, now);
        }
        let rules = &self.rules.stations[id as usize];
        if self.has_resources {
            self.units.give_back(place, &rules.releases, now);
            self.units.deliver(&rules.delivers, now);
        }
        self.let_go(place);
        self.leaves_group(place, now);
        if rules.setup.is_some() {
            self.stations[id as usize].ready += 1;
        }
        if self.rules.stations[id as usize].has_standby {
            self.leaves_standby(id, now);
        }
        self.serve_next(id, now);
        self.keep_pace(id, now);
        let token = &mut self.tokens[place];
        (token.class, token.expected) = (edge.becomes, expected);
        self.travel(place, (edge.target, edge.delay), now);
        if self.has_forks {
            self.send_copies(now);
        }
        self.admit_held(id, now);
    }

    /// A token has waited as long as it would.
    pub(super) fn renege(&mut self, place: u32, now: Time) {
        let (at, class) = (self.tokens[place].at, self.tokens[place].class);
        if self.rules.stations[at as usize].longest_wait(class).is_some() {
            return self.waits_no_longer(place, now);
        }
        let (token, rank) = (self.tokens[place], self.rank(place));
        self.tokens[place].gives_up = Time::NEVER;
        let id = token.at;
        let counted = self.counted(now);
        let station = &mut self.stations[id as usize];
        let is_outside = !station.outside.is_empty() && station.outside.remove(&rank).is_some();
        station.waiting.remove(&rank);
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.gives_up(now);
        accounts.reneged += counted;
        accounts.patience += u128::from(counted * span(token.arrived, now).ticks());
        self.squares = self.squares.wrapping_sub(2 * station.present() + 1);
        let to = self.rules.stations[id as usize].reneges_to;
        self.stays(place, (id, token.class), now, Stay::Goes(Left::Reneged, to));
        let rules = &self.rules.stations[id as usize];
        if rules.seizes_early && !is_outside {
            self.units.give_back(place, &rules.seizes, now);
        }
        self.keep_pace(id, now);
        let rules = &self.rules.stations[id as usize];
        if rules.calls_off || rules.off_after.is_some() {
            self.rest(id, now);
        }
        if token.arrived == now {
            // Its deadline had passed: stations may send it round.
            self.checks_livelock(id, now);
        }
        self.send_on(place, to, now);
        self.admit_held(id, now);
    }

    /// A token's patience has ended amid its service: it leaves its server.
    pub(super) fn abandon(&mut self, place: u32, now: Time) {
        let (id, class) = (self.tokens[place].at, self.tokens[place].class);
        let (counted, to) = (self.counted(now), self.rules.stations[id as usize].reneges_to);
        let station = &mut self.stations[id as usize];
        let accounts = &mut station.accounts[class as usize];
        accounts.accounts.pauses(now);
        accounts.accounts.gives_up(now);
        accounts.abandoned += counted;
        self.squares = self.squares.wrapping_sub(2 * station.present() + 1);
        self.stays(place, (id, class), now, Stay::Goes(Left::Reneged, to));
        self.tokens[place].gives_up = Time::NEVER;
        self.leaves_group(place, now);
        self.leaves_standby(id, now);
        self.serve_next(id, now);
        self.send_on(place, to, now);
        self.admit_held(id, now);
    }

    /// A token goes elsewhere without a service.
    pub(super) fn send_on(&mut self, place: u32, to: u32, now: Time) {
        if to == Rules::LOST {
            return self.vanish(place, now);
        }
        self.travel(place, (to, Time::ZERO), now);
    }

    /// A token is on its way.
    pub(super) fn travel(&mut self, place: u32, (to, delay): (u32, Time), now: Time) {
        let token = &mut self.tokens[place];
        let station = &mut self.stations[token.at as usize];
        let from = token.at;
        token.number = station.departures;
        station.departures += 1;
        (token.at, token.arrival, token.since) = (to, NONE, now);
        if to >= self.abroad {
            return self.goes_abroad(place, from, later(now, delay));
        }
        self.sets_out((place, from), later(now, delay), now);
    }

    /// A token is on its way from a station.
    pub(super) fn sets_out(&mut self, (place, from): (u32, u32), time: Time, now: Time) {
        self.in_transit += 1;
        let event = Event { time, phase: Phase::Arrival, entity: self.entity(from), token: place };
        if time == now {
            self.events.push_near(event, self.tokens[place].order());
        } else {
            self.events.push(event);
        }
    }

    /// A token that leaves the network.
    #[inline]
    pub(super) fn leave(&mut self, place: u32, now: Time) {
        let token = &self.tokens[place];
        let sink = token.at - self.stations.len() as u32;
        if self.counted(now) == 1 {
            let record = &mut self.sinks[(sink * self.rules.classes() + token.class) as usize];
            record.tokens += 1;
            if token.entered != Time::NEVER {
                let stay = span(token.entered, now);
                record.from_sources += 1;
                record.sojourn += u128::from(stay.ticks());
                if let Some(histograms) = &mut self.histograms {
                    histograms.leaves_of(sink, token.class, stay);
                }
            }
        }
        self.vanish(place, now);
    }

    #[inline]
    pub(super) fn vanish(&mut self, place: u32, now: Time) {
        let &Token { class, siblings, .. } = self.forget(place, now);
        self.numbers(class, now, -1);
        self.came(now, -1);
        if siblings != NOBODY {
            self.leaves_siblings(siblings, now);
        }
    }

    /// A token is no more; what it was.
    #[inline]
    pub(super) fn forget(&mut self, place: u32, now: Time) -> &Token {
        if self.has_resources || !self.served.is_empty() || self.visits.is_some() {
            self.forget_all(place, now);
        }
        self.tokens.take(place)
    }

    /// Its units come back, and its visits are neither counted nor recorded any longer. Few runs have any of these.
    #[inline(never)]
    fn forget_all(&mut self, place: u32, now: Time) {
        if self.has_resources {
            self.units.give_all_back(place, now);
        }
        if let Some(visits) = &mut self.visits {
            visits.forget(place);
        }
        if let Some(visits) = self.served.get_mut(place as usize) {
            visits.clear();
        }
    }
}

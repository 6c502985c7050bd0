//! What happens at stations: arrivals, services, interruptions, departures, and tokens that give up.

use super::super::later;
use super::station::Rank;
use super::{Event, NOBODY, NONE, Oracle, Phase, Token};
use crate::QueueingError;
use crate::multiclass::{Order, Rules, balks};
use tickless_core::time::Time;

/// Tokens that balk at one instant where nobody goes round in a circle: far fewer.
const MOST_BALKED: u64 = 1 << 22;

pub(super) fn span(from: Time, to: Time) -> Time {
    Time::from_ticks(to.ticks() - from.ticks())
}

impl Oracle<'_> {
    /// A token comes to where it goes; 1 where it balks, and so goes on.
    pub(super) fn arrive(&mut self, place: u32, now: Time) -> u64 {
        let token = &mut self.tokens[place];
        let (id, class, expected) = (token.at, token.class, token.expected);
        if id >= self.model.stations() {
            self.leave(place, now);
            return 0;
        }
        if self.stations[id as usize].simple {
            return self.comes(place, now);
        }
        // Nobody keeps room for it where it goes if it does not join.
        token.expected = false;
        let station = &mut self.stations[id as usize];
        if expected {
            station.end_keeping(class);
        }
        let full =
            station.is_full() || self.counts_classes && station.is_full_of(class, self.rules.visit(id, class).capacity);
        let full = full && !expected;
        station.accounts[class as usize].accounts.arrives(now, full);
        if full {
            self.lost_before += 1 - self.counted(now);
            self.vanish(place, now);
            return 0;
        }
        if self.stations[id as usize].balks && self.balks(place, id, now) {
            self.admit_held(id, now);
            return self.goes_on(id, now);
        }
        if self.tokens[place].siblings == NOBODY || self.is_joined(place, now) {
            self.admit(place, now);
        }
        if self.has_blocking {
            self.filled(id, now);
            self.check_held(id, now);
        }
        0
    }

    /// A token that has come to a station balks, or not.
    pub(super) fn balks(&mut self, place: u32, id: u32, now: Time) -> bool {
        let (rules, station) = (&self.rules.stations[id as usize], &mut self.stations[id as usize]);
        if !balks(&rules.balking, station.present(), station.stream.draw()) {
            return false;
        }
        station.accounts[self.tokens[place].class as usize].balked += u64::from(now >= self.model.warmup());
        self.send_on(place, rules.balks_to, now);
        true
    }

    /// Counts who balks at an instant.
    pub(super) fn goes_on(&mut self, id: u32, now: Time) -> u64 {
        let moves = if self.balked.0 == now { self.balked.1 + 1 } else { 1 };
        self.balked = (now, moves);
        if moves > MOST_BALKED {
            let (clock, station) = (now.units(), self.model.station_name(id).into_owned());
            self.fail(QueueingError::StandsStill { clock, moves: MOST_BALKED, station });
        }
        1
    }

    /// A token that leaves the network.
    fn leave(&mut self, place: u32, now: Time) {
        let token = &self.tokens[place];
        let sink = token.at - self.model.stations();
        if self.counted(now) == 1 {
            let record = &mut self.sinks[(sink * self.rules.classes() + token.class) as usize];
            record.tokens += 1;
            if token.entered != Time::NEVER {
                let stay = span(token.entered, now);
                record.from_sources += 1;
                record.sojourn += u128::from(stay.ticks());
                if let Some(observations) = &mut self.observations {
                    observations.leaves_of(sink, token.class, stay);
                }
            }
        }
        self.vanish(place, now);
    }

    pub(super) fn vanish(&mut self, place: u32, now: Time) {
        let &Token { class, siblings, .. } = self.forget(place, now);
        self.numbers(class, now, -1);
        self.came(now, -1);
        self.leaves_siblings(siblings, now);
    }

    /// A token is no more; what it was.
    pub(super) fn forget(&mut self, place: u32, now: Time) -> &Token {
        if self.has_resources {
            self.units.give_all_back(place, now);
        }
        for id in &self.rules.by_visit {
            self.stations[*id as usize].visits.remove(&place);
        }
        self.tokens.take(place)
    }

    /// A token joins a station: into service where it can, else into the queue, perhaps not for ever.
    pub(super) fn admit(&mut self, place: u32, now: Time) {
        self.join(place, now);
        let token = &self.tokens[place];
        if token.gives_up < Time::NEVER && !token.begun {
            self.events.push(Event { time: token.gives_up, phase: Phase::Patience, entity: token.at, token: place });
        }
    }

    fn join(&mut self, place: u32, now: Time) {
        let token = &mut self.tokens[place];
        let (id, class) = (token.at, token.class);
        let station = &mut self.stations[id as usize];
        self.squares = self.squares.wrapping_add(2 * station.present() + 1);
        station.accounts[class as usize].accounts.enters(now);
        token.joins(station.arrivals, now);
        station.arrivals += 1;
        let patience = self.rules.visit(id, class).patience.as_ref().map(|law| law.service(&mut station.stream));
        self.stays(id, class, now, 1);
        if let Some(patience) = patience {
            self.tokens[place].gives_up = later(now, patience);
        }
        if self.rules.stations[id as usize].order == Order::ShortestJob {
            self.draw(place);
        }
        let rules = &self.rules.stations[id as usize];
        if rules.seizes.is_empty() {
            self.line_up(place, now);
        } else {
            // Who gets units and servers, and when, is for all stations together.
            self.begins_to_wait(place);
            let rank = self.rank(place);
            let station = &mut self.stations[id as usize];
            if rules.seizes_early {
                station.outside.insert(rank, place);
            } else {
                station.waiting.insert(rank, place);
            }
            self.keep_pace(id, now);
        }
    }

    /// A token goes into service where it can, else into the queue.
    pub(super) fn line_up(&mut self, place: u32, now: Time) {
        let id = self.tokens[place].at;
        let station = &self.stations[id as usize];
        let rules = &self.rules.stations[id as usize];
        if rules.order == Order::Sharing || station.has_free_server() && rules.setup.is_none() {
            return self.serve(place, now);
        }
        let level = self.rules.levels[self.tokens[place].class as usize];
        if let Some(rank) = station.interrupted(rules.preemption, level) {
            self.interrupt(id, rank, now);
            self.serve(place, now);
            // A server that is off may set up for the one that waits again.
            return self.rest(id, now);
        }
        self.begins_to_wait(place);
        let rank = self.rank(place);
        self.stations[id as usize].waiting.insert(rank, place);
        self.keep_pace(id, now);
        self.rest(id, now);
    }

    /// Notes that a token is at a station from now on (1), or is not (-1).
    #[inline]
    pub(super) fn stays(&mut self, id: u32, class: u32, now: Time, change: i64) {
        if self.notes {
            self.notes_stay(id, class, now, change);
        }
    }

    fn notes_stay(&mut self, id: u32, class: u32, now: Time, change: i64) {
        if let Some(observations) = &mut self.observations {
            match change {
                1.. => observations.enters_of(id, class, now),
                _ => observations.departs_of(id, class, now),
            }
        }
        if let Some(series) = &mut self.series {
            series.at_station(id, class, now, change);
        }
    }

    pub(super) fn rank(&self, place: u32) -> Rank {
        self.tokens[place].rank(self.rules)
    }

    /// Draws a service and where it leads.
    fn draw(&mut self, place: u32) {
        let token = &mut self.tokens[place];
        token.draw(&mut self.stations[token.at as usize].stream, self.rules);
    }

    /// A service begins, or goes on.
    pub(super) fn serve(&mut self, place: u32, now: Time) {
        if self.tokens[place].work == Time::NEVER {
            self.draw(place);
        }
        if self.has_blocking && self.waits_in_server(place, now) {
            return;
        }
        let token = &mut self.tokens[place];
        let (id, class) = (token.at, token.class);
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
            self.events.push(Event { time: token.end, phase: Phase::Departure, entity: id, token: place });
        }
        let service = token.service;
        if is_first && self.observations.is_some() {
            self.sees_start((id, class), (waited, service), now);
        }
        let rank = || self.tokens[place].rank(self.rules);
        self.stations[id as usize].counts_down(now);
        self.stations[id as usize].serving.insert(rank, place);
        self.take_up(place, now);
        if has_clock {
            self.enter(place, now);
        }
    }

    /// Notes how long a token has waited, and stays, where that is known when its service begins.
    pub(super) fn sees_start(&mut self, at: (u32, u32), (waited, service): (Time, Time), now: Time) {
        let (rules, Some(observations)) = (&self.rules.stations[at.0 as usize], &mut self.observations) else { return };
        if !rules.waits_until_the_end() {
            observations.waited_of(at, now, waited);
        }
        if !rules.is_seen_at_end() {
            observations.stayed_of(at, now, Time::from_ticks(waited.ticks() + service.ticks()));
        }
    }

    /// A service is interrupted: its token waits for what is left of it.
    pub(super) fn interrupt(&mut self, id: u32, rank: Rank, now: Time) {
        let Some(place) = self.stations[id as usize].serving.get(&rank) else { return };
        let by_clock = self.has_clock(id).then(|| self.part(place, now));
        self.stations[id as usize].counts_down(now);
        self.stations[id as usize].serving.remove(|| rank);
        self.leaves_server(place);
        self.begins_to_wait(place);
        let token = &mut self.tokens[place];
        let counted = u64::from(now >= self.model.warmup());
        let station = &mut self.stations[id as usize];
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.pauses(now);
        accounts.preemptions += counted;
        station.waiting.insert(rank, place);
        token.work = by_clock.unwrap_or_else(|| span(now, token.end));
        (token.since, token.end) = (now, Time::NEVER);
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
        let edge = self.way(place);
        let token = &mut self.tokens[place];
        (token.edge, token.end) = (edge, Time::NEVER);
        let stay = span(token.from, now);
        let station = &mut self.stations[id as usize];
        station.counts_down(now);
        station.serving.remove(|| token.rank(self.rules));
        station.completed += 1;
        self.counts_end(place, stay, now);
        if self.has_blocking && self.lacks_room(place) {
            let target = self.rules.edges[edge as usize].target;
            let Some(repetition) = self.rules.stations[target as usize].repeats else {
                return self.block(place, now);
            };
            self.sees_stay(place, stay, now);
            return self.repeat(place, repetition, now);
        }
        self.sees_stay(place, stay, now);
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
        if let Some(observations) = self.observations.as_mut().filter(|_| rules.waits_until_the_end()) {
            observations.waited_of((id, class), now, waited);
        }
    }

    /// Notes how long a token was at a station until a service of its ended, where that is not known before.
    fn sees_stay(&mut self, place: u32, stay: Time, now: Time) {
        let token = &self.tokens[place];
        let rules = &self.rules.stations[token.at as usize];
        if let Some(observations) = self.observations.as_mut().filter(|_| rules.is_seen_at_end()) {
            observations.stayed_of((token.at, token.class), now, stay);
            observations.was_blocked_of((token.at, token.class), now, Time::ZERO);
        }
    }

    /// A token that has been served, and has room where it goes, leaves.
    pub(super) fn go(&mut self, place: u32, now: Time) {
        let (id, class) = (self.tokens[place].at, self.tokens[place].class);
        self.fork(place, now);
        let edge = self.rules.edges[self.tokens[place].edge as usize];
        self.squares = self.squares.wrapping_sub(2 * self.stations[id as usize].present() + 1);
        self.stays(id, class, now, -1);
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
        self.units.give_back(place, &rules.releases, now);
        self.let_go(place);
        if rules.setup.is_some() {
            self.stations[id as usize].ready += 1;
        }
        self.serve_next(id, now);
        self.keep_pace(id, now);
        let token = &mut self.tokens[place];
        (token.class, token.expected) = (edge.becomes, expected);
        self.travel(place, (edge.target, edge.delay), now);
        self.send_copies(now);
        self.admit_held(id, now);
    }

    /// Serves who waits, as far as there are servers.
    pub(super) fn serve_next(&mut self, id: u32, now: Time) {
        let rules = &self.rules.stations[id as usize];
        if rules.seizes_at_service() {
            // Once what happens has happened, with all that wait for units.
            return;
        }
        loop {
            let station = &mut self.stations[id as usize];
            let is_ready = station.has_free_server() && (rules.setup.is_none() || station.ready > 0);
            if !is_ready {
                break;
            }
            let Some(next) = station.next() else { break };
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

    /// A token has waited as long as it would.
    pub(super) fn renege(&mut self, place: u32, now: Time) {
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
        self.stays(id, token.class, now, -1);
        let rules = &self.rules.stations[id as usize];
        if rules.seizes_early && !is_outside {
            self.units.give_back(place, &rules.seizes, now);
        }
        self.keep_pace(id, now);
        self.send_on(place, self.rules.stations[id as usize].reneges_to, now);
        self.admit_held(id, now);
    }

    /// A token goes elsewhere without a service.
    fn send_on(&mut self, place: u32, to: u32, now: Time) {
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
        self.sets_out((place, from), later(now, delay), now);
    }
}

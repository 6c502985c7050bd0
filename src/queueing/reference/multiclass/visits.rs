//! What happens at stations: arrivals, services, interruptions, departures, and tokens that give up.

use std::cmp::Reverse;

use super::super::later;
use super::station::Rank;
use super::{Key, NOBODY, NONE, Phase, Simulation, Token};
use crate::QueueingError;
use crate::multiclass::{Order, Rules, balks, rank};
use tickless_core::time::Time;

/// Tokens that balk at one instant where nobody goes round in a circle: far fewer.
const MOST_BALKED: u64 = 1 << 22;

pub(super) fn span(from: Time, to: Time) -> Time {
    Time::from_ticks(to.ticks() - from.ticks())
}

impl Simulation<'_> {
    /// A token comes to where it goes; 1 where it balks, and so goes on.
    pub(super) fn arrive(&mut self, place: u32, now: Time) -> Result<u64, QueueingError> {
        let token = self.tokens.get(place);
        let (id, class) = (token.at, token.class as usize);
        if id >= self.model.stations() {
            self.leave(place, now);
            return Ok(0);
        }
        // Nobody keeps room for it where it goes if it does not join.
        self.tokens.set(place, Token { expected: false, ..token });
        let rules = &self.rules.stations[id as usize];
        let station = &mut self.stations[id as usize];
        if token.expected {
            station.end_keeping(token.class);
        }
        let full = station.present() + station.coming >= u64::from(self.model.capacity(id))
            || station.is_full_of(token.class, self.rules.visit(id, token.class).capacity);
        let full = full && !token.expected;
        station.accounts[class].accounts.arrives(now, full);
        if full {
            self.lost_before += 1 - self.counted(now);
            self.vanish(place, now);
            return Ok(0);
        }
        if !rules.balking.is_empty() && balks(&rules.balking, station.present(), station.stream.draw()) {
            let to = rules.balks_to;
            self.stations[id as usize].accounts[class].balked += self.counted(now);
            self.send_on(place, to, now);
            self.admit_held(id, now);
            return self.goes_on(id, now);
        }
        if self.is_joined(place, now) {
            self.admit(place, now);
        }
        self.filled(id, now);
        self.check_held(id, now)?;
        Ok(0)
    }

    /// Counts who balks at an instant.
    fn goes_on(&mut self, id: u32, now: Time) -> Result<u64, QueueingError> {
        let moves = if self.balked.0 == now { self.balked.1 + 1 } else { 1 };
        self.balked = (now, moves);
        if moves > MOST_BALKED {
            let (clock, station) = (now.units(), self.model.station_name(id).into_owned());
            return Err(QueueingError::StandsStill { clock, moves: MOST_BALKED, station });
        }
        Ok(1)
    }

    /// A token that leaves the network.
    fn leave(&mut self, place: u32, now: Time) {
        let token = self.tokens.get(place);
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

    fn vanish(&mut self, place: u32, now: Time) {
        let token = self.forget(place, now);
        self.numbers(token.class, now, -1);
        self.came(now, -1);
        self.leaves_siblings(token.siblings, now);
    }

    /// A token is no more; what it was.
    pub(super) fn forget(&mut self, place: u32, now: Time) -> Token {
        self.units.give_all_back(place, now);
        for id in &self.rules.by_visit {
            self.stations[*id as usize].visits.remove(&place);
        }
        self.tokens.take(place)
    }

    /// A token joins a station: into service where it can, else into the queue.
    pub(super) fn admit(&mut self, place: u32, now: Time) {
        let mut token = self.tokens.get(place);
        let id = token.at;
        let visit = self.rules.visit(id, token.class);
        let order = self.rules.stations[id as usize].order;
        self.stays(id, token.class, now, 1);
        let station = &mut self.stations[id as usize];
        self.squares = self.squares.wrapping_add(2 * station.present() + 1);
        station.accounts[token.class as usize].accounts.enters(now);
        token = Token {
            arrived: now,
            from: now,
            since: now,
            waited: 0,
            arrival: station.arrivals,
            work: None,
            begun: false,
            blocked: None,
            kept: None,
            expected: false,
            server: NOBODY,
            ..token
        };
        station.arrivals += 1;
        let patience = visit.patience.as_ref().map(|law| law.service(&mut station.stream));
        self.tokens.set(place, token);
        if order == Order::ShortestJob {
            self.draw(place);
        }
        let rules = &self.rules.stations[id as usize];
        if rules.seizes.is_empty() {
            self.line_up(place, now);
        } else {
            // Who gets units and servers, and when, is for all stations together.
            let rank = self.rank(place);
            let station = &mut self.stations[id as usize];
            let queue = if rules.seizes_early { &mut station.outside } else { &mut station.waiting };
            queue.insert(rank, place);
            self.keep_pace(id, now);
        }
        if let Some(patience) = patience.filter(|_| !self.tokens.get(place).begun) {
            let time = later(now, patience);
            let event = Key { time, phase: Phase::Patience, entity: id, number: token.arrival, token: place };
            self.events.push(Reverse(event));
        }
    }

    /// A token goes into service where it can, else into the queue.
    pub(super) fn line_up(&mut self, place: u32, now: Time) {
        let token = self.tokens.get(place);
        let id = token.at;
        let rules = &self.rules.stations[id as usize];
        let at_once = rules.infinite || rules.order == Order::Sharing;
        let level = self.rules.levels[token.class as usize];
        let station = &self.stations[id as usize];
        if at_once || station.has_free_server() && rules.setup.is_none() {
            return self.serve(place, now);
        }
        let preemption = self.rules.stations[id as usize].preemption;
        if let Some(rank) = station.interrupted(preemption, level) {
            self.interrupt(id, rank, now);
            self.serve(place, now);
            // A server that is off may set up for the one that waits again.
            return self.rest(id, now);
        }
        let rank = self.rank(place);
        self.stations[id as usize].waiting.insert(rank, place);
        self.keep_pace(id, now);
        self.rest(id, now);
    }

    /// Notes that a token is at a station from now on (1), or is not (-1).
    pub(super) fn stays(&mut self, id: u32, class: u32, now: Time, change: i64) {
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
        let token = self.tokens.get(place);
        let order = self.rules.stations[token.at as usize].order;
        rank(order, self.rules.levels[token.class as usize], token.arrival, token.service)
    }

    /// Draws a service and where it leads.
    fn draw(&mut self, place: u32) {
        let token = self.tokens.get(place);
        let (id, class) = (token.at, token.class);
        let visit = self.rules.visit(id, class);
        let stream = &mut self.stations[id as usize].stream;
        let service = visit.law.service(stream);
        let draw = stream.draw();
        let row = &self.rules.edges[visit.first as usize..visit.end as usize];
        let drawn = visit.first + row.partition_point(|edge| edge.upper < draw) as u32;
        let edge = token.kept.unwrap_or(drawn);
        self.tokens.set(place, Token { service, work: Some(service), edge, ..token });
    }

    /// A service begins, or goes on.
    pub(super) fn serve(&mut self, place: u32, now: Time) {
        if self.tokens.get(place).work.is_none() {
            self.draw(place);
        }
        if self.waits_in_server(place, now) {
            return;
        }
        let token = self.tokens.get(place);
        let id = token.at;
        let rules = &self.rules.stations[id as usize];
        let (has_clock, sees_wait, sees_stay) =
            (self.has_clock(id), !rules.waits_until_the_end(), !rules.is_seen_at_end());
        let known = self.rules.stations[id as usize].speeds.is_empty();
        // Where all share, its wait for units is counted at its end, with what the service lasts longer.
        let waited = if self.shares(id) { Time::ZERO } else { span(token.since, now) };
        let station = &mut self.stations[id as usize];
        let accounts = &mut station.accounts[token.class as usize].accounts;
        if token.begun {
            accounts.resumes(now, waited);
        } else {
            accounts.starts(now, waited, if known { token.service } else { Time::ZERO });
            if let Some(observations) = self.observations.as_mut().filter(|_| sees_wait) {
                observations.waited_of((id, token.class), now, waited);
            }
            if let Some(observations) = self.observations.as_mut().filter(|_| sees_stay) {
                let stay = Time::from_ticks(waited.ticks() + token.service.ticks());
                observations.stayed_of((id, token.class), now, stay);
            }
        }
        let waited = token.waited + waited.ticks();
        if has_clock {
            let rank = self.rank(place);
            self.tokens.set(place, Token { begun: true, waited, ..token });
            self.stations[id as usize].serving.insert(rank, place);
            self.take_up(place, now);
            return self.join(place, now);
        }
        let station = &mut self.stations[id as usize];
        let (number, end) = (station.services, later(now, token.work.unwrap_or(token.service)));
        station.services += 1;
        self.tokens.set(place, Token { begun: true, serving: Some((number, end)), waited, ..token });
        let rank = self.rank(place);
        self.stations[id as usize].serving.insert(rank, place);
        self.events.push(Reverse(Key { time: end, phase: Phase::Departure, entity: id, number, token: place }));
        self.take_up(place, now);
    }

    /// A service is interrupted: its token waits for what is left of it.
    pub(super) fn interrupt(&mut self, id: u32, rank: Rank, now: Time) {
        let Some(&place) = self.stations[id as usize].serving.get(&rank) else { return };
        let by_clock = self.has_clock(id).then(|| self.part(place, now));
        let station = &mut self.stations[id as usize];
        station.serving.remove(&rank);
        self.leaves_server(place);
        let station = &mut self.stations[id as usize];
        let token = self.tokens.get(place);
        let left = by_clock.or(token.serving.map(|(_, end)| span(now, end)));
        let counted = u64::from(now >= self.model.warmup());
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.pauses(now);
        accounts.preemptions += counted;
        station.waiting.insert(rank, place);
        self.tokens.set(place, Token { work: left, since: now, serving: None, ..token });
        self.put_down(place, now);
        self.let_go(place);
    }

    /// A service ends.
    pub(super) fn depart(&mut self, place: u32, now: Time) -> Result<(), QueueingError> {
        self.part(place, now);
        self.put_down(place, now);
        self.leaves_server(place);
        let token = self.tokens.get(place);
        let (id, rank) = (token.at, self.rank(place));
        let edge = token.kept.unwrap_or_else(|| self.way(place, token));
        let rules = &self.rules.stations[id as usize];
        let (known, shares, sees_wait) = (rules.speeds.is_empty(), self.shares(id), rules.waits_until_the_end());
        let stay = span(token.from, now);
        // Where all share, what a service lasts longer than alone is waiting.
        let longer = stay.ticks().saturating_sub(token.service.ticks());
        let waited = Time::from_ticks(if shares { longer } else { token.waited });
        let station = &mut self.stations[id as usize];
        station.serving.remove(&rank);
        station.completed += 1;
        let accounts = &mut station.accounts[token.class as usize].accounts;
        if shares {
            accounts.lasts(now, waited);
        }
        if !known {
            accounts.took(now, span(waited, stay));
        }
        if let Some(observations) = self.observations.as_mut().filter(|_| sees_wait) {
            observations.waited_of((id, token.class), now, waited);
        }
        self.tokens.set(place, Token { edge, serving: None, ..token });
        if self.lacks_room(place) {
            let target = self.rules.edges[edge as usize].target;
            let Some(repetition) = self.rules.stations[target as usize].repeats else {
                return self.block(place, rank, now);
            };
            self.sees_stay(place, stay, now);
            self.repeat(place, repetition, now);
            return Ok(());
        }
        self.sees_stay(place, stay, now);
        self.stations[id as usize].accounts[token.class as usize].accounts.departs(now);
        self.go(place, now);
        Ok(())
    }

    /// Notes how long a token was at a station until a service of its ended, where that is not known before.
    fn sees_stay(&mut self, place: u32, stay: Time, now: Time) {
        let token = self.tokens.get(place);
        if self.rules.stations[token.at as usize].is_seen_at_end()
            && let Some(observations) = &mut self.observations
        {
            observations.stayed_of((token.at, token.class), now, stay);
        }
    }

    /// A token that has been served, and has room where it goes, leaves.
    pub(super) fn go(&mut self, place: u32, now: Time) {
        self.fork(place, now);
        let token = self.tokens.get(place);
        let (id, edge) = (token.at, self.rules.edges[token.edge as usize]);
        let station = &self.stations[id as usize];
        self.squares = self.squares.wrapping_sub(2 * station.present() + 1);
        self.stays(id, token.class, now, -1);
        if token.class != edge.becomes {
            self.numbers(token.class, now, -1);
            self.numbers(edge.becomes, now, 1);
        }
        let expected = self.blocks(edge.target);
        if expected {
            self.stations[edge.target as usize].keep_room(edge.becomes);
            self.filled(edge.target, now);
        }
        self.units.give_back(place, &self.rules.stations[id as usize].releases, now);
        self.let_go(place);
        self.stations[id as usize].ready += 1;
        self.serve_next(id, now);
        self.keep_pace(id, now);
        self.tokens.set(place, Token { class: edge.becomes, expected, ..token });
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
            if !rules.infinite && !is_ready {
                break;
            }
            let Some(next) = station.next(rules.order) else { break };
            station.ready = station.ready.saturating_sub(1);
            self.serve(next, now);
        }
        self.rest(id, now);
    }

    /// Interrupts services for which there is no server.
    pub(super) fn interrupt_last(&mut self, id: u32, now: Time) {
        loop {
            let station = &self.stations[id as usize];
            let Some((&last, _)) = station.serving.last_key_value() else { return };
            if station.taken() <= station.servers() {
                return;
            }
            self.interrupt(id, last, now);
        }
    }

    /// A token has waited as long as it would.
    pub(super) fn renege(&mut self, place: u32, now: Time) {
        let (token, rank) = (self.tokens.get(place), self.rank(place));
        let id = token.at;
        let counted = self.counted(now);
        let station = &mut self.stations[id as usize];
        let is_outside = station.outside.remove(&rank).is_some();
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
        let token = self.tokens.get(place);
        let station = &mut self.stations[token.at as usize];
        let (entity, number) = (token.at, station.departures);
        station.departures += 1;
        self.tokens.set(place, Token { at: to, arrival: NONE, ..token });
        self.in_transit += 1;
        self.events.push(Reverse(Key { time: later(now, delay), phase: Phase::Arrival, entity, number, token: place }));
    }
}

//! What happens at stations: departures, arrivals and the services between them.

use super::{Arrival, Left, Service, Simulation, TRANSIT, Token, later};
use crate::post::Announcement;
use tickless_core::heap::Event;
use tickless_core::time::Time;

impl Simulation<'_> {
    pub(super) fn depart(&mut self, service: Service, now: Time) {
        let id = service.station;
        let station = &mut self.stations[id as usize];
        station.accounts.departs(now);
        if let Some(observations) = &mut self.observations {
            observations.departs(id, now);
        }
        self.squares = self.squares.wrapping_sub(2 * station.accounts.present() + 1);
        let original = later(service.original, service.delay);
        let token = Token { original, ..service.token };
        let left = Left { departed: now, visit: service.visit };
        let arrival = Arrival { from: id, number: station.departures, target: service.target, token, left };
        station.departures += 1;
        if let Some(token) = station.queue.pop() {
            self.start(id, token, service.original, now);
        } else if let Some(approximation) = &mut self.approximation {
            approximation.idles(id, now, service.original);
        }
        if service.target >= self.abroad {
            return self.came(now, -1);
        }
        let time = match &self.approximation {
            Some(approximation) => approximation.executed(original).max(now),
            None => original,
        };
        if time == now || service.delay == Time::ZERO {
            self.arriving.push(arrival);
        } else {
            let payload = self.transits.put(arrival);
            self.in_transit += 1;
            self.events.push(Event { time, entity: TRANSIT, payload });
        }
    }

    pub(super) fn arrive(&mut self, arrival: Arrival, now: Time) {
        let Arrival { target, token, .. } = arrival;
        if target >= self.model.stations() {
            let counted = self.counted(now);
            let sink = &mut self.sinks[(target - self.model.stations()) as usize];
            if counted {
                sink.tokens += 1;
                if token.entered != Time::NEVER {
                    sink.from_sources += 1;
                    let stay = now.ticks() - token.entered.ticks();
                    sink.sojourn += u128::from(stay);
                    if let Some(observations) = &mut self.observations {
                        observations.leaves(target - self.model.stations(), Time::from_ticks(stay));
                    }
                }
            }
            return self.came(now, -1);
        }
        let station = &mut self.stations[target as usize];
        let full = station.accounts.present() >= u64::from(self.model.capacity(target));
        station.accounts.arrives(now, full);
        let counted = now >= self.model.warmup();
        if let Some(approximation) = &mut self.approximation {
            approximation.arrives(target, token.original, full, counted);
        }
        if full {
            self.lost_before += u64::from(!counted);
            return self.came(now, -1);
        }
        self.admit(target, Token { arrived: now, ..token }, now);
    }

    /// Into service where a server is free, else to the end of the queue.
    pub(super) fn admit(&mut self, id: u32, token: Token, now: Time) {
        let station = &mut self.stations[id as usize];
        self.squares = self.squares.wrapping_add(2 * station.accounts.present() + 1);
        station.accounts.enters(now);
        if let Some(observations) = &mut self.observations {
            observations.enters(id, now);
        }
        if station.accounts.serving() < u64::from(self.model.servers(id)) {
            let serving = station.accounts.serving();
            let freed = self.approximation.as_mut().map_or(now, |a| a.takes(id, self.model.servers(id), serving));
            self.start(id, token, freed, now);
        } else {
            station.queue.push(token);
        }
    }

    /// So many tokens wait at time 0, where every server is taken.
    pub(super) fn wait(&mut self, id: u32, count: u32) {
        let station = &mut self.stations[id as usize];
        let (before, count) = (station.accounts.present(), u64::from(count));
        let after = before + count;
        self.squares = self.squares.wrapping_add((after * after).wrapping_sub(before * before));
        station.accounts.begins(count);
        if let Some(observations) = &mut self.observations {
            observations.begins(id, count);
        }
        station.queue.begin(count as u32);
    }

    /// Starts a service by a server whose last one ended at the original time `freed`.
    fn start(&mut self, id: u32, token: Token, freed: Time, now: Time) {
        let station = &mut self.stations[id as usize];
        let time = self.model.law(id).service(&mut station.stream);
        let edge = self.model.edge(id, station.stream.draw());
        let original = later(token.original.max(freed), time);
        let end = self.approximation.as_ref().map_or(original, |a| a.end(original, now));
        let span = |from: Time, to: Time| Time::from_ticks(to.ticks() - from.ticks());
        let (waiting, service) = (span(token.arrived, now), span(now, end));
        station.accounts.starts(now, waiting, service);
        if let Some(observations) = &mut self.observations {
            observations.starts(id, now, waiting, service);
        }
        let (visit, target, delay) = (station.visits, edge.target, edge.delay);
        let service = Service { station: id, token, visit, target, delay, end, original };
        station.visits += 1;
        let payload = self.services.put(service);
        self.events.push(Event { time: end, entity: id, payload });
        self.announce(&service);
    }

    /// Where the token in service will go to another rank, that is told now.
    pub(super) fn announce(&mut self, service: &Service) {
        let &Service { station: from, target, visit, delay, end, token, .. } = service;
        if target >= self.abroad
            && let Some(border) = &mut self.border
        {
            let (entered, arrives) = (token.entered, later(end, delay));
            border.announce(Announcement { from, target, visit, entered, departed: end, arrives });
        }
    }
}

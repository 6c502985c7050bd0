//! What is in a network when its run stops, and a run that goes on from there, in exact time.

use super::{Arrival, Left, Service, Simulation, TRANSIT, Token, border};
use crate::checkpoint::{self, Sending, State, Transit, Waiting};
use tickless_core::heap::Event;
use tickless_core::memory::NoMemory;
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

impl Simulation<'_> {
    /// What is in the network.
    ///
    /// # Errors
    /// Too little memory for it.
    pub(in super::super) fn state(&self) -> Result<State, NoMemory> {
        State::room(self.stations.len(), 2 * self.present as usize)?;
        let mut services: Vec<&Service> = self.services.used().collect();
        services.sort_unstable_by_key(|service| (service.station, service.visit));
        let mut serving = vec![0_u32; self.stations.len()];
        services.iter().for_each(|service| serving[service.station as usize] += 1);
        let mut transits: Vec<&Arrival> = self.transits.used().collect();
        transits.sort_unstable_by_key(|arrival| (arrival.from, arrival.number));
        let queues = self.stations.iter().flat_map(|station| station.queue.tokens());
        let stations = self.stations.iter().zip(serving);
        let in_progress = |service: &&Service| {
            let &&Service { visit, end, token, .. } = service;
            checkpoint::Service { visit, end, entered: token.entered }
        };
        let on_its_way = |arrival: &&Arrival| {
            let &&Arrival { from, target, token, .. } = arrival;
            Transit { from, target, arrival: token.original, entered: token.entered }
        };
        let sources = self.sources.iter().enumerate().map(|(id, source)| {
            let left = source.sent < self.model.inflow(id as u32).limit;
            Sending { sent: source.sent, next: if left { source.original } else { Time::NEVER } }
        });
        Ok(State {
            stations: stations.map(|(station, count)| (station.visits, count, station.queue.len() as u32)).collect(),
            services: services.iter().map(in_progress).collect(),
            queue: queues.map(|Token { arrived, entered, .. }| Waiting { arrived, entered }).collect(),
            transits: transits.iter().map(on_its_way).collect(),
            sources: sources.collect(),
        })
    }

    /// Takes over what is in the network, in place of what there is at time 0; tokens between stations with the numbers of their
    /// departures.
    pub(in super::super) fn go_on_from<'s>(
        &mut self,
        state: &State,
        transits: impl Iterator<Item = (u64, &'s Transit)>,
        key: StreamKey,
    ) {
        let model = self.model;
        let token = |entered, arrived| Token { entered, arrived, original: arrived };
        for (id, here) in (0_u32..).zip(state.stations()) {
            let (serving, present) = (here.services.len() as u64, (here.services.len() + here.queue.len()) as u64);
            let of = [id, border::number(self.border.as_ref(), id)];
            let station = &mut self.stations[id as usize];
            station.stream = model.stream_behind(key, of, here.started);
            (station.visits, station.departures) = (here.started, here.started - serving);
            station.accounts.begins(present);
            station.accounts.serves(serving);
            here.queue.iter().for_each(|waiting| station.queue.push(token(waiting.entered, waiting.arrived)));
            if let Some(observations) = &mut self.observations {
                observations.begins(id, present);
            }
            self.squares = self.squares.wrapping_add(present * present);
            for &checkpoint::Service { visit, end, entered } in here.services {
                let edge = model.edge(id, model.route_of(key, of, visit));
                let (target, delay, token) = (edge.target, edge.delay, token(entered, Time::ZERO));
                let service = Service { station: id, token, visit, target, delay, end, original: end };
                let payload = self.services.put(service);
                self.events.push(Event { time: end, entity: id, payload });
                self.announce(&service);
            }
        }
        for (number, &Transit { from, target, arrival, entered }) in transits {
            // Before every departure to come.
            let left = Left { departed: Time::ZERO, visit: number };
            let payload = self.transits.put(Arrival { from, number, target, token: token(entered, arrival), left });
            self.events.push(Event { time: arrival, entity: TRANSIT, payload });
        }
        for (id, &Sending { sent, next }) in (0_u32..).zip(&state.sources) {
            let of = [id, border::number(self.border.as_ref(), model.stations() + id)];
            let source = &mut self.sources[id as usize];
            source.stream = model.source_behind(key, of, sent + u64::from(next < Time::NEVER));
            (source.sent, source.original) = (sent, next);
            if next < Time::NEVER {
                self.events.push(Event { time: next, entity: model.stations() + id, payload: 0 });
            }
        }
        self.in_transit = self.transits.len();
        self.present = (state.services.len() + state.queue.len()) as u64 + self.in_transit;
        self.present_before = self.present;
        self.completed_before = self.completions();
    }
}

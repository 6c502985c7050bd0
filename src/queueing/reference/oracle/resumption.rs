//! What is in a plain network when its run stops, and a run that goes on from there, in exact time.

use super::events::{Event, Phase};
use super::{COMING, NOBODY, Oracle, Token};
use crate::checkpoint::{AtStation, Sending, Service, State, Transit, Waiting};
use tickless_core::memory::NoMemory;
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// The arrivals of tokens that are between stations.
    pub(super) fn transits(&self) -> impl Iterator<Item = Event> + '_ {
        let is_coming = |event: &Event| event.token == NOBODY || self.tokens[event.token].arrival == COMING;
        self.events.iter().filter(move |event| event.phase == Phase::Arrival && !is_coming(event))
    }

    /// What is in the network.
    ///
    /// # Errors
    /// Too little memory for it.
    pub(in super::super) fn state(&self) -> Result<State, NoMemory> {
        State::room(self.stations.len(), 2 * self.present as usize)?;
        let mut services: Vec<&Token> = self.tokens.used().filter(|token| token.end < Time::NEVER).collect();
        services.sort_unstable_by_key(|token| (token.at, token.visit));
        let in_progress = |token: &&Token| Service { visit: token.visit, end: token.end, entered: token.entered };
        let mut transits: Vec<Event> = self.transits().collect();
        transits.sort_unstable_by_key(|event| (event.entity, self.tokens[event.token].number));
        let on_its_way = |event: &Event| {
            let token = &self.tokens[event.token];
            Transit { from: event.entity, target: token.at, arrival: event.time, entered: token.entered }
        };
        let queues = self.stations.iter().flat_map(|station| station.waiting.places());
        let waiting = |place: u32| {
            let &Token { arrived, entered, .. } = &self.tokens[place];
            Waiting { arrived, entered }
        };
        let sources = self.sources.iter().enumerate().map(|(id, source)| {
            let left = source.sent < self.model.inflow(id as u32).limit;
            Sending { sent: source.sent, next: if left { source.next } else { Time::NEVER } }
        });
        let stations = self.stations.iter();
        Ok(State {
            stations: stations.map(|at| (at.services, at.serving.len() as u32, at.waiting.len() as u32)).collect(),
            services: services.iter().map(in_progress).collect(),
            queue: queues.map(waiting).collect(),
            transits: transits.iter().map(on_its_way).collect(),
            sources: sources.collect(),
            whole: vec![],
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
        for (id, here) in (0_u32..).zip(state.stations()) {
            self.fill(id, &here, key);
        }
        for (number, &Transit { from, target, arrival, entered }) in transits {
            // Departed before every departure to come.
            let token = Token { number, visit: number, ..Token::new(0, entered, target) };
            let token = self.tokens.put(token);
            self.events.push(Event { time: arrival, phase: Phase::Arrival, entity: self.entity(from), token });
            self.in_transit += 1;
        }
        for (id, &Sending { sent, next }) in (0_u32..).zip(&state.sources) {
            let entity = self.entity(self.model.stations() + id);
            let of = [id, entity];
            let source = &mut self.sources[id as usize];
            source.stream = self.model.source_behind(key, of, sent + u64::from(next < Time::NEVER));
            (source.sent, source.next) = (sent, next);
            self.events.push(Event { time: next, phase: Phase::Arrival, entity, token: NOBODY });
        }
        self.present = (state.services.len() + state.queue.len()) as u64 + self.in_transit;
        self.present_before = self.present;
        self.completed_before = self.completions();
    }

    /// Takes over what is at a station.
    fn fill(&mut self, id: u32, here: &AtStation<'_>, key: StreamKey) {
        let (model, rules) = (self.model, self.rules);
        let (serving, present) = (here.services.len() as u64, (here.services.len() + here.queue.len()) as u64);
        let of = [id, self.entity(id)];
        let station = &mut self.stations[id as usize];
        station.stream = model.stream_behind(key, of, here.started);
        (station.services, station.arrivals) = (here.started, here.queue.len() as u64);
        (station.departures, station.completed) = (here.started - serving, here.started - serving);
        station.accounts[0].accounts.begins(present);
        station.accounts[0].accounts.serves(serving);
        for (number, waiting) in (0..).zip(here.queue) {
            let mut token = Token::new(0, waiting.entered, id);
            token.joins(number, waiting.arrived);
            station.waiting.insert(token.rank(rules), 0, self.tokens.put(token));
        }
        if let Some(histograms) = &mut self.histograms {
            histograms.begins(id, present);
        }
        self.squares = self.squares.wrapping_add(present * present);
        for &Service { visit, end, entered } in here.services {
            let edge = model.edge_of(id, model.route_of(key, of, visit));
            let token = Token { visit, end, edge, begun: true, ..Token::new(0, entered, id) };
            let token = self.tokens.put(token);
            self.stations[id as usize].serving.insert(|| self.tokens[token].rank(rules), token);
            self.events.push(Event { time: end, phase: Phase::Departure, entity: id, token });
            self.announce_abroad(token);
        }
    }
}

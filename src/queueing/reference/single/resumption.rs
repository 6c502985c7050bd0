//! The state of a network of single servers when its run stops, and a run that resumes from it.

use super::{Arrival, COMES, Singles, border, end_of};
use crate::checkpoint::{Sending, Service, State, Transit, Waiting};
use crate::reference::later;
use crate::reference::single::station::{Ahead, Token};
use tickless_core::heap::{Key as _, Word};
use tickless_core::memory::NoMemory;
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

impl<W: Word> Singles<'_, W> {
    /// The state of the network.
    ///
    /// # Errors
    /// Too little memory.
    pub(in super::super) fn state(&self, key: StreamKey) -> Result<State, NoMemory> {
        let waiting: usize = self.stations.iter().map(|station| station.queue.len()).sum();
        State::room(self.stations.len(), waiting + 2 * self.ends_of_transits.len())?;
        let mut state = State::default();
        for station in &self.stations {
            let (started, serving) = (station.tally.starts, station.end < Time::NEVER);
            state.stations.push((started, u32::from(serving), station.queue.len() as u32));
            if serving {
                state.services.push(Service { visit: started - 1, end: station.end, entered: station.entered });
            }
            let waiting = station.queue.iter().map(|&Token { arrived, entered }| Waiting { arrived, entered });
            state.queue.extend(waiting);
        }
        let mut transits: Vec<(Time, Arrival)> = self.own_transits().collect();
        transits.sort_unstable_by_key(|(_, arrival)| (arrival.from, arrival.number));
        let transit = |(arrival, token): (Time, Arrival)| {
            let Arrival { from, target, entered, .. } = token;
            Transit { from, target, arrival, entered }
        };
        state.transits = transits.into_iter().map(transit).collect();
        for (id, source) in (0_u32..).zip(&self.sources) {
            let (inflow, of) = (self.model.inflow(id), self.source_number(id));
            let interval = || inflow.law.service(&mut self.model.source_behind(key, of, source.sent));
            let next = if source.sent < inflow.limit { later(source.last, interval()) } else { Time::NEVER };
            state.sources.push(Sending { sent: source.sent, next });
        }
        Ok(state)
    }

    /// Tokens between stations that have left a station of this rank, and when they arrive.
    pub(super) fn own_transits(&self) -> impl Iterator<Item = (Time, Arrival)> + '_ {
        let own = self.ends_of_transits.iter().filter(|end| end & COMES == 0);
        own.map(|end| (Time::from_ticks(end.rank()), self.transits[end as u32]))
    }

    /// The place of a source here, and its number behind the stations.
    fn source_number(&self, id: u32) -> [u32; 2] {
        [id, border::number(self.border.as_ref(), self.model.stations() + id)]
    }

    /// Takes over a state, in place of the state at time 0; tokens between stations have the numbers of their departures.
    pub(in super::super) fn go_on_from<'s>(
        &mut self,
        state: &State,
        transits: impl Iterator<Item = (u64, &'s Transit)>,
        key: StreamKey,
    ) {
        let model = self.model;
        for (id, here) in (0_u32..).zip(state.stations()) {
            let of = [id, border::number(self.border.as_ref(), id)];
            let stream = model.stream_behind(key, of, here.started);
            let station = &mut self.stations[id as usize];
            station.go_on(Ahead::new(model.law(id), stream), here.started);
            station.queue.extend(here.queue.iter().map(|&Waiting { arrived, entered }| Token { arrived, entered }));
            if let Some(&Service { visit, end, entered }) = here.services.first() {
                (station.end, station.entered) = (end, entered);
                station.lead(model, model.route_of(key, of, visit));
                let leaves = station.target >= self.abroad;
                self.next.set(id, end);
                if leaves {
                    self.announce(id);
                }
            }
        }
        for (number, &Transit { from, target, arrival, entered }) in transits {
            let payload = self.transits.put(Arrival { from, target, number, entered });
            self.ends_of_transits.push(end_of(arrival, payload));
        }
        if self.transits.len() > 0 {
            self.schedule_transits();
        }
        for (id, &Sending { sent, next }) in (0_u32..).zip(&state.sources) {
            let ahead = sent + u64::from(next < Time::NEVER);
            let of = self.source_number(id);
            let stream = model.source_behind(key, of, ahead);
            let source = &mut self.sources[id as usize];
            (source.interval, source.sent) = (Ahead::new(&model.inflow(id).law, stream), sent);
            if next < Time::NEVER {
                let interval = model.inflow(id).law.service(&mut model.source_behind(key, of, sent));
                source.last = Time::from_ticks(next.ticks() - interval.ticks());
            }
            self.next.set(model.stations() + id, next);
        }
        self.sent_before = self.sent();
        self.completed_before = self.completions();
    }
}

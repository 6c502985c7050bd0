//! The state of a torus when its run stops, and a run that resumes from it.

use rayon::prelude::*;

use super::Simulation;
use crate::NetworkModel;
use crate::checkpoint::{Service, State, Waiting};
use tickless_core::heap::Event;
use tickless_core::memory::NoMemory;
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

impl Simulation<'_> {
    /// The state of the torus.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn state(&self, key: StreamKey, tokens: usize) -> Result<State, NoMemory> {
        State::room(self.facilities.len(), tokens)?;
        let draws = u64::from(self.law.draws()) + 1;
        let started = self.facilities.par_iter().enumerate();
        let started = started.map(|(id, facility)| key.draws(id as u32, facility.stream.state()) / draws);
        let mut stations: Vec<(u64, u32, u32)> = started.map(|started| (started, 0, 0)).collect();
        let mut ends = vec![Time::NEVER; self.facilities.len()];
        self.events.iter().for_each(|event| ends[event.entity as usize] = event.time);
        let (mut services, mut queue) = (vec![], vec![]);
        for ((station, facility), end) in stations.iter_mut().zip(&self.facilities).zip(ends) {
            if end < Time::NEVER {
                services.push(Service { visit: station.0 - 1, end, entered: Time::NEVER });
                station.1 = 1;
            }
            let before = queue.len();
            let waiting = |arrived| Waiting { arrived, entered: Time::NEVER };
            queue.extend(facility.queue.iter(&self.slots).map(waiting));
            station.2 = (queue.len() - before) as u32;
        }
        Ok(State { stations, services, queue, ..State::default() })
    }

    /// Takes over a state, in place of the state at time 0.
    pub(super) fn go_on_from(&mut self, state: &State, model: &NetworkModel, key: StreamKey) {
        for (id, here) in (0_u32..).zip(state.stations()) {
            let facility = &mut self.facilities[id as usize];
            facility.stream = model.stream_behind(key, [id; 2], here.started);
            let Some(&Service { visit, end, .. }) = here.services.first() else { continue };
            let direction = model.route_of(key, [id; 2], visit) >> 30;
            self.events.push(Event { time: end, entity: id, payload: self.torus.neighbour(id, direction) });
            // The first token takes the server, the others wait.
            facility.queue.arrive(Time::ZERO, &mut self.slots);
            for waiting in here.queue {
                facility.queue.arrive(waiting.arrived, &mut self.slots);
            }
            self.carried[id as usize].service = end.ticks().checked_sub(self.warmup.ticks());
        }
    }
}

//! Distributions of waiting and system times and of the number present, where the network asks for them.

use crate::queueing::{Distributions, NetworkModel};
use crate::statistics::{Distribution, Scale};
use crate::time::Time;

/// What is recorded of a run.
pub(super) struct Observations {
    scale: Scale,
    warmup: Time,
    /// The record of each station; `None` of those that are not observed.
    places: Vec<Option<usize>>,
    stations: Vec<Observation>,
    sinks: Vec<Vec<u64>>,
}

#[derive(Default)]
struct Observation {
    present: usize,
    /// Up to when the times are.
    since: Time,
    recorded: Distribution,
}

impl Observations {
    /// Records for what the model asks, if anything.
    pub(super) fn new(model: &NetworkModel) -> Option<Self> {
        let scale = model.scale()?;
        let mut places = vec![None; model.stations() as usize];
        model.observed().iter().enumerate().for_each(|(place, id)| places[*id as usize] = Some(place));
        let bins = || vec![0; scale.bins() as usize];
        let station = |_| Observation {
            since: model.warmup(),
            recorded: Distribution { waiting: bins(), system: bins(), present: vec![] },
            ..Observation::default()
        };
        Some(Self {
            scale,
            warmup: model.warmup(),
            places,
            stations: (0..model.observed().len()).map(station).collect(),
            sinks: (0..model.sinks()).map(|_| bins()).collect(),
        })
    }

    fn station(&mut self, id: u32) -> Option<&mut Observation> {
        self.places[id as usize].map(|place| &mut self.stations[place])
    }

    /// So many tokens more are at a station at time 0.
    pub(super) fn begins(&mut self, id: u32, count: u64) {
        if let Some(station) = self.station(id) {
            station.present += count as usize;
        }
    }

    /// A token is at a station from now on.
    pub(super) fn enters(&mut self, id: u32, now: Time) {
        if let Some(station) = self.station(id) {
            station.advance(now);
            station.present += 1;
        }
    }

    /// A token is there no longer.
    pub(super) fn departs(&mut self, id: u32, now: Time) {
        if let Some(station) = self.station(id) {
            station.advance(now);
            station.present -= 1;
        }
    }

    /// A service starts.
    pub(super) fn starts(&mut self, id: u32, now: Time, waiting: Time, service: Time) {
        let scale = self.scale;
        if now < self.warmup {
            return;
        }
        if let Some(Observation { recorded, .. }) = self.station(id) {
            recorded.waiting[scale.bin(waiting.ticks())] += 1;
            recorded.system[scale.bin(waiting.ticks() + service.ticks())] += 1;
        }
    }

    /// A token from a source leaves, after the warm-up.
    pub(super) fn leaves(&mut self, sink: u32, stay: Time) {
        self.sinks[sink as usize][self.scale.bin(stay.ticks())] += 1;
    }

    /// What was recorded before `clock`.
    pub(super) fn finish(mut self, clock: Time) -> Box<Distributions> {
        self.stations.iter_mut().for_each(|station| station.advance(clock));
        let stations = self.stations.into_iter().map(|station| station.recorded).collect();
        Box::new(Distributions { stations, sinks: self.sinks }.trimmed())
    }
}

impl Observation {
    /// Brings the times up to `now`.
    fn advance(&mut self, now: Time) {
        if now > self.since {
            let times = &mut self.recorded.present;
            if times.len() <= self.present {
                times.resize(self.present + 1, 0);
            }
            times[self.present] += now.ticks() - self.since.ticks();
            self.since = now;
        }
    }
}

//! The records at the end.

use super::Simulation;
use crate::NetworkOutcome;
use tickless_core::statistics::{FacilityRecord, Outcome};
use tickless_core::time::Time;

impl Simulation<'_> {
    /// The records, cut at `clock`.
    pub(in super::super) fn outcome(mut self, clock: Time) -> NetworkOutcome {
        let mut under_way: Vec<Vec<Time>> = vec![vec![]; self.stations.len()];
        for service in self.services.used() {
            under_way[service.station as usize].push(service.end);
        }
        let mut stations = Outcome {
            facilities: Vec::with_capacity(self.stations.len()),
            queue: vec![],
            services: vec![],
            from: self.model.warmup(),
            until: clock,
            added_up: None,
        };
        for (station, ends) in self.stations.iter_mut().zip(&mut under_way) {
            ends.sort_unstable();
            let mut record: FacilityRecord = station.accounts.record(clock);
            record.in_service = ends.first().copied().unwrap_or(Time::NEVER);
            record.serving = ends.len() as u64;
            record.queued = station.queue.len() as u64;
            stations.services.extend(ends.iter().skip(1));
            stations.queue.extend(station.queue.arrivals());
            stations.facilities.push(record);
        }
        let on_their_way = |at| self.border.as_ref().map_or(0, |border| border.in_transit(at));
        NetworkOutcome {
            stations,
            in_transit: self.in_transit + on_their_way(clock),
            tokens_before: self.present_before + on_their_way(clock.min(self.model.warmup())),
            sources: self.sources.iter().map(|source| source.counted).collect(),
            sinks: self.sinks,
            lost_before: self.lost_before,
            causality_errors: self.approximation.map_or(vec![], |a| a.errors().collect()),
            distributions: self.observations.map(|observations| observations.finish(clock)),
            classes: vec![],
            class_sinks: vec![],
            series: None,
            resources: vec![],
            forks: None,
        }
    }
}

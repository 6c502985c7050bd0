//! The records at the end.

use super::Oracle;
use crate::outcome::{ClassRecord, together};
use crate::{NetworkOutcome, SinkRecord};
use tickless_core::statistics::Outcome;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// The class of each token in service, and when the service ends, at stations that do not know who is served.
    fn under_way(&self) -> Vec<Vec<(u32, Time)>> {
        let mut under_way = vec![vec![]; self.stations.len()];
        let served = self.tokens.used().filter(|token| token.end < Time::NEVER);
        served.filter(|token| !self.stations[token.at as usize].serving.is_known()).for_each(|token| {
            under_way[token.at as usize].push((token.class, token.end));
        });
        under_way
    }

    /// The records, cut at `clock`.
    pub(in super::super) fn outcome(mut self, clock: Time) -> NetworkOutcome {
        let mut stations = Outcome {
            facilities: Vec::with_capacity(self.stations.len()),
            queue: vec![],
            services: vec![],
            from: self.model.warmup(),
            until: clock,
            added_up: None,
        };
        let mut classes = vec![];
        let mut under_way = self.under_way();
        let (has_failures, mut down) = (self.rules.has_failures(), vec![]);
        let (has_absences, mut absent) = (self.rules.has_absences(), vec![]);
        let mut groups = vec![];
        if has_failures {
            (0..self.stations.len() as u32).for_each(|id| self.count_downtime_of_groups(id, clock));
        }
        for (station, under_way) in self.stations.iter_mut().zip(&mut under_way) {
            let first = classes.len();
            let counted =
                |since: Time| u128::from(clock.ticks().saturating_sub(since.max(self.model.warmup()).ticks()));
            let held: Vec<u32> = station.blocked.values().copied().collect();
            for place in &held {
                let token = &self.tokens[*place];
                let accounts = &mut station.accounts[token.class as usize];
                let blocked = counted(token.blocked.min(clock));
                accounts.blocked += blocked;
                let target = self.rules.edges[token.edge as usize].target;
                accounts.stopped += if self.rules.stations[target as usize].before { blocked } else { 0 };
            }
            if station.sharing.is_some()
                && let Some(sharing) = &mut station.sharing
            {
                sharing.advance(self.model.warmup(), clock);
            }
            for class in 0..station.accounts.len() {
                let mut record = station.accounts[class].record(clock);
                record.record.in_service = Time::NEVER;
                if let Some(busy) = station.sharing.as_ref().and_then(|sharing| sharing.busy(class)) {
                    record.record.busy = busy;
                }
                classes.push(record);
            }
            if !station.groups.is_empty() {
                let of_groups = station.groups.iter_mut();
                groups.extend(of_groups.map(|group| group.record(self.model.warmup(), clock)));
            }
            if has_absences {
                station.count_absences(self.model.warmup(), clock);
                absent.push(station.absent());
            }
            if has_failures {
                station.count_downtime(clock);
                down.push(station.down());
            }
            let of_station: &mut [ClassRecord] = &mut classes[first..];
            let mut ends = vec![];
            under_way.extend(station.serving.places().map(|place| (self.tokens[place].class, self.tokens[place].end)));
            for (class, end) in under_way.drain(..) {
                let record = &mut of_station[class as usize].record;
                record.serving += 1;
                record.in_service = record.in_service.min(end);
                ends.push(end);
            }
            // Who is blocked waits, too, and who waits for siblings, the first to come first.
            let mut aside: Vec<u32> =
                station.together.values().flatten().chain(station.shelves.iter().flatten()).copied().collect();
            aside.sort_by_key(|place| self.tokens[*place].arrived);
            for token in aside.iter().map(|place| &self.tokens[*place]) {
                of_station[token.class as usize].joining += counted(token.arrived);
            }
            let lines = station.waiting.places().chain(station.outside.values().copied());
            for place in lines.chain(held).chain(aside) {
                let token = &self.tokens[place];
                of_station[token.class as usize].record.queued += 1;
                stations.queue.push(token.arrived);
            }
            ends.sort_unstable();
            stations.services.extend(ends.iter().skip(1));
            stations.facilities.push(together(of_station));
        }
        let count = self.rules.classes() as usize;
        let sink = |classes: &[SinkRecord]| classes.iter().fold(SinkRecord::default(), |all, one| all.and(one));
        let plain = self.rules.plain;
        let [on_their_way, before] = [clock, clock.min(self.model.warmup())].map(|at| self.coming(at).count() as u64);
        NetworkOutcome {
            stations,
            sources: self.sources.iter().map(|source| source.counted).collect(),
            sinks: self.sinks.chunks(count).map(sink).collect(),
            in_transit: self.in_transit + on_their_way,
            tokens_before: self.present_before + before,
            lost_before: self.lost_before,
            causality_errors: self.approximation.map_or(vec![], |approximation| approximation.errors().collect()),
            distributions: self.histograms.map(|histograms| histograms.finish(clock)),
            classes: if plain { vec![] } else { classes },
            class_sinks: if plain { vec![] } else { self.sinks },
            forks: self.rules.changes_numbers().then_some(self.forks),
            groups,
            down,
            absent,
            batches: vec![],
            resources: self.units.records(clock),
            series: self.series.map(|series| Box::new(series.finish(clock))),
            folded: self.folding.map(|folding| Box::new(folding.finish(self.model))),
        }
    }
}

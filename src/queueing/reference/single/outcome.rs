//! The end of the warm-up, and the records at the end.

use super::super::tally::Present;
use super::{Opening, Singles, Station};
use crate::{NetworkOutcome, SinkRecord};
use tickless_core::heap::Word;
use tickless_core::statistics::{FacilityRecord, Outcome};
use tickless_core::time::Time;

impl Station {
    /// The state of this station at a time.
    fn at(&self, clock: Time) -> Present {
        let waited = self.queue.iter().map(|token| u128::from(clock.ticks() - token.arrived.ticks())).sum();
        Present { clock, end: self.end, queued: self.queue.len() as u64, waited }
    }
}

impl<W: Word> Singles<'_, W> {
    /// Ends the warm-up: earlier counts are forgotten.
    #[cold]
    pub(super) fn open(&mut self) {
        let from = std::mem::replace(&mut self.opens, Time::NEVER);
        let open = |station: &mut Station| {
            let present = station.at(from);
            station.tally.open(&present)
        };
        let stations = self.stations.iter_mut().map(open).collect();
        let sent = self.sources.iter().map(|source| source.sent).collect();
        self.opening = Some(Opening { stations, sent, tokens: self.tokens(from) });
        self.forget();
    }

    fn forget(&mut self) {
        self.lost_before += self.losses.iter().sum::<u64>();
        self.sinks.fill(SinkRecord::default());
        self.losses.fill(0);
    }

    /// Tokens in the network, after the events before a time.
    fn tokens(&self, at: Time) -> u64 {
        self.stations.iter().map(|station| station.present() as u64).sum::<u64>() + self.in_transit(at)
    }

    /// Tokens between stations at a time.
    fn in_transit(&self, at: Time) -> u64 {
        self.transits.len() + self.border.as_ref().map_or(0, |border| border.in_transit(at))
    }

    /// Ends of services in this run, the warm-up included.
    pub(in super::super) fn completions(&self) -> u64 {
        let ended = |station: &Station| station.tally.starts - u64::from(station.end != Time::NEVER);
        self.stations.iter().map(ended).sum::<u64>() - self.completed_before
    }

    /// Tokens from sources in this run, the warm-up included.
    pub(in super::super) fn sent(&self) -> u64 {
        self.sources.iter().map(|source| source.sent).sum::<u64>() - self.sent_before
    }

    /// The records, cut at `clock`.
    pub(in super::super) fn outcome(mut self, clock: Time) -> NetworkOutcome {
        if clock >= self.opens {
            self.open();
        }
        if self.opening.is_none() {
            self.forget();
        }
        let facilities = (0..self.stations.len()).map(|id| self.record(id, clock)).collect();
        let queue = self.stations.iter().flat_map(|station| &station.queue).map(|token| token.arrived).collect();
        let from = self.model.warmup();
        let stations = Outcome { facilities, queue, services: vec![], from, until: clock, added_up: None };
        let sent = self.sources.iter().map(|source| source.sent);
        NetworkOutcome {
            stations,
            sources: match &self.opening {
                Some(opening) => sent.zip(&opening.sent).map(|(all, before)| all - before).collect(),
                None => vec![0; self.sources.len()],
            },
            in_transit: self.in_transit(clock),
            tokens_before: self.opening.as_ref().map_or_else(|| self.tokens(clock), |opening| opening.tokens),
            lost_before: self.lost_before,
            sinks: self.sinks,
            causality_errors: vec![],
            distributions: None,
            classes: vec![],
            class_sinks: vec![],
            series: None,
            folded: None,
            resources: vec![],
            forks: None,
            down: vec![],
            absent: vec![],
            groups: vec![],
            batches: vec![],
        }
    }

    /// The record of a station; a run that ends in its warm-up has counted nothing.
    fn record(&self, id: usize, clock: Time) -> FacilityRecord {
        let station = &self.stations[id];
        let present = station.at(clock);
        let losses = self.losses.get(id).copied().unwrap_or(0);
        let record = match &self.opening {
            Some(opening) => station.tally.record(&opening.stations[id], &present, losses),
            None => FacilityRecord::default(),
        };
        let serving = u64::from(station.end != Time::NEVER);
        FacilityRecord { in_service: station.end, serving, queued: present.queued, ..record }
    }
}

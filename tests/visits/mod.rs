//! The torus once more, in the words of the contract: instant by instant, all departures, then all arrivals in the
//! order of their sources. It keeps a log of every visit and computes the statistics from the log at the end.

use std::collections::BTreeMap;

use tickless::queueing::{Destination, NetworkModel};
use tickless::random::Stream;
use tickless::statistics::{FacilityRecord, Outcome};
use tickless::time::Time;

/// A token at a facility. Visits are served in the order of their arrival, so the log is the queue.
struct Visit {
    arrival: u64,
    initial: bool,
    start: Option<u64>,
    end: u64,
    destination: u32,
}

struct Facility {
    stream: Stream,
    visits: Vec<Visit>,
    started: usize,
    ended: usize,
}

impl Facility {
    fn arrive(&mut self, arrival: u64, initial: bool) {
        self.visits.push(Visit { arrival, initial, start: None, end: 0, destination: 0 });
    }

    /// Starts the next visit if the server is idle and someone is there.
    fn start(&mut self, model: &NetworkModel, ways: &[u32], now: u64) {
        if self.started == self.ended && self.started < self.visits.len() {
            let service = model.law(0).service(&mut self.stream).ticks();
            let destination = ways[self.stream.draw() as usize >> 30];
            let visit = &mut self.visits[self.started];
            (visit.start, visit.end, visit.destination) = (Some(now), now + service, destination);
            self.started += 1;
        }
    }

    fn in_service(&self) -> Option<&Visit> {
        self.visits[self.ended..self.started].first()
    }

    /// The record from the log.
    fn record(&self, from: u64, until: u64) -> FacilityRecord {
        let clip = |begin: u64, end: u64| u128::from(end.min(until).saturating_sub(begin.max(from)));
        let mut record = FacilityRecord { in_service: Time::NEVER, ..Default::default() };
        for (place, visit) in self.visits.iter().enumerate() {
            let ended = place < self.ended;
            record.arrivals += u64::from(!visit.initial && visit.arrival >= from);
            record.completions += u64::from(ended && visit.end >= from);
            record.presence += clip(visit.arrival, if ended { visit.end } else { until });
            if let Some(start) = visit.start {
                record.busy += clip(start, visit.end);
                if start >= from {
                    record.starts += 1;
                    record.waiting += u128::from(start - visit.arrival);
                    record.service += u128::from(visit.end - start);
                }
            }
        }
        record.in_service = self.in_service().map_or(Time::NEVER, |visit| Time::from_ticks(visit.end));
        record.serving = u64::from(self.in_service().is_some());
        record.queued = (self.visits.len() - self.started) as u64;
        record
    }
}

fn station(to: Destination) -> u32 {
    match to {
        Destination::Station(station) => station.index(),
        Destination::Sink(_) => unreachable!("a torus has no sink"),
    }
}

/// Runs the model.
pub fn simulate(model: &NetworkModel) -> Outcome {
    let ways: Vec<u32> = model.description().routes().map(|(_, to, _, _)| station(to)).collect();
    // Four lead away from each.
    let ways = |id: u32| &ways[4 * id as usize..][..4];
    let new = |id| Facility { stream: model.key(0).stream(id), visits: Vec::new(), started: 0, ended: 0 };
    let mut facilities: Vec<Facility> = (0..model.stations()).map(new).collect();
    for (id, facility) in facilities.iter_mut().enumerate() {
        (0..model.tokens_at(0)).for_each(|_| facility.arrive(0, true));
        facility.start(model, ways(id as u32), 0);
    }
    let (from, until) = (model.warmup().ticks(), model.until().ticks());
    loop {
        // Who ends a service, by instant; only the earliest instant is used.
        let mut ends = BTreeMap::<u64, Vec<(u32, u32)>>::new();
        for (id, facility) in facilities.iter().enumerate() {
            if let Some(visit) = facility.in_service() {
                ends.entry(visit.end).or_default().push((id as u32, visit.destination));
            }
        }
        let Some((now, leaving)) = ends.pop_first().filter(|(now, _)| *now < until) else { break };
        for &(source, _) in &leaving {
            facilities[source as usize].ended += 1;
        }
        for &(source, _) in &leaving {
            facilities[source as usize].start(model, ways(source), now);
        }
        for &(_, destination) in &leaving {
            facilities[destination as usize].arrive(now, false);
            facilities[destination as usize].start(model, ways(destination), now);
        }
    }
    let waiting =
        |facility: &Facility| facility.visits[facility.started..].iter().map(|v| v.arrival).collect::<Vec<_>>();
    Outcome {
        services: vec![],
        facilities: facilities.iter().map(|facility| facility.record(from, until)).collect(),
        queue: facilities.iter().flat_map(waiting).map(Time::from_ticks).collect(),
        from: model.warmup(),
        until: model.until(),
        added_up: None,
    }
}

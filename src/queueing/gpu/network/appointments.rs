//! Networks by appointments: which networks can make them, the edges that lead to each station, and the places of all
//! words, as in `shaders/queueing/network_appointments.wgsl`.

use crate::gpu::records::NONE;
use crate::{NetworkModel, Source};
use tickless_core::time::Time;
use tickless_kernels::layout::mirrors;

/// The furthest that a round goes, in ticks: the latest time still fits 64 bits.
pub(super) const FURTHEST: u64 = 1 << 62;
/// Words of links for a station: inboxes of two rounds, its list, and its count of tokens that have left the network.
pub(super) const STATION_LINKS: u64 = 4;
/// Words of 8 bytes of annex for an entry and for a station.
const ENTRY: u64 = 5;
const STATION: u64 = 6;
/// Tokens that one source may have sent beyond the earliest arrival, in the mean, or all sources together for each
/// station where this is more. With fewer, stations wait, above all those far down a tandem; more take memory.
const ONE_SOURCE: f64 = 64.0;
const EACH_STATION: f64 = 4.0;

mirrors! {
    /// `Appointed` of `shaders/queueing/network_appointments.wgsl`.
    pub(super) struct Appointed in "queueing/network_appointments" "Appointed" {
        pub(super) stations: u32,
        pub(super) entries: u32,
        pub(super) edges: u32,
        pub(super) entries_each: u32,
        pub(super) entries_all: u32,
        pub(super) sources_all: u32,
        pub(super) appointments: u32,
        pub(super) answers: u32,
        pub(super) ahead: u32,
        pub(super) unused: u32,
    }
}

/// The edges of a replication that lead from one station to another, in the order of targets, sources and delays.
struct Entries<'a> {
    model: &'a NetworkModel,
    /// The source station of each edge.
    sources: Vec<u32>,
    /// The edges.
    order: Vec<u32>,
    /// The first edge of each station.
    first: Vec<u32>,
}

impl<'a> Entries<'a> {
    fn new(model: &'a NetworkModel) -> Self {
        let stations = model.stations();
        let from = |station: u32| model.row_of(station);
        let sources: Vec<u32> = (0..stations).flat_map(|station| from(station).map(move |_| station)).collect();
        let target = |edge: &u32| model.edges()[*edge as usize].target;
        let leads_on = |edge: &u32| target(edge) < stations && target(edge) != sources[*edge as usize];
        let mut order: Vec<u32> = (0..model.edges().len() as u32).filter(leads_on).collect();
        order.sort_by_key(|edge| (target(edge), sources[*edge as usize], model.edges()[*edge as usize].delay));
        let mut first = vec![0; stations as usize + 1];
        order.iter().for_each(|edge| first[target(edge) as usize + 1] += 1);
        (0..stations as usize).for_each(|station| first[station + 1] += first[station]);
        Self { model, sources, order, first }
    }

    /// The first entry of one station that comes from another.
    fn between(&self, source: u32, target: u32) -> Option<u32> {
        let first = self.first[target as usize];
        let here = &self.order[first as usize..self.first[target as usize + 1] as usize];
        let source_of = |edge: &u32| self.sources[*edge as usize];
        let place = here.partition_point(|edge| source_of(edge) < source);
        here.get(place).filter(|edge| source_of(edge) == source).map(|_| first + place as u32)
    }

    fn rows(&self) -> Vec<[u32; 4]> {
        let entry = |edge: &u32| {
            let source = self.sources[*edge as usize];
            let first = self.between(source, self.model.edges()[*edge as usize].target);
            [source, first.expect("an entry is one of its source's"), 0, 0]
        };
        let mut rows: Vec<_> = self.first.windows(2).map(|range| [range[0], range[1], 0, 0]).collect();
        rows.extend(self.order.iter().map(entry));
        let edges = rows.len();
        rows.extend(self.model.edges().iter().map(|edge| {
            let target = if edge.target < self.model.stations() { edge.target } else { NONE };
            [NONE, NONE, target, u32::from(edge.delay > Time::ZERO)]
        }));
        for (entry, &edge) in self.order.iter().enumerate() {
            let (source, target) = (self.sources[edge as usize], self.model.edges()[edge as usize].target);
            let row = &mut rows[edges + edge as usize];
            (row[0], row[1]) = (entry as u32, self.between(target, source).unwrap_or(NONE));
        }
        rows
    }
}

impl Appointed {
    /// Adds rows at the end of `model_table`, for so many replications; `annex` is the first free word of the annex.
    pub(super) fn new(model: &NetworkModel, model_table: &mut Vec<[u32; 4]>, annex: u64, copies: u64) -> (Self, u64) {
        let entries = Entries::new(model);
        let (stations, each) = (model_table.len() as u32, entries.order.len() as u64);
        model_table.extend(entries.rows());
        let first_entry = stations + model.stations();
        let answers = annex + 4 * copies * each;
        let ahead = annex + ENTRY * copies * each;
        let end = ahead + STATION * copies * u64::from(model.stations());
        let appointed = Self {
            stations,
            entries: first_entry,
            edges: first_entry + each as u32,
            entries_each: each as u32,
            entries_all: (copies * each) as u32,
            sources_all: (copies * u64::from(model.sources())) as u32,
            appointments: annex as u32,
            answers: answers as u32,
            ahead: ahead as u32,
            unused: 0,
        };
        (appointed, end)
    }
}

/// How far beyond the earliest arrival each source may send, in ticks. A source of few tokens takes no memory.
pub(super) fn reaches(model: &NetworkModel) -> Vec<u64> {
    let sources = &model.description().sources;
    let lasting = |source: &&Source| source.limit.is_none_or(|limit| limit as f64 > ONE_SOURCE);
    let rate: f64 = sources.iter().filter(lasting).map(|source| 1.0 / source.interval.mean()).sum();
    let together = EACH_STATION * f64::from(model.stations()) / rate;
    let reach = |source: &Source| {
        let units = together.max(ONE_SOURCE * source.interval.mean());
        ((units * Time::UNIT.ticks() as f64) as u64).clamp(1, FURTHEST)
    };
    sources.iter().map(reach).collect()
}

/// Events that a round of a replication holds in the mean, at most: rounds take about a quarter of a mean service time each.
pub(super) fn events_per_round(model: &NetworkModel) -> f64 {
    let shortest =
        model.description().stations.iter().map(|station| station.service.mean()).fold(f64::INFINITY, f64::min);
    model.events_per_unit() * shortest / 4.0
}

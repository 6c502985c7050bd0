//! Numbers of tokens over time and distributions, as `shaders/multiclass/statistics/series.wgsl` and `histograms.wgsl` record them.

use super::layout::Layout;
use super::records::{NONE, PACKED_TOKEN_WORDS, Parameters};
use super::rows::ObservedStation;
use crate::model::{Rules, StationRules, times};
use crate::outcome::Series;
use crate::{Distributions, NetworkModel, QueueingError};
use tickless_core::statistics::Distribution;
use tickless_core::time::Time;
use tickless_engine::Rounds;

/// A row of `histograms`.
type Row = [u32; 2];

/// Writes into the parameters what is recorded, and its size: with this many places for tokens, all of which may be at one
/// station.
pub(super) fn plan(model: &NetworkModel, rules: &Rules, p: &mut Parameters) {
    if let Some(step) = model.series_step() {
        p.step = step.ticks();
        // A grid has 10^6 times at most.
        p.times = times(step, model.until()) as u32;
    }
    if let Some(scale) = model.scale() {
        let named = u32::from(model.named_classes() > 0);
        let stations = model.observed().len() as u32;
        let records = stations * (1 + named * rules.classes());
        (p.histogram_stations, p.histogram_classes, p.histogram_records) = (stations, named, records);
        (p.bins, p.shift, p.histogram_bins) = (scale.bins(), scale.shift(), 2 * records);
        p.histogram_held = rules.classes() * (stations + model.sinks());
        let held = if is_held(rules) { stations } else { 0 };
        p.histogram_levels = p.histogram_bins + p.bins * rules.classes() * (stations + model.sinks() + held);
    }
}

/// Whether tokens are blocked when they have been served, or wait for siblings.
fn is_held(rules: &Rules) -> bool {
    rules.stations.iter().any(|station| station.holds || station.joins)
}

/// A row for each station: its number among the observed stations, whether the duration of stays is recorded as tokens leave, whether
/// waiting is recorded as services end, and whether served tokens may be blocked.
pub(super) fn rows(model: &NetworkModel, rules: &Rules) -> Vec<[u32; 4]> {
    let row = |(id, station): (u32, &StationRules)| {
        let number = model.observed().iter().position(|other| *other == id).map_or(NONE, |place| place as u32);
        let (at_leave, at_end) = (station.is_seen_at_end().into(), station.waits_until_the_end().into());
        ObservedStation { number, at_leave, at_end, blocks: station.holds.into() }.into()
    };
    (0..).zip(&rules.stations).map(row).collect()
}

impl Parameters {
    /// Places that tokens have at once: each list of packed tokens ends in a place without one.
    pub(super) fn token_places(&self) -> u32 {
        let is_packed = self.token_rows == PACKED_TOKEN_WORDS / 2;
        self.places - if is_packed { self.list_count * self.stations } else { 0 }
    }

    /// Words of `noted` of a replication, and rows of `histograms`.
    pub(super) fn observed(&self) -> [u64; 2] {
        let columns = (u64::from(self.stations) + 1) * u64::from(self.classes);
        let noted = if self.times > 0 { 1 + columns * u64::from(self.times) } else { 0 };
        let histograms =
            u64::from(self.histogram_levels) + u64::from(self.histogram_records) * (u64::from(self.token_places()) + 1);
        [noted, if self.bins > 0 { histograms } else { 0 }]
    }
}

/// The recorded words and rows of all replications.
pub(super) struct Observed<'a> {
    model: &'a NetworkModel,
    layout: &'a Layout,
    noted: Vec<u32>,
    histograms: Vec<Row>,
}

impl<'a> Observed<'a> {
    /// Reads the buffers.
    pub(super) fn read(
        rounds: &mut Rounds,
        model: &'a NetworkModel,
        layout: &'a Layout,
    ) -> Result<Self, QueueingError> {
        let [noted, histograms] =
            layout.parameters.observed().map(|each| (each * u64::from(layout.parameters.replications)) as usize);
        let noted = if noted > 0 { rounds.read_part("noted", 0, noted)? } else { vec![] };
        let histograms = if histograms > 0 { rounds.read_part("histograms", 0, histograms)? } else { vec![] };
        Ok(Self { model, layout, noted, histograms })
    }

    /// The buffers by their names, with their contents after they have grown.
    pub(super) fn contents(self) -> [(&'static str, Vec<u8>); 2] {
        [
            ("noted", bytemuck::cast_slice(&self.noted).to_vec()),
            ("histograms", bytemuck::cast_slice(&self.histograms).to_vec()),
        ]
    }

    /// The numbers over time of a replication up to a clock.
    pub(super) fn series(&self, replication: usize, clock: Time) -> Option<Series> {
        let step = self.model.series_step()?;
        let p = &self.layout.parameters;
        let (all, noted) = (p.replications as usize, (clock.ticks() / step.ticks() + 1) as usize);
        let column = |column: usize| {
            let change = |time: usize| self.noted[all * (1 + column * p.times as usize + time) + replication];
            let mut present = 0u32;
            let known = (0..noted.min(p.times as usize)).map(|time| {
                present = present.wrapping_add(change(time));
                u64::from(present)
            });
            known.collect()
        };
        let columns = (p.stations as usize + 1) * p.classes as usize;
        Some(Series::new(p.classes as usize, (0..columns).map(column).collect()))
    }

    fn row(&self, replication: usize, row: u32) -> Row {
        self.histograms[row as usize * self.layout.parameters.replications as usize + replication]
    }

    fn wide(&self, replication: usize, row: u32) -> u64 {
        let [low, high] = self.row(replication, row);
        u64::from(high) << 32 | u64::from(low)
    }

    /// The distributions of a replication up to a clock.
    pub(super) fn distributions(&self, replication: usize, clock: Time) -> Option<Box<Distributions>> {
        self.model.scale()?;
        let p = &self.layout.parameters;
        let bins = |place: u32, half: usize| {
            let bin = |bin: u32| u64::from(self.row(replication, p.histogram_bins + place * p.bins + bin)[half]);
            (0..p.bins).map(bin).collect::<Vec<u64>>()
        };
        let of_classes = |first: u32, half: usize| {
            let all = (first..first + p.classes).map(|place| bins(place, half));
            all.reduce(|mut all, one| {
                all.iter_mut().zip(one).for_each(|(sum, more)| *sum += more);
                all
            })
        };
        let rules = self.model.rules();
        let held = |station: u32| p.histogram_held + station * p.classes;
        let held_of = |station: u32, first: u32, counts: &dyn Fn(u32, usize) -> Vec<u64>| {
            let rules = &rules.stations[self.model.observed()[station as usize] as usize];
            let of = |has: bool, half: usize| if has { counts(first, half) } else { vec![] };
            [of(rules.holds, 0), of(rules.joins, 1)]
        };
        let times = |record: u32| self.present(replication, record, clock);
        let places = 0..p.histogram_stations * p.classes * p.histogram_classes;
        let sinks = 0..self.model.sinks();
        let sink_bins = |sink: u32| (p.histogram_stations + sink) * p.classes;
        let recorded = Distributions {
            stations: (0..p.histogram_stations)
                .map(|station| {
                    let of_all = |first: u32, half: usize| of_classes(first, half).unwrap_or_default();
                    let [blocked, joining] = held_of(station, held(station), &of_all);
                    let [waiting, system] = [0, 1].map(|half| of_all(station * p.classes, half));
                    Distribution { waiting, system, present: times(station), blocked, joining }
                })
                .collect(),
            sinks: sinks.clone().map(|sink| of_classes(sink_bins(sink), 0).unwrap_or_default()).collect(),
            classes: places
                .map(|place| {
                    let [blocked, joining] = held_of(place / p.classes, p.histogram_held + place, &bins);
                    let [waiting, system] = [0, 1].map(|half| bins(place, half));
                    Distribution { waiting, system, present: times(p.histogram_stations + place), blocked, joining }
                })
                .collect(),
            class_sinks: sinks
                .flat_map(|sink| (0..p.classes * p.histogram_classes).map(move |class| sink_bins(sink) + class))
                .map(|place| bins(place, 0))
                .collect(),
        };
        Some(Box::new(recorded.trimmed()))
    }

    /// For each number of tokens, how long so many were there, in a record.
    fn present(&self, replication: usize, record: u32, clock: Time) -> Vec<u64> {
        let p = &self.layout.parameters;
        let level = |level: u32| self.wide(replication, p.histogram_levels + level * p.histogram_records + record);
        let mut times: Vec<u64> = (0..=p.token_places()).map(level).collect();
        let since = self.wide(replication, 2 * record).max(self.model.warmup().ticks());
        let [present, _] = self.row(replication, 2 * record + 1);
        times[present as usize] += clock.ticks().saturating_sub(since);
        times
    }
}

//! Numbers of tokens over time and distributions, as `shaders/multiclass/statistics/series.wgsl` and `histograms.wgsl` record them.

use super::fold::FoldedRows;
use super::layout::Layout;
use super::records::{NONE, PACKED_TOKEN_WORDS, Parameters};
use super::rows::ObservedStation;
use crate::model::{Rules, StationRules, times};
use crate::outcome::{Folded, Series};
use crate::{Distributions, NetworkModel, QueueingError};
use tickless_core::statistics::Distribution;
use tickless_core::time::Time;
use tickless_engine::Rounds;

/// A row of `histograms`.
type Row = [u32; 2];

/// Rows of longest times of each class at a station or a sink: of its waits, or times in the network; and of its visits.
const LONGEST: u32 = 2;

/// The buffers of what is recorded beside the accounts, with the bytes of a row.
pub(super) const OBSERVED: [(&str, u64); 3] = [("noted", 4), ("histograms", 8), ("folded", 16)];

/// Writes into the parameters what is recorded, and its size: with this many places for tokens, all of which may be at one
/// station.
pub(super) fn plan(model: &NetworkModel, rules: &Rules, p: &mut Parameters) {
    if let Some(step) = model.series_step() {
        p.step = step.ticks();
        // A grid has 10^6 times at most.
        p.times = times(step, model.until()) as u32;
    }
    let (stations, classes) = (model.observed().len() as u32, rules.classes());
    (p.histogram_stations, p.histogram_classes) = (stations, u32::from(model.named_classes() > 0));
    let places = classes * (stations + model.sinks());
    if let Some(scale) = model.scale() {
        p.histogram_records = stations * (1 + p.histogram_classes * classes);
        (p.bins, p.shift, p.histogram_bins) = (scale.bins(), scale.shift(), 2 * p.histogram_records);
        p.histogram_held = places;
        let held = if is_held(rules) { stations * classes } else { 0 };
        p.histogram_targets = p.histogram_bins + p.bins * (places + held);
    }
    p.targets = model.targets().len() as u32;
    p.histogram_levels = p.histogram_targets + if p.targets > 0 { (p.targets + 1) * places } else { 0 };
    if model.records_longest() {
        p.histogram_longest = p.histogram_levels;
        p.histogram_levels += LONGEST * places;
    }
}

/// Whether tokens are blocked when they have been served, or wait for siblings.
fn is_held(rules: &Rules) -> bool {
    rules.stations.iter().any(|station| station.holds || station.gathers())
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

    /// Rows of each buffer of [`OBSERVED`] of a replication.
    pub(super) fn observed(&self) -> [u64; 3] {
        let columns = (2 * u64::from(self.stations) + 1) * u64::from(self.classes);
        let noted = if self.times > 0 { 1 + columns * u64::from(self.times) } else { 0 };
        let histograms =
            u64::from(self.histogram_levels) + u64::from(self.histogram_records) * (u64::from(self.token_places()) + 1);
        [noted, histograms, self.folded_rows()]
    }
}

/// The recorded words and rows of all replications.
pub(super) struct Observed<'a> {
    model: &'a NetworkModel,
    layout: &'a Layout,
    noted: Vec<u32>,
    histograms: Vec<Row>,
    folded: Vec<[u32; 4]>,
}

impl<'a> Observed<'a> {
    /// Reads the buffers.
    pub(super) fn read(
        rounds: &mut Rounds,
        model: &'a NetworkModel,
        layout: &'a Layout,
    ) -> Result<Self, QueueingError> {
        let [noted, histograms, folded] =
            layout.parameters.observed().map(|each| (each * u64::from(layout.parameters.replications)) as usize);
        let noted = if noted > 0 { rounds.read_part("noted", 0, noted)? } else { vec![] };
        let histograms = if histograms > 0 { rounds.read_part("histograms", 0, histograms)? } else { vec![] };
        let folded = if folded > 0 { rounds.read_part("folded", 0, folded)? } else { vec![] };
        Ok(Self { model, layout, noted, histograms, folded })
    }

    /// The buffers by their names, with their contents after they have grown.
    pub(super) fn contents(self) -> [(&'static str, Vec<u8>); 3] {
        [
            ("noted", bytemuck::cast_slice(&self.noted).to_vec()),
            ("histograms", bytemuck::cast_slice(&self.histograms).to_vec()),
            ("folded", bytemuck::cast_slice(&self.folded).to_vec()),
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
        let columns = (2 * p.stations as usize + 1) * p.classes as usize;
        Some(Series::new(p.classes as usize, (0..columns).map(column).collect()))
    }

    /// What happened in each bin of a period in a replication up to a clock.
    pub(super) fn folded(&self, replication: usize, clock: Time) -> Option<Folded> {
        let (rows, parameters) = (&self.folded[..], &self.layout.parameters);
        FoldedRows { rows, parameters, replication }.folded(self.model, clock)
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
        if !self.model.records_times() {
            return None;
        }
        let p = &self.layout.parameters;
        let counts = |first: u32, count: u32, half: usize| {
            (first..first + count).map(|row| u64::from(self.row(replication, row)[half])).collect::<Vec<u64>>()
        };
        let bins = |place: u32, half: usize| counts(p.histogram_bins + place * p.bins, p.bins, half);
        // As many as there are targets may be below a time.
        let by_targets = if p.targets > 0 { p.targets + 1 } else { 0 };
        let targets = |place: u32, half: usize| counts(p.histogram_targets + place * by_targets, by_targets, half);
        let longest = |place: u32, half: u32| self.wide(replication, p.histogram_longest + LONGEST * place + half);
        let longest_of = |classes: std::ops::Range<u32>| match p.histogram_longest {
            0 => vec![],
            _ => {
                [0, 1].map(|half| classes.clone().map(|place| longest(place, half)).max().unwrap_or_default()).to_vec()
            }
        };
        type Counts<'a> = &'a dyn Fn(u32, usize) -> Vec<u64>;
        let of_some = |of: Counts<'_>, places: std::ops::Range<u32>, half: usize| {
            let all = places.map(|place| of(place, half));
            let sum = all.reduce(|mut all, one| {
                all.iter_mut().zip(one).for_each(|(sum, more)| *sum += more);
                all
            });
            sum.unwrap_or_default()
        };
        let of_classes = |of: Counts<'_>, first: u32, half: usize| of_some(of, first..first + p.classes, half);
        let rules = self.model.rules();
        let held = |station: u32| p.histogram_held + station * p.classes;
        let held_of = |station: u32, first: u32, counts: Counts<'_>| {
            let rules = &rules.stations[self.model.observed()[station as usize] as usize];
            let of = |has: bool, half: usize| if has && p.bins > 0 { counts(first, half) } else { vec![] };
            [of(rules.holds, 0), of(rules.gathers(), 1)]
        };
        let times = |record: u32| if p.bins > 0 { self.present(replication, record, clock) } else { vec![] };
        let places = 0..p.histogram_stations * p.classes * p.histogram_classes;
        let sinks = 0..self.model.sinks();
        let sink_bins = |sink: u32| (p.histogram_stations + sink) * p.classes;
        let class_sinks = || {
            let named = p.classes * p.histogram_classes;
            sinks.clone().flat_map(move |sink| (0..named).map(move |class| sink_bins(sink) + class))
        };
        // Of classes in a row at a station, with the place of their blocked and joining times.
        let visits = |station: u32, held: u32, record: u32, classes: std::ops::Range<u32>| {
            let own = |of: Counts<'_>, first: u32, half: usize| of_some(of, first..first + classes.len() as u32, half);
            let [blocked, joining] = held_of(station, held, &|at, half| own(&bins, at, half));
            let [waiting, system] = [0, 1].map(|half| own(&bins, classes.start, half));
            let [waiting_targets, system_targets] = [0, 1].map(|half| own(&targets, classes.start, half));
            let (present, longest) = (times(record), longest_of(classes.clone()));
            Distribution { waiting, system, present, blocked, joining, waiting_targets, system_targets, longest }
        };
        let at_station = |station: u32| station * p.classes..(station + 1) * p.classes;
        let of_station = |station: u32| visits(station, held(station), station, at_station(station));
        let of_class = |place: u32| {
            visits(place / p.classes, p.histogram_held + place, p.histogram_stations + place, place..place + 1)
        };
        let recorded = Distributions {
            stations: (0..p.histogram_stations).map(of_station).collect(),
            sinks: sinks.clone().map(|sink| of_classes(&bins, sink_bins(sink), 0)).collect(),
            sink_targets: sinks.clone().map(|sink| of_classes(&targets, sink_bins(sink), 0)).collect(),
            classes: places.map(of_class).collect(),
            class_sinks: class_sinks().map(|place| bins(place, 0)).collect(),
            class_sink_targets: class_sinks().map(|place| targets(place, 0)).collect(),
            longest: if p.histogram_longest > 0 {
                let of_all = |sink: u32| longest_of(sink_bins(sink)..sink_bins(sink + 1))[0];
                sinks.clone().map(of_all).chain(class_sinks().map(|place| longest(place, 0))).collect()
            } else {
                vec![]
            },
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

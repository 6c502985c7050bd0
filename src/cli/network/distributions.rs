//! Distributions of times and of the number present, over one replication or several.

use serde::Serialize;

use crate::queueing::network::{Distributions, NetworkModel, NetworkOutcome, Observed};
use crate::statistics::{Distribution, Estimate, Scale};
use crate::time::Time;

/// What was recorded. `docs/json.md` describes each field. Times are in time units.
#[derive(Clone, Debug, Serialize)]
pub struct DistributionsReport {
    /// Of all visits together, where every station is observed.
    pub network: Option<VisitTimes>,
    pub stations: Vec<StationDistribution>,
    pub sinks: Vec<SinkDistribution>,
}

/// Of an observed station.
#[derive(Clone, Debug, Serialize)]
pub struct StationDistribution {
    pub station: String,
    pub most_present: usize,
    /// The share of the measured time with so many present: the mean over the replications.
    pub present: Vec<f64>,
    #[serde(flatten)]
    pub times: VisitTimes,
}

/// Of the services that started.
#[derive(Clone, Debug, Serialize)]
pub struct VisitTimes {
    /// The share of those that did not wait.
    pub no_wait: Option<Estimate>,
    pub waiting_time: Option<Quantiles>,
    pub system_time: Option<Quantiles>,
}

/// Of the tokens from sources that left by a sink.
#[derive(Clone, Debug, Serialize)]
pub struct SinkDistribution {
    pub sink: String,
    pub time_in_network: Option<Quantiles>,
}

/// What half, 90, 95 and 99 of a hundred do not exceed: the mean over the replications that have some, and how sure it is.
#[derive(Clone, Debug, Serialize)]
pub struct Quantiles {
    pub median: Estimate,
    pub p90: Estimate,
    pub p95: Estimate,
    pub p99: Estimate,
}

impl Quantiles {
    /// Of a histogram of each replication.
    fn of<'a>(scale: Scale, histograms: impl Iterator<Item = &'a Vec<u64>> + Clone) -> Option<Self> {
        let estimate = |below| Estimate::of(histograms.clone().filter_map(|counts| scale.quantile(counts, below)));
        let median = estimate(0.5);
        (median.count > 0).then(|| Self { median, p90: estimate(0.9), p95: estimate(0.95), p99: estimate(0.99) })
    }
}

impl VisitTimes {
    fn of<'a>(scale: Scale, recorded: impl Iterator<Item = &'a Distribution> + Clone) -> Self {
        let share = |counts: &Vec<u64>| Some(*counts.first()? as f64 / counts.iter().sum::<u64>() as f64);
        let no_wait = Estimate::of(recorded.clone().filter_map(|station| share(&station.waiting)));
        Self {
            no_wait: (no_wait.count > 0).then_some(no_wait),
            waiting_time: Quantiles::of(scale, recorded.clone().map(|station| &station.waiting)),
            system_time: Quantiles::of(scale, recorded.map(|station| &station.system)),
        }
    }
}

impl StationDistribution {
    fn of<'a>(name: &str, scale: Scale, recorded: impl Iterator<Item = &'a Distribution> + Clone) -> Self {
        let most_present = recorded.clone().map(Distribution::most_present).max().unwrap_or(0);
        let share = |station: &Distribution, present: usize| {
            let measured: u64 = station.present.iter().sum();
            station.present.get(present).map_or(0.0, |time| *time as f64 / (measured as f64).max(1.0))
        };
        let shares = |present| Estimate::of(recorded.clone().map(|station| share(station, present))).mean;
        Self {
            station: name.to_owned(),
            most_present,
            present: (0..=most_present).map(shares).collect(),
            times: VisitTimes::of(scale, recorded),
        }
    }
}

impl DistributionsReport {
    /// Of what the replications recorded, if anything.
    pub fn of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Self> {
        let scale = model.scale()?;
        let recorded = outcomes.iter().filter_map(|outcome| outcome.distributions.as_deref());
        let station = |(place, id): (usize, &u32)| {
            let of_station = recorded.clone().map(|recorded| &recorded.stations[place]);
            StationDistribution::of(model.station_name(*id), scale, of_station)
        };
        let sink = |id: u32| SinkDistribution {
            sink: model.sink_name(id).to_owned(),
            time_in_network: Quantiles::of(scale, recorded.clone().map(|recorded| &recorded.sinks[id as usize])),
        };
        let all = model.observed().len() == model.stations() as usize;
        Some(Self {
            network: all.then(|| VisitTimes::of(scale, recorded.clone().map(together).collect::<Vec<_>>().iter())),
            stations: model.observed().iter().enumerate().map(station).collect(),
            sinks: (0..model.sinks()).map(sink).collect(),
        })
    }
}

/// The visits of all stations of a replication.
fn together(recorded: &Distributions) -> Distribution {
    let mut all = Distribution::default();
    for station in &recorded.stations {
        add(&mut all.waiting, &station.waiting);
        add(&mut all.system, &station.system);
    }
    all
}

fn add(counts: &mut Vec<u64>, more: &[u64]) {
    counts.resize(counts.len().max(more.len()), 0);
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

/// Whose distributions a run recorded, as `parameters.distributions` has it.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum WhoseDistributions {
    /// `true`: everybody's.
    Everybody(bool),
    Stations(Vec<String>),
}

impl WhoseDistributions {
    pub fn new(observed: &Observed) -> Option<Self> {
        match observed {
            Observed::Nothing => None,
            Observed::All => Some(Self::Everybody(true)),
            Observed::Stations(names) => Some(Self::Stations(names.clone())),
        }
    }
}

impl From<WhoseDistributions> for Observed {
    fn from(whose: WhoseDistributions) -> Self {
        match whose {
            WhoseDistributions::Everybody(false) => Self::Nothing,
            WhoseDistributions::Everybody(true) => Self::All,
            WhoseDistributions::Stations(names) => Self::Stations(names),
        }
    }
}

/// A line of the file of histograms: a bin that something fell into.
#[derive(Clone, Debug, Serialize)]
pub struct HistogramLine<'a> {
    station: Option<&'a str>,
    sink: Option<&'a str>,
    measure: &'static str,
    begin: f64,
    end: Option<f64>,
    weight: f64,
    share: f64,
}

/// Every bin of every histogram that something fell into, over all replications: tokens by their times, and time by the
/// number present.
pub fn histogram_lines<'a>(
    model: &'a NetworkModel,
    outcomes: &'a [NetworkOutcome],
) -> impl Iterator<Item = HistogramLine<'a>> {
    let recorded = || outcomes.iter().filter_map(|outcome| outcome.distributions.as_deref());
    let sum = move |list: &dyn Fn(&'a Distributions) -> &'a Vec<u64>| {
        recorded().fold(vec![], |mut all, one| {
            add(&mut all, list(one));
            all
        })
    };
    let stations = model.observed().iter().enumerate().flat_map(move |(place, id)| {
        let name = Some(model.station_name(*id));
        let present = lines(name, None, Measure::Present, &sum(&|one| &one.stations[place].present));
        let waiting = lines(name, None, Measure::Waiting(model), &sum(&|one| &one.stations[place].waiting));
        let system = lines(name, None, Measure::System(model), &sum(&|one| &one.stations[place].system));
        present.into_iter().chain(waiting).chain(system)
    });
    let sinks = (0..model.sinks()).flat_map(move |id| {
        let counts = sum(&|one| &one.sinks[id as usize]);
        lines(None, Some(model.sink_name(id)), Measure::TimeInNetwork(model), &counts)
    });
    stations.chain(sinks)
}

#[derive(Clone, Copy)]
enum Measure<'a> {
    Present,
    Waiting(&'a NetworkModel),
    System(&'a NetworkModel),
    TimeInNetwork(&'a NetworkModel),
}

fn lines<'a>(
    station: Option<&'a str>,
    sink: Option<&'a str>,
    measure: Measure<'_>,
    counts: &[u64],
) -> Vec<HistogramLine<'a>> {
    let all = counts.iter().map(|count| *count as f64).sum::<f64>();
    let (name, scale) = match measure {
        Measure::Present => ("present", None),
        Measure::Waiting(model) => ("waiting_time", model.scale()),
        Measure::System(model) => ("system_time", model.scale()),
        Measure::TimeInNetwork(model) => ("time_in_network", model.scale()),
    };
    let line = |(bin, count): (usize, &u64)| {
        let (begin, end, weight) = match scale {
            None => (bin as f64, Some((bin + 1) as f64), Time::from_ticks(*count).units()),
            Some(scale) => {
                let [begin, end] = scale.bounds(bin).map(|time| time.units());
                // Time 0 has a bin of its own, and the last one has no end.
                let begin = if bin == 1 { 0.0 } else { begin };
                let end = if bin == 0 { 0.0 } else { end };
                (begin, (bin + 1 < scale.bins() as usize).then_some(end), *count as f64)
            }
        };
        HistogramLine { station, sink, measure: name, begin, end, weight, share: *count as f64 / all }
    };
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::network::{Network, Source, Station, reference};
    use crate::run::unwatched;

    fn queue() -> (NetworkModel, Vec<NetworkOutcome>) {
        let mut network = Network::new().until(500.0).distributions(Observed::All);
        let desk = network.station(Station::new("desk", "exponential:0.7".parse().unwrap()));
        let back = network.station(Station::new("back", "constant:2".parse().unwrap()).servers(5));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
        network.route(desk, back, 1.0, 0.0);
        network.route(back, exit, 1.0, 0.0);
        let model = network.check().unwrap();
        let outcomes = reference::replicate(&model, 0..4, &mut unwatched()).unwrap().outcome;
        (model, outcomes)
    }

    #[test]
    fn shares_add_up() {
        let (model, outcomes) = queue();
        let report = DistributionsReport::of(&model, &outcomes).unwrap();
        for station in &report.stations {
            assert!((station.present.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert_eq!(station.present.len(), station.most_present + 1);
        }
        // Nobody waits for long where there are five servers for two; all of them take two units or a little more.
        let back = &report.stations[1].times;
        let system = back.system_time.as_ref().unwrap();
        assert!(back.no_wait.unwrap().mean > 0.9 && (1.9..2.1).contains(&system.median.mean), "{back:?}");
        let desk = report.stations[0].times.system_time.as_ref().unwrap();
        assert!(desk.median.mean < desk.p90.mean && desk.p90.mean < desk.p95.mean && desk.p95.mean < desk.p99.mean);
        assert!(desk.p99.half_width.unwrap() > 0.0);
        assert!(report.network.is_some() && report.sinks[0].time_in_network.as_ref().unwrap().median.mean > 2.0);
    }

    #[test]
    fn every_bin_has_a_line() {
        let (model, outcomes) = queue();
        let lines: Vec<_> = histogram_lines(&model, &outcomes).collect();
        for (station, measure, weight) in [
            (Some("desk"), "present", 2000.0),
            (
                Some("back"),
                "waiting_time",
                outcomes.iter().map(|o| o.stations.facilities[1].starts).sum::<u64>() as f64,
            ),
            (None, "time_in_network", outcomes.iter().map(|o| o.sinks[0].from_sources).sum::<u64>() as f64),
        ] {
            let chosen = || lines.iter().filter(|line| line.station == station && line.measure == measure);
            assert!((chosen().map(|line| line.weight).sum::<f64>() - weight).abs() < 1e-6, "{measure}");
            assert!((chosen().map(|line| line.share).sum::<f64>() - 1.0).abs() < 1e-12, "{measure}");
            let ends: Vec<_> = chosen().map(|line| line.end.unwrap()).collect();
            assert!(ends.is_sorted() && chosen().all(|line| line.begin <= line.end.unwrap()), "{measure}");
        }
    }
}

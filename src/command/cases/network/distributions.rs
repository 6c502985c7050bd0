//! Distributions of times and of the number present, over one replication or several.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::times::{Quantiles, RecordedTime, TIMES, Times, VisitRecords, VisitTimes, Visits, service_times};
use tickless_core::statistics::{Scale, add_counts as add};
use tickless_core::time::Time;
use tickless_queueing::figures::{Sums, Whose};
use tickless_queueing::{
    Distributions, NetworkModel, NetworkOutcome, Observed, SinkRecord, WhoseDistributions, independent,
};

/// What was recorded. Times are in time units.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DistributionsReport {
    /// Of the visits to all stations together; `null` where not all are observed.
    pub network: Option<VisitTimes>,
    /// The observed stations, in the order of the file.
    pub stations: Vec<StationDistribution>,
    /// Every sink.
    pub sinks: Vec<SinkDistribution>,
}

/// Of an observed station.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StationDistribution {
    /// Its name.
    pub station: String,
    /// The most tokens that were there at once, in any replication.
    pub most_present: usize,
    /// The share of the measured time with 0, 1, 2, ... tokens there, the mean over the replications.
    pub present: Vec<f64>,
    #[serde(flatten)]
    pub times: VisitTimes,
    /// Each class there; `null` of a network that names none.
    pub classes: Option<Vec<ClassDistribution>>,
}

/// Of a class at an observed station.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassDistribution {
    /// Its name.
    pub class: String,
    /// The most tokens of the class that were there at once, in any replication.
    pub most_present: usize,
    /// The share of the measured time with 0, 1, 2, ... tokens of the class there, the mean over the replications.
    pub present: Vec<f64>,
    #[serde(flatten)]
    pub times: VisitTimes,
}

/// Of the tokens from sources that left by a sink.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SinkDistribution {
    /// Its name.
    pub sink: String,
    /// Of the tokens from sources that left there; `null` where none did.
    pub time_in_network: Option<Quantiles>,
    /// Each class that tokens were of when they left; `null` of a network that names none.
    pub classes: Option<Vec<ClassSinkDistribution>>,
}

/// Of a class at a sink.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassSinkDistribution {
    /// Its name.
    pub class: String,
    /// Of its tokens from sources that left there; `null` where none did.
    pub time_in_network: Option<Quantiles>,
}

/// The recorded distributions of visits to a place, a station or a class there: the share of the time with each number present,
/// and times.
fn visits(
    (model, scale): (&NetworkModel, Scale),
    service: [f64; 2],
    records: &[VisitRecords<'_>],
) -> (Vec<f64>, VisitTimes) {
    let mut visits = Visits::new(records.len());
    records.iter().enumerate().for_each(|(replication, of)| visits.add(replication, service, of));
    (shares(records.iter().map(|one| &one.recorded.present[..])), visits.times(scale, model))
}

/// The records of visits to an observed station in a replication.
fn of_station<'a>(model: &NetworkModel, (place, id): (usize, u32), (outcome, all): Recorded<'a>) -> VisitRecords<'a> {
    VisitRecords { recorded: &all.stations[place], sums: Sums::of_one(model, Whose::Station(id), outcome) }
}

/// The same for a class there.
fn of_class<'a>(
    model: &NetworkModel,
    (place, id, class): (usize, u32, u32),
    (outcome, all): Recorded<'a>,
) -> VisitRecords<'a> {
    let recorded = &all.classes[place * model.named_classes() as usize + class as usize];
    VisitRecords { recorded, sums: Sums::of_one(model, Whose::Class { station: id, class }, outcome) }
}

impl StationDistribution {
    fn new<'a>(model: &NetworkModel, (place, id): (usize, u32), scale: Scale, recorded: &[Recorded<'a>]) -> Self {
        let records: Vec<_> = recorded.iter().map(|of| of_station(model, (place, id), *of)).collect();
        let (present, times) = visits((model, scale), service_times(model, id, None), &records);
        let count = model.named_classes();
        let class = |class: u32| {
            let records: Vec<_> = recorded.iter().map(|of| of_class(model, (place, id, class), *of)).collect();
            let (present, times) = visits((model, scale), service_times(model, id, Some(class)), &records);
            let class = model.classes()[class as usize].clone();
            ClassDistribution { class, most_present: present.len() - 1, present, times }
        };
        Self {
            station: model.station_name(id).into_owned(),
            most_present: present.len() - 1,
            present,
            times,
            classes: (count > 0).then(|| (0..count).map(class).collect()),
        }
    }
}

impl SinkDistribution {
    fn new(model: &NetworkModel, id: u32, scale: Scale, recorded: &[Recorded]) -> Self {
        let times = |of: &dyn Fn(&Recorded<'_>) -> (SinkRecord, Vec<u64>), at: usize| {
            let mut times = Times::new(recorded.len());
            for (replication, (record, counts)) in recorded.iter().map(of).enumerate() {
                let longest = recorded[replication].1.longest.get(at).copied();
                times.add(
                    replication,
                    (&counts, longest),
                    Time::sum_in_units(record.sojourn),
                    record.from_sources as f64,
                );
            }
            times.quantiles(model, scale, [0.0, model.until().units()])
        };
        let count = model.named_classes() as usize;
        let class = |class: usize| {
            let place = id as usize * count + class;
            let of = |(outcome, all): &Recorded<'_>| (outcome.class_sinks[place], all.class_sinks[place].clone());
            ClassSinkDistribution {
                class: model.classes()[class].clone(),
                time_in_network: times(&of, model.sinks() as usize + place),
            }
        };
        Self {
            sink: model.sink_name(id).to_owned(),
            time_in_network: times(
                &|(outcome, all)| (outcome.sinks[id as usize], all.sinks[id as usize].clone()),
                id as usize,
            ),
            classes: (count > 0).then(|| (0..count).map(class).collect()),
        }
    }
}

/// The share of the time with each number present, the mean over the replications. A replication that measured nothing
/// has none.
fn shares<'a>(replications: impl Iterator<Item = &'a [u64]>) -> Vec<f64> {
    let (mut shares, mut count) = (vec![0.0], 0.0);
    for times in replications {
        let measured = times.iter().map(|time| *time as f64).sum::<f64>();
        if measured > 0.0 {
            count += 1.0;
            shares.resize(shares.len().max(times.len()), 0.0);
            shares.iter_mut().zip(times).for_each(|(share, time)| *share += *time as f64 / measured);
        }
    }
    shares.iter_mut().for_each(|share| *share /= f64::max(count, 1.0));
    shares
}

/// A replication, and its recorded distributions.
type Recorded<'a> = (&'a NetworkOutcome, &'a Distributions);

impl DistributionsReport {
    /// The report of the recorded distributions, if any.
    pub fn of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Self> {
        let scale = model.scale()?;
        let recorded =
            independent(outcomes).iter().filter_map(|outcome| Some((outcome, outcome.distributions.as_deref()?)));
        let recorded: Vec<Recorded> = recorded.collect();
        let observed = || model.observed().iter().copied().enumerate();
        let everywhere = || {
            let mut visits = Visits::new(recorded.len());
            for (replication, recorded) in recorded.iter().enumerate() {
                for (place, id) in observed() {
                    let of = of_station(model, (place, id), *recorded);
                    visits.add(replication, service_times(model, id, None), &of);
                }
            }
            visits.times(scale, model)
        };
        Some(Self {
            network: (model.observed().len() == model.stations() as usize).then(everywhere),
            stations: observed().map(|station| StationDistribution::new(model, station, scale, &recorded)).collect(),
            sinks: (0..model.sinks()).map(|id| SinkDistribution::new(model, id, scale, &recorded)).collect(),
        })
    }
}

/// Whose distributions a run recorded, as `parameters.distributions` has it: each station is named once, in the order of the
/// file.
pub fn whose(model: &NetworkModel) -> Option<WhoseDistributions> {
    match model.description().observed() {
        Observed::Nothing => None,
        Observed::All => Some(WhoseDistributions::Everybody(true)),
        Observed::Stations(_) => {
            let names = model.observed().iter().map(|id| model.station_name(*id).into_owned());
            Some(WhoseDistributions::Stations(names.collect()))
        }
    }
}

/// A line of the file of histograms: a bin that is not empty.
#[derive(Clone, Debug, Serialize)]
pub struct HistogramLine<'a> {
    station: Option<Cow<'a, str>>,
    sink: Option<&'a str>,
    class: Option<&'a str>,
    measure: &'static str,
    begin: f64,
    end: Option<f64>,
    weight: f64,
    share: f64,
}

/// Every bin of every histogram that is not empty, over all replications: tokens by their times, and time by the number
/// present.
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
    let count = model.named_classes() as usize;
    // For all classes together, and then for each class.
    let whose = move || std::iter::once(None).chain((0..count).map(Some));
    let stations = model.observed().iter().enumerate().flat_map(move |(place, id)| {
        whose().flat_map(move |class| {
            let who = Who {
                station: Some(model.station_name(*id)),
                sink: None,
                class: class.map(|class| &*model.classes()[class]),
            };
            let of = move |one: &'a Distributions| match class {
                None => &one.stations[place],
                Some(class) => &one.classes[place * count + class],
            };
            let present = lines(&who, ("present", None), &sum(&|one| &of(one).present));
            let times = TIMES.into_iter().flat_map(move |RecordedTime { name, counts, .. }| {
                lines(&who, (name, model.scale()), &sum(&|one| counts(of(one))))
            });
            present.into_iter().chain(times)
        })
    });
    let sinks = (0..model.sinks()).flat_map(move |id| {
        whose().flat_map(move |class| {
            let sink = Some(model.sink_name(id));
            let who = Who { station: None, sink, class: class.map(|class| &*model.classes()[class]) };
            let counts = sum(&|one| match class {
                None => &one.sinks[id as usize],
                Some(class) => &one.class_sinks[id as usize * count + class],
            });
            lines(&who, ("time_in_network", model.scale()), &counts)
        })
    });
    stations.chain(sinks)
}

/// The owner of a distribution.
struct Who<'a> {
    station: Option<Cow<'a, str>>,
    sink: Option<&'a str>,
    class: Option<&'a str>,
}

/// The lines of the distribution with this name; for times with the scale of their bins.
fn lines<'a>(who: &Who<'a>, (name, scale): (&'static str, Option<Scale>), counts: &[u64]) -> Vec<HistogramLine<'a>> {
    let Who { station, sink, class } = who;
    let all = counts.iter().map(|count| *count as f64).sum::<f64>();
    let line = |(bin, count): (usize, &u64)| {
        let (begin, end, weight) = match scale {
            None => (bin as f64, Some((bin + 1) as f64), Time::from_ticks(*count).units()),
            Some(scale) => {
                let [begin, end] = scale.bounds(bin).map(|time| time.units());
                // Time 0 has a bin of its own, and the last bin has no end.
                let begin = if bin == 1 { 0.0 } else { begin };
                let end = if bin == 0 { 0.0 } else { end };
                (begin, (bin + 1 < scale.bins() as usize).then_some(end), *count as f64)
            }
        };
        let (station, share) = (station.clone(), *count as f64 / all);
        HistogramLine { station, sink: *sink, class: *class, measure: name, begin, end, weight, share }
    };
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_device::Target;
    use tickless_queueing::{self as queueing, Network, Source, Station};

    fn queue() -> (NetworkModel, Vec<NetworkOutcome>) {
        let mut network = Network::new().until(500.0).distributions(Observed::All);
        let desk = network.station(Station::new("desk", "exponential:0.7".parse().unwrap()));
        let back = network.station(Station::new("back", "constant:2".parse().unwrap()).servers(5));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
        network.route(desk, back, 1.0, 0.0);
        network.route(back, exit, 1.0, 0.0);
        let model = network.check().unwrap();
        let outcomes = queueing::run(&model, 0..4, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
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
        // Waits are short with five servers for two; all tokens take two units or a little more.
        let back = &report.stations[1].times;
        let system = back.system_time.as_ref().unwrap();
        assert!(back.no_wait.unwrap().mean > 0.9 && (1.9..2.1).contains(&system.median.mean), "{back:?}");
        let desk = report.stations[0].times.system_time.as_ref().unwrap();
        assert!(desk.median.mean < desk.p90.mean && desk.p90.mean < desk.p95.mean && desk.p95.mean < desk.p99.mean);
        assert!(desk.p99.half_width.unwrap() > 0.0);
        assert!(report.network.is_some() && report.sinks[0].time_in_network.as_ref().unwrap().median.mean > 2.0);
    }

    #[test]
    fn quantiles_are_those_of_the_histogram_of_all_replications() {
        let (model, outcomes) = queue();
        let (report, scale) = (DistributionsReport::of(&model, &outcomes).unwrap(), model.scale().unwrap());
        let mut all = vec![];
        outcomes.iter().for_each(|outcome| add(&mut all, &outcome.distributions.as_ref().unwrap().stations[0].waiting));
        let waiting = report.stations[0].times.waiting_time.as_ref().unwrap();
        for (quantile, share) in [(waiting.median, 0.5), (waiting.p90, 0.9), (waiting.p99, 0.99)] {
            assert_eq!((Some(quantile.mean), quantile.count), (scale.quantile(&all, share), 4));
        }
        let at_once = all[0] as f64 / all.iter().sum::<u64>() as f64;
        assert!((report.stations[0].times.no_wait.unwrap().mean - at_once).abs() < 1e-12);
    }

    /// Where no token waits, no quantile of a constant time is above it, and none of a uniform time above its longest.
    #[test]
    fn no_quantile_is_above_the_longest_time() {
        for (law, longest) in [("constant:2.01", 2.01), ("uniform:1,2.01", 2.01)] {
            let mut network = Network::new().until(5000.0).distributions(Observed::All);
            let desk = network.station(Station::new("desk", law.parse().unwrap()).servers(1000));
            let exit = network.sink("exit");
            network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
            network.route(desk, exit, 1.0, 0.0);
            let model = network.check().unwrap();
            let outcomes =
                queueing::run(&model, 0..3, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
            let report = DistributionsReport::of(&model, &outcomes).unwrap();
            for times in [&report.stations[0].times, report.network.as_ref().unwrap()] {
                let system = times.system_time.as_ref().unwrap();
                assert!(system.p99.mean <= longest + 1e-9 && system.p99.mean > 1.98, "{law}: {system:?}");
            }
            if law.starts_with("constant") {
                let stay = report.sinks[0].time_in_network.as_ref().unwrap();
                assert!((stay.median.mean - 2.01).abs() < 1e-9 && (stay.p99.mean - 2.01).abs() < 1e-9, "{stay:?}");
            }
        }
    }

    /// Tokens go from a desk to a dock with room for one, where each stays for 50 units: the second and third token are blocked for 49
    /// each.
    fn blocked(warmup: f64, until: f64) -> DistributionsReport {
        let mut network = Network::new().until(until).warmup(warmup).distributions(Observed::All);
        network.class(tickless_queueing::Class::new("only"));
        let desk = network.station(Station::new("desk", "constant:1".parse().unwrap()));
        let dock = network.station(Station::new("dock", "constant:50".parse().unwrap()).capacity(1).blocking());
        let exit = network.sink("exit");
        network.source(Source::new("in", "constant:1".parse().unwrap(), desk).limit(3));
        network.route(desk, dock, 1.0, 0.0);
        network.route(dock, exit, 1.0, 0.0);
        let model = network.check().unwrap();
        let outcomes = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        DistributionsReport::of(&model, &outcomes).unwrap()
    }

    #[test]
    fn blocked_times_of_all_visits_are_those_of_stations_that_have_some() {
        let report = blocked(2.5, 400.0);
        for times in [&report.stations[0].times, report.network.as_ref().unwrap()] {
            assert!((times.blocked_time.as_ref().unwrap().median.mean - 49.0).abs() < 1e-9, "{times:?}");
        }
        assert!(report.stations[1].times.blocked_time.is_none());
    }

    /// The second token is still blocked at the end: it is in the mean, and not among the known times.
    #[test]
    fn a_quantile_is_in_its_only_bin() {
        let report = blocked(0.0, 40.0);
        let time = report.stations[0].times.blocked_time.as_ref().unwrap();
        assert_eq!((time.median.mean, time.p99.mean), (0.0, 0.0));
    }

    /// A million shares: an algorithm that looks at all of them for each would take minutes.
    #[test]
    fn a_million_tokens_at_a_station_take_no_longer_than_their_number() {
        let mut network = Network::new().until(5.0).distributions(Observed::All);
        let desk = network.station(Station::new("desk", "exponential:1".parse().unwrap()).tokens(1_000_000));
        let exit = network.sink("exit");
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().unwrap();
        let outcomes = queueing::run(&model, 0..2, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        let desk = &DistributionsReport::of(&model, &outcomes).unwrap().stations[0];
        assert_eq!((desk.most_present, desk.present.len()), (1_000_000, 1_000_001));
        assert!((desk.present.iter().sum::<f64>() - 1.0).abs() < 1e-9);
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
            let chosen = || lines.iter().filter(|line| line.station.as_deref() == station && line.measure == measure);
            assert!((chosen().map(|line| line.weight).sum::<f64>() - weight).abs() < 1e-6, "{measure}");
            assert!((chosen().map(|line| line.share).sum::<f64>() - 1.0).abs() < 1e-12, "{measure}");
            let ends: Vec<_> = chosen().map(|line| line.end.unwrap()).collect();
            assert!(ends.is_sorted() && chosen().all(|line| line.begin <= line.end.unwrap()), "{measure}");
        }
    }
}

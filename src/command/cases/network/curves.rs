//! Distributions of a report as curves, beside the theoretical ones if there are any.

use super::figures::Estimates;
use super::targets;
use crate::page::{Drawing, Line, Picture, capital, lines_beside};
use crate::text::short;
use tickless_core::statistics::{Scale, add_counts};
use tickless_queueing::figures::Whose;
use tickless_queueing::{Distributions, NetworkModel, NetworkOutcome, Theories, Theory, Words};

/// The most stations that are drawn, and lines of a picture.
const MOST: usize = 6;
/// Points of a curve.
const POINTS: usize = 160;
/// A rise from one bin to the next above which both ends are points.
const STEEP: f64 = 0.01;
/// The share of times that a picture shows: without the longest few the others have more room.
const SHOWN: f64 = 0.995;

/// The recorded times at each station and in the network, and numbers present.
pub fn pictures(model: &NetworkModel, outcomes: &[NetworkOutcome], theories: &Theories) -> Vec<Picture> {
    let recorded: Vec<&Distributions> =
        outcomes.iter().filter_map(|outcome| outcome.distributions.as_deref()).collect();
    let (Some(scale), false) = (model.scale(), recorded.is_empty()) else { return vec![] };
    let drawn = |(place, id): (usize, &u32)| Drawn { place, id: *id, theory: theories.of(*id) };
    let stations: Vec<Drawn> = model.observed().iter().enumerate().take(MOST).map(drawn).collect();
    let times = stations.iter().filter_map(|station| {
        let targets = model.targets_of(Whose::Station(station.id));
        let measured = Estimates::of_station(model, station.id, outcomes).means.mean_waiting_time;
        times((&model.station_name(station.id), model.words()), scale, (station, &recorded), (&targets, measured))
    });
    let present = present(model, &stations, &recorded);
    times.chain(present).chain(in_network(model, scale, &recorded)).collect()
}

/// A station that is drawn.
struct Drawn {
    /// Its place among the observed stations.
    place: usize,
    id: u32,
    theory: Option<Theory>,
}

/// The sum of a list over all replications.
fn sum<'a>(recorded: &[&'a Distributions], of: impl Fn(&'a Distributions) -> &'a [u64]) -> Vec<u64> {
    recorded.iter().fold(vec![], |mut all, one| {
        add_counts(&mut all, of(one));
        all
    })
}

/// The share of times up to the end of each bin, from time 0 to the last bin shown.
fn up_to(scale: Scale, counts: &[u64]) -> Vec<[f64; 2]> {
    let all: u64 = counts.iter().sum();
    let Some(last) = scale.quantile(counts, SHOWN) else { return vec![] };
    let mut so_far = 0;
    let share = |(bin, count): (usize, &u64)| {
        so_far += count;
        let end = if bin == 0 { 0.0 } else { scale.bounds(bin)[1].units() };
        [end, so_far as f64 / all as f64]
    };
    let mut points: Vec<[f64; 2]> = counts.iter().enumerate().map(share).collect();
    let end = points.partition_point(|[end, _]| *end < last) + 1;
    points.truncate(end);
    let step = points.len().div_ceil(POINTS).max(1);
    let last = points.len() - 1;
    // A steep part needs both of its ends.
    let is_steep = |n: usize| n < last && points[n + 1][1] - points[n][1] > STEEP;
    let is_shown = |n: &usize| n.is_multiple_of(step) || *n == last || is_steep(*n) || (*n > 0 && is_steep(n - 1));
    (0..points.len()).filter(is_shown).map(|n| points[n]).collect()
}

fn line(name: &str, points: Vec<[f64; 2]>) -> Line {
    Line { name: name.into(), points, half_widths: vec![] }
}

/// A broken line at each target that the drawn times reach.
fn marks(words: &Words, targets: &[f64], drawn: &[&[[f64; 2]]]) -> Vec<Line> {
    let last = drawn.iter().filter_map(|points| points.last()).map(|[time, _]| *time).fold(0.0, f64::max);
    let mark = |target: &f64| {
        line(&format!("target {}", targets::in_words(words, *target)), vec![[*target, 0.0], [*target, 1.0]])
    };
    targets.iter().filter(|target| **target <= last).map(mark).collect()
}

/// The times that visits to a station wait and last, in the words for time units.
fn times(
    (station, words): (&str, &Words),
    scale: Scale,
    (drawn, recorded): (&Drawn, &[&Distributions]),
    (targets, measured): (&[f64], f64),
) -> Option<Picture> {
    let [waiting, system] = [
        up_to(scale, &sum(recorded, |one| &one.stations[drawn.place].waiting)),
        up_to(scale, &sum(recorded, |one| &one.stations[drawn.place].system)),
    ];
    if system.is_empty() {
        return None;
    }
    let mut beside = vec![];
    if let Some(theory) = &drawn.theory {
        let curve = |of: fn(&Theory, f64) -> Option<f64>, points: &[[f64; 2]]| -> Option<Vec<[f64; 2]>> {
            points.iter().map(|[time, _]| Some([*time, of(theory, *time)?])).collect()
        };
        let curves = [curve(Theory::waiting_up_to, &waiting), curve(Theory::system_up_to, &system)];
        for (number, (what, points)) in ["waiting time", "system time"].into_iter().zip(curves).enumerate() {
            beside.extend(points.map(|points| (number, line(&format!("{what}, {}", theory.name()), points))));
        }
    }
    let theories = beside.len();
    beside.extend(marks(words, targets, &[&waiting, &system]).into_iter().map(|mark| (0, mark)));
    let axes = [words.time_units(), "share of visits up to this time"];
    let mut measured_lines = vec![line("waiting time", waiting), line("system time", system)];
    let blocked = sum(recorded, |one| &one.stations[drawn.place].blocked);
    let joining = sum(recorded, |one| &one.stations[drawn.place].joining);
    for (name, counts) in [("blocked time", blocked), ("joining time", joining)] {
        let points = up_to(scale, &counts);
        measured_lines.extend((!points.is_empty()).then(|| line(name, points)));
    }
    let svg = lines_beside(axes, &measured_lines, &beside);
    let said = drawn.theory.as_ref().map_or(String::new(), |theory| {
        let broken = if theories == 0 { "" } else { "broken lines: " };
        let [known, measured] = [theory.mean_waiting_time(), measured].map(short);
        let formula = theory.formula();
        format!("; {broken}{}, whose mean waiting time is {known} ({formula}), {measured} here", theory.name())
    });
    let title = format!("Times of visits to {station}{said}");
    Some(Picture { about: format!("{title}: distribution functions"), title, drawing: Drawing::Svg(svg) })
}

/// The numbers of tokens at the stations.
fn present(model: &NetworkModel, stations: &[Drawn], recorded: &[&Distributions]) -> Option<Picture> {
    let (mut measured, mut expected) = (vec![], vec![]);
    for Drawn { place, id, theory } in stations {
        let times = sum(recorded, |one| &one.stations[*place].present);
        let all = times.iter().map(|time| *time as f64).sum::<f64>();
        if all <= 0.0 {
            continue;
        }
        let shares: Vec<f64> = times.iter().map(|time| *time as f64 / all).collect();
        let shown = shares.iter().rposition(|share| *share > 1e-3).unwrap_or(0) + 1;
        let points = |shares: &[f64]| (0_u32..).zip(shares).map(|(n, share)| [f64::from(n), *share]).collect();
        if let Some(theory) = theory
            && let Some(shares) = theory.present(shown)
        {
            expected.push((
                measured.len(),
                line(&format!("{}, {}", model.station_name(*id), theory.name()), points(&shares)),
            ));
        }
        measured.push(line(&model.station_name(*id), points(&shares[..shown])));
    }
    (!measured.is_empty()).then_some(())?;
    let broken = if expected.is_empty() { "" } else { "; broken lines: theory" };
    let tokens = model.words().tokens();
    let title = format!("{} at the stations: the share of the time with each number{broken}", capital(&tokens));
    let svg = lines_beside([&format!("{tokens} present"), "share of the time"], &measured, &expected);
    Some(Picture { about: title.clone(), title, drawing: Drawing::Svg(svg) })
}

/// The times of tokens from sources in the network, by the sink.
fn in_network(model: &NetworkModel, scale: Scale, recorded: &[&Distributions]) -> Option<Picture> {
    let of_sink = |sink: u32| {
        let points = up_to(scale, &sum(recorded, |one| &one.sinks[sink as usize]));
        let targets = marks(model.words(), &model.targets_of(Whose::Sink(sink)), &[&points]);
        (!points.is_empty()).then(|| (line(model.sink_name(sink), points), targets))
    };
    let (all, targets): (Vec<Line>, Vec<_>) = (0..model.sinks()).filter_map(of_sink).take(MOST).unzip();
    let targets: Vec<(usize, Line)> = targets
        .into_iter()
        .enumerate()
        .flat_map(|(sink, marks)| marks.into_iter().map(move |mark| (sink, mark)))
        .collect();
    (!all.is_empty()).then_some(())?;
    let names = all.iter().map(|line| line.name.as_str()).collect::<Vec<_>>().join(", ");
    let title = format!("Time in the network until {names}");
    let share = format!("share of {} up to this time", model.words().tokens());
    let svg = lines_beside([model.words().time_units(), &share], &all, &targets);
    Some(Picture { about: format!("{title}: distribution functions"), title, drawing: Drawing::Svg(svg) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_device::Target;
    use tickless_queueing::{self as queueing, Network, Observed, Source, Station, theory};

    #[test]
    fn a_single_server_lies_beside_its_theory() {
        let mut network = Network::new().until(4000.0).warmup(200.0).distributions(Observed::All);
        let desk = network.station(Station::new("desk", "exponential:0.7".parse().unwrap()));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().unwrap();
        let outcomes = queueing::run(&model, 0..4, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        let all = pictures(&model, &outcomes, &theory(&model));
        assert_eq!(all.len(), 3);
        let title = &all[0].title;
        assert!(title.contains("M/M/1, whose mean waiting time is 1.6333 (Pollaczek and Khinchine)"), "{title}");
        let scale = model.scale().unwrap();
        let recorded: Vec<_> = outcomes.iter().map(|outcome| outcome.distributions.as_deref().unwrap()).collect();
        let points = up_to(scale, &sum(&recorded, |one| &one.stations[0].waiting));
        let theory = theory(&model).of(0).unwrap();
        assert!(points.len() > 20 && points.len() <= 2 * POINTS && points.last().unwrap()[1] >= SHOWN, "{points:?}");
        for [time, share] in points {
            let known = theory.waiting_up_to(time).unwrap();
            assert!((share - known).abs() < 0.05, "{share} of the waits are up to {time}, and {known} by theory");
        }
    }
}

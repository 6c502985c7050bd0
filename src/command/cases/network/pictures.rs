//! The pictures of a report on a network: utilizations, waiting times, and numbers of tokens over time.

use super::figures::Shown;
use super::places::StationReport;
use super::report::NetworkFigures;
use super::series::lines as series;
use super::{NetworkArguments, NetworkCase, Replications};
use super::{curves, expected, folded, graph};
use crate::page::{Bar, Drawing, Line, Picture, bars, lines};
use crate::text::counted;
use tickless_core::picture;
use tickless_queueing::figures::Printed;
use tickless_queueing::{NetworkModel, NetworkOutcome, theory};

/// The most stations of a chart.
const MOST: usize = 40;
/// The most lines of stations.
const MOST_LINES: usize = 4;
/// Pixels along a side of the map of a torus.
const SIDE: u32 = 256;

/// All pictures of a run.
pub fn all<A: NetworkArguments>(case: &NetworkCase<A>, run: &Replications, figures: &NetworkFigures) -> Vec<Picture> {
    let stations = figures.lists.as_ref().and_then(|lists| lists.stations.as_ref());
    let over_time = over_time(&case.model, &run.outcome);
    let waiting = waiting_over_time(&case.model, &run.outcome);
    let theories = theory(&case.model);
    let stations = stations.map_or(&[][..], Vec::as_slice);
    let first = (case.arguments.choices().replications.numbers().start, run.clock);
    let graph = graph::picture(&case.model, (&run.outcome, first), stations);
    graph
        .into_iter()
        .chain(bars_of(&case.model, stations))
        .chain(over_time)
        .chain(waiting)
        .chain(folded::pictures(&case.model, &run.outcome))
        .chain(curves::pictures(&case.model, &run.outcome, &theories))
        .chain(expected::table(&case.model, &run.outcome, &theories))
        .chain(torus(&case.model, &run.outcome))
        .collect()
}

/// Bars of the stations with the largest values, for each figure that has such a picture.
fn bars_of(model: &NetworkModel, stations: &[StationReport]) -> Vec<Picture> {
    let all: Vec<Vec<Shown>> = stations.iter().map(|station| station.figures.printed(Printed::Bars)).collect();
    let chart = |place: usize| {
        let bar = |(station, figures): (&StationReport, &Vec<Shown>)| {
            let (figure, value, half_width) = figures[place];
            // Of shifts it is the share of the time on duty.
            let on_duty = || station.figures.named("scheduled_utilization").filter(|_| figure.key == "utilization");
            let (value, half_width) = value.map(|value| (value, half_width)).or_else(on_duty)?;
            Some(Bar { name: station.station.clone(), value, half_width })
        };
        let figure = all[0][place].0;
        let mut bars_of: Vec<Bar> = stations.iter().zip(&all).filter_map(bar).collect();
        let count = bars_of.len();
        bars_of.sort_by(|a, b| b.value.total_cmp(&a.value));
        bars_of.truncate(MOST);
        let of = match count {
            _ if count > MOST => format!("the {MOST} largest of {count} stations"),
            _ if count < stations.len() => format!("of {}", counted(count as u64, "station")),
            _ => "all stations".into(),
        };
        let (first, rest) = figure.label.split_at(1);
        let title = format!("{}{rest}", first.to_uppercase());
        let largest = bars_of.first()?.name.clone();
        let about = format!("{title}, {of}, from {largest} down");
        let drawing = Drawing::Svg(bars(&figure.unit.words(model.words()), &bars_of));
        Some(Picture { title: format!("{title} ({of})"), about, drawing })
    };
    (0..all.first().map_or(0, Vec::len)).filter_map(chart).collect()
}

/// The numbers of tokens in the network over time, and of each class if there are several; empty without a series.
pub fn numbers_over_time(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<Line> {
    let mut all: Vec<Line> = vec![];
    if outcomes.iter().all(|outcome| outcome.series.is_none()) {
        return all;
    }
    for line in series(model, outcomes).take_while(|line| line.station.is_none()) {
        let name = line.class.unwrap_or("all");
        if all.last().is_none_or(|last| last.name != name) {
            all.push(Line { name: name.to_owned(), points: vec![], half_widths: vec![] });
        }
        if let Some(last) = all.last_mut() {
            last.points.push([line.time, line.present]);
            last.half_widths.extend(line.present_half_width);
        }
    }
    all
}

/// The numbers of tokens that wait at a station over time, where most do.
fn waiting_over_time(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Picture> {
    let mut all: Vec<Line> = vec![];
    for line in series(model, outcomes).filter(|line| line.class.is_none()) {
        let (Some(station), Some(waiting)) = (line.station, line.waiting) else { continue };
        if all.last().is_none_or(|last| last.name != *station) {
            all.push(Line { name: station.into_owned(), points: vec![], half_widths: vec![] });
        }
        if let Some(last) = all.last_mut() {
            last.points.push([line.time, waiting]);
            last.half_widths.extend(line.waiting_half_width);
        }
    }
    let sum = |line: &Line| line.points.iter().map(|[_, waiting]| waiting).sum::<f64>();
    all.retain(|line| sum(line) > 0.0);
    all.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
    all.truncate(MOST_LINES);
    let title = format!("Number of {} waiting over time, at the stations where most do", model.words().tokens());
    picture_over_time(model, &all, title)
}

/// The numbers of tokens in the network over time.
fn over_time(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Picture> {
    let title = format!("Number of {} in the network over time", model.words().tokens());
    picture_over_time(model, &numbers_over_time(model, outcomes), title)
}

/// Lines over time, if there are any.
fn picture_over_time(model: &NetworkModel, all: &[Line], title: String) -> Option<Picture> {
    (!all.is_empty()).then_some(())?;
    let warmup = Some(model.warmup().units()).filter(|warmup| *warmup > 0.0);
    let words = model.words();
    let time = words.own_unit().map_or("time".into(), |_| format!("time in {}", words.time_units()));
    let drawing = Drawing::Svg(lines([&time, &words.tokens()], all, warmup));
    let marked = warmup.map(|warmup| format!("; the line at {warmup} is the end of the warm-up")).unwrap_or_default();
    let title = format!("{title}{marked}");
    Some(Picture { about: format!("{title}, mean and 95 % interval"), title, drawing })
}

/// The utilization of each facility of a torus, in the first replication.
fn torus(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Picture> {
    let (torus, first) = (model.torus()?, &outcomes.first()?.stations);
    let (measured, [width, height]) = (first.measured(), [torus.width, torus.height]);
    if measured <= 0.0 || first.facilities.is_empty() {
        return None;
    }
    let [across, down] = [width, height].map(|side| side.min(SIDE));
    // The mean of the facilities that share a pixel.
    let mut sums = vec![(0.0, 0_u32); (across * down) as usize];
    for (place, facility) in first.facilities.iter().enumerate() {
        let (column, row) = ((place as u64 % u64::from(width)), (place as u64 / u64::from(width)));
        let at = |place: u64, side: u32, pixels: u32| place * u64::from(pixels) / u64::from(side);
        let pixel = at(row, height, down) * u64::from(across) + at(column, width, across);
        let (sum, count) = &mut sums[pixel as usize];
        *sum += tickless_core::time::Time::sum_in_units(facility.busy) / measured;
        *count += 1;
    }
    let shares: Vec<f64> = sums.iter().map(|(sum, count)| sum / f64::from((*count).max(1))).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    let width = (most - least).max(f64::MIN_POSITIVE);
    let mut png = vec![];
    picture::write([across, down], shares.iter().map(|share| picture::colour((share - least) / width)), &mut png)
        .ok()?;
    let about = format!("Utilization of the facilities, from {least:.3} (violet) to {most:.3} (yellow)");
    Some(Picture { title: about.clone(), about, drawing: Drawing::Pixels(png) })
}

//! Figures by the bin of a period: the CSV file of `--folded`, the list of the result, the pictures and the answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::page::{Drawing, Line, Picture, lines_beside};
use tickless_core::statistics::Estimate;
use tickless_queueing::figures::FoldedFigures;
use tickless_queueing::{NetworkModel, NetworkOutcome};

/// The most stations with pictures: those where most tokens wait.
const MOST: usize = 4;

/// What a station, a class there or a resource does in one bin of the period, over all periods and replications. Beside each figure is half of
/// its 95 % interval; `null` where there is none.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FoldedLine {
    /// When the bin begins, in time units from the beginning of the period on.
    pub from: f64,
    /// When it ends, likewise.
    pub to: f64,
    /// `null` of a resource.
    pub station: Option<String>,
    /// `null` of all classes together.
    pub class: Option<String>,
    /// `null` of a station.
    pub resource: Option<String>,
    /// Tokens that come, a time unit.
    pub arrivals: Option<f64>,
    /// Half of the 95 % interval of `arrivals`.
    pub arrivals_half_width: Option<f64>,
    /// Tokens that find no room, balk or lose their patience then, a time unit.
    pub unserved: Option<f64>,
    /// Half of the 95 % interval of `unserved`.
    pub unserved_half_width: Option<f64>,
    /// How long services that start in the bin were waited for; `null` where tokens share the servers.
    pub mean_waiting_time: Option<f64>,
    /// Half of the 95 % interval of `mean_waiting_time`.
    pub mean_waiting_time_half_width: Option<f64>,
    /// Tokens that are there and not in service, in the mean over time.
    pub waiting: Option<f64>,
    /// Half of the 95 % interval of `waiting`.
    pub waiting_half_width: Option<f64>,
    /// Tokens in service, in the mean over time.
    pub in_service: Option<f64>,
    /// Half of the 95 % interval of `in_service`.
    pub in_service_half_width: Option<f64>,
    /// Servers on duty, in the mean over time; `null` of infinitely many.
    pub on_duty: Option<f64>,
    /// Busy servers by those on duty, or units of a resource that are held by those of its shifts.
    pub utilization: Option<f64>,
    /// Half of the 95 % interval of `utilization`.
    pub utilization_half_width: Option<f64>,
}

/// The mean and half of the interval, where there is a value.
fn told(estimate: Option<Estimate>) -> (Option<f64>, Option<f64>) {
    let found = estimate.filter(|estimate| estimate.count > 0);
    (found.map(|estimate| estimate.mean), found.and_then(|estimate| estimate.half_width))
}

impl FoldedLine {
    fn new(station: &str, class: Option<&str>, bin: &FoldedFigures) -> Self {
        let (arrivals, arrivals_half_width) = told(Some(bin.arrivals));
        let (unserved, unserved_half_width) = told(Some(bin.unserved));
        let (mean_waiting_time, mean_waiting_time_half_width) = told(bin.waiting_time);
        let (waiting, waiting_half_width) = told(Some(bin.waiting));
        let (in_service, in_service_half_width) = told(Some(bin.in_service));
        let (utilization, utilization_half_width) = told(bin.utilization);
        Self {
            from: bin.from,
            to: bin.to,
            station: Some(station.to_owned()),
            class: class.map(str::to_owned),
            resource: None,
            arrivals,
            arrivals_half_width,
            unserved,
            unserved_half_width,
            mean_waiting_time,
            mean_waiting_time_half_width,
            waiting,
            waiting_half_width,
            in_service,
            in_service_half_width,
            on_duty: bin.on_duty,
            utilization,
            utilization_half_width,
        }
    }
}

/// For each station all bins, then for each class there if there are several; then for each resource.
pub fn all(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<FoldedLine>> {
    model.fold()?;
    let classes = model.classes();
    let several = if classes.len() > 1 { classes } else { &[] };
    let mut all = vec![];
    for id in 0..model.stations() {
        let name = model.station_name(id);
        for (number, class) in [None].into_iter().chain((0..).zip(several).map(Some)).map(Option::unzip) {
            let bins = FoldedFigures::of_station(model, id, number, outcomes);
            all.extend(bins.iter().map(|bin| FoldedLine::new(&name, class.map(String::as_str), bin)));
        }
    }
    for (id, (name, _)) in (0..).zip(model.resources()) {
        all.extend(FoldedFigures::of_resource(model, id, outcomes).into_iter().map(|(from, to, share)| {
            let (utilization, utilization_half_width) = told(Some(share));
            let resource = Some(name.to_string());
            FoldedLine { from, to, resource, utilization, utilization_half_width, ..FoldedLine::default() }
        }));
    }
    Some(all)
}

/// The stations where most tokens wait, with their bins.
fn longest_lines(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<(String, Vec<FoldedFigures>)> {
    let bins = |id: u32| (model.station_name(id).into_owned(), FoldedFigures::of_station(model, id, None, outcomes));
    let mut stations: Vec<_> = (0..model.stations()).map(bins).filter(|(_, bins)| !bins.is_empty()).collect();
    let waiting = |bins: &[FoldedFigures]| bins.iter().map(|bin| bin.waiting.mean).sum::<f64>();
    stations.sort_by(|a, b| waiting(&b.1).total_cmp(&waiting(&a.1)));
    stations.truncate(MOST);
    stations
}

/// A figure of all bins as a line through their middles.
fn line(name: &str, bins: &[FoldedFigures], of: impl Fn(&FoldedFigures) -> Option<Estimate>) -> Line {
    let found: Vec<_> = bins.iter().filter_map(|bin| Some((bin, of(bin).filter(|one| one.count > 0)?))).collect();
    let halves: Option<Vec<f64>> = found.iter().map(|(_, one)| one.half_width).collect();
    Line {
        name: name.to_owned(),
        points: found.iter().map(|(bin, one)| [f64::midpoint(bin.from, bin.to), one.mean]).collect(),
        half_widths: halves.unwrap_or_default(),
    }
}

/// Who waits and is served, beside the servers on duty, and how long, by the bin.
pub fn pictures(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<Picture> {
    let words = model.words();
    let Some((step, bins)) = model.fold() else { return vec![] };
    let axis =
        words.own_unit().map_or("time in the period".into(), |_| format!("time in the period, {}", words.time_units()));
    let of_station = |(name, by_bin): (String, Vec<FoldedFigures>)| {
        let numbers = [
            line("in service", &by_bin, |bin| Some(bin.in_service)),
            line("waiting", &by_bin, |bin| Some(bin.waiting)),
        ];
        let duty = |bin: &FoldedFigures| bin.on_duty.map(|on_duty| [[bin.from, on_duty], [bin.to, on_duty]]);
        let points: Vec<_> = by_bin.iter().filter_map(duty).flatten().collect();
        let duty = (!points.is_empty()).then(|| (0, Line { name: "on duty".into(), points, half_widths: vec![] }));
        let title = format!("At '{name}' by the time in a period of {} {}", bins as f64 * step, words.time_units());
        let about = format!("{title}: {} in service and waiting, and servers on duty", words.tokens());
        let drawing =
            Drawing::Svg(lines_beside([&axis, &words.tokens()], &numbers, &duty.into_iter().collect::<Vec<_>>()));
        let numbers = Picture { title: format!("{title}: how many there are"), about, drawing };
        let waits = line("waiting time", &by_bin, |bin| bin.waiting_time);
        let has_waits = waits.points.len() > 1 && waits.points.iter().any(|[_, wait]| *wait > 0.0);
        let waits = has_waits.then(|| Picture {
            title: format!("{title}: how long they wait"),
            about: format!("{title}: the waiting time of the services that start then, mean and 95 % interval"),
            drawing: Drawing::Svg(lines_beside([&axis, words.time_units()], &[waits], &[])),
        });
        [Some(numbers), waits]
    };
    longest_lines(model, outcomes).into_iter().flat_map(of_station).flatten().collect()
}

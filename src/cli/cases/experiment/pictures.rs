//! The pictures of a report on an experiment: effects, levels of a factor, points and the front.

use super::report::{EffectReport, ExperimentFigures};
use crate::cli::page::{Bar, Drawing, Line, Picture, bars, dots, lines};
use crate::experiments::{Experiment, ExperimentOutcome, Sample, contrast};

/// Bars of a chart.
const MOST: usize = 30;
/// Lines of a chart.
const MOST_LINES: usize = 6;

/// All of a run.
pub fn all(experiment: &Experiment, outcome: &ExperimentOutcome, figures: &ExperimentFigures) -> Vec<Picture> {
    let mut pictures = vec![];
    pictures.extend(front(experiment, figures));
    for (place, measure) in experiment.measures().iter().enumerate() {
        let effects = figures.effects.iter().flatten().filter(|effect| effect.measure == measure.name());
        pictures.extend(of_effects(measure.name(), effects.collect()));
        pictures.extend(levels(experiment, outcome, place));
        pictures.extend(points(experiment, figures, place));
    }
    pictures
}

fn of_effects(measure: &str, mut effects: Vec<&EffectReport>) -> Option<Picture> {
    effects.sort_by(|a, b| b.figure.mean.abs().total_cmp(&a.figure.mean.abs()));
    let bar = |effect: &&EffectReport| Bar {
        name: format!("{}: {} → {}", last(&effect.factor), effect.first, effect.level),
        value: effect.figure.mean,
        half_width: effect.figure.half_width,
    };
    let all: Vec<Bar> = effects.iter().take(MOST).map(bar).collect();
    let about = format!("Effects on {measure}: the largest is {}", all.first()?.name);
    let drawing = Drawing::Svg(bars(measure, &all));
    Some(Picture { title: format!("What changes {measure}"), about, drawing })
}

/// The last two words of a path.
fn last(path: &str) -> String {
    let words: Vec<&str> = path.split('.').collect();
    words[words.len().saturating_sub(2)..].join(".")
}

/// The means over the points with each value of the numeric factor with the most values, a line for each value of another one.
fn levels(experiment: &Experiment, outcome: &ExperimentOutcome, measure: usize) -> Option<Picture> {
    let ended = outcome.ended(experiment.replications());
    let places = experiment.places().filter(|places| places.len() == ended.len())?;
    let factors = experiment.factors();
    let numeric = (0..factors.len()).filter(|place| factors[*place].values().all(|level| level.number.is_some()));
    let first = numeric.max_by_key(|place| (factors[*place].levels(), usize::MAX - place))?;
    if factors[first].levels() < 2 {
        return None;
    }
    let others = (0..factors.len()).filter(|place| *place != first && factors[*place].levels() <= MOST_LINES);
    let second = others.max_by_key(|place| (factors[*place].levels(), usize::MAX - place));
    let samples: Vec<Sample> = ended.iter().map(|point| point.sample(measure)).collect();
    let line = |other: Option<usize>| {
        let mean = |level: usize| {
            let is_meant = |point: &&Vec<usize>| {
                point[first] == level && other.is_none_or(|other| second.is_none_or(|second| point[second] == other))
            };
            let count = places.iter().filter(is_meant).count() as f64;
            let found = places.iter().zip(&samples).filter(|(point, _)| is_meant(point));
            contrast(&found.map(|(_, sample)| (1.0 / count, sample)).collect::<Vec<_>>())
        };
        let all: Vec<_> =
            (0..factors[first].levels()).map(|level| (factors[first].value(level).number, mean(level))).collect();
        let name = match (other, second) {
            (Some(other), Some(second)) => {
                format!("{} = {}", last(factors[second].name()), factors[second].value(other).shown)
            }
            _ => "all".into(),
        };
        let points = all.iter().map(|(number, mean)| [number.unwrap_or(0.0), mean.mean]).collect();
        Line { name, points, half_widths: all.iter().filter_map(|(_, mean)| mean.half_width).collect() }
    };
    let all: Vec<Line> = match second {
        Some(second) => (0..factors[second].levels()).map(|level| line(Some(level))).collect(),
        None => vec![line(None)],
    };
    let name = experiment.measures()[measure].name();
    let beside = second.map(|second| format!(" and {}", factors[second].name())).unwrap_or_default();
    let title = format!("{name} by {}{beside}", factors[first].name());
    let drawing = Drawing::Svg(lines([factors[first].name(), name], &all, None));
    Some(Picture { about: format!("{title}, in the mean over the other factors, with 95 % intervals"), title, drawing })
}

/// The points from the smallest value of a measure up.
fn points(experiment: &Experiment, figures: &ExperimentFigures, measure: usize) -> Option<Picture> {
    let name = experiment.measures()[measure].name();
    let mut all: Vec<Bar> = figures
        .points
        .iter()
        .map(|point| Bar {
            name: format!("{}: {}", point.point, point.settings.join(", ")),
            value: point.measures[measure].mean,
            half_width: point.measures[measure].half_width,
        })
        .collect();
    all.sort_by(|a, b| a.value.total_cmp(&b.value));
    all.truncate(MOST);
    let of = match figures.points.len() {
        count if count > MOST => format!("the {MOST} smallest of {count} points"),
        _ => "all points".into(),
    };
    let about = format!("{name} at {of}: the smallest is at point {}", all.first()?.name);
    Some(Picture { title: format!("{name} ({of})"), about, drawing: Drawing::Svg(bars(name, &all)) })
}

fn front(experiment: &Experiment, figures: &ExperimentFigures) -> Option<Picture> {
    let (asked, found) = experiment.front().zip(figures.front.as_ref())?;
    let places = asked.measures.each_ref().map(|measure| experiment.place_of(measure));
    let dot =
        |point: &super::report::PointReport| (point.point.to_string(), places.map(|place| point.measures[place].mean));
    let (on, off): (Vec<_>, Vec<_>) = figures.points.iter().partition(|point| found.contains(&point.point));
    let [on, off] = [on, off].map(|points| points.into_iter().map(dot).collect::<Vec<_>>());
    let names = asked.measures.each_ref().map(|measure| measure.name());
    let title = format!("The front of {} and {}", names[0], names[1]);
    let about = format!("{title}: {} of {} points, which no other one beats in both", on.len(), figures.points.len());
    Some(Picture { title, about, drawing: Drawing::Svg(dots(names, [&on, &off])) })
}

//! The pictures of a report on an optimization: how the search went, and what it found.

use super::report::{LookedAtReport, OptimizeFigures};
use crate::cli::page::{Bar, Drawing, Line, Picture, bars, dots, lines};
use crate::experiments::optimization::Optimization;

/// Bars of a chart.
const MOST: usize = 30;

/// All of a run.
pub fn all(optimization: &Optimization, figures: &OptimizeFigures) -> Vec<Picture> {
    let mut pictures = vec![];
    pictures.extend(progress(optimization, figures));
    pictures.extend(best(optimization, figures));
    pictures.extend(trade(optimization, figures));
    pictures
}

/// The best so far by the replications until then.
fn progress(optimization: &Optimization, figures: &OptimizeFigures) -> Option<Picture> {
    let name = optimization.measures()[0].name();
    let within = figures.stages.iter().filter(|stage| stage.within_limits);
    let points: Vec<[f64; 2]> = within.map(|stage| [stage.replications as f64, stage.objective]).collect();
    if points.len() < 2 {
        return None;
    }
    let line = Line { name: "best so far".into(), points, half_widths: vec![] };
    let title = format!("{name} of the best point so far");
    let about = format!("{title}, by the replications of all points until then, over {} stages", figures.stages.len());
    Some(Picture { title, about, drawing: Drawing::Svg(lines(["replications", name], &[line], None)) })
}

/// The best points within the limits.
fn best(optimization: &Optimization, figures: &OptimizeFigures) -> Option<Picture> {
    let name = optimization.measures()[0].name();
    let sign = if optimization.is_largest() { -1.0 } else { 1.0 };
    let mut points: Vec<&LookedAtReport> = figures.points.iter().filter(|point| point.within_limits).collect();
    points.sort_by(|a, b| (sign * a.measures[0].mean).total_cmp(&(sign * b.measures[0].mean)));
    let bar = |point: &&LookedAtReport| Bar {
        name: format!("{}: {}", point.point, point.settings.join(", ")),
        value: point.measures[0].mean,
        half_width: point.measures[0].half_width,
    };
    let all: Vec<Bar> = points.iter().take(MOST).map(bar).collect();
    let about = format!("{name} of the best points within the limits: the best is point {}", all.first()?.name);
    let title = format!("{name} ({} of {} points looked at)", all.len(), figures.points.len());
    Some(Picture { title, about, drawing: Drawing::Svg(bars(name, &all)) })
}

/// The objective by the first measure that has a limit: which points are within all limits, and which are not.
fn trade(optimization: &Optimization, figures: &OptimizeFigures) -> Option<Picture> {
    let limit = optimization.limits().first()?;
    let measure = optimization.measures().iter().position(|measure| *measure == limit.measure)?;
    if measure == 0 {
        return None;
    }
    let names = [0, measure].map(|place| optimization.measures()[place].name());
    let dot = |point: &LookedAtReport| (point.point.to_string(), [0, measure].map(|place| point.measures[place].mean));
    let run = figures.points.iter().filter(|point| !point.measures.is_empty());
    let (within, beyond): (Vec<_>, Vec<_>) = run.partition(|point| point.within_limits);
    let [within, beyond] = [within, beyond].map(|points| points.into_iter().map(dot).collect::<Vec<_>>());
    let title = format!("{} and {}", names[0], names[1]);
    let (inside, all) = (within.len(), within.len() + beyond.len());
    let about = format!("{title} of {all} points, of which {inside} are within all limits and have their numbers");
    Some(Picture { title, about, drawing: Drawing::Svg(dots(names, [&within, &beyond])) })
}

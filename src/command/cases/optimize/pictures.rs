//! The pictures of a report on an optimization: how the search went, and what it found.

use std::collections::HashSet;

use super::report::{LookedAtReport, OptimizeFigures};
use crate::page::{Bar, Drawing, Picture, bars, dots};
use tickless_experiments::front;
use tickless_experiments::optimization::Optimization;

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
    // A point has its number where it becomes the best.
    let mut before = 0;
    let dots_of: Vec<(String, [f64; 2])> = within
        .map(|stage| {
            let number = if stage.best == before { String::new() } else { stage.best.to_string() };
            before = stage.best;
            (number, [stage.replications as f64, stage.objective])
        })
        .collect();
    if dots_of.len() < 2 {
        return None;
    }
    let title = format!("{name} of the best point so far");
    let about = format!("{title}, by the replications of all points until then, over {} stages", figures.stages.len());
    Some(Picture { title, about, drawing: Drawing::Svg(dots(["replications", name], [&dots_of, &[]])) })
}

/// The best points within the limits.
fn best(optimization: &Optimization, figures: &OptimizeFigures) -> Option<Picture> {
    let name = optimization.measures()[0].name();
    let sign = if optimization.is_largest() { -1.0 } else { 1.0 };
    let mut points: Vec<&LookedAtReport> = figures.points.iter().filter(|point| point.within_limits).collect();
    points.sort_by(|a, b| (sign * a.measures[0].value()).total_cmp(&(sign * b.measures[0].value())));
    let bar = |point: &&LookedAtReport| Bar {
        name: format!("{}: {}", point.point, point.settings.join(", ")),
        value: point.measures[0].value(),
        half_width: point.measures[0].half_width,
    };
    let all: Vec<Bar> = points.iter().take(MOST).map(bar).collect();
    let about = format!("{name} of the best points within the limits: the best is point {}", all.first()?.name);
    let title = format!("{name} ({} of {} points looked at)", all.len(), figures.points.len());
    Some(Picture { title, about, drawing: Drawing::Svg(bars(name, &all)) })
}

/// The objective by the first measure that has a limit: which points no other one beats in both, as a tighter limit would have them.
fn trade(optimization: &Optimization, figures: &OptimizeFigures) -> Option<Picture> {
    let limit = optimization.limits().first()?;
    let measure = optimization.measures().iter().position(|measure| *measure == limit.measure)?;
    if measure == 0 {
        return None;
    }
    let names = [0, measure].map(|place| optimization.measures()[place].name());
    let points: Vec<&LookedAtReport> = figures.points.iter().filter(|point| !point.measures.is_empty()).collect();
    let signs = [if optimization.is_largest() { -1.0 } else { 1.0 }, if limit.is_most { 1.0 } else { -1.0 }];
    let means = |point: &LookedAtReport| [0, measure].map(|place| point.measures[place].value());
    let compared: Vec<[f64; 2]> =
        points.iter().map(|point| std::array::from_fn(|one| signs[one] * means(point)[one])).collect();
    let found = front(&compared);
    let on_front: HashSet<usize> = found.iter().copied().collect();
    let dot = |place: usize| (points[place].point.to_string(), means(points[place]));
    let on: Vec<_> = found.iter().map(|place| dot(*place)).collect();
    let off: Vec<_> = (0..points.len()).filter(|place| !on_front.contains(place)).map(dot).collect();
    let title = format!("What {} takes in {}", names[1], names[0]);
    let about = format!("{title}: {} of {} points, which no other one beats in both", on.len(), points.len());
    Some(Picture { title, about, drawing: Drawing::Svg(dots(names, [&on, &off])) })
}

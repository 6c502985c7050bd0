//! The pictures of a report on a study: effects, levels of a factor, points, and the front of two measures.

use super::effects::EffectReport;
use super::points::{Compared, Grid, PointReport, Seen};
use super::text::settings_apart;
use crate::page::{Bar, Drawing, Line, Picture, bars, capital, dots, lines};
use crate::text::{apart, path_in_words};
use tickless_core::statistics::Estimate;
use tickless_experiments::contrast;

/// The most bars of a chart.
const MOST: usize = 30;
/// The most lines of a chart.
const MOST_LINES: usize = 6;

/// For each measure: its effects, the levels of a factor, the points.
pub fn of_measures(grid: &Grid, effects: Option<&[EffectReport]>, points: &[PointReport<Compared>]) -> Vec<Picture> {
    let of = |(place, measure): (usize, &String)| {
        let effects = effects.unwrap_or_default().iter().filter(|effect| effect.measure == *measure);
        let measure = path_in_words(measure);
        [of_effects(&measure, effects.collect()), levels(grid, place), smallest(&measure, points, place)]
    };
    grid.measures.iter().enumerate().flat_map(of).flatten().collect()
}

fn of_effects(measure: &str, mut effects: Vec<&EffectReport>) -> Option<Picture> {
    effects.sort_by(|a, b| b.figure.value().abs().total_cmp(&a.figure.value().abs()));
    let bar = |effect: &&EffectReport| Bar {
        name: format!("{}: {}", path_in_words(&effect.factor), apart(&[&effect.first, &effect.level]).join(" → ")),
        value: effect.figure.value(),
        half_width: effect.figure.half_width,
    };
    let all: Vec<Bar> = effects.iter().take(MOST).map(bar).collect();
    let about = format!("Effects on {measure}: the largest is {}", all.first()?.name);
    let drawing = Drawing::Svg(bars(measure, &all));
    Some(Picture { title: format!("What changes {measure}"), about, drawing })
}

/// The means over the points with each value of the numeric factor with the most values, a line for each value of another
/// factor.
fn levels(grid: &Grid, measure: usize) -> Option<Picture> {
    let places = grid.places.as_ref()?;
    let (factors, samples) = (&grid.factors, &grid.samples[measure]);
    let count = |place: &usize| (factors[*place].levels.len(), usize::MAX - place);
    let numeric = (0..factors.len()).filter(|place| factors[*place].levels.iter().all(|level| level.number.is_some()));
    let first = numeric.max_by_key(count)?;
    if factors[first].levels.len() < 2 {
        return None;
    }
    let others = (0..factors.len()).filter(|place| *place != first && factors[*place].levels.len() <= MOST_LINES);
    let second = others.max_by_key(count);
    let line = |beside: Option<(usize, usize)>| {
        let mean = |level: usize| {
            let is_meant = |point: &&Vec<usize>| {
                point[first] == level && beside.is_none_or(|(other, level)| point[other] == level)
            };
            let count = places.iter().filter(is_meant).count() as f64;
            let found = places.iter().zip(samples).filter(|(point, _)| is_meant(point));
            contrast(&found.map(|(_, sample)| (1.0 / count, sample)).collect::<Vec<_>>())
        };
        let levels = factors[first].levels.iter().enumerate();
        let all = levels.map(|(level, value)| (value.number.unwrap_or(0.0), mean(level))).collect();
        let shown = |(other, level): (usize, usize)| {
            let levels: Vec<&str> = factors[other].levels.iter().map(|level| level.shown.as_str()).collect();
            format!("{} = {}", path_in_words(&factors[other].name), apart(&levels)[level])
        };
        line_of(beside.map_or("all".into(), shown), all)
    };
    let all: Vec<Line> = match second {
        Some(second) => (0..factors[second].levels.len()).map(|level| line(Some((second, level)))).collect(),
        None => vec![line(None)],
    };
    let name = path_in_words(&grid.measures[measure]);
    let of = |factor: usize| path_in_words(&factors[factor].name);
    let beside = second.map(|second| format!(" and {}", of(second))).unwrap_or_default();
    let title = capital(&format!("{name} by {}{beside}", of(first)));
    let drawing = Drawing::Svg(lines([&of(first), &name], &all, None));
    Some(Picture { about: format!("{title}, in the mean over the other factors, with 95 % intervals"), title, drawing })
}

/// A line through means from the smallest number up. It has a band if any mean has an interval, of no width at the others.
fn line_of(name: String, mut all: Vec<(f64, Estimate)>) -> Line {
    all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let has_band = all.iter().any(|(_, mean)| mean.half_width.is_some());
    let half_widths = all.iter().filter(|_| has_band).map(|(_, mean)| mean.half_width.unwrap_or(0.0)).collect();
    Line { name, points: all.iter().map(|(number, mean)| [*number, mean.mean]).collect(), half_widths }
}

/// The points from the smallest value of a measure up.
fn smallest(name: &str, points: &[PointReport<Compared>], measure: usize) -> Option<Picture> {
    let all = best_first(points.iter(), measure, 1.0);
    let of = match points.len() {
        count if count > MOST => format!("the {MOST} smallest of {count} points"),
        _ => "all points".into(),
    };
    let about = format!("{name} at {of}: the smallest is at point {}", all.first()?.name);
    let title = capital(&format!("{name} ({of})"));
    Some(Picture { title, about, drawing: Drawing::Svg(bars(name, &all)) })
}

/// The first points in the order of a measure: smaller values times the sign are better.
pub fn best_first<'a, S: Seen + 'a>(
    points: impl Iterator<Item = &'a PointReport<S>>,
    measure: usize,
    sign: f64,
) -> Vec<Bar> {
    let points: Vec<&PointReport<S>> = points.collect();
    let settings = settings_apart(points.iter().map(|point| &*point.settings));
    let bar = |(point, settings): (&PointReport<S>, Vec<String>)| Bar {
        name: format!("{}: {}", point.point, settings.join(", ")),
        value: point.seen.measures()[measure].value(),
        half_width: point.seen.measures()[measure].half_width,
    };
    let mut all: Vec<Bar> = points.into_iter().zip(settings).map(bar).collect();
    all.sort_by(|a, b| (sign * a.value).total_cmp(&(sign * b.value)));
    all.truncate(MOST);
    all
}

/// The points by two measures; those on the front are marked.
pub fn traded<S: Seen>(
    (grid, points): (&Grid, &[PointReport<S>]),
    measures: [usize; 2],
    is_on_front: impl Fn(&PointReport<S>) -> bool,
    title: impl Fn([&str; 2]) -> String,
) -> Picture {
    let dot =
        |point: &PointReport<S>| (point.point.to_string(), measures.map(|place| point.seen.measures()[place].value()));
    let (on, off): (Vec<_>, Vec<_>) = points.iter().partition(|point| is_on_front(point));
    let [on, off] = [on, off].map(|points| points.into_iter().map(dot).collect::<Vec<_>>());
    let names = measures.map(|place| path_in_words(&grid.measures[place]));
    let names = names.each_ref().map(String::as_str);
    let title = title(names);
    let about = format!("{title}: {} of {} points, which no other one beats in both", on.len(), points.len());
    Picture { title, about, drawing: Drawing::Svg(dots(names, [&on, &off])) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_up_the_axis_and_each_mean_has_its_own_interval() {
        let mean = |values: &[f64]| Estimate::of(values.iter().copied());
        let two = mean(&[1.0, 3.0]);
        let line = line_of("a".into(), vec![(8.0, two), (2.0, mean(&[5.0])), (4.0, mean(&[6.0, 6.0]))]);
        assert_eq!(line.points, [[2.0, 5.0], [4.0, 6.0], [8.0, 2.0]]);
        assert_eq!(line.half_widths, [0.0, 0.0, two.half_width.unwrap()]);
        assert!(line_of("a".into(), vec![(1.0, mean(&[5.0]))]).half_widths.is_empty());
    }
}

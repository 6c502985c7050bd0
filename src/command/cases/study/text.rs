//! The text of a study: its factors, its points, and the effects of factors.

use std::path::Path;

use super::effects::{EffectReport, InteractionReport, SlopeReport};
use super::points::{Compared, FactorReport, FigureReport, Grid, PointReport, Seen};
use crate::figures::sure_to;
use crate::text::{Columns, Table, apart, escaped, grouped, short, significant, without_middle, words_of};

/// The most points and effects that the text lists.
const LISTED: usize = 40;
const LISTED_EFFECTS: usize = 20;
/// The most characters of a heading.
const LONGEST_HEAD: usize = 32;

/// The file of the study.
pub fn describe_file(file: &Path, table: &mut Table) {
    table.row("file", escaped(&file.display().to_string()));
}

/// What is varied.
pub fn describe_factors(factors: &[FactorReport], table: &mut Table) {
    for factor in factors {
        let levels = factor.levels.as_deref().map_or("a range".into(), listed);
        table.row("factor", format!("{} of {levels}", escaped(&factor.factor)));
    }
}

/// What is measured, and what that is counted in.
pub fn describe_measures(measures: &[String], units: &[String], table: &mut Table) {
    for (measure, unit) in measures.iter().zip(units) {
        table.row("measure", format!("{}, {}", escaped(measure), escaped(unit)));
    }
}

/// The horizon and the warm-up of every point.
pub fn describe_horizon(until: f64, warmup: f64, table: &mut Table) {
    let counted = if warmup > 0.0 { format!(", counted from {warmup} on") } else { "".into() };
    table.row("until", format!("{until}{counted}"));
}

/// The number of points that had ended at an interruption.
pub fn interruption(ended: usize, points: usize) -> String {
    format!("after {} of {} points: the figures cover those", grouped(ended as u64), grouped(points as u64))
}

/// Values, only the first and the last if there are many.
fn listed(levels: &[String]) -> String {
    match levels {
        [first, .., last] if levels.len() > 8 => {
            format!("{} to {}, {} values", escaped(first), escaped(last), grouped(levels.len() as u64))
        }
        all => escaped(&all.join(", ")),
    }
}

/// A mean with its interval, or a mark for a point without a measured value.
pub fn figure(figure: &FigureReport) -> String {
    match (figure.mean, figure.half_width) {
        (Some(mean), Some(half)) => format!("{} {}", short(mean), sure_to(half)),
        (Some(mean), None) => short(mean),
        (None, _) => ".".into(),
    }
}

/// The heading of a column: the last two words of a path are enough.
fn head(path: &str) -> String {
    without_middle(&escaped(&last_words(path)), LONGEST_HEAD)
}

/// The last two words of a path; of a group of servers with its station and its name; of a share within a target, or of a quantile, whose it is, its name and its number, which may have a point.
fn last_words(path: &str) -> String {
    let words = words_of(path);
    if let ["station", station, "servers", group, rest @ ..] = &words[..]
        && !rest.is_empty()
    {
        return [&[*station, *group], rest].concat().join(".");
    }
    let of_times = words.iter().rposition(|word| word.ends_with("_within") || word.ends_with("_quantile"));
    words[of_times.unwrap_or(words.len().saturating_sub(1)).saturating_sub(1)..].join(".")
}

/// A point in a table: its number with a mark, its settings, its figures, and the last columns.
pub type Row<'a, S> = (&'a PointReport<S>, &'static str, &'a [FigureReport], Option<String>);

/// The settings of points, factor by factor without what a long one has in common with all others.
pub fn settings_apart<'a>(points: impl IntoIterator<Item = &'a [String]>) -> Vec<Vec<String>> {
    let all: Vec<&[String]> = points.into_iter().collect();
    let factors = all.first().map_or(0, |first| first.len());
    let mut found = vec![Vec::with_capacity(factors); all.len()];
    for factor in 0..factors {
        let values: Vec<&str> = all.iter().map(|settings| settings[factor].as_str()).collect();
        found.iter_mut().zip(apart(&values)).for_each(|(point, value)| point.push(value));
    }
    found
}

/// A table of points, of which so many are listed.
pub fn columns<'a, S: Seen + 'a>(
    grid: &Grid,
    behind: Option<&str>,
    rows: impl Iterator<Item = Row<'a, S>>,
    listed: usize,
) -> Columns {
    let rows: Vec<Row<'_, S>> = rows.collect();
    let settings = settings_apart(rows.iter().map(|(point, ..)| &*point.settings));
    let names = grid.factors.iter().map(|factor| &factor.name).chain(&grid.measures).map(|path| head(path));
    let heads: Vec<_> = ["point".to_owned()].into_iter().chain(names).chain(behind.map(str::to_owned)).collect();
    let (mut columns, more) = (Columns::new(&vec![6; heads.len()]), rows.len().saturating_sub(listed));
    columns.heads(heads);
    for ((point, mark, figures, behind), settings) in rows.into_iter().zip(settings).take(listed) {
        let values = settings.into_iter().chain(figures.iter().map(figure)).chain(behind);
        columns.row([format!("{}{mark}", point.point)].into_iter().chain(values));
    }
    if more > 0 {
        columns.line(format!("and {more} more: --points or --format json has all"));
    }
    columns
}

/// The table of points, and that of differences from the baseline.
pub fn points(grid: &Grid, points: &[PointReport<Compared>], table: &mut Table) {
    let mark = |point: &PointReport<_>| if point.point == grid.baseline + 1 { " *" } else { "" };
    let rows = points.iter().map(|point| (point, mark(point), point.seen.measures(), None));
    columns(grid, None, rows, LISTED).write(table);
    table.gap();
    let compared = points.iter().filter_map(|point| Some((point, mark(point), point.seen.differences()?, None)));
    let compared: Vec<Row<'_, _>> = compared.collect();
    if !compared.is_empty() {
        table.line(format!("  differences to point {} (*)", grid.baseline + 1));
        columns(grid, None, compared.into_iter(), LISTED).write(table);
        table.gap();
    }
}

/// Effects, and interactions that differ from 0.
pub fn together(effects: Option<&[EffectReport]>, interactions: Option<&[InteractionReport]>, table: &mut Table) {
    let effects = effects.unwrap_or_default().iter().map(|one| {
        (one.measure.as_str(), format!("{} = {} in place of {}", one.factor, one.level, one.first), one.figure)
    });
    largest("effect", effects.collect(), table);
    let sure = interactions.unwrap_or_default().iter().filter(|one| is_sure(&one.figure)).map(|one| {
        let what = format!("{} = {} and {} = {}", one.factors[0], one.levels[0], one.factors[1], one.levels[1]);
        (one.measure.as_str(), what, one.figure)
    });
    largest("interaction", sure.collect(), table);
}

/// The slopes of factors over their ranges, and the share of the variance that they explain.
pub fn slopes(slopes: &[SlopeReport], table: &mut Table) {
    let lines = slopes.iter().map(|one| (one.measure.as_str(), format!("{} over its range", one.factor), one.figure));
    largest("effect", lines.collect(), table);
    let mut told: Vec<&str> = vec![];
    for one in slopes {
        if let Some(share) = one.explained.filter(|_| !told.contains(&one.measure.as_str())) {
            told.push(&one.measure);
            let what = format!("{} % of the differences of {}", significant(100.0 * share, 3), escaped(&one.measure));
            table.row(if told.len() == 1 { "plane" } else { "" }, format!("explains {what}"));
        }
    }
    table.gap();
}

/// Whether an interval is all above 0, or all below.
fn is_sure(figure: &FigureReport) -> bool {
    figure.half_width.is_some_and(|half| figure.value().abs() > half)
}

/// For each measure the largest first.
fn largest(what: &str, mut lines: Vec<(&str, String, FigureReport)>, table: &mut Table) {
    if lines.is_empty() {
        return;
    }
    let mut order: Vec<&str> = vec![];
    lines.iter().for_each(|(measure, ..)| {
        if !order.contains(measure) {
            order.push(measure)
        }
    });
    let place = |measure: &str| order.iter().position(|known| *known == measure);
    lines.sort_by(|a, b| place(a.0).cmp(&place(b.0)).then(b.2.value().abs().total_cmp(&a.2.value().abs())));
    let mut columns = Columns::new(&[40, 16, 12]);
    columns.heads([what, "on", "difference"]);
    for (measure, what, difference) in lines.iter().take(LISTED_EFFECTS) {
        columns.row([escaped(what), head(measure), figure(difference)]);
    }
    if lines.len() > LISTED_EFFECTS {
        columns.line(format!("and {} more: --format json has all", lines.len() - LISTED_EFFECTS));
    }
    columns.write(table);
    table.gap();
}

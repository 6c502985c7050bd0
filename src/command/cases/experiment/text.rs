//! The result of `tickless experiment` as people read it.

use std::path::Path;

use super::report::{
    EffectReport, ExperimentFigures, ExperimentParameters, FigureReport, InteractionReport, PointReport, SlopeReport,
};
use crate::text::{Columns, Table, counted, escaped, grouped, name, short, significant};
use tickless_experiments::{Experiment, Factor};

/// Points that the text lists, and effects.
const LISTED: usize = 40;
const LISTED_EFFECTS: usize = 20;

/// The parameters.
pub fn describe(file: &Path, parameters: &ExperimentParameters, table: &mut Table) {
    table.row("file", escaped(&file.display().to_string()));
    let resolution = parameters.resolution.map(|number| format!(", resolution {number}")).unwrap_or_default();
    let points = counted(parameters.points as u64, "point");
    let each = counted(parameters.replications.into(), "replication");
    let numbers = if parameters.common_random_numbers { ", common random numbers" } else { "" };
    table.row("design", format!("{}{resolution}: {points} with {each} each{numbers}", parameters.design));
    for factor in &parameters.factors {
        let levels = factor.levels.as_ref().map_or("a range".into(), |levels| listed(levels));
        table.row("factor", format!("{} of {levels}", escaped(&factor.factor)));
    }
    let counted = if parameters.warmup > 0.0 { format!(", counted from {} on", parameters.warmup) } else { "".into() };
    table.row("until", format!("{}{counted}", parameters.until));
}

/// Values, of many only the first and the last.
pub fn listed(levels: &[String]) -> String {
    match levels {
        [first, .., last] if levels.len() > 8 => {
            format!("{} to {}, {} values", escaped(first), escaped(last), grouped(levels.len() as u64))
        }
        all => escaped(&all.join(", ")),
    }
}

/// The tables of points and of effects, and what was looked for.
pub fn tell(experiment: &Experiment, names: (&[&str], &[&str]), figures: &ExperimentFigures, table: &mut Table) {
    points(names, experiment.baseline(), &figures.points, table);
    together(figures.effects.as_deref(), figures.interactions.as_deref(), table);
    if let Some(slopes) = &figures.slopes {
        let lines = slopes.iter().map(|one| {
            let SlopeReport { measure, factor, figure, .. } = one;
            (measure.as_str(), format!("{factor} over its range"), *figure)
        });
        largest("effect", lines.collect(), table);
        let mut told: Vec<&str> = vec![];
        for one in slopes {
            if let Some(share) = one.explained.filter(|_| !told.contains(&one.measure.as_str())) {
                told.push(&one.measure);
                let what =
                    format!("{} % of the differences of {}", significant(100.0 * share, 3), escaped(&one.measure));
                table.row(if told.len() == 1 { "plane" } else { "" }, format!("explains {what}"));
            }
        }
        table.gap();
    }
    if let Some(best) = &figures.best {
        let settings = settings(experiment, &best.settings);
        let what = if best.largest { "largest" } else { "smallest" };
        let sure = match (best.confidence, best.indifference) {
            (Some(confidence), Some(zone)) if best.found => {
                let share = significant(100.0 * confidence, 4);
                format!("with {share} % confidence, if no other is within {}", short(zone))
            }
            _ if best.found => "by the budget that was given".into(),
            _ => "so far: the search did not end".into(),
        };
        let replications = counted(best.replications, "replication");
        table.row("best", format!("point {}: {settings}", best.point));
        table.row("", format!("the {what} {}, {sure}; {replications} in all", escaped(&best.measure)));
    }
    if let Some(front) = &figures.front {
        let measures: Vec<&str> =
            experiment.front().into_iter().flat_map(|front| front.measures.iter().map(|one| one.name())).collect();
        let numbers = front.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        table.row("front", format!("of {}: points {numbers}", escaped(&measures.join(" and "))));
    }
}

/// Effects, and those interactions that are sure.
pub fn together(all: Option<&[EffectReport]>, interactions: Option<&[InteractionReport]>, table: &mut Table) {
    if let Some(all) = all {
        effects(all, table);
    }
    let sure = interactions.unwrap_or_default().iter().filter(|one| is_sure(&one.figure)).map(|one| {
        let what = format!("{} = {} and {} = {}", one.factors[0], one.levels[0], one.factors[1], one.levels[1]);
        (one.measure.as_str(), what, one.figure)
    });
    largest("interaction", sure.collect(), table);
}

fn settings(experiment: &Experiment, settings: &[String]) -> String {
    let one = |(factor, value): (&Factor, &String)| format!("{} = {value}", factor.name());
    escaped(&experiment.factors().iter().zip(settings).map(one).collect::<Vec<_>>().join(", "))
}

/// A mean with its interval; a point where nothing was measured.
pub fn figure(figure: &FigureReport) -> String {
    match (figure.mean, figure.half_width) {
        (Some(mean), Some(half)) => format!("{} ±{}", short(mean), significant(half, 2)),
        (Some(mean), None) => short(mean),
        (None, _) => ".".into(),
    }
}

/// The last two words of a path are enough at the head of a column.
pub fn head(path: &str) -> String {
    // A name in quotes may have points.
    if path.contains('"') {
        return name(path);
    }
    let words: Vec<&str> = path.split('.').collect();
    name(&words[words.len().saturating_sub(2)..].join("."))
}

/// The table of points, by the paths of factors and measures, and that of differences to the baseline.
pub fn points((factors, measures): (&[&str], &[&str]), baseline: usize, points: &[PointReport], table: &mut Table) {
    let heads = ["point".to_owned()].into_iter().chain(factors.iter().chain(measures).map(|path| head(path)));
    let heads: Vec<String> = heads.collect();
    let widths = vec![6; heads.len()];
    let mut columns = Columns::new(&widths);
    columns.heads(heads.clone());
    let marked = |point: &PointReport| {
        let is_baseline = point.point == baseline + 1;
        format!("{}{}", point.point, if is_baseline { " *" } else { "" })
    };
    for point in points.iter().take(LISTED) {
        let values = point.settings.iter().map(|value| name(value));
        columns.row([marked(point)].into_iter().chain(values).chain(point.measures.iter().map(figure)));
    }
    if points.len() > LISTED {
        columns.line(format!("and {} more: --points or --format json has all", points.len() - LISTED));
    }
    columns.write(table);
    table.gap();
    let compared: Vec<&PointReport> = points.iter().filter(|point| point.differences.is_some()).collect();
    if compared.is_empty() {
        return;
    }
    table.line(format!("  differences to point {} (*)", baseline + 1));
    let mut columns = Columns::new(&widths);
    columns.heads(heads);
    for point in compared.iter().take(LISTED) {
        let values = point.settings.iter().map(|value| name(value));
        let differences = point.differences.iter().flatten().map(figure);
        columns.row([marked(point)].into_iter().chain(values).chain(differences));
    }
    columns.write(table);
    table.gap();
}

/// Whether an interval is all above 0, or all below.
fn is_sure(figure: &FigureReport) -> bool {
    figure.half_width.is_some_and(|half| figure.value().abs() > half)
}

fn effects(all: &[EffectReport], table: &mut Table) {
    let lines = all.iter().map(|one| {
        (one.measure.as_str(), format!("{} = {} in place of {}", one.factor, one.level, one.first), one.figure)
    });
    largest("effect", lines.collect(), table);
}

/// Of each measure the largest first.
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

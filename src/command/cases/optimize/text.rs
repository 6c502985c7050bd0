//! The result of `tickless optimize` as people read it.

use std::path::Path;

use super::report::{LookedAtReport, OptimizeFigures, OptimizeParameters};
use crate::cases::experiment::text::{figure, head, listed};
use crate::text::{Columns, Table, counted, escaped, grouped, name, short, significant};
use tickless_experiments::optimization::Optimization;

/// Points that the text lists.
const LISTED: usize = 10;

/// The parameters.
pub fn describe(file: &Path, parameters: &OptimizeParameters, table: &mut Table) {
    table.row("file", escaped(&file.display().to_string()));
    let what = if parameters.largest { "largest" } else { "smallest" };
    table.row("wanted", format!("the {what} {}", escaped(&parameters.objective)));
    for limit in &parameters.limits {
        let bounds = [("at most", limit.at_most), ("at least", limit.at_least)];
        let bound = bounds.iter().find_map(|(what, bound)| bound.map(|bound| format!("{what} {}", short(bound))));
        table.row("limit", format!("{} {}", escaped(&limit.measure), bound.unwrap_or_default()));
    }
    for factor in &parameters.factors {
        let levels = factor.levels.as_deref().map(listed).unwrap_or_default();
        table.row("factor", format!("{} of {levels}", escaped(&factor.factor)));
    }
    let most = counted(parameters.max_replications, "replication");
    let more = if parameters.points == u64::MAX { "more than " } else { "" };
    let points = format!("{more}{}", counted(parameters.points, "point"));
    table.row("search", format!("{points}, at most {most}, {} of each to begin with", parameters.replications));
    let counted = if parameters.warmup > 0.0 { format!(", counted from {} on", parameters.warmup) } else { "".into() };
    table.row("until", format!("{}{counted}", parameters.until));
}

/// The best point, and those that come behind it.
pub fn tell(optimization: &Optimization, figures: &OptimizeFigures, table: &mut Table) {
    if figures.best.is_none() {
        return;
    }
    points(optimization, figures, table);
    for (label, text) in answer(optimization, figures) {
        table.row(label, text);
    }
    if let Some(said) = &figures.first_refusal {
        let count = counted(figures.statistics.refused as u64, "place");
        table.row("left out", format!("{count} without a network, the first of them: {}", escaped(said)));
    }
}

/// What was found: the best point with its measures, and how sure it is. A line without a label goes on with what the one before it says.
pub fn answer(optimization: &Optimization, figures: &OptimizeFigures) -> Vec<(&'static str, String)> {
    let Some(best) = &figures.best else { return vec![] };
    let settings = optimization.factors().iter().zip(&best.settings);
    let settings: Vec<String> = settings.map(|(factor, value)| format!("{} = {value}", factor.name())).collect();
    let mut lines = vec![("best", format!("point {}: {}", best.point, escaped(&settings.join(", "))))];
    for (measure, value) in optimization.measures().iter().zip(&best.measures) {
        lines.push(("", format!("{} {}", escaped(measure.name()), figure(value))));
    }
    if best.measures.iter().any(|figure| figure.mean.is_none()) {
        lines.push(("", "no replication says anything of a measure of it: nobody was served, or the like".into()));
    } else if !best.within_limits {
        lines.push(("", "it is beyond a limit: no point that was looked at is within all of them".into()));
    }
    let share = significant(100.0 * best.confidence, 4);
    lines.push(("sure", format!("{share} % that none of those looked at is better{}", zone(optimization))));
    let asked = significant(100.0 * optimization.settings().confidence, 4);
    let better = match best.better_by_at_most {
        Some(by) => format!("{asked} % that none is better by more than {}", significant(by, 3)),
        None => format!("less than {asked} %, by whatever margin"),
    };
    lines.push(("", better));
    let neighbours = if best.all_neighbours { "each was looked at" } else { "some were not looked at" };
    lines.push(("", format!("points one value away: {neighbours}")));
    let ended = match figures.ended {
        Some("sure") => "it was sure enough",
        Some(_) => "all replications were used up",
        None => "it was interrupted",
    };
    let looked = counted(figures.statistics.looked_at as u64, "point");
    let of = grouped(optimization.points());
    let replications = counted(figures.statistics.replications, "replication");
    lines.push(("ended", format!("{ended}: {looked} of {of}, {replications}")));
    lines
}

fn zone(optimization: &Optimization) -> String {
    match optimization.settings().indifference {
        0.0 => String::new(),
        zone => format!(" by more than {}", short(zone)),
    }
}

fn points(optimization: &Optimization, figures: &OptimizeFigures, table: &mut Table) {
    let (factors, measures) = (optimization.factors().len(), optimization.measures().len());
    let factor_heads = optimization.factors().iter().map(|factor| head(factor.name()));
    let heads = factor_heads.chain(optimization.measures().iter().map(|measure| head(measure.name())));
    let mut columns = Columns::new(&vec![6; 2 + factors + measures]);
    columns.heads(["point".to_owned()].into_iter().chain(heads).chain(["replications".to_owned()]));
    let order: Vec<&LookedAtReport> = figures.order.iter().map(|place| &figures.points[*place]).collect();
    for point in order.iter().take(LISTED) {
        let mark = if point.within_limits { "" } else { " !" };
        let values = point.settings.iter().map(|value| name(value)).chain(point.measures.iter().map(figure));
        let count = [grouped(point.replications as u64)];
        columns.row([format!("{}{mark}", point.point)].into_iter().chain(values).chain(count));
    }
    if order.len() > LISTED {
        let more = order.len() - LISTED;
        columns.line(format!("and {more} more: --points or --format json has all"));
    }
    if order.iter().take(LISTED).any(|point| !point.within_limits) {
        columns.line("! beyond a limit, or not measured");
    }
    columns.write(table);
    table.gap();
}

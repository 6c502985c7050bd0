//! The result of `tickless optimize` as text for people.

use super::report::{OptimizeFigures, OptimizeParameters};
use crate::cases::study::points::settings_of;
use crate::cases::study::text::{columns, describe_factors, describe_horizon, describe_measures, figure};
use crate::text::{Table, counted, escaped, grouped, short, significant};
use tickless_experiments::optimization::{Ended, Optimization};

/// The most points that the text lists.
const LISTED: usize = 10;

/// The parameters.
pub fn describe(parameters: &OptimizeParameters, table: &mut Table) {
    let what = if parameters.largest { "largest" } else { "smallest" };
    table.row("wanted", format!("the {what} {}", escaped(&parameters.objective)));
    for limit in &parameters.limits {
        let bounds = [("at most", limit.at_most), ("at least", limit.at_least)];
        let bound = bounds.iter().find_map(|(what, bound)| bound.map(|bound| format!("{what} {}", short(bound))));
        table.row("limit", format!("{} {}", escaped(&limit.measure), bound.unwrap_or_default()));
    }
    describe_factors(&parameters.factors, table);
    describe_measures(&parameters.measures, &parameters.measure_units, table);
    let most = counted(parameters.settings.max_replications, "replication");
    let more = if parameters.points == u64::MAX { "more than " } else { "" };
    let points = format!("{more}{}", counted(parameters.points, "point"));
    table
        .row("search", format!("{points}, at most {most}, {} of each to begin with", parameters.settings.replications));
    describe_horizon(parameters.until, parameters.warmup, table);
}

/// The best point, and the next best points.
pub fn tell(optimization: &Optimization, figures: &OptimizeFigures, table: &mut Table) {
    if figures.best.is_none() {
        return;
    }
    points(figures, table);
    for (label, text) in answer(optimization, figures) {
        table.row(label, text);
    }
    if let Some(said) = &figures.first_refusal {
        let count = counted(figures.statistics.refused as u64, "place");
        table.row("left out", format!("{count} without a network, the first of them: {}", escaped(said)));
    }
}

/// The findings: the best point with its measures and its confidence. A line without a label continues the one before.
pub fn answer(optimization: &Optimization, figures: &OptimizeFigures) -> Vec<(&'static str, String)> {
    let Some(best) = &figures.best else { return vec![] };
    let settings = escaped(&settings_of(&figures.grid.factors, &best.settings));
    let mut lines = vec![("best", format!("point {}: {settings}", best.point))];
    for (measure, value) in figures.grid.measures.iter().zip(&best.measures) {
        lines.push(("", format!("{} {}", escaped(measure), figure(value))));
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
        Some(Ended::Sure) => "it was sure enough",
        Some(Ended::MaxReplications) => "all replications were used up",
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

fn points(figures: &OptimizeFigures, table: &mut Table) {
    let rows = figures.order.iter().map(|place| {
        let point = &figures.points[*place];
        let mark = if point.seen.within_limits { "" } else { " !" };
        (point, mark, &*point.seen.measures, Some(grouped(point.replications as u64)))
    });
    let is_marked = rows.clone().take(LISTED).any(|(_, mark, ..)| !mark.is_empty());
    let mut columns = columns(&figures.grid, Some("replications"), rows, LISTED);
    if is_marked {
        columns.line("! beyond a limit, or not measured");
    }
    columns.write(table);
    table.gap();
}

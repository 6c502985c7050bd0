//! The text of `tickless cells`.

use super::Kind;
use super::report::{CellsReport, CompareCellsReport, SpaceReport};
use crate::cli::text::{Table, adapter, compared, grouped, rate, seconds, short};

pub fn cells<K: Kind>(kind: &K, report: &CellsReport<K::Arguments, K::Parameters, K::Statistics>) -> String {
    let mut table = Table::default();
    head(kind, &report.space, report.version, report.seed, &mut table);
    table.row("backend", report.backend);
    if let Some(description) = &report.adapter {
        table.row("adapter", adapter(description));
    }
    table.gap();
    if report.interrupted {
        let (clock, until) = (report.clock, report.space.until);
        let what = if report.space.replications > 1 {
            let (whole, all) = (grouped(report.replications.into()), grouped(report.space.replications.into()));
            format!("after {whole} of {all} replications, which the figures cover up to time {clock:.3}")
        } else {
            format!("at time {clock:.3} of {until}: the figures cover what happened before")
        };
        table.row("INTERRUPTED", what);
    }
    let imminent = grouped(report.imminent);
    table.row("transitions", format!("{}, {imminent} of them by the cell's own time", grouped(report.transitions)));
    if let Some(rounds) = report.rounds {
        let each = report.transitions as f64 / rounds.max(1) as f64;
        table.row("rounds", format!("{}, {} transitions each", grouped(rounds), grouped(each.round() as u64)));
    }
    let device = report.device_seconds.map(|time| format!(", {} of it on the device", seconds(time)));
    table.row("wall time", format!("{}{}", seconds(report.wall_seconds), device.unwrap_or_default()));
    table.row("set-up", seconds(report.setup_seconds));
    table.row("transitions/s", rate(report.transitions_per_second));
    table.gap();
    kind.tell(&report.statistics, &mut table);
    table.row("digest", &report.digest);
    table.finish()
}

/// The text of `tickless compare cells`.
pub fn compare_cells<K: Kind>(kind: &K, report: &CompareCellsReport<K::Parameters, K::Statistics>) -> String {
    let mut table = Table::default();
    head(kind, &report.space, report.version, report.seed, &mut table);
    table.gap();
    compared(&mut table, ["transitions", "transitions/s"], &report.runs, report.equal);
    table.finish()
}

fn head<K: Kind>(kind: &K, space: &SpaceReport, version: &str, seed: Option<u64>, table: &mut Table) {
    let SpaceReport { width, height, depth, cells, .. } = *space;
    table.line(format!("tickless {version}, model cells: {}", K::NAME)).gap();
    let size = if depth == 1 { format!("{width} x {height}") } else { format!("{width} x {height} x {depth}") };
    let border = space.border;
    table.row("space", format!("{size} = {} cells, {border} border", grouped(cells.into())));
    kind.describe(table);
    table.row("until", space.until.to_string());
    let ties = if space.lookahead == 0.0 { ": a round holds the cells of one instant" } else { "" };
    table.row("lookahead", format!("{}{ties}", short(space.lookahead)));
    if space.replications > 1 {
        table.row("replications", grouped(space.replications.into()));
    }
    if let Some(seed) = seed {
        table.row("seed", seed.to_string());
    }
}

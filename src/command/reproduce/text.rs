//! A reproduction for people.

use super::exhibit::Verdict;
use super::report::{ExhibitReport, Reproduction};
use crate::text::{Columns, Table, counted, seconds, significant};

/// The whole report.
pub fn whole(report: &Reproduction) -> String {
    let mut table = Table::shown();
    table.heading(format!("tickless {}, reproduction of {}", report.version, report.paper)).gap();
    table.row("title", report.title).row("paper", report.citation).row("backend", report.backend);
    if let Some(adapter) = &report.adapter {
        table.row("adapter", format!("{}: {}", adapter.index, adapter.name));
    }
    table.row("sizes", if report.quick { "small: a quick run" } else { "those of a full run" });
    if let Some(said) = report.ends.said() {
        table.row("ended early", said);
    }
    for exhibit in &report.exhibits {
        table.gap();
        one(exhibit, &mut table);
    }
    table.gap();
    let claims = report.holds + report.differs + report.open;
    let verdicts = format!("{} hold, {} differ, {} open", report.holds, report.differs, report.open);
    table.row("claims", format!("{}: {verdicts}", counted(claims as u64, "claim")));
    table.row("wall time", seconds(report.wall_seconds));
    table.finish()
}

fn one(exhibit: &ExhibitReport, table: &mut Table) {
    table.heading(exhibit.title());
    if let Some(reason) = exhibit.left_out {
        table.row("left out", reason);
        return;
    }
    table.row("ours", &exhibit.ours).row("theirs", exhibit.theirs).row("unit", exhibit.unit).gap();
    let heads = exhibit.heads();
    let mut columns = Columns::new(&vec![8; heads.len() + 1]);
    columns.heads([exhibit.axis.to_owned()].into_iter().chain(heads));
    for (place, name) in exhibit.places().into_iter().enumerate() {
        let cells = exhibit.row(place).into_iter().map(|(value, half_width)| shown(value, half_width));
        columns.row([name.to_owned()].into_iter().chain(cells));
    }
    columns.write(table);
    table.gap();
    for claim in &exhibit.claims {
        table.row(claim.verdict.name(), claim.claim);
        if let Some(why) = claim.why {
            let why = if claim.verdict == Verdict::Differs { format!("why: {why}") } else { why.to_owned() };
            table.row("", why);
        }
    }
}

/// A value with its interval, or a mark for a missing value.
pub fn shown(value: Option<f64>, half_width: Option<f64>) -> String {
    let half = half_width.map(|half| format!(" ± {}", significant(half, 2))).unwrap_or_default();
    value.map_or(".".into(), |value| format!("{}{half}", significant(value, 4)))
}

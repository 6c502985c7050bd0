//! The text of a run, a comparison and a rerun of any model.

use super::case::{Case, RunOf};
use super::report::{CompareReport, ComparedRun, Origin, Report, RerunReport, RunReport};
use super::terminal::{BAD, GOOD};
use super::text::{Columns, Table, counted, escaped, grouped, rate, seconds, short, three};
use tickless_device::AdapterDescription;

type ReportOf<C> = Report<<C as Case>::Arguments, <C as Case>::Parameters, <C as Case>::Figures>;
type CompareReportOf<C> = CompareReport<<C as Case>::Arguments, <C as Case>::Parameters, <C as Case>::Figures>;

/// The text of a run.
pub fn run<C: Case>(case: &C, of: &RunOf<C>, report: &ReportOf<C>) -> String {
    let mut table = Table::shown();
    let run = &report.run;
    head(case, &report.origin, &report.parameters, &mut table);
    table.row("backend", &run.backend);
    if let Some(description) = &run.adapter {
        table.row("adapter", adapter(description));
    }
    table.gap();
    if run.interrupted {
        table.alarm("INTERRUPTED", case.interruption(&report.parameters, run));
    }
    counts::<C>(run, &mut table);
    table.gap();
    case.tell(run, &mut table);
    if let Some(columns) = table.columns() {
        case.sketch(of, columns, &mut table);
    }
    table.row("digest", &run.digest);
    table.finish()
}

/// The text of a comparison.
pub fn compare<C: Case>(case: &C, report: &CompareReportOf<C>) -> String {
    let mut table = Table::shown();
    head(case, &report.origin, &report.parameters, &mut table);
    table.gap();
    rates::<C>(&report.runs, &mut table);
    table.gap();
    for run in report.runs.iter().map(|compared| &compared.run) {
        let on = run.adapter.as_ref().map(|a| format!(" on {}", adapter(a))).unwrap_or_default();
        table.line(format!("  {:<12}{}{on}", run.backend, run.digest));
        for line in method::<C>(run) {
            table.line(format!("  {:<12}{line}", ""));
        }
    }
    table.gap();
    verdict(&report.runs, report.equal, &mut table);
    table.finish()
}

/// The text of a rerun.
pub fn rerun(report: &RerunReport) -> String {
    let mut table = Table::shown();
    table.heading(format!("tickless {}, model {}", report.version, report.model)).gap();
    table.row("result", escaped(&report.file));
    let RerunReport { expected, expected_backend, expected_version, .. } = report;
    table.row("expected", format!("{expected} ({expected_backend}, version {})", escaped(expected_version)));
    table.row("backend", report.backend);
    if let Some(description) = &report.adapter {
        table.row("adapter", adapter(description));
    }
    table.row("wall time", seconds(report.wall_seconds));
    table.row("found", &report.found).gap();
    match report.equal {
        None => table.styled(BAD, "  INTERRUPTED: there is nothing to compare"),
        Some(true) => table.styled(GOOD, "  equal: the run gave the same bits again"),
        Some(false) => table.styled(BAD, "  DIFFERENT: the run gave another digest"),
    };
    table.finish()
}

fn head<C: Case>(case: &C, origin: &Origin<C::Arguments>, parameters: &C::Parameters, table: &mut Table) {
    table.heading(format!("tickless {}, model {}", origin.version, origin.model)).gap();
    case.describe(parameters, table);
    if let Some(seed) = origin.seed {
        table.row("seed", seed.to_string());
    }
}

fn adapter(adapter: &AdapterDescription) -> String {
    format!("{}: {}", adapter.index, without_number(adapter))
}

fn without_number(adapter: &AdapterDescription) -> String {
    let int64 = if adapter.capabilities.int64 { "native 64-bit integers" } else { "64-bit times as two words" };
    format!("{}, {int64}", adapter.name)
}

fn counts<C: Case>(run: &RunReport<C::Figures>, table: &mut Table) {
    table.row(C::EVENTS, grouped(run.events));
    if let Some(rounds) = run.rounds {
        let each = run.events as f64 / rounds.max(1) as f64;
        let each = if each < 100.0 { short(each) } else { grouped(each.round() as u64) };
        table.row("rounds", format!("{}, {each} {} each", grouped(rounds), C::EVENTS));
    }
    let method = method::<C>(run);
    if !method.is_empty() {
        table.row("method", method.join("\n"));
    }
    let device = run.device_seconds.map(|time| format!(", {} of it on the device", seconds(time))).unwrap_or_default();
    table.row("wall time", format!("{}{device}", seconds(run.wall_seconds)));
    table.row("set-up", seconds(run.setup_seconds));
    table.row(&format!("{}/s", C::EVENTS), rate(run.events_per_second));
}

/// How the device ran it.
fn method<C: Case>(run: &RunReport<C::Figures>) -> Vec<String> {
    let side_by_side = match (run.ranks, run.threads) {
        (Some(ranks), threads) => {
            Some(format!("{}{}", counted(ranks.into(), "rank"), if threads.is_some() { ", a thread each" } else { "" }))
        }
        (None, threads) => threads.filter(|threads| *threads > 1).map(|threads| format!("{threads} threads")),
    };
    C::method(&run.figures).into_iter().chain(side_by_side).collect()
}

/// The runs of a comparison with their counts, and their rates.
fn rates<C: Case>(runs: &[ComparedRun<C::Figures>], table: &mut Table) {
    let mut columns = Columns::new(&[12, 13, 11, 11, 11, 15, 9]);
    let rates = format!("{}/s", C::EVENTS);
    let heads = ["backend", C::EVENTS, "rounds", "set-up", "wall time", &rates, "speed-up"];
    columns.heads(heads);
    for ComparedRun { run, speed_up, .. } in runs {
        columns.row([
            run.backend.clone(),
            grouped(run.events),
            run.rounds.map_or("-".into(), grouped),
            seconds(run.setup_seconds),
            seconds(run.wall_seconds),
            rate(run.events_per_second),
            speed_up.map_or("-".into(), |speed_up| format!("{}x", three(speed_up))),
        ]);
    }
    columns.write(table);
}

fn verdict<F>(runs: &[ComparedRun<F>], equal: Option<bool>, table: &mut Table) {
    match equal {
        None => table.styled(BAD, "  INTERRUPTED: there is nothing to compare"),
        Some(true) => table.styled(GOOD, "  equal: every backend gave the same bits"),
        Some(false) => {
            let first = runs.first().map_or("", |compared| compared.run.backend.as_str());
            for ComparedRun { run, difference, .. } in runs {
                if let Some(difference) = difference {
                    let place = escaped(&difference.to_string());
                    table.styled(BAD, format!("  DIFFERENT: {} from {first}, first at {place}", run.backend));
                }
            }
            table
        }
    };
}

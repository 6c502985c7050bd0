//! The text of `tickless phold`.

use super::report::{ComparePholdReport, KeptReport, PholdParameters, PholdReport};
use crate::cli::text::{Table, adapter, compared, counted, grouped, rate, seconds, short};

pub fn phold(report: &PholdReport) -> String {
    let mut table = Table::default();
    table.line(format!("tickless {}, model {}", report.version, report.model)).gap();
    parameters(&mut table, &report.parameters);
    table.row("seed", report.seed.to_string());
    table.row("backend", report.backend);
    if let Some(description) = &report.adapter {
        table.row("adapter", adapter(description));
    }
    if let Some(kept) = kept(&report.kept) {
        table.row("pending set", kept);
    }
    table.gap();
    if report.interrupted {
        let (clock, until) = (report.clock, report.parameters.until);
        // In full: with it as --until the run is the same.
        table.row("INTERRUPTED", format!("at time {clock} of {until}: the figures cover what happened before"));
    }
    counts(&mut table, report);
    table.gap();
    let figures = &report.statistics;
    if let Some(share) = figures.remote_share {
        table.row("remote share", format!("{} of the events sent to another process", short(share)));
    }
    let (mean, most) = (short(figures.mean_pending), grouped(figures.most_pending.into()));
    table.row("pending", format!("{}, {mean} a process in the mean, {most} at most", grouped(figures.pending)));
    if figures.idle > 0 {
        table.row("idle", format!("{} executed nothing", counted(figures.idle, "process")));
    }
    table.row("digest", &report.digest);
    table.finish()
}

/// The text of `tickless compare phold`.
pub fn compare_phold(report: &ComparePholdReport) -> String {
    let mut table = Table::default();
    table.line(format!("tickless {}, model {}", report.version, report.model)).gap();
    parameters(&mut table, &report.parameters);
    table.row("seed", report.seed.to_string()).gap();
    compared(&mut table, ["events", "events/s"], &report.runs, report.equal);
    table.finish()
}

fn parameters(table: &mut Table, parameters: &PholdParameters) {
    let PholdParameters { processes, population, events_at_start, lookahead, mean, remote, work, .. } = *parameters;
    table.row("processes", grouped(processes.into()));
    table.row(
        "at the start",
        format!("{} each = {}", counted(population.into(), "event"), grouped(events_at_start.into())),
    );
    table.row("increment", format!("{} + exponential:{}", short(lookahead), short(mean)));
    let share = short(100.0 * parameters.lookahead_share);
    table.row("", format!("mean {}, {share} % of it lookahead", short(parameters.mean_increment)));
    table.row(
        "destination",
        match remote {
            0.0 => "its own process".to_owned(),
            1.0 => "drawn of all processes".to_owned(),
            // In full where it would look like all.
            p if short(p) == "1" => format!("drawn of all processes with probability {p}, else its own"),
            p => format!("drawn of all processes with probability {}, else its own", short(p)),
        },
    );
    if work > 0 {
        table.row("work", format!("{} an event", counted(work.into(), "further draw")));
    }
    table.row("until", parameters.until.to_string());
}

fn counts(table: &mut Table, report: &PholdReport) {
    let ratio = short(report.statistics.expected_ratio);
    let events = grouped(report.events);
    table.row("events", format!("{events}, {ratio} of those expected"));
    if let Some(rounds) = report.rounds {
        let each = report.events as f64 / rounds.max(1) as f64;
        table.row("rounds", format!("{}, {} events each", grouped(rounds), grouped(each.round() as u64)));
    }
    let device = report.device_seconds.map(|time| format!(", {} of it on the device", seconds(time)));
    table.row("wall time", format!("{}{}", seconds(report.wall_seconds), device.unwrap_or_default()));
    table.row("set-up", seconds(report.setup_seconds));
    table.row("events/s", rate(report.events_per_second));
}

/// How events were kept on a device; nothing of the heap.
pub fn kept(report: &KeptReport) -> Option<String> {
    let (set, events) = (report.pending_set?, report.per_round?);
    let nodes = report.node_size.map(|size| format!(", nodes of {}", counted(size.into(), "event")));
    Some(format!("{set}, {events} of a process in a round{}", nodes.unwrap_or_default()))
}

//! The result of `tickless network` as people read it.

use super::distributions::DistributionsReport;
use super::figures::Estimates;
use super::precision::PrecisionReport;
use super::report::{Lists, NetworkFigures, NetworkParameters, StationReport};
use super::times::{Quantiles, VisitTimes};
use super::{NetworkArguments, NetworkCase};
use super::{classes, resources};
use crate::report::RunReport;
use crate::terminal::bar;
use crate::text::{Columns, Table, counted, counted_from, escaped, grouped, name, seconds, short, significant};
use tickless_queueing::Figures;
use tickless_queueing::gpu::{self, DevicePath};

/// Stations that the text lists, and sources, and sinks.
const LISTED: usize = 40;

/// The figures, and the tables of stations, sources and sinks.
pub fn tell<A>(case: &NetworkCase<A>, figures: &NetworkFigures, table: &mut Table) {
    if let Some(lists) = &figures.lists {
        lost_of_closed(case, lists, table);
        if let Some(all) = &lists.stations {
            stations(all, table);
            table.gap();
        }
        if let Some(all) = &lists.classes {
            classes::tell(all, LISTED, table);
        }
        if let Some(all) = &lists.resources {
            resources::tell(all, table);
        }
        if let Some(recorded) = &lists.distributions {
            distributions(recorded, table);
        }
    }
    of_all(&figures.statistics, table);
    if let Some(cost) = &figures.cost {
        let half = cost.half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
        table.row("cost", format!("{}{half} per time unit", short(cost.mean)));
    }
    if let Some(lists) = &figures.lists {
        ends(lists, table);
        let (present, in_transit) = (grouped(lists.tokens_present), grouped(lists.in_transit));
        if let Some(forks) = &lists.forks {
            table.row("copies", format!("{} made, {} joined", grouped(forks.copies), grouped(forks.joined)));
        }
        table.row("tokens present", format!("{present}, {in_transit} of them in transit"));
        let before = lists.losses_before;
        let before =
            if before > 0 { format!(", and {} before the counting began", grouped(before)) } else { "".into() };
        table.row("lost", format!("{}{before}", grouped(lists.losses)));
    }
    if let Some(errors) = figures.causality_errors {
        table.row("causality errors", grouped(errors));
    }
}

/// A network that nothing enters and that has lost tokens is another one than was described.
fn lost_of_closed<A>(case: &NetworkCase<A>, lists: &Lists, table: &mut Table) {
    let (model, before) = (&case.model, lists.losses_before);
    let lost = lists.losses + before;
    if lost > 0 && model.sources() == 0 && model.sinks() == 0 {
        let all = u64::from(model.tokens()) * case.replications as u64;
        let before = format!("{} before the counting began", grouped(before));
        let said = format!("{} of {}, {before}: the figures are those of what was left", grouped(lost), grouped(all));
        table.alarm("TOKENS LOST", said).gap();
    }
}

/// Where Ctrl-C came, and what the figures cover.
pub fn interruption(parameters: &NetworkParameters, run: &RunReport<NetworkFigures>) -> String {
    let NetworkParameters { until, replications, given_replications: given, .. } = *parameters;
    let count = grouped(replications as u64);
    let of = given.map(|given| format!(" of {}", grouped(given.into()))).unwrap_or_default();
    let at = format!("at time {} of {until}", run.clock);
    let whole = run.clock >= until;
    if run.figures.measured == 0.0 {
        return format!("{at}, before anything was measured: the figures are all 0");
    }
    match given {
        Some(given) if whole && given as usize == replications => {
            "in the pilot before the run: the figures are those of the whole run".into()
        }
        _ if whole => format!("after {count}{of} replications: the figures cover these"),
        Some(1) => format!("{at}: the figures cover what happened before"),
        _ if replications == 1 => {
            format!("{at} in the first{of} replications: the figures cover what happened before")
        }
        _ => format!("{at} in all {count} replications: the figures cover what happened before"),
    }
}

/// The parameters.
pub fn describe<A: NetworkArguments>(case: &NetworkCase<A>, parameters: &NetworkParameters, table: &mut Table) {
    let NetworkParameters { stations, sources, sinks, tokens, window, approximate, .. } = *parameters;
    let NetworkParameters { shifted_stations, until, warmup, first_replication: first, replications, .. } = *parameters;
    if let Some(file) = case.arguments.file() {
        table.row("file", escaped(&file.display().to_string()));
    }
    match &parameters.torus {
        None => {
            let ends = [counted(sources.into(), "source"), counted(sinks.into(), "sink")].join(", ");
            table.row("stations", format!("{}; {ends}", grouped(stations.into())));
            table.row("tokens at time 0", grouped(tokens.into()));
        }
        Some(torus) => torus.describe([stations, tokens], table),
    }
    let shifted = match shifted_stations {
        // It stands with the law of a torus.
        _ if parameters.torus.is_some() => String::new(),
        0 => String::new(),
        1 => ", which shifts the law of one station".into(),
        count => format!(", which shifts the laws of {} stations", grouped(count.into())),
    };
    let window = match window {
        None => "none needed: tokens leave after their first service".into(),
        Some(0.0) => "none".into(),
        Some(window) => format!("{}{shifted}", short(window)),
    };
    let of_classes = case.model.classes();
    let in_rounds = of_classes.is_empty() || gpu::path(&case.model, case.replications) != Ok(DevicePath::EventByEvent);
    if !of_classes.is_empty() {
        let names: Vec<String> = of_classes.iter().filter(|class| !class.is_empty()).map(|class| name(class)).collect();
        let names = if names.is_empty() { "one".into() } else { names.join(", ") };
        table.row("classes", if in_rounds { names } else { format!("{names}; event by event") });
    }
    if let Some(interval) = approximate {
        table.row("approximate time", format!("multiples of {}", short(interval)));
    } else if in_rounds {
        table.row("window", window);
    }
    let counted = match warmup {
        Some(0.0) => String::new(),
        Some(warmup) => format!(", counted from {warmup} on"),
        None => ", counted from 0 on: the pilot did not find a warm-up".into(),
    };
    table.row("until", format!("{until}{counted}"));
    if let Some(report) = case.pilot.report.filter(|_| case.pilot.asked) {
        let (count, time) = (grouped(report.replications.into()), seconds(report.wall_seconds));
        table.row("pilot", format!("{count} replications on the heap in {time}, before the run"));
    }
    let count = counted_from(replications as u64, first);
    if replications == 1 && first > 0 {
        table.row("replications", count);
    } else if replications > 1 {
        let what = "figures are of all together, ± half of the 95 % interval below; counts are sums";
        table.row("replications", format!("{count}: {what}"));
    }
    if let Some(PrecisionReport { asked, reached: Some(reached), .. }) = &case.reached {
        table.row("precision", format!("{}, {} asked", significant(*reached, 3), significant(*asked, 3)));
    }
}

/// The columns of the table of stations, and their least widths.
const COLUMNS: [(&str, usize); 13] = [
    ("station", 15),
    ("servers", 7),
    ("utilization", 11),
    SCHEDULED,
    ("busy", 9),
    ("throughput", 10),
    ("present", 9),
    ("waiting time", 12),
    BLOCKED,
    JOINING,
    ("system time", 11),
    ("lost", 6),
    BAR,
];
/// Where servers go by shifts; where tokens wait for room elsewhere; where siblings are joined.
const SCHEDULED: (&str, usize) = ("scheduled", 9);
const BLOCKED: (&str, usize) = ("blocked", 8);
const JOINING: (&str, usize) = ("joining", 8);
/// Where there is room for one.
const BAR: (&str, usize) = ("", 8);

fn stations(all: &[StationReport], table: &mut Table) {
    let any = |of: fn(&Figures) -> Option<f64>| all.iter().take(LISTED).any(|one| of(&one.figures.means).is_some());
    let lacking = [
        (SCHEDULED, any(|means| means.scheduled_utilization)),
        (BLOCKED, any(|means| means.mean_blocked_time)),
        (JOINING, any(|means| means.mean_joining_time)),
    ];
    let shown = COLUMNS.into_iter().filter(|column| !lacking.contains(&(*column, false)));
    let width: usize = shown.clone().map(|(_, width)| width + 1).sum();
    let has_bars = table.columns().is_some_and(|columns| columns > width);
    let shown: Vec<_> = shown.filter(|column| *column != BAR || has_bars).collect();
    let mut columns = Columns::new(&shown.iter().map(|(_, width)| *width).collect::<Vec<_>>());
    columns.heads(shown.iter().map(|(head, _)| head));
    for row in all.iter().take(LISTED).flat_map(rows) {
        columns.row(COLUMNS.iter().zip(row).filter(|(column, _)| shown.contains(column)).map(|(_, cell)| cell));
    }
    and_more(&mut columns, all.len());
    columns.write(table);
}

/// The cells of a station, and below them those of its half widths.
fn rows(station: &StationReport) -> Vec<[String; COLUMNS.len()]> {
    let cells = |f: &Figures<String>, [name, servers, lost, bar]: [String; 4]| {
        let or_empty = |cell: &Option<String>| cell.clone().unwrap_or_default();
        let [utilization, scheduled, blocked, joining] =
            [&f.utilization, &f.scheduled_utilization, &f.mean_blocked_time, &f.mean_joining_time].map(or_empty);
        let [busy, throughput, present, waiting, system] =
            [&f.mean_busy, &f.throughput, &f.mean_present, &f.mean_waiting_time, &f.mean_system_time].map(Clone::clone);
        [name, servers, utilization, scheduled, busy, throughput, present, waiting, blocked, joining, system, lost, bar]
    };
    let means = &station.figures.means;
    let servers = station.servers.map_or("inf".into(), |servers| grouped(servers.into()));
    let bar = means.utilization.map(|share| bar(share, BAR.1)).unwrap_or_default();
    let mut shown = means.map(|mean| short(*mean));
    let optional = [
        &mut shown.utilization,
        &mut shown.scheduled_utilization,
        &mut shown.mean_blocked_time,
        &mut shown.mean_joining_time,
    ];
    for cell in optional {
        cell.get_or_insert("-".into());
    }
    let mut rows = vec![cells(&shown, [name(&station.station), servers, grouped(station.losses), bar])];
    if let Some(half) = &station.figures.half_widths {
        let shown = half.map(|half| half.map(sure_to).unwrap_or_default());
        rows.push(cells(&shown, [const { String::new() }; 4]));
    }
    rows
}

/// The figures of all stations together.
fn of_all(statistics: &Estimates, table: &mut Table) {
    let (means, half) = (&statistics.means, statistics.half_widths.as_ref());
    let sure = |value: f64, half: Option<f64>| match half {
        Some(half) => format!("{} {}", short(value), sure_to(half)),
        None => short(value),
    };
    let share = means.utilization.map(|share| sure(share, half.and_then(|half| half.utilization.flatten())));
    table.row("utilization", share.unwrap_or("-".into()));
    table.row("busy servers", sure(means.mean_busy, half.and_then(|half| half.mean_busy)));
    table.row("throughput", format!("{} per time unit", sure(means.throughput, half.and_then(|half| half.throughput))));
    table.row("waiting time", sure(means.mean_waiting_time, half.and_then(|half| half.mean_waiting_time)));
    for (what, mean, half) in [
        ("blocked", means.mean_blocked_time, half.and_then(|half| half.mean_blocked_time.flatten())),
        ("joining", means.mean_joining_time, half.and_then(|half| half.mean_joining_time.flatten())),
    ] {
        if let Some(mean) = mean {
            table.row(what, sure(mean, half));
        }
    }
    table.row("system time", sure(means.mean_system_time, half.and_then(|half| half.mean_system_time)));
}

/// What half, 90, 95 and 99 of a hundred visits do not exceed.
fn distributions(recorded: &DistributionsReport, table: &mut Table) {
    let mut columns = Columns::new(&[17, 6, 8, 9, 7, 7, 7, 11, 7, 7, 7]);
    let heads =
        |of| [of, "most", "no wait", "wait 50 %", "90 %", "95 %", "99 %", "system 50 %", "90 %", "95 %", "99 %"];
    columns.heads(heads("station"));
    for station in recorded.stations.iter().take(LISTED) {
        let most = grouped(station.most_present as u64);
        columns.row(quantile_row(name(&station.station), most, &station.times));
    }
    and_more(&mut columns, recorded.stations.len());
    // A table of its own: a station may have any name.
    let all = recorded.network.as_ref().filter(|_| recorded.stations.len() > 1);
    let all = all.map(|all| quantile_row("all visits".into(), String::new(), all).collect());
    let left = recorded.sinks.iter().take(LISTED).filter(|sink| sink.time_in_network.is_some());
    let left = left.map(|sink| {
        let first = [format!("until {}", name(&sink.sink)), String::new(), String::new()];
        first.into_iter().chain([const { String::new() }; 4]).chain(means(&sink.time_in_network)).collect()
    });
    let network: Vec<Vec<String>> = all.into_iter().chain(left).collect();
    if !network.is_empty() {
        columns.line("");
        columns.heads(heads("network"));
        network.into_iter().for_each(|row| columns.row(row));
    }
    columns.write(table);
    table.gap();
    distributions_of_classes(recorded, table);
}

/// The same of each class that has come to a station or left by a sink.
fn distributions_of_classes(recorded: &DistributionsReport, table: &mut Table) {
    let stations = recorded.stations.iter().flat_map(|station| {
        let came = station.classes.iter().flatten().filter(|class| class.most_present > 0);
        came.map(|class| {
            let most = grouped(class.most_present as u64);
            let row = quantile_row(name(&class.class), most, &class.times);
            [name(&station.station)].into_iter().chain(row).collect::<Vec<_>>()
        })
    });
    let sinks = recorded.sinks.iter().flat_map(|sink| {
        let left = sink.classes.iter().flatten().filter(|class| class.time_in_network.is_some());
        left.map(|class| {
            let first = [format!("until {}", name(&sink.sink)), name(&class.class)];
            let empty = [const { String::new() }; 6];
            first.into_iter().chain(empty).chain(means(&class.time_in_network)).collect()
        })
    });
    let rows: Vec<Vec<String>> = stations.chain(sinks).collect();
    if rows.is_empty() {
        return;
    }
    let mut columns = Columns::new(&[17, 14, 6, 8, 9, 7, 7, 7, 11, 7, 7, 7]);
    let quantiles = ["wait 50 %", "90 %", "95 %", "99 %", "system 50 %", "90 %", "95 %", "99 %"];
    columns.heads(["station", "class", "most", "no wait"].into_iter().chain(quantiles));
    let more = rows.len().saturating_sub(LISTED);
    rows.into_iter().take(LISTED).for_each(|row| columns.row(row));
    if more > 0 {
        columns.line(format!("and {} more: --classes FILE writes them all", grouped(more as u64)));
    }
    columns.write(table);
    table.gap();
}

fn ends(lists: &Lists, table: &mut Table) {
    for source in lists.sources.iter().take(LISTED) {
        table.row(&name(&source.source), format!("sent {}", grouped(source.tokens)));
    }
    for sink in lists.sinks.iter().take(LISTED) {
        let time = sink.mean_time_in_network.map(|time| format!(", after {} in the network", short(time)));
        table.row(&name(&sink.sink), format!("took {}{}", grouped(sink.tokens), time.unwrap_or_default()));
    }
    let more = lists.sources.len().saturating_sub(LISTED) + lists.sinks.len().saturating_sub(LISTED);
    if more > 0 {
        table.line(format!("  and {} more sources and sinks: --format json has them all", grouped(more as u64)));
    }
    table.gap();
}

/// Half of an interval, in three digits: more would say nothing.
fn sure_to(half: f64) -> String {
    format!("± {}", significant(half, 3))
}

/// How many stations are left out, if any are.
fn and_more(columns: &mut Columns, all: usize) {
    if all > LISTED {
        columns.line(format!("and {} more: --stations FILE writes them all", grouped((all - LISTED) as u64)));
    }
}

fn quantile_row(name: String, most: String, times: &VisitTimes) -> impl Iterator<Item = String> {
    let no_wait = times.no_wait.map(|share| format!("{} %", significant(100.0 * share.mean, 4))).unwrap_or_default();
    [name, most, no_wait].into_iter().chain(means(&times.waiting_time)).chain(means(&times.system_time))
}

fn means(quantiles: &Option<Quantiles>) -> [String; 4] {
    let means = quantiles.as_ref().map(|q| [q.median, q.p90, q.p95, q.p99].map(|estimate| short(estimate.mean)));
    means.unwrap_or_default()
}

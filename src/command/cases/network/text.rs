//! The result of `tickless network` as text for people.

use std::borrow::Cow;

use super::distributions::DistributionsReport;
use super::figures::{Estimates, Shown};
use super::jmt;
use super::places::{ClassReport, CostReport, GroupReport, ResourceReport, StationReport};
use super::precision::PrecisionReport;
use super::report::{Lists, NetworkFigures, NetworkParameters};
use super::targets;
use super::times::{self, Quantiles, TIMES, VisitTimes};
use super::{NetworkArguments, NetworkCase};
use crate::figures::{Declared, Said, columns_of, sure_to};
use crate::report::RunReport;
use crate::terminal::bar;
use crate::text::{Columns, Table, counted, counted_from, escaped, grouped, name, seconds, short, significant};
use tickless_queueing::Words;
use tickless_queueing::figures::{COST, Printed, Unit};
use tickless_queueing::gpu::{self, DevicePath};

/// The most stations, sources and sinks that the text lists.
const LISTED: usize = 40;

/// The answers, the figures, and the tables of stations, sources and sinks.
pub fn tell<A>(case: &NetworkCase<A>, answers: &[(&str, String)], figures: &NetworkFigures, table: &mut Table) {
    answers.iter().for_each(|(heading, text)| _ = table.row(heading, text));
    if !answers.is_empty() {
        table.gap();
    }
    if let Some(lists) = &figures.lists {
        lost_of_closed(case, lists, table);
        if let Some(all) = &lists.stations {
            stations(all, table);
        }
        if let Some(all) = &lists.classes {
            classes(all, table);
        }
        if let Some(all) = &lists.resources {
            resources(all, table);
        }
        if let Some(all) = &lists.groups {
            groups(all, table);
        }
        if let Some(all) = &lists.targets {
            targets::tell(all, table);
        }
        if let Some(recorded) = &lists.distributions {
            distributions(recorded, times::shares(&case.model), table);
        }
    }
    of_all(case.model.words(), &figures.statistics, figures.cost, table);
    if let Some(lists) = &figures.lists {
        ends(lists, table);
        lists.forks.iter().for_each(|forks| forks.tell(table));
        lists.tokens.tell(table);
        lists.jmt.iter().for_each(|found| jmt::tell(found, table));
    }
    if let Some(errors) = figures.causality_errors {
        table.row("causality errors", grouped(errors));
    }
}

/// A warning about a closed network that has lost tokens, so that it is not the described one any more.
fn lost_of_closed<A>(case: &NetworkCase<A>, lists: &Lists, table: &mut Table) {
    let (model, before) = (&case.model, lists.tokens.losses_before);
    let all = u64::from(model.tokens()) * case.replications as u64;
    // Who finds no room may have another place to go.
    let lost = (lists.tokens.losses + before).min(all.saturating_sub(lists.tokens.tokens_present));
    if lost > 0 && model.sources() == 0 && model.sinks() == 0 {
        let before = format!("{} before the counting began", grouped(before));
        let said = format!("{} of {}, {before}: the figures are those of what was left", grouped(lost), grouped(all));
        table.alarm("TOKENS LOST", said).gap();
    }
}

/// The clock of an interruption, and the replications that the figures cover.
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
    if case.batches > 0 {
        let what = "of one length, as if each were a replication: ± half of the 95 % interval below";
        table.row("batch means", format!("{} batches {what}", case.batches));
    }
    if let Some(PrecisionReport { asked, reached: Some(reached), .. }) = &case.reached {
        table.row("precision", format!("{}, {} asked", significant(*reached, 3), significant(*asked, 3)));
    }
}

/// The columns of a bar, where there is room for one.
const BAR: usize = 8;

/// A row of a table: its names, and its figures between two lists of counts.
struct Row<'a> {
    names: Vec<String>,
    before: Vec<Said>,
    figures: Option<&'a Estimates>,
    counts: Vec<Said>,
    /// The value of its bar.
    share: Option<f64>,
}

/// A table of these rows with the figures that any row has, and below each row its half widths.
fn listed(names: &[&str], printed: Printed, rows: &[Row<'_>], table: &Table) -> Columns {
    let figures = |row: &Row<'_>| row.figures.map_or(vec![], |figures| figures.printed(printed));
    let all: Vec<Vec<Shown>> = rows.iter().map(figures).collect();
    // A share of tokens that is 0 in every row says nothing.
    let says = |(figure, mean, _): &Shown| mean.is_some_and(|mean| mean != 0.0 || figure.unit != Unit::Probability);
    let has = |place: &usize| all.iter().any(|row| says(&row[*place]));
    let places: Vec<usize> = (0..all.first().map_or(0, Vec::len)).filter(has).collect();
    let mut heads: Vec<&str> = vec![];
    if let Some((row, figures)) = rows.iter().zip(&all).next() {
        heads.extend(row.before.iter().map(|(head, _)| &**head));
        heads.extend(places.iter().map(|place| figures[*place].0.label));
        heads.extend(row.counts.iter().map(|(head, _)| &**head));
    }
    let room = columns_of(names, &heads).width() + BAR + 1;
    let has_bars = rows.iter().any(|row| row.share.is_some()) && table.columns().is_some_and(|columns| columns > room);
    heads.extend(has_bars.then_some(""));
    let mut columns = columns_of(names, &heads);
    for (row, figures) in rows.iter().zip(&all) {
        let cell = |(_, cell): &Said| cell.clone();
        let shown = |place: &usize| figures[*place].1.map_or("-".into(), short);
        let before = row.names.iter().cloned().chain(row.before.iter().map(cell));
        let bar = row.share.filter(|_| has_bars).map(|share| bar(share, BAR));
        columns.row(before.chain(places.iter().map(shown)).chain(row.counts.iter().map(cell)).chain(bar));
        if row.figures.is_some_and(|figures| figures.half_widths.is_some()) {
            let empty = [const { String::new() }].into_iter().cycle().take(row.names.len() + row.before.len());
            columns.row(empty.chain(places.iter().map(|place| figures[*place].2.map(sure_to).unwrap_or_default())));
        }
    }
    columns
}

fn stations(all: &[StationReport], table: &mut Table) {
    fn row(station: &StationReport) -> Row<'_> {
        Row {
            names: vec![name(&station.station)],
            before: vec![("servers".into(), station.servers.map_or("inf".into(), |servers| grouped(servers.into())))],
            figures: Some(&station.figures),
            counts: station.counts.rows(),
            share: station.figures.means.utilization,
        }
    }
    let rows: Vec<_> = all.iter().take(LISTED).map(row).collect();
    let mut columns = listed(&["station"], Printed::Stations, &rows, table);
    and_more(&mut columns, all.len(), "--stations");
    columns.write(table);
    table.gap();
}

/// The classes that have come to each station.
fn classes(all: &[ClassReport], table: &mut Table) {
    let came = |class: &&ClassReport| class.counts.arrivals > 0 || class.figures.means.mean_present > 0.0;
    fn row(class: &ClassReport) -> Row<'_> {
        Row {
            names: vec![name(&class.station), name(&class.class)],
            before: vec![],
            figures: Some(&class.figures),
            counts: class.own.rows(),
            share: None,
        }
    }
    let rows: Vec<_> = all.iter().filter(came).take(LISTED).map(row).collect();
    let mut columns = listed(&["station", "class"], Printed::Classes, &rows, table);
    and_more(&mut columns, all.iter().filter(came).count(), "--classes");
    columns.write(table);
    table.gap();
}

/// What is counted, by the heads of its columns.
type Counts = Vec<(Cow<'static, str>, String)>;

fn resources(all: &[ResourceReport], table: &mut Table) {
    let counts = with_all_columns(all.iter().map(|resource| resource.counts.rows()).collect());
    let row = |(resource, counts): (&ResourceReport, Counts)| Row {
        names: vec![name(&resource.resource)],
        before: vec![("units".into(), grouped(resource.units.into()))],
        figures: None,
        counts,
        share: None,
    };
    let rows: Vec<_> = all.iter().zip(counts).map(row).collect();
    listed(&["resource"], Printed::Stations, &rows, table).write(table);
    table.gap();
}

fn groups(all: &[GroupReport], table: &mut Table) {
    let counts = with_all_columns(all.iter().map(|group| group.counts.rows()).collect());
    let row = |(group, counts): (&GroupReport, Counts)| {
        let names = vec![name(&group.station), name(&group.group)];
        Row { names, before: vec![], figures: None, counts, share: None }
    };
    let rows: Vec<_> = all.iter().zip(counts).take(LISTED).map(row).collect();
    let mut columns = listed(&["station", "servers"], Printed::Stations, &rows, table);
    and_more(&mut columns, all.len(), "--format json");
    columns.write(table);
    table.gap();
}

/// Rows of counts, with a dash in the last columns, which some lack.
fn with_all_columns(mut rows: Vec<Counts>) -> Vec<Counts> {
    let most = rows.iter().max_by_key(|row| row.len()).cloned().unwrap_or_default();
    for row in &mut rows {
        row.extend(most.iter().skip(row.len()).map(|(head, _)| (head.clone(), "-".into())).collect::<Vec<_>>());
    }
    rows
}

/// The figures of all stations together, and their costs.
fn of_all(words: &Words, statistics: &Estimates, cost: Option<CostReport>, table: &mut Table) {
    let cost = cost.map(|cost| (COST, Some(cost.mean), cost.half_width));
    for (figure, mean, half) in statistics.printed(Printed::Network).into_iter().chain(cost) {
        let unit = match figure.unit {
            _ if figure.key == COST.key => format!(" {}", words.of_cost()),
            Unit::Rate => format!(" per {}", words.time_unit()),
            _ => String::new(),
        };
        let half = half.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
        mean.into_iter().for_each(|mean| _ = table.row(figure.label, format!("{}{half}{unit}", short(mean))));
    }
}

/// The places of the times that a table has, and the shares of their quantiles.
type Columned<'a> = (&'a [usize], &'a [f64]);

/// The headings of the columns of times, after names and the other columns.
fn heads<'a>(names: &[&'a str], (times, shares): Columned<'_>) -> Vec<Cow<'a, str>> {
    let percent =
        |share: f64| if share < 1.0 { format!("{} %", significant(100.0 * share, 6)) } else { "longest".into() };
    let times = times.iter().map(|place| &TIMES[*place]).flat_map(|time| {
        let first = shares.first().map(|share| format!("{} {}", time.label, percent(*share)).into());
        first.into_iter().chain(shares.iter().skip(1).map(|share| percent(*share).into()))
    });
    names.iter().map(|name| Cow::Borrowed(*name)).chain(["most".into(), "no wait".into()]).chain(times).collect()
}

/// The places of the times that the table shows: waiting and system times, and other times that some token has.
fn shown(recorded: &DistributionsReport) -> Vec<usize> {
    let is_spent = |place: usize| recorded.stations.iter().any(|station| station.times.all()[place].is_some());
    (0..TIMES.len()).filter(|place| *place < 2 || is_spent(*place)).collect()
}

/// A table of times below these heads.
fn of_times(widths: &[usize], heads: &[Cow<'_, str>]) -> Columns {
    let others = heads.iter().skip(widths.len()).map(|head| head.chars().count().max(7));
    let mut columns = Columns::new(&widths.iter().copied().chain(others).collect::<Vec<_>>());
    columns.heads(heads);
    columns
}

/// What such shares of visits do not exceed.
fn distributions(recorded: &DistributionsReport, shares: &[f64], table: &mut Table) {
    let shown: Columned<'_> = (&shown(recorded), shares);
    let mut columns = of_times(&[17, 6, 8], &heads(&["station"], shown));
    for station in recorded.stations.iter().take(LISTED) {
        let most = grouped(station.most_present as u64);
        columns.row(quantile_row(name(&station.station), most, (&station.times, shown)));
    }
    and_more(&mut columns, recorded.stations.len(), "--stations");
    // A table of its own: a station may have any name.
    let all = recorded.network.as_ref().filter(|_| recorded.stations.len() > 1);
    let all = all.map(|all| quantile_row("all visits".into(), String::new(), (all, shown)).collect());
    let left = recorded.sinks.iter().take(LISTED).filter(|sink| sink.time_in_network.is_some());
    let left = left.map(|sink| {
        time_in_network(vec![until(&sink.sink), String::new()], sink.time_in_network.as_ref(), shares.len())
    });
    let network: Vec<Vec<String>> = all.into_iter().chain(left).collect();
    if !network.is_empty() {
        columns.line("");
        columns.heads(heads(&["network"], shown));
        network.into_iter().for_each(|row| columns.row(row));
    }
    columns.write(table);
    table.gap();
    distributions_of_classes(recorded, shown, table);
}

/// The same of each class that has come to a station or left by a sink.
fn distributions_of_classes(recorded: &DistributionsReport, shown: Columned<'_>, table: &mut Table) {
    let stations = recorded.stations.iter().flat_map(|station| {
        let came = station.classes.iter().flatten().filter(|class| class.most_present > 0);
        came.map(|class| {
            let most = grouped(class.most_present as u64);
            let row = quantile_row(name(&class.class), most, (&class.times, shown));
            [name(&station.station)].into_iter().chain(row).collect::<Vec<_>>()
        })
    });
    let sinks = recorded.sinks.iter().flat_map(|sink| {
        let left = sink.classes.iter().flatten().filter(|class| class.time_in_network.is_some());
        left.map(|class| {
            let names = vec![until(&sink.sink), name(&class.class), String::new()];
            time_in_network(names, class.time_in_network.as_ref(), shown.1.len())
        })
    });
    let rows: Vec<Vec<String>> = stations.chain(sinks).collect();
    if rows.is_empty() {
        return;
    }
    let mut columns = of_times(&[17, 14, 6, 8], &heads(&["station", "class"], shown));
    let count = rows.len();
    rows.into_iter().take(LISTED).for_each(|row| columns.row(row));
    and_more(&mut columns, count, "--classes");
    columns.write(table);
    table.gap();
}

fn ends(lists: &Lists, table: &mut Table) {
    let text = |figures: &dyn Declared| figures.rows().into_iter().map(|(_, text)| text).collect::<String>();
    for source in lists.sources.iter().take(LISTED) {
        table.row(&name(&source.source), text(&source.counts));
    }
    for sink in lists.sinks.iter().take(LISTED) {
        table.row(&name(&sink.sink), text(&sink.counts));
    }
    let more = lists.sources.len().saturating_sub(LISTED) + lists.sinks.len().saturating_sub(LISTED);
    if more > 0 {
        table.line(format!("  and {} more sources and sinks: --format json has them all", grouped(more as u64)));
    }
    table.gap();
}

/// The number of lines left out, if any, and the option whose file has them.
fn and_more(columns: &mut Columns, all: usize, option: &str) {
    if all > LISTED {
        columns.line(format!("and {} more: {option} FILE writes them all", grouped((all - LISTED) as u64)));
    }
}

pub fn until(sink: &str) -> String {
    format!("until {}", name(sink))
}

fn quantile_row<'a>(
    name: String,
    most: String,
    (times, (shown, shares)): (&'a VisitTimes, Columned<'a>),
) -> impl Iterator<Item = String> {
    let no_wait = times.no_wait.map(|share| format!("{} %", significant(100.0 * share.mean, 4))).unwrap_or_default();
    let all = times.all();
    let count = shares.len();
    [name, most, no_wait].into_iter().chain(shown.iter().flat_map(move |place| quantiles(all[*place], count)))
}

/// A row with names and the time in the network, which stands below the system times.
fn time_in_network(mut row: Vec<String>, time: Option<&Quantiles>, count: usize) -> Vec<String> {
    row.resize(row.len() + 1 + count, String::new());
    row.extend(quantiles(time, count));
    row
}

fn quantiles(found: Option<&Quantiles>, count: usize) -> Vec<String> {
    let shown = |found: &Quantiles| found.shown().into_iter().map(|(_, time)| short(time.mean)).collect();
    found.map_or_else(|| vec![String::new(); count], shown)
}

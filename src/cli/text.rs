//! Results as people read them: one value a line, numbers in groups of three.

mod columns;

use std::fmt::{Display, Write as _};

use super::json::{
    AppointmentsReport, CompareNetworkReport, CompareReport, ComparedRun, ModelReport, Parameters, RunReport,
    TorusReport,
};
use super::phold;
use super::warning::Warning;
use crate::device::AdapterDescription;
use crate::number::named;
pub use columns::{Columns, escaped, name};

/// Lines of a name and a value.
#[derive(Default)]
pub struct Table(String);

impl Table {
    /// A line; further lines of the value are indented below it.
    pub fn row(&mut self, name: &str, value: impl AsRef<str>) -> &mut Self {
        for (line, text) in value.as_ref().lines().enumerate() {
            let name = if line == 0 { name } else { "" };
            let _ = writeln!(self.0, "  {name:<16} {text}");
        }
        self
    }

    /// An empty line.
    pub fn gap(&mut self) -> &mut Self {
        self.0.push('\n');
        self
    }

    /// A line of its own.
    pub fn line(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.0.push_str(text.as_ref());
        self.gap()
    }

    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// The text of `tickless torus`.
pub fn torus(report: &TorusReport) -> String {
    let mut table = Table::default();
    model(&mut table, &report.model, &report.warnings);
    let run = &report.run;
    table.row("backend", run.backend);
    if let Some(description) = &run.adapter {
        table.row("adapter", adapter(description));
    }
    table.gap();
    if run.interrupted {
        let (clock, until) = (run.clock, report.model.parameters.until);
        table.row("INTERRUPTED", format!("at time {clock:.3} of {until}: the figures cover what happened before"));
    }
    counts(&mut table, run);
    table.gap();
    figures(&mut table, &report.model.parameters, run);
    if let Some(errors) = report.causality_errors {
        table.row("causality errors", grouped(errors));
    }
    table.row("digest", &run.digest);
    table.finish()
}

fn model(table: &mut Table, report: &ModelReport, warnings: &[Warning]) {
    let Parameters { width, height, facilities, tokens_per_facility, tokens, .. } = report.parameters;
    let parameters = &report.parameters;
    table.line(format!("tickless {}, model {}", report.version, report.model)).gap();
    table.row("facilities", format!("{width} x {height} = {}", grouped(facilities.into())));
    table.row("tokens", format!("{} each = {}", grouped(tokens_per_facility.into()), grouped(tokens.into())));
    table.row("service time S", format!("{}, mean {}", parameters.service, parameters.mean_service_time));
    if let Some(law) = &parameters.effective_service {
        table.row("shifted to", format!("{law}{}", cost(warnings)));
    }
    match parameters.approximate {
        Some(interval) => table.row("approximate time", format!("multiples of {}", short(interval))),
        None if parameters.window > 0.0 => table.row("window", short(parameters.window)),
        None => table.row("window", "none"),
    };
    let warmup =
        if parameters.warmup > 0.0 { format!(", counted from {} on", parameters.warmup) } else { String::new() };
    table.row("until", format!("{}{warmup}", parameters.until));
    table.row("seed", report.seed.to_string());
}

/// What the shift costs, behind the shifted law.
fn cost(warnings: &[Warning]) -> String {
    let text = |warning: &Warning| match warning {
        Warning::ShiftedLaw { coefficient_of_variation: now, unshifted_coefficient_of_variation: before, .. } => Some(
            format!("\nthe mean stays, the coefficient of variation is {} instead of {}", short(*now), short(*before)),
        ),
        _ => None,
    };
    warnings.iter().find_map(text).unwrap_or_default()
}

pub fn adapter(adapter: &AdapterDescription) -> String {
    let int64 = if adapter.capabilities.int64 { "native 64-bit integers" } else { "64-bit times as two words" };
    format!("{}: {}, {int64}", adapter.index, adapter.name)
}

/// By appointments, how many of the stations had something to do in a round, and how far their times were apart.
pub fn appointments(table: &mut Table, report: Option<&AppointmentsReport>, stations: &str) {
    if let Some(AppointmentsReport { working, drift }) = report {
        let percent = short(100.0 * working);
        table.row(
            "appointments",
            format!("{percent} % of the {stations} at work in a round, up to {} apart", short(*drift)),
        );
    }
}

fn counts(table: &mut Table, run: &RunReport) {
    table.row("events", grouped(run.events));
    if let (Some(rounds), Some(each)) = (run.rounds, run.events_per_round()) {
        table.row("rounds", format!("{}, {} events each", grouped(rounds), grouped(each.round() as u64)));
    }
    appointments(table, run.appointments.as_ref(), "facilities");
    let device = run.device_seconds.map(|time| format!(", {} of it on the device", seconds(time))).unwrap_or_default();
    table.row("wall time", format!("{}{device}", seconds(run.wall_seconds)));
    table.row("set-up", seconds(run.setup_seconds));
    table.row("completions/s", rate(run.completions_per_second));
}

fn figures(table: &mut Table, parameters: &Parameters, run: &RunReport) {
    let statistics = &run.statistics;
    table.row("utilization", short(statistics.utilization));
    let each = statistics.throughput / f64::from(parameters.facilities.max(1));
    table.row("throughput", format!("{} per time unit, {} a facility", short(statistics.throughput), short(each)));
    table.row("waiting time", short(statistics.mean_waiting_time));
    table.row("system time", short(statistics.mean_system_time));
}

/// The text of `tickless compare torus`.
pub fn compare(report: &CompareReport) -> String {
    let mut table = Table::default();
    model(&mut table, &report.model, &report.warnings);
    table.gap();
    compared(&mut table, ["events", "completions/s"], &report.runs, report.equal);
    table.finish()
}

/// The text of `tickless compare network`.
pub fn compare_network(report: &CompareNetworkReport) -> String {
    let mut table = Table::default();
    let parameters = &report.parameters;
    table.line(format!("tickless {}, model {}", report.version, report.model)).gap();
    table.row("file", escaped(&report.file));
    table.row("stations", grouped(parameters.stations.into()));
    table.row("until", format!("{}, counted from {} on", parameters.until, parameters.warmup.unwrap_or(0.0)));
    table.row("replications", grouped(parameters.replications as u64));
    table.row("seed", report.seed.to_string()).gap();
    compared(&mut table, ["events", "completions/s"], &report.runs, report.equal);
    table.finish()
}

/// The runs of a comparison with what they counted and the rates of it, by these names, their digests and the verdict.
pub fn compared<S, D: Display>(
    table: &mut Table,
    [counted, rate_of_it]: [&str; 2],
    runs: &[ComparedRun<S, D>],
    equal: Option<bool>,
) {
    let mut columns = Columns::new(&[12, 13, 11, 11, 11, 15, 9]);
    let heads = ["backend", counted, "rounds", "set-up", "wall time", rate_of_it, "speed-up"];
    columns.row(heads.map(str::to_owned));
    for ComparedRun { run, speed_up, .. } in runs {
        columns.row([
            run.backend.to_owned(),
            grouped(run.events),
            run.rounds.map_or("-".into(), grouped),
            seconds(run.setup_seconds),
            seconds(run.wall_seconds),
            rate(run.completions_per_second),
            speed_up.map_or("-".into(), |speed_up| format!("{}x", three(speed_up))),
        ]);
    }
    columns.write(table);
    table.gap();
    for run in runs.iter().map(|compared| &compared.run) {
        let on = run.adapter.as_ref().map(|a| format!(" on {}", adapter(a))).unwrap_or_default();
        table.line(format!("  {:<12}{}{on}", run.backend, run.digest));
        if let Some(line) = run.kept.as_ref().and_then(phold::text::kept) {
            table.line(format!("  {:<12}{line}", ""));
        }
    }
    table.gap();
    verdict(table, runs, equal);
}

fn verdict<S, D: Display>(table: &mut Table, runs: &[ComparedRun<S, D>], equal: Option<bool>) {
    match equal {
        None => table.line("  INTERRUPTED: there is nothing to compare"),
        Some(true) => table.line("  equal: every backend gave the same bits"),
        Some(false) => {
            let first = runs.first().map_or("", |compared| compared.run.backend);
            for ComparedRun { run, difference, .. } in runs {
                if let Some(difference) = difference {
                    let place = escaped(&difference.to_string());
                    table.line(format!("  DIFFERENT: {} from {first}, first at {place}", run.backend));
                }
            }
            table
        }
    };
}

/// `1 event` and `1,234 events`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {}", grouped(number), named(number, what))
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three digits that count, and a prefix.
pub fn rate(per_second: f64) -> String {
    let (value, prefix) = match per_second {
        x if x >= 1e9 => (x / 1e9, " G"),
        x if x >= 1e6 => (x / 1e6, " M"),
        x if x >= 1e3 => (x / 1e3, " k"),
        x => (x, ""),
    };
    format!("{}{prefix}", three(value))
}

/// A span of wall-clock time.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 3600.0 => format!("{:.0} h {:02.0} min", (s / 3600.0).floor(), (s % 3600.0 / 60.0).floor()),
        s if s >= 60.0 => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), (s % 60.0).floor()),
        s if s >= 0.9995 => format!("{} s", three(s)),
        s if s >= 0.9995e-3 => format!("{} ms", three(s * 1e3)),
        s => format!("{} us", three(s * 1e6)),
    }
}

/// Three digits that count; below a tenth without idle zeros.
fn three(value: f64) -> String {
    if value > 0.0 && value < 0.1 {
        return significant(value, 3);
    }
    let decimals = if value >= 100.0 { 0 } else { 2 - usize::from(value >= 10.0) };
    format!("{value:.decimals$}")
}

/// Five digits that count, none of them an idle zero.
pub fn short(value: f64) -> String {
    significant(value, 5)
}

/// So many digits that count, without idle zeros: `0.0012346` and `1234567`, but `1.2346e-5` and `1.2346e7`.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { value.to_string() };
    }
    let idle = |text: &str| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
    };
    let text = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..=6) => {
            let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
            idle(&format!("{value:.decimals$}"))
        }
        _ => format!("{}e{exponent}", idle(mantissa)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (100_000, "100,000")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn one_of_them_is_singular() {
        assert_eq!([0, 1, 1000].map(|n| counted(n, "event")), ["0 events", "1 event", "1,000 events"]);
    }

    #[test]
    fn rates_and_spans_have_three_digits() {
        assert_eq!([0.0, 12.34, 1234.0, 4.5e7, 2.14e9].map(rate), ["0.00", "12.3", "1.23 k", "45.0 M", "2.14 G"]);
        let spans = [2e-5, 0.0123, 0.9999, 1.5, 75.0, 7500.0].map(seconds);
        assert_eq!(spans, ["20.0 us", "12.3 ms", "1.00 s", "1.50 s", "1 min 15 s", "2 h 05 min"]);
    }

    #[test]
    fn values_drop_idle_zeros() {
        assert_eq!([1.0, 0.25, 0.900001, 100.0, 0.0].map(short), ["1", "0.25", "0.9", "100", "0"]);
    }

    #[test]
    fn small_and_large_values_keep_their_digits() {
        let small = [0.123_456_7, 0.000_123_456, 0.000_012_345_6, -2.5e-9, 0.999_999].map(short);
        assert_eq!(small, ["0.12346", "0.00012346", "1.2346e-5", "-2.5e-9", "1"]);
        let large = [1234.567, 99_999.96, 1_234_567.8, 12_345_678.0, 1e300, 120_000.0].map(short);
        assert_eq!(large, ["1234.6", "100000", "1234568", "1.2346e7", "1e300", "120000"]);
        assert_eq!([1.234e-5, 0.012_345, 0.5, 12.34].map(three), ["1.23e-5", "0.0123", "0.50", "12.3"]);
        assert_eq!([0.05, 0.000_012_3].map(rate), ["0.05", "1.23e-5"]);
    }
}

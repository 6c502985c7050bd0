//! The result of `tickless network` as people read it.

use super::distributions::{Quantiles, VisitTimes};
use super::precision::PrecisionReport;
use super::report::{NetworkReport, Parameters, StationReport};
use crate::cli::text::{Table, adapter, grouped, rate, seconds, short};

/// Stations that the text lists, and sources, and sinks.
const LISTED: usize = 40;

impl NetworkReport {
    pub fn text(&self) -> String {
        let mut table = Table::default();
        table.line(format!("tickless {}, model {}", self.version, self.model)).gap();
        self.parameters(&mut table);
        table.row("seed", self.seed.to_string());
        table.row("backend", self.run.backend);
        if let Some(description) = &self.run.adapter {
            table.row("adapter", adapter(description));
        }
        table.gap();
        if self.run.interrupted {
            table.row("INTERRUPTED", self.interruption());
        }
        table.row("events", grouped(self.run.events));
        if let (Some(rounds), Some(each)) = (self.run.rounds, self.run.events_per_round()) {
            table.row("rounds", format!("{}, {} events each", grouped(rounds), short(each)));
        }
        table.row("wall time", seconds(self.run.wall_seconds));
        table.row("completions/s", rate(self.run.completions_per_second)).gap();
        self.stations(&mut table);
        self.ends(&mut table);
        let present = format!("{}, {} of them in transit", grouped(self.tokens_present), grouped(self.in_transit));
        table.row("tokens present", present);
        table.row("lost", grouped(self.losses));
        if let Some(errors) = self.causality_errors {
            table.row("causality errors", grouped(errors));
        }
        table.row("digest", &self.run.digest);
        table.finish()
    }

    /// Where Ctrl-C came, and what the figures cover.
    fn interruption(&self) -> String {
        let Parameters { until, replications, given_replications: given, .. } = self.parameters;
        let count = grouped(replications as u64);
        let of = given.map(|given| format!(" of {}", grouped(given.into()))).unwrap_or_default();
        let at = format!("at time {:.3} of {until}", self.run.clock);
        let whole = self.run.clock >= until;
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

    fn parameters(&self, table: &mut Table) {
        let Parameters { stations, sources, sinks, tokens, window, approximate, .. } = self.parameters;
        let Parameters { shifted_stations, until, warmup, replications, .. } = self.parameters;
        table.row("file", &self.file);
        table.row("stations", format!("{}; {sources} sources, {sinks} sinks", grouped(stations.into())));
        table.row("tokens at time 0", grouped(tokens.into()));
        let shifted = match shifted_stations {
            0 => String::new(),
            1 => ", which shifts the law of one station".into(),
            count => format!(", which shifts the laws of {} stations", grouped(count.into())),
        };
        let window = match window {
            None => "none needed: tokens leave after their first service".into(),
            Some(0.0) => "none".into(),
            Some(window) => format!("{}{shifted}", short(window)),
        };
        match approximate {
            Some(interval) => table.row("approximate time", format!("multiples of {}", short(interval))),
            None => table.row("window", window),
        };
        let counted = match warmup {
            Some(0.0) => String::new(),
            Some(warmup) => format!(", counted from {warmup} on"),
            None => ", counted from 0 on: the pilot did not find a warm-up".into(),
        };
        table.row("until", format!("{until}{counted}"));
        if replications > 1 {
            let what = "figures are of all together, ± half of the 95 % interval below; counts are sums";
            table.row("replications", format!("{}: {what}", grouped(replications as u64)));
        }
        if let Some(PrecisionReport { asked, reached: Some(reached), .. }) = &self.precision {
            table.row("precision", format!("{reached:.2e}, {asked} asked"));
        }
    }

    fn stations(&self, table: &mut Table) {
        table.line(line("station", ["utilization", "throughput", "present", "waiting time", "system time", "lost"]));
        for station in self.stations.iter().take(LISTED) {
            lines(table, station);
        }
        if self.stations.len() > LISTED {
            let more = grouped((self.stations.len() - LISTED) as u64);
            table.line(format!("  and {more} more: --stations FILE writes them all"));
        }
        self.distributions(table.gap());
        let (means, half) = (&self.run.statistics.means, self.run.statistics.half_widths.as_ref());
        let sure = |value: f64, half: Option<f64>| match half {
            Some(half) => format!("{} ± {}", short(value), short(half)),
            None => short(value),
        };
        table.row("utilization", sure(means.utilization, half.and_then(|half| half.utilization)));
        table.row("waiting time", sure(means.mean_waiting_time, half.and_then(|half| half.mean_waiting_time)));
        table.row("system time", sure(means.mean_system_time, half.and_then(|half| half.mean_system_time)));
    }

    /// What half, 90 and 99 of a hundred visits do not exceed.
    fn distributions(&self, table: &mut Table) {
        let Some(recorded) = &self.distributions else { return };
        table.line(quantile_line(
            "station",
            &["most", "no wait", "wait 50 %", "90 %", "99 %", "system 50 %", "90 %", "99 %"],
        ));
        for station in recorded.stations.iter().take(LISTED) {
            quantile_row(table, &station.station, grouped(station.most_present as u64), &station.times);
        }
        if recorded.stations.len() > LISTED {
            let more = grouped((recorded.stations.len() - LISTED) as u64);
            table.line(format!("  and {more} more: --stations FILE writes them all"));
        }
        if let Some(all) = recorded.network.as_ref().filter(|_| recorded.stations.len() > 1) {
            quantile_row(table, "all visits", String::new(), all);
        }
        for sink in recorded.sinks.iter().take(LISTED) {
            if let Some(times) = &sink.time_in_network {
                let [a, b, c] = [times.median, times.p90, times.p99].map(|estimate| short(estimate.mean));
                table.line(quantile_line(&format!("until {}", sink.sink), &["", "", "", "", "", &a, &b, &c]));
            }
        }
        table.gap();
    }

    fn ends(&self, table: &mut Table) {
        for source in self.sources.iter().take(LISTED) {
            table.row(&source.source, format!("sent {}", grouped(source.tokens)));
        }
        for sink in self.sinks.iter().take(LISTED) {
            let time = sink.mean_time_in_network.map(|time| format!(", after {} in the network", short(time)));
            table.row(&sink.sink, format!("took {}{}", grouped(sink.tokens), time.unwrap_or_default()));
        }
        let more = self.sources.len().saturating_sub(LISTED) + self.sinks.len().saturating_sub(LISTED);
        if more > 0 {
            table.line(format!("  and {} more sources and sinks: --format json has them all", grouped(more as u64)));
        }
        table.gap();
    }
}

fn line(name: &str, columns: [&str; 6]) -> String {
    let [a, b, c, d, e, f] = columns;
    format!("  {name:<17}{a:>12}{b:>13}{c:>13}{d:>14}{e:>13}{f:>10}")
}

fn quantile_line(name: &str, [a, b, c, d, e, f, g, h]: &[&str; 8]) -> String {
    format!("  {name:<17}{a:>9}{b:>9}{c:>12}{d:>11}{e:>11}{f:>12}{g:>11}{h:>11}")
}

fn quantile_row(table: &mut Table, name: &str, most: String, times: &VisitTimes) {
    let no_wait = times.no_wait.map(|share| format!("{:.1} %", 100.0 * share.mean)).unwrap_or_default();
    let three = |quantiles: &Option<Quantiles>| {
        let means = quantiles.as_ref().map(|q| [q.median, q.p90, q.p99].map(|estimate| short(estimate.mean)));
        means.unwrap_or_default()
    };
    let ([a, b, c], [d, e, f]) = (three(&times.waiting_time), three(&times.system_time));
    table.line(quantile_line(name, &[&most, &no_wait, &a, &b, &c, &d, &e, &f]));
}

fn lines(table: &mut Table, station: &StationReport) {
    let means = &station.figures.means;
    let utilization = format!("{:.4}", means.utilization);
    let values = [means.throughput, means.mean_present, means.mean_waiting_time, means.mean_system_time].map(short);
    let [a, b, c, d] = values.each_ref().map(String::as_str);
    table.line(line(&station.station, [&utilization, a, b, c, d, &grouped(station.losses)]));
    if let Some(half) = &station.figures.half_widths {
        let sure = |value: Option<f64>| value.map(|value| format!("± {}", short(value))).unwrap_or_default();
        let values =
            [half.utilization, half.throughput, half.mean_present, half.mean_waiting_time, half.mean_system_time];
        let [a, b, c, d, e] = &values.map(sure);
        table.line(line("", [a, b, c, d, e, ""]));
    }
}

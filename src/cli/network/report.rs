//! The result of `tickless network`, as text and as JSON. `docs/json.md` describes each field.

use std::path::Path;

use serde::Serialize;

use crate::cli::json::VERSION;
use crate::cli::text::{Table, grouped, rate, seconds, short};
use crate::queueing::network::{NetworkModel, NetworkRun, SinkRecord};
use crate::statistics::FacilityRecord;
use crate::time::Time;

/// Stations that the text lists.
const LISTED: usize = 40;

/// Everything that is printed. Times are in time units.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkReport {
    model: &'static str,
    version: &'static str,
    file: String,
    parameters: Parameters,
    seed: u64,
    backend: &'static str,
    events: u64,
    clock: f64,
    measured: f64,
    wall_seconds: f64,
    setup_seconds: f64,
    completions_per_second: f64,
    pub stations: Vec<StationReport>,
    sources: Vec<SourceReport>,
    sinks: Vec<SinkReport>,
    tokens_present: u64,
    in_transit: u64,
    losses: u64,
    digest: String,
    interrupted: bool,
    warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Parameters {
    stations: u32,
    sources: u32,
    sinks: u32,
    tokens: u32,
    window: f64,
    shifted_stations: u32,
    until: f64,
    warmup: f64,
}

/// A station; also a line of the CSV file.
#[derive(Clone, Debug, Serialize)]
pub struct StationReport {
    station: String,
    servers: u32,
    capacity: Option<u32>,
    arrivals: u64,
    starts: u64,
    completions: u64,
    losses: u64,
    utilization: f64,
    throughput: f64,
    mean_present: f64,
    mean_waiting_time: f64,
    mean_service_time: f64,
    mean_system_time: f64,
    serving: u64,
    queued: u64,
}

#[derive(Clone, Debug, Serialize)]
struct SourceReport {
    source: String,
    tokens: u64,
}

#[derive(Clone, Debug, Serialize)]
struct SinkReport {
    sink: String,
    tokens: u64,
    mean_time_in_network: Option<f64>,
}

fn units(ticks: u64) -> f64 {
    Time::from_ticks(ticks).units()
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

impl StationReport {
    fn new(model: &NetworkModel, id: u32, record: &FacilityRecord, measured: f64) -> Self {
        let servers = model.servers(id);
        let mean_waiting_time = ratio(units(record.waiting), record.starts as f64);
        let mean_service_time = ratio(units(record.service), record.starts as f64);
        Self {
            station: model.station_name(id).to_owned(),
            servers,
            capacity: Some(model.capacity(id)).filter(|capacity| *capacity < u32::MAX),
            arrivals: record.arrivals,
            starts: record.starts,
            completions: record.completions,
            losses: record.losses,
            utilization: ratio(units(record.busy), measured * f64::from(servers)),
            throughput: ratio(record.completions as f64, measured),
            mean_present: ratio(units(record.presence), measured),
            mean_waiting_time,
            mean_service_time,
            mean_system_time: mean_waiting_time + mean_service_time,
            serving: record.serving,
            queued: record.queued,
        }
    }
}

impl NetworkReport {
    pub fn new(file: &Path, model: &NetworkModel, run: &NetworkRun) -> Self {
        let outcome = &run.outcome;
        let measured = outcome.stations.measured();
        let completions: u64 = outcome.stations.facilities.iter().map(|record| record.completions).sum();
        let parameters = Parameters {
            stations: model.stations(),
            sources: model.sources(),
            sinks: model.sinks(),
            tokens: model.tokens(),
            window: model.lookahead().units(),
            shifted_stations: (0..model.stations()).filter(|id| model.shift(*id).is_some()).count() as u32,
            until: model.until().units(),
            warmup: model.warmup().units(),
        };
        let station = |(id, record): (usize, &FacilityRecord)| StationReport::new(model, id as u32, record, measured);
        let sink = |(id, record): (usize, &SinkRecord)| SinkReport {
            sink: model.sink_name(id as u32).to_owned(),
            tokens: record.tokens,
            mean_time_in_network: (record.from_sources > 0)
                .then(|| record.sojourn as f64 / 4_294_967_296.0 / record.from_sources as f64),
        };
        let source = |(id, tokens): (usize, &u64)| SourceReport {
            source: model.source_name(id as u32).to_owned(),
            tokens: *tokens,
        };
        Self {
            model: "network",
            version: VERSION,
            file: file.display().to_string(),
            parameters,
            seed: model.seed(),
            backend: "heap",
            events: run.events,
            clock: run.clock.units(),
            measured,
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            completions_per_second: ratio(completions as f64, run.wall.as_secs_f64()),
            stations: outcome.stations.facilities.iter().enumerate().map(station).collect(),
            sources: outcome.sources.iter().enumerate().map(source).collect(),
            sinks: outcome.sinks.iter().enumerate().map(sink).collect(),
            tokens_present: outcome.tokens(),
            in_transit: outcome.in_transit,
            losses: outcome.stations.statistics().losses,
            digest: outcome.digest().to_string(),
            interrupted: run.interrupted,
            warnings: model.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    pub fn text(&self) -> String {
        let mut table = Table::default();
        let Parameters { stations, sources, sinks, tokens, window, shifted_stations, until, warmup } = self.parameters;
        table.line(format!("tickless {}, model {}", self.version, self.model)).gap();
        table.row("file", &self.file);
        table.row("stations", format!("{}; {sources} sources, {sinks} sinks", grouped(stations.into())));
        table.row("tokens at time 0", grouped(tokens.into()));
        let shifted = match shifted_stations {
            0 => String::new(),
            count => format!(", which shifts the laws of {} stations", grouped(count.into())),
        };
        table.row("window", if window > 0.0 { format!("{}{shifted}", short(window)) } else { "none".into() });
        let counted = if warmup > 0.0 { format!(", counted from {warmup} on") } else { String::new() };
        table.row("until", format!("{until}{counted}"));
        table.row("seed", self.seed.to_string());
        table.row("backend", self.backend).gap();
        if self.interrupted {
            let clock = self.clock;
            let what = format!("at time {clock:.3} of {until}: the figures cover what happened before");
            table.row("INTERRUPTED", what);
        }
        table.row("events", grouped(self.events));
        table.row("wall time", seconds(self.wall_seconds));
        table.row("completions/s", rate(self.completions_per_second)).gap();
        self.list(&mut table);
        table.row(
            "tokens present",
            format!("{}, {} of them in transit", grouped(self.tokens_present), grouped(self.in_transit)),
        );
        table.row("lost", grouped(self.losses));
        table.row("digest", &self.digest);
        table.finish()
    }

    fn list(&self, table: &mut Table) {
        table.line(format!(
            "  {:<17}{:>12}{:>13}{:>13}{:>14}{:>13}{:>10}",
            "station", "utilization", "throughput", "present", "waiting time", "system time", "lost"
        ));
        for station in self.stations.iter().take(LISTED) {
            table.line(format!(
                "  {:<17}{:>12.4}{:>13}{:>13}{:>14}{:>13}{:>10}",
                station.station,
                station.utilization,
                short(station.throughput),
                short(station.mean_present),
                short(station.mean_waiting_time),
                short(station.mean_system_time),
                grouped(station.losses)
            ));
        }
        if self.stations.len() > LISTED {
            let more = grouped((self.stations.len() - LISTED) as u64);
            table.line(format!("  and {more} more: --stations FILE writes them all"));
        }
        table.gap();
        for source in &self.sources {
            table.row(&source.source, format!("sent {}", grouped(source.tokens)));
        }
        for sink in &self.sinks {
            let time = sink.mean_time_in_network.map(|time| format!(", after {} in the network", short(time)));
            table.row(&sink.sink, format!("took {}{}", grouped(sink.tokens), time.unwrap_or_default()));
        }
        if !self.sources.is_empty() || !self.sinks.is_empty() {
            table.gap();
        }
    }
}

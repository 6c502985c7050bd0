//! What a result says of each class.

use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::distributions::{ClassDistribution, DistributionsReport};
use super::figures::Estimates;
use super::times;
use crate::text::{Columns, Table, grouped, name, short};
use tickless_core::time::Time;
use tickless_queueing::{ClassRecord, Figures, NetworkModel, NetworkOutcome};

/// A class at a station. A network without classes has one, without a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassReport {
    /// The station.
    pub station: String,
    /// The class.
    pub class: String,
    /// Tokens that came in the measured time, those that were lost among them.
    pub arrivals: u64,
    /// Services that started in the measured time.
    pub starts: u64,
    /// Services that ended in the measured time.
    pub completions: u64,
    /// Tokens that found no room in the measured time.
    pub losses: u64,
    /// Tokens that did not join.
    pub balked: u64,
    /// Tokens that lost their patience.
    pub reneged: u64,
    /// Services that were interrupted.
    pub preemptions: u64,
    /// How long servers held tokens that found no room elsewhere, over all replications.
    pub blocked_time: f64,
    /// How long those that reneged had waited; `null` where none did.
    pub mean_patience: Option<f64>,
    #[serde(flatten)]
    pub figures: Estimates,
    /// Tokens in service at the end.
    pub serving: u64,
    /// Tokens that wait at the end.
    pub queued: u64,
}

/// A class at a sink.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassSinkReport {
    /// The sink.
    pub sink: String,
    /// The class.
    pub class: String,
    /// What left there in the measured time.
    pub tokens: u64,
    /// Of those that came from a source; `null` where none did.
    pub mean_time_in_network: Option<f64>,
}

/// A line of the CSV file.
pub struct ClassLine {
    report: ClassReport,
    recorded: Option<ClassDistribution>,
}

impl Serialize for ClassLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ClassReport { figures, .. } = &self.report;
        let mut line = serializer.serialize_struct("ClassLine", 0)?;
        line.serialize_field("station", &self.report.station)?;
        line.serialize_field("class", &self.report.class)?;
        line.serialize_field("arrivals", &self.report.arrivals)?;
        line.serialize_field("starts", &self.report.starts)?;
        line.serialize_field("completions", &self.report.completions)?;
        line.serialize_field("losses", &self.report.losses)?;
        line.serialize_field("balked", &self.report.balked)?;
        line.serialize_field("reneged", &self.report.reneged)?;
        line.serialize_field("preemptions", &self.report.preemptions)?;
        line.serialize_field("blocked_time", &self.report.blocked_time)?;
        line.serialize_field("mean_patience", &self.report.mean_patience)?;
        figures.columns().try_for_each(|(name, mean)| line.serialize_field(name, &mean))?;
        line.serialize_field("serving", &self.report.serving)?;
        line.serialize_field("queued", &self.report.queued)?;
        figures.half_width_columns().try_for_each(|(name, half)| line.serialize_field(name, &half))?;
        line.serialize_field("most_present", &self.recorded.as_ref().map(|recorded| recorded.most_present))?;
        let times = self.recorded.as_ref().map(|recorded| &recorded.times);
        times::columns(times).try_for_each(|(name, time)| line.serialize_field(name, &time))?;
        line.end()
    }
}

impl ClassReport {
    fn new(model: &NetworkModel, place: usize, outcomes: &[NetworkOutcome]) -> Self {
        let count = model.classes().len();
        let (station, class) = ((place / count) as u32, (place % count) as u32);
        let sum = |of: fn(&ClassRecord) -> u64| outcomes.iter().map(|outcome| of(&outcome.classes[place])).sum::<u64>();
        let reneged = sum(|class| class.reneged);
        let patience: f64 = outcomes.iter().map(|outcome| Time::sum_in_units(outcome.classes[place].patience)).sum();
        Self {
            station: model.station_name(station).into_owned(),
            class: model.classes()[class as usize].clone(),
            arrivals: sum(|class| class.record.arrivals),
            starts: sum(|class| class.record.starts),
            completions: sum(|class| class.record.completions),
            losses: sum(|class| class.record.losses),
            balked: sum(|class| class.balked),
            reneged,
            preemptions: sum(|class| class.preemptions),
            blocked_time: outcomes.iter().map(|outcome| Time::sum_in_units(outcome.classes[place].blocked)).sum(),
            mean_patience: (reneged > 0).then(|| patience / reneged as f64),
            figures: Estimates::over(Figures::of_class(model, station, class, outcomes), outcomes.len()),
            serving: sum(|class| class.record.serving),
            queued: sum(|class| class.record.queued),
        }
    }
}

/// Every class at every station, station by station; `None` of a network without classes, disciplines and patience.
pub fn of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassReport>> {
    let count = model.stations() as usize * model.classes().len();
    (count > 0).then(|| (0..count).map(|place| ClassReport::new(model, place, outcomes)).collect())
}

/// Every class at every sink, sink by sink.
pub fn sinks(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassSinkReport>> {
    let (classes, sinks) = (model.classes(), model.sinks() as usize);
    let report = |place: usize| {
        let records = || outcomes.iter().map(|outcome| &outcome.class_sinks[place]);
        let stays: u128 = records().map(|record| record.sojourn).sum();
        let stayed: u64 = records().map(|record| record.from_sources).sum();
        ClassSinkReport {
            sink: model.sink_name((place / classes.len()) as u32).to_owned(),
            class: classes[place % classes.len()].clone(),
            tokens: records().map(|record| record.tokens).sum(),
            mean_time_in_network: (stayed > 0).then(|| Time::sum_in_units(stays) / stayed as f64),
        }
    };
    (!classes.is_empty()).then(|| (0..sinks * classes.len()).map(report).collect())
}

/// The lines of the CSV file.
pub fn lines(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> impl Iterator<Item = ClassLine> {
    let recorded = DistributionsReport::of(model, outcomes).map_or(vec![], |recorded| recorded.stations);
    let count = model.classes().len();
    let line = move |(place, report): (usize, ClassReport)| {
        let observed = model.observed().binary_search(&((place / count) as u32)).ok();
        let of_station = observed.and_then(|observed| recorded.get(observed)?.classes.as_ref());
        ClassLine { report, recorded: of_station.and_then(|classes| classes.get(place % count)).cloned() }
    };
    of(model, outcomes).unwrap_or_default().into_iter().enumerate().map(line)
}

/// A table of the classes that have come to each station.
pub fn tell(all: &[ClassReport], listed: usize, table: &mut Table) {
    let mut columns = Columns::new(&[17, 14, 12, 13, 12, 9, 9, 12]);
    let heads = ["station", "class", "present", "waiting time", "system time", "balked", "reneged", "interrupted"];
    columns.heads(heads);
    let came = || all.iter().filter(|class| class.arrivals > 0 || class.figures.means.mean_present > 0.0);
    for class in came().take(listed) {
        let means = &class.figures.means;
        let times = [means.mean_present, means.mean_waiting_time, means.mean_system_time].map(short);
        let counts = [class.balked, class.reneged, class.preemptions].map(grouped);
        columns.row([name(&class.station), name(&class.class)].into_iter().chain(times).chain(counts));
    }
    if came().count() > listed {
        columns.line(format!("and {} more: --classes FILE writes them all", grouped((came().count() - listed) as u64)));
    }
    columns.write(table);
    table.gap();
}

//! Which shares of times are within targets.

use schemars::JsonSchema;
use serde::Serialize;

use super::text::until;
use crate::figures::{columns_of, sure_to};
use crate::text::{Table, name, short};
use tickless_core::statistics::Estimate;
use tickless_queueing::figures::{Lasting, Whose, Within};
use tickless_queueing::{NetworkModel, NetworkOutcome, Words};

/// The share of times within a target.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TargetReport {
    /// The station with the target; `null` of a sink.
    pub station: Option<String>,
    /// The sink with the target; `null` of a station.
    pub sink: Option<String>,
    /// The class; `null` of all together.
    pub class: Option<String>,
    /// In time units.
    pub target: f64,
    /// The same with its unit, as text says it: `20 s` where a time unit is a minute.
    pub target_in_words: String,
    /// What lasts no longer: `waiting_within` (waits, of the services that started), `served_within` (waits, of these services and the tokens
    /// that left without one), `system_within` (visits) or `time_within` (times in the network, of the tokens from sources that left by the
    /// sink).
    pub figure: &'static str,
    /// From 0 to 1, counted exactly; `null` where there were no such times.
    pub share: Option<f64>,
    /// Half of its 95 % interval; `null` of one replication.
    pub share_half_width: Option<f64>,
    /// On how many replications it rests.
    pub rests_on: u64,
}

impl TargetReport {
    fn new(model: &NetworkModel, whose: Whose, within: Within) -> Self {
        let class_name = |class: u32| model.classes().get(class as usize).cloned();
        let (station, sink, class) = match whose {
            Whose::Station(id) => (Some(id), None, None),
            Whose::Class { station, class } => (Some(station), None, class_name(class)),
            Whose::Sink(id) => (None, Some(id), None),
            Whose::ClassAtSink { sink, class } => (None, Some(sink), class_name(class)),
            Whose::Network | Whose::Source(_) | Whose::Resource(_) | Whose::Group(_) => (None, None, None),
        };
        let Estimate { mean, half_width, count, .. } = within.share;
        Self {
            station: station.map(|id| model.station_name(id).into_owned()),
            sink: sink.map(|id| model.sink_name(id).to_owned()),
            class,
            target: within.target,
            target_in_words: in_words(model.words(), within.target),
            figure: within.lasting.key(),
            share: (count > 0).then_some(mean),
            share_half_width: half_width,
            rests_on: count,
        }
    }
}

/// A target with its unit, in which its number is short.
pub fn in_words(words: &Words, target: f64) -> String {
    let (number, unit) = words.shortest(target);
    format!("{} {unit}", short(number))
}

/// Everybody who may have targets, classes behind their station or sink.
pub fn owners(model: &NetworkModel) -> impl Iterator<Item = Whose> {
    let classes = 0..model.named_classes();
    let of_station = classes.clone();
    let stations = (0..model.stations()).flat_map(move |station| {
        let classes = of_station.clone().map(move |class| Whose::Class { station, class });
        std::iter::once(Whose::Station(station)).chain(classes)
    });
    let sinks = (0..model.sinks()).flat_map(move |sink| {
        let classes = classes.clone().map(move |class| Whose::ClassAtSink { sink, class });
        std::iter::once(Whose::Sink(sink)).chain(classes)
    });
    stations.chain(sinks)
}

/// The shares within all targets; `None` of a network without targets. Classes that never came are left out.
pub fn reports(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<TargetReport>> {
    if model.targets().is_empty() {
        return None;
    }
    let reports = |whose: Whose| {
        let is_class = matches!(whose, Whose::Class { .. } | Whose::ClassAtSink { .. });
        let all = model.within(whose, outcomes).into_iter().filter(move |one| !is_class || one.share.count > 0);
        all.map(move |one| TargetReport::new(model, whose, one)).collect::<Vec<_>>()
    };
    Some(owners(model).flat_map(reports).collect())
}

/// The most rows of the table.
const LISTED: usize = 40;

/// A row for each target of a station, a sink or a class there, and below it the half widths.
pub fn tell(all: &[TargetReport], table: &mut Table) {
    let has = |lasting: &Lasting| all.iter().any(|one| one.figure == lasting.key());
    let shown: Vec<Lasting> = Lasting::ALL.into_iter().filter(has).collect();
    let heads: Vec<&str> = std::iter::once("target").chain(shown.iter().map(|lasting| head(*lasting))).collect();
    let names: &[&str] = if all.iter().any(|one| one.class.is_some()) { &["within", "class"] } else { &["within"] };
    let mut columns = columns_of(names, &heads);
    let rows = rows(all);
    for row in rows.iter().take(LISTED) {
        let Some(first) = row.first() else { continue };
        let of = |lasting: &Lasting| row.iter().find(|one| one.figure == lasting.key());
        let class = first.class.as_deref().map(name).unwrap_or_default();
        let who = [owner(first), class].into_iter().take(names.len());
        let share = |lasting| of(lasting).map_or(String::new(), |one| one.share.map_or("-".into(), short));
        columns.row(who.chain([first.target_in_words.clone()]).chain(shown.iter().map(share)));
        if row.iter().any(|one| one.share_half_width.is_some()) {
            let half = |lasting| of(lasting).and_then(|one| one.share_half_width).map(sure_to).unwrap_or_default();
            let empty = std::iter::repeat_n(String::new(), names.len() + 1);
            columns.row(empty.chain(shown.iter().map(half)));
        }
    }
    if rows.len() > LISTED {
        columns.line(format!("and {} more: --format json has them all", rows.len() - LISTED));
    }
    columns.write(table);
    table.gap();
}

/// The shares of each owner and target.
fn rows(all: &[TargetReport]) -> Vec<&[TargetReport]> {
    let is_same = |a: &TargetReport, b: &TargetReport| {
        (&a.station, &a.sink, &a.class, a.target) == (&b.station, &b.sink, &b.class, b.target)
    };
    all.chunk_by(is_same).collect()
}

fn owner(one: &TargetReport) -> String {
    let sink = one.sink.as_deref().map(until);
    one.station.as_deref().map(name).or(sink).unwrap_or_default()
}

fn head(lasting: Lasting) -> &'static str {
    match lasting {
        Lasting::Waiting => "waits",
        Lasting::Served => "served",
        Lasting::System => "visits",
        Lasting::Network => "in the network",
    }
}

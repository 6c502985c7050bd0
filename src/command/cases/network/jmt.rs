//! What JMT found, beside the same figures of a run.

use schemars::JsonSchema;
use serde::Serialize;

use crate::figures::columns_of;
use crate::text::{Table, name, short};
use tickless_core::statistics::Estimate;
use tickless_queueing::figures::{Figure, LEAVING, Sums, TIME_IN_NETWORK, Whose};
use tickless_queueing::{Figures, JmtMeasure, NetworkModel, NetworkOutcome};

/// A measure of JMT, and the same here.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JmtReport {
    /// JMT's.
    pub jmt: JmtMeasure,
    /// The mean here.
    pub mean: f64,
    /// Half of its 95 % interval; `null` of one replication.
    pub half_width: Option<f64>,
}

/// The measures that both have.
pub fn reports(
    model: &NetworkModel,
    found: &[JmtMeasure],
    outcomes: &[NetworkOutcome],
    network: &[Sums],
) -> Vec<JmtReport> {
    let report = |theirs: &JmtMeasure| {
        let Estimate { mean, half_width, .. } = ours(model, theirs, outcomes, network)?;
        Some(JmtReport { jmt: theirs.clone(), mean, half_width })
    };
    found.iter().filter_map(report).collect()
}

/// The estimate of a measure, if it is one of ours.
fn ours(model: &NetworkModel, of: &JmtMeasure, outcomes: &[NetworkOutcome], network: &[Sums]) -> Option<Estimate> {
    let over = |figure: Figure, whose| figure.over(&Sums::of(model, whose, outcomes));
    let all = Figures::ALL;
    // A model with one class has none here.
    let class = model.classes().iter().position(|class| *class == of.class && !of.class.is_empty());
    let class = class.and_then(|class| u32::try_from(class).ok());
    if class.is_none() && !of.class.is_empty() && model.named_classes() > 0 {
        return None;
    }
    if of.station.is_empty() {
        let sink = class.map_or(Whose::Sink(0), |class| Whose::ClassAtSink { sink: 0, class });
        return match of.measure.as_str() {
            "System Number of Customers" if class.is_none() => Some(all.mean_present.over(network)),
            // Of several sinks no figure is the whole.
            _ if model.sinks() != 1 => None,
            "System Response Time" => Some(over(TIME_IN_NETWORK, sink)),
            "System Throughput" => Some(over(LEAVING, sink)),
            _ => None,
        };
    }
    let station = (0..model.stations()).find(|station| model.station_name(*station) == of.station)?;
    let whose = class.map_or(Whose::Station(station), |class| Whose::Class { station, class });
    let figure = match of.measure.as_str() {
        "Number of Customers" => all.mean_present,
        "Queue Time" => all.mean_waiting_time,
        "Response Time" => all.mean_system_time,
        "Throughput" => all.throughput,
        // JMT's is that of a server.
        "Utilization" => {
            let busy = over(all.mean_busy, whose);
            let servers = if model.has_infinite_servers(station) { 1.0 } else { f64::from(model.servers(station)) };
            return Some(Estimate {
                mean: busy.mean / servers,
                half_width: busy.half_width.map(|half| half / servers),
                ..busy
            });
        }
        _ => return None,
    };
    Some(over(figure, whose))
}

/// The table.
pub fn tell(all: &[JmtReport], table: &mut Table) {
    let mut columns = columns_of(&["of JMT", "class", "measure"], &["lower", "mean", "upper", "here", "\u{b1}"]);
    for JmtReport { jmt, mean, half_width } in all {
        let number = |number: Option<f64>| number.map_or("-".into(), short);
        let whose = if jmt.station.is_empty() { "network".into() } else { name(&jmt.station) };
        let numbers = [jmt.lower, Some(jmt.mean), jmt.upper, Some(*mean), *half_width].map(number);
        columns.row([whose, name(&jmt.class), jmt.measure.clone()].into_iter().chain(numbers));
    }
    table.gap();
    columns.write(table);
}

//! The network of a report as a graph: how busy stations are, and how many tokens go along each way.

use super::report::StationReport;
use crate::cli::page::{Drawing, Edge, Kind, Node, Picture, graph};
use crate::cli::text::{counted, short, significant};
use crate::queueing::{Cause, End, Flow, NetworkModel, NetworkOutcome, flows};

/// The picture, where the network is small enough for one and its stations are listed.
pub fn picture(model: &NetworkModel, outcomes: &[NetworkOutcome], stations: &[StationReport]) -> Option<Picture> {
    if stations.len() as u32 != model.stations() {
        return None;
    }
    let sources = (0..model.sources()).map(|id| plain(Kind::Source, "source", model.source_name(id)));
    let of_stations = stations.iter().enumerate().map(|(id, report)| station(model, id as u32, report));
    let sinks = (0..model.sinks()).map(|id| plain(Kind::Sink, "sink", model.sink_name(id)));
    let nodes: Vec<Node> = sources.chain(of_stations).chain(sinks).collect();
    let flows = flows(model, outcomes);
    let place = |end: End| match end {
        End::Source(id) => id as usize,
        End::Station(id) => (model.sources() + id) as usize,
        End::Sink(id) => (model.sources() + model.stations() + id) as usize,
    };
    let edge = |flow: &Flow| {
        let ends = [flow.from, flow.to].map(place);
        let [from, to] = ends.map(|end| &nodes[end].name);
        let rate = flow.rate.map_or("not known how many".into(), |rate| format!("{} per time unit", short(rate)));
        let why = match flow.cause {
            Cause::Route => "",
            Cause::Balking => " (they do not join the line)",
            Cause::Reneging => " (they have lost their patience)",
        };
        let about = format!("from {from} to {to}: {rate}{why}");
        Edge { ends, rate: flow.rate, is_early: flow.cause != Cause::Route, about }
    };
    let edges: Vec<Edge> = flows.iter().map(edge).collect();
    let svg = graph(&nodes, &edges)?;
    let early = if edges.iter().any(|edge| edge.is_early) { ", broken lines by those that leave early" } else { "" };
    let title = format!("The network: tokens per time unit on each way{early}, and how busy the stations are");
    let what = [("station", model.stations()), ("source", model.sources()), ("sink", model.sinks())];
    let what = what.map(|(what, count)| counted(count.into(), what)).join(", ");
    let ways = edges.iter().map(|edge| edge.about.as_str()).collect::<Vec<_>>().join("; ");
    Some(Picture { about: format!("{title}: {what}; {ways}"), title, drawing: Drawing::Svg(svg) })
}

fn plain(kind: Kind, what: &str, name: &str) -> Node {
    Node { kind, name: name.into(), note: None, about: format!("{what} {name}") }
}

fn station(model: &NetworkModel, id: u32, report: &StationReport) -> Node {
    let means = &report.figures.means;
    let infinite = model.rules().is_some_and(|rules| rules.stations[id as usize].infinite);
    let busy = significant(means.utilization, 3);
    let percent = format!("{} % busy", significant(100.0 * means.utilization, 3));
    let (load, note) = match report.servers {
        _ if infinite => (0.0, format!("{busy} served")),
        1 => (means.utilization, percent),
        servers => (means.utilization, format!("{servers} servers, {percent}")),
    };
    let figures = [
        ("present", means.mean_present),
        ("waiting time", means.mean_waiting_time),
        ("system time", means.mean_system_time),
        ("throughput", means.throughput),
    ];
    let figures = figures.map(|(what, value)| format!("{what} {}", short(value))).join(", ");
    let about = format!("station {}: {note}, {figures}", report.station);
    Node { kind: Kind::Station { load }, name: report.station.clone(), note: Some(note), about }
}

//! The network of a report as a graph: how busy stations are, and how many tokens go along each way.

use super::animation;
use super::places::StationReport;
use crate::page::{Drawing, Edge, Kind, MOST_DRAWN, Node, Picture, graph};
use crate::text::{counted, short, significant};
use tickless_core::time::Time;
use tickless_queueing::figures::Printed;
use tickless_queueing::{Cause, End, Flow, NetworkModel, NetworkOutcome, flows};

/// The picture, if the network is small enough for one and its stations are listed. A player of the replication of this number, up to a clock,
/// is part of it.
pub fn picture(
    model: &NetworkModel,
    (outcomes, first): (&[NetworkOutcome], (u32, Time)),
    stations: &[StationReport],
) -> Option<Picture> {
    let places = stations.len() + (model.sources() + model.sinks()) as usize;
    if stations.len() as u32 != model.stations() || places > MOST_DRAWN[0] {
        return None;
    }
    let sources = (0..model.sources()).map(|id| plain(Kind::Source, "source", model.source_name(id)));
    let of_stations = stations.iter().map(station);
    let sinks = (0..model.sinks()).map(|id| plain(Kind::Sink, "sink", model.sink_name(id)));
    let nodes: Vec<Node> = sources.chain(of_stations).chain(sinks).collect();
    let (flows, words) = (flows(model, outcomes), model.words());
    let place = |end: End| match end {
        End::Source(id) => id as usize,
        End::Station(id) => (model.sources() + id) as usize,
        End::Sink(id) => (model.sources() + model.stations() + id) as usize,
    };
    let edge = |flow: &Flow| {
        let ends = [flow.from, flow.to].map(place);
        let [from, to] = ends.map(|end| &nodes[end].name);
        let rate =
            flow.rate.map_or("not known how many".into(), |rate| format!("{} per {}", short(rate), words.time_unit()));
        let why = match flow.cause {
            Cause::Route => "",
            Cause::Balking => " (they do not join the line)",
            Cause::Reneging => " (they have lost their patience)",
            Cause::Full => " (they find no room)",
        };
        let about = format!("from {from} to {to}: {rate}{why}");
        Edge { ends, rate: flow.rate, is_early: flow.cause != Cause::Route, about }
    };
    let edges: Vec<Edge> = flows.iter().map(edge).collect();
    let svg = graph(&nodes, &edges)?;
    let early = if edges.iter().any(|edge| edge.is_early) { ", broken lines by those that leave early" } else { "" };
    let rates = format!("{} per {}", words.tokens(), words.time_unit());
    let title = format!("The network: {rates} on each way{early}, and how busy the stations are");
    let what = [("station", model.stations()), ("source", model.sources()), ("sink", model.sinks())];
    let what = what.map(|(what, count)| counted(count.into(), what)).join(", ");
    let ways = edges.iter().map(|edge| edge.about.as_str()).collect::<Vec<_>>().join("; ");
    let drawing = match animation::of(model, first, &flows) {
        Some(player) => Drawing::Played(svg, player),
        None => Drawing::Svg(svg),
    };
    Some(Picture { about: format!("{title}: {what}; {ways}"), title, drawing })
}

fn plain(kind: Kind, what: &str, name: &str) -> Node {
    Node { kind, name: name.into(), note: None, about: format!("{what} {name}") }
}

fn station(report: &StationReport) -> Node {
    let means = &report.figures.means;
    let percent = |share: f64| format!("{} % busy", significant(100.0 * share, 3));
    let (load, note) = match (report.servers, means.utilization) {
        (None, _) => (None, format!("{} served", significant(means.mean_busy, 3))),
        // For shifts the number of servers means little.
        (Some(_), None) => {
            let load = means.scheduled_utilization.map(|share| share.min(1.0));
            (load, format!("by shifts, {} busy", significant(means.mean_busy, 3)))
        }
        (Some(1), Some(share)) => (Some(share), percent(share)),
        (Some(servers), Some(share)) => (Some(share), format!("{servers} servers, {}", percent(share))),
    };
    let figures = report.figures.printed(Printed::Stations).into_iter();
    let figures = figures.filter_map(|(figure, mean, _)| Some(format!("{} {}", figure.label, short(mean?))));
    let figures = figures.collect::<Vec<_>>().join(", ");
    let about = format!("station {}: {note}, {figures}", report.station);
    Node { kind: Kind::Station { load }, name: report.station.clone(), note: Some(note), about }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_device::Target;
    use tickless_queueing::{self as queueing, Network};

    /// The picture of an example after a few events, and its ways.
    fn of_example(path: &std::path::Path) -> (Option<Picture>, usize, u32) {
        let network = Network::from_toml(&std::fs::read_to_string(path).unwrap()).unwrap();
        let model = network.warmup(0.0).until(60.0).check().unwrap();
        let places = model.stations() + model.sources() + model.sinks();
        let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        let stations: Vec<_> =
            (0..model.stations()).map(|id| super::super::places::station(&model, id, &run.outcome)).collect();
        let picture = picture(&model, (&run.outcome, (0, run.clock)), &stations);
        let ways = picture.as_ref().map_or(0, |_| flows(&model, &run.outcome).len());
        (picture, ways, places)
    }

    #[test]
    fn every_example_of_a_few_places_is_drawn_with_all_its_ways() {
        let mut drawn = 0;
        for entry in
            std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/networks")).unwrap().flatten()
        {
            let (name, (picture, ways, places)) = (entry.path(), of_example(&entry.path()));
            assert_eq!(picture.is_some(), places <= 60, "{} has {places} places", name.display());
            let Some(Picture { drawing: Drawing::Played(svg, _) | Drawing::Svg(svg), about, .. }) = picture else {
                continue;
            };
            assert_eq!(svg.matches("<path").count(), ways, "{}", name.display());
            assert_eq!(svg.matches("class=\"place\"").count(), places as usize, "{}", name.display());
            assert!([" per time unit", " per min", " per s"].iter().any(|unit| about.contains(unit)), "{about}");
            drawn += 1;
        }
        assert!(drawn >= 6, "{drawn} examples have a picture");
    }
}

//! Stations whose services take no time.

use super::*;
use tickless::queueing::{Class, Discipline, Route, Routing, ServerGroup, Source, Station, TimeFactors};

/// A gate in front of two desks is as good as a source that chooses: the same draws, the same visits.
#[test]
fn a_gate_chooses_as_a_source_does() {
    let desks = |network: &mut Network| {
        let desks = ["exponential:3", "uniform:1,4"].map(|text| network.station(Station::new(text, law(text))));
        let out = network.sink("out");
        desks.iter().for_each(|desk| network.route(*desk, out, 1.0, 0.0));
        desks
    };
    let mut chosen = Network::new().until(5000.0);
    let goals = desks(&mut chosen);
    chosen.source(Source::new("in", law("constant:2"), goals[0]).or_to(vec![goals[1]], Routing::ShortestQueue));
    let mut gated = Network::new().until(5000.0);
    let goals = desks(&mut gated);
    let gate = network_gate(&mut gated, goals);
    gated.source(Source::new("in", law("constant:2"), gate));
    let [chosen, gated] = [chosen, gated].map(|network| run(network).outcome);
    assert_eq!(chosen.stations.facilities[..2], gated.stations.facilities[..2]);
    let gate = gated.stations.facilities[2];
    assert_eq!((gate.completions, gate.service, gate.busy, gate.waiting), (2499, 0, 0, 0));
}

fn network_gate(network: &mut Network, goals: [tickless::queueing::StationId; 2]) -> tickless::queueing::StationId {
    let gate = network.station(Station::without_time("gate").routing(Routing::ShortestQueue));
    goals.iter().for_each(|goal| network.route(gate, *goal, 1.0, 0.0));
    gate
}

/// Who waits for a server that is away, or for a unit, is served as soon as it is there: the waits by hand.
#[test]
fn who_waits_leaves_as_soon_as_there_is_a_server() {
    let mut network = Network::new().until(40.0);
    let key = network.resource("key", 1);
    // A server is there from 0 to 1, from 10 to 11, and so on.
    let shifts = tickless::queueing::Shifts::new(vec![(0.0, 1), (1.0, 0)]).every(10.0);
    let bus = network.station(Station::without_time("bus").shifts(shifts));
    let door = network.station(Station::without_time("door").seizes(key, 1));
    let desk = network.station(Station::new("desk", law("constant:7")).infinite_servers().releases(key, 1));
    let out = network.sink("out");
    for (from, to) in [(bus, door), (door, desk)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("in", law("constant:4"), bus).limit(3));
    let facilities = run(network).outcome.stations.facilities;
    // They come at 4, 8 and 12; the first two leave at 10, the third at 20.
    assert_eq!(facilities[bus.index() as usize].waiting / UNIT, 6 + 2 + 8);
    // The key is there at 10, 17 and 24.
    assert_eq!(facilities[door.index() as usize].waiting / UNIT, 7 + 4);
    assert_eq!(facilities[desk.index() as usize].starts, 3);
}

#[test]
fn what_does_not_go_with_no_time_is_refused() {
    let refused = |station: Station, back: Option<f64>| {
        let mut network = Network::new();
        let class = network.class(Class::new("one"));
        let gate = network.station(station);
        let next = network.station(Station::without_time("next"));
        let out = network.sink("out");
        network.route(gate, next, 1.0, 0.0);
        network.add_route(Route::new(next, out).probability(if back.is_some() { 0.5 } else { 1.0 }));
        if let Some(delay) = back {
            network.add_route(Route::new(next, gate).probability(0.5).delay(delay));
        }
        network.source(Source::new("in", law("exponential:3"), gate).class(class));
        network.check().map(|_| ()).map_err(|error| error.to_string())
    };
    let gate = || Station::without_time("gate");
    assert_eq!(refused(gate(), None), Ok(()));
    assert_eq!(refused(gate(), Some(0.5)), Ok(()));
    assert_eq!(refused(Station::new("gate", law("constant:1")), Some(0.0)), Ok(()));
    for (said, station, back) in [
        ("tokens come back to this station in no time", gate(), Some(0.0)),
        ("the discipline is sjf; it must be left out", gate().discipline(Discipline::ShortestJob), None),
        ("the discipline is ps; it must be left out", gate().discipline(Discipline::Sharing), None),
        ("the list of speeds is given", gate().speeds(vec![1.0]), None),
        ("the number of factors by time is given", gate().time_factors(TimeFactors::new(vec![(0.0, 2.0)])), None),
        ("the number of groups of servers is given", gate().group(ServerGroup::new("one", 1)), None),
    ] {
        let found = refused(station, back).expect_err("a fault");
        assert!(found.contains(said), "{found}");
    }
}

//! Small networks whose every event can be followed.

use super::*;
use tickless::queueing::{Source, Station};
use tickless::time::Time;

#[test]
fn two_servers_and_one_place_to_wait() {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:5")).servers(2).capacity(3));
    let exit = network.sink("exit");
    network.source(Source::new("street", law("constant:1"), desk).limit(6));
    network.route(desk, exit, 1.0, 0.0);
    // Tokens at 1 and 2 start, the one at 3 waits until 6, those at 4 and 5 are lost; at 6 one server falls free first,
    // takes the one that waits, and the sixth token finds room to wait until 7.
    let run = run(network.until(20.0));
    let record = run.outcome.stations.facilities[0];
    assert_eq!((record.arrivals, record.losses, record.starts, record.completions), (6, 2, 4, 4));
    assert_eq!((record.waiting, record.busy, record.presence), ((3 + 1) * UNIT, 20 * UNIT, 24 * UNIT));
    let exit = run.outcome.sinks[0];
    assert_eq!((exit.tokens, exit.from_sources, exit.sojourn), (4, 4, 24 * UNIT));
    assert_eq!((run.outcome.tokens(), run.outcome.sources[0]), (0, 6));
}

#[test]
fn what_is_under_way_at_the_horizon_is_cut() {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:10")).servers(3).tokens(5));
    network.route(desk, desk, 1.0, 0.0);
    let outcome = run(network.until(25.0).warmup(5.0)).outcome;
    let record = outcome.stations.facilities[0];
    // Three start at 0 and are not counted; three at 10 (two that waited since 0, one that came back), three at 20.
    assert_eq!((record.starts, record.completions, record.arrivals), (6, 6, 6));
    assert_eq!((record.busy, record.presence), (3 * 20 * UNIT, 5 * 20 * UNIT));
    assert_eq!((record.serving, record.queued, record.in_service), (3, 2, Time::from_ticks(30 << 32)));
    assert_eq!(outcome.stations.services, [Time::from_ticks(30 << 32); 2]);
    assert_eq!(outcome.stations.queue, [Time::from_ticks(20 << 32); 2]);
}

#[test]
fn transit_takes_its_time() {
    let mut network = Network::new();
    let here = network.station(Station::new("here", law("constant:2")).tokens(1));
    let there = network.station(Station::new("there", law("constant:3")));
    network.route(here, there, 1.0, 0.5);
    network.route(there, here, 1.0, 4.5);
    // A round trip takes 10: at 2 it leaves here, at 2.5 it starts there, at 5.5 it leaves, at 10 it is back.
    let outcome = run(network.clone().until(35.0)).outcome;
    // The fourth service there began at 32.5.
    assert_eq!(outcome.stations.facilities.iter().map(|r| 2 * r.busy / UNIT).collect::<Vec<_>>(), [16, 23]);
    assert_eq!((outcome.in_transit, outcome.tokens()), (0, 1));
    let outcome = run(network.until(36.0)).outcome;
    assert_eq!((outcome.in_transit, outcome.tokens()), (1, 1));
}

/// Everything happens at once: departures come before arrivals, stations before sources, in the order of their ids.
#[test]
fn ties_are_settled_in_the_contracts_order() {
    let mut network = Network::new();
    let late = network.station(Station::new("late", law("constant:4")).tokens(1));
    let early = network.station(Station::new("early", law("constant:4")).tokens(1));
    let desk = network.station(Station::new("desk", law("constant:4")).capacity(2).tokens(2));
    let exit = network.sink("exit");
    network.source(Source::new("street", law("constant:4"), desk).limit(1));
    network.route(early, desk, 1.0, 0.0);
    network.route(late, desk, 1.0, 0.0);
    network.route(desk, exit, 1.0, 0.0);
    // At 4 one leaves the desk, so one of three arrivals has room: that of station 0.
    let outcome = run(network.until(4.5)).outcome;
    let record = outcome.stations.facilities[2];
    assert_eq!((record.arrivals, record.losses, record.completions), (3, 2, 1));
    assert_eq!(outcome.stations.queue, [Time::from_ticks(4 << 32)]);
    assert_eq!((outcome.sources[0], outcome.sinks[0].from_sources), (1, 0));
}

#[test]
fn a_source_starts_late_and_ends_early() {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:1")));
    let exit = network.sink("exit");
    network.source(Source::new("bus", law("constant:2"), desk).start(10.0).limit(3));
    network.route(desk, exit, 1.0, 0.0);
    let outcome = run(network.clone().until(13.0)).outcome;
    assert_eq!((outcome.sources[0], outcome.sinks[0].tokens), (1, 0));
    let outcome = run(network.until(100.0)).outcome;
    assert_eq!((outcome.sources[0], outcome.sinks[0].tokens), (3, 3));
}

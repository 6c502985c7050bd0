//! What is refused before a run, by name, and what is only remarked on.

use super::*;
use tickless::queueing::{
    Class, ClassOfStation, Network, NetworkWarning, Route, Sink, Source, Station, StationId, Topology, Trace,
};

/// A desk that a token circles through.
fn base() -> (Network, tickless::queueing::StationId) {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("exponential:1")).tokens(1));
    (network, desk)
}

fn refused(network: Network, parts: &[&str]) {
    let text = network.check().expect_err(&format!("{parts:?}")).to_string();
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in: {text}");
    }
}

/// Every id has a place of the same number in the network that it is brought into, but for those of the last row.
#[test]
fn ids_of_another_network_are_refused() {
    let mut other = Network::new();
    let (class, resource) = (other.class(Class::new("all")), other.resource("room", 1));
    let (station, sink) = (other.station(Station::new("desk", law("exponential:1"))), other.sink("out"));
    let (second, copy) = (other.station(Station::new("second", law("exponential:1"))), other.clone());
    let desk = || Station::new("another", law("exponential:1")).tokens(1);
    let (none, one) = (|_: &mut Network, _: StationId| (), law("constant:1"));
    let source = || Source::new("in", law("constant:1"), station);
    type Brings<'a> = &'a dyn Fn(&mut Network, StationId);
    let brought: [(&str, Station, Brings<'_>); 15] = [
        ("station 0", desk(), &|network, own| network.route(own, station, 1.0, 0.0)),
        ("station 0", desk(), &|network, own| network.route(station, own, 1.0, 0.0)),
        ("sink 0", desk(), &|network, own| network.route(own, sink, 1.0, 0.0)),
        ("station 0", desk(), &|network, _| network.source(source())),
        ("class 0", desk(), &|network, own| network.source(Source::new("in", law("constant:1"), own).class(class))),
        ("class 0", desk(), &|network, own| network.add_route(Route::new(own, own).class(class))),
        ("class 0", desk(), &|network, own| network.add_route(Route::new(own, own).becomes(class))),
        ("class 0", desk(), &|network, own| {
            network.source(Source::by_trace("in", Trace::new(vec![(1.0, Some(class), 1)]), own));
        }),
        ("class 0", desk(), &|network, _| _ = network.add_sink(Sink::new("exit").cost_of(class, 1.0))),
        ("station 0", desk().patience(one.clone(), Some(station.into())), &none),
        ("sink 0", desk().balking(vec![0.5], Some(sink.into())), &none),
        ("class 0", desk().class(ClassOfStation::new(class)), &none),
        ("resource 0", desk().seizes(resource, 1), &none),
        ("resource 0", desk().releases(resource, 1), &none),
        ("station 1", desk(), &|network, own| network.route(own, second, 1.0, 0.0)),
    ];
    for (what, station, bring) in brought {
        let (mut network, own) = base();
        network.class(Class::new("own"));
        network.resource("bed", 1);
        network.sink("way out");
        network.station(station.clone());
        bring(&mut network, own);
        refused(network, &[what, "of another network"]);
    }
    // The stations of a torus have no other network to be of.
    let each = desk().patience(one, Some(station.into()));
    for (width, height) in [(1, 1), (30, 30)] {
        let torus = Network::generate(&Topology::Torus { width, height }, &each, 0.0).expect("a torus");
        refused(torus, &["station 0", "of another network"]);
    }
    // A clone takes the ids of its original, and none that the original gave later.
    let mut own = copy.clone();
    own.route(second, sink, 1.0, 0.0);
    own.source(source());
    refused(own, &["resource 'room': the number of stations that seize it is 0"]);
    let (mut own, third) = (copy, other.station(desk()));
    own.route(station, third, 1.0, 0.0);
    refused(own, &["station 2", "of another network"]);
}

#[test]
fn every_fault_names_what_is_wrong() {
    refused(Network::new(), &["no station"]);
    let (network, _) = base();
    refused(network, &["no route leads away from station 'desk'"]);
    for (probability, part) in
        [(0.9, "add up to 0.9"), (0.0, "probability is 0"), (-1.0, "probability is -1"), (f64::NAN, "NaN")]
    {
        let (mut network, desk) = base();
        network.route(desk, desk, probability, 0.0);
        refused(network, &["station 'desk'", part]);
    }
    let (mut network, desk) = base();
    network.route(desk, desk, 1.0, -1.0);
    refused(network, &["transit delay is -1", "'desk'"]);
    let (mut network, desk) = base();
    network.route(desk, desk, 1.0, 0.0);
    network.station(Station::new("desk", law("exponential:1")));
    refused(network, &["are named 'desk'"]);
    let (mut network, desk) = base();
    network.route(desk, desk, 1.0, 0.0);
    let far = network.station(Station::new("far", law("exponential:1")));
    network.route(far, desk, 1.0, 0.0);
    refused(network, &["no token ever reaches station 'far'"]);
    for (station, parts) in [
        (Station::new("bad", law("constant:1")).servers(0).tokens(1), ["number of servers is 0", "1 or more"]),
        (Station::new("bad", law("constant:1")).servers(3).capacity(2), ["capacity is 2", "its number of servers, 3"]),
        (Station::new("bad", law("constant:1")).capacity(2).tokens(3), ["time 0 is 3", "its capacity, 2"]),
    ] {
        let mut network = Network::new();
        let bad = network.station(station);
        network.route(bad, bad, 1.0, 0.0);
        refused(network, &["'bad'", parts[0], parts[1]]);
    }
}

#[test]
fn times_are_checked() {
    let circle = || {
        let (mut network, desk) = base();
        network.route(desk, desk, 1.0, 0.0);
        network
    };
    for bad in [0.0, -1.0, f64::NAN, 3e9] {
        refused(circle().until(bad), &["until is"]);
    }
    refused(circle().warmup(100.0), &["warm-up time is 100", "until, which is 100"]);
    refused(circle().window(1.0), &["window is 1", "below 1", "'desk'"]);
    let (mut network, desk) = base();
    network.source(Source::new("in", law("exponential:1"), desk).start(-1.0));
    network.route(desk, desk, 1.0, 0.0);
    refused(network, &["source 'in'", "start is -1"]);
}

/// A window that transit delays cover shifts nothing; what they leave is shifted.
#[test]
fn delays_are_lookahead() {
    let ring = |delay: f64, window: Option<f64>| {
        let (mut network, desk) = base();
        network.route(desk, desk, 1.0, delay);
        model(window.map_or(network.clone(), |d| network.window(d)))
    };
    assert_eq!((ring(0.5, None).shift(0), ring(0.5, None).lookahead().units()), (None, 0.5));
    assert_eq!((ring(0.5, Some(0.25)).shift(0), ring(0.5, Some(0.25)).lookahead().units()), (None, 0.5));
    let shifted = ring(0.5, Some(0.75));
    assert_eq!((shifted.shift(0), shifted.lookahead().units()), (Some(0.25), 0.75));
    for window in [None, Some(0.0)] {
        assert_eq!((ring(0.0, window).shift(0), ring(0.0, window).lookahead().units()), (None, 0.0));
    }
}

#[test]
fn what_can_run_badly_is_remarked_on() {
    let open = |mean: f64| {
        let mut network = Network::new();
        let desk = network.station(Station::new("desk", law("exponential:2")).servers(2));
        let exit = network.sink("exit");
        network.source(Source::new("in", law(&format!("exponential:{mean}")), desk));
        network.route(desk, desk, 0.5, 0.0);
        network.route(desk, exit, 0.5, 0.0);
        model(network)
    };
    // Each token is served twice: 2 units of work by 2 servers for every interval.
    assert_eq!(open(2.5).warnings(), []);
    match open(1.6).warnings() {
        // Of 0.625 from the source and half of the 1 that it serves a time unit.
        [NetworkWarning::Unstable { station, load, at_most: false, others }] => {
            assert_eq!((station.as_str(), *others), ("desk", 0));
            assert!((load - 1.125).abs() < 1e-6, "{load}");
        }
        other => panic!("{other:?}"),
    }
    let mut closed = Network::new();
    let desk = closed.station(Station::new("desk", law("exponential:2")).capacity(3).tokens(3));
    let other = closed.station(Station::new("other", law("exponential:2")).tokens(2));
    closed.route(desk, other, 1.0, 0.0);
    closed.route(other, desk, 1.0, 0.0);
    assert!(matches!(model(closed).warnings(), [NetworkWarning::ClosedWithLosses { capacity: 3, tokens: 5, .. }]));
    let mut trap = Network::new();
    let pit = trap.station(Station::new("pit", law("exponential:1")));
    trap.source(Source::new("in", law("exponential:9"), pit));
    trap.route(pit, pit, 1.0, 0.0);
    assert!(matches!(model(trap).warnings(), [NetworkWarning::NoExit { station }] if station == "pit"));
}

/// What comes behind an overloaded station is what that one serves, and behind one that loses tokens at most that.
#[test]
fn an_overload_is_that_of_the_bottleneck() {
    // Two a time unit come to a first station, and from there to a second.
    let line = |first: Station, second: &str| {
        let mut network = Network::new();
        let first = network.station(first);
        let second = network.station(Station::new("second", law(second)));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:0.5"), first));
        network.route(first, second, 1.0, 0.0);
        network.route(second, exit, 1.0, 0.0);
        model(network)
    };
    // The first serves one of the two; the second could not serve two, but one.
    let warnings = line(Station::new("first", law("exponential:1")), "exponential:0.8").warnings().to_vec();
    match &warnings[..] {
        [NetworkWarning::Unstable { station, load, at_most: false, others: 0 }] if station == "first" => {
            assert!((load - 2.0).abs() < 1e-6, "{load}");
        }
        other => panic!("{other:?}"),
    }
    // A first one with room for one loses two thirds and more, so that the second may do or not: nobody knows before.
    let lossy = |second| line(Station::new("first", law("exponential:1")).capacity(1), second).warnings().to_vec();
    assert_eq!(lossy("exponential:0.8"), []);
    let [warning @ NetworkWarning::Unstable { station, load, at_most: true, .. }] = &lossy("exponential:1.25")[..]
    else {
        panic!("{:?}", lossy("exponential:1.25"))
    };
    assert!(station == "second" && (load - 1.25).abs() < 1e-6, "{warning}");
    let said = warning.to_string();
    assert!(said.contains("offered up to 1.250 ") && said.contains("may grow without end (what is lost"), "{said}");
}

/// Tokens without a place are spread by how often stations are visited.
#[test]
fn tokens_are_spread_by_visits() {
    let mut network = Network::new();
    let hub = network.station(Station::new("hub", law("exponential:1")));
    for name in ["a", "b"] {
        let leaf = network.station(Station::new(name, law("exponential:1")));
        network.route(hub, leaf, 0.5, 0.0);
        network.route(leaf, hub, 1.0, 0.0);
    }
    let model = model(network.tokens(9));
    assert_eq!([0, 1, 2].map(|station| model.tokens_at(station)).iter().sum::<u32>(), 9);
    assert!(model.tokens_at(0) >= 4 && model.tokens_at(1) >= 2 && model.tokens_at(2) >= 2);
}

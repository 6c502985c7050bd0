//! Resources: against queues without them, a Markov chain, and by hand.

use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, Source, Station};

/// As many servers as one likes and c units of a resource are c servers, with patience and priorities too.
#[test]
fn units_are_servers() {
    let queue = |with_units: bool| {
        let mut network = Network::new().warmup(100.0).until(2000.0);
        let classes =
            [("first", 0), ("second", 3)].map(|(name, level)| network.class(Class::new(name).priority(level)));
        let desk = Station::new("desk", law("exponential:2")).patience(law("exponential:3"), None);
        let desk = desk.class(ClassOfStation::new(classes[1]).service(law("uniform:1,4")).tokens(5));
        let desk = if with_units {
            let units = network.resource("units", 3);
            desk.infinite_servers().seizes(units, 1).releases(units, 1)
        } else {
            desk.servers(3)
        };
        let desk = network.station(desk);
        let exit = network.sink("exit");
        for class in classes {
            let name = format!("in {}", class.index());
            network.source(Source::new(name, law("exponential:1.6"), desk).class(class));
        }
        network.route(desk, exit, 1.0, 0.0);
        run(network)
    };
    let (servers, units) = (queue(false), queue(true));
    let record = units.outcome.resources[0];
    assert_eq!(record.held, servers.outcome.stations.facilities[0].busy);
    assert_eq!(record.in_use, servers.outcome.stations.facilities[0].serving);
    assert_eq!(record.grants, servers.outcome.stations.facilities[0].starts);
    assert!(servers.outcome.classes[1].reneged > 100);
    assert_eq!(NetworkOutcome { resources: vec![], ..units.outcome }, servers.outcome);
    assert_eq!((units.events, units.clock), (servers.events, servers.clock));
}

/// A region of two stations has three places; who finds none waits in front of it, at most six with those at the first station.
#[test]
fn a_region_of_two_stations() {
    let mut network = Network::new().warmup(500.0).until(9_500.0);
    let region = network.resource("region", 3);
    let a = Station::new("a", law("exponential:1")).capacity(6).seizes(region, 1).seizes_at_arrival();
    let a = network.station(a);
    let b = network.station(Station::new("b", law("exponential:1.25")).releases(region, 1));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:2"), a));
    network.route(a, b, 1.0, 0.0);
    network.route(b, exit, 1.0, 0.0);
    // States: tokens at a or in front of it, and at b.
    let mut chances = [[1.0 / 28.0; 4]; 7];
    for _ in 0..10_000 {
        let mut next = chances;
        for (first, row) in chances.iter().enumerate() {
            for (second, chance) in row.iter().enumerate() {
                let mut flow = |to: (usize, usize), rate: f64| {
                    next[first][second] -= 0.1 * rate * chance;
                    next[to.0][to.1] += 0.1 * rate * chance;
                };
                if first < 6 {
                    flow((first + 1, second), 0.5);
                }
                if first > 0 && second < 3 {
                    flow((first - 1, second + 1), 1.0);
                }
                if second > 0 {
                    flow((first, second - 1), 0.8);
                }
            }
        }
        chances = next;
    }
    let mean = |of: &dyn Fn(usize, usize) -> usize| -> f64 {
        let row = |first: usize| (0..4).map(move |second| (first, second));
        (0..7).flat_map(row).map(|(first, second)| of(first, second) as f64 * chances[first][second]).sum()
    };
    assert_figure(&network, "at a", mean(&|first, _| first), |outcome| mean_present(outcome, 0));
    assert_figure(&network, "at b", mean(&|_, second| second), |outcome| mean_present(outcome, 1));
    let held = |outcome: &NetworkOutcome| outcome.resources[0].held as f64 / UNIT as f64 / outcome.stations.measured();
    assert_figure(&network, "in the region", mean(&|first, second| (first + second).min(3)), held);
}

/// Units go to the higher priority, then to who came earlier, over stations; needs of several units are met together.
#[test]
fn units_by_hand() {
    let mut network = Network::new().until(30.0);
    let [low, high] = [("low", 2), ("high", 1)].map(|(name, level)| network.class(Class::new(name).priority(level)));
    let bed = network.resource("bed", 3);
    let ward = |name: &str, units: u32| {
        let ward = Station::new(name, law("constant:4")).infinite_servers();
        ward.seizes(bed, units).releases(bed, units)
    };
    let [a, b, c] = [("a", 2), ("b", 2), ("c", 1)].map(|(name, units)| network.station(ward(name, units)));
    let exit = network.sink("exit");
    // At 1 a token takes two beds until 5; those of 2 (low, two beds) and 3 (high, two beds) wait, that of 4 (one bed) does not, until 8.
    // At 5 two are free: the high one's until 9; then the low one's until 13.
    for (name, station, class, at) in
        [("first", a, low, 1.0), ("second", a, low, 2.0), ("third", b, high, 3.0), ("fourth", c, low, 4.0)]
    {
        network.source(Source::new(name, law("constant:1"), station).start(at - 1.0).limit(1).class(class));
    }
    for station in [a, b, c] {
        network.route(station, exit, 1.0, 0.0);
    }
    let outcome = run(network).outcome;
    assert_eq!(outcome.class_sinks.iter().map(|sink| sink.sojourn >> 32).collect::<Vec<_>>(), [4 + 11 + 4, 6]);
    assert_eq!(units(outcome.resources[0].held), 3.0 * 8.0 + 4.0);
    assert_eq!((outcome.resources[0].grants, outcome.resources[0].in_use), (4, 0));
}

/// Who is interrupted keeps its units, and goes on before who waits for them; who reneges in the region gives its place back.
#[test]
fn units_stay_with_who_is_interrupted() {
    let mut network = Network::new().until(40.0);
    let tool = network.resource("tool", 1);
    let shifts = tickless::queueing::Shifts::new(vec![(0.0, 1), (3.0, 0), (5.0, 1)]).interrupting();
    let desk =
        network.station(Station::new("desk", law("constant:4")).shifts(shifts).seizes(tool, 1).releases(tool, 1));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), desk).limit(2));
    network.route(desk, exit, 1.0, 0.0);
    // The first from 1 to 3 and from 5 to 7, the second from 7 to 11.
    let outcome = run(network).outcome;
    assert_eq!((outcome.sinks[0].sojourn >> 32, outcome.resources[0].held >> 32), (6 + 9, 6 + 4));

    let mut network = Network::new().until(40.0);
    let region = network.resource("region", 2);
    let desk = Station::new("desk", law("constant:10")).patience(law("constant:3"), None);
    let desk = network.station(desk.seizes(region, 1).seizes_at_arrival().releases(region, 1));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), desk).limit(3));
    network.route(desk, exit, 1.0, 0.0);
    // The second has its place from 2 to 5, when it leaves; the third then for the rest of its patience, until 6.
    let outcome = run(network).outcome;
    assert_eq!((outcome.classes[0].reneged, outcome.sinks[0].tokens), (2, 1));
    assert_eq!((outcome.resources[0].grants, outcome.resources[0].held >> 32), (3, 10 + 3 + 1));
}

/// Two that seize in different orders, and one that blocks a station whose place it holds.
#[test]
fn who_waits_for_ever_is_named() {
    let stuck = |network: Network| match simulate(&model(network), &mut unwatched()).map(|_| ()) {
        Err(QueueingError::Stuck { clock, cycle }) => (clock, cycle),
        other => panic!("{other:?}"),
    };
    let mut network = Network::new().until(100.0);
    let [cup, spoon] = ["cup", "spoon"].map(|name| network.resource(name, 1));
    let station = |name: &str, time: u32| Station::new(name, law(&format!("constant:{time}")));
    let a = network.station(station("a", 1).tokens(1).seizes(cup, 1));
    let b = network.station(station("b", 1).seizes(spoon, 1).releases(cup, 1).releases(spoon, 1));
    let c = network.station(station("c", 2).tokens(1).seizes(spoon, 1));
    let d = network.station(station("d", 1).seizes(cup, 1).releases(cup, 1).releases(spoon, 1));
    for (from, to) in [(a, b), (b, a), (c, d), (d, c)] {
        network.route(from, to, 1.0, 0.0);
    }
    assert_eq!(stuck(network), (2.0, "b -> spoon -> d -> cup -> b".into()));

    // The token that is blocked has the place that the one needs which takes up the room.
    let mut network = Network::new().until(100.0);
    let place = network.resource("place", 1);
    let front = network.station(station("front", 1).tokens(1).seizes(place, 1));
    let back = network.station(station("back", 2).capacity(1).blocking().tokens(1).seizes(place, 1).releases(place, 1));
    network.route(front, back, 1.0, 0.0);
    network.route(back, front, 1.0, 0.0);
    assert_eq!(stuck(network), (1.0, "front -> back -> place -> front".into()));
}

/// A token that got its units late came earlier than the one in service: by `lcfs-preemptive` it waits behind that one.
#[test]
fn who_came_earlier_interrupts_nobody() {
    let mut network = Network::new().until(20.0);
    network.class(Class::new("all"));
    let unit = network.resource("unit", 2);
    let desk = Station::new("desk", law("constant:3")).discipline(Discipline::LastComePreemptive);
    let desk = network.station(desk.seizes(unit, 1).seizes_at_arrival().releases(unit, 1));
    let holder = network.station(Station::new("holder", law("constant:5")).seizes(unit, 1).releases(unit, 1));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.route(holder, out, 1.0, 0.0);
    network.source(Source::new("first", law("constant:1"), holder).limit(1));
    network.source(Source::new("others", law("constant:1"), desk).start(1.0).limit(3));
    // At 6 the unit of the holder goes to the second token, which came at 3, while the third is served, which came at 4.
    let outcome = run(network).outcome;
    assert_eq!((outcome.classes[0].preemptions, outcome.sinks[0].tokens), (0, 4));
}

//! Preemption of units that tokens hold, and of servers where they hold units: against queues without units, a Markov chain, and by hand.

use super::chain::Chain;
use super::pairs::at;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassId, ClassOfStation, Resource, Shifts, Source, Station, StationId};

/// Classes of the first priority, the second and so on.
fn classes<const COUNT: usize>(network: &mut Network) -> [ClassId; COUNT] {
    std::array::from_fn(|level| network.class(Class::new(format!("c{level}")).priority(level as u32)))
}

/// One token of a class comes to a station at a time.
fn one(network: &mut Network, station: StationId, class: ClassId, time: f64) {
    let name = format!("{time} to {}", station.index());
    network.source(Source::new(name, law("constant:1"), station).start(time - 1.0).limit(1).class(class));
}

/// As many servers as one likes and c units of a preemptive resource are c servers of a preemptive station, with patience too.
#[test]
fn units_that_may_be_taken_are_servers_that_may() {
    let queue = |with_units: bool| {
        let mut network = Network::new().until(2000.0);
        let all: [ClassId; 3] = classes(&mut network);
        let desk = Station::new("desk", law("exponential:2")).patience(law("exponential:3"), None);
        let desk = desk.class(ClassOfStation::new(all[1]).service(law("uniform:1,4")));
        let desk = if with_units {
            let units = network.add_resource(Resource::new("units", 3).preemptive());
            desk.infinite_servers().seizes(units, 1).releases(units, 1)
        } else {
            desk.servers(3).preemptive()
        };
        let desk = network.station(desk);
        let exit = network.sink("exit");
        for class in all {
            let name = format!("in {}", class.index());
            network.source(Source::new(name, law("exponential:1.6"), desk).class(class));
        }
        network.route(desk, exit, 1.0, 0.0);
        run(network)
    };
    let (servers, units) = (queue(false), queue(true));
    assert!(servers.outcome.classes[2].preemptions > 100 && servers.outcome.classes[1].reneged > 100);
    let record = units.outcome.resources[0];
    assert_eq!(record.held, servers.outcome.stations.facilities[0].busy);
    let preemptions: u64 = servers.outcome.classes.iter().map(|class| class.preemptions).sum();
    // Who was interrupted is granted its unit again, but for those that wait for it at the end.
    let granted = servers.outcome.stations.facilities[0].starts + preemptions;
    assert!(record.grants <= granted && record.grants + 100 > granted, "{} {granted}", record.grants);
    assert_eq!(NetworkOutcome { resources: vec![], ..units.outcome }, servers.outcome);
    assert_eq!((units.events, units.clock), (servers.events, servers.clock));
}

/// Surgery needs two surgeons at once, and takes them from up to two visits, which go on when there is no surgery.
#[test]
fn surgery_takes_both_surgeons() {
    let (surgeries, visits, cut, visit) = (0.12, 0.5, 0.5, 0.9);
    let chain = Chain::new((0_u32, 0_u32), |(cutting, visiting): (u32, u32)| {
        let mut moves =
            vec![(((cutting + 1).min(30), visiting), surgeries), ((cutting, (visiting + 1).min(60)), visits)];
        if cutting > 0 {
            moves.push(((cutting - 1, visiting), cut));
        } else if visiting > 0 {
            moves.push(((0, visiting - 1), visit * f64::from(visiting.min(2))));
        }
        moves
    });
    let mut network = Network::new().warmup(200.0).until(40_200.0);
    let [first, second] = classes(&mut network);
    let surgeon = network.add_resource(Resource::new("surgeon", 2).preemptive());
    let theatre = Station::new("theatre", at(cut)).servers(1).seizes(surgeon, 2).releases(surgeon, 2);
    let theatre = network.station(theatre);
    let ward = network.station(Station::new("ward", at(visit)).servers(3).seizes(surgeon, 1).releases(surgeon, 1));
    let out = network.sink("out");
    network.source(Source::new("surgeries", at(surgeries), theatre).class(first));
    network.source(Source::new("visits", at(visits), ward).class(second));
    network.route(theatre, out, 1.0, 0.0);
    network.route(ward, out, 1.0, 0.0);
    let in_service = |(cutting, visiting)| if cutting > 0 { 0.0 } else { f64::from(std::cmp::min(visiting, 2_u32)) };
    // Of the ward the second class, behind the two of the theatre.
    let interrupted = |outcome: &NetworkOutcome| outcome.classes[3].preemptions as f64 / outcome.stations.measured();
    let held = |outcome: &NetworkOutcome| units(outcome.resources[0].held) / outcome.stations.measured();
    let cutting = chain.share(|(cutting, _): (u32, u32)| cutting > 0);
    assert_figures(
        &network,
        &[
            ("in the theatre", chain.mean(|(cutting, _)| f64::from(cutting)), &|one| mean_present(one, 0)),
            ("in the ward", chain.mean(|(_, visiting)| f64::from(visiting)), &|one| mean_present(one, 1)),
            ("interrupted", surgeries * chain.mean(in_service), &interrupted),
            ("held", 2.0 * cutting + chain.mean(in_service), &held),
        ],
    );
}

/// Of the lowest priority who came last is interrupted first; it gives back all that its station seizes, and its server.
#[test]
fn who_came_last_is_interrupted() {
    let mut network = Network::new().until(40.0);
    let [first, second, third] = classes(&mut network);
    let [nurse, bed] = [("nurse", 3), ("bed", 1)].map(|(name, units)| Resource::new(name, units));
    let (nurse, bed) = (network.add_resource(nurse.preemptive()), network.add_resource(bed));
    let ward = |name: &str| Station::new(name, law("constant:10")).seizes(nurse, 1).releases(nurse, 1);
    let a = network.station(ward("a"));
    let b = network.station(ward("b").seizes(bed, 1).releases(bed, 1));
    let c = network.station(Station::new("c", law("constant:4")).seizes(nurse, 2).releases(nurse, 2));
    let d = network.station(Station::new("d", law("constant:1")).seizes(bed, 1).releases(bed, 1));
    let out = network.sink("out");
    // At 2 two of three nurses are taken, and the bed, for which `d` waits from 4 on. At 5 two nurses are needed: one is free, and `b` gives up the
    // other, with the bed.
    for (station, class, time) in [(a, third, 1.0), (b, third, 2.0), (d, third, 4.0), (c, first, 5.0)] {
        one(&mut network, station, class, time);
    }
    one(&mut network, a, second, 30.0);
    for station in [a, b, c, d] {
        network.route(station, out, 1.0, 0.0);
    }
    let outcome = run(network).outcome;
    let sojourn = |class: ClassId| units(outcome.class_sinks[class.index() as usize].sojourn);
    // Only `b` is interrupted, from 5 to 9, and goes on until 16; `d` has the bed from 5 to 6.
    assert_eq!(sojourn(first), 4.0);
    assert_eq!(sojourn(third), 10.0 + (16.0 - 2.0) + 2.0);
    assert_eq!(outcome.classes.iter().map(|class| class.preemptions).sum::<u64>(), 1);
}

/// Nobody is interrupted in vain: two units of three are with tokens of the same priority.
#[test]
fn nobody_is_interrupted_in_vain() {
    let mut network = Network::new().until(40.0);
    let [first, second, third] = classes(&mut network);
    let nurse = network.add_resource(Resource::new("nurse", 3).preemptive());
    let a = network.station(Station::new("a", law("constant:10")).servers(3).seizes(nurse, 1).releases(nurse, 1));
    let c = network.station(Station::new("c", law("constant:4")).seizes(nurse, 2).releases(nurse, 2));
    let out = network.sink("out");
    for (station, class, time) in
        [(a, second, 1.0), (a, third, 2.0), (a, second, 3.0), (c, second, 4.0), (c, first, 20.0)]
    {
        one(&mut network, station, class, time);
    }
    network.route(a, out, 1.0, 0.0);
    network.route(c, out, 1.0, 0.0);
    let outcome = run(network).outcome;
    assert_eq!(outcome.classes.iter().map(|class| class.preemptions).collect::<Vec<_>>(), [0, 0, 1, 0, 0, 0]);
    // At 11 there is one nurse, and the one of the third priority has another: it waits from 11 to 13, when a third nurse is there.
    let sojourns = outcome.class_sinks.iter().map(|sink| units(sink.sojourn)).collect::<Vec<_>>();
    assert_eq!(sojourns, [4.0, 10.0 + 10.0 + 11.0, 12.0]);
}

/// Where a station is preemptive, and its units are not, who is interrupted keeps them: who interrupts has others.
#[test]
fn servers_are_taken_beside_units() {
    let mut network = Network::new().until(40.0);
    let [first, second] = classes(&mut network);
    let tool = network.resource("tool", 2);
    let desk = Station::new("desk", law("constant:4")).preemptive().seizes(tool, 1).releases(tool, 1);
    let desk = network.station(desk);
    let out = network.sink("out");
    // At 2 the first token loses its server; at 3 the next one has no tool until 6, and then at once the server of the first.
    for (class, time) in [(second, 1.0), (first, 2.0), (first, 3.0)] {
        one(&mut network, desk, class, time);
    }
    network.route(desk, out, 1.0, 0.0);
    let outcome = run(network).outcome;
    assert_eq!(units(outcome.class_sinks[first.index() as usize].sojourn), 4.0 + 7.0);
    assert_eq!(units(outcome.class_sinks[second.index() as usize].sojourn), 12.0);
    assert_eq!((outcome.classes[1].preemptions, outcome.resources[0].grants), (1, 3));
    assert_eq!(units(outcome.resources[0].held), 12.0 + 4.0 + 4.0);
}

/// Behind the end of a shift servers serve to the end whom they serve: who comes takes one of them, as at any preemptive station.
#[test]
fn one_server_is_taken_behind_the_end_of_a_shift() {
    for with_units in [false, true] {
        let mut network = Network::new().until(40.0);
        let [first, second] = classes(&mut network);
        let shifts = Shifts::new(vec![(0.0, 2), (4.0, 0), (20.0, 2)]);
        let mut desk = Station::new("desk", law("constant:6")).preemptive().shifts(shifts);
        if with_units {
            let key = network.add_resource(Resource::new("key", 2).preemptive());
            desk = desk.seizes(key, 1).releases(key, 1);
        }
        let desk = network.station(desk);
        let out = network.sink("out");
        for (class, time) in [(second, 1.0), (second, 2.0), (first, 5.0)] {
            one(&mut network, desk, class, time);
        }
        network.route(desk, out, 1.0, 0.0);
        let outcome = run(network).outcome;
        // From 5 to 11 beside the one that came first, until 7; the other has had 3 of 6, and the rest from 20 on.
        assert_eq!(units(outcome.class_sinks[first.index() as usize].sojourn), 6.0);
        assert_eq!(units(outcome.class_sinks[second.index() as usize].sojourn), 6.0 + 21.0);
        assert_eq!(outcome.classes[1].preemptions, 1);
    }
}

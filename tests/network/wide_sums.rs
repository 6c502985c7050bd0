//! Sums of times that pass 64 bits, which are 2^32 token-units: whole on every backend.

use super::multiclass_devices::{FORMS, compare};
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Routing, Station, combined_digest};

const UNTIL: u32 = 1_100_000_000;

/// Every sum passes 64 bits, and most of it is of visits that have ended: in a hall of infinitely many servers, in a line, of patience,
/// and of servers that hold tokens for want of room.
fn everything() -> Network {
    let mut network = Network::new().until(UNTIL.into());
    network.class(Class::new("only"));
    let hall = network.station(Station::new("hall", law("constant:5e8")).infinite_servers().tokens(30));
    network.route(hall, hall, 1.0, 0.0);
    let line = network.station(Station::new("line", law("constant:6e7")).tokens(30));
    network.route(line, line, 1.0, 0.0);
    let exit = network.sink("exit");
    let help = Station::new("help", law("constant:4e7")).patience(law("constant:1e9"), Some(exit.into())).tokens(40);
    let help = network.station(help);
    network.route(help, exit, 1.0, 0.0);
    let press = network.station(Station::new("press", law("constant:1")).servers(30).tokens(30));
    let dock = network.station(Station::new("dock", law("constant:1e8")).capacity(1).blocking());
    network.route(press, dock, 1.0, 0.0);
    network.route(dock, exit, 1.0, 0.0);
    let mill = network.station(Station::new("mill", law("constant:1")).servers(30).tokens(30));
    let quay = network.station(Station::new("quay", law("constant:1e8")).capacity(1).blocking_before());
    network.route(mill, quay, 1.0, 0.0);
    network.route(quay, exit, 1.0, 0.0);
    let split = Station::new("split", law("constant:1")).routing(Routing::Fork).infinite_servers().tokens(20);
    let split = network.station(split);
    let join = network.station(Station::new("join", law("constant:1")).joining().infinite_servers());
    for (name, service) in [("short", "constant:1"), ("long", "constant:5e8")] {
        let way = network.station(Station::new(name, law(service)).infinite_servers());
        network.route(split, way, 1.0, 0.0);
        network.route(way, join, 1.0, 0.0);
    }
    network.route(join, exit, 1.0, 0.0);
    network
}

#[test]
fn sums_of_classes_pass_64_bits() {
    let model = model(everything());
    let run = queueing::run(&model, 0..2, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let [hall, line, help, press, _, mill, _, _, join, _, _] = &run.outcome[0].classes[..] else { panic!("stations") };
    let units = |count: u128| count << 32;
    let all = units(30 * u128::from(UNTIL));
    assert_eq!([hall.record.presence, hall.record.busy, line.record.presence], [all; 3]);
    assert_eq!(hall.record.service, units(3 * 30 * 500_000_000), "three services of each have started");
    // Each of those that were there waits for all before it.
    let waited: u128 = (0..19).map(|service| service * 60_000_000).sum();
    assert_eq!(line.record.waiting, units(waited));
    // 25 are served until the others lose their patience, and the 26th, which begins then.
    assert_eq!((help.reneged, help.patience), (14, units(14 * 1_000_000_000)));
    // One leaves at once, then one at each end of a service of the dock; the others are held.
    let held: u128 = (1..11).map(|left| left * 100_000_000).sum::<u128>() + 19 * (u128::from(UNTIL) - 1);
    assert_eq!((press.blocked, press.stopped), (units(held), 0));
    // Of the mill one is served until 1; each of the others begins when the one before it has left the quay, 1 + 1e8 later.
    assert!(mill.stopped == mill.blocked && mill.stopped > units(5_500_000_000), "{mill:?}");
    assert_eq!((join.joining, join.joins, join.joined), (units(20 * 499_999_999), 40, 20));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model, 0..2, form);
    }
}

/// In rounds, whose records hold 96 bits of a sum.
#[test]
fn sums_pass_64_bits_in_rounds() {
    let mut network = Network::new().until(UNTIL.into());
    let hall = network.station(Station::new("hall", law("constant:1e8")).servers(40).tokens(30));
    let line = network.station(Station::new("line", law("constant:6e7")).tokens(30));
    network.route(hall, line, 1.0, 1e7);
    network.route(line, hall, 1.0, 1e7);
    let model = model(network);
    let run =
        |target: Target<'_>| queueing::run(&model, 0..2, target, Default::default(), &mut unwatched()).expect("a run");
    let expected = run(Target::Heap).outcome;
    let [hall, line] = &expected[0].stations.facilities[..] else { panic!("two stations") };
    assert!([hall.busy, hall.presence, line.waiting].iter().all(|sum| *sum > u64::MAX.into()), "{hall:?} {line:?}");
    for (form, device) in adapter::forms(&FORMS[..1]) {
        let found = run(Target::Device(device.as_ref())).outcome;
        assert_eq!(queueing::first_difference(&expected, &found), None, "{form}");
        assert_eq!(combined_digest(&expected), combined_digest(&found), "{form}");
    }
    let mut changed = expected.clone();
    changed[0].stations.facilities[1].waiting += 1 << 64;
    assert_ne!(combined_digest(&expected), combined_digest(&changed));
}

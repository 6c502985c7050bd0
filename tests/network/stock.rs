//! Units that are used up and delivered, and alternatives.

use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{Class, QueueingError, Resource, Routing, Shifts, Source, Station};

/// A shelf with room for four, from which each customer takes one that is ordered anew at once: orders under way are Poisson (Palm 1938),
/// whatever their lead times.
#[test]
fn a_shelf_that_is_filled_up_is_as_palm_says() {
    let mut network = Network::new().warmup(200.0).until(20_200.0);
    let shelf = network.resource("shelf", 4);
    let instant = |name: &str| Station::new(name, law("constant:0.000001")).infinite_servers();
    let door = network.station(instant("door").routing(Routing::Fork));
    let counter = network.station(instant("counter").uses(shelf, 1));
    let supplier = Station::new("supplier", law("uniform:1,5")).infinite_servers().delivers(shelf, 1);
    let supplier = network.station(supplier);
    let out = network.sink("out");
    network.route(door, counter, 1.0, 0.0);
    network.route(door, supplier, 1.0, 0.0);
    network.route(counter, out, 1.0, 0.0);
    network.route(supplier, out, 1.0, 0.0);
    network.source(Source::new("customers", law("exponential:1"), door));
    let orders: Vec<f64> = (1..60)
        .scan((-3.0_f64).exp(), |share, n| {
            let here = *share;
            *share *= 3.0 / f64::from(n);
            Some(here)
        })
        .collect();
    let mean = |of: &dyn Fn(f64) -> f64| (0..).zip(&orders).map(|(n, share)| of(f64::from(n)) * share).sum::<f64>();
    let (missing, waiting) = (mean(&|n| n.min(4.0)), mean(&|n| (n - 4.0).max(0.0)));
    assert_figure(&network, "missing", missing, |one| units(one.resources[0].held) / one.stations.measured());
    assert_figure(&network, "waiting", waiting, |one| mean_present(one, 1));
    let outcome = run(network).outcome;
    assert_eq!(outcome.resources[0].grants, outcome.stations.facilities[1].starts);
}

/// A shelf that is ordered up to 8 once a week, with a lead time of two days: what is missing is the demand since the last order that has come, which
/// is Poisson over two to nine days. Orders of customers wait at a gate that is open for an instant.
#[test]
fn a_shelf_is_ordered_up_to_once_a_week() {
    let (room, week, lead) = (8_u32, 7.0, 2.0);
    let mut network = Network::new().warmup(30.0 * week).until(1_030.0 * week);
    let shelf = network.resource("shelf", room);
    let door = network.station(Station::without_time("door").routing(Routing::Fork));
    let counter = network.station(Station::without_time("counter").infinite_servers().uses(shelf, 1));
    let open = Shifts::new(vec![(0.0, 1), (0.000_001, 0)]).every(week);
    let orders = network.station(Station::without_time("orders").shifts(open));
    let supplier = Station::new("supplier", law("constant:2")).infinite_servers().delivers(shelf, 1);
    let supplier = network.station(supplier);
    let out = network.sink("out");
    for (from, to) in [(door, counter), (door, orders), (orders, supplier)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(counter, out, 1.0, 0.0);
    network.route(supplier, out, 1.0, 0.0);
    network.source(Source::new("customers", law("exponential:1"), door));
    let poisson = |mean: f64| {
        (1..80).scan((-mean).exp(), move |share, n| Some(std::mem::replace(share, *share * mean / f64::from(n))))
    };
    let over_time = |of: &dyn Fn(f64) -> f64| {
        let days = (0..700).map(|step| lead + (f64::from(step) + 0.5) / 100.0);
        let of_day = |day: f64| (0..).zip(poisson(day)).map(|(n, share)| of(f64::from(n)) * share).sum::<f64>();
        days.map(of_day).sum::<f64>() / 700.0
    };
    let (missing, waiting) = (over_time(&|n| n.min(room.into())), over_time(&|n| (n - f64::from(room)).max(0.0)));
    assert_figure(&network, "missing", missing, |one| units(one.resources[0].held) / one.stations.measured());
    assert_figure(&network, "waiting", waiting, |one| mean_present(one, 1));
}

/// 4 jobs need 2 each; 3 are there, and a truck brings 8 at 41, of which 7 and then 6 have room.
#[test]
fn a_stock_by_hand() {
    let mut network = Network::new().until(100.0);
    let steel = network.add_resource(Resource::new("steel", 8).stock(3));
    let forge = network.station(Station::new("forge", law("constant:1")).uses(steel, 2).servers(2));
    let dock = network.station(Station::new("dock", law("constant:1")).delivers(steel, 8));
    let out = network.sink("out");
    network.route(forge, out, 1.0, 0.0);
    network.route(dock, out, 1.0, 0.0);
    network.source(Source::new("jobs", law("constant:10"), forge));
    network.source(Source::new("trucks", law("constant:40"), dock));
    let outcome = run(network).outcome;
    // Served at 10; at 41 those of 20, 30 and 40, of which two begin at 41, and one at 42; at 50 there is one left; at 81 those of 60, 70 and 80 come
    // to wait for 50's: 1 + 7 = 8 units.
    let record = outcome.stations.facilities[0];
    assert_eq!((record.arrivals, record.starts), (9, 1 + 4 + 4));
    assert_eq!(outcome.resources[0].grants, 9);
    // 5 are missing until 10, 7 until 41, then 8 - 8 + 2 x 2, and so on.
    let missing = 5 * 10 + 7 * 31 + 4 + 6 * 8 + 8 * 31 + 4 + 6 * 8 + 8 * 10;
    assert_eq!(outcome.resources[0].held >> 32, missing);
}

/// Two doctors and a registrar are three servers of one line.
#[test]
fn alternatives_are_servers_of_one_line() {
    let mut network = Network::new().warmup(100.0).until(10_100.0);
    let [doctor, registrar] = [("doctor", 2), ("registrar", 1)].map(|(name, units)| network.resource(name, units));
    let ward = Station::new("ward", law("exponential:1")).infinite_servers();
    let ward = ward.seizes(doctor, 1).or_seizes([(registrar, 1)]).releases(doctor, 1).releases(registrar, 1);
    let ward = network.station(ward);
    let out = network.sink("out");
    network.route(ward, out, 1.0, 0.0);
    network.source(Source::new("in", law("exponential:0.5"), ward));
    // M/M/3 of load 2/3: 26/9 are there.
    assert_figure(&network, "present", 26.0 / 9.0, |one| mean_present(one, 0));
    // Who finds a doctor free takes that one: more than two thirds of all, though two of three are doctors.
    let outcome = run(network).outcome;
    let [doctors, registrars] = [0, 1].map(|of| outcome.resources[of].grants as f64);
    assert!(doctors / (doctors + registrars) > 0.69, "{doctors} {registrars}");
}

#[test]
fn the_first_alternative_that_is_there_is_taken() {
    let mut network = Network::new().until(100.0);
    let [doctor, registrar] = [("doctor", 1), ("registrar", 2)].map(|(name, units)| network.resource(name, units));
    let ward = Station::new("ward", law("constant:10")).infinite_servers();
    let ward = network.station(ward.seizes(doctor, 1).or_seizes([(registrar, 2)]).releases(registrar, 2));
    let out = network.sink("out");
    network.route(ward, out, 1.0, 0.0);
    network.source(Source::new("in", law("constant:1"), ward).limit(3));
    let outcome = run(network).outcome;
    // At 1 the doctor, at 2 the registrars, at 11 the doctor again.
    assert_eq!((outcome.resources[0].grants, outcome.resources[1].grants), (2, 1));
    assert_eq!([0, 1].map(|of| outcome.resources[of].held >> 32), [20, 20]);
    assert_eq!(outcome.sinks[0].sojourn >> 32, 10 + 10 + 18);
}

#[test]
fn a_stock_that_nobody_fills_ends_the_run() {
    let mut network = Network::new().until(100.0);
    let steel = network.resource("steel", 3);
    let forge = network.station(Station::new("forge", law("constant:1")).uses(steel, 2));
    let out = network.sink("out");
    network.route(forge, out, 1.0, 0.0);
    network.source(Source::new("jobs", law("constant:10"), forge));
    let model = network.check().unwrap();
    let error = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect_err("stuck");
    assert!(matches!(&error, QueueingError::Stuck { clock: 20.0, .. }), "{error}");
    assert!(error.to_string().contains("forge"), "{error}");
}

#[test]
fn what_does_not_go_with_stock_is_refused() {
    let said = |change: &dyn Fn(&mut Network, tickless::queueing::ResourceId) -> Station| {
        let mut network = Network::new().until(100.0);
        let [urgent, other] = [0, 1].map(|level| network.class(Class::new(format!("c{level}")).priority(level)));
        let steel = network.add_resource(Resource::new("steel", 3).stock(2));
        let station = change(&mut network, steel);
        let station = network.station(station);
        let out = network.sink("out");
        network.route(station, out, 1.0, 0.0);
        for class in [urgent, other] {
            network.source(Source::new(format!("in {class:?}"), law("constant:10"), station).class(class));
        }
        network.check().expect_err("refused").to_string()
    };
    let desk = || Station::new("desk", law("constant:1"));
    for (said, part) in [
        (said(&|_, steel| desk().uses(steel, 4)), "that it uses up is 4; it must be from 1 to 3"),
        (said(&|_, steel| desk().seizes(steel, 1)), "the stock is 2; it must be left out, as no station uses"),
        (said(&|_, steel| desk().uses(steel, 1).seizes(steel, 1)), "units are either held or used up"),
        (said(&|_, steel| desk().uses(steel, 1).releases(steel, 1)), "units are either held or used up"),
        (said(&|_, steel| desk().uses(steel, 1).or_seizes([])), "0 in the alternative 1; it must be 1 or more"),
        (said(&|_, steel| desk().uses(steel, 1).seizes_at_arrival()), "at the service, as it uses units up"),
        (
            said(&|network, steel| {
                let next = network.station(Station::new("next", law("constant:1")).capacity(1).blocking_before());
                let out = network.sink("beyond");
                network.route(next, out, 1.0, 0.0);
                let desk = network.station(desk().uses(steel, 1));
                network.route(desk, next, 1.0, 0.0);
                network.source(Source::new("to the desk", law("constant:1"), desk));
                Station::new("other", law("constant:1"))
            }),
            "what it seizes and no other, as its services stop",
        ),
        (
            said(&|network, steel| {
                let nurse = network.add_resource(Resource::new("nurse", 1).preemptive());
                desk().uses(steel, 1).seizes(nurse, 1)
            }),
            "what it seizes and no other, as it seizes units of a preemptive resource",
        ),
    ] {
        assert!(said.contains(part), "{said} for {part}");
    }
}

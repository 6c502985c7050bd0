//! Services that take so many times as long, by the time at which they begin.

use super::multiclass_devices::{FORMS, compare};
use super::theory::{assert_figures, units};
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Discipline, Routing, ServerGroup, Source, Station, TimeFactors};

fn desk(station: Station, source: impl FnOnce(tickless::queueing::StationId) -> Source, until: f64) -> Network {
    let mut network = Network::new().until(until);
    let desk = network.station(station);
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.source(source(desk));
    network
}

fn factors() -> TimeFactors {
    TimeFactors::new(vec![(0.0, 1.0), (4.0, 0.5), (8.0, 3.0)]).every(10.0)
}

/// By hand: what holds when a service begins holds for all of it, from the very instant of a step on.
#[test]
fn the_factor_at_the_beginning_counts() {
    let station = |name| Station::new(name, law("constant:2")).time_factors(factors());
    let network = desk(station("desk"), |desk| Source::new("in", law("constant:2"), desk), 24.0);
    let facility = run(network).outcome.stations.facilities[0];
    // From 2 to 4, 4 to 5, 6 to 7 and 8 to 14; who came at 10, 12, 14 and 16 from 14, 15, 16 and 17 on; from 18 to 24.
    assert_eq!((facility.starts, facility.service / UNIT), (9, 2 + 1 + 1 + 6 + 4 + 6));
    assert_eq!(facility.waiting / UNIT, (14 - 10) + (15 - 12) + (16 - 14) + (17 - 16));
    // Without a period the last one holds on.
    let once = TimeFactors::new(vec![(0.0, 1.0), (4.0, 0.5)]);
    let network = desk(
        Station::new("desk", law("constant:2")).time_factors(once),
        |desk| Source::new("in", law("constant:3"), desk),
        31.0,
    );
    assert_eq!(run(network).outcome.stations.facilities[0].service / UNIT, 2 + 9);
}

/// Groups' factors and those of batches come on top; a batch has the factor of its beginning.
#[test]
fn factors_multiply_each_other() {
    let oven = ServerGroup::new("oven", 1).factor(2.0).batch_most(2).batch_least(2).batch_factors(vec![1.0, 1.5]);
    let station = Station::new("desk", law("constant:1")).group(oven).time_factors(factors());
    let network = desk(station, |desk| Source::new("in", law("constant:3"), desk).limit(4), 40.0);
    // Batches at 6 (2 x 1.5 x 0.5 = 1.5) and at 12 (3).
    let facility = run(network).outcome.stations.facilities[0];
    assert_eq!(2 * facility.service / UNIT, 2 * (3 + 2 * 3));
}

/// An M/G/infinity whose services are exponential of mean 1 or 3, by halves of a period: each counts as often as it begins.
#[test]
fn services_have_the_mean_of_their_time() {
    let factors = TimeFactors::new(vec![(0.0, 1.0), (5.0, 3.0)]).every(10.0);
    let station = Station::new("desk", law("exponential:1")).infinite_servers().time_factors(factors);
    let network = desk(station, |desk| Source::new("in", law("exponential:0.5"), desk), 40_000.0);
    let mean = |one: &NetworkOutcome| {
        let facility = &one.stations.facilities[0];
        units(facility.service) / facility.starts as f64
    };
    assert_figures(&network, &[("service", 2.0, &mean)]);
}

#[test]
fn what_does_not_go_with_time_factors_is_refused() {
    let refused = |steps: Vec<(f64, f64)>, period: Option<f64>, change: &dyn Fn(Station) -> Station| {
        let mut factors = TimeFactors::new(steps);
        if let Some(period) = period {
            factors = factors.every(period);
        }
        let station = Station::new("desk", law("exponential:1")).time_factors(factors);
        let network = desk(change(station), |desk| Source::new("in", law("exponential:3"), desk), 10.0);
        network.check().expect_err("a fault").to_string()
    };
    let same = |station| station;
    for (said, steps, period, change) in [
        (
            "the number of factors by time is 0; it must be 1 or more",
            vec![],
            None,
            &same as &dyn Fn(Station) -> Station,
        ),
        ("the first time of the factors is 1; it must be 0", vec![(1.0, 1.0)], None, &same),
        ("a time of the factors is 0; it must be 1e-6 or more after", vec![(0.0, 1.0), (0.0, 2.0)], None, &same),
        (
            "the period of the factors is 2; it must be 1e-6 or more after",
            vec![(0.0, 1.0), (2.0, 2.0)],
            Some(2.0),
            &same,
        ),
        ("a factor by time is 2000; it must be from 2^-10 to 2^10", vec![(0.0, 2000.0)], None, &same),
        ("the discipline is sjf; it must be another one", vec![(0.0, 2.0)], None, &|station| {
            station.discipline(Discipline::ShortestJob)
        }),
    ] {
        let found = refused(steps, period, change);
        assert!(found.contains(said), "{found}");
    }
}

/// What services wait for behind their station, or are repeated for, does not go with them.
#[test]
fn services_begin_when_they_are_drawn() {
    for (change, fits) in [
        (Station::blocking as fn(Station) -> Station, true),
        (Station::blocking_before, false),
        (|station| station.repeating(tickless::queueing::Repetition::SameDestination), false),
    ] {
        let mut network = Network::new();
        let desk = network.station(Station::new("desk", law("exponential:1")).time_factors(factors()));
        let last = network.station(change(Station::new("last", law("exponential:1")).capacity(2)));
        let out = network.sink("out");
        network.route(desk, last, 1.0, 0.0);
        network.route(last, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        let found = network.check().map_err(|error| error.to_string());
        assert_eq!(found.is_ok(), fits);
        assert!(
            fits || found.unwrap_err().contains("whether services have factors by time is true; it must be left out")
        );
    }
}

/// A device has the same bits, over many periods, with all that goes with factors.
#[test]
fn a_device_multiplies_alike() {
    let mut network = Network::new().until(3000.0).warmup(10.0);
    let [one, other] = ["one", "other"].map(|name| network.class(Class::new(name)));
    let shared = Station::new("shared", law("exponential:1")).discipline(Discipline::Sharing).time_factors(factors());
    let oven = ServerGroup::new("oven", 1).serves(vec![one, other]).factor(1.25);
    let grouped = Station::new("grouped", law("uniform:0.5,1"))
        .group(oven)
        .time_factors(TimeFactors::new(vec![(0.0, 0.7), (0.3, 1.3)]).every(0.7));
    let plain = Station::new("plain", law("exponential:1")).routing(Routing::RoundRobin);
    // Services that take no time have a factor, too; some of them at time 0.
    let gate = Station::without_time("gate").routing(Routing::ShortestQueue).tokens(3);
    let [shared, grouped, plain, gate] = [shared, grouped, plain, gate].map(|station| network.station(station));
    network.route(gate, shared, 1.0, 0.0);
    network.route(gate, plain, 1.0, 0.0);
    let out = network.sink("out");
    network.route(shared, grouped, 0.5, 0.0);
    network.route(shared, plain, 0.5, 0.5);
    network.route(grouped, out, 1.0, 0.0);
    network.route(plain, out, 1.0, 0.0);
    for class in [one, other] {
        network.source(Source::new(format!("of {}", class.index()), law("exponential:8"), gate).class(class));
    }
    let model = model(network);
    for (form, device) in adapter::forms(&FORMS) {
        compare(device.as_ref(), &model, 0..3, form);
    }
}

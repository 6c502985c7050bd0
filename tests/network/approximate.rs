//! Approximate time: by hand, against exact time, against Lindley's recursion, and what is refused.

use super::*;
use tickless::queueing::{NetworkOutcome, Source, Station, StationId, Topology};
use tickless::random::Stream;
use tickless::time::Time;

const TICK: f64 = 1.0 / 4_294_967_296.0;

/// The records, counted as if time were exact.
fn records(network: Network) -> NetworkOutcome {
    NetworkOutcome { causality_errors: vec![], ..run(network).outcome }
}

/// The case of figure 4 in Sang et al. (2019), with an interval of 0.5.
///
/// | token | original | executed |
/// |---|---|---|
/// | X comes to `first` | 0.6 | 1.0 |
/// | Z comes to `second` | 0.9 | 1.0 |
/// | X leaves `first` for `second`: a causality error, since 0.8 < 0.9 | 0.8 | 1.5 |
/// | Z leaves `second`, X starts there | 1.9 | 2.0 |
/// | X leaves `second` | 2.9 | 3.0 |
#[test]
fn a_causality_error_by_hand() {
    let mut network = Network::new().until(10.0);
    let first = network.station(Station::new("first", law("constant:0.2")));
    let second = network.station(Station::new("second", law("constant:1")));
    let exit = network.sink("exit");
    network.source(Source::new("x", law("constant:0.6"), first).limit(1));
    network.source(Source::new("z", law("constant:0.9"), second).limit(1));
    network.route(first, second, 1.0, 0.0);
    network.route(second, exit, 1.0, 0.0);
    let outcome = run(network.clone().approximate(0.5)).outcome;
    assert_eq!((&outcome.causality_errors[..], outcome.all_causality_errors()), (&[0, 1][..], Some(1)));
    let [first, second] = outcome.stations.facilities[..] else { panic!("two stations") };
    assert_eq!((first.busy, first.service, first.waiting), (UNIT / 2, UNIT / 2, 0));
    assert_eq!((second.busy, second.service, second.waiting), (2 * UNIT, 2 * UNIT, UNIT / 2));
    assert_eq!(second.presence, UNIT + 3 * UNIT / 2);
    assert_eq!((outcome.sinks[0].tokens, outcome.sinks[0].sojourn), (2, 3 * UNIT));
    // In exact time X is the first there, and Z waits from 0.9 to 1.8.
    let exact = run(network).outcome;
    assert_eq!((exact.causality_errors.len(), exact.all_causality_errors()), (0, None));
    assert!((Time::sum_in_units(exact.stations.facilities[1].waiting) - 0.9).abs() < 1e-8);
}

/// Of two arrivals in one instant the one with the earlier original time is served, whatever their sources' numbers.
#[test]
fn original_times_order_an_instant() {
    let mut network = Network::new().until(10.0);
    let desk = network.station(Station::new("desk", law("constant:0.65")).capacity(1));
    let exit = network.sink("exit");
    network.source(Source::new("late", law("constant:0.9"), desk).limit(1));
    network.source(Source::new("early", law("constant:0.6"), desk).limit(1));
    network.route(desk, exit, 1.0, 0.0);
    let outcome = run(network.approximate(0.5)).outcome;
    let record = outcome.stations.facilities[0];
    // Both come at 1; the early one's service ends at 1.25, which happens at 1.5. That of the late one would at 2.
    assert_eq!((record.arrivals, record.losses, record.busy), (2, 1, UNIT / 2));
    assert_eq!(outcome.causality_errors, [0]);
}

/// A transit ends at the first multiple that is not before its original end: it may end at once.
#[test]
fn transits_are_rounded_from_original_times() {
    let mut network = Network::new().until(20.0);
    let here = network.station(Station::new("here", law("constant:0.2")).tokens(1));
    let there = network.station(Station::new("there", law("constant:2")));
    let exit = network.sink("exit");
    network.route(here, there, 1.0, 0.7);
    network.route(there, exit, 1.0, 1.2);
    let run_until = |until| run(network.clone().approximate(1.0).until(until)).outcome;
    // It leaves at 0.2, executed at 1; arrives at 0.9, executed at 1 too; leaves at 2.9, executed at 3; and is out at 4.1,
    // executed at 5.
    let outcome = run_until(20.0);
    let [here, there] = outcome.stations.facilities[..] else { panic!("two stations") };
    assert_eq!((here.busy, there.busy, there.waiting), (UNIT, 2 * UNIT, 0));
    assert_eq!((run_until(5.0).in_transit, run_until(5.0).sinks[0].tokens), (1, 0));
    assert_eq!((run_until(5.1).in_transit, run_until(5.1).sinks[0].tokens), (0, 1));
}

/// With an interval of one tick nothing is rounded: the records are those of exact time, to the last bit.
#[test]
fn one_tick_is_exact_time() {
    for number in 0..60 {
        let network = random::network(number).window(0.0);
        let approximate = run(network.clone().approximate(TICK)).outcome;
        assert_eq!(approximate.all_causality_errors(), Some(0), "network {number}");
        assert_eq!(
            run(network.clone()).outcome,
            NetworkOutcome { causality_errors: vec![], ..approximate },
            "{number}"
        );
    }
}

/// Where every law and delay is a multiple of the interval there is nothing to round, whatever meets in an instant.
#[test]
fn multiples_of_the_interval_are_exact() {
    for (seed, interval) in [(1, 0.5), (2, 0.25), (3, 0.125), (4, 0.5)] {
        let mut network = Network::new().until(300.0).warmup(20.0).seed(seed);
        let station = |place: u32| {
            let station = Station::new(format!("s{place}"), law(&format!("constant:{}", 0.5 * f64::from(place + 1))));
            let station = station.servers(1 + place % 3).tokens(2);
            if place % 4 == 3 { station.capacity(5) } else { station }
        };
        let ids: Vec<StationId> = (0..9).map(|place| network.station(station(place))).collect();
        for from in 0..9_usize {
            for step in 1..4_usize {
                network.route(ids[from], ids[(from + step) % 9], 1.0 / 3.0, 0.5 * (step / 2) as f64);
            }
        }
        network.source(Source::new("in", law("constant:2.5"), ids[0]));
        let approximate = run(network.clone().approximate(interval)).outcome;
        assert!(approximate.stations.statistics().completions > 500);
        assert_eq!(approximate.causality_errors, [0; 9]);
        assert_eq!(run(network).outcome, NetworkOutcome { causality_errors: vec![], ..approximate });
    }
}

/// In a ring every station hears of one other, which sends in the order of its original times.
#[test]
fn a_ring_has_no_causality_errors() {
    let each = Station::new("s", law("exponential:1")).tokens(2);
    let ring = Network::generate(&Topology::Ring { stations: 40 }, &each, 0.0).expect("a ring");
    for interval in [0.1, 1.0, 5.0] {
        let outcome = run(ring.clone().approximate(interval)).outcome;
        assert_eq!(outcome.all_causality_errors(), Some(0));
        assert!(outcome.stations.statistics().completions > 300);
    }
}

#[test]
fn errors_grow_with_the_interval() {
    let each = Station::new("s", law("exponential:10")).tokens(1);
    let torus = Network::generate(&Topology::Torus { width: 24, height: 24 }, &each, 0.0).expect("a torus");
    let torus = torus.until(2000.0);
    let exact = run(torus.clone()).outcome.stations.statistics();
    let mut before = (0, 0.0);
    for interval in [0.2, 1.0, 3.0, 10.0] {
        let outcome = run(torus.clone().approximate(interval)).outcome;
        let found = outcome.stations.statistics();
        let errors = outcome.all_causality_errors().expect("approximate time");
        let service = (found.mean_service_time - exact.mean_service_time) / exact.mean_service_time;
        assert!(errors > 3 * before.0 && service > before.1, "{interval}: {errors}, {service}");
        before = (errors, service);
    }
    // A service takes an interval or more, which is its own mean here.
    assert!(before.1 > 0.1, "{before:?}");
}

/// One visit: the original and the executed time of its token's arrival.
type Visit = (u64, u64);

/// Lindley's recursion with two times a server: the arrivals in their order, the ends, and the sum of the waiting times.
fn lindley(arrivals: &[Visit], servers: usize, interval: u64, mut draw: impl FnMut() -> u64) -> (Vec<Visit>, u64) {
    let (mut free, mut waiting) = (vec![(0, 0); servers], 0);
    let end = |&(original, executed): &Visit| {
        let (place, &(freed, freed_original)) =
            free.iter().enumerate().min_by_key(|(_, free)| **free).expect("a server");
        let start = executed.max(freed);
        waiting += start - executed;
        let original = original.max(freed_original) + draw();
        let end = (original.div_ceil(interval) * interval).max(start + interval);
        free[place] = (end, original);
        (original, end)
    };
    (arrivals.iter().map(end).collect(), waiting)
}

fn service(model: &NetworkModel, station: u32) -> impl FnMut() -> u64 {
    let (law, mut stream): (&_, Stream) = (model.law(station), model.key(0).stream(station));
    move || {
        let time = law.service(&mut stream).ticks();
        stream.draw();
        time
    }
}

/// Every visit can be decided when its token arrives: two stations in a row give what Lindley's recursion does.
#[test]
fn visits_follow_lindleys_recursion() {
    for (servers, interval, delay) in [(1, 0.5, 0.0), (2, 0.5, 0.7), (3, 2.0, 0.0), (4, 0.3, 0.1)] {
        let mut network = Network::new().until(3000.0).seed(u64::from(servers));
        let mean = f64::from(servers) * 0.85;
        let first = network.station(Station::new("first", law(&format!("exponential:{mean}"))).servers(servers));
        let second = network.station(Station::new("second", law(&format!("exponential:{mean}"))).servers(servers));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:1"), first).limit(1500));
        network.route(first, second, 1.0, delay);
        network.route(second, exit, 1.0, 0.0);
        let model = model(network.approximate(interval));
        let ticks = model.approximate().expect("approximate time").ticks();
        let intervals = (law("exponential:1").effective(None), model.key(0).stream(2));
        let came = (0..1500).scan((0, intervals), |(time, (law, stream)), _| {
            *time += law.service(stream).ticks();
            Some((*time, time.div_ceil(ticks) * ticks))
        });
        let (ends, waited_first) = lindley(&came.collect::<Vec<_>>(), servers as usize, ticks, service(&model, 0));
        let delay = Time::from_units(delay).expect("a time").ticks();
        let mut next: Vec<Visit> = ends.iter().map(|(original, end)| (original + delay, *end)).collect();
        next.iter_mut().for_each(|(original, end)| *end = (*end).max(original.div_ceil(ticks) * ticks));
        next.sort_by_key(|(original, executed)| (*executed, *original));
        let (ends, waited_second) = lindley(&next, servers as usize, ticks, service(&model, 1));
        let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
        let waited: Vec<u128> = outcome.stations.facilities.iter().map(|record| record.waiting).collect();
        assert_eq!(
            (waited, outcome.tokens()),
            (vec![waited_first.into(), waited_second.into()], 0),
            "{servers} servers"
        );
        let errors = next.windows(2).filter(|pair| pair[1].0 < pair[0].0).count() as u64;
        assert_eq!(outcome.causality_errors, [0, errors], "{servers} servers");
        let sum = |visits: &[Visit]| visits.iter().map(|(_, end)| u128::from(*end)).sum::<u128>();
        assert!(sum(&ends) > sum(&next));
    }
}

#[test]
fn the_lookahead_is_the_interval() {
    let exact = model(random::network(3).window(0.0));
    let approximate = model(random::network(3).window(0.0).approximate(0.25));
    assert_eq!((exact.approximate(), approximate.approximate()), (None, Time::from_units(0.25)));
    assert_eq!(approximate.lookahead().units(), 0.25);
    assert!((0..approximate.stations()).all(|station| approximate.shift(station).is_none()));
}

#[test]
fn what_is_no_interval_is_refused() {
    let refused = |network: Network, parts: &[&str]| {
        let text = network.check().expect_err("a refusal").to_string();
        parts.iter().for_each(|part| assert!(text.contains(part), "'{part}' is not in: {text}"));
    };
    let network = || random::network(3).window(0.0);
    for (interval, value) in [
        (0.0, "is 0;"),
        (-0.5, "is -0.5;"),
        (f64::NAN, "is NaN;"),
        (f64::INFINITY, "is inf;"),
        (1e-10, "is 1e-10;"),
        (2e9, "is 2000000000;"),
    ] {
        refused(network().approximate(interval), &["the interval of approximate time", value, "leave it out"]);
    }
    refused(network().approximate(0.5).window(0.25), &["a window of 0.25", "interval 0.5", "give one of them"]);
    assert!(network().approximate(TICK).check().is_ok());
    // What is rounded up must stay within the range of times.
    refused(network().approximate(2.0_f64.powi(29)).until(1.7e9), &["until is 1700000000"]);
}

/// A changed count of causality errors is found, and changes the digest; without approximate time there is none.
#[test]
fn causality_errors_are_part_of_the_digest() {
    let right = run(random::network(3).window(0.0).approximate(0.25)).outcome;
    let mut wrong = right.clone();
    wrong.causality_errors[0] += 1;
    let difference = right.first_difference(&wrong).expect("a difference");
    assert_eq!(difference.field, "causality_errors[0]");
    assert_ne!(right.digest(), wrong.digest());
    assert_ne!(right.digest(), records(random::network(3).window(0.0).approximate(0.25)).digest());
}

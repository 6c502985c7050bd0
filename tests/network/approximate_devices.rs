//! Approximate time on devices: the bits of the heap, causality errors included.

use super::devices::{assert_same, compare, overloaded};
use super::*;
use crate::adapter;
use tickless::device::{AdapterKind, Device as _};
use tickless::engine::{BatchSize, Options};
use tickless::queueing::{Observed, Source, Station, Topology};

/// Of software adapters; the others are held against networks of every kind in devices.rs.
const FORMS: [&str; 2] = ["native", "words, no subgroups"];

const TICK: f64 = 1.0 / 4_294_967_296.0;
/// Ticks of an interval that is prime: about 0.31 time units.
const PRIME: f64 = 1_331_439_861.0 * TICK;
/// From a third of the least mean to longer than a whole run.
const INTERVALS: [f64; 7] = [PRIME, 0.25, 0.7, 1.0, 2.5, 7.0, 300.0];

fn approximate(number: u32, interval: f64) -> NetworkModel {
    model(random::network(number).window(0.0).approximate(interval))
}

#[test]
fn random_networks_are_the_same() {
    let mut errors = 0;
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        let software = device.adapter().kind == AdapterKind::Software;
        // In software half of them, each in one of the first two forms.
        for number in 0..if software { 60 } else { 120 } {
            let first = place < 2 && (!software || number % 2 == place as u32);
            if first || form.starts_with("cuda") || number % 8 == place as u32 {
                let interval = INTERVALS[(number as usize + place) % INTERVALS.len()];
                let model = approximate(number, interval);
                let what = format!("{form}: network {number}, interval {interval}");
                compare(device.as_ref(), &model, &Options::default(), &what);
                errors +=
                    simulate(&model, &mut unwatched()).expect("a run").outcome.all_causality_errors().unwrap_or(0);
            }
        }
    }
    if adapter::native().is_some() {
        assert!(errors > 50, "{errors} causality errors put little to the test");
    }
}

/// An interval of a tick on a device: the records of exact time on the heap.
#[test]
fn an_interval_of_a_tick_is_exact_time() {
    for (form, device) in adapter::forms(&["native"]) {
        for number in [0, 5, 9, 31] {
            let exact = random::network(number).window(0.0).until(25.0);
            let model = model(exact.clone().approximate(TICK));
            compare(device.as_ref(), &model, &Options::default(), &format!("{form}: network {number}"));
            let mut found =
                simulate_on(&model, device.as_ref(), rounds(&Options::default()), &mut unwatched()).expect("a run");
            assert!(found.outcome.causality_errors.iter().all(|count| *count == 0));
            found.outcome.causality_errors.clear();
            assert_same(&run(exact).outcome, &found.outcome, &format!("{form}: network {number} in exact time"));
        }
    }
}

#[test]
fn the_examples_are_the_same() {
    let files = std::fs::read_dir("examples/networks").expect("a folder").map(|entry| entry.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    // Networks of classes take no approximate time.
    let read = |path: &std::path::Path| {
        Network::from_toml(&std::fs::read_to_string(path).expect("an example")).expect("a network")
    };
    let files: Vec<_> = files.filter(|path| model(read(path)).classes().is_empty()).collect();
    assert!(files.len() >= 3, "{files:?}");
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        for (number, file) in files.iter().enumerate() {
            for interval in [PRIME, 0.5, 3.0] {
                // Of the second form a third in software, where its kernels take long to compile.
                let few = place > usize::from(!adapter::in_software(device.as_ref()));
                if few && !form.starts_with("cuda") && (number + place) % 3 > 0 {
                    continue;
                }
                let network = read(file).window(0.0);
                let until = if model(network.clone()).stations() > 100 { 40.0 } else { 800.0 };
                let network = network.until(until).warmup(until / 7.0).approximate(interval);
                let what = format!("{form}: {}, interval {interval}", file.display());
                compare(device.as_ref(), &model(network), &Options::default(), &what);
            }
        }
    }
}

/// Distributions, too: they are of executed times.
#[test]
fn distributions_are_the_same() {
    for (place, (form, device)) in adapter::forms(&["native"]).iter().enumerate() {
        for number in 0..24 {
            let interval = INTERVALS[(number as usize + place) % INTERVALS.len()];
            let network = random::network(number).window(0.0).approximate(interval).distributions(Observed::All);
            let what = format!("{form}: network {number}, interval {interval}");
            compare(device.as_ref(), &model(network), &Options::default(), &what);
        }
    }
}

/// Replications, with streams, slots and causality errors of their own.
#[test]
fn replications_are_those_of_the_heap() {
    for (form, device) in adapter::forms(&["native"]).iter().take(2) {
        for (number, interval) in [(3, 0.7), (8, PRIME), (21, 2.0), (34, 0.25)] {
            let model = approximate(number, interval);
            let run = replicate_on(&model, 5..12, device.as_ref(), rounds(&Options::default()), &mut unwatched());
            for (replication, found) in run.expect("a run").outcome.iter().enumerate() {
                let expected = heap_replication(&model, 5 + replication as u32, &mut unwatched());
                let what = format!("{form}: network {number}, {replication}");
                assert_same(&expected.expect("a run").outcome, found, &what);
            }
        }
    }
}

#[test]
fn batches_and_workgroups_change_nothing() {
    let Some(device) = adapter::native() else { return };
    for &(workgroup, elements, batch) in adapter::sizes(&device, &[(64, 4, 1), (32, 4, 1), (256, 64, 3)]) {
        let batch = BatchSize::Rounds(batch);
        let options = Options { workgroup, elements: Some(elements), batch, renumber: 40 };
        compare(&device, &approximate(5, 0.7), &options, &format!("{options:?}"));
    }
}

/// The pool runs out in the middle of an instant, again and again: original times move with the slots.
#[test]
fn a_pool_that_runs_out_grows() {
    let network = overloaded();
    for (place, (form, device)) in adapter::forms(&["native"]).iter().enumerate() {
        for interval in [[PRIME, 0.5], [30.0, 2.0]][place % 2] {
            let model = model(network.clone().approximate(interval));
            for batch in [BatchSize::Adaptive, BatchSize::Rounds(3)] {
                let options = Options { batch, ..Options::default() };
                compare(device.as_ref(), &model, &options, &format!("{form}: interval {interval}"));
            }
        }
    }
}

/// Hundreds of arrivals at one station in an instant, many with the same original times, over routes of different delays.
#[test]
fn long_inboxes_are_in_order() {
    for (service, interval) in [("constant:1", 0.75), ("exponential:1", 2.0), ("constant:0.5", 1.0)] {
        let mut network = Network::new().until(30.0);
        let hub = network.station(Station::new("hub", law("uniform:1,2")).servers(37));
        for leaf in 0..300 {
            let id = network.station(Station::new(format!("leaf {leaf}"), law(service)).servers(2).tokens(3));
            network.route(id, hub, 0.5, f64::from(leaf % 3));
            network.route(id, hub, 0.5, f64::from(leaf % 2) * 0.5);
            network.route(hub, id, 1.0 / 300.0, 0.0);
        }
        for (form, device) in adapter::forms(&["native"]) {
            let model = model(network.clone().approximate(interval));
            compare(device.as_ref(), &model, &Options::default(), &format!("{form}: {service}"));
        }
    }
}

/// Tokens of one station that arrive in one instant with one original time are in the order of their departures, which
/// executed times decide before original ones. Who is who shows in the times in the network.
#[test]
fn departures_of_one_station_are_in_executed_order() {
    let mut network = Network::new().until(400.0).warmup(50.0);
    // A service of an eighth takes a whole interval: it lags behind by one more whenever two tokens come at once.
    let lagging = network.station(Station::new("lagging", law("constant:0.125")));
    let middle = network.station(Station::new("middle", law("constant:0.5")).servers(40));
    let last = network.station(Station::new("last", law("constant:0.5")).servers(6));
    let exits = [network.sink("exit"), network.sink("other exit")];
    network.source(Source::new("full", law("constant:1"), lagging));
    network.source(Source::new("more", law("constant:50"), lagging));
    network.source(Source::new("direct", law("constant:0.375"), middle));
    network.route(lagging, middle, 1.0, 0.0);
    for delay in [4.0, 5.25, 6.375, 7.5, 8.625, 9.0, 10.125, 11.25] {
        network.route(middle, last, 0.125, delay);
    }
    network.route(last, exits[0], 0.6, 0.0);
    network.route(last, exits[1], 0.4, 0.0);
    for (form, device) in adapter::forms(&["native"]) {
        for interval in [1.0, 0.875] {
            let model = model(network.clone().approximate(interval));
            compare(device.as_ref(), &model, &Options::default(), &format!("{form}: interval {interval}"));
        }
    }
}

/// Those of one instant are in the order of their original times.
#[test]
fn departures_of_one_instant_are_in_original_order() {
    let mut network = Network::new().until(600.0).warmup(50.0);
    let near = network.station(Station::new("near", law("constant:0.125")).servers(4));
    let far = network.station(Station::new("far", law("constant:0.5")).servers(6));
    let exits = [network.sink("exit"), network.sink("other exit")];
    network.source(Source::new("in", law("constant:0.75"), near));
    network.source(Source::new("other", law("constant:0.875"), near));
    for delay in [3.0, 3.25, 3.5, 4.125, 5.0, 6.375, 7.5, 8.0] {
        network.route(near, far, 0.125, delay);
    }
    network.route(far, exits[0], 0.4, 0.0);
    network.route(far, exits[1], 0.3, 0.0);
    network.route(far, near, 0.3, 0.125);
    let model = model(network.approximate(1.0));
    for (form, device) in adapter::forms(&["native"]) {
        compare(device.as_ref(), &model, &Options::default(), form);
    }
}

/// Servers for everyone: which one takes a token still tells when it was free, unless there is one for every visit.
#[test]
fn idle_servers_are_told_apart() {
    for servers in [7, 13, 40, 4000, u32::MAX] {
        let mut network = Network::new().until(60.0).warmup(10.0);
        let think = network.station(Station::new("think", law("exponential:0.3")).servers(servers).tokens(7));
        let other = network.station(Station::new("other", law("exponential:0.2")));
        network.route(think, other, 0.5, 0.0);
        network.route(think, think, 0.5, 0.25);
        network.route(other, think, 1.0, 0.0);
        let model = model(network.approximate(0.5));
        for (form, device) in adapter::forms(&["native"]) {
            compare(device.as_ref(), &model, &Options::default(), &format!("{form}: {servers} servers"));
        }
    }
}

/// A station of many servers that many routes lead to is decided as any other.
#[test]
fn a_crowd_is_the_same() {
    let each = Station::new("s", law("exponential:2")).servers(40).tokens(9);
    let topology = Topology::RandomRegular { stations: 66, degree: 64, seed: 1 };
    let network = Network::generate(&topology, &each, 0.0).expect("a size").until(12.0).warmup(3.0);
    for (form, device) in adapter::forms(&["native"]).iter().take(2) {
        compare(device.as_ref(), &model(network.clone().approximate(1.0)), &Options::default(), form);
    }
}

/// Times up to the end of their range: the horizon, the interval and the longest delay together are nearly 2^31 time units.
#[test]
fn late_times_are_the_same() {
    for interval in [1e9, 12_345_678.9, 2.0_f64.powi(29)] {
        let until = 2_147_483_640.0 - 900_000_000.0 - interval;
        let mut network = Network::new().until(until).warmup(1e8);
        let slow = network.station(Station::new("slow", law("uniform:1000,40000000")).servers(2).tokens(1));
        let far = network.station(Station::new("far", law("constant:1000000.7")).capacity(2).tokens(1));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("uniform:1,50000000"), slow).start(1e8).limit(1));
        network.route(slow, far, 0.5, 30_000_000.3);
        network.route(far, slow, 1.0, 0.0);
        network.route(slow, exit, 0.5, 900_000_000.1);
        for (form, device) in adapter::forms(&["native"]) {
            let model = model(network.clone().approximate(interval));
            compare(device.as_ref(), &model, &Options::default(), &format!("{form}: {interval}"));
        }
    }
}

/// A device's count that is off by one, or a token's original time that is not what the heap has, is found.
#[test]
fn one_changed_value_is_caught() {
    let Some(device) = adapter::native() else { return };
    let model = approximate(3, 0.7);
    let expected = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let right = simulate_on(&model, &device, rounds(&Options::default()), &mut unwatched()).expect("a run").outcome;
    for station in 0..right.causality_errors.len() {
        let mut wrong = right.clone();
        wrong.causality_errors[station] += 1;
        let difference = expected.first_difference(&wrong).expect("a difference");
        assert_eq!(difference.field, format!("causality_errors[{station}]"));
    }
    let other = approximate(3, 0.7 + TICK);
    let other = simulate_on(&other, &device, rounds(&Options::default()), &mut unwatched()).expect("a run").outcome;
    assert!(expected.first_difference(&other).is_some());
}

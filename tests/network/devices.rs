//! Every form of the kernels gives the bits of the heap simulator.

use super::*;
use crate::adapter;
use tickless::device::{AdapterKind, Device};
use tickless::engine::{BatchSize, Options};
use tickless::queueing::{Network, NetworkOutcome, Source, Station};

/// Of software adapters, where each takes seconds to compile; GPUs run every one.
const FORMS: [&str; 3] = ["native", "words, no subgroups", "native, every check"];

pub fn assert_same(expected: &NetworkOutcome, found: &NetworkOutcome, what: &str) {
    if let Some(difference) = expected.first_difference(found) {
        panic!("{what}: {difference}");
    }
    assert_eq!(expected.digest(), found.digest(), "{what}");
    assert_eq!(expected, found, "{what}");
}

pub fn compare(device: &dyn Device, model: &NetworkModel, options: &Options, what: &str) {
    let expected = simulate(model, &mut unwatched()).expect("the heap runs every model");
    let found = simulate_on(model, device, rounds(options), &mut unwatched()).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_same(&expected.outcome, &found.outcome, what);
    assert_eq!((expected.events, expected.clock), (found.events, found.clock), "{what}");
}

#[test]
fn random_networks_are_the_same() {
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        let software = device.adapter().kind == AdapterKind::Software;
        // In software half of them, each in one of the first two forms.
        for number in 0..if software { 60 } else { 120 } {
            let first = place < 2 && (!software || number % 2 == place as u32);
            if first || form.starts_with("cuda") || number % 8 == place as u32 {
                let model = model(random::network(number));
                // In software the kernels of simple stations are compiled in the first two.
                if software && place > 1 && random::is_simple(&model) {
                    continue;
                }
                compare(device.as_ref(), &model, &Options::default(), &format!("{form}: network {number}"));
            }
        }
    }
}

#[test]
fn the_examples_are_the_same() {
    for (form, device) in adapter::forms(&FORMS[1..2]) {
        for (file, window) in [("clinic", 0.5), ("server", 1.0)] {
            let text = std::fs::read_to_string(format!("examples/networks/{file}.toml")).expect("an example");
            let network = Network::from_toml(&text).expect("a network").window(window).until(2000.0).warmup(300.0);
            compare(device.as_ref(), &model(network), &Options::default(), &format!("{form}: {file}"));
        }
    }
}

/// Of an overloaded station with a queue that grows past every first guess.
pub fn overloaded() -> Network {
    let mut network = Network::new().until(400.0).warmup(100.0);
    let desk = network.station(Station::new("desk", law("exponential:1")).servers(2));
    let back = network.station(Station::new("back", law("constant:3")).servers(3));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:0.4"), desk));
    network.source(Source::new("other", law("constant:0.5"), back));
    network.route(desk, back, 0.5, 1.0);
    network.route(desk, exit, 0.5, 0.0);
    network.route(back, desk, 0.5, 2.0);
    network.route(back, exit, 0.5, 0.0);
    network
}

#[test]
fn a_pool_that_runs_out_grows() {
    for (form, device) in adapter::forms(&["native"]) {
        for batch in [BatchSize::Adaptive, BatchSize::Rounds(3)] {
            let options = Options { batch, ..Options::default() };
            compare(device.as_ref(), &model(overloaded()), &options, form);
        }
    }
}

/// What leaves the network bounds no round: one may take in hundreds of tokens.
#[test]
fn a_station_that_only_leads_out_needs_no_window() {
    let mut network = Network::new().until(5000.0).warmup(77.0);
    let desk = network.station(Station::new("desk", law("exponential:0.9")).tokens(3));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.source(Source::new("constant", law("constant:50"), desk));
    network.route(desk, exit, 1.0, 0.25);
    let model = model(network);
    assert_eq!(model.lookahead(), tickless::time::Time::NEVER);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model, &Options::default(), form);
    }
}

/// Hundreds of tokens that arrive at one station in a round, at the same times, with too few servers for a crowd.
#[test]
fn long_inboxes_are_in_order() {
    for service in ["constant:1", "exponential:1"] {
        let mut network = Network::new().until(30.0).window(0.5);
        let hub = network.station(Station::new("hub", law("uniform:1,2")).servers(20));
        for leaf in 0..300 {
            let id = network.station(Station::new(format!("leaf {leaf}"), law(service)).servers(2).tokens(3));
            network.route(id, hub, 0.5, f64::from(leaf % 3));
            network.route(id, hub, 0.5, f64::from(leaf % 2) * 0.5);
            network.route(hub, id, 1.0 / 300.0, 0.0);
        }
        for (form, device) in adapter::forms(&["native"]) {
            compare(device.as_ref(), &model(network.clone()), &Options::default(), &format!("{form}: {service}"));
        }
    }
}

/// Two tokens of different ages whose services at one station begin and end together: they come to the next one in the
/// order in which the services started, and which of them leaves by which sink shows in their times in the network.
#[test]
fn tokens_that_leave_together_are_in_the_order_of_their_services() {
    let mut network = Network::new().until(300.0).warmup(20.0);
    let first = network.station(Station::new("first", law("constant:0.75")));
    let pair = network.station(Station::new("pair", law("constant:0.5")).servers(2));
    let last = network.station(Station::new("last", law("constant:0.25")));
    let exits = [network.sink("exit"), network.sink("other exit")];
    network.source(Source::new("young", law("constant:1"), pair));
    network.source(Source::new("old", law("constant:1"), first));
    network.route(first, pair, 1.0, 1.25);
    network.route(pair, last, 1.0, 0.5);
    network.route(last, exits[0], 0.5, 0.0);
    network.route(last, exits[1], 0.5, 0.0);
    let model = model(network);
    for (form, device) in adapter::forms(&["native"]) {
        compare(device.as_ref(), &model, &Options::default(), form);
    }
}

#[test]
fn replications_are_those_of_the_heap() {
    let Some(device) = adapter::native() else { return };
    let mut differ = false;
    for number in [3, 8, 21, 34] {
        let model = model(random::network(number));
        let run = replicate_on(&model, 5..12, &device, rounds(&Options::default()), &mut unwatched()).expect("a run");
        assert_eq!(run.outcome.len(), 7);
        for (replication, found) in run.outcome.iter().enumerate() {
            let expected = heap_replication(&model, 5 + replication as u32, &mut unwatched());
            assert_same(&expected.expect("a run").outcome, found, &format!("network {number}, {replication}"));
        }
        differ |= run.outcome[0].digest() != run.outcome[1].digest();
    }
    assert!(differ, "replications have streams of their own");
}

#[test]
fn batches_and_workgroups_change_nothing() {
    let Some(device) = adapter::native() else { return };
    let model = model(random::network(5));
    for &(workgroup, elements, batch) in adapter::sizes(&device, &[(64, 4, 7), (128, 16, 50), (256, 64, 1)]) {
        let batch = BatchSize::Rounds(batch);
        let options = Options { workgroup, elements: Some(elements), batch, renumber: 40 };
        compare(&device, &model, &options, &format!("{options:?}"));
    }
}

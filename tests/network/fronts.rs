//! Stations of one server that one source alone leads to: decided by a workgroup, with the bits of the heap.

use super::devices::{assert_same, compare};
use super::*;
use crate::adapter;
use tickless::device::Target;
use tickless::engine::{BatchSize, Options};
use tickless::queueing::{Observed, SinkId, Source, Station};

/// Of software adapters; the others are held against networks of every kind in devices.rs.
const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// A front and what its one source sends, which leaves or goes on to a second station. In software all in native words go on: where
/// every station has one server there is another kernel, which compiles for long; there the one in words of two is met.
fn queue(interval: &str, service: &str, out: f64) -> Network {
    let mut network = Network::new().until(3000.0).warmup(700.0).seed(5);
    let desk = network.station(Station::new("desk", law(service)).tokens(3));
    let exit = network.sink("exit");
    network.source(Source::new("in", law(interval), desk).start(0.5));
    network.route(desk, exit, out, 0.25);
    if out < 1.0 {
        let back = network.station(Station::new("back", law("constant:0.5")).servers(2));
        network.route(desk, back, 1.0 - out, 40.0);
        network.route(back, exit, 1.0, 0.0);
    }
    network
}

#[test]
fn every_law_is_the_same() {
    let laws = ["exponential:0.9", "constant:1", "erlang:3,0.8", "hyperexponential:0.3,0.2,1.2", "uniform:0.1,1.7"];
    for (number, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        for (place, service) in laws.iter().enumerate() {
            let interval = laws[(place + 2) % laws.len()].replace("0.9", "1");
            // In software one of them in each form.
            let outs = [[0.5, 1.0], [1.0, 0.5]][number % 2];
            for &out in adapter::sizes(device.as_ref(), &outs) {
                let network = queue(&interval, service, out);
                compare(
                    device.as_ref(),
                    &model(network),
                    &Options::default(),
                    &format!("{form}: {interval}, {service}"),
                );
            }
        }
    }
}

/// One that is offered more than it serves, so that the pool runs out in the middle of a batch, and one whose source ends.
#[test]
fn a_pool_that_runs_out_and_a_source_that_ends() {
    for (form, device) in adapter::forms(&["native"]) {
        for batch in [BatchSize::Adaptive, BatchSize::Rounds(2)] {
            let options = Options { batch, ..adapter::small_blocks(device.as_ref()) };
            for &out in adapter::sizes(device.as_ref(), &[0.7, 1.0]) {
                let network = queue("exponential:0.5", "exponential:1", out);
                compare(device.as_ref(), &model(network), &options, form);
            }
            let mut network = Network::new().until(5000.0).warmup(100.0);
            let exit = network.sink("exit");
            beside(&mut network, device.as_ref(), exit);
            for (name, limit) in [("a", 1), ("b", 255), ("c", 256), ("d", 257), ("e", 1000), ("f", 0)] {
                let desk = network.station(Station::new(name, law("exponential:0.5")));
                network.source(Source::new(format!("to {name}"), law("uniform:0.5,1.5"), desk).limit(limit));
                network.route(desk, exit, 1.0, 0.0);
            }
            compare(device.as_ref(), &model(network), &options, form);
        }
    }
}

/// In software a station with two servers, so that the kernel is that of [`queue`].
fn beside(network: &mut Network, device: &dyn Device, exit: SinkId) {
    if adapter::in_software(device) {
        let pair = network.station(Station::new("pair", law("constant:1")).servers(2).tokens(1));
        network.route(pair, exit, 1.0, 0.0);
    }
}

#[test]
fn replications_and_workgroups_change_nothing() {
    let Some(device) = adapter::native() else { return };
    let model = model(queue("exponential:1", "exponential:0.8", 0.5));
    let expected =
        queueing::run(&model, 3..9, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    for &workgroup in adapter::sizes(&device, &[64, 256]) {
        let options = Options { workgroup, ..Options::default() };
        let run = replicate_on(&model, 3..9, &device, rounds(&options), &mut unwatched()).expect("a run");
        let pairs = expected.iter().zip(&run.outcome);
        pairs.for_each(|(expected, found)| assert_same(expected, found, &format!("{workgroup} lanes")));
    }
}

/// The time in the network is recorded where the front itself is not.
#[test]
fn stays_are_recorded() {
    // In software the first alone, whose law has a table: one kernel for both, and the second has nothing that the first has not.
    let services = ["gamma:0.8,0.8", "exponential:0.8"];
    for (form, device) in adapter::forms(&["native"]) {
        for service in adapter::sizes(device.as_ref(), &services) {
            let network = queue("exponential:1", service, 0.5);
            let network = network.distributions(Observed::Stations(vec!["back".into()]));
            compare(device.as_ref(), &model(network), &Options::default(), &format!("{form}: {service}"));
        }
    }
}

/// The intervals and services of one batch together pass the range of times, far behind the end of the run.
#[test]
fn large_times_do_not_wrap() {
    let mut network = Network::new().until(3.0e8);
    let desk = network.station(Station::new("desk", law("exponential:4e7")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:2e7"), desk));
    network.route(desk, exit, 1.0, 0.0);
    for (form, device) in adapter::forms(&["native"]) {
        let mut network = network.clone();
        beside(&mut network, device.as_ref(), exit);
        compare(device.as_ref(), &model(network.clone()), &Options::default(), form);
    }
}

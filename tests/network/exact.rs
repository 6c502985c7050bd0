//! Networks by appointments: the records of the heap without any lookahead, in few rounds.

use super::devices::assert_same;
use super::*;
use crate::adapter;
use std::ops::ControlFlow;
use tickless::RunError;
use tickless::device::Device;
use tickless::engine::{BatchSize, Options};
use tickless::queueing::gpu::Synchronization;
use tickless::queueing::network::{Network, Observed, Source, Station, StationId, Topology, gpu, reference};
use tickless::random::StreamKey;

const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// The rounds of a run that is that of the heap.
fn compare(device: &dyn Device, model: &NetworkModel, options: &Options, what: &str) -> u64 {
    let expected = simulate(model, &mut unwatched()).expect("the heap runs every model");
    let found = gpu::simulate_by(Synchronization::Appointments, model, device, options, &mut unwatched());
    let found = found.unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_same(&expected.outcome, &found.outcome, what);
    assert_eq!((expected.events, expected.clock), (found.events, found.clock), "{what}");
    found.rounds.expect("rounds")
}

/// Up to nine stations of one server with room for everyone: routes of every kind, delays, ties, sources and sinks.
fn network(number: u32) -> Network {
    let mut stream = StreamKey::new(1988, 0).stream(number);
    let mut pick = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
    let mut network = Network::new().until(f64::from(40 + pick(80))).seed(u64::from(pick(1000)));
    if pick(2) == 0 {
        network = network.warmup(f64::from(1 + pick(30)));
    }
    if pick(4) == 0 {
        network = network.distributions(Observed::All);
    }
    let stations = 1 + pick(9) as usize;
    let laws = ["constant:2", "uniform:0,5", "erlang:2,3", "hyperexponential:0.3,0.5,6", "exponential:1", "constant:1"];
    // Ties everywhere, or laws of all kinds.
    let constant = pick(4) == 0;
    let mut ids = vec![];
    for place in 0..stations {
        let service = if constant { laws[5 * (place % 2)] } else { laws[pick(6) as usize] };
        let tokens = if pick(2) == 0 { 0 } else { pick(6) }.max(u32::from(place == 0));
        ids.push(network.station(Station::new(format!("s{place}"), law(service)).tokens(tokens)));
    }
    let sinks = [network.sink("out"), network.sink("exit")];
    let (open, delayed) = (pick(3) > 0, pick(2) > 0);
    for (place, id) in ids.iter().enumerate() {
        // A ring, so that every station is reached, and some more; two routes may lead to one station, by different delays.
        let more = pick(5);
        let share = 1.0 / f64::from(more + 1);
        let delay = |steps: u32| if delayed { f64::from(steps) * 0.5 } else { 0.0 };
        network.route(*id, ids[(place + 1) % stations], share, delay(pick(3)));
        for _ in 0..more {
            let late = delay(pick(4));
            match pick(stations as u32 + 2) as usize {
                0 if open => network.route(*id, sinks[0], share, late),
                1 if open => network.route(*id, sinks[1], share, late),
                to => network.route(*id, ids[to % stations], share, late),
            }
        }
    }
    for source in 0..if open { pick(4) } else { 0 } {
        let interval = ["constant:1", "exponential:0.7", "exponential:3", "uniform:0,0.5"][pick(4) as usize];
        let to = ids[pick(stations as u32) as usize];
        let mut source = Source::new(format!("in{source}"), law(interval), to).start(f64::from(pick(5)));
        if pick(3) == 0 {
            source = source.limit(u64::from(pick(40)));
        }
        network.source(source);
    }
    network
}

#[test]
fn random_networks_are_the_same_by_appointments() {
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        for number in 0..160 {
            if place == 0 || form.starts_with("cuda") || number % 8 == place as u32 {
                let model = model(network(number));
                let rounds = compare(device.as_ref(), &model, &Options::default(), &format!("{form}: network {number}"));
                assert!(rounds < 4000, "{form}: network {number}: {rounds} rounds");
            }
        }
    }
}
#[test]
fn debug_one() {
    let number: u32 = std::env::var("NUMBER").unwrap().parse().unwrap();
    let device = &adapter::forms(&["native"])[0].1;
    let net = network(number);
    println!("{net:#?}");
    for until in 1..120 {
        let model = model(net.clone().until(until as f64).warmup(0.0).distributions(Observed::Nothing));
        let expected = simulate(&model, &mut unwatched()).unwrap();
        let found = gpu::simulate_by(Synchronization::Appointments, &model, device.as_ref(), &Options::default(), &mut unwatched()).unwrap();
        if let Some(d) = expected.outcome.first_difference(&found.outcome) { println!("{until}: {d}\n{:?}\n{:?}", expected.outcome.sinks, found.outcome.sinks); break; }
    }
}

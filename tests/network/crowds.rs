//! Stations that hundreds of tokens arrive at in a round: decided by a workgroup, with the bits of the heap.

use super::devices::{assert_same, compare};
use super::*;
use crate::adapter;
use tickless::engine::Options;
use tickless::queueing::{Source, Station};

/// Of software adapters; the others are held against networks of every kind in devices.rs.
const FORMS: [&str; 1] = ["native"];

/// Leaves that all lead to one hub and back, with times that often meet.
fn star(hub: Station, leaves: u32, service: &str, tokens: u32) -> Network {
    let mut network = Network::new().until(40.0).warmup(7.0).window(0.5).seed(3);
    let hub = network.station(hub);
    for leaf in 0..leaves {
        let id = network.station(Station::new(format!("leaf {leaf}"), law(service)).tokens(tokens));
        network.route(id, hub, 1.0, f64::from(leaf % 3) * 0.5);
        network.route(hub, id, 1.0 / f64::from(leaves), f64::from(leaf % 2));
    }
    network
}

#[test]
fn every_law_and_number_of_servers_is_the_same() {
    let hubs = [
        ("exponential:4", 32, "constant:1"),
        ("exponential:0.6", 100, "exponential:1"),
        ("erlang:3,2", 700, "constant:2"),
        ("hyperexponential:0.3,1,6", 300, "uniform:1,2"),
        ("constant:2", 50, "constant:1"),
        ("uniform:1,9", 5000, "exponential:1"),
    ];
    for (form, device) in adapter::forms(&FORMS) {
        for (place, (service, servers, leaves)) in hubs.into_iter().enumerate() {
            let hub = Station::new("hub", law(service)).servers(servers).tokens(40 * place as u32);
            let network = star(hub, 350, leaves, 2);
            compare(device.as_ref(), &model(network), &Options::default(), &format!("{form}: {service}, {servers}"));
        }
    }
}

/// More arrivals in a round than a workgroup sorts at once, and a run that ends while most of them wait.
#[test]
fn a_crowd_of_thousands_is_the_same() {
    for (form, device) in adapter::forms(&FORMS) {
        for service in ["exponential:3", "constant:20"] {
            let network =
                star(Station::new("hub", law(service)).servers(64), 70, "constant:1", 60).until(9.0).warmup(0.0);
            compare(device.as_ref(), &model(network), &Options::default(), &format!("{form}: {service}"));
        }
    }
}

/// An open network with two hubs, of which one leads out, and a pool that grows.
#[test]
fn a_crowd_that_leaves_is_counted() {
    let mut network = Network::new().until(60.0).warmup(20.0).window(0.4);
    let hubs = [("near", "exponential:2", 40), ("far", "uniform:1,3", 90)]
        .map(|(name, service, servers)| network.station(Station::new(name, law(service)).servers(servers)));
    let exits = [network.sink("exit"), network.sink("other exit")];
    for door in 0..80 {
        let id = network.station(Station::new(format!("door {door}"), law("exponential:1")).servers(3).tokens(1));
        network.source(Source::new(format!("street {door}"), law("exponential:1.5"), id));
        network.route(id, hubs[0], 0.5, 0.0);
        network.route(id, hubs[1], 0.5, 0.25);
    }
    network.route(hubs[0], exits[0], 0.75, 0.0);
    network.route(hubs[0], hubs[1], 0.25, 1.0);
    network.route(hubs[1], exits[1], 0.5, 2.0);
    network.route(hubs[1], hubs[0], 0.5, 0.0);
    let model = model(network);
    for (form, device) in adapter::forms(&FORMS) {
        compare(device.as_ref(), &model, &adapter::small_blocks(device.as_ref()), form);
    }
    let Some(device) = adapter::native() else { return };
    let options = rounds(&adapter::small_blocks(&device));
    let run = replicate_on(&model, 2..5, &device, options, &mut unwatched()).expect("a run");
    for (replication, found) in run.outcome.iter().enumerate() {
        let expected = heap_replication(&model, 2 + replication as u32, &mut unwatched());
        assert_same(&expected.expect("a run").outcome, found, &format!("replication {replication}"));
    }
}

/// Nobody waits where there is a server for everyone.
#[test]
fn a_station_for_everyone_is_the_same() {
    for (form, device) in adapter::forms(&FORMS) {
        for leaves in [5, 200] {
            let network =
                star(Station::new("think", law("exponential:5")).servers(1_000_000), leaves, "exponential:1", 3);
            compare(device.as_ref(), &model(network), &Options::default(), &format!("{form}: {leaves} leaves"));
        }
    }
}

#[test]
fn workgroups_change_nothing() {
    let model = model(star(Station::new("hub", law("exponential:2")).servers(200), 300, "constant:1", 2));
    // A software adapter compiles for minutes for others than those it takes by itself.
    for (form, device) in adapter::forms(&[]) {
        compare(device.as_ref(), &model, &Options { workgroup: 256, ..Options::default() }, form);
    }
}

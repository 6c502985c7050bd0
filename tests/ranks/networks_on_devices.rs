//! Queueing networks of which ranks are on devices, and beside them ranks on heaps.

use std::ops::ControlFlow;

use tickless::device::{Device, Target};
use tickless::queueing::{
    self, Cut, Network, NetworkModel, NetworkOptions, OverOptions, QueueingError, Source, Station, Topology,
    run_from_over_targets, run_over_targets,
};
use tickless::run::{Progress, unwatched};

use crate::adapter;
use crate::devices::{ranks, targets};
use crate::networks::{Times, alone, drawn, model, network};

/// The records, the figures and the counts are those of one heap.
fn assert_on(model: &NetworkModel, places: &str, device: &dyn Device, options: &OverOptions) {
    let alone = alone(model);
    for figures_only in [false, true] {
        let what = format!("{places}, figures only: {figures_only}, {options:?}");
        let options = OverOptions { figures_only, ..options.clone() };
        let over = run_over_targets(model, 0, ranks(places), targets(places, device), options, &mut unwatched());
        let over = over.unwrap_or_else(|error| panic!("{what}: {error}")).expect("a run on rank 0");
        assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
        assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
        assert_eq!(over.outcome.stations.statistics(), alone.outcome.stations.statistics(), "{what}");
        assert_eq!((over.events, over.details), (alone.events, alone.details), "{what}");
        assert_eq!((over.clock, over.interrupted), (alone.clock, false), "{what}");
        if !figures_only {
            assert_eq!(over.outcome, alone.outcome, "{what}");
        }
    }
}

fn cut_of(cut: Cut) -> OverOptions {
    OverOptions { cut: Some(cut), ..OverOptions::default() }
}

/// Open networks with delays, ties, several servers and limited capacity, whatever the cut.
#[test]
fn networks_on_devices_and_heaps_are_networks() {
    for (form, device) in adapter::forms(&["native"]) {
        let cases = [
            ("dh", 7, false, Times::Shifted, 17.0),
            ("hdd", 8, false, Times::Ties, 0.0),
            ("dd", 9, true, Times::Ticks, 17.0),
            ("dhd", 10, true, Times::Delayed, 0.0),
            ("ddhh", 11, true, Times::Ties, 30.0),
        ];
        for (places, seed, servers, times, warmup) in cases {
            println!("{form}: {places}, {times:?}");
            let model = model(network(seed, 14, servers, times).until(60.0).warmup(warmup));
            assert_on(&model, places, device.as_ref(), &cut_of(drawn(seed, 14, places.len() as u32)));
        }
    }
}

/// A torus is cut into tiles; one rank alone runs it as if there were no others.
#[test]
fn a_torus_on_devices_is_the_torus() {
    for (_, device) in adapter::forms(&["words"]) {
        let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(2);
        let torus = Network::generate(&Topology::Torus { width: 30, height: 20 }, &each, 0.0).unwrap();
        let model = model(torus.window(3.0).until(60.0).warmup(20.0));
        for places in ["d", "dd", "hddd"] {
            assert_on(&model, places, device.as_ref(), &OverOptions::default());
        }
    }
}

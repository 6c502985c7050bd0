//! Queueing networks of which ranks are on devices, and beside them ranks on heaps.

use std::ops::ControlFlow;

use tickless::device::Device;
use tickless::queueing::{
    Checkpoint, Cut, Network, NetworkModel, NetworkOptions, OverOptions, QueueingError, Station, Topology,
    gpu::Synchronization, run_from_over_targets, run_over_targets,
};
use tickless::run::{Progress, Watch, unwatched};

use crate::adapter;
use crate::devices::{ranks, targets};
use crate::networks::{Times, alone, drawn, model, network};
use crate::traffic::{Counting, assert_few};

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

/// Forms on one GPU each: a network has no rank on several.
fn forms(named: &[&str]) -> Vec<(&'static str, Box<dyn Device>)> {
    let mut forms = adapter::forms(named);
    forms.retain(|(_, device)| device.adapter().gpus == 1);
    forms
}

/// Open networks with delays, ties, several servers and limited capacity, whatever the cut.
#[test]
fn networks_on_devices_and_heaps_are_networks() {
    for (form, device) in forms(&["native"]) {
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
    for (_, device) in forms(&["words"]) {
        let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(2);
        let torus = Network::generate(&Topology::Torus { width: 30, height: 20 }, &each, 0.0).unwrap();
        let model = model(torus.window(3.0).until(60.0).warmup(20.0));
        for places in ["d", "dd", "hddd"] {
            assert_on(&model, places, device.as_ref(), &OverOptions::default());
        }
    }
}

/// The host reads and writes what crosses: in a torus of four times as many stations behind borders of the same length it is as much.
#[test]
fn a_window_costs_the_host_what_crosses() {
    for (form, device) in forms(&["words"]) {
        let counted = |height, until| {
            let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(1);
            let torus = Network::generate(&Topology::Torus { width: 96, height }, &each, 0.0).unwrap();
            let model = model(torus.window(2.0).until(until));
            let device = Counting::new(device.as_ref());
            let options = OverOptions { figures_only: true, ..OverOptions::default() };
            let run = run_over_targets(&model, 0, ranks("dd"), targets("dd", &device), options, &mut unwatched());
            (run.expect("a run").expect("rank 0").rounds.expect("rounds"), device.traffic())
        };
        let [small, large] = [96, 384].map(|height| {
            let what = format!("{form}, height {height}");
            assert_few(counted(height, 60.0), counted(height, 30.0), &what).bytes
        });
        assert!(large < small * 3 / 2, "{form}: {small} bytes, and {large} with four times as many stations");
    }
}

/// Two groups of stations, between which tokens take long: so that a window has many rounds on a device.
fn groups(law: &str, tokens: [u32; 2]) -> Network {
    let mut network = Network::new().seed(3);
    let stations: Vec<_> = (0..8)
        .map(|id| {
            let station = Station::new(format!("s{id}"), law.parse().unwrap()).servers(4000);
            network.station(station.tokens(tokens[id / 4] / 4))
        })
        .collect();
    for (id, &from) in stations.iter().enumerate() {
        network.route(from, stations[id / 4 * 4 + (id + 1) % 4], 0.4, 0.0);
        network.route(from, stations[(id + 4) % 8], 0.6, 9.0);
    }
    network
}

/// More messages than have room before a round, and more tokens than the pool has, which comes to its limit, too.
#[test]
fn messages_and_tokens_find_room() {
    for (form, device) in forms(&["native"]) {
        let described = |tokens| groups("uniform:1,2", tokens).until(60.0).warmup(20.0);
        let two = || cut_of(Cut::of_stations(vec![0, 0, 0, 0, 1, 1, 1, 1]));
        assert_on(&model(described([2800, 400])), "dd", device.as_ref(), &two());
        // All of them come to a rank that has none.
        let model = model(described([1000, 0]));
        assert_on(&model, "hd", device.as_ref(), &two());
        let most_tokens = Some(500);
        let options = OverOptions { device: NetworkOptions { most_tokens, ..Default::default() }, ..two() };
        let run = run_over_targets(&model, 0, ranks("hd"), targets("hd", device.as_ref()), options, &mut unwatched());
        assert!(matches!(run, Err(QueueingError::Tokens { most: 500, .. })), "{form}: {run:?}");
    }
}

/// Stops on each of the targets in turn, and then goes on to the end on each of the last: the records and the counts of one heap.
fn assert_goes_on(model: &NetworkModel, places: &[&str], last: &[&str], device: &dyn Device) {
    let expected = alone(model);
    let run = |at: Option<&Checkpoint>, places: &str, seed, watch: &mut dyn Watch| {
        let options = cut_of(drawn(seed, model.stations(), places.len() as u32));
        let run = run_from_over_targets(model, 0, at, ranks(places), targets(places, device), options, watch);
        run.unwrap_or_else(|error| panic!("{places}: {error}")).expect("rank 0")
    };
    let (mut at, mut events, mut stops) = (None, 0, 0);
    for (seed, places) in (0..).zip(places) {
        let mut stop = |progress: &Progress| match progress.rounds {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let run = run(at.as_ref(), places, seed, &mut stop);
        stops += usize::from(run.interrupted);
        events += run.events;
        at = Some(run.outcome);
    }
    assert!(stops + 1 >= places.len(), "it stopped {stops} times");
    for (seed, places) in (20..).zip(last) {
        let rest = run(at.as_ref(), places, seed, &mut unwatched());
        assert_eq!(expected.outcome.first_difference(&rest.outcome.outcomes[0]), None, "{places}");
        assert_eq!(expected.outcome.digest(), rest.outcome.outcomes[0].digest(), "{places}");
        assert_eq!((&expected.outcome, expected.events), (&rest.outcome.outcomes[0], events + rest.events), "{places}");
    }
}

/// What a watch ends is whole, and goes on over other ranks on other targets.
#[test]
fn an_interrupted_run_goes_on_on_other_targets() {
    for (form, device) in forms(&["native"]) {
        println!("{form}");
        let described = |seed| model(network(seed, 14, false, Times::Shifted).until(900.0).warmup(100.0));
        let has_room = |model: &NetworkModel| (0..14).all(|station| model.capacity(station) == u32::MAX);
        let model = (1..).map(described).find(has_room).expect("a network without limits");
        assert_goes_on(&model, &["dh", "hdd", "d", "dd"], &["hd"], device.as_ref());
    }
}

/// So do several servers, whose services end in another order than they begin, and stations with little room, that lose tokens.
#[test]
fn stations_of_every_kind_go_on_on_other_targets() {
    for (form, device) in forms(&["native"]) {
        let described = |seed, times| model(network(seed, 14, true, times).until(900.0).warmup(100.0));
        let is_of_both = |model: &NetworkModel| {
            let (most, least) = (|station| model.servers(station) > 1, |station| model.capacity(station) < u32::MAX);
            (0..14).filter(|station| most(*station)).count() > 3
                && (0..14).filter(|station| least(*station)).count() > 3
        };
        let loses = |model: &NetworkModel| alone(model).outcome.stations.totals().losses > 0;
        for times in [Times::Ticks, Times::Ties] {
            println!("{form}, {times:?}");
            let mut models = (1..).map(|seed| described(seed, times));
            let model = models.find(|model| is_of_both(model) && loses(model)).expect("a network of both");
            assert_goes_on(&model, &["dh", "hdd", "dd"], &["hh", "d", "hd"], device.as_ref());
        }
    }
}

/// One rank that cannot begin ends all of them with what it says, and so does one that cannot end.
#[test]
fn what_a_rank_on_a_device_meets_ends_all_of_them() {
    for (form, device) in forms(&["native"]) {
        let on = |network: Network, options| {
            let model = model(network);
            let run =
                run_over_targets(&model, 0, ranks("hd"), targets("hd", device.as_ref()), options, &mut unwatched());
            run.expect_err("refused")
        };
        let two = || cut_of(Cut::of_stations(vec![0, 0, 0, 0, 1, 1, 1, 1]));
        // Between ranks there is time, and elsewhere none.
        let error = on(groups("exponential:1", [4, 4]), two());
        assert!(matches!(error, QueueingError::NoLookahead), "{form}: {error}");
        let synchronization = Some(Synchronization::Appointments);
        let device_options = NetworkOptions { synchronization, ..Default::default() };
        let error = on(groups("uniform:1,2", [4, 4]), OverOptions { device: device_options, ..two() });
        assert!(matches!(error, QueueingError::NotOverRanks { .. }), "{form}: {error}");
        // A sum that passes its range is that of a station of the whole network.
        let mut network = Network::new().until(1e9);
        for (name, service, tokens) in [("first", "constant:1e8", 1), ("desk", "constant:1e6", 5000)] {
            let station = network.station(Station::new(name, service.parse().unwrap()).tokens(tokens));
            network.route(station, station, 1.0, 0.0);
        }
        let error = on(network, cut_of(Cut::of_stations(vec![0, 1])));
        assert!(matches!(error, QueueingError::Overflow { facility: 1, .. }), "{form}: {error}");
    }
}

//! Networks by appointments: the records of the heap without any lookahead, in few rounds.

use super::devices::assert_same;
use super::*;
use crate::adapter;
use std::ops::ControlFlow;
use tickless::device::Device;
use tickless::engine::{BatchSize, Options};
use tickless::queueing::gpu::DevicePath::Rounds;
use tickless::queueing::gpu::Synchronization;
use tickless::queueing::{Network, Observed, Source, Station, StationId, Topology, gpu};
use tickless::queueing::{NetworkOptions, QueueingError};
use tickless::random::StreamKey;

const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// The rounds of a run that is that of the heap.
fn compare(device: &dyn Device, model: &NetworkModel, options: &Options, what: &str) -> u64 {
    let expected = simulate(model, &mut unwatched()).expect("the heap runs every model");
    let found = simulate_on(model, device, by(Synchronization::Appointments, options), &mut unwatched());
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
        // In software half of them: the others have the same kernels.
        for number in 0..if adapter::in_software(device.as_ref()) { 60 } else { 120 } {
            if place == 0 || form.starts_with("cuda") || number % 8 == place as u32 {
                let model = model(network(number));
                // In software the kernels that record distributions are compiled in one form.
                if place > 0 && !model.observed().is_empty() && adapter::in_software(device.as_ref()) {
                    continue;
                }
                let rounds =
                    compare(device.as_ref(), &model, &Options::default(), &format!("{form}: network {number}"));
                assert!(rounds < 4000, "{form}: network {number}: {rounds} rounds");
            }
        }
    }
}
const MEAN: f64 = 10.0;

/// So many stations, the first of them with tokens.
fn stations(network: &mut Network, count: u32, service: &str, tokens: u32) -> Vec<StationId> {
    let station = |id| Station::new(format!("s{id}"), law(service)).tokens(if id == 0 { tokens } else { 0 });
    (0..count).map(|id| network.station(station(id))).collect()
}

/// From a station to all of some, each with the same probability.
fn lead(network: &mut Network, from: StationId, to: &[StationId], delay: f64) {
    to.iter().for_each(|target| network.route(from, *target, 1.0 / to.len() as f64, delay));
}

/// Each station leads to the next, the last to the first.
fn ring(count: u32, service: &str, tokens: u32, delay: f64) -> Network {
    let mut network = Network::new();
    let ids = stations(&mut network, count, service, tokens);
    (0..ids.len()).for_each(|place| lead(&mut network, ids[place], &[ids[(place + 1) % ids.len()]], delay));
    network
}

/// Leaves that tokens go to from a hub, and come back from.
fn star(leaves: u32, hub: &str, service: &str, tokens: u32) -> Network {
    let mut network = Network::new();
    let hub = network.station(Station::new("hub", law(hub)).tokens(tokens));
    let leaves = stations(&mut network, leaves, service, 2);
    lead(&mut network, hub, &leaves, 0.0);
    leaves.iter().for_each(|leaf| lead(&mut network, *leaf, &[hub], 0.0));
    network
}

/// Every station leads to itself and twice to its two neighbours.
fn doubled(count: u32, service: &str, tokens: u32) -> Network {
    let mut network = Network::new();
    let ids = stations(&mut network, count, service, tokens);
    for (place, id) in ids.iter().enumerate() {
        let (next, last) = (ids[(place + 1) % ids.len()], ids[(place + ids.len() - 1) % ids.len()]);
        lead(&mut network, *id, &[next, last, *id, next, last], 0.0);
    }
    network
}

/// From a source through stations to a sink.
fn tandem(count: u32, service: &str, interval: &str, delay: f64) -> Network {
    let mut network = Network::new();
    let ids = stations(&mut network, count, service, 0);
    let exit = network.sink("exit");
    network.source(Source::new("in", law(interval), ids[0]));
    ids.windows(2).for_each(|pair| lead(&mut network, pair[0], &pair[1..], delay));
    network.route(ids[ids.len() - 1], exit, 1.0, 3.0 * delay);
    network
}

fn generated(topology: Topology, service: &str, tokens: u32) -> Network {
    Network::generate(&topology, &Station::new("s", law(service)).tokens(tokens), 0.0).expect("a size")
}

/// Three ways from each station, to others that serve a hundred times as fast or as slowly.
fn uneven(count: u32, tokens: u32) -> Network {
    let mut network = Network::new();
    let mut stream = StreamKey::new(1988, 2).stream(0);
    let mut pick = || (u64::from(stream.draw()) * u64::from(count)) >> 32;
    let service = |id| if id % 2 == 0 { "exponential:10" } else { "exponential:0.1" };
    let station = |id| Station::new(format!("s{id}"), law(service(id))).tokens(tokens);
    let ids: Vec<_> = (0..count).map(|id| network.station(station(id))).collect();
    for (place, id) in ids.iter().enumerate() {
        let to = [ids[(place + 1) % ids.len()], ids[pick() as usize], ids[pick() as usize]];
        lead(&mut network, *id, &to, 0.0);
    }
    network
}

/// Sources and sinks at every station of a random digraph.
fn jackson(count: u32, interval: &str) -> Network {
    let mut network = Network::new();
    let ids = stations(&mut network, count, "exponential:10", 0);
    let exit = network.sink("exit");
    for (place, id) in ids.iter().enumerate() {
        network.source(Source::new(format!("in{place}"), law(interval), *id));
        let at = |step: usize| ids[(place * step + 7 * step + 1) % ids.len()];
        [at(3), at(5), at(11)].iter().for_each(|to| network.route(*id, *to, 0.25, 0.0));
        network.route(*id, exit, 0.25, 1.0);
    }
    network
}

/// What could make rounds crawl, with the rounds in a mean service time that it may take.
fn adversaries() -> Vec<(&'static str, Network, f64)> {
    let exponential = "exponential:10";
    let regular = Topology::RandomRegular { stations: 300, degree: 4, seed: 3 };
    let mut pair = ring(2, exponential, 40, 0.0);
    pair = pair.until(400.0);
    vec![
        ("a ring with one token", ring(3000, exponential, 1, 0.0), 3.0),
        ("a ring with ties", ring(200, "constant:10", 7, 0.0), 3.0),
        ("a ring with delays", ring(200, exponential, 7, 2.5), 3.0),
        ("two stations", pair, 4.0),
        ("itself alone", ring(1, exponential, 5, 0.0), 3.0),
        ("a star", star(1000, "constant:0.05", exponential, 1), 6.0),
        ("a star with ties", star(300, "constant:0.05", "constant:10", 3), 4.0),
        ("a star whose hub is often idle", star(1000, "exponential:0.005", exponential, 0), 6.0),
        ("double routes both ways", doubled(200, exponential, 500), 4.0),
        ("double routes with ties", doubled(100, "constant:10", 300), 4.0),
        (
            "one token among thousands of stations",
            generated(Topology::Torus { width: 50, height: 50 }, exponential, 0).tokens(1),
            3.0,
        ),
        ("a random digraph", generated(regular, exponential, 2), 4.0),
        (
            "a scale-free network",
            generated(Topology::ScaleFree { stations: 300, edges: 2, seed: 5 }, exponential, 1),
            4.0,
        ),
        ("a random digraph of uneven services", uneven(300, 2), 40.0),
        ("a slow source", tandem(20, exponential, "exponential:200", 0.0), 4.0),
        ("a fast source", tandem(1, "exponential:0.09", "exponential:0.1", 0.0), 6.0),
        ("a tandem", tandem(40, exponential, "exponential:14", 0.0), 4.0),
        ("a tandem of delays", tandem(40, exponential, "constant:14", 25.0), 4.0),
        ("an overloaded tandem", tandem(10, exponential, "exponential:2", 0.0), 4.0),
        ("an open network", jackson(100, "exponential:60"), 4.0),
    ]
}

#[test]
fn rounds_do_not_crawl() {
    for (form, device) in adapter::forms(&["native"]) {
        for (name, network, most) in adversaries() {
            let model = model(network.until(400.0).warmup(50.0));
            let what = format!("{form}: {name}");
            let rounds = compare(device.as_ref(), &model, &Options::default(), &what);
            let each = rounds as f64 / (model.until().units() / MEAN);
            println!("{what}: {each:.2} rounds in a mean service time");
            assert!(each <= most, "{what}: {each:.2} rounds in a mean service time, at most {most} are wanted");
        }
    }
}

/// Nothing ever happens in most places, or at all.
#[test]
fn what_stays_idle_is_the_same() {
    let mut unvisited = Network::new();
    let ids = stations(&mut unvisited, 6, "exponential:10", 3);
    lead(&mut unvisited, ids[1], &ids[..1], 0.0);
    // Of two billion draws one leads away.
    unvisited.route(ids[0], ids[1], 1.0 - 2.0_f64.powi(-31), 0.0);
    unvisited.route(ids[0], ids[2], 2.0_f64.powi(-31), 0.0);
    (2..6).for_each(|place| lead(&mut unvisited, ids[place], &[ids[(place + 1) % 6]], 0.0));
    let cases = [
        ("stations that nobody comes to", unvisited, 300.0, 150),
        ("a source so late that nothing happens", tandem(5, "exponential:10", "constant:250", 0.0), 300.0, 10),
        ("one token among many stations", ring(16_000, "exponential:10", 1, 0.0), 60.0, 20),
        ("one token among a million stations", ring(1_000_000, "exponential:10", 1, 0.0), 60.0, 20),
    ];
    for (form, device) in adapter::forms(&["native"]) {
        // In software a million stations have kernels of their own.
        let cases = if adapter::in_software(device.as_ref()) { &cases[..3] } else { &cases };
        for (name, network, until, most) in cases.iter().cloned() {
            let what = format!("{form}: {name}");
            let rounds = compare(device.as_ref(), &model(network.until(until)), &Options::default(), &what);
            println!("{what}: {rounds} rounds");
            assert!(rounds <= most, "{what}: {rounds} rounds");
        }
    }
}

/// A station alone decides 32 visits of its token in a round; the first round knows of nothing later than time 0.
#[test]
fn the_drift_is_how_far_stations_are_apart() {
    for (form, device) in adapter::forms(&["native"]) {
        let model = model(ring(1, "constant:10", 1, 0.0).until(5000.0));
        let run =
            simulate_on(&model, &device, by(Synchronization::Appointments, &Options::default()), &mut unwatched());
        let drift = run.expect("a run").details.appointments.expect("appointments").drift.units();
        assert!((drift - 320.0).abs() < 0.001, "{form}: {drift}");
    }
}

/// As many tokens of sources as no first pool holds, with routes of their own to each sink, one of them very late.
fn crowded() -> Network {
    let mut network = Network::new().until(300.0).warmup(100.0);
    let desk = network.station(Station::new("desk", law("exponential:1")));
    let back = network.station(Station::new("back", law("constant:3")).tokens(2));
    let (exit, moon) = (network.sink("exit"), network.sink("moon"));
    network.source(Source::new("in", law("exponential:0.4"), desk));
    network.source(Source::new("other", law("constant:0.5"), back));
    network.route(desk, back, 0.5, 1.0);
    network.route(desk, exit, 0.4, 0.0);
    network.route(desk, moon, 0.1, 170.0);
    network.route(back, desk, 0.5, 2.0);
    network.route(back, exit, 0.5, 0.0);
    network
}

#[test]
fn a_pool_that_runs_out_grows() {
    for (form, device) in adapter::forms(&["native"]) {
        for batch in [BatchSize::Adaptive, BatchSize::Rounds(3)] {
            let options = Options { batch, ..Options::default() };
            // In software the kernels that do more are compiled, not both.
            if !adapter::in_software(device.as_ref()) {
                compare(device.as_ref(), &model(crowded()), &options, form);
            }
            compare(device.as_ref(), &model(crowded().distributions(Observed::All)), &options, form);
        }
    }
}

/// A fault that one workgroup raises stops all of them in the same round.
#[test]
fn a_pool_grows_while_workgroups_differ() {
    let Some(device) = adapter::native() else { return };
    let mut ring = Network::new().until(300.0).window(0.0).seed(1);
    let each = |id| Station::new(format!("s{id}"), law("exponential:1")).tokens(1);
    let stations: Vec<_> = (0..600).map(|id| ring.station(each(id))).collect();
    for pair in stations.windows(2) {
        ring.route(pair[0], pair[1], 1.0, 0.0);
    }
    let exit = ring.sink("exit");
    ring.route(stations[599], stations[0], 0.5, 0.0);
    ring.route(stations[599], exit, 0.5, 0.0);
    ring.source(Source::new("in", law("constant:0.02"), stations[5]));
    // Blocks of 128 stations.
    let options = Options { workgroup: 32, elements: Some(4), ..Options::default() };
    // On a GPU workgroups take turns in another way each time.
    for _ in 0..if adapter::in_software(&device) { 1 } else { 4 } {
        compare(&device, &model(ring.clone()), &options, "a ring");
    }
}

/// The slots of tokens that have left are used again.
#[test]
fn a_pool_that_suffices_stays() {
    let Some(device) = adapter::native() else { return };
    let model = model(tandem(1, "exponential:1", "exponential:2", 0.0).until(20_000.0));
    let within = |most| {
        let options = by(Synchronization::Appointments, &Options::default());
        let options = NetworkOptions { most_tokens: Some(most), ..options };
        simulate_on(&model, &device, options, &mut unwatched())
    };
    // Of 10 000 tokens.
    let run = within(2000).expect("a run");
    assert_same(&simulate(&model, &mut unwatched()).expect("a run").outcome, &run.outcome, "few places");
    let error = within(100).expect_err("a pool that is too small");
    assert!(matches!(error, QueueingError::Tokens { most: 100, .. }), "{error}");
}

#[test]
fn replications_are_those_of_the_heap() {
    let Some(device) = adapter::native() else { return };
    for number in [1, 6, 19] {
        let model = model(network(number).window(0.0));
        let options = by(Synchronization::Appointments, &Options::default());
        let run = replicate_on(&model, 5..12, &device, options, &mut unwatched());
        for (replication, found) in run.expect("a run").outcome.iter().enumerate() {
            let expected = heap_replication(&model, 5 + replication as u32, &mut unwatched());
            assert_same(&expected.expect("a run").outcome, found, &format!("network {number}, {replication}"));
        }
    }
}

#[test]
fn batches_and_workgroups_change_nothing() {
    let Some(device) = adapter::native() else { return };
    let model = model(jackson(60, "exponential:50").until(200.0).warmup(33.3));
    for &(workgroup, elements, batch) in adapter::sizes(&device, &[(32, 4, 3), (64, 8, 7), (256, 64, 50)]) {
        let batch = BatchSize::Rounds(batch);
        let options = Options { workgroup, elements: Some(elements), batch, renumber: 40 };
        compare(&device, &model, &options, &format!("{options:?}"));
    }
}

/// Stations are at different times when a run is stopped: those behind catch up, and what has left is counted where it is
/// then, though others are further.
#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let Some(device) = adapter::native() else { return };
    let networks = [
        crowded(),
        jackson(50, "exponential:40"),
        tandem(20, "exponential:1", "exponential:1.5", 0.0),
        star(40, "constant:0.05", "exponential:10", 9),
    ];
    for (number, network) in networks.into_iter().enumerate() {
        for (warmup, looks_before) in [(0.0, 2), (0.0, 7), (480.0, 3)] {
            let whole = model(network.clone().until(500.0).warmup(warmup).seed(3));
            let options = Options { batch: BatchSize::Rounds(1), ..Options::default() };
            let mut looks = 0;
            let mut watch = |_: &_| {
                looks += 1;
                if looks < looks_before { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let run = simulate_on(&whole, &device, by(Synchronization::Appointments, &options), &mut watch);
            let stopped = run.expect("a run");
            let what = format!("{number}: {:?} after {looks_before}", stopped.clock);
            assert!(stopped.interrupted && stopped.clock.units() < 500.0, "{what}");
            if warmup == 0.0 {
                let short = model(network.clone().until(stopped.clock.units()).warmup(0.0).seed(3));
                assert_eq!(short.until(), stopped.clock);
                let expected = simulate(&short, &mut unwatched()).expect("a run");
                assert_same(&expected.outcome, &stopped.outcome, &what);
            }
        }
    }
}

/// Without lookahead, or with little, a network runs by appointments; with more, in rounds that share a bound unless it is
/// asked.
#[test]
fn what_has_no_lookahead_makes_appointments() {
    let Some(device) = adapter::native() else { return };
    let exact = model(ring(5, "exponential:10", 3, 0.0).until(100.0));
    assert_eq!(gpu::path(&exact, 1).expect("one"), Rounds(Synchronization::Appointments));
    let options = Options::default();
    let found = simulate_on(&exact, &device, rounds(&options), &mut unwatched()).expect("a run");
    assert_same(&simulate(&exact, &mut unwatched()).expect("a run").outcome, &found.outcome, "a ring");
    let run_by = |how, model: &NetworkModel| simulate_on(model, &device, by(how, &options), &mut unwatched());
    let refused = run_by(Synchronization::Window, &exact).expect_err("no window");
    assert!(matches!(refused, QueueingError::NoLookahead), "{refused}");
    let shifted = model(ring(5, "exponential:10", 3, 0.0).window(1.0));
    assert_eq!(gpu::path(&shifted, 1).expect("one"), Rounds(Synchronization::Window));
    let chosen = |network: Network| gpu::path(&model(network), 1).expect("one");
    let delayed = |delay| ring(5, "exponential:10", 3, delay);
    assert_eq!(chosen(delayed(1.0)), Rounds(Synchronization::Window));
    assert_eq!(chosen(delayed(0.001)), Rounds(Synchronization::Appointments));
    assert_eq!(chosen(delayed(0.001).window(0.001)), Rounds(Synchronization::Window));
    // Where none can be made, a small lookahead is better than none.
    let mut several = Network::new();
    let desk = several.station(Station::new("desk", law("exponential:10")).servers(2).tokens(4));
    several.route(desk, desk, 1.0, 0.001);
    assert_eq!(chosen(several), Rounds(Synchronization::Window));
}

#[test]
fn a_station_that_makes_no_appointments_is_named() {
    let Some(device) = adapter::native() else { return };
    let refusal = |change: &dyn Fn(Station) -> Station| {
        let mut network = Network::new();
        let plain = network.station(Station::new("plain", law("exponential:1")).tokens(4));
        let other = network.station(change(Station::new("other", law("exponential:1"))));
        lead(&mut network, plain, &[other], 0.0);
        lead(&mut network, other, &[plain], 0.0);
        let model = model(network);
        simulate_on(&model, &device, rounds(&Options::default()), &mut unwatched())
            .map(|_| ())
            .map_err(|e| e.to_string())
    };
    for (change, part) in [
        (&(|station: Station| station.servers(3)) as &dyn Fn(Station) -> Station, "station 'other' has 3 servers"),
        (&|station| station.capacity(2), "station 'other' has room for 2 tokens"),
    ] {
        let error = refusal(change).expect_err("a refusal");
        assert!(error.starts_with(part) && error.contains("give a window above 0"), "{error}");
    }
    // Nobody finds it full.
    assert_eq!(refusal(&|station| station.capacity(4)), Ok(()));
    let slow = model(ring(2, "exponential:1", 1, 0.0).approximate(0.5));
    let run = simulate_on(&slow, &device, by(Synchronization::Appointments, &Options::default()), &mut unwatched());
    assert!(matches!(run, Err(QueueingError::ApproximateAppointments)));
}

/// Constant times and tokens of different births on every route: who comes first at an instant shows in the times at the sinks.
fn ties(number: u32) -> Network {
    let mut stream = StreamKey::new(1988, 1).stream(number);
    let mut pick = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
    let mut network = Network::new().until(60.0).seed(u64::from(number));
    let ids = stations(&mut network, 6 + pick(6), "constant:1", 3);
    let sinks: Vec<_> = (0..6).map(|sink| network.sink(format!("exit {sink}"))).collect();
    for (place, id) in ids.iter().enumerate() {
        let to: Vec<_> = (0..3).map(|_| ids[pick(ids.len() as u32) as usize]).collect();
        network.route(*id, ids[(place + 1) % ids.len()], 0.25, f64::from(pick(3)));
        to.iter().for_each(|to| network.route(*id, *to, 0.15, f64::from(pick(3))));
        network.route(*id, sinks[place % sinks.len()], 0.3, 0.0);
        network.source(Source::new(format!("in {place}"), law("constant:4"), *id).start(f64::from(pick(4))));
    }
    network
}

#[test]
fn ties_are_in_order() {
    for (form, device) in adapter::forms(&["native"]) {
        for number in 0..40 {
            compare(device.as_ref(), &model(ties(number)), &Options::default(), &format!("{form}: network {number}"));
        }
    }
}

//! Runs that stop again and again, and go on each time on another backend.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use tickless::device::Target;
use tickless::engine::{BatchSize, Options};
use tickless::queueing::gpu::Synchronization::{self, Appointments, AppointmentsInTiles, Window};
use tickless::queueing::gpu::{DevicePath, path};
use tickless::queueing::{
    self, Checkpoint, Network, NetworkModel, NetworkOptions, Observed, Source, Station, Topology,
};
use tickless::run::{Pause, Progress, Restartable, Watch, unwatched};

use super::vocabulary::{all as all_names, file_of};
use crate::adapter;

/// So that replications come one after the other, and a run may stop between them.
const ONE_CORE: Target<'static> = Target::HeapOn(NonZeroUsize::MIN);

/// Ends a run at the first look: by a pause, or as Ctrl-C does.
struct Stops {
    pauses: bool,
}

impl Watch for Stops {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        if self.pauses { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn pause(&mut self, _: Pause) -> bool {
        self.pauses
    }
}

/// Goes on for a moment on each of the targets in turn, at most so often, and then to the end on the last: what a run that
/// nothing has stopped gives, and its events. Returns how often it has stopped.
#[track_caller]
fn check(
    model: &NetworkModel,
    replications: u32,
    targets: &[Target<'_>],
    (most, pauses): (usize, bool),
    synchronization: Option<Synchronization>,
    what: &str,
) -> usize {
    let numbers = 2..2 + replications;
    let expected =
        queueing::run(model, numbers.clone(), Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let rounds = Options { batch: BatchSize::Rounds(3), ..Options::default() };
    let options = NetworkOptions { synchronization, rounds, ..NetworkOptions::default() };
    let (mut at, mut events, mut completions) = (None::<Checkpoint>, 0, 0);
    for stops in 0.. {
        let target = targets[stops % targets.len()];
        let part = |watch: &mut dyn Watch| {
            let run = queueing::run(Restartable { model, from: at.as_ref() }, numbers.clone(), target, options, watch);
            run.unwrap_or_else(|error| panic!("{what}, after {stops} stops: {error}"))
        };
        let run = if stops < most { part(&mut Stops { pauses }) } else { part(&mut unwatched()) };
        (events, completions) = (events + run.events, completions + run.details.completions);
        if !run.interrupted {
            let difference = queueing::first_difference(&expected.outcome, &run.outcome.outcomes);
            assert_eq!(difference, None, "{what}, {stops} stops");
            assert!(expected.outcome == run.outcome.outcomes, "{what}, {stops} stops");
            // What a replication has done that an interruption cuts off is done again.
            assert!(!pauses || events == expected.events, "{what}: {events} events of {}", expected.events);
            assert!(!pauses || completions == expected.details.completions, "{what}: {completions} completions");
            return stops;
        }
        at = Some(run.outcome);
    }
    unreachable!("a run ends")
}

fn station(name: &str, law: &str) -> Station {
    Station::new(name, law.parse().expect("a law"))
}

/// Tokens come and go, over edges with delays and without; two edges lead to one station.
fn open(until: f64) -> Network {
    let mut network = Network::new();
    let stations = [("a", "exponential:0.6"), ("b", "uniform:0.2,0.9"), ("c", "erlang:2,0.5")];
    let [a, b, c] = stations.map(|(name, law)| network.station(station(name, law).tokens(3)));
    let exits = [network.sink("out"), network.sink("lost")];
    network.source(Source::new("street", "exponential:1.1".parse().expect("a law"), a));
    network.source(Source::new("van", "constant:2".parse().expect("a law"), b).limit(60));
    network.route(a, b, 0.4, 0.0);
    network.route(a, b, 0.2, 3.5);
    network.route(a, exits[0], 0.4, 0.25);
    network.route(b, c, 1.0, 0.5);
    network.route(c, a, 0.2, 0.0);
    network.route(c, exits[1], 0.8, 2.0);
    network.until(until)
}

#[test]
fn a_torus_goes_on_with_every_synchronization_and_on_the_heap() {
    let torus = |window: f64, warmup: f64| {
        let each = station("s", "exponential:10").tokens(2);
        let network = Network::generate(&Topology::Torus { width: 19, height: 17 }, &each, 0.0).expect("sizes");
        network.window(window).warmup(warmup).until(900.0).check().expect("a model")
    };
    for (form, device) in adapter::forms(&["native"]) {
        for (window, warmup, how) in [(1.0, 30.0, Window), (0.0, 0.0, Appointments), (0.0, 50.0, AppointmentsInTiles)] {
            let targets = [Target::Device(&device), Target::Heap];
            let what = format!("{form}: {how:?}");
            let stops = check(&torus(window, warmup), 1, &targets, (9, true), Some(how), &what);
            assert!(stops >= 2, "{what}: {stops} stops");
        }
    }
}

#[test]
fn networks_go_on_in_lists() {
    let model = |warmup: f64| open(120.0).warmup(warmup).check().expect("a model");
    let windowed = || open(120.0).window(0.15).warmup(20.0).check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        let targets = [Target::Device(&device), ONE_CORE];
        for (model, replications, pauses, how) in [
            (model(0.0), 1, true, Appointments),
            (model(33.0), 4, true, Appointments),
            (model(33.0), 3, false, Appointments),
            (windowed(), 3, true, Window),
        ] {
            let what = format!("{form}: {how:?}, {replications} replications");
            let stops = check(&model, replications, &targets, (8, pauses), Some(how), &what);
            assert!(stops >= 3, "{what}: {stops} stops");
        }
    }
}

/// Several servers, little room and distributions: tokens are lost, wait, and go on from servers of which some are idle.
#[test]
fn stations_of_every_kind_go_on() {
    let model = |warmup: f64| {
        let mut network = Network::new().window(0.3).warmup(warmup).until(260.0);
        let desk = network.station(station("desk", "exponential:1.5").servers(2).capacity(5).tokens(3));
        let hall = network.station(station("hall", "lognormal:3.2,20").servers(4));
        let door = network.station(station("door", "erlang:2,0.7").capacity(1));
        let lane = network.station(station("lane", "exponential:0.9").capacity(3));
        let exits = [network.sink("out"), network.sink("back")];
        for (name, interval, to) in [("street", "exponential:0.7", desk), ("yard", "histogram:1*1,1.5*3,2.8", lane)] {
            network.source(Source::new(name, interval.parse().expect("a law"), to));
        }
        network.route(desk, hall, 0.6, 0.0);
        network.route(desk, door, 0.4, 0.5);
        network.route(hall, lane, 0.5, 0.0);
        network.route(hall, exits[0], 0.5, 1.5);
        network.route(door, exits[1], 1.0, 0.0);
        network.route(lane, hall, 0.3, 0.25);
        network.route(lane, exits[1], 0.7, 0.0);
        network.distributions(Observed::All).check().expect("a model")
    };
    let heap = check(&model(20.0), 3, &[ONE_CORE], (7, true), None, "on the heap");
    assert!(heap >= 3, "{heap} stops");
    for (form, device) in adapter::forms(&["native"]) {
        let targets = [Target::Device(&device), ONE_CORE];
        let stops = check(&model(70.0), 3, &targets, (4, true), None, form);
        assert_eq!(stops, 4, "{form}");
    }
    let approximate = open(50.0).approximate(0.5).check().expect("a model");
    let run = queueing::run(
        Restartable { model: &approximate, from: None },
        0..1,
        Target::Heap,
        Default::default(),
        &mut unwatched(),
    );
    let error = run.expect_err("no checkpoint").to_string();
    assert!(error.contains("approximate time, whose original times none has: run it without one"), "{error}");
}

/// Many replications, which otherwise go event by event.
#[test]
fn many_replications_go_on_in_rounds() {
    let mut network = Network::new().warmup(5.0).until(60.0);
    let desk = network.station(station("desk", "uniform:1,3").servers(2).capacity(5));
    let lane = network.station(station("lane", "uniform:0.5,2").servers(2));
    let exit = network.sink("out");
    network.source(Source::new("street", "exponential:1".parse().expect("a law"), desk));
    network.route(desk, lane, 1.0, 0.25);
    network.route(lane, exit, 1.0, 0.0);
    let model = network.check().expect("a model");
    assert_eq!(path(&model, 64), Ok(DevicePath::EventByEvent));
    for (form, device) in adapter::forms(&["native"]) {
        let stops = check(&model, 64, &[Target::Device(&device), ONE_CORE], (3, true), None, form);
        assert_eq!(stops, 3, "{form}");
    }
}

/// What is not of the model is refused by what differs.
#[test]
fn a_checkpoint_of_another_model_is_refused() {
    let model = open(100.0).check().expect("a model");
    let run = |model: &NetworkModel, replications, from: Option<&Checkpoint>| {
        queueing::run(Restartable { model, from }, replications, ONE_CORE, Default::default(), &mut unwatched())
    };
    let from = run(&model, 0..2, None).expect("a run").outcome;
    let each = station("s", "exponential:10").tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 3, height: 2 }, &each, 0.0).expect("sizes");
    let torus = torus.check().expect("a model");
    let shorter = open(50.0).check().expect("a model");
    for (model, replications, said) in [
        (&torus, 0..2, "3 stations, and this model has 6"),
        (&model, 0..1, "2 replications, and this model has 1"),
        (&shorter, 0..2, "ticks before it"),
    ] {
        let error = run(model, replications, Some(&from)).expect_err("it is of another").to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// A token on its way over the shorter of two edges arrives before one over the longer could: what is restored knows that.
#[test]
fn a_token_has_left_after_time_0() {
    let mut network = Network::new().window(1.0).until(30.0);
    let [here, there] = ["here", "there"].map(|name| network.station(station(name, "constant:1").tokens(4)));
    for (from, to, delay) in [(here, there, 2.5), (here, there, 12.0), (there, here, 0.0)] {
        network.route(from, to, if from == here { 0.5 } else { 1.0 }, delay);
    }
    let model = network.check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        let targets = [ONE_CORE, Target::Device(&device)];
        for how in [Window, Appointments] {
            let stops = check(&model, 1, &targets, (40, true), Some(how), form);
            assert!(stops >= 1, "{form}: {stops} stops");
        }
    }
}

/// Networks of random files over the whole vocabulary stop at every look, go through the arrays of a checkpoint's file, and come to the same
/// end.
#[test]
fn networks_of_classes_go_on_on_the_heap() {
    let (mut used, mut all) = (std::collections::BTreeSet::new(), 0);
    for number in 0..240 {
        let file = file_of(number);
        let Ok(model) = Network::from_toml(&file.text).expect("a file").check() else { continue };
        let run = |replications| queueing::run(&model, replications, ONE_CORE, Default::default(), &mut unwatched());
        let Ok(expected) = run(2..4) else { continue };
        let (mut at, mut events, mut stops) = (None::<Checkpoint>, 0, 0);
        let ended = loop {
            let mut watch = Stops { pauses: true };
            let run = queueing::run(
                Restartable { model: &model, from: at.as_ref() },
                2..4,
                ONE_CORE,
                Default::default(),
                &mut watch,
            );
            let run = run.unwrap_or_else(|error| panic!("file {number}, {stops} stops: {error}"));
            events += run.events;
            if !run.interrupted {
                break run.outcome;
            }
            stops += 1;
            let arrays = run.outcome.arrays().expect("arrays");
            at = Some(Checkpoint::from_arrays(&model, 2, arrays).expect("the same checkpoint"));
            assert_eq!(at.as_ref(), Some(&run.outcome), "file {number}, {stops} stops");
        };
        let difference = queueing::first_difference(&expected.outcome, &ended.outcomes);
        assert_eq!(difference, None, "file {number}, {stops} stops");
        assert!(expected.outcome == ended.outcomes && events == expected.events, "file {number}, {stops} stops");
        used.extend(file.used);
        all += stops;
    }
    assert!(all_names().all(|name| used.contains(name)), "{used:?}");
    assert!(all > 1000, "{all} stops");
}

/// A network of classes stops and goes on on the heap alone, and a checkpoint is of its own network.
#[test]
fn what_classes_leave_is_of_the_heap_and_of_their_network() {
    let network = |capacity| {
        let mut network = Network::new().until(2000.0);
        network.class(queueing::Class::new("one"));
        let desk = network.station(station("desk", "exponential:1").tokens(2).servers(2).capacity(capacity));
        network.route(desk, desk, 1.0, 0.0);
        network
    };
    let model = network(9).check().expect("a model");
    let mut watch = Stops { pauses: true };
    let stopped =
        queueing::run(Restartable { model: &model, from: None }, 0..1, ONE_CORE, Default::default(), &mut watch)
            .expect("a run");
    assert!(stopped.interrupted);
    let goes_on = |network: Network| {
        let model = network.check().expect("a model");
        let from = Some(&stopped.outcome);
        queueing::run(Restartable { model: &model, from }, 0..1, ONE_CORE, Default::default(), &mut unwatched())
    };
    goes_on(network(9)).expect("a run");
    for other in [network(8), network(9).until(3000.0), network(9).seed(5)] {
        let error = goes_on(other).expect_err("another network").to_string();
        assert!(error.contains("of another network: go on with the network, the horizon and the seed"), "{error}");
    }
    let mut other = network(9);
    let bench = other.station(station("bench", "constant:1").tokens(1));
    other.route(bench, bench, 1.0, 0.0);
    let error = goes_on(other).expect_err("another network").to_string();
    assert!(error.contains("stations"), "{error}");
    let mut plain = Network::new().until(2000.0);
    let desk = plain.station(station("desk", "exponential:1").tokens(2).servers(2));
    plain.route(desk, desk, 1.0, 0.0);
    goes_on(plain).expect_err("a network without classes");
    for (form, device) in adapter::forms(&["native"]) {
        let target = Target::Device(&device);
        let run = queueing::run(
            Restartable { model: &model, from: None },
            0..1,
            target,
            Default::default(),
            &mut unwatched(),
        );
        let error = run.expect_err("no checkpoint").to_string();
        assert!(error.contains("no checkpoint of a device"), "{form}: {error}");
    }
}

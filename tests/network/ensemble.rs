//! Replications of several networks in one run: each gives what a run of it alone gives, on the heap and on a device, where those
//! that differ in numbers alone run together.

use super::*;
use crate::adapter;
use tickless::queueing::{Class, ClassOfStation, Ensemble, Member, Source, Station, Topology};

/// Two classes, one before the other, at a station and then at another one, with these numbers. The law of the second station has a
/// table.
fn clinic(servers: u32, second: &str, tokens: u32) -> NetworkModel {
    clinic_until(150.0, servers, second, tokens)
}

fn clinic_until(until: f64, servers: u32, second: &str, tokens: u32) -> NetworkModel {
    let mut network = Network::new().until(until).warmup(10.0);
    let urgent = network.class(Class::new("urgent").priority(0));
    let other = network.class(Class::new("other").priority(1));
    let desk = Station::new("desk", "exponential:2".parse().expect("a law")).servers(servers);
    let desk = network.station(desk.class(ClassOfStation::new(other).tokens(tokens)));
    let room = network.station(Station::new("room", second.parse().expect("a law")).capacity(4));
    let home = network.sink("home");
    network.source(Source::new("ambulances", "exponential:6".parse().expect("a law"), desk).class(urgent));
    network.source(Source::new("street", "exponential:1.5".parse().expect("a law"), desk).class(other));
    network.route(desk, room, 0.6, 0.0);
    network.route(desk, home, 0.4, 0.5);
    network.route(room, home, 1.0, 0.0);
    network.check().expect("a network")
}

/// What each gives by itself, on the heap.
fn alone(members: &[Member<'_>]) -> Vec<Vec<NetworkOutcome>> {
    let one = |(model, numbers): &Member<'_>| {
        queueing::run(*model, numbers.clone(), Target::Heap, Default::default(), &mut unwatched())
            .expect("a run")
            .outcome
    };
    members.iter().map(one).collect()
}

fn together(members: &[Member<'_>], target: Target<'_>) -> (Vec<Vec<NetworkOutcome>>, u64) {
    let mut found = vec![vec![]; members.len()];
    let mut take = |place: usize, outcomes: Vec<NetworkOutcome>| found[place] = outcomes;
    let run = queueing::run(Ensemble { members, take: &mut take }, (), target, Default::default(), &mut unwatched())
        .expect("a run");
    assert!(!run.interrupted);
    (found, run.events)
}

#[test]
fn each_is_as_it_is_alone() {
    let models = [
        clinic(1, "gamma:2,1.5", 0),
        clinic(3, "gamma:0.5,2", 0),
        // More rows: it runs by itself.
        clinic(2, "gamma:2,1.5", 5),
        clinic(2, "gamma:3,0.5", 0),
    ];
    let members: Vec<Member<'_>> = models.iter().zip([0..5, 7..9, 0..2, 3..6]).collect();
    let expected = alone(&members);
    let events: u64 = {
        let run = |(model, numbers): &Member<'_>| {
            queueing::run(*model, numbers.clone(), Target::Heap, Default::default(), &mut unwatched())
                .expect("a run")
                .events
        };
        members.iter().map(run).sum()
    };
    assert_ne!(expected[0][3], expected[3][0], "other numbers give other runs");
    let many = Target::HeapOn(std::num::NonZeroUsize::new(3).expect("three"));
    for target in [Target::Heap, many] {
        assert_eq!(together(&members, target), (expected.clone(), events));
    }
    for (form, device) in adapter::forms(&["native"]) {
        let (found, of_device) = together(&members, Target::Device(device.as_ref()));
        for (place, (expected, found)) in expected.iter().zip(&found).enumerate() {
            assert_eq!(expected, found, "{form}: network {place}");
        }
        assert_eq!(of_device, events, "{form}");
    }
}

/// A run on a device that is stopped has cut off every replication at one time: none of them counts as one that has ended.
#[test]
fn what_a_device_has_cut_off_is_not_given() {
    // No device is at the end behind one round.
    let models = [clinic_until(1e6, 1, "gamma:2,1.5", 0), clinic_until(1e6, 3, "gamma:0.5,2", 0)];
    let members: Vec<Member<'_>> = models.iter().map(|model| (model, 0..6)).collect();
    for (form, device) in adapter::forms(&["native"]) {
        let mut stop = |_: &tickless::run::Progress| std::ops::ControlFlow::Break(());
        let mut take = |place: usize, _: Vec<NetworkOutcome>| panic!("{form}: network {place} is given");
        let options = queueing::NetworkOptions {
            rounds: tickless::engine::Options { batch: tickless::engine::BatchSize::Rounds(1), ..Default::default() },
            ..Default::default()
        };
        let ensemble = Ensemble { members: &members, take: &mut take };
        let run = queueing::run(ensemble, (), Target::Device(device.as_ref()), options, &mut stop).expect("a run");
        assert!(run.interrupted && run.events == 0, "{form}: {} events", run.events);
    }
}

#[test]
fn a_watch_ends_all() {
    let models = [clinic(1, "gamma:2,1.5", 0), clinic(3, "gamma:0.5,2", 0)];
    let members: Vec<Member<'_>> = models.iter().map(|model| (model, 0..40)).collect();
    let mut taken = vec![vec![]; members.len()];
    let mut looks = 0;
    let mut stop = |_: &tickless::run::Progress| {
        looks += 1;
        if looks > 20 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let one_core = Target::HeapOn(std::num::NonZeroUsize::MIN);
    let mut take = |place: usize, outcomes: Vec<NetworkOutcome>| taken[place] = outcomes;
    let ensemble = Ensemble { members: &members, take: &mut take };
    let run = queueing::run(ensemble, (), one_core, Default::default(), &mut stop).expect("a run");
    assert!(run.interrupted && taken.iter().map(Vec::len).sum::<usize>() < 80);
    // What has ended is as it is alone.
    for (found, whole) in taken.iter().zip(alone(&members)) {
        assert_eq!(found[..], whole[..found.len()]);
    }
}

/// Rings of stations without classes, which run in rounds.
fn ring(stations: u32, servers: u32, until: f64) -> NetworkModel {
    let desk = Station::new("desk", "exponential:2".parse().expect("a law")).servers(servers).tokens(2);
    let network = Network::generate(&Topology::Ring { stations }, &desk, 0.0).expect("a ring");
    network.window(0.5).until(until).warmup(10.0).check().expect("a network")
}

/// Those that are alike are one program, and the others have their own beside it.
#[test]
fn networks_in_rounds_are_side_by_side() {
    let models = [(5, 1), (5, 2), (7, 1), (5, 3)];
    let until = |until: f64| models.map(|(stations, servers)| ring(stations, servers, until));
    let numbers = [0..2, 3..5, 0..2, 1..3];
    let (models, long) = (until(60.0), until(1e9));
    let members: Vec<Member<'_>> = models.iter().zip(numbers.clone()).collect();
    let expected = alone(&members);
    for (form, device) in adapter::forms(&["native"]) {
        let (found, _) = together(&members, Target::Device(device.as_ref()));
        for (place, (expected, found)) in expected.iter().zip(&found).enumerate() {
            assert_eq!(expected, found, "{form}: network {place}");
        }
        let mut stop = |_: &tickless::run::Progress| std::ops::ControlFlow::Break(());
        // No device is at the end before somebody looks.
        let members: Vec<Member<'_>> = long.iter().zip(numbers.clone()).collect();
        let mut taken = 0;
        let options = queueing::NetworkOptions {
            rounds: tickless::engine::Options { batch: tickless::engine::BatchSize::Rounds(1), ..Default::default() },
            ..Default::default()
        };
        let mut take = |_: usize, _: Vec<NetworkOutcome>| taken += 1;
        let ensemble = Ensemble { members: &members, take: &mut take };
        let run = queueing::run(ensemble, (), Target::Device(device.as_ref()), options, &mut stop).expect("a run");
        assert!(run.interrupted && taken == 0 && run.events == 0, "{form}: {taken} networks, {} events", run.events);
    }
}

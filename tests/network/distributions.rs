//! Distributions: by hand, against theory, and the same on every device.

use super::devices::{assert_same, compare};
use super::*;
use crate::adapter;
use tickless::device::Target;
use tickless::engine::{BatchSize, Options};
use tickless::queueing::{Network, NetworkOutcome, Observed, Source, Station};
use tickless::statistics::Distribution;
use tickless::time::Time;

/// Of software adapters; the others are held against networks of every kind in devices.rs.
const FORMS: [&str; 2] = ["native", "words, no subgroups"];

const UNIT: u64 = 1 << 32;

fn observed(outcome: &NetworkOutcome) -> &[Distribution] {
    &outcome.distributions.as_ref().expect("what was asked for").stations
}

/// One desk, a token every two units, five units of service: the n-th token waits 3 (n - 1) units.
fn queue() -> Network {
    let mut network = Network::new().until(30.0).distributions(Observed::All);
    let desk = network.station(Station::new("desk", law("constant:5")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:2"), desk));
    network.route(desk, exit, 1.0, 1.0);
    network
}

#[test]
fn a_queue_by_hand() {
    let model = model(queue());
    let scale = model.scale().expect("distributions");
    let run = simulate(&model, &mut unwatched()).expect("a run");
    let [desk] = observed(&run.outcome) else { panic!("one station") };
    let units = |units: u64| scale.bin(units * UNIT);
    // Services start at 2, 7, ... 27 and end at 7, ... 27; tokens come at 2, 4, ... 28.
    let mut waiting = vec![0; units(15) + 1];
    (0..6).for_each(|visit| waiting[units(3 * visit)] += 1);
    assert_eq!(desk.waiting, waiting);
    let mut system = vec![0; units(20) + 1];
    (0..6).for_each(|visit| system[units(5 + 3 * visit)] += 1);
    assert_eq!(desk.system, system);
    let present = |time: u64| {
        (2..=28).step_by(2).filter(|came| *came <= time).count()
            - (7..=27).step_by(5).filter(|went| *went <= time).count()
    };
    let mut times = vec![0; 10];
    (0..30).for_each(|time| times[present(time)] += UNIT);
    assert_eq!(desk.present, times);
    assert_eq!(desk.most_present(), 9);
    // They leave one unit later: the first five.
    let mut stays = vec![0; units(18) + 1];
    (0..5).for_each(|visit| stays[units(6 + 3 * visit)] += 1);
    assert_eq!(run.outcome.distributions.as_ref().expect("some").sinks, [stays]);
}

#[test]
fn a_warm_up_is_taken_off() {
    let model = model(queue().warmup(10.0));
    let run = simulate(&model, &mut unwatched()).expect("a run");
    let [desk] = observed(&run.outcome) else { panic!("one station") };
    assert_eq!(desk.waiting.iter().sum::<u64>(), run.outcome.stations.facilities[0].starts);
    assert_eq!(desk.present.iter().sum::<u64>(), 20 * UNIT);
    let presence: u128 = (0..).zip(&desk.present).map(|(number, time)| number * u128::from(*time)).sum();
    assert_eq!(presence, run.outcome.stations.facilities[0].presence);
    assert_eq!(run.outcome.distributions.as_ref().expect("some").sinks[0].iter().sum::<u64>(), 4);
}

/// What an M/M/1 has at a load of 0.8: a geometric number present, exponential times.
#[test]
fn an_m_m_1_has_its_distributions() {
    let mut network = Network::new().until(400_000.0).warmup(1000.0).distributions(Observed::All);
    let desk = network.station(Station::new("desk", law("exponential:0.8")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.route(desk, exit, 1.0, 0.0);
    let model = model(network);
    let scale = model.scale().expect("distributions");
    let run = simulate(&model, &mut unwatched()).expect("a run");
    let [desk] = observed(&run.outcome) else { panic!("one station") };
    let measured = desk.present.iter().sum::<u64>() as f64;
    for (number, time) in desk.present.iter().enumerate().take(12) {
        let expected = 0.2 * 0.8_f64.powi(number as i32);
        assert!((*time as f64 / measured - expected).abs() < 0.02 * expected + 0.002, "{number}");
    }
    // The time in the system is exponential of mean 0.8 / (1 - 0.8); one in five does not wait.
    for below in [0.5, 0.9, 0.95, 0.99] {
        let expected = -4.0 * (1.0_f64 - below).ln();
        let system = scale.quantile(&desk.system, below).expect("services");
        let stay = scale.quantile(&run.outcome.distributions.as_ref().expect("some").sinks[0], below).expect("tokens");
        let waiting = scale.quantile(&desk.waiting, below).expect("services");
        let waits = -4.0 * ((1.0_f64 - below) / 0.8).ln();
        for (found, expected) in [(system, expected), (stay, expected), (waiting, waits)] {
            assert!((found / expected - 1.0).abs() < 0.04, "{below}: {found}, not {expected}");
        }
    }
    let share = desk.waiting[0] as f64 / desk.waiting.iter().sum::<u64>() as f64;
    assert!((share - 0.2).abs() < 0.005, "{share}");
}

#[test]
fn recording_changes_nothing_else() {
    for number in 0..40 {
        let network = random::network(number);
        let plain = simulate(&model(network.clone()), &mut unwatched()).expect("a run").outcome;
        let mut recorded =
            simulate(&model(network.distributions(Observed::All)), &mut unwatched()).expect("a run").outcome;
        assert_ne!(plain.digest(), recorded.digest(), "they are in the digest");
        let distributions = recorded.distributions.take().expect("what was asked for");
        assert_same(&plain, &recorded, &format!("network {number}"));
        for (station, record) in distributions.stations.iter().zip(&plain.stations.facilities) {
            let presence: u128 = (0_u128..).zip(&station.present).map(|(n, time)| n * u128::from(*time)).sum();
            assert_eq!(presence, record.presence, "network {number}");
            assert_eq!(station.waiting.iter().sum::<u64>(), record.starts, "network {number}");
            assert_eq!(station.system.iter().sum::<u64>(), record.starts, "network {number}");
        }
        for (stays, sink) in distributions.sinks.iter().zip(&plain.sinks) {
            assert_eq!(stays.iter().sum::<u64>(), sink.from_sources, "network {number}");
        }
    }
}

#[test]
fn devices_record_the_same() {
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        // In software half of them: the others have the same kernels.
        for number in 0..if adapter::in_software(device.as_ref()) { 60 } else { 120 } {
            let network = random::network(number);
            // In software the kernels of simple stations are compiled in the first form.
            let simple = adapter::in_software(device.as_ref()) && random::is_simple(&model(network.clone()));
            let half = if simple { 0 } else { number % 2 };
            // ... and those of few in the second.
            let few = place > 1 || place > 0 && adapter::in_software(device.as_ref());
            let chosen = if few { number % 12 == place as u32 } else { half == place as u32 };
            if chosen || form.starts_with("cuda") {
                // All stations, or the first one.
                let first = model(network.clone()).station_name(0).into_owned();
                let who = if number % 3 == 0 { Observed::Stations(vec![first]) } else { Observed::All };
                let model = model(network.distributions(who));
                compare(device.as_ref(), &model, &Options::default(), &format!("{form}: network {number}"));
            }
        }
    }
}

/// A queue and a crowd that outgrow every first guess, in all replications or in some; a pool that grows under them.
#[test]
fn what_is_outgrown_begins_again_with_more_room() {
    let mut network = Network::new().until(900.0).warmup(100.0).distributions(Observed::All);
    let desk = network.station(Station::new("desk", law("exponential:1")).servers(2));
    let hall = network.station(Station::new("hall", law("exponential:50")).servers(4000));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:0.4"), desk));
    network.route(desk, hall, 0.5, 1.0);
    network.route(desk, exit, 0.5, 1.0);
    network.route(hall, exit, 1.0, 2.0);
    let model = model(network);
    let expected =
        queueing::run(&model, 0..3, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    assert!(observed(&expected[0])[0].most_present() > 200 && observed(&expected[0])[1].most_present() > 40);
    for (form, device) in adapter::forms(&["native"]) {
        let options = Options { batch: BatchSize::Rounds(50), ..Options::default() };
        let run = replicate_on(&model, 0..3, device.as_ref(), rounds(&options), &mut unwatched()).expect(form);
        expected.iter().zip(&run.outcome).for_each(|(expected, found)| assert_same(expected, found, form));
    }
}

/// ... also where those for whom there was no room are gone when the round ends.
#[test]
fn what_was_outgrown_within_a_round_begins_again() {
    let mut network = Network::new().until(1e4).distributions(Observed::All);
    let desk = network.station(Station::new("desk", law("exponential:0.8")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.route(desk, exit, 1.0, 0.0);
    let model = model(network);
    let expected =
        queueing::run(&model, 0..10, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    assert!(expected.iter().any(|outcome| observed(outcome)[0].most_present() > 32));
    for (form, device) in adapter::forms(&["native"]) {
        let run = replicate_on(&model, 0..10, device.as_ref(), rounds(&Options::default()), &mut unwatched());
        let found = run.expect(form).outcome;
        expected.iter().zip(&found).for_each(|(expected, found)| assert_same(expected, found, form));
    }
}

/// A station that a workgroup would decide, were it not observed.
#[test]
fn an_observed_hub_is_the_same() {
    // In software the first alone: what the second has is in the random networks, too.
    let whose = [Observed::Stations(vec!["leaf 3".into()]), Observed::All];
    for (number, who) in whose.into_iter().enumerate() {
        let mut network = Network::new().until(60.0).warmup(5.0).window(0.5).distributions(who);
        let hub = network.station(Station::new("hub", law("exponential:3")).servers(60));
        for leaf in 0..150 {
            let id = network.station(Station::new(format!("leaf {leaf}"), law("exponential:5")).tokens(2));
            network.route(id, hub, 1.0, 0.0);
            network.route(hub, id, 1.0 / 150.0, 0.0);
        }
        for (form, device) in adapter::forms(&["native"]) {
            if number == 0 || !adapter::in_software(device.as_ref()) {
                compare(device.as_ref(), &model(network.clone()), &Options::default(), form);
            }
        }
    }
}

#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let Some(device) = adapter::native() else { return };
    let mut network = Network::new().until(1e6).warmup(3.0).distributions(Observed::All);
    let desk = network.station(Station::new("desk", law("exponential:0.8")));
    let back = network.station(Station::new("back", law("uniform:0.1,0.3")).servers(2).tokens(5));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.route(desk, exit, 1.0, 0.5);
    network.route(back, back, 1.0, 0.0);
    let options = Options { batch: BatchSize::Rounds(20), ..Options::default() };
    let mut looks = 0;
    let mut watch = |_: &tickless::run::Progress| {
        looks += 1;
        if looks > 3 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let run = simulate_on(&model(network.clone()), &device, rounds(&options), &mut watch).expect("a run");
    assert!(run.interrupted && run.clock > Time::ZERO);
    let shorter = model(network.clone().until(run.clock.units()));
    let expected = simulate(&shorter, &mut unwatched()).expect("a run");
    // Times reach to the horizon, which differs; the finest bins are the same, and no time is so long.
    assert_eq!(shorter.scale().expect("one").shift(), model(network).scale().expect("one").shift());
    assert_same(&expected.outcome, &run.outcome, "what was seen until then");
}

//! Distributions of classes: against queueing theory, and against those of their station.

use super::multiclass::{single, two_classes};
use super::multiclass_random::{Uses, network_of};
use super::theory::{assert_figures, units};
use super::*;
use tickless::queueing::{Class, Distributions, Observed, Station};
use tickless::statistics::Scale;

fn recorded(outcome: &NetworkOutcome) -> &Distributions {
    outcome.distributions.as_ref().expect("what was asked for")
}

/// Where the bin of so many time units begins, and the share of times beyond that.
fn beyond(scale: Scale, time: f64) -> (f64, impl Fn(&[u64]) -> f64) {
    let bin = scale.bin((time * UNIT as f64) as u64);
    let share = move |counts: &[u64]| {
        let beyond: u64 = counts.iter().skip(bin).sum();
        beyond as f64 / counts.iter().sum::<u64>() as f64
    };
    (scale.bounds(bin)[0].units(), share)
}

/// First come, first served, each class waits as an M/M/1 does: at load r and rate 1 of service longer than t with r exp(-(1 - r) t). Its number
/// present is that of all, of whom each is of it by chance: geometric, too.
#[test]
fn classes_of_a_queue_wait_alike() {
    let mut network = Network::new();
    let classes = ["first", "second"].map(|name| network.class(Class::new(name)));
    let desk = Station::new("desk", law("exponential:1"));
    let (network, _) = single(desk, &[(classes[0], 2.5), (classes[1], 5.0)], network);
    let network = network.until(9_000.0).distributions(Observed::All);
    let (time, share) = beyond(model(network.clone()).scale().expect("one"), 1.0);
    let waits = 0.6 * (-0.4 * time).exp();
    // Of a geometric number with 0.6 a share p is one with 0.6 p / (1 - 0.6 (1 - p)).
    let none = |p: f64| 1.0 - 0.6 * p / (1.0 - 0.6 * (1.0 - p));
    let empty = |class: usize| {
        move |outcome: &NetworkOutcome| units(recorded(outcome).classes[class].present[0]) / outcome.stations.measured()
    };
    let at_once = |class: usize| {
        move |outcome: &NetworkOutcome| {
            let waiting = &recorded(outcome).classes[class].waiting;
            waiting[0] as f64 / waiting.iter().sum::<u64>() as f64
        }
    };
    assert_figures(
        &network,
        &[
            ("the first waits", waits, &|outcome| share(&recorded(outcome).classes[0].waiting)),
            ("the second waits", waits, &|outcome| share(&recorded(outcome).classes[1].waiting)),
            ("the first is in the network", (-0.4 * time).exp(), &|outcome| share(&recorded(outcome).class_sinks[0])),
            ("the first does not wait", 0.4, &at_once(0)),
            ("the second does not wait", 0.4, &at_once(1)),
            ("the first is not there", none(2.0 / 3.0), &empty(0)),
            ("the second is not there", none(1.0 / 3.0), &empty(1)),
        ],
    );
}

/// Whom the first class interrupts it does not see: it is an M/M/1 of its own, and the other one waits longer.
#[test]
fn classes_that_interrupt_wait_for_themselves() {
    let (network, [first, second]) = two_classes();
    let desk = Station::new("desk", law("exponential:1")).preemptive();
    let (network, _) = single(desk, &[(first, 2.5), (second, 5.0)], network);
    let network = network.until(9_000.0).distributions(Observed::All);
    let (time, share) = beyond(model(network.clone()).scale().expect("one"), 1.0);
    let present = |outcome: &NetworkOutcome, number: usize| {
        units(recorded(outcome).classes[0].present[number]) / outcome.stations.measured()
    };
    assert_figures(
        &network,
        &[
            ("waits", 0.4 * (-0.6 * time).exp(), &|outcome| share(&recorded(outcome).classes[0].waiting)),
            ("is there", (-0.6 * time).exp(), &|outcome| share(&recorded(outcome).classes[0].system)),
            ("nobody", 0.6, &|outcome| present(outcome, 0)),
            ("one", 0.6 * 0.4, &|outcome| present(outcome, 1)),
        ],
    );
    let outcome = run(network).outcome;
    let [first, second] = [0, 1].map(|class| share(&recorded(&outcome).classes[class].system));
    assert!(second > first + 0.1, "{first} {second}");
}

fn add(all: &mut Vec<u64>, more: &[u64]) {
    all.resize(all.len().max(more.len()), 0);
    all.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

/// Random networks: the classes of a station are the station, time by time, and the number present of each adds up to its presence.
#[test]
fn classes_are_their_station() {
    let (mut seen, mut seen_targets) = (0, 0);
    for number in 0..60 {
        let (network, _) = network_of(number, Uses::of(number));
        let model = model(network.distributions(Observed::All));
        let outcome = match simulate(&model, &mut unwatched()) {
            Err(QueueingError::Deadlock { .. } | QueueingError::Apart { .. } | QueueingError::Stuck { .. }) => continue,
            run => run.unwrap_or_else(|error| panic!("{number}: {error}")).outcome,
        };
        let (all, count) = (recorded(&outcome), model.classes().len());
        let measured = (outcome.stations.until.ticks() - outcome.stations.from.ticks(), &outcome.classes);
        for (station, classes) in all.stations.iter().zip(all.classes.chunks(count)) {
            let (mut waiting, mut system) = (vec![], vec![]);
            classes.iter().for_each(|class| add(&mut waiting, &class.waiting));
            classes.iter().for_each(|class| add(&mut system, &class.system));
            assert_eq!((&waiting, &system), (&station.waiting, &station.system), "network {number}");
            let all = |counts: &[u64]| counts.iter().sum::<u64>();
            let by_targets = [&station.waiting_targets, &station.system_targets].map(|counts| all(counts));
            seen_targets += by_targets[0];
            // Every time that is in a bin is also before or behind each target.
            if !model.targets().is_empty() {
                assert_eq!(by_targets, [&waiting, &system].map(|counts| all(counts)), "network {number}");
            }
        }
        for (class, record) in all.classes.iter().zip(measured.1) {
            let presence: u128 = (0..).zip(&class.present).map(|(present, time)| present * u128::from(*time)).sum();
            assert_eq!(presence, record.record.presence, "network {number}");
            assert_eq!(class.present.iter().sum::<u64>(), measured.0, "network {number}");
            seen += u64::from(class.present.len() > 1);
        }
        for (place, sink) in all.sinks.iter().enumerate() {
            let mut together = vec![];
            all.class_sinks[place * count..][..count].iter().for_each(|class| add(&mut together, class));
            assert_eq!(together, *sink, "network {number}");
        }
    }
    assert!(seen > 200 && seen_targets > 100, "{seen} {seen_targets}");
}

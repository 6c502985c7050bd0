//! How fast services of networks of classes go: by the number present, and by weights.

use super::multiclass::{single, two_classes};
use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, Figures, Shifts, Source, Station};

/// The mean number of a birth and death process with births at rate 1 and deaths at a rate by the number.
fn birth_and_death(death: impl Fn(u32) -> f64) -> f64 {
    let (mut weight, mut all, mut sum) = (1.0, 1.0, 0.0);
    for present in 1..2_000 {
        weight /= death(present);
        all += weight;
        sum += f64::from(present) * weight;
    }
    sum / all
}

/// Births and deaths, of one queue and of several servers; where all share, whatever the law.
#[test]
fn speeds_by_the_number_present() {
    let speeds = [0.8, 2.5, 1.5];
    let speed = |present: u32| speeds[present.min(3) as usize - 1];
    let queue = |station: Station| {
        let mut network = Network::new();
        let class = network.class(Class::new("all"));
        single(station.speeds(speeds.to_vec()), &[(class, 1.0)], network).0.until(9_000.0)
    };
    let network = queue(Station::new("desk", law("exponential:1")));
    let one = birth_and_death(speed);
    assert_figure(&network, "one server", one, |outcome| mean_present(outcome, 0));
    let model = model(network);
    let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let figures = Figures::of_station(&model, 0, std::slice::from_ref(&outcome));
    // Little's law: the time that a service takes counts, not its work.
    assert!((figures.mean_system_time.mean / figures.mean_present.mean - 1.0).abs() < 0.05, "{figures:?}");
    assert!((figures.mean_busy.mean - figures.mean_service_time.mean).abs() < 0.05, "{figures:?}");
    let network = queue(Station::new("desk", law("exponential:1.8")).servers(2));
    let two = birth_and_death(|present| speed(present) * f64::from(present.min(2)) / 1.8);
    assert_figure(&network, "two servers", two, |outcome| mean_present(outcome, 0));
    let network = queue(Station::new("desk", law("constant:1")).discipline(Discipline::Sharing));
    assert_figure(&network, "all share", one, |outcome| mean_present(outcome, 0));
    // A preempted service is resumed: with exponential services nothing changes.
    let network = queue(Station::new("desk", law("exponential:1")).discipline(Discipline::LastComePreemptive));
    assert_figure(&network, "the last", one, |outcome| mean_present(outcome, 0));
}

/// By hand: an interrupted service goes on where it was, and nobody is served at speed 0.
#[test]
fn speeds_by_hand() {
    let mut network = Network::new().until(40.0);
    let shifts = Shifts::new(vec![(0.0, 1), (3.0, 0), (10.0, 1)]).interrupting();
    let desk = Station::new("desk", law("constant:4")).shifts(shifts).speeds(vec![0.0, 2.0, 1.0]);
    let desk = network.station(desk);
    let exit = network.sink("exit");
    for (name, start) in [("first", 0.0), ("second", 1.0), ("third", 11.0)] {
        network.source(Source::new(name, law("constant:1"), desk).start(start).limit(1));
    }
    network.route(desk, exit, 1.0, 0.0);
    let outcome = run(network).outcome;
    // The first is served at speed 0 from 1 to 2, has 2 until 3, and from 10 on 2 until 11. The second goes on alone until 12, with speed 2 until 14, and
    // then the third is alone.
    assert_eq!((outcome.sinks[0].tokens, outcome.sinks[0].sojourn >> 32), (2, 10 + 12));
    let record = outcome.classes[0].record;
    // The first service took 1 + 1 + 1, the second 1 + 2; in between the first waited from 3 to 10.
    assert_eq!((record.service >> 32, record.busy >> 32, outcome.classes[0].preemptions), (3 + 3, 3 + 3 + 26, 1));
}

/// Discriminatory processor sharing: the linear equations of Fayolle, Mitrani and Iasnogorodski 1980 for exponential services.
#[test]
fn weights_share_as_the_equations_say() {
    let (mut network, [first, second]) = two_classes();
    let (arrives, serves, weights) = ([0.4, 0.5], [1.0, 2.0], [4.0, 1.0]);
    let desk = Station::new("desk", law("exponential:1"))
        .discipline(Discipline::Sharing)
        .class(ClassOfStation::new(first).weight(weights[0]))
        .class(ClassOfStation::new(second).service(law("exponential:0.5")));
    let (network, _) =
        single(desk, &[(first, 1.0 / arrives[0]), (second, 1.0 / arrives[1])], std::mem::take(&mut network));
    // W_k (1 - Σ λ_j g_j / d_jk) - Σ λ_j g_j W_j / d_jk = 1 / m_k with d_jk = m_j g_j + m_k g_k.
    let share = |k: usize, j: usize| arrives[j] * weights[j] / (serves[j] * weights[j] + serves[k] * weights[k]);
    let own = |k: usize| 1.0 - share(k, 0) - share(k, 1);
    let [[a, b], [c, d]] = [[own(0) - share(0, 0), -share(0, 1)], [-share(1, 0), own(1) - share(1, 1)]];
    let [right, other] = serves.map(f64::recip);
    let times = [(right * d - b * other) / (a * d - b * c), (a * other - right * c) / (a * d - b * c)];
    // Alike, both would take 1 / (1 - load) times their service.
    assert!(times[0] < 0.85 / 0.35 && times[1] > 1.2 * 0.5 / 0.35, "{times:?}");
    for class in [0, 1] {
        let present = move |o: &NetworkOutcome| units(o.classes[class].record.presence) / o.stations.measured();
        assert_figure(&network, "present", arrives[class] * times[class], present);
    }
    let outcome = run(network).outcome;
    let loads = [0, 1].map(|class| units(outcome.classes[class].record.busy) / outcome.stations.measured());
    assert!((loads[0] - 0.4).abs() < 0.04 && (loads[1] - 0.25).abs() < 0.04, "{loads:?}");
}

/// The first of two tokens takes the one place at `next` at 4. The other one stops, and goes on alone, at full speed, from 8 to 9.
pub(super) fn stopping_at_half_speed() -> NetworkModel {
    let mut network = Network::new().until(20.0);
    let [one, other] = ["one", "other"].map(|name| network.class(Class::new(name)));
    let desk = Station::new("desk", law("constant:2")).servers(2).speeds(vec![1.0, 0.5]);
    let desk = desk.class(ClassOfStation::new(one).tokens(1));
    let desk = network.station(desk.class(ClassOfStation::new(other).service(law("constant:3")).tokens(1)));
    let next = network.station(Station::new("next", law("constant:4")).capacity(1).blocking().blocking_before());
    let exit = network.sink("exit");
    network.route(desk, next, 1.0, 0.0);
    network.route(next, exit, 1.0, 0.0);
    model(network)
}

#[test]
fn services_stop_at_their_speed() {
    let outcome = simulate(&stopping_at_half_speed(), &mut unwatched()).expect("a run").outcome;
    let other = &outcome.classes[1];
    let times = [other.record.service, other.record.waiting, other.blocked, outcome.classes[3].record.presence];
    assert_eq!(times.map(|time| time / UNIT), [5, 4, 4, 4]);
    assert_eq!(outcome.sinks[0].tokens, 2);
}

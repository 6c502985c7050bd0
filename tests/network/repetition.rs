//! Repetitive service, as a Markov chain has it, and deadlocks that are resolved.

use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{Repetition, Source, Station};

/// Half of who is served at a goes to b, which has room for one, and is served at a again while there is none.
#[test]
fn services_are_repeated_while_there_is_no_room() {
    for repetition in [Repetition::SameDestination, Repetition::RandomDestination] {
        let mut network = Network::new().warmup(500.0).until(9_500.0);
        let a = network.station(Station::new("a", law("exponential:1")).capacity(3));
        let b = network.station(Station::new("b", law("exponential:4")).capacity(1).repeating(repetition));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:2"), a));
        network.route(a, b, 0.5, 0.0);
        network.route(a, exit, 0.5, 0.0);
        network.route(b, exit, 1.0, 0.0);
        // States: tokens at a and at b, and whether the one in service is to go to b.
        let keeps = usize::from(repetition == Repetition::SameDestination);
        let mut chances = [[[0.05; 2]; 2]; 4];
        for kept in &mut chances[0] {
            kept[1] = 0.0;
        }
        for _ in 0..10_000 {
            let mut next = chances;
            for (a, b, kept) in (0..16).map(|place| (place / 4, place / 2 % 2, place % 2)) {
                let mut flow = |(x, y, z): (usize, usize, usize), rate: f64| {
                    let moved = 0.2 * rate * chances[a][b][kept];
                    next[a][b][kept] -= moved;
                    next[x][y][z] += moved;
                };
                if a < 3 {
                    flow((a + 1, b, kept), 0.5);
                }
                if b > 0 {
                    flow((a, 0, kept), 0.25);
                }
                match (a, b, kept) {
                    (0, ..) | (_, 1, 1) => {}
                    (_, _, 1) => flow((a - 1, 1, 0), 1.0),
                    (_, 0, _) => {
                        flow((a - 1, 0, 0), 0.5);
                        flow((a - 1, 1, 0), 0.5);
                    }
                    (..) => {
                        flow((a - 1, 1, 0), 0.5);
                        flow((a, 1, keeps), 0.5);
                    }
                }
            }
            chances = next;
        }
        let all: f64 = chances.as_flattened().as_flattened().iter().sum();
        let mean = |of: &dyn Fn(usize, usize) -> f64| -> f64 {
            let place = |place: usize| (place / 4, place / 2 % 2, place % 2);
            (0..16).map(place).map(|(a, b, kept)| of(a, b) * chances[a][b][kept] / all).sum()
        };
        assert_figure(&network, "at a", mean(&|a, _| a as f64), |outcome| mean_present(outcome, 0));
        assert_figure(&network, "at b", mean(&|_, b| b as f64), |outcome| mean_present(outcome, 1));
        // Each service is one, and nobody is blocked or lost at b.
        let outcome = run(network).outcome;
        let [at_a, at_b] = [0, 1].map(|id| outcome.stations.facilities[id]);
        assert!(at_a.starts > at_a.arrivals - at_a.losses + 100 && at_b.losses == 0, "{at_a:?}");
        assert!((units(at_a.service) / units(at_a.busy) - 1.0).abs() < 0.01 && outcome.classes[0].blocked == 0);
    }
}

/// Two stations that are always full: both tokens change places when the slower service has ended.
#[test]
fn deadlocks_are_resolved_by_exchange() {
    let two = |exchanging: [bool; 2]| {
        let mut network = Network::new().until(100.5);
        let [a, b] = [("a", 1, exchanging[0]), ("b", 2, exchanging[1])].map(|(name, time, exchanges)| {
            let station = Station::new(name, law(&format!("constant:{time}"))).capacity(1).tokens(1);
            network.station(if exchanges { station.exchanging() } else { station.blocking() })
        });
        network.route(a, b, 1.0, 0.0);
        network.route(b, a, 1.0, 0.0);
        simulate(&model(network), &mut unwatched()).map(|run| run.outcome)
    };
    let outcome = two([true, true]).expect("a run");
    let [a, b] = [0, 1].map(|id| outcome.classes[id]);
    // At 2, 4, ... 100; who is served at a waits for one unit each time.
    assert_eq!((a.record.completions, b.record.completions, a.record.arrivals), (50, 50, 50));
    assert_eq!((a.blocked >> 31, b.blocked, outcome.stations.facilities[0].losses), (2 * 50, 0, 0));
    for mixed in [[true, false], [false, false]] {
        assert!(matches!(two(mixed), Err(QueueingError::Deadlock { clock: 2.0, .. })));
    }
    // Round through three stations with two places each, beside one that waits for the room that is made: nobody passes the limit.
    let mut network = Network::new().until(2000.0);
    let station = |name: &str, time: f64| Station::new(name, law(&format!("exponential:{time}")));
    let ring = [("x", 1.0), ("y", 1.5), ("z", 0.7)]
        .map(|(name, time)| network.station(station(name, time).capacity(2).tokens(2).exchanging()));
    let beside = network.station(station("beside", 1.0).tokens(3));
    for place in 0..3 {
        network.route(ring[place], ring[(place + 1) % 3], 0.8, 0.0);
        network.route(ring[place], beside, 0.2, 0.0);
    }
    network.route(beside, ring[0], 1.0, 0.0);
    let outcome = run(network.distributions(tickless::queueing::Observed::All)).outcome;
    let most = |id: usize| outcome.distributions.as_ref().expect("distributions").stations[id].present.len() - 1;
    assert_eq!(([0, 1, 2].map(most), outcome.tokens()), ([2, 2, 2], 9));
    assert!(outcome.stations.facilities.iter().all(|station| station.completions > 300), "{outcome:?}");
}

//! Both simulators of a network give the same records.

use super::super::{Singles, simulate_general, simulate_singles};
use crate::queueing::NetworkDetails;
use crate::queueing::{Network, NetworkModel, NetworkOutcome, Source, Station};
use crate::random::StreamKey;
use crate::run::{Progress, Run, unwatched};
use std::ops::ControlFlow;

/// Eight stations with routes, delays, laws, capacities and tokens drawn from a seed. Times are whole units in every second
/// network, so that instants of many events are common.
fn network(seed: u64) -> Network {
    let mut stream = StreamKey::new(seed, 9).stream(0);
    let mut draw = |below: u32| stream.draw() % below;
    let laws: &[&str] = if seed.is_multiple_of(2) {
        &["constant:1", "constant:2", "constant:3"]
    } else {
        &["exponential:1", "uniform:0,2", "erlang:2,1", "hyperexponential:0.3,1,2", "exponential:0.5"]
    };
    let law = |draw: &mut dyn FnMut(u32) -> u32| laws[draw(laws.len() as u32) as usize].parse().expect("a law");
    let mut network = Network::new().seed(seed).window(0.0);
    let (limited, delayed) = (draw(2) == 0, draw(2) == 0);
    let stations: Vec<_> = (0..8)
        .map(|i| {
            let station = Station::new(format!("s{i}"), law(&mut draw)).tokens(draw(3));
            network.station(if limited && draw(2) == 0 { station.capacity(2 + draw(3)) } else { station })
        })
        .collect();
    let sinks = [network.sink("a"), network.sink("b")];
    for (i, &from) in stations.iter().enumerate() {
        let ways = 1 + draw(4);
        for way in 0..ways {
            let delay = if delayed { f64::from(draw(3)) } else { 0.0 };
            // Every station can be reached.
            let to = if way == 0 { (i + 1) % 8 } else { draw(8) as usize };
            network.route(from, stations[to], 0.9 / f64::from(ways), delay);
        }
        network.route(from, sinks[draw(2) as usize], 0.1, 0.0);
    }
    for i in 0..2 {
        let source = Source::new(format!("q{i}"), law(&mut draw), stations[draw(8) as usize]);
        network.source(if draw(2) == 0 { source.limit(40) } else { source });
    }
    network
}

/// What two runs share.
fn assert_same(
    found: &Run<NetworkOutcome, NetworkDetails>,
    expected: &Run<NetworkOutcome, NetworkDetails>,
    what: &str,
) {
    assert_eq!(found.outcome, expected.outcome, "{what}");
    let shared = |run: &Run<NetworkOutcome, NetworkDetails>| (run.events, run.details.completions, run.clock);
    assert_eq!(shared(found), shared(expected), "{what}");
}

fn compare(model: &NetworkModel, what: &str) {
    let expected = simulate_general(model, 3, &mut unwatched()).expect("a run");
    assert!(Singles::<u64>::takes(model) && Singles::<u128>::takes(model), "{what}");
    assert_same(&simulate_singles::<u64>(model, 3, &mut unwatched()).expect("a run"), &expected, what);
    assert_same(&simulate_singles::<u128>(model, 3, &mut unwatched()).expect("a run"), &expected, what);
}

#[test]
fn both_simulators_give_the_same_records() {
    for seed in 0..60 {
        for warmup in [0.0, 10.0, 33.3] {
            let model = network(seed).warmup(warmup).until(100.0).check().expect("a model");
            compare(&model, &format!("seed {seed}, warm-up {warmup}"));
        }
    }
}

#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    for warmup in [0.0, 1000.0, 500_000.0] {
        let model = network(3).warmup(warmup).until(1e6).check().expect("a model");
        let mut stop = |_: &Progress| ControlFlow::Break(());
        let found = simulate_singles::<u64>(&model, 0, &mut stop).expect("a run");
        assert!(found.interrupted && found.clock < model.until());
        let until = found.clock.units();
        if warmup < until {
            let whole = network(3).warmup(warmup).until(until).check().expect("a model");
            assert_same(&found, &simulate_general(&whole, 0, &mut unwatched()).expect("a run"), "interrupted");
        } else {
            let statistics = found.outcome.stations.statistics();
            assert_eq!((statistics.completions, statistics.arrivals), (0, 0));
            assert_eq!(found.outcome.tokens_before, found.outcome.tokens());
        }
    }
}

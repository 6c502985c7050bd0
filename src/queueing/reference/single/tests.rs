//! Both simulators of a network give the same records.

use super::super::{simulate_any, simulate_singles};
use crate::capability::Simulator;
use crate::checkpoint::{End, State};
use crate::{Network, NetworkModel, NetworkOutcome, Observed, Source, Station};
use crate::{NetworkDetails, QueueingError};
use std::ops::ControlFlow;
use tickless_core::random::StreamKey;
use tickless_core::run::{Progress, Run, RunMode, Watch, unwatched};
use tickless_core::time::Time;

/// Eight stations with routes, delays, laws, capacities and tokens drawn from a seed. Times are whole units in every second
/// network, so that instants of many events are common.
fn network(seed: u64) -> Network {
    network_of(seed, false)
}

/// The same where stations may have two servers.
fn network_of(seed: u64, servers: bool) -> Network {
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
            let station = if servers && draw(2) == 0 { station.servers(2) } else { station };
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

/// From time 0 on, and nothing goes on from its end.
const WHOLE: RunMode<'static, State> = RunMode::whole(false);

type Ended = Result<Run<End, NetworkDetails>, QueueingError>;

fn whole(run: Ended) -> Run<NetworkOutcome, NetworkDetails> {
    run.expect("a run").map(|end| end.outcome)
}

/// The results that two runs share.
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
    let expected = whole(simulate_any(model, 3, WHOLE, &mut unwatched()));
    assert_eq!(Simulator::of(model, true), Simulator::Singles { wide: false }, "{what}");
    assert_same(&whole(simulate_singles::<u64>(model, 3, WHOLE, &mut unwatched())), &expected, what);
    assert_same(&whole(simulate_singles::<u128>(model, 3, WHOLE, &mut unwatched())), &expected, what);
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
        let found = whole(simulate_singles::<u64>(&model, 0, WHOLE, &mut stop));
        assert!(found.interrupted && found.clock < model.until());
        let until = found.clock.units();
        if warmup < until {
            let shorter = network(3).warmup(warmup).until(until).check().expect("a model");
            assert_same(&found, &whole(simulate_any(&shorter, 0, WHOLE, &mut unwatched())), "interrupted");
        } else {
            let statistics = found.outcome.stations.statistics();
            assert_eq!((statistics.completions, statistics.arrivals), (0, 0));
            assert_eq!(found.outcome.tokens_before, found.outcome.tokens());
        }
    }
}

type Simulate = fn(&NetworkModel, u32, RunMode<'_, State>, &mut dyn Watch) -> Ended;

/// Stops at the first look, and resumes with the next simulator; returns the counts of all parts together, and the number of
/// parts.
fn in_turns(model: &NetworkModel, simulators: &[Simulate]) -> (NetworkOutcome, u64, usize) {
    let (mut at, mut events): (Option<(Time, NetworkOutcome, State)>, u64) = (None, 0);
    for (parts, simulate) in (1..).zip(simulators.iter().cycle()) {
        let (clock, state) = at.as_ref().map_or((Time::ZERO, None), |(clock, _, state)| (*clock, Some(state)));
        let begins = NetworkModel { warmup: model.warmup().max(clock), ..model.clone() };
        let mut stop = |_: &Progress| ControlFlow::Break(());
        let run = simulate(&begins, 3, RunMode::restartable(state), &mut stop).expect("a run");
        events += run.events;
        let End { mut outcome, state } = run.outcome;
        if let Some((clock, before, _)) = at.take() {
            outcome = outcome.behind(&before, clock, model.warmup());
        }
        match state {
            Some(state) => at = Some((run.clock, outcome, state)),
            None => return (outcome, events, parts),
        }
    }
    unreachable!("a run ends")
}

/// Whichever simulator resumes: the records are those of an uninterrupted run.
#[test]
fn runs_go_on_with_any_simulator() {
    let general: Simulate = simulate_any;
    let singles: Simulate = simulate_singles::<u64>;
    for seed in 0..40 {
        for (warmup, servers) in [(0.0, false), (33.3, false), (10.0, true)] {
            let model = network_of(seed, servers).warmup(warmup).until(100.0).check().expect("a model");
            let expected = whole(simulate_any(&model, 3, WHOLE, &mut unwatched()));
            let simulators: &[Simulate] = if servers { &[general] } else { &[singles, general] };
            let (found, events, parts) = in_turns(&model, simulators);
            let what = format!("seed {seed}, warm-up {warmup}, {parts} parts");
            assert_eq!(expected.outcome.first_difference(&found), None, "{what}");
            assert_eq!((&found, events), (&expected.outcome, expected.events), "{what}");
            assert!(parts > 5, "{what}");
        }
    }
}

/// Distributions are those of all parts.
#[test]
fn distributions_go_on() {
    for seed in 0..10 {
        let network = network_of(seed, true).distributions(Observed::All).warmup(20.0);
        let model = network.until(100.0).check().expect("a model");
        let expected = whole(simulate_any(&model, 3, WHOLE, &mut unwatched()));
        let (found, ..) = in_turns(&model, &[simulate_any]);
        assert_eq!(expected.outcome.first_difference(&found), None, "seed {seed}");
    }
}

//! The loop of a torus against that of stations of one server, which reads its edges from lists.

use super::*;
use crate::checkpoint::State;
use crate::reference::simulate_singles;
use crate::{Network, Station, Topology};
use tickless_core::run::{RunMode, unwatched};

fn both(network: Network) -> [Run<NetworkOutcome, NetworkDetails>; 2] {
    let model = network.check().expect("a model");
    let torus = model.torus().expect("a torus");
    let listed = model.in_lists().expect("a small torus");
    let mode = RunMode::whole(false);
    let torus = simulate(&model, torus, 3, mode, &mut unwatched());
    let runs = [torus, simulate_singles::<u64>(&listed, 3, mode, &mut unwatched())];
    runs.map(|run| run.expect("a run").map(|end| end.outcome))
}

#[test]
fn both_loops_give_the_same() {
    let laws = ["exponential:10", "constant:10", "uniform:5,15", "erlang:3,10", "hyperexponential:0.25,4,12"];
    for (case, (width, height)) in [(1, 1), (1, 2), (2, 2), (3, 5), (16, 16), (9, 31)].into_iter().enumerate() {
        for (number, law) in laws.into_iter().enumerate() {
            let each = Station::new("s", law.parse().expect("a law")).tokens(1 + number as u32 % 3);
            let network = Network::generate(&Topology::Torus { width, height }, &each, 0.0).expect("sizes");
            let window = [0.0, 1.0, 2.5][(case + number) % 3];
            let warmup = if number % 2 == 0 { 0.0 } else { 70.0 };
            let network = network.window(window).until(300.0).warmup(warmup).seed(case as u64);
            let [torus, singles] = both(network);
            let what = format!("{width} x {height}, {law}, window {window}");
            assert_eq!(torus.outcome.first_difference(&singles.outcome), None, "{what}");
            assert_eq!((torus.outcome, torus.events), (singles.outcome, singles.events), "{what}");
        }
    }
}

#[test]
fn a_changed_record_is_caught() {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(2);
    let [mut torus, singles] =
        both(Network::generate(&Topology::Torus { width: 4, height: 5 }, &each, 0.0).expect("sizes"));
    torus.outcome.stations.facilities[7].busy += 1;
    let difference = torus.outcome.first_difference(&singles.outcome).expect("a difference");
    assert_eq!(difference.field, "busy");
}

/// 5000 tokens pass 2^32 token-units in 900,000 units, before a single wait has ended, and waits add up to more later.
#[test]
fn sums_pass_64_bits() {
    let each = Station::new("s", "constant:1e6".parse().expect("a law")).tokens(5000);
    for (until, waits) in [(9e8, true), (9e5, false)] {
        let network = Network::generate(&Topology::Torus { width: 1, height: 1 }, &each, 0.0).expect("sizes");
        let [torus, singles] = both(network.until(until));
        assert_eq!(torus.outcome, singles.outcome);
        let record = torus.outcome.stations.facilities[0];
        assert_eq!(record.presence, (5000 * until as u128) << 32);
        assert_eq!(record.waiting > u64::MAX.into(), waits, "{record:?}");
    }
}

/// On a torus whose edges are computed and on one in lists, in turn.
#[test]
fn a_torus_goes_on_in_lists_and_back() {
    for (warmup, tokens) in [(0.0, 1), (0.0, 3), (70.0, 2)] {
        let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(tokens);
        let network = Network::generate(&Topology::Torus { width: 9, height: 7 }, &each, 0.0).expect("sizes");
        let model = network.until(300.0).warmup(warmup).check().expect("a model");
        let torus = model.torus().expect("a torus");
        let expected =
            simulate(&model, torus, 3, RunMode::whole(false), &mut unwatched()).expect("a run").outcome.outcome;
        let (mut clock, mut state, mut before, mut parts) = (Time::ZERO, None::<State>, None::<NetworkOutcome>, 0);
        let found = loop {
            let begins = NetworkModel { warmup: model.warmup().max(clock), ..model.clone() };
            let mut stop = |_: &tickless_core::run::Progress| std::ops::ControlFlow::Break(());
            let mode = RunMode::restartable(state.as_ref());
            let run = match parts % 2 {
                0 => simulate(&begins, torus, 3, mode, &mut stop),
                _ => simulate_singles::<u64>(&begins.in_lists().expect("a small torus"), 3, mode, &mut stop),
            };
            let run = run.expect("a run");
            let mut outcome = run.outcome.outcome;
            if let Some(before) = before.take() {
                outcome = outcome.behind(&before, clock, model.warmup());
            }
            parts += 1;
            let Some(next) = run.outcome.state else { break outcome };
            (clock, state, before) = (run.clock, Some(next), Some(outcome));
        };
        assert_eq!(expected.first_difference(&found), None, "warm-up {warmup}, {tokens} tokens");
        assert!(found == expected && parts > 10, "warm-up {warmup}, {tokens} tokens, {parts} parts");
    }
}

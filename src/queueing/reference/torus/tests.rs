//! The loop of a torus against that of stations of one server, which reads its edges from lists.

use super::*;
use crate::queueing::reference::simulate_singles;
use crate::queueing::{Network, Station, Topology};
use crate::run::unwatched;

fn both(network: Network) -> [Run<NetworkOutcome, NetworkDetails>; 2] {
    let model = network.check().expect("a model");
    let torus = model.torus().expect("a torus");
    let listed = model.in_lists().expect("a small torus");
    let runs = [simulate(&model, torus, 3, &mut unwatched()), simulate_singles::<u64>(&listed, 3, &mut unwatched())];
    runs.map(|run| run.expect("a run"))
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

#[test]
fn sums_that_overflow_are_named() {
    let each = Station::new("s", "constant:1e6".parse().expect("a law")).tokens(5000);
    let model = |until| {
        let network = Network::generate(&Topology::Torus { width: 1, height: 1 }, &each, 0.0).expect("sizes");
        network.until(until).check().expect("a model")
    };
    // 5000 tokens for 900,000 units pass 2^32 units before a single wait has ended.
    for (until, named) in [(9e8, "sum of waiting times"), (9e5, "time integral of the number present")] {
        let model = model(until);
        let error = simulate(&model, model.torus().expect("a torus"), 0, &mut unwatched()).expect_err("a fault");
        assert!(matches!(error, QueueingError::Overflow { sum, facility: 0 } if sum == named), "{error}");
    }
}

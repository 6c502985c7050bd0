//! A torus written as a network is the torus: the same streams, the same visits, the same records.

use super::*;
use tickless::device::Target;
use tickless::queueing::network::{Network, Station, StationId};
use tickless::queueing::{self, Torus, TorusModel};

fn network(torus: &TorusModel, window: f64, until: f64, warmup: f64) -> Network {
    let mut network = Network::new().window(window).until(until).warmup(warmup).seed(torus.seed());
    let station = |id: u32| Station::new(format!("s{id}"), torus.service()).tokens(torus.tokens_each());
    let ids: Vec<StationId> = (0..torus.facilities()).map(|id| network.station(station(id))).collect();
    for (id, from) in ids.iter().enumerate() {
        for direction in 0..4 {
            network.route(*from, ids[torus.neighbour(id as u32, direction) as usize], 0.25, 0.0);
        }
    }
    network
}

#[test]
fn every_record_is_the_same() {
    let laws = ["exponential:10", "constant:10", "uniform:5,15", "erlang:3,10", "hyperexponential:0.25,4,12"];
    for (case, (width, height)) in [(1, 1), (1, 2), (2, 2), (3, 5), (16, 16), (9, 31)].into_iter().enumerate() {
        for (number, service) in laws.into_iter().enumerate() {
            let (window, until) = ([0.0, 1.0, 2.5][(case + number) % 3], 300.0);
            let warmup = if number % 2 == 0 { 0.0 } else { 77.0 };
            let torus = Torus::new(width, height).tokens(1 + number as u32 % 3).service(law(service)).window(window);
            let torus = torus.until(until).warmup(warmup).seed(case as u64).check().expect("a torus");
            let expected =
                queueing::run(&torus, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
            let found = run(network(&torus, window, until, warmup)).outcome;
            let what = format!("{width} x {height}, {service}, window {window}");
            if let Some(difference) = expected.first_difference(&found.stations) {
                panic!("{what}: {difference}");
            }
            assert_eq!(expected.digest(), found.stations.digest(), "{what}");
            assert_eq!(found.tokens(), u64::from(torus.tokens()), "{what}");
        }
    }
}

/// The comparison is sharp: another probability, another order of routes or another seed shows.
#[test]
fn a_changed_network_is_another() {
    let torus = Torus::new(5, 4).tokens(2).window(1.0).until(200.0).check().expect("a torus");
    let expected =
        queueing::run(&torus, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome.digest();
    let right = network(&torus, 1.0, 200.0, 0.0);
    assert_eq!(run(right.clone()).outcome.stations.digest(), expected);
    for other in [right.clone().seed(2), right.clone().window(1.1), right.until(199.0)] {
        assert_ne!(run(other).outcome.stations.digest(), expected);
    }
}

//! A torus whose edges are computed is the network whose edges are listed: the same streams, visits and records.

use super::*;
use tickless::device::Target;
use tickless::queueing::{self, Destination, Network, Station, StationId, Topology};

fn computed(width: u32, height: u32, tokens: u32, service: &str) -> Network {
    let each = Station::new("s", law(service)).tokens(tokens);
    Network::generate(&Topology::Torus { width, height }, &each, 0.0).expect("sizes")
}

/// The same, with every station and route written down.
fn listed(torus: &Network, stations: u32, tokens: u32, service: &str) -> Network {
    let mut network = Network::new();
    let station = |id: u32| Station::new(format!("s{id}"), law(service)).tokens(tokens);
    let ids: Vec<StationId> = (0..stations).map(|id| network.station(station(id))).collect();
    for (from, to, probability, delay) in torus.routes() {
        let Destination::Station(to) = to else { panic!("a torus is closed") };
        network.route(ids[from.index() as usize], ids[to.index() as usize], probability, delay);
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
            let tokens = 1 + number as u32 % 3;
            let torus = computed(width, height, tokens, service);
            let listed = listed(&torus, width * height, tokens, service);
            let with = |network: Network| model(network.window(window).until(until).warmup(warmup).seed(case as u64));
            let runs = [torus, listed].map(|network| {
                let run = queueing::run(&with(network), 2..4, Target::Heap, Default::default(), &mut unwatched());
                run.expect("a run")
            });
            let what = format!("{width} x {height}, {service}, window {window}");
            let [expected, found] = runs.each_ref().map(|run| &run.outcome[..]);
            assert_eq!(queueing::first_difference(expected, found), None, "{what}");
            assert_eq!(queueing::combined_digest(expected), queueing::combined_digest(found), "{what}");
            assert!(expected == found && runs[0].events == runs[1].events, "{what}");
            assert_eq!(found[0].tokens(), u64::from(width * height * tokens), "{what}");
        }
    }
}

/// What a torus cannot compute it lists: distributions, approximate time, several servers, and what is added to it.
#[test]
fn what_is_listed_is_the_same_network() {
    let names =
        |model: &NetworkModel| (0..model.stations()).map(|id| model.station_name(id).into_owned()).collect::<Vec<_>>();
    let torus = computed(5, 4, 2, "exponential:10");
    let plain = model(torus.clone());
    let expected = simulate(&plain, &mut unwatched()).expect("a run").outcome;
    let observed = model(torus.clone().distributions(tickless::queueing::Observed::All));
    assert_eq!(names(&plain), names(&observed));
    for model in [&plain, &observed] {
        let places = names(model).iter().map(|name| model.station_named(name)).collect::<Option<Vec<u32>>>();
        assert_eq!(places, Some((0..20).collect()));
        assert_eq!(["s20", "s07", "s", "t1", ""].map(|name| model.station_named(name)), [None; 5]);
    }
    let found = simulate(&observed, &mut unwatched()).expect("a run").outcome;
    assert_eq!(expected.stations, found.stations);
    assert_eq!(found.distributions.expect("recorded").stations.len(), 20);
    let errors = run(torus.clone().approximate(0.5)).outcome.causality_errors;
    assert_eq!(errors.len(), 20);
    // A station that tokens of the torus never reach, with one of its own.
    let mut larger = torus;
    let other = larger.station(Station::new("other", law("constant:10")).tokens(1));
    assert_eq!(other.index(), 20);
    larger.route(other, other, 1.0, 0.0);
    assert_eq!(larger.routes().len(), 81);
    let larger = run(larger).outcome;
    assert_eq!(expected.stations.facilities[..], larger.stations.facilities[..20]);
    assert_eq!(larger.stations.facilities[20].completions, 9);
}

/// The comparison is sharp: another seed, window or horizon shows.
#[test]
fn a_changed_network_is_another() {
    let torus = computed(5, 4, 2, "exponential:10").window(1.0).until(200.0);
    let expected = run(torus.clone()).outcome.digest();
    for other in [torus.clone().seed(2), torus.clone().window(1.1), torus.until(199.0)] {
        assert_ne!(run(other).outcome.digest(), expected);
    }
}

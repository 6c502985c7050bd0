//! What comes in is there, has left or was lost: in every network.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tickless::queueing::{Network, Source, Station};

#[test]
fn tokens_are_conserved() {
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let station = (1..4_u32, prop::option::of(1..6_u32), 0..3_u32, 0.5..8.0_f64, any::<bool>());
    let stations = prop::collection::vec(station, 1..8);
    let edges = prop::collection::vec((0..8_usize, 0..9_usize, 0.0..3.0_f64), 0..20);
    let times = (0.0..0.8_f64, prop::option::of(0.01..5.0_f64));
    let parameters = (stations, edges, 0.5..10.0_f64, times, any::<u64>());
    runner
        .run(&parameters, |(stations, edges, interval, (warmup, approximate), seed)| {
            let mut network = Network::new().until(120.0).warmup(120.0 * warmup).seed(seed);
            network = approximate.into_iter().fold(network, Network::approximate);
            let mut ids = vec![];
            for (place, (servers, room, tokens, mean, constant)) in stations.iter().enumerate() {
                let name = if *constant { "constant" } else { "exponential" };
                // Whole times make ties.
                let mean = if *constant { mean.ceil() } else { *mean };
                let station = Station::new(format!("s{place}"), law(&format!("{name}:{mean}"))).servers(*servers);
                let station = match room {
                    Some(room) => station.capacity(servers + room).tokens((*tokens).min(servers + room)),
                    None => station.tokens(*tokens),
                };
                ids.push(network.station(station));
            }
            let exit = network.sink("exit");
            for (place, id) in ids.iter().enumerate() {
                // A ring, so that every station is reached, and edges of the case's own.
                let own: Vec<_> = edges.iter().filter(|(from, ..)| *from == place).collect();
                let share = 1.0 / (own.len() + 1) as f64;
                network.route(*id, ids[(place + 1) % ids.len()], share, 0.0);
                for (_, to, delay) in own {
                    match ids.get(*to) {
                        Some(to) => network.route(*id, *to, share, delay.floor()),
                        None => network.route(*id, exit, share, *delay),
                    }
                }
            }
            network.source(Source::new("in", law(&format!("exponential:{interval}")), ids[0]));
            let outcome = run(network).outcome;
            let figures = outcome.stations.statistics();
            let came = outcome.tokens_before + outcome.sources.iter().sum::<u64>();
            let left = outcome.sinks.iter().map(|sink| sink.tokens).sum::<u64>() + figures.losses;
            prop_assert_eq!(came - left, outcome.tokens());
            for record in &outcome.stations.facilities {
                prop_assert!(record.completions <= record.starts + 3 && record.busy <= record.presence);
            }
            Ok(())
        })
        .expect("every network keeps its tokens");
}

/// What a closed network loses before the counting is what it lacks then. One server and several are other simulators.
#[test]
fn losses_before_the_counting_are_known() {
    for (servers, warmup) in [(1, 50.0), (2, 50.0), (1, 0.0)] {
        let mut network = Network::new().until(100.0).warmup(warmup);
        let many = network.station(Station::new("many", law("constant:1")).servers(servers).tokens(12));
        let few = network.station(Station::new("few", law("exponential:9")).capacity(4));
        network.route(many, few, 1.0, 0.0);
        network.route(few, many, 1.0, 0.0);
        let outcome = run(network).outcome;
        let lost = outcome.stations.statistics().losses;
        assert_eq!(outcome.lost_before, 12 - outcome.tokens_before, "{servers} servers, warm-up {warmup}");
        assert_eq!(lost + outcome.lost_before + outcome.tokens(), 12);
        assert_eq!(outcome.lost_before > 0, warmup > 0.0);
        assert!(lost + outcome.lost_before >= 6, "{lost}");
    }
}

/// One changed value anywhere is found, and changes the digest.
#[test]
fn a_changed_value_is_caught() {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("exponential:2")).servers(3).tokens(4));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.route(desk, exit, 0.5, 0.0);
    network.route(desk, desk, 0.5, 1.5);
    let right = run(network).outcome;
    assert_eq!(right.first_difference(&right), None);
    type Change = fn(&mut tickless::queueing::NetworkOutcome);
    let changes: [(&str, Change); 7] = [
        ("waiting", |o| o.stations.facilities[0].waiting ^= 1),
        ("sources[0]", |o| o.sources[0] += 1),
        ("sinks[0].tokens", |o| o.sinks[0].tokens += 1),
        ("sinks[0].from_sources", |o| o.sinks[0].from_sources += 1),
        ("sinks[0].sojourn", |o| o.sinks[0].sojourn += 1),
        ("sinks[0].sojourn (high)", |o| o.sinks[0].sojourn += 1 << 64),
        ("in_transit", |o| o.in_transit += 1),
    ];
    for (field, change) in changes {
        let mut wrong = right.clone();
        change(&mut wrong);
        assert_eq!(right.first_difference(&wrong).expect(field).field, field);
        assert_ne!(right.digest(), wrong.digest(), "{field}");
    }
}

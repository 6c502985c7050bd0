//! Routing by work, by free servers and by visits.

use super::theory::{assert_figure, mean_present};
use super::*;
use tickless::queueing::{Routing, Source, Station};

/// A gate that tokens come to with rate 1, and two desks with room for three and four behind it; the second serves half as fast.
fn desks(routing: Routing) -> Network {
    let mut network = Network::new().warmup(500.0).until(5_500.0);
    let gate = network.station(Station::new("gate", law("constant:1e-6")).infinite_servers().routing(routing));
    let first = network.station(Station::new("first", law("exponential:1")).capacity(3));
    let second = network.station(Station::new("second", law("exponential:2")).capacity(4));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), gate));
    for desk in [first, second] {
        network.route(gate, desk, 1.0, 0.0);
        network.route(desk, exit, 1.0, 0.0);
    }
    network
}

/// The mean numbers at the desks where an arrival that finds so many goes to the first one, by the chain of both numbers.
fn present(to_first: impl Fn(usize, usize) -> bool) -> [f64; 2] {
    let mut chances = [[0.05; 5]; 4];
    for _ in 0..10_000 {
        let mut next = chances;
        for (a, row) in chances.iter().enumerate() {
            for (b, chance) in row.iter().enumerate() {
                let mut flow = |to: (usize, usize), rate: f64| {
                    next[a][b] -= 0.2 * rate * chance;
                    next[to.0][to.1] += 0.2 * rate * chance;
                };
                // Who finds no room is lost.
                flow(if to_first(a, b) { ((a + 1).min(3), b) } else { (a, (b + 1).min(4)) }, 1.0);
                flow((a.saturating_sub(1), b), 1.0);
                flow((a, b.saturating_sub(1)), 0.5);
            }
        }
        chances = next;
    }
    let all = || chances.iter().enumerate().flat_map(|(a, row)| row.iter().enumerate().map(move |(b, p)| (a, b, p)));
    [all().map(|(a, _, p)| a as f64 * p).sum(), all().map(|(_, b, p)| b as f64 * p).sum()]
}

#[test]
fn routing_by_work_and_by_free_servers() {
    let work = present(|a, b| a <= 2 * b);
    let free = present(|a, b| a == 0 || (b > 0 && (a < 3 || b == 4)));
    for (routing, expected) in [(Routing::LeastWork, work), (Routing::FirstFree, free)] {
        let network = desks(routing);
        assert_figure(&network, "at the first", expected[0], |outcome| mean_present(outcome, 1));
        assert_figure(&network, "at the second", expected[1], |outcome| mean_present(outcome, 2));
    }
}

/// Two wards of three and six beds: a patient goes where fewest wait, or most beds are free. The number of patients is that of the chain of
/// both numbers, which is 10.79 where free beds do not count.
#[test]
fn routing_by_those_who_wait() {
    let mut network = Network::new().warmup(500.0).until(12_500.0);
    let gate = Station::new("gate", law("constant:1e-6")).infinite_servers().routing(Routing::ShortestLine);
    let gate = network.station(gate);
    let wards = [("first", 3), ("second", 6)]
        .map(|(name, beds)| network.station(Station::new(name, law("exponential:1")).servers(beds)));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:0.1333333333333"), gate));
    for ward in wards {
        network.route(gate, ward, 1.0, 0.0);
        network.route(ward, exit, 1.0, 0.0);
    }
    assert_figure(&network, "in both", 10.318_203, |outcome| mean_present(outcome, 1) + mean_present(outcome, 2));
}

/// A plan of visits: a, b, a, c, a and out, for each token by itself.
#[test]
fn routing_by_visits() {
    let mut network = Network::new().until(100.0);
    let a = network.station(Station::new("a", law("constant:1")).infinite_servers().routing(Routing::ByVisit));
    let [b, c] = [("b", 10), ("c", 5)]
        .map(|(name, time)| network.station(Station::new(name, law(&format!("constant:{time}"))).infinite_servers()));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:2"), a).limit(20));
    network.route(a, b, 1.0, 0.0);
    network.route(a, c, 1.0, 0.0);
    network.route(a, exit, 1.0, 0.0);
    network.route(b, a, 1.0, 0.0);
    network.route(c, a, 1.0, 0.0);
    let outcome = run(network.clone()).outcome;
    let completions = outcome.stations.facilities.iter().map(|station| station.completions).collect::<Vec<_>>();
    assert_eq!((completions, outcome.sinks[0].sojourn >> 32), (vec![60, 20, 20], 20 * 18));
    // Each is told as it is written, and one that looks at stations has no sink.
    for (text, routing) in [
        ("least-work", Routing::LeastWork),
        ("first-free", Routing::FirstFree),
        ("by-visit", Routing::ByVisit),
        ("shortest-line", Routing::ShortestLine),
    ] {
        assert_eq!((text.parse(), routing.to_string()), (Ok(routing), text.to_owned()));
    }
    let mut network = Network::new();
    let desk = Station::new("desk", law("constant:1")).tokens(1).routing(Routing::LeastWork);
    let desk = network.station(desk);
    let exit = network.sink("exit");
    network.route(desk, exit, 1.0, 0.0);
    let said = network.check().expect_err("a sink").to_string();
    assert!(said.contains("the destination is sink 'exit'; it must be a station"), "{said}");
}

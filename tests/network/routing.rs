//! Routing by what stations hold and by visits; sources that choose; places for those that find no room.

use super::theory::{assert_figure, mean_present};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Routing, Source, Station, StationId};

/// Two desks with room for three and four; the second serves half as fast. Tokens come with rate 1, to a gate in front of them or, without
/// one, from a source that chooses itself.
fn desks(routing: Routing, has_gate: bool) -> Network {
    let mut network = Network::new().warmup(500.0).until(5_500.0);
    let first = network.station(Station::new("first", law("exponential:1")).capacity(3));
    let second = network.station(Station::new("second", law("exponential:2")).capacity(4));
    let exit = network.sink("exit");
    if has_gate {
        let gate = network.station(Station::new("gate", law("constant:1e-6")).infinite_servers().routing(routing));
        network.source(Source::new("in", law("exponential:1"), gate));
        [first, second].iter().for_each(|desk| network.route(gate, *desk, 1.0, 0.0));
    } else {
        network.source(Source::new("in", law("exponential:1"), first).or_to(vec![second], routing));
    }
    [first, second].iter().for_each(|desk| network.route(*desk, exit, 1.0, 0.0));
    network
}

/// The mean numbers at the desks by the chain of both numbers, where an arrival changes so many to so many.
fn present(arrives: impl Fn(usize, usize) -> (usize, usize)) -> [f64; 2] {
    let mut chances = [[0.05; 5]; 4];
    for _ in 0..10_000 {
        let mut next = chances;
        for (a, row) in chances.iter().enumerate() {
            for (b, chance) in row.iter().enumerate() {
                let mut flow = |to: (usize, usize), rate: f64| {
                    next[a][b] -= 0.2 * rate * chance;
                    next[to.0][to.1] += 0.2 * rate * chance;
                };
                flow(arrives(a, b), 1.0);
                flow((a.saturating_sub(1), b), 1.0);
                flow((a, b.saturating_sub(1)), 0.5);
            }
        }
        chances = next;
    }
    let all = || chances.iter().enumerate().flat_map(|(a, row)| row.iter().enumerate().map(move |(b, p)| (a, b, p)));
    [all().map(|(a, _, p)| a as f64 * p).sum(), all().map(|(_, b, p)| b as f64 * p).sum()]
}

/// Where those that a rule sends to the first desk go there, and the others to the second; who finds no room is lost.
fn chosen(to_first: impl Fn(usize, usize) -> bool) -> [f64; 2] {
    present(|a, b| if to_first(a, b) { ((a + 1).min(3), b) } else { (a, (b + 1).min(4)) })
}

fn assert_present(network: &Network, what: &str, expected: [f64; 2]) {
    for (desk, expected) in expected.into_iter().enumerate() {
        assert_figure(network, &format!("{what}, desk {desk}"), expected, |outcome| mean_present(outcome, desk));
    }
}

#[test]
fn routing_by_what_desks_hold() {
    let waiting = |a: usize, b: usize| a.saturating_sub(1) <= b.saturating_sub(1);
    for (routing, expected) in [
        (Routing::LeastWork, chosen(|a, b| a <= 2 * b)),
        (Routing::FirstFree, chosen(|a, b| a == 0 || (b > 0 && (a < 3 || b == 4)))),
        (Routing::FewestWaiting, chosen(waiting)),
        // There is one class.
        (Routing::ShortestOfClass, chosen(|a, b| a <= b)),
        (Routing::ShortestResponse, chosen(|a, b| a < 2 * (b + 1))),
    ] {
        for has_gate in [false, true] {
            assert_present(&desks(routing, has_gate), &format!("{routing}, gate: {has_gate}"), expected);
        }
    }
    let digest = |routing| run(desks(routing, false)).outcome.digest();
    assert_ne!(digest(Routing::FewestWaiting), digest(Routing::ShortestQueue));
    assert_ne!(digest(Routing::ShortestResponse), digest(Routing::LeastWork));
}

/// Who finds no room at the first desk goes to the second: the overflow of Erlang's model, by the chain of both numbers.
#[test]
fn who_finds_no_room_goes_elsewhere() {
    let mut network = Network::new().warmup(500.0).until(5_500.0);
    let second = network.later(1);
    let first = network.station(Station::new("first", law("exponential:1")).capacity(3).full_to(second));
    network.station(Station::new("second", law("exponential:2")).capacity(4));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), first));
    [first, second].iter().for_each(|desk| network.route(*desk, exit, 1.0, 0.0));
    let expected = present(|a, b| if a < 3 { (a + 1, b) } else { (a, (b + 1).min(4)) });
    assert_figure(&network, "at the first", expected[0], |outcome| mean_present(outcome, 0));
    let network = network.warmup(0.0).until(100_000.0);
    let outcome = run(network).outcome;
    assert!((mean_present(&outcome, 1) - expected[1]).abs() < 0.05 * expected[1], "{}", mean_present(&outcome, 1));
    // They are lost at the first desk, and come to the second.
    let [one, other] = [0, 1].map(|desk| outcome.stations.facilities[desk]);
    assert_eq!((one.losses, one.arrivals), (other.arrivals, outcome.sources[0]));
    assert_eq!(outcome.sources[0], outcome.sinks[0].tokens + other.losses + outcome.tokens());
    let mut wrong = outcome.clone();
    wrong.stations.facilities[0].losses += 1;
    assert_eq!(outcome.first_difference(&wrong).expect("a difference").field, "losses");
    assert_ne!(outcome.digest(), wrong.digest());
}

/// Batches of two, one token after the other to the next desk, or each by a draw of its own.
#[test]
fn sources_send_by_turns_and_by_chance() {
    let network = |routing| {
        let mut network = Network::new().until(1_000.5);
        let ids = ["a", "b", "c"].map(|name| {
            network.station(Station::new(name, law("constant:1")).infinite_servers().routing(Routing::Random))
        });
        let exit = network.sink("exit");
        let source = Source::new("in", law("constant:1"), ids[0]).batch(vec![0.0, 1.0]);
        // Named twice.
        network.source(source.or_to(vec![ids[1], ids[2], ids[0]], routing));
        ids.iter().for_each(|id| network.route(*id, exit, 1.0, 0.0));
        network
    };
    let arrivals =
        |routing| run(network(routing)).outcome.stations.facilities.iter().map(|of| of.arrivals).collect::<Vec<_>>();
    assert_eq!(arrivals(Routing::RoundRobin), [1000, 500, 500]);
    let by_chance = arrivals(Routing::Random);
    assert!(by_chance.iter().sum::<u64>() == 2000 && (900..1100).contains(&by_chance[0]), "{by_chance:?}");
}

/// A desk for each class, beside one that is shared: the class that a token is of there counts.
#[test]
fn routing_by_class() {
    let mut network = Network::new().until(3.5);
    let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
    let crowd = |of| ClassOfStation::new(of).tokens(2);
    // Two of y at the first, one of x at the second, none of which ends a service.
    let first = network.station(Station::new("first", law("constant:100")).class(crowd(y)));
    let second = network.station(Station::new("second", law("constant:100")).tokens(1));
    let exit = network.sink("exit");
    for class in [x, y] {
        let source = Source::new(format!("of {}", class.index()), law("constant:1"), first).class(class).limit(1);
        network.source(source.or_to(vec![second], Routing::ShortestOfClass));
    }
    [first, second].iter().for_each(|desk| network.route(*desk, exit, 1.0, 0.0));
    let outcome = run(network).outcome;
    let arrivals: Vec<_> = outcome.classes.iter().map(|class| class.record.arrivals).collect();
    assert_eq!(arrivals, [1, 0, 0, 1]);
}

#[test]
fn what_does_not_go_together_is_named() {
    let network = |change: &dyn Fn(Source, StationId) -> Source, station: &dyn Fn(Station) -> Station| {
        let mut network = Network::new();
        let desk = network.station(station(Station::new("desk", law("constant:1"))));
        let exit = network.sink("exit");
        network.source(change(Source::new("in", law("constant:1"), desk), desk));
        network.route(desk, exit, 1.0, 0.0);
        network.check().map(|_| ()).expect_err("a refusal").to_string()
    };
    let same = |station: Station| station;
    let said = network(&|source, desk| source.or_to(vec![desk], Routing::Fork), &same);
    assert!(said.contains("source 'in': the routing is fork; it must be another one"), "{said}");
    let said = network(&|source, _| source.or_to(vec![], Routing::ShortestQueue), &same);
    assert!(said.contains("the routing is shortest-queue; it must be left out"), "{said}");
    let unchanged = |source: Source, _| source;
    let away = Network::new().sink("away");
    let said = network(&unchanged, &|station| station.capacity(2).full_to(away));
    assert!(said.contains("another network"), "{said}");
    let said = network(&unchanged, &|station| {
        let exit = Network::new().later(0);
        station.full_to(exit)
    });
    assert!(said.contains("another network"), "{said}");
}

/// Two full desks send each other's tokens round in a circle.
#[test]
fn a_circle_of_full_stations_ends_the_run() {
    let mut network = Network::new().until(10.0);
    let second = network.later(1);
    let desk = |name: &str, to: StationId| Station::new(name, law("constant:100")).capacity(1).full_to(to);
    let first = network.later(0);
    network.station(desk("first", second));
    network.station(desk("second", first));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), first));
    [first, second].iter().for_each(|desk| network.route(*desk, exit, 1.0, 0.0));
    let said = simulate(&model(network), &mut unwatched()).map(|_| ()).expect_err("a circle").to_string();
    assert!(
        said.contains("have balked or found no room at one instant") && said.contains("(balks_to, full_to)"),
        "{said}"
    );
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
        ("fewest-waiting", Routing::FewestWaiting),
        ("shortest-of-class", Routing::ShortestOfClass),
        ("shortest-response", Routing::ShortestResponse),
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

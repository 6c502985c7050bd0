//! Repetitive service, as a Markov chain has it, and deadlocks that are resolved.

use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Destination, Repetition, Route, Source, Station};

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

/// The second token of a desk is called when the first one leaves. It waits for the room of a token that has waited for the desk's own:
/// nobody waits for ever.
#[test]
fn who_stops_a_service_may_be_let_in_by_the_same_event() {
    let mut network = Network::new().until(10.5);
    let [a, b, c] = ["a", "b", "c"].map(|name| network.class(Class::new(name)));
    let of = |class, tokens| ClassOfStation::new(class).tokens(tokens);
    let desk = Station::new("desk", law("constant:1")).capacity(2).blocking().class(of(a, 1)).class(of(b, 1));
    let desk = network.station(desk);
    let room = Station::new("room", law("constant:0.5")).capacity(1).blocking_before().class(of(c, 1));
    let room = network.station(room);
    let exit = network.sink("exit");
    for (class, from, to) in [(a, desk, exit.into()), (b, desk, Destination::from(room)), (c, room, desk.into())] {
        network.add_route(Route::new(from, to).class(class));
    }
    for (class, from) in [(c, desk), (a, room), (b, room)] {
        network.add_route(Route::new(from, exit).class(class));
    }
    let outcome = run(network).outcome;
    // All are served; b from 1 to 2 and to 2.5, c until 3.
    assert_eq!(outcome.stations.facilities.iter().map(|station| station.completions).sum::<u64>(), 5);
    assert_eq!(outcome.sinks[0].tokens, 3);
}

/// A token that keeps its route is served again and again for that, whatever its further draws would need.
#[test]
fn a_repeated_service_needs_room_where_it_goes() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..16 {
        let mut network = Network::new().seed(seed).until(40.5);
        let desk = network.station(Station::new("desk", law("constant:1")).tokens(1));
        let full = |name| Station::new(name, law("constant:1000")).capacity(1).tokens(1);
        let same = network.station(full("same").repeating(Repetition::SameDestination));
        let fed = network.station(full("fed").blocking_before());
        let exit = network.sink("exit");
        for (from, to) in [(desk, same), (desk, fed)] {
            network.route(from, to, 0.5, 0.0);
        }
        [same, fed].into_iter().for_each(|from| network.route(from, exit, 1.0, 0.0));
        seen.insert(run(network).outcome.stations.facilities[0].completions);
    }
    // Its first draw decides: it waits for the whole time, or is served all the time.
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 40]);
}

/// A token has taken its unit and its server, and waits for room. Its server fails, and there is room: it takes the unit once more with
/// the next server, having given it back.
#[test]
fn who_has_lost_its_server_takes_its_units_again() {
    let mut network = Network::new().until(20.0);
    let unit = network.resource("unit", 1);
    let desk = Station::new("desk", law("constant:1")).failures(law("constant:5"), law("constant:3"));
    let desk = network.station(desk.seizes(unit, 1).releases(unit, 1).tokens(1));
    let fed = network.station(Station::new("fed", law("constant:6")).capacity(1).blocking_before().tokens(1));
    let exit = network.sink("exit");
    network.route(desk, fed, 1.0, 0.0);
    network.route(fed, exit, 1.0, 0.0);
    // The server fails at 5, there is room at 6, the server serves from 8 to 9, and the token is at the exit at 15.
    let outcome = run(network).outcome;
    assert_eq!((outcome.sinks[0].tokens, outcome.resources[0].in_use, outcome.resources[0].grants), (2, 0, 2));
}

/// A station blocks in one way.
#[test]
fn kinds_of_blocking_exclude_each_other() {
    let station = || Station::new("desk", law("constant:1")).capacity(1).blocking_before();
    for both in [station().exchanging(), station().repeating(Repetition::SameDestination)] {
        let mut network = Network::new();
        let desk = network.station(both);
        network.route(desk, desk, 1.0, 0.0);
        let error = network.check().expect_err("two kinds").to_string();
        assert!(error.contains("desk") && error.contains("one of blocking before the service"), "{error}");
    }
}

/// Services stop while there is no room: two feeders of a station with room for two, as a Markov chain has it, and by hand.
#[test]
fn blocking_before_service() {
    let mut network = Network::new().warmup(500.0).until(7_500.0);
    let feeders = [("one", 1.0), ("other", 2.0)]
        .map(|(name, time)| network.station(Station::new(name, law(&format!("exponential:{time}"))).capacity(2)));
    let b = network.station(Station::new("b", law("exponential:1.25")).capacity(2).blocking_before());
    let exit = network.sink("exit");
    for (number, feeder) in feeders.into_iter().enumerate() {
        network.source(Source::new(format!("in {number}"), law("exponential:2"), feeder));
        network.route(feeder, b, 1.0, 0.0);
    }
    network.route(b, exit, 1.0, 0.0);
    // States: tokens at each of the three.
    let mut chances = [[[1.0 / 27.0; 3]; 3]; 3];
    for _ in 0..5_000 {
        let mut next = chances;
        for (x, y, z) in (0..27).map(|place| (place / 9, place / 3 % 3, place % 3)) {
            let mut flow = |(a, b, c): (usize, usize, usize), rate: f64| {
                let moved = 0.2 * rate * chances[x][y][z];
                next[x][y][z] -= moved;
                next[a][b][c] += moved;
            };
            flow(((x + 1).min(2), y, z), 0.5);
            flow((x, (y + 1).min(2), z), 0.5);
            if x > 0 && z < 2 {
                flow((x - 1, y, z + 1), 1.0);
            }
            if y > 0 && z < 2 {
                flow((x, y - 1, z + 1), 0.5);
            }
            if z > 0 {
                flow((x, y, z - 1), 0.8);
            }
        }
        chances = next;
    }
    let mean = |of: &dyn Fn(usize) -> usize| -> f64 {
        (0..27).map(|place| of(place) as f64 * chances[place / 9][place / 3 % 3][place % 3]).sum()
    };
    assert_figure(&network, "at the other", mean(&|place| place / 3 % 3), |outcome| mean_present(outcome, 1));
    assert_figure(&network, "at b", mean(&|place| place % 3), |outcome| mean_present(outcome, 2));
    // By hand: b serves from 0 to 10. A service of 4 begins at 10, stops from 11 to 21 for that of the other, which begins at 10 and is
    // of 1, and ends at 24; b is idle from 21 on.
    let mut network = Network::new().until(24.5);
    let station = |name: &str, time: u32| Station::new(name, law(&format!("constant:{time}"))).tokens(1);
    let [long, short] = [("long", 4), ("short", 1)].map(|(name, time)| network.station(station(name, time)));
    let b = network.station(station("b", 10).capacity(1).blocking_before());
    let exit = network.sink("exit");
    for (from, to) in [(long, b), (short, b)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(b, exit, 1.0, 0.0);
    let outcome = run(network).outcome;
    let [long, short, b] = [0, 1, 2].map(|id| outcome.classes[id]);
    assert_eq!([long, short, b].map(|one| one.record.completions), [1, 1, 2]);
    assert_eq!((long.record.busy, short.record.busy, b.record.arrivals), (4 * UNIT, UNIT, 2));
    assert_eq!((long.blocked, short.blocked, long.preemptions), (20 * UNIT, 10 * UNIT, 0));
    assert_eq!((long.record.presence, short.record.presence), (24 * UNIT, 11 * UNIT));
}

/// Each of two is served only while there is room at the other, where there is none.
#[test]
fn deadlocks_before_the_service_are_named() {
    let mut network = Network::new().until(100.0);
    let [a, b] = ["a", "b"]
        .map(|name| network.station(Station::new(name, law("constant:1")).capacity(1).blocking_before().tokens(1)));
    network.route(a, b, 1.0, 0.0);
    network.route(b, a, 1.0, 0.0);
    match simulate(&model(network.clone()), &mut unwatched()).map(|_| ()) {
        Err(QueueingError::Deadlock { cycle, .. }) => assert!(["a -> b -> a", "b -> a -> b"].contains(&cycle.as_str())),
        other => panic!("{other:?}"),
    }
    let shared = Station::new("c", law("constant:1")).tokens(1).discipline(tickless::queueing::Discipline::Sharing);
    let c = network.station(shared);
    network.route(c, b, 1.0, 0.0);
    let said = network.check().expect_err("shared servers").to_string();
    assert!(said.contains("'c': the destination is station 'b'; it must be one that does not block before"), "{said}");
}

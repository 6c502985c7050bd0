//! What holds tokens beside what changes the pace of servers, against Markov chains: units, blocking and room by class; set-up times, vacations,
//! failures by use, speeds and weights.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, Repetition, Route, Source, Station};

fn busy(station: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| units(outcome.stations.facilities[station].busy) / outcome.stations.measured()
}

/// What the server of a station is at that seizes a unit with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Server {
    Off,
    /// It sets up, or is away.
    Gone,
    /// It waits beside its tokens for a unit.
    On,
    Serves,
}

/// Tokens at the station and at another one which the unit goes to first, whether that one has it, and the server.
type Shared = (u32, u32, bool, Server);

/// Who gets the unit, and what the server does then.
fn settle((a, b, mut taken, mut server): Shared, sets_up: bool) -> Shared {
    let is_free = !taken && server != Server::Serves;
    if is_free && b > 0 {
        taken = true;
    } else if is_free && a > 0 && server == Server::On {
        server = Server::Serves;
    }
    server = match server {
        Server::On if a == 0 && sets_up => Server::Off,
        Server::On if a == 0 => Server::Gone,
        Server::Off if a > 0 => Server::Gone,
        other => other,
    };
    (a, b, taken, server)
}

/// A server that is on waits for units beside its tokens; it is off, or away, where there are none.
#[test]
fn servers_set_up_and_go_away_where_units_are_seized() {
    for sets_up in [true, false] {
        let mut network = Network::new().warmup(200.0).until(3_200.0);
        let [low, high] =
            [("low", 1), ("high", 0)].map(|(name, level)| network.class(Class::new(name).priority(level)));
        let unit = network.resource("unit", 1);
        let station = |name: &str, room: u32| {
            Station::new(name, law("exponential:1")).capacity(room).seizes(unit, 1).releases(unit, 1)
        };
        let a = if sets_up {
            station("a", 3).setup(law("exponential:0.8"))
        } else {
            station("a", 3).vacations(law("exponential:0.8"))
        };
        let (a, b) = (network.station(a), network.station(station("b", 2)));
        let exit = network.sink("exit");
        for (name, to, class, interval) in [("in a", a, low, "exponential:2"), ("in b", b, high, "exponential:4")] {
            network.source(Source::new(name, law(interval), to).class(class));
            network.route(to, exit, 1.0, 0.0);
        }
        let first = (0, 0, false, if sets_up { Server::Off } else { Server::Gone });
        let chain = Chain::new(first, |(a, b, taken, server): Shared| {
            let mut moves = vec![];
            if a < 3 {
                moves.push(((a + 1, b, taken, server), 0.5));
            }
            if b < 2 {
                moves.push(((a, b + 1, taken, server), 0.25));
            }
            match server {
                Server::Gone => moves.push(((a, b, taken, Server::On), 1.0 / 0.8)),
                Server::Serves => moves.push(((a - 1, b, taken, Server::On), 1.0)),
                Server::On | Server::Off => {}
            }
            if taken {
                moves.push(((a, b - 1, false, server), 1.0));
            }
            moves.into_iter().map(|(state, rate)| (settle(state, sets_up), rate)).collect()
        });
        let held =
            |outcome: &NetworkOutcome| outcome.resources[0].held as f64 / UNIT as f64 / outcome.stations.measured();
        let in_use = chain.share(|(_, _, taken, server)| taken || server == Server::Serves);
        assert_figures(
            &network,
            &[
                ("at a", chain.mean(|(a, ..)| a.into()), &|outcome| mean_present(outcome, 0)),
                ("at b", chain.mean(|(_, b, ..)| b.into()), &|outcome| mean_present(outcome, 1)),
                ("a serves", chain.share(|(.., server)| server == Server::Serves), &busy(0)),
                ("in use", in_use, &held),
            ],
        );
    }
}

fn speed(present: u32) -> f64 {
    if present == 1 { 1.0 } else { 2.0 }
}

/// A server with speeds that fails by use is held before its services, while there is no room behind it.
#[test]
fn speeds_and_failures_by_use_before_a_station_that_blocks() {
    let mut network = Network::new().warmup(200.0).until(3_200.0);
    let a = Station::new("a", law("exponential:1")).capacity(3).speeds(vec![1.0, 2.0]);
    let a = network.station(a.failures_by_use(law("exponential:4"), law("exponential:1")));
    let b = network.station(Station::new("b", law("exponential:1.25")).capacity(2).blocking_before());
    let exit = network.sink("exit");
    network.source(Source::new("in a", law("exponential:1.25"), a));
    network.source(Source::new("in b", law("exponential:2.5"), b));
    network.route(a, b, 1.0, 0.0);
    network.route(b, exit, 1.0, 0.0);
    let serves = |(a, b, works): (u32, u32, bool)| works && a > 0 && b < 2;
    let chain = Chain::new((0_u32, 0_u32, true), |state| {
        let (a, b, works) = state;
        let mut moves = vec![((a, b.saturating_sub(1), works), if b > 0 { 0.8 } else { 0.0 })];
        if a < 3 {
            moves.push(((a + 1, b, works), 0.8));
        }
        if b < 2 {
            moves.push(((a, b + 1, works), 0.4));
        }
        if serves(state) {
            moves.extend([((a - 1, b + 1, works), speed(a)), ((a, b, false), 0.25)]);
        }
        if !works {
            moves.push(((a, b, true), 1.0));
        }
        moves.retain(|(to, rate)| *rate > 0.0 && *to != state);
        moves
    });
    let held = |outcome: &NetworkOutcome| units(outcome.classes[0].blocked) / outcome.stations.measured();
    assert_figures(
        &network,
        &[
            ("at a", chain.mean(|(a, ..)| a.into()), &|outcome| mean_present(outcome, 0)),
            ("at b", chain.mean(|(_, b, _)| b.into()), &|outcome| mean_present(outcome, 1)),
            ("a serves", chain.share(serves), &busy(0)),
            // A server that is out of order holds nobody.
            ("a is held", chain.share(|(a, b, works)| works && a > 0 && b == 2), &held),
        ],
    );
}

/// A server with speeds that fails by use serves again who finds no room.
#[test]
fn speeds_and_failures_by_use_where_services_are_repeated() {
    let mut network = Network::new().warmup(200.0).until(3_200.0);
    let a = Station::new("a", law("exponential:1")).capacity(3).speeds(vec![1.0, 2.0]);
    let a = network.station(a.failures_by_use(law("exponential:4"), law("exponential:1")));
    let b = Station::new("b", law("exponential:4")).capacity(1).repeating(Repetition::SameDestination);
    let b = network.station(b);
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:2"), a));
    network.route(a, b, 0.5, 0.0);
    network.route(a, exit, 0.5, 0.0);
    network.route(b, exit, 1.0, 0.0);
    // Tokens at a and b, whether the one in service is to go to b, and whether the server works.
    let chain = Chain::new((0_u32, 0_u32, false, true), |(a, b, kept, works)| {
        let mut moves = vec![];
        if a < 3 {
            moves.push(((a + 1, b, kept, works), 0.5));
        }
        if b > 0 {
            moves.push(((a, 0, kept, works), 0.25));
        }
        if !works {
            moves.push(((a, b, kept, true), 1.0));
        } else if a > 0 {
            moves.push(((a, b, kept, false), 0.25));
            let half = 0.5 * speed(a);
            match (b, kept) {
                (1, true) => {}
                (_, true) => moves.push(((a - 1, 1, false, works), 2.0 * half)),
                (0, _) => moves.extend([((a - 1, 0, false, works), half), ((a - 1, 1, false, works), half)]),
                _ => moves.extend([((a - 1, 1, false, works), half), ((a, 1, true, works), half)]),
            }
        }
        moves
    });
    assert_figures(
        &network,
        &[
            ("at a", chain.mean(|(a, ..)| a.into()), &|outcome| mean_present(outcome, 0)),
            ("at b", chain.mean(|(_, b, ..)| b.into()), &|outcome| mean_present(outcome, 1)),
            ("a serves", chain.share(|(a, _, _, works)| works && a > 0), &busy(0)),
        ],
    );
    // Each service is one, and takes as long as its server.
    let at_a = run(network).outcome.stations.facilities[0];
    assert!(
        at_a.starts > at_a.arrivals - at_a.losses + 100 && (at_a.service as f64 / at_a.busy as f64 - 1.0).abs() < 0.01
    );
}

/// A station where all share by weights has three places, and one for the second class: who has no room keeps its server elsewhere.
#[test]
fn room_by_class_where_tokens_wait_for_it() {
    let mut network = Network::new().warmup(200.0).until(3_200.0);
    let [raw, plain, heavy] = ["raw", "plain", "heavy"].map(|name| network.class(Class::new(name)));
    let a = network.station(Station::new("a", law("exponential:1")).capacity(4));
    let b = Station::new("b", law("exponential:1.2")).capacity(3).blocking().discipline(Discipline::Sharing);
    let b = network.station(b.class(ClassOfStation::new(heavy).capacity(1).weight(3.0)));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1.25"), a).class(raw));
    network.add_route(Route::new(a, b).probability(0.6).becomes(plain));
    network.add_route(Route::new(a, b).probability(0.4).becomes(heavy));
    network.route(b, exit, 1.0, 0.0);
    // Tokens at a, plain and heavy ones at b, and which of both a holds.
    type State = (u32, [u32; 2], Option<usize>);
    let enter = |(a, b, held): State| match held {
        Some(class) if b[0] + b[1] < 3 && (class == 0 || b[1] == 0) => {
            let mut b = b;
            b[class] += 1;
            (a - 1, b, None)
        }
        _ => (a, b, held),
    };
    let chain = Chain::new((0, [0, 0], None), |(a, b, held): State| {
        let mut moves = vec![];
        if a < 4 {
            moves.push(((a + 1, b, held), 0.8));
        }
        if a > 0 && held.is_none() {
            moves.extend([(enter((a, b, Some(0))), 0.6), (enter((a, b, Some(1))), 0.4)]);
        }
        let all = f64::from(b[0] + 3 * b[1]);
        for (class, weight) in [(0, 1.0), (1, 3.0)] {
            if b[class] > 0 {
                let mut left = b;
                left[class] -= 1;
                moves.push((enter((a, left, held)), weight * f64::from(b[class]) / all / 1.2));
            }
        }
        moves
    });
    let of_class =
        |class: usize| move |o: &NetworkOutcome| units(o.classes[3 + class].record.presence) / o.stations.measured();
    let held = |outcome: &NetworkOutcome| units(outcome.classes[0].blocked) / outcome.stations.measured();
    assert_figures(
        &network,
        &[
            ("at a", chain.mean(|(a, ..)| a.into()), &|outcome| mean_present(outcome, 0)),
            ("plain", chain.mean(|(_, b, _)| b[0].into()), &of_class(1)),
            ("heavy", chain.mean(|(_, b, _)| b[1].into()), &of_class(2)),
            ("a is held", chain.share(|(.., held)| held.is_some()), &held),
        ],
    );
}

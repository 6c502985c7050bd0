//! Groups of servers behind one line: by hand, against Markov chains, and what is refused.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassId, ClassOfStation, Discipline, ServerGroup, Shifts, Source, Station, StationId};

/// A station and a way out of the network.
fn desk(network: &mut Network, station: Station) -> StationId {
    let desk = network.station(station);
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    desk
}

/// Mean waiting time of a class at the first station.
fn waits(class: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| units(outcome.classes[class].record.waiting) / outcome.classes[class].record.starts as f64
}

/// Servers of a group that are taken, in the mean over time.
fn taken(group: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| units(outcome.groups[group].busy) / outcome.stations.measured()
}

/// A fast and a slow server, and patience: the chain of both and of the line.
#[test]
fn a_fast_and_a_slow_server_share_a_line() {
    let (arrivals, fast, slow, patience) = (1.2, 1.0, 0.6, 0.25);
    let chain = Chain::new((0, false, false), |(line, a, b): (u32, bool, bool)| {
        let come = match (a, b) {
            (false, _) => (line, true, b),
            (_, false) => (line, a, true),
            _ => ((line + 1).min(80), a, b),
        };
        let next = |a, b| if line > 0 { (line - 1, true, true) } else { (line, a, b) };
        let mut moves = vec![(come, arrivals), ((line.saturating_sub(1), a, b), f64::from(line) * patience)];
        moves.extend(a.then(|| (next(false, b), fast)));
        moves.extend(b.then(|| (next(a, false), slow)));
        moves.retain(|(to, rate)| *to != (line, a, b) && *rate > 0.0);
        moves
    });
    let mut network = Network::new().warmup(200.0).until(40_200.0);
    let station = Station::new("desk", law("exponential:1")).patience(law("exponential:4"), None);
    let station = station.group(ServerGroup::new("fast", 1)).group(ServerGroup::new("slow", 1).factor(1.0 / slow));
    let to = desk(&mut network, station);
    network.source(Source::new("in", law("exponential:0.8333333333333"), to));
    let busy = |of: fn(&(u32, bool, bool)) -> bool| chain.share(move |state| of(&state));
    assert_figures(
        &network,
        &[
            ("present", chain.mean(|(line, a, b)| f64::from(line + u32::from(a) + u32::from(b))), &|one| {
                mean_present(one, 0)
            }),
            ("fast", busy(|state| state.1), &taken(0)),
            ("slow", busy(|state| state.2), &taken(1)),
        ],
    );
}

/// Two classes, servers of one of them and servers of both that prefer the other (an N design).
fn n_design() -> Network {
    let mut network = Network::new().warmup(200.0).until(20_200.0);
    let [sales, support] = ["sales", "support"].map(|name| network.class(Class::new(name)));
    let station = Station::new("desk", law("exponential:1"));
    let station = station.group(ServerGroup::new("sales agents", 3).serves(vec![sales]));
    let to = desk(&mut network, station.group(ServerGroup::new("both", 2).serves(vec![support, sales])));
    for (name, class, mean) in [("a", sales, "0.454545454545"), ("b", support, "0.833333333333")] {
        network.source(Source::new(name, law(&format!("exponential:{mean}")), to).class(class));
    }
    network
}

/// The chain of both lines and of the servers: a free server never stands beside a token that it serves.
#[test]
fn servers_of_two_skills_serve_the_class_that_they_prefer() {
    let (sales, support) = (2.2, 1.2);
    // Tokens of sales and of support in line, and taken servers of one class and of both.
    type State = (u32, u32, u32, u32);
    let chain = Chain::new((0, 0, 0, 0), |(s, t, a, b): State| {
        let of_sales = match (a, b) {
            (..3, _) => (s, t, a + 1, b),
            (_, ..2) => (s, t, a, b + 1),
            _ => ((s + 1).min(60), t, a, b),
        };
        let of_support = if b < 2 { (s, t, a, b + 1) } else { (s, (t + 1).min(60), a, b) };
        let end_a = if s > 0 { (s - 1, t, a, b) } else { (s, t, a.saturating_sub(1), b) };
        let end_b = match (s, t) {
            (_, 1..) => (s, t - 1, a, b),
            (1.., _) => (s - 1, t, a, b),
            _ => (s, t, a, b.saturating_sub(1)),
        };
        let all = [(of_sales, sales), (of_support, support), (end_a, f64::from(a)), (end_b, f64::from(b))];
        all.into_iter().filter(|(to, rate)| *to != (s, t, a, b) && *rate > 0.0).collect()
    });
    let wait = |of: fn(State) -> u32, rate: f64| chain.mean(|state| f64::from(of(state))) / rate;
    let (first, other) = (wait(|state| state.0, sales), wait(|state| state.1, support));
    // What an independent program has for this network.
    assert!((first - 0.21497).abs() < 1e-4 && (other - 0.78836).abs() < 1e-4, "{first} {other}");
    assert_figures(
        &n_design(),
        &[
            ("wait of sales", first, &waits(0)),
            ("wait of support", other, &waits(1)),
            ("taken of both", chain.mean(|state| f64::from(state.3)), &taken(1)),
        ],
    );
}

/// Where a token of one group is held by a full station behind it, the other group goes on: the chain of a line with room for two, a server of
/// each group, and one place behind them.
#[test]
fn held_tokens_hold_servers_of_their_group() {
    // Whether a server is free, serves, or holds its token; and which of two that are held was first.
    const FREE: u8 = 0;
    const SERVES: u8 = 1;
    const HOLDS: u8 = 2;
    type State = (u32, u8, u8, bool, bool);
    fn next((line, a, b, behind, b_first): State) -> State {
        match (line, a, b) {
            (1.., FREE, _) => (line - 1, SERVES, b, behind, b_first),
            (1.., _, FREE) => (line - 1, a, SERVES, behind, b_first),
            _ => (line, a, b, behind, b_first),
        }
    }
    let chain = Chain::new((0, FREE, FREE, false, false), |(line, a, b, behind, b_first): State| {
        let mut moves = vec![];
        if line + u32::from(a != FREE) + u32::from(b != FREE) < 4 {
            moves.push((next((line + 1, a, b, behind, b_first)), 0.9));
        }
        if a == SERVES {
            let held = (line, HOLDS, b, true, b == HOLDS);
            moves.push((if behind { held } else { next((line, FREE, b, true, false)) }, 1.0));
        }
        if b == SERVES {
            let held = (line, a, HOLDS, true, a != HOLDS);
            moves.push((if behind { held } else { next((line, a, FREE, true, false)) }, 0.5));
        }
        if behind {
            let gone = match (a, b) {
                (HOLDS, HOLDS) if b_first => next((line, a, FREE, true, false)),
                (HOLDS, _) => next((line, FREE, b, true, b == HOLDS)),
                (_, HOLDS) => next((line, a, FREE, true, false)),
                _ => (line, a, b, false, false),
            };
            moves.push((gone, 0.8));
        }
        moves
    });
    let mut network = Network::new().warmup(200.0).until(40_200.0);
    let station = Station::new("ward", law("exponential:1")).capacity(4);
    let station = station.group(ServerGroup::new("a", 1)).group(ServerGroup::new("b", 1).service(law("exponential:2")));
    let ward = network.station(station);
    let behind = desk(&mut network, Station::new("behind", law("exponential:1.25")).capacity(1).blocking());
    network.route(ward, behind, 1.0, 0.0);
    network.source(Source::new("in", law("exponential:1.111111111111"), ward));
    let taken_of = |state: u8| f64::from(u8::from(state != FREE));
    assert_figures(
        &network,
        &[
            ("line", chain.mean(|(line, ..)| f64::from(line)), &|one| {
                mean_present(one, 0) - taken(0)(one) - taken(1)(one)
            }),
            ("taken of a", chain.mean(|state| taken_of(state.1)), &taken(0)),
            ("taken of b", chain.mean(|state| taken_of(state.2)), &taken(1)),
        ],
    );
}

/// Who takes whom, by hand: a token takes the group that prefers its class, a server the class that it prefers.
#[test]
fn groups_take_whom_they_prefer() {
    let mut network = Network::new().until(100.0);
    let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
    let station = Station::new("desk", law("constant:4"));
    let station = station.group(ServerGroup::new("of y", 1).serves(vec![y, x]));
    let station = station.group(ServerGroup::new("of x", 1).serves(vec![x, y]).service_of(y, law("constant:10")));
    let to = desk(&mut network, station);
    // x at 1, 2 and 3, y at 2.5: x takes its group at 1, the other one at 2. At 5 the first is free and takes x of 3, at 6 the other takes y.
    network.source(Source::new("xs", law("constant:1"), to).class(x).limit(3));
    network.source(Source::new("ys", law("constant:2.5"), to).class(y).limit(1));
    let outcome = run(network).outcome;
    let busy: Vec<u128> = outcome.groups.iter().map(|group| group.busy / UNIT).collect();
    assert_eq!(busy, [8, 8]);
    assert_eq!([&outcome.groups[0].tokens[..], &outcome.groups[1].tokens], [[1, 1], [2, 0]]);
    let waited = |class: ClassId| outcome.classes[class.index() as usize].record.waiting;
    assert_eq!((waited(x), waited(y)), (2 * UNIT, 3 * UNIT + UNIT / 2));
}

/// A group that takes the first in line serves by priority, then by arrival, and last come first where the station has it so.
#[test]
fn groups_take_who_is_first_in_line() {
    let of = |discipline, priority| {
        let mut network = Network::new().until(100.0);
        let x = network.class(Class::new("x").priority(1));
        let y = network.class(Class::new("y").priority(priority));
        let both = ServerGroup::new("both", 1).serves(vec![y, x]).first_in_line();
        let station = Station::new("desk", law("constant:4")).discipline(discipline).group(both);
        let of_y = ClassOfStation::new(y).tokens(1);
        let to = desk(&mut network, station.class(of_y));
        network.source(Source::new("xs", law("constant:1"), to).class(x).limit(2));
        network.source(Source::new("ys", law("constant:1.5"), to).class(y).limit(1));
        let outcome = run(network).outcome;
        [0, 1].map(|class| outcome.classes[class].record.waiting / (UNIT / 2))
    };
    // From 4 on: x of 1, y of 1.5, x of 2.
    assert_eq!(of(Discipline::FirstCome, 1), [2 * (3 + 10), 13]);
    // x of 2, y, x of 1.
    assert_eq!(of(Discipline::LastCome, 1), [2 * (2 + 11), 13]);
    // y first.
    assert_eq!(of(Discipline::FirstCome, 0), [2 * (7 + 10), 5]);
}

/// Servers of a group come and go by its shifts, and serve to the end.
#[test]
fn groups_have_shifts_of_their_own() {
    let mut network = Network::new().until(20.0);
    let station = Station::new("desk", law("constant:4"));
    let station =
        station.group(ServerGroup::new("day", 1).shifts(Shifts::new(vec![(0.0, 0), (3.0, 2), (5.0, 0)]).every(10.0)));
    let station = station.group(ServerGroup::new("night", 1).shifts(Shifts::new(vec![(0.0, 1), (3.0, 0)])));
    let to = desk(&mut network, station);
    network.source(Source::new("in", law("constant:1"), to).limit(5));
    let outcome = run(network).outcome;
    // At 1 by night until 5; of 2 and 3 by day from 3 to 7; of 4 and 5 from 13 to 17.
    assert_eq!(outcome.groups.iter().map(|group| group.busy / UNIT).collect::<Vec<_>>(), [16, 4]);
    assert_eq!(outcome.stations.facilities[0].waiting / UNIT, 1 + 9 + 8);
}

/// One changed number of a group is a difference, and another digest.
#[test]
fn a_changed_record_of_a_group_is_caught() {
    let outcome = run(n_design().until(300.0)).outcome;
    let mut other = outcome.clone();
    other.groups[1].tokens[0] += 1;
    assert_ne!(outcome.digest(), other.digest());
    let difference = outcome.first_difference(&other).expect("a difference");
    assert_eq!(difference.field, "groups[1].tokens[0]");
}

#[test]
fn what_does_not_go_with_groups_is_refused() {
    let refused = |change: &dyn Fn(&mut Network, Station, [ClassId; 2]) -> Station| {
        let mut network = Network::new();
        let classes = ["x", "y"].map(|name| network.class(Class::new(name)));
        let station = Station::new("desk", law("exponential:1"));
        let station = change(&mut network, station, classes);
        let to = desk(&mut network, station);
        for class in classes {
            let name = format!("in {}", class.index());
            network.source(Source::new(name, law("exponential:3"), to).class(class));
        }
        network.check().expect_err("a fault").to_string()
    };
    let all = || ServerGroup::new("all", 2);
    for (said, change) in [
        (
            "the number of groups of servers that serve a class that comes there is 0; it must be 1 or more: class 'y' would",
            &(|_: &mut Network, station: Station, [x, _]: [ClassId; 2]| station.group(all().serves(vec![x])))
                as &dyn Fn(&mut Network, Station, [ClassId; 2]) -> Station,
        ),
        ("once in the list", &|_, station, [x, _]| station.group(all().serves(vec![x, x]))),
        ("a class with a law is y; it must be one that the group serves", &|_, station, [x, y]| {
            station.group(all()).group(ServerGroup::new("x", 1).serves(vec![x]).service_of(y, law("constant:1")))
        }),
        ("station 'desk', group 'all': the factor is 0; it must be from 2^-10 to 2^10", &|_, station, _| {
            station.group(all().factor(0.0))
        }),
        ("group 'none': the number of servers is 0", &|_, station, _| station.group(ServerGroup::new("none", 0))),
        ("another name", &|_, station, _| station.group(all()).group(all())),
        ("the number of servers is 3; it must be left out", &|_, station, _| station.group(all()).servers(3)),
        ("of all groups is 4294967297; it must be at most", &|_, station, _| {
            station.group(all()).group(ServerGroup::new("many", u32::MAX))
        }),
        ("the number of groups of servers is 65; it must be at most 64", &|_, station, _| {
            (0..65).fold(station, |station, number| station.group(ServerGroup::new(format!("g{number}"), 1)))
        }),
        ("the discipline is siro; it must be fcfs or lcfs", &|_, station, _| {
            station.group(all()).discipline(Discipline::Random)
        }),
        ("the law of failures is given; it must be left out", &|_, station, _| {
            station.group(all()).failures(law("constant:1"), law("constant:1"))
        }),
        ("what the station seizes is given", &|network, station, _| {
            let unit = network.resource("unit", 1);
            station.group(all()).seizes(unit, 1)
        }),
        ("the end of a shift is interrupt", &|_, station, _| {
            station.group(all().shifts(Shifts::new(vec![(0.0, 1)]).interrupting()))
        }),
    ] {
        let found = refused(change);
        assert!(found.contains(said), "{found}");
    }
}

/// Whether a token waits for ever for another one is not asked of servers that may still come.
#[test]
fn groups_with_shifts_stand_before_no_station_that_blocks() {
    let mut network = Network::new();
    let group = ServerGroup::new("day", 1).shifts(Shifts::new(vec![(0.0, 1), (5.0, 2)]));
    let ward = network.station(Station::new("ward", law("constant:1")).group(group));
    let behind = desk(&mut network, Station::new("behind", law("constant:1")).capacity(1).blocking());
    network.route(ward, behind, 1.0, 0.0);
    network.source(Source::new("in", law("constant:3"), ward));
    let said = network.check().expect_err("a fault").to_string();
    assert!(
        said.contains("the shifts of a group is given; it must be left out, as tokens there may be blocked"),
        "{said}"
    );
}

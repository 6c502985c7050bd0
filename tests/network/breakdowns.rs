//! Groups of servers that fail: by hand and against Markov chains.

use super::chain::Chain;
use super::multiclass_devices::{FORMS, compare};
use super::theory::{assert_figures, units};
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Discipline, Polling, ServerGroup, Shifts, Source, Station};

/// A station where one group fails, of so many servers, and one server does not.
fn mill(count: u32, group: impl Fn(ServerGroup) -> ServerGroup) -> Network {
    let mut network = Network::new().warmup(500.0).until(60_500.0);
    let station = Station::new("mill", law("exponential:1")).group(group(ServerGroup::new("old", count)));
    let mill = network.station(station.group(ServerGroup::new("new", 1).service(law("exponential:2"))));
    let out = network.sink("out");
    network.route(mill, out, 1.0, 0.0);
    network.source(Source::new("in", law("exponential:1.3"), mill));
    network
}

/// Who waits in line; how many the group that fails serves, and has begun to serve; its servers in order; whether the other one serves.
type State = (u32, u32, u32, u32, bool);

/// The chain of [`mill`], with these rates at which a server fails and is repaired.
fn chain(count: u32, [fails, repaired]: [f64; 2]) -> Chain<State> {
    // A free server takes who has been interrupted, and then the first in line.
    let filled = |(mut line, mut serves, mut begun, servers, mut other): State| -> State {
        while serves < servers && begun + line > 0 {
            if begun > 0 {
                begun -= 1
            } else {
                line -= 1
            }
            serves += 1;
        }
        if !other && line > 0 {
            (line, other) = (line - 1, true);
        }
        (line, serves, begun, servers, other)
    };
    Chain::new((0, 0, 0, count, false), move |(line, serves, begun, servers, other): State| {
        let mut moves = vec![(filled(((line + 1).min(60), serves, begun, servers, other)), 1.0 / 1.3)];
        if serves > 0 {
            moves.push((filled((line, serves - 1, begun, servers, other)), f64::from(serves)));
        }
        if other {
            moves.push((filled((line, serves, begun, servers, false)), 0.5));
        }
        if servers > 0 {
            let stops = u32::from(serves == servers);
            moves.push(((line, serves - stops, begun + stops, servers - 1, other), f64::from(servers) * fails));
        }
        if servers < count {
            moves.push((filled((line, serves, begun, servers + 1, other)), f64::from(count - servers) * repaired));
        }
        moves.retain(|(to, _)| *to != (line, serves, begun, servers, other));
        moves
    })
}

#[test]
fn a_group_fails_as_its_chain() {
    for (count, rates) in [(1, [0.1, 0.25]), (2, [0.2, 0.25])] {
        let chain = chain(count, rates);
        let network = mill(count, |group| {
            let [up, down] = rates.map(|rate| law(&format!("exponential:{}", 1.0 / rate)));
            group.failures(up, down)
        });
        let wait = |outcome: &NetworkOutcome| {
            let record = outcome.stations.facilities[0];
            units(record.waiting) / record.starts as f64
        };
        let busy = |group: usize| {
            move |outcome: &NetworkOutcome| units(outcome.groups[group].busy) / outcome.stations.measured()
        };
        let down = |outcome: &NetworkOutcome| units(outcome.down[0]) / outcome.stations.measured();
        assert_figures(
            &network,
            &[
                ("wait", chain.mean(|(line, _, begun, ..)| f64::from(line + begun)) * 1.3, &wait),
                ("busy of those that fail", chain.mean(|(_, serves, ..)| f64::from(serves)), &busy(0)),
                ("busy of the other", chain.share(|(.., other)| other), &busy(1)),
                ("down", chain.mean(|(_, _, _, servers, _)| f64::from(count - servers)), &down),
            ],
        );
    }
}

/// Its one server is out of order from 3 to 5, from 8 to 10 and so forth: what it has begun goes on before who has come first, and its tokens count once.
#[test]
fn a_service_goes_on_with_its_group() {
    let mut network = Network::new().until(30.0);
    let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name).priority(u32::from(name == "y"))));
    let old = ServerGroup::new("old", 1).failures(law("constant:3"), law("constant:2"));
    let desk = network.station(Station::new("desk", law("constant:2")).group(old));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("ys", law("constant:2"), desk).class(y).limit(1));
    network.source(Source::new("xs", law("constant:2.5"), desk).class(x).limit(1));
    let outcome = run(network).outcome;
    // y from 2 to 3 and from 5 to 6; x, which has priority, from 6 to 8.
    let waiting = [x, y].map(|class| outcome.classes[class.index() as usize].record.waiting * 2 / UNIT);
    assert_eq!(waiting, [7, 4]);
    assert_eq!((outcome.groups[0].busy * 2 / UNIT, &*outcome.groups[0].tokens), (8, &[1, 1][..]));
    assert_eq!(outcome.classes[1].preemptions, 1);
    // From 3 to 5, 8 to 10, 13 to 15, ..., 28 to 30.
    assert_eq!(outcome.down[0] / UNIT, 12);
}

/// At a full station whose only server is out of order, or off its shift, tokens that wait elsewhere do not wait for ever.
#[test]
fn a_repair_makes_room() {
    let of = |group: ServerGroup| {
        let mut network = Network::new().until(40.0);
        let first = network.station(Station::new("first", law("constant:1")));
        let mill = network.station(Station::new("mill", law("constant:1")).group(group).capacity(1).blocking());
        let out = network.sink("out");
        network.route(first, mill, 1.0, 0.0);
        network.route(mill, out, 1.0, 0.0);
        network.source(Source::new("in", law("constant:1"), first).limit(4));
        run(network).outcome.sinks[0].tokens
    };
    assert_eq!(of(ServerGroup::new("old", 1).failures(law("constant:2"), law("constant:3"))), 4);
    assert_eq!(of(ServerGroup::new("late", 1).shifts(Shifts::new(vec![(0.0, 0), (9.0, 1)]))), 4);
}

/// Two priorities, the last to come first: who is interrupted by one group may be of both.
fn of_priorities() -> Network {
    let mut network = Network::new().warmup(20.0).until(300.0);
    let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name).priority(u32::from(name == "y"))));
    let old = ServerGroup::new("old", 3).failures(law("exponential:3"), law("uniform:0.5,3")).serves(vec![y, x]);
    let station = Station::new("desk", law("exponential:2")).discipline(Discipline::LastCome);
    let desk = network.station(station.group(old).group(ServerGroup::new("new", 1).first_in_line()));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    for (class, name) in [(x, "xs"), (y, "ys")] {
        network.source(Source::new(name, law("exponential:1.8"), desk).class(class));
    }
    network
}

#[test]
fn failures_of_groups_are_the_same_on_devices() {
    let failing = |group: ServerGroup| group.failures(law("exponential:4"), law("uniform:0.5,3"));
    let shifts = Shifts::new(vec![(0.0, 2), (6.0, 1), (9.0, 3)]).every(11.0);
    let changing = |group: ServerGroup| failing(group).shifts(shifts.clone()).factor(1.25);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        for (what, network) in
            [("failing", mill(2, failing)), ("changing", mill(1, changing)), ("priorities", of_priorities())]
        {
            compare(device.as_ref(), &model(network.until(300.0).warmup(20.0)), 0..6, &format!("{form}: {what}"));
        }
    }
}

#[test]
fn what_does_not_fail_is_refused() {
    let refused = |station: &dyn Fn(Station, ServerGroup) -> Station, blocks: bool| {
        let mut network = Network::new();
        let group = ServerGroup::new("old", 1).failures(law("exponential:4"), law("constant:1"));
        let desk = network.station(station(Station::new("desk", law("exponential:1")), group));
        let next = Station::new("next", law("exponential:1")).capacity(2);
        let next = network.station(if blocks { next.blocking() } else { next });
        let out = network.sink("out");
        network.route(desk, next, 1.0, 0.0);
        network.route(next, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    type Case<'a> = (&'a str, &'a dyn Fn(Station, ServerGroup) -> Station, bool);
    let all: [Case<'_>; 4] = [
        ("left out, as tokens there may find no room behind it", &|station, group| station.group(group), true),
        (
            "left out, as a group of the station serves several tokens at once, or goes round",
            &|station, group| station.group(group).group(ServerGroup::new("oven", 1).batch_most(2)),
            false,
        ),
        (
            "left out, as a group of the station serves several tokens at once, or goes round",
            &|station, group| station.group(group.polling(Polling::Gated)),
            false,
        ),
        (
            "false, as servers fail there",
            &|station, group| station.group(group).patience(law("constant:3"), None).patience_runs_on(),
            false,
        ),
    ];
    for (said, station, blocks) in all {
        let found = refused(station, blocks);
        assert!(found.contains(said), "{found}");
    }
}

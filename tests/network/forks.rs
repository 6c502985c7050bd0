//! Tokens that split, and siblings that wait for each other.

use super::theory::assert_figure;
use super::*;
use tickless::queueing::{ForkRecord, NetworkError, Routing, Source, Station};

/// Flatto and Hahn 1984: with two M/M/1 queues of load r side by side the last sibling is back after (12 - r) / 8 of the time of one.
#[test]
fn two_queues_side_by_side() {
    let mut network = Network::new().warmup(500.0).until(8_000.0);
    let instant = |name: &str| Station::new(name, law("constant:1e-6")).infinite_servers();
    let split = network.station(instant("split").routing(Routing::Fork));
    let queues = ["one", "other"].map(|name| network.station(Station::new(name, law("exponential:0.6"))));
    let join = network.station(instant("join").joining());
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), split));
    for queue in queues {
        network.route(split, queue, 1.0, 0.0);
        network.route(queue, join, 1.0, 0.0);
    }
    network.route(join, exit, 1.0, 0.0);
    let response =
        |outcome: &NetworkOutcome| outcome.sinks[0].sojourn as f64 / UNIT as f64 / outcome.sinks[0].tokens as f64;
    assert_figure(&network, "response", (12.0 - 0.6) / 8.0 * 0.6 / 0.4, response);
    let outcome = run(network).outcome;
    let ForkRecord { copies, joined } = outcome.forks.expect("forks");
    let came = outcome.tokens_before + outcome.sources[0] + copies;
    assert_eq!(outcome.tokens(), came - outcome.sinks[0].tokens - joined);
}

/// A token splits in two, and one of them again; all three come to z. The station u serves for so long and leads there, or out.
fn nested(time: u32, joins_u: bool, joins_y: bool) -> Network {
    let mut network = Network::new().until(100.0);
    let tool = network.resource("tool", 1);
    let station = |name: &str, time: u32| Station::new(name, law(&format!("constant:{time}")));
    let first = network.station(station("first", 1).routing(Routing::Fork));
    let x = network.station(station("x", 1).seizes(tool, 1));
    let y = network.station(station("y", 1).routing(Routing::Fork));
    let u = network.station(station("u", time));
    let v = network.station(station("v", 6));
    let z = network.station(station("z", 1).joining().releases(tool, 1));
    let aside = network.sink("aside");
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), first).limit(1));
    for (from, to) in [(first, x), (first, y), (y, u), (y, v), (x, z)] {
        network.route(from, to, 1.0, 0.0);
    }
    if joins_u {
        network.route(u, z, 1.0, 0.0);
    } else {
        network.route(u, aside, 1.0, 0.0);
    }
    if joins_y {
        network.route(v, z, 1.0, 0.0);
    } else {
        let other = network.station(station("other", 1).joining());
        network.route(v, other, 1.0, 0.0);
        network.route(other, exit, 1.0, 0.0);
    }
    network.route(z, exit, 1.0, 0.0);
    network
}

#[test]
fn siblings_of_siblings_by_hand() {
    // x is done at 3, u at 5 and v at 9, and z at 10.
    let outcome = run(nested(2, true, true)).outcome;
    let z = outcome.stations.facilities[5];
    assert_eq!((outcome.sinks[1].tokens, outcome.sinks[1].sojourn >> 32), (1, 9));
    assert_eq!((z.arrivals, z.starts, z.presence >> 32, z.waiting), (3, 1, 6 + 4 + 1, 0));
    assert_eq!(outcome.forks, Some(ForkRecord { copies: 2, joined: 2 }));
    // What x holds is the token's that goes on.
    assert_eq!((outcome.resources[0].held >> 32, outcome.resources[0].in_use), (8, 0));
    // Who leaves is waited for no longer: u at 5, or at 23 when the others are there.
    for (time, left) in [(2, 9), (20, 23)] {
        let outcome = run(nested(time, false, true)).outcome;
        assert_eq!((outcome.sinks[0].tokens, outcome.sinks[1].sojourn >> 32), (1, left));
        assert_eq!((outcome.forks, outcome.tokens()), (Some(ForkRecord { copies: 2, joined: 1 }), 0));
    }
    // Before all are there they are at the station.
    let outcome = run(nested(2, true, true).until(6.0)).outcome;
    assert_eq!((outcome.stations.facilities[5].queued, outcome.tokens()), (2, 3));
}

#[test]
fn joins_that_cannot_be() {
    match simulate(&model(nested(2, true, false)), &mut unwatched()).map(|_| ()) {
        Err(QueueingError::Apart { clock: 9.0, one, other }) => assert_eq!([one, other], ["z", "other"]),
        other => panic!("{other:?}"),
    }
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:1")).tokens(1).joining());
    network.route(desk, desk, 1.0, 0.0);
    let error = network.check().expect_err("nobody splits");
    assert!(matches!(error, NetworkError::Parameter { parameter: "whether it joins", .. }), "{error}");
}

/// Copies of one token are at `join`, two, and in the line of `line` from 3 on, and so services before both stop. At 6 the copy in the line
/// loses its patience: the others are one token, and there is room at both.
pub(super) const STOPPING: &str = "until = 20
[[source]]
name = 'in'
interval = 'constant:1'
limit = 1
to = 'split'
[[station]]
name = 'split'
service = 'constant:1'
routing = 'fork'
[[station]]
name = 'one'
service = 'constant:1'
[[station]]
name = 'two'
service = 'constant:1'
[[station]]
name = 'three'
service = 'constant:1'
[[station]]
name = 'join'
service = 'constant:1'
capacity = 2
full = 'blocks-before'
joins = true
[[station]]
name = 'line'
service = 'constant:100'
tokens = 1
capacity = 2
full = 'blocks-before'
patience = 'constant:3'
[[station]]
name = 'before-join'
service = 'constant:10'
tokens = 1
[[station]]
name = 'before-line'
service = 'constant:10'
tokens = 1
[[sink]]
name = 'out'
[[route]]
from = 'split'
to = 'one'
[[route]]
from = 'split'
to = 'two'
[[route]]
from = 'split'
to = 'three'
[[route]]
from = 'one'
to = 'join'
[[route]]
from = 'two'
to = 'join'
[[route]]
from = 'three'
to = 'line'
[[route]]
from = 'before-join'
to = 'join'
[[route]]
from = 'before-line'
to = 'line'
[[route]]
from = 'join'
to = 'out'
[[route]]
from = 'line'
to = 'out'
";

#[test]
fn services_go_on_where_copies_were() {
    let network = Network::from_toml(STOPPING).expect("a network");
    let outcome = run(network).outcome;
    let blocked: Vec<u128> = outcome.classes.iter().map(|class| class.blocked / UNIT).collect();
    assert_eq!(blocked, [0, 0, 0, 0, 0, 0, 3, 3]);
    assert_eq!([6, 7].map(|place: usize| outcome.stations.facilities[place].completions), [1, 1]);
}

/// A copy of a copy loses its patience in the line of `line` at 12. The others are one token at `join`, where the other copy waits for it,
/// and a token that has waited for the room of `line` since 7 has it.
pub(super) const MAKING_ROOM: &str = "until = 40
[[source]]
name = 'in'
interval = 'constant:1'
limit = 1
to = 'split'
[[station]]
name = 'split'
service = 'constant:1'
routing = 'fork'
[[station]]
name = 'again'
service = 'constant:1'
routing = 'fork'
[[station]]
name = 'one'
service = 'constant:1'
[[station]]
name = 'two'
service = 'constant:1'
[[station]]
name = 'three'
service = 'constant:1'
[[station]]
name = 'join'
service = 'constant:1'
joins = true
[[station]]
name = 'line'
service = 'constant:20'
tokens = 1
capacity = 2
full = 'blocks'
patience = 'constant:8'
[[station]]
name = 'before-line'
service = 'constant:7'
tokens = 1
[[sink]]
name = 'out'
[[route]]
from = 'split'
to = 'again'
[[route]]
from = 'split'
to = 'two'
[[route]]
from = 'again'
to = 'one'
[[route]]
from = 'again'
to = 'three'
[[route]]
from = 'one'
to = 'join'
[[route]]
from = 'two'
to = 'join'
[[route]]
from = 'three'
to = 'line'
[[route]]
from = 'before-line'
to = 'line'
[[route]]
from = 'join'
to = 'out'
[[route]]
from = 'line'
to = 'out'
";

#[test]
fn copies_of_copies_make_room() {
    let outcome = run(Network::from_toml(MAKING_ROOM).expect("a network")).outcome;
    assert_eq!(outcome.classes[7].blocked, 5 * UNIT);
    assert_eq!(outcome.stations.facilities[6].waiting, 8 * UNIT);
}

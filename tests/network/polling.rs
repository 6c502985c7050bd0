//! A server that goes round the lines of several classes: by hand and against Markov chains.

use super::chain::Chain;
use super::theory::assert_figures;
use super::walks::{busy, round, wait};
use super::*;
use tickless::queueing::{Class, Polling, ServerGroup, Source, Station};

/// Lines, with which class the server is, how many more it serves in this turn, and whether it is idle, makes ready, or serves.
type State = (u32, u32, bool, u32, u8);
const IDLE: u8 = 0;
const SWITCHES: u8 = 1;
const SERVES: u8 = 2;
const NO_LIMIT: u32 = 9;

/// The chain of a server that serves up to `most` at a turn.
fn polled(most: u32, rates: [f64; 2], [service, switching]: [f64; 2]) -> Chain<State> {
    let next = move |(x, y, second, left, _): State| -> State {
        let waits = |second: bool| if second { y } else { x };
        let (turn, left, state) = match (left > 0 && waits(second) > 0, waits(!second) > 0, waits(second) > 0) {
            (true, ..) => (second, left, SERVES),
            (_, true, _) => (!second, most, SWITCHES),
            (.., true) => (second, most, SERVES),
            _ => return (x, y, second, left, IDLE),
        };
        // Without a limit it is always the same.
        (x - u32::from(!turn), y - u32::from(turn), turn, if most == NO_LIMIT { left } else { left - 1 }, state)
    };
    Chain::new((0, 0, false, 0, IDLE), move |(x, y, second, left, state): State| {
        let comes = [(x + 1, y), (x, y + 1)].map(|(x, y)| (x.min(28), y.min(28), second, left, state));
        let mut moves = vec![];
        for (to, rate) in comes.into_iter().zip(rates) {
            moves.push((if state == IDLE { next(to) } else { to }, rate));
        }
        match state {
            SWITCHES => moves.push(((x, y, second, left, SERVES), 1.0 / switching)),
            SERVES => moves.push((next((x, y, second, left, state)), 1.0 / service)),
            _ => {}
        }
        moves.retain(|(to, _)| *to != (x, y, second, left, state));
        moves
    })
}

#[test]
fn a_server_goes_round() {
    let rates = [0.45, 0.3];
    for (polling, most) in [(Polling::Limited(2), 2), (Polling::Exhaustive, NO_LIMIT)] {
        let chain = polled(most, rates, [0.8, 0.3]);
        let network =
            round(&rates, "exponential:0.8", |group| group.polling(polling).switching(law("exponential:0.3")));
        assert_figures(
            &network,
            &[
                ("wait of x", chain.mean(|(x, ..)| f64::from(x)) / rates[0], &wait(0)),
                ("wait of y", chain.mean(|(_, y, ..)| f64::from(y)) / rates[1], &wait(1)),
                ("busy", chain.share(|(.., state)| state != IDLE), &busy),
            ],
        );
    }
}

/// With three of each class there at time 0, in which order they are served: the waits of both.
#[test]
fn turns_end_as_they_are_said() {
    let of = |polling: Polling| {
        let mut network = Network::new().until(100.0);
        let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
        let server = ServerGroup::new("server", 1).serves(vec![y, x]).polling(polling).switching(law("constant:0.5"));
        let desk = network.station(Station::new("desk", law("constant:2")).group(server));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        // x at 1, 2, 3 and 4, y at 1.25 and 2.5.
        network.source(Source::new("xs", law("constant:1"), desk).class(x).limit(4));
        network.source(Source::new("ys", law("constant:1.25"), desk).class(y).limit(2));
        let outcome = run(network).outcome;
        [x, y].map(|class| outcome.classes[class.index() as usize].record.waiting * 4 / UNIT)
    };
    // x of 1 from 1 on with 0.5 before it, until 3.5; then x of 2, 3 and 4, until 9.5, and y from there on, with 0.5 before the first.
    assert_eq!(of(Polling::Exhaustive), [6 + 10 + 14, 33 + 38]);
    // One x waits when the server comes: y is next, from 3.5 on, two of them, until 8; then three x.
    assert_eq!(of(Polling::Gated), [24 + 30 + 34, 9 + 14]);
    // One of each in turn, with 0.5 before each.
    assert_eq!(of(Polling::Limited(1)), [16 + 32 + 38, 9 + 24]);
}

#[test]
fn what_does_not_go_round_is_refused() {
    let refused = |group: ServerGroup| {
        let mut network = Network::new();
        let desk = network.station(Station::new("desk", law("exponential:1")).group(group));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let group = |count| ServerGroup::new("server", count);
    for (said, group) in [
        ("the number of servers is 2; it must be 1, as one server goes round", group(2).polling(Polling::Gated)),
        ("the number served at a turn is 0; it must be 1 or more", group(1).polling(Polling::Limited(0))),
        ("the most tokens of a batch is 3; it must be 1", group(1).polling(Polling::Gated).batch_most(3)),
        ("the law of switching times is constant:1; it must be left out", group(1).switching(law("constant:1"))),
    ] {
        let found = refused(group);
        assert!(found.contains(said), "{found}");
    }
}

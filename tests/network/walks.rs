//! A server that walks from class to class, also where nobody waits: by hand, against Markov chains and against formulas.

use super::chain::Chain;
use super::multiclass_devices::{FORMS, compare};
use super::theory::{assert_figures, units};
use super::*;
use crate::adapter;
use tickless::queueing::{Class, ClassId, Polling, ServerGroup, Shifts, Source, Station};

/// A server that goes round classes, to which tokens come at these rates; `group` says the rest of it.
pub(super) fn round(rates: &[f64], service: &str, group: impl Fn(ServerGroup) -> ServerGroup) -> Network {
    let mut network = Network::new().warmup(300.0).until(30_300.0);
    let classes: Vec<_> = (0..rates.len()).map(|number| network.class(Class::new(format!("c{number}")))).collect();
    let server = group(ServerGroup::new("server", 1).serves(classes.clone()));
    let desk = network.station(Station::new("desk", law(service)).group(server));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    for (class, rate) in classes.into_iter().zip(rates) {
        let name = format!("in {}", class.index());
        network.source(Source::new(name, law(&format!("exponential:{}", 1.0 / rate)), desk).class(class));
    }
    network
}

/// The mean wait of a class.
pub(super) fn wait(class: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome: &NetworkOutcome| {
        let record = outcome.classes[class].record;
        units(record.waiting) / record.starts as f64
    }
}

pub(super) fn busy(outcome: &NetworkOutcome) -> f64 {
    units(outcome.groups[0].busy) / outcome.stations.measured()
}

/// Lines, with which class the server is or has been last, how many more it serves in this turn, and what it does.
type State = (u32, u32, bool, u32, u8);
const RESTS: u8 = 0;
const WALKS: u8 = 1;
const SERVES: u8 = 2;
/// Nobody has been served in the turn.
const BEGINS: u32 = 99;

/// The chain of a server that walks, with so many in each line at most.
fn walked((polling, rests, most): (Polling, bool, u32), rates: [f64; 2], [service, walking]: [f64; 2]) -> Chain<State> {
    let next = move |(x, y, second, left): (u32, u32, bool, u32)| -> State {
        let waits = if second { y } else { x };
        let left = match polling {
            Polling::Exhaustive => BEGINS,
            Polling::Gated if left == BEGINS && waits > 0 => waits,
            Polling::Limited(most) if left == BEGINS => most,
            _ => left,
        };
        let rest = if left == BEGINS { BEGINS } else { left.saturating_sub(1) };
        match (waits > 0 && left > 0, rests && x + y == 0) {
            (true, _) => (x - u32::from(!second), y - u32::from(second), second, rest, SERVES),
            (_, true) => (x, y, second, left, RESTS),
            _ => (x, y, second, 0, WALKS),
        }
    };
    let first = if rests { (0, 0, false, BEGINS, RESTS) } else { (0, 0, true, 0, WALKS) };
    Chain::new(first, move |(x, y, second, left, state): State| {
        let comes = [(x + 1, y), (x, y + 1)].map(|(x, y)| (x.min(most), y.min(most), second, left));
        let is_resting = state == RESTS;
        let of = |to: (u32, u32, bool, u32)| if is_resting { next(to) } else { (to.0, to.1, to.2, to.3, state) };
        let mut moves: Vec<(State, f64)> = comes.into_iter().map(of).zip(rates).collect();
        match state {
            WALKS => moves.push((next((x, y, !second, BEGINS)), 1.0 / walking)),
            SERVES => moves.push((next((x, y, second, left)), 1.0 / service)),
            _ => {}
        }
        moves.retain(|(to, _)| *to != (x, y, second, left, state));
        moves
    })
}

#[test]
fn a_server_walks_as_its_chain() {
    let rates = [0.35, 0.2];
    for (polling, rests, most) in [
        (Polling::Limited(2), false, 30),
        (Polling::Exhaustive, false, 30),
        (Polling::Exhaustive, true, 30),
        (Polling::Limited(1), true, 30),
        (Polling::Gated, false, 14),
        (Polling::Gated, true, 14),
    ] {
        let rates = if polling == Polling::Gated { rates.map(|rate| rate / 2.0) } else { rates };
        let chain = walked((polling, rests, most), rates, [0.8, 0.3]);
        let network = round(&rates, "exponential:0.8", |group| {
            let group = group.polling(polling).walking(law("exponential:0.3"));
            if rests { group.rests() } else { group }
        });
        assert_figures(
            &network,
            &[
                ("wait of the first", chain.mean(|(x, ..)| f64::from(x)) / rates[0], &wait(0)),
                ("wait of the second", chain.mean(|(_, y, ..)| f64::from(y)) / rates[1], &wait(1)),
                ("busy", chain.share(|(.., state)| state == SERVES), &busy),
            ],
        );
    }
}

/// The mean wait where all n classes are alike (H. Takagi, Analysis of polling systems, 1986): tokens of each at a rate, services with a mean and a second
/// moment, walks with a mean and a variance.
fn takagi(polling: Polling, (n, rate): (f64, f64), [mean, second]: [f64; 2], [walk, variance]: [f64; 2]) -> f64 {
    let load = n * rate * mean;
    let (round, more) = match polling {
        Polling::Exhaustive => (walk * (n - load), 0.0),
        Polling::Gated => (walk * (n + load), 0.0),
        Polling::Limited(_) => (walk * (n + load) + n * rate * variance, n * rate * walk),
    };
    variance / (2.0 * walk) + (n * rate * second + round) / (2.0 * (1.0 - load - more))
}

#[test]
fn alike_classes_wait_as_takagi_says() {
    for polling in [Polling::Exhaustive, Polling::Limited(1)] {
        let chain = walked((polling, false, 40), [0.3; 2], [0.8, 0.3]);
        let expected = takagi(polling, (2.0, 0.3), [0.8, 2.0 * 0.64], [0.3, 0.09]);
        let found = chain.mean(|(x, ..)| f64::from(x)) / 0.3;
        assert!((found / expected - 1.0).abs() < 1e-3, "{polling:?}: {found}, and not {expected}");
    }
    for polling in [Polling::Exhaustive, Polling::Gated, Polling::Limited(1)] {
        // Services of 1, and walks from 0.2 to 0.6.
        let network = round(&[0.15; 4], "constant:1", |group| group.polling(polling).walking(law("uniform:0.2,0.6")));
        let expected = takagi(polling, (4.0, 0.15), [1.0, 1.0], [0.4, 0.16 / 12.0]);
        let all = |outcome: &NetworkOutcome| (0..4).map(|class| wait(class)(outcome)).sum::<f64>() / 4.0;
        assert_figures(&network, &[("wait of all", expected, &all), ("busy", 0.6, &busy)]);
    }
}

/// A server at x from 1 on, at y from 3 on and so forth, if it need not serve: the waits of tokens that come at 2, 2.5 and 4.5.
#[test]
fn walks_take_their_time() {
    let of = |rests: bool| {
        let mut network = Network::new().until(40.0);
        let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
        let server = ServerGroup::new("server", 1).serves(vec![x, y]).polling(Polling::Gated);
        let server = server.walking(law("constant:1")).walking_to(y, law("constant:2"));
        let server = if rests { server.rests() } else { server };
        let desk = network.station(Station::new("desk", law("constant:5")).group(server));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("xs", law("constant:2"), desk).class(x).limit(1));
        network.source(Source::new("first", law("constant:2.5"), desk).class(y).limit(1));
        network.source(Source::new("second", law("constant:4.5"), desk).class(y).limit(1));
        let outcome = run(network).outcome;
        [x, y].map(|class| outcome.classes[class.index() as usize].record.waiting * 4 / UNIT)
    };
    // At y at 3, which it serves until 8; then the second y must wait until x is served, from 9 until 14, and begins at 16.
    assert_eq!(of(false), [4 * (9 - 2), 2 + 4 * 16 - 18]);
    // At x until 2, which it serves until 7; it walks to y, until 9, and both go through the gate.
    assert_eq!(of(true), [0, 4 * 9 - 10 + 4 * 14 - 18]);
}

#[test]
fn walks_are_the_same_on_devices() {
    let resting = |group: ServerGroup| group.polling(Polling::Gated).walking(law("uniform:0.2,0.6")).rests();
    let walking = |group: ServerGroup| group.polling(Polling::Limited(2)).walking(law("constant:0.5"));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        for (what, network) in [
            ("resting", round(&[0.3, 0.1, 0.2], "exponential:1", resting)),
            ("walking", round(&[0.25, 0.25], "constant:0.5", walking)),
        ] {
            compare(device.as_ref(), &model(network.until(300.0).warmup(20.0)), 0..3, &format!("{form}: {what}"));
        }
    }
}

#[test]
fn what_does_not_walk_is_refused() {
    let refused = |group: &dyn Fn(ClassId) -> ServerGroup| {
        let mut network = Network::new();
        let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
        let desk = network.station(Station::new("desk", law("exponential:1")).group(group(x).serves(vec![x, y])));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let group = || ServerGroup::new("server", 1);
    let walking = || group().polling(Polling::Gated).walking(law("constant:1"));
    for (said, group) in [
        (
            "the law of walking times is constant:1; it must be left out",
            &(|_| group().walking(law("constant:1"))) as &dyn Fn(ClassId) -> ServerGroup,
        ),
        ("whether its server rests is true; it must be left out, as the server does not go round", &|_| {
            group().rests()
        }),
        ("whether its server rests is true; it must be left out, as its server does not walk", &|_| {
            group().polling(Polling::Gated).rests()
        }),
        ("the law of switching times is constant:2; it must be left out, as its server walks", &|_| {
            walking().switching(law("constant:2"))
        }),
        ("the shifts of the group is given; it must be left out", &|_| {
            walking().shifts(Shifts::new(vec![(0.0, 1), (4.0, 0)]))
        }),
        ("a class without a law of walking times is y", &|x| {
            group().polling(Polling::Gated).walking_to(x, law("constant:1"))
        }),
    ] {
        let found = refused(group);
        assert!(found.contains(said), "{found}");
    }
}

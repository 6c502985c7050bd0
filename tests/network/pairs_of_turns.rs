//! A server that goes round the lines of two classes, with patience and with room by class, against Markov chains.

use super::chain::Chain;
use super::pairs::{at, gone, lost, taken};
use super::theory::{assert_figures, mean_present};
use super::*;
use tickless::queueing::{Class, ClassId, ClassOfStation, Polling, ServerGroup, Source, Station};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Server {
    Idle,
    Switches,
    Serves,
}

/// The lines of two classes, whose turn it is, how many services it has left, and the server.
type Round = ([u32; 2], usize, u32, Server);

/// Tokens of a class that are there.
fn there((lines, turn, _, server): Round, class: usize) -> u32 {
    lines[class] + u32::from(server != Server::Idle && turn == class)
}

/// The server takes the next token: a turn is over without anybody of its class, and another one has so many services as `turn_of` says.
fn takes((mut lines, turn, left, _): Round, turn_of: fn(u32) -> u32) -> Round {
    let (next, left) = if left > 0 && lines[turn] > 0 {
        (turn, left)
    } else {
        match [1 - turn, turn].into_iter().find(|class| lines[*class] > 0) {
            Some(next) => (next, turn_of(lines[next])),
            None => return (lines, turn, left, Server::Idle),
        }
    };
    lines[next] -= 1;
    (lines, next, left - 1, if next == turn { Server::Serves } else { Server::Switches })
}

const OF_CLASSES: [f64; 2] = [0.7, 0.5];
const SERVICES: f64 = 1.25;
const SWITCHES: f64 = 0.5;

/// The chain of a server that goes round two classes with room for so many, and with patience of a rate.
fn goes_round(room: [u32; 2], patience: f64, turn_of: fn(u32) -> u32) -> Chain<Round> {
    Chain::new(([0; 2], 0, 0, Server::Idle), move |state: Round| {
        let (lines, turn, left, server) = state;
        let mut moves = match server {
            Server::Idle => vec![],
            Server::Switches => vec![((lines, turn, left, Server::Serves), SWITCHES)],
            Server::Serves => vec![(takes(state, turn_of), SERVICES)],
        };
        for class in 0..2 {
            let with = |tokens: u32| {
                let mut lines = lines;
                lines[class] = tokens;
                (lines, turn, left, server)
            };
            if there(state, class) < room[class] {
                let more = with(lines[class] + 1);
                moves.push((if server == Server::Idle { takes(more, turn_of) } else { more }, OF_CLASSES[class]));
            }
            if patience > 0.0 && lines[class] > 0 {
                moves.push((with(lines[class] - 1), patience * f64::from(lines[class])));
            }
        }
        moves
    })
}

/// The network of that server.
fn of_turns(polling: Polling, change: impl FnOnce(Station, [ClassId; 2]) -> Station) -> Network {
    let mut network = Network::new().warmup(100.0).until(8_100.0);
    let classes = ["x", "y"].map(|name| network.class(Class::new(name)));
    let server = ServerGroup::new("server", 1).serves(classes.to_vec()).polling(polling).switching(at(SWITCHES));
    let desk = network.station(change(Station::new("desk", at(SERVICES)).group(server), classes));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    for (class, rate) in classes.into_iter().zip(OF_CLASSES) {
        network.source(Source::new(format!("in {}", class.index()), at(rate), desk).class(class));
    }
    network
}

/// Turns and patience: a turn has as many services as waited when it began, though some of these are gone, and others served in their place.
#[test]
fn a_turn_may_outlast_who_waited_for_it() {
    // Nine of a class are hardly ever there.
    let (patience, chain) = (0.5, goes_round([9, 9], 0.5, |waiting| waiting));
    let of = |class: usize| patience * chain.mean(|(lines, ..)| f64::from(lines[class])) / OF_CLASSES[class];
    assert_figures(
        &of_turns(Polling::Gated, |station, _| station.patience(at(patience), None)),
        &[
            ("gone of x", of(0), &gone(0)),
            ("gone of y", of(1), &gone(1)),
            ("taken", chain.share(|(.., server)| server != Server::Idle), &taken(0)),
        ],
    );
}

/// Turns of two services and room by class: three of the one, two of the other.
#[test]
fn turns_of_classes_with_little_room() {
    let room = [3, 2];
    let chain = goes_round(room, 0.0, |_| 2);
    let full = |class: usize| chain.share(move |state| there(state, class) == room[class]);
    let network = of_turns(Polling::Limited(2), |station, classes| {
        let rooms = classes.into_iter().zip(room).map(|(class, room)| ClassOfStation::new(class).capacity(room));
        rooms.fold(station, Station::class)
    });
    assert_figures(
        &network,
        &[
            ("lost of x", full(0), &lost(0)),
            ("lost of y", full(1), &lost(1)),
            ("present", chain.mean(|state| f64::from(there(state, 0) + there(state, 1))), &|one| mean_present(one, 0)),
            ("taken", chain.share(|(.., server)| server != Server::Idle), &taken(0)),
        ],
    );
}

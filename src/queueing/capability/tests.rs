//! The table agrees with the decisions.

use super::DevicePath::{EventByEvent, Rounds};
use super::*;
use crate::multiclass::Class;
use crate::options::Synchronization::{Appointments, Window};
use crate::{Network, NetworkModel, Observed, QueueingError, Source, Station, Topology};

fn station(name: &str, law: &str) -> Station {
    Station::new(name, law.parse().unwrap())
}

/// Two stations in sequence, the second with a change.
fn two(second: impl FnOnce(Station) -> Station) -> Network {
    let mut network = Network::new().until(50.0);
    let first = network.station(station("first", "exponential:1"));
    let second = network.station(second(station("second", "exponential:1")));
    let exit = network.sink("exit");
    network.source(Source::new("street", "exponential:2".parse().unwrap(), first));
    network.route(first, second, 1.0, 0.0);
    network.route(second, exit, 1.0, 0.0);
    network
}

fn classes(mut network: Network) -> Network {
    network.class(Class::new("one"));
    network
}

fn torus() -> Network {
    let each = station("s", "exponential:10").tokens(1);
    Network::generate(&Topology::Torus { width: 9, height: 9 }, &each, 0.0).unwrap()
}

/// A network of each row, with its simulator of the heap, how a device runs several replications, and
/// whether ranks, checkpoints and checkpoints of a device take it.
#[test]
fn each_row_of_the_table_is_true() {
    let torus_of = crate::torus::Torus { width: 9, height: 9 };
    let singles = Simulator::Singles { wide: false };
    let refused = [false, false, false];
    let all = [
        (torus(), Simulator::Torus(torus_of), Rounds(Appointments), [true; 3]),
        (two(|second| second), singles, Rounds(Appointments), [true; 3]),
        (two(|second| second.servers(2)).window(0.5), Simulator::Oracle, Rounds(Window), [true; 3]),
        (two(|second| second).approximate(0.5), Simulator::Oracle, Rounds(Window), refused),
        (classes(two(|second| second)), Simulator::Oracle, EventByEvent, [false, true, false]),
        (two(|second| second.blocking().capacity(3)), Simulator::Oracle, EventByEvent, [false, true, false]),
    ];
    assert_eq!(all.len(), table::ROWS.len());
    for (number, (network, simulator, on_device, [ranks, checkpoints, of_device])) in (0..).zip(all) {
        let model: NetworkModel = network.check().unwrap();
        assert_eq!(Simulator::of(&model, false), simulator, "row {number}");
        assert_eq!(path(&model, 100), Ok(on_device), "row {number}");
        assert_eq!(check_ranks(&model).is_ok(), ranks, "row {number}");
        assert_eq!(check_checkpoints(&model, true).is_ok(), checkpoints, "row {number}");
        assert_eq!(check_checkpoints(&model, false).is_ok(), of_device, "row {number}");
    }
}

#[test]
fn what_a_row_adds_is_true_too() {
    // Distributions need the oracle, and exclude ranks; several servers make no appointments.
    let model = two(|second| second).distributions(Observed::All).check().unwrap();
    assert_eq!(Simulator::of(&model, false), Simulator::Oracle);
    assert!(matches!(check_ranks(&model), Err(QueueingError::NotOverRanks { .. })));
    let model = two(|second| second.servers(2)).check().unwrap();
    assert!(matches!(path(&model, 1), Err(QueueingError::Appointments { .. })));
    // Classes go in rounds with a window, or for one replication with lookahead.
    let windowed = classes(two(|second| second)).window(0.5).check().unwrap();
    assert_eq!(path(&windowed, 100), Ok(Rounds(Window)));
    let mut network = Network::new();
    network.class(Class::new("one"));
    let desk = network.station(station("desk", "constant:1").tokens(1));
    network.route(desk, desk, 1.0, 0.0);
    let ahead = network.check().unwrap();
    assert_eq!([1, 2].map(|count| path(&ahead, count)), [Ok(Rounds(Window)), Ok(EventByEvent)]);
}

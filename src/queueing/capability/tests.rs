//! The table agrees with the decisions.

use super::DevicePath::{EventByEvent, Rounds};
use super::*;
use crate::describe::Class;
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
        (classes(two(|second| second)), Simulator::Oracle, EventByEvent, [true, true, false]),
        (two(|second| second.blocking().capacity(3)), Simulator::Oracle, EventByEvent, [false, true, false]),
    ];
    assert_eq!(all.len(), table::ROWS.len());
    for (number, (network, simulator, on_device, [ranks, checkpoints, of_device])) in (0..).zip(all) {
        let model: NetworkModel = network.check().unwrap();
        assert_eq!(Simulator::of(&model, false), simulator, "row {number}");
        assert_eq!(path(&model, 100), Ok(on_device), "row {number}");
        assert_eq!(check_ranks(&model, false).is_ok(), ranks, "row {number}");
        assert_eq!(check_checkpoints(&model, true).is_ok(), checkpoints, "row {number}");
        assert_eq!(check_checkpoints(&model, false).is_ok(), of_device, "row {number}");
    }
}

#[test]
fn what_a_row_adds_is_true_too() {
    // Distributions are of the oracle, and no ranks have them; several servers make no appointments; no checkpoint over ranks has classes.
    let model = two(|second| second).distributions(Observed::All).check().unwrap();
    assert_eq!(Simulator::of(&model, false), Simulator::Oracle);
    assert!(matches!(check_ranks(&model, false), Err(QueueingError::NotOverRanks { .. })));
    let model = classes(two(|second| second)).check().unwrap();
    assert!(matches!(check_ranks(&model, true), Err(QueueingError::Multiclass { .. })));
    // In approximate time no device runs them.
    let late = classes(two(|second| second)).approximate(0.5).check().unwrap();
    assert!(matches!(path(&late, 1), Err(QueueingError::Multiclass { .. })));
    assert!(check_a_thread_each(&late).is_err() && check_a_thread_each(&model).is_ok());
    let model = two(|second| second.servers(2)).check().unwrap();
    assert!(matches!(path(&model, 63), Err(QueueingError::Appointments { .. })));
    assert_eq!(path(&model, 64), Ok(EventByEvent));
    // However many events are pending: 1,000 servers, or tokens on long ways.
    assert_eq!(path(&two(|second| second.servers(1000)).check().unwrap(), 64), Ok(EventByEvent));
    let line = |stations: u32, delay: f64, replications: usize| {
        let mut network = Network::new();
        let desk = |id| station(&format!("desk {id}"), "exponential:1").servers(2);
        let desks = Vec::from_iter((0..stations).map(|id| network.station(desk(id))));
        let exit = network.sink("exit");
        network.source(Source::new("street", "exponential:2".parse().unwrap(), desks[0]));
        desks.windows(2).for_each(|pair| network.route(pair[0], pair[1], 1.0, delay));
        network.route(desks[stations as usize - 1], exit, 1.0, 0.0);
        path(&network.check().unwrap(), replications)
    };
    assert_eq!([line(2, 1000.0, 64), line(256, 1.0, 64)], [Ok(EventByEvent), Ok(EventByEvent)]);
    // Many stations for each replication are in rounds, or are refused.
    assert_eq!([line(257, 1.0, 64), line(1001, 1.0, 10_000)], [Ok(Rounds(Window)), Ok(Rounds(Window))]);
    assert_eq!(line(1000, 1.0, 250), Ok(EventByEvent));
    assert!(matches!(line(257, 0.0, 64), Err(QueueingError::Appointments { .. })));
    // Where tokens leave after their first service rounds decide many visits at once, and single servers make appointments.
    let mut alone = Network::new();
    let desk = alone.station(station("desk", "exponential:1").servers(2));
    let exit = alone.sink("exit");
    alone.source(Source::new("street", "exponential:2".parse().unwrap(), desk));
    alone.route(desk, exit, 1.0, 0.0);
    assert_eq!(path(&alone.check().unwrap(), 1000), Ok(Rounds(Window)));
    assert_eq!(path(&two(|second| second).check().unwrap(), 1000), Ok(Rounds(Appointments)));
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

/// What a network has beside two stations, each with the key of the table that it is: lines at the top, of the second station and of the
/// source, and the routing of the second station.
#[cfg(feature = "files")]
const EXAMPLES: [[&str; 4]; features::FEATURES.len()] = [
    ["[[class]]\nname = 'a'", "", "", ""],
    ["", "", "batch = [0.5, 0.5]", ""],
    ["", "discipline = 'siro'", "", ""],
    ["", "servers = 'infinite'", "", ""],
    ["", "balking = [0, 0.5]", "", ""],
    ["", "patience = 'exponential:1'", "", ""],
    ["", "balking = [0, 0.5]\nbalks_to = 'first'", "", ""],
    ["", "shifts = [[0, 1], [4, 0]]\nperiod = 8", "", ""],
    ["", "servers = [{ name = 'first' }, { name = 'other' }]", "", ""],
    ["", "failures = { up = 'exponential:5', down = 'exponential:1' }", "", ""],
    ["", "setup = 'exponential:1'", "", ""],
    ["", "time_factors = [[0, 1], [4, 2]]\ntime_factors_period = 8", "", ""],
    ["", "service = 'zero'", "", ""],
    ["", "discipline = 'sjf'", "", ""],
    ["[[attribute]]\nname = 'size'\nlaw = 'exponential:1'", "", "", ""],
    ["", "discipline = 'ps'", "", ""],
    ["", "discipline = 'lcfs-preemptive'", "", ""],
    ["", "speeds = [1, 2]", "", ""],
    ["[[class]]\nname = 'a'", "[[station.class]]\nname = 'a'\ncapacity = 2", "", ""],
    ["", "", "", "round-robin"],
    ["", "", "", "first-free"],
    ["", "", "to = ['first', 'second']", ""],
    ["", "", "", "by-visit"],
    ["", "capacity = 2\nfull = 'blocks'", "", ""],
    ["[[resource]]\nname = 'r'\nunits = 1", "seizes = { r = 1 }", "", ""],
    ["", "", "", "fork"],
    ["[[class]]\nname = 'a'", "kit = [['a', 2]]", "", ""],
    ["distributions = true", "", "", ""],
    ["", "targets = [3]", "", ""],
    ["series_step = 5", "", "", ""],
    ["fold = 24", "", "", ""],
    ["approximate = 0.5", "", "", ""],
];

#[cfg(feature = "files")]
fn example([top, second, source, routing]: [&str; 4], approximate: &str) -> Network {
    let routing = if routing.is_empty() { "".into() } else { format!("routing = '{routing}'") };
    let ways = if routing.is_empty() { &["exit"][..] } else { &["exit", "other"] };
    let ways: String = ways.iter().map(|to| format!("[[route]]\nfrom = 'second'\nto = '{to}'\n")).collect();
    let to = if source.starts_with("to = ") { "" } else { "to = 'first'" };
    let class = if top.contains("class") { "class = 'a'" } else { "" };
    let service = if second.contains("service") { "" } else { "service = 'exponential:1'" };
    Network::from_toml(&format!(
        "until = 50\n{approximate}\n{top}\n[[station]]\nname = 'first'\nservice = 'exponential:1'\n[[station]]\nname = 'second'\n\
         {service}\n{routing}\n{second}\n[[sink]]\nname = 'exit'\n[[sink]]\nname = 'other'\n[[source]]\nname = 'in'\n\
         interval = 'exponential:2'\n{to}\n{class}\n{source}\n[[route]]\nfrom = 'first'\nto = 'second'\n{ways}"
    ))
    .unwrap()
}

/// Each feature is found where it is, and refused by name where the table says so.
#[cfg(feature = "files")]
#[test]
fn each_feature_of_the_table_is_taken_or_refused_by_name() {
    use features::{FEATURES, Verdict};
    let is_no = |verdict| matches!(verdict, Verdict::No(_));
    for (number, (feature, given)) in FEATURES.iter().zip(EXAMPLES).enumerate() {
        let what = format!("{number}: {}", feature.name);
        let model = example(given, "").check().unwrap();
        let others = || FEATURES.iter().filter(|other| other.name != feature.name);
        let found = |of: &features::Feature| of.place(model.description(), model.rules());
        assert!(found(feature).is_some(), "{what}");
        assert!(others().all(|other| found(other).is_none() || other.name.starts_with("classes")), "{what}");
        let over = check_ranks(&model, false).map_err(|error| error.to_string());
        assert_eq!(over.is_err(), is_no(feature.ranks), "{what}: {over:?}");
        assert!(
            over.err().is_none_or(|said| said.contains(feature.name) && said.contains("leave it out, or")),
            "{what}"
        );
        if given[0].contains("approximate") {
            continue;
        }
        let late = example(given, "approximate = 0.25").check().map_err(|error| error.to_string());
        // Other stations know no original times.
        let is_simple = |model: &NetworkModel| (0..model.stations()).all(|id| model.rules().is_simple(id));
        assert!(late.as_ref().map_or(true, is_simple), "{what}");
        assert_eq!(late.is_err(), is_no(feature.approximate), "{what}: {late:?}");
        let said =
            late.err().map(|said| (said.contains(feature.name), said.contains("leave it or the interval of 0.25")));
        assert!(said.is_none_or(|said| said == (true, true)), "{what}");
    }
}

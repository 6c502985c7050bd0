//! The way through simple stations in one piece against the way that knows everything.

use super::{Oracle, whole};
use crate::describe::{Class, ClassOfStation, Discipline, Shifts};
use crate::{Network, NetworkModel, Observed, Source, Station};
use tickless_core::heap::execute;
use tickless_core::run::{Asking, Digest, unwatched};
use tickless_core::time::Time;

/// Two priorities, patience, balking, shifts, infinite servers, limited room, delays, disciplines and ties.
fn network() -> Network {
    let law = |text: &str| text.parse().unwrap();
    let mut network = Network::new();
    let urgent = network.class(Class::new("urgent"));
    let other = network.class(Class::new("other").priority(1));
    let shifts = Shifts::new(vec![(0.0, 1), (7.0, 3)]).every(20.0);
    let desk = network.station(Station::new("desk", law("constant:2")).shifts(shifts).tokens(3));
    let patient = Station::new("doctor", law("exponential:2")).servers(2).patience(law("uniform:1,4"), None);
    let doctor = network.station(patient.class(ClassOfStation::new(urgent).service(law("erlang:2,3"))));
    let small = network.station(Station::new("x-ray", law("constant:1")).capacity(2).tokens(2));
    let walk = network.station(Station::new("walk", law("uniform:1,3")).infinite_servers());
    let last = network.station(Station::new("last", law("exponential:1")).discipline(Discipline::LastCome));
    let pick = network.station(Station::new("pick", law("exponential:1")).discipline(Discipline::Random));
    let shy = network.station(Station::new("shy", law("constant:1")).balking(vec![0.0, 0.3, 0.8], Some(walk.into())));
    let home = network.sink("home");
    network.source(Source::new("door", law("constant:1"), desk).class(urgent));
    network.source(Source::new("street", law("exponential:1"), doctor).class(other));
    for (from, to, share, delay) in [
        (desk, doctor, 0.6, 0.0),
        (desk, small, 0.4, 1.0),
        (doctor, walk, 0.5, 0.0),
        (doctor, last, 0.5, 0.0),
        (small, shy, 1.0, 0.0),
        (walk, pick, 1.0, 2.0),
        (shy, walk, 1.0, 0.0),
        (last, pick, 0.7, 0.0),
        (last, desk, 0.3, 0.0),
    ] {
        network.route(from, to, share, delay);
    }
    network.route(pick, home, 0.9, 0.0);
    network.route(pick, desk, 0.1, 0.0);
    network.until(2000.0).warmup(100.0)
}

fn run(model: &NetworkModel, simple: impl Fn(u32) -> bool) -> (u64, crate::NetworkOutcome) {
    let mut simulation = Oracle::new(model, model.key(0), None);
    for id in 0..model.stations() {
        simulation.stations[id as usize].simple &= simple(id);
    }
    simulation.begin(&mut Asking::new(&mut unwatched())).unwrap();
    let summary = execute(&mut simulation, model.until(), &mut unwatched()).unwrap();
    (summary.events, simulation.outcome(summary.clock))
}

/// What a checkpoint keeps has this form. Where the digest is another one, raise `FORMAT` and write the new one here.
#[test]
fn the_form_of_what_is_kept_is_known() {
    let network = network().distributions(Observed::All).series(10.0);
    let model = network.check().unwrap();
    let mut oracle = Oracle::new(&model, model.key(0), None);
    oracle.begin(&mut Asking::new(&mut unwatched())).unwrap();
    execute(&mut oracle, Time::from_units(300.0).unwrap(), &mut unwatched()).unwrap();
    // The model's own digest goes by its names in Rust.
    let whole = whole::without_model(&oracle.whole().unwrap());
    let digest = Digest::of(|hashing| hashing.numbers(whole.iter().copied().map(u64::from))).to_string();
    assert_eq!((whole::FORMAT, &digest[..16]), (11, "b03675de4e185444"));
}

#[test]
fn simple_stations_are_no_others() {
    let model = network().check().unwrap();
    let simple = Oracle::new(&model, model.key(0), None);
    let count = simple.stations.iter().filter(|station| station.simple).count();
    assert_eq!(count, model.stations() as usize);
    let all = run(&model, |_| true);
    assert!(all.0 > 5000 && all.1.stations.facilities.iter().all(|record| record.starts > 100));
    assert!(run(&model, |_| false) == all && run(&model, |id| id % 2 == 0) == all);
    // Likewise of what is noted on the way.
    let noted = network().distributions(Observed::All).series(10.0).check().unwrap();
    assert!(run(&noted, |_| true) == run(&noted, |_| false));
    // With a capacity that is another, the records are.
    let mut changed = network();
    changed.stations[2].capacity = Some(5);
    assert!(run(&changed.check().unwrap(), |_| true) != all);
}

//! The warm-up that a pilot finds.

use super::*;
use std::ops::ControlFlow;
use tickless::queueing::warmup::{self, WarmUp};
use tickless::queueing::{QueueingError, Routing, Source, Station};
use tickless::run::Progress;

fn find(network: &Network) -> WarmUp {
    warmup::find(&model(network.clone()), &mut unwatched()).unwrap_or_else(|e| panic!("{e}"))
}

/// One station, with intervals of mean 1 between arrivals.
fn single(interval: &str, service: &str, servers: u32) -> Network {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law(service)).servers(servers));
    let exit = network.sink("exit");
    network.source(Source::new("street", law(interval), desk));
    network.route(desk, exit, 1.0, 0.0);
    network
}

/// All tokens at one of three stations, the slowest of which is another.
fn heaped() -> Network {
    let mut network = Network::new();
    let first = network.station(Station::new("first", law("exponential:1")).tokens(100));
    let slow = network.station(Station::new("slow", law("exponential:2")));
    let third = network.station(Station::new("third", law("exponential:1")));
    network.route(first, slow, 1.0, 0.0);
    network.route(slow, third, 1.0, 0.0);
    network.route(third, first, 1.0, 0.0);
    network
}

/// What three seeds find: the times, and how often the run was too short.
fn over_seeds(network: &Network) -> (Vec<f64>, usize) {
    let found: Vec<_> = (1..=3).map(|seed| find(&network.clone().seed(seed))).collect();
    assert!(found.iter().all(|found| !found.interrupted && (5..=20).contains(&found.replications)));
    let short = found.iter().filter(|found| found.too_short).count();
    (found.iter().map(|found| found.time).collect(), short)
}

/// The relaxation time of an M/M/1 of utilization 0.9 is about 360 services.
#[test]
fn a_run_of_less_than_its_transient_is_too_short() {
    for until in [5.0, 20.0, 100.0, 1000.0] {
        let (times, short) = over_seeds(&single("exponential:1", "exponential:0.9", 1).until(until));
        assert_eq!(short, 3, "until {until}");
        assert!(times.iter().all(|time| *time <= until / 2.0), "{times:?}");
    }
    let (times, short) = over_seeds(&single("exponential:1", "exponential:0.9", 1).until(10_000.0));
    assert_eq!(short, 0, "{times:?}");
}

/// Until the slow station has taken 100 tokens from the first: they come at 1, it serves at 1/2, about 200 time units.
#[test]
fn a_heap_of_tokens_is_gone_before_the_counting_begins() {
    for until in [2000.0, 10_000.0] {
        let (times, short) = over_seeds(&heaped().until(until));
        assert!(short == 0 && times.iter().all(|time| (150.0..=500.0).contains(time)), "until {until}: {times:?}");
    }
}

/// An M/M/100 of mean service 50 fills up exponentially with that time constant.
#[test]
fn a_loss_of_memory_takes_a_few_service_times() {
    for until in [2000.0, 10_000.0] {
        let (times, short) = over_seeds(&single("exponential:1", "exponential:50", 100).until(until));
        assert!(short == 0 && times.iter().all(|time| (75.0..=300.0).contains(time)), "until {until}: {times:?}");
    }
}

#[test]
fn what_repeats_itself_needs_no_more_than_its_first_slices() {
    let found = find(&single("constant:2", "constant:1", 1).until(10_000.0));
    assert!(found.time <= 50.0 && !found.too_short, "{found:?}");
}

/// The watch sees one run from 0 to the horizon, and may end it.
#[test]
fn a_watch_sees_one_run_and_can_end_it() {
    let model = model(single("exponential:1", "exponential:0.8", 1).until(30_000.0));
    let (mut clocks, mut looks) = (vec![], 0);
    let mut note = |progress: &Progress| {
        clocks.push((progress.clock, progress.until));
        ControlFlow::Continue(())
    };
    warmup::find(&model, &mut note).expect("a pilot");
    assert!(clocks.is_sorted() && clocks.iter().all(|(clock, until)| clock <= until && *until == model.until()));
    let mut stop = |_: &Progress| {
        looks += 1;
        if looks < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let ended = warmup::find(&model, &mut stop).expect("a pilot");
    assert!(ended.interrupted && ended.replications < 20, "{ended:?}");
}

/// How long a pilot is depends on what a replication costs: an end of a transit is an event of it, though not of a run.
#[test]
fn the_ends_of_transits_count() {
    let mut network = Network::new().until(1000.5);
    let here = network.station(Station::new("here", law("constant:1")).servers(2).tokens(1));
    network.route(here, here, 1.0, 1.0);
    let model = model(network);
    assert_eq!(simulate(&model, &mut unwatched()).expect("a run").events, 500);
    // A replication has 500 ends of services and 500 of transits.
    let pilot = warmup::find_within(&model, 10_000, &mut unwatched()).expect("a pilot");
    assert_eq!(pilot.replications, 10);
    // Ten times the events of a pilot are enough for one replication, and no event more.
    assert!(warmup::find_within(&model, 100, &mut unwatched()).is_ok());
    assert_eq!(warmup::find_within(&model, 99, &mut unwatched()), Err(QueueingError::PilotTooLong { most: 990 }));
}

/// Every visit begins two more.
#[test]
fn a_fork_without_end_ends_its_pilot() {
    let mut network = Network::new().until(1000.0);
    let here =
        network.station(Station::new("here", law("constant:1")).infinite_servers().routing(Routing::Fork).tokens(1));
    network.route(here, here, 1.0, 0.0);
    network.route(here, here, 1.0, 0.0);
    let found = warmup::find_within(&model(network), 1000, &mut unwatched());
    assert_eq!(found, Err(QueueingError::PilotTooLong { most: 10_000 }));
}

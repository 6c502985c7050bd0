//! A visit lasts until its token leaves: waiting, service, blocked and joining are its parts, and Little's law holds of it.

use super::multiclass_devices::{FORMS, compare};
use super::theory::assert_figure;
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Figures, Observed, Routing, Source, Station};

/// Tokens split in two, are joined before a station with a service, and go on to a dock with room for two. Nobody is there at the end.
fn split_and_blocked() -> Network {
    let mut network = Network::new().until(100_000.0).distributions(Observed::All);
    network.class(Class::new("only"));
    let split = network.station(Station::new("split", law("exponential:0.5")).routing(Routing::Fork));
    let short = network.station(Station::new("short", law("exponential:1")));
    let long = network.station(Station::new("long", law("exponential:2")).servers(2));
    let join = network.station(Station::new("join", law("exponential:1")).joining());
    let dock = network.station(Station::new("dock", law("exponential:2")).capacity(2).blocking());
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:2"), split).limit(400));
    for (from, to) in [(split, short), (split, long), (short, join), (long, join), (join, dock)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(dock, exit, 1.0, 0.0);
    network
}

#[test]
fn the_parts_of_visits_add_up() {
    let model = model(split_and_blocked());
    let run = simulate(&model, &mut unwatched()).expect("a run");
    assert_eq!((run.outcome.tokens(), run.outcome.sinks[0].tokens), (0, 400));
    let recorded = &run.outcome.distributions.as_ref().expect("recorded").stations;
    for (id, class) in (0..).zip(&run.outcome.classes) {
        let record = class.record;
        let parts = record.waiting + record.service + class.blocked + class.joining;
        assert_eq!((record.presence, class.stopped), (parts, 0), "station {id}");
        let [joins, joined] = if id == 3 { [800, 400] } else { [0, 0] };
        assert_eq!((class.joins, class.joined), (joins, joined), "station {id}");
        let visits = record.starts + joined;
        assert_eq!(recorded[id as usize].system.iter().sum::<u64>(), visits, "station {id}");
        let figures = Figures::of_station(&model, id, std::slice::from_ref(&run.outcome));
        let little = figures.mean_system_time.mean * visits as f64 / figures.mean_present.mean;
        assert!((little / run.outcome.stations.measured() - 1.0).abs() < 1e-9, "station {id}");
        assert_eq!((figures.mean_blocked_time.is_some(), figures.mean_joining_time.is_some()), (id == 3, id == 3));
    }
    assert!(run.outcome.classes[3].blocked > 0 && run.outcome.classes[3].joining > 0);
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // A tenth of the tokens: a replication is one thread.
        let mut less = split_and_blocked().until(60.0).warmup(7.0);
        less.class(Class::new("nobody"));
        compare(device.as_ref(), &super::model(less), 0..3, form);
    }
}

/// Two M/M/1 at r = 0.6 and their join. Nelson and Tantawi 1988: the longer of both takes (12 - r) / 8 times the mean 1 / (1 - r) of one, and
/// a token waits for what that is more.
#[test]
fn who_is_joined_has_waited_for_its_sibling() {
    let mut network = Network::new().until(20_000.0).warmup(1000.0);
    let split =
        network.station(Station::new("split", law("constant:0.000001")).routing(Routing::Fork).infinite_servers());
    let both = ["a", "b"].map(|name| network.station(Station::new(name, law("exponential:1"))));
    let join = network.station(Station::new("join", law("constant:0.000001")).joining().infinite_servers());
    let exit = network.sink("exit");
    network.source(Source::new("in", law(&format!("exponential:{}", 1.0 / 0.6)), split));
    for desk in both {
        network.route(split, desk, 1.0, 0.0);
        network.route(desk, join, 1.0, 0.0);
    }
    network.route(join, exit, 1.0, 0.0);
    let checked = model(network.clone());
    let figures = |outcome: &NetworkOutcome| Figures::of_station(&checked, 3, std::slice::from_ref(outcome));
    assert_figure(&network, "joining time", 1.0625, |o| figures(o).mean_joining_time.expect("it joins").mean);
    assert_figure(&network, "system time", 1.0625, |o| figures(o).mean_system_time.mean);
    assert_figure(&network, "present", 1.275, |o| figures(o).mean_present.mean);
}

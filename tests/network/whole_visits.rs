//! A visit lasts until its token leaves: waiting, service, blocked and joining are its parts, and Little's law holds of it.

use super::multiclass_devices::{FORMS, compare};
use super::theory::assert_figure;
use super::*;
use crate::adapter;
use tickless::queueing::{Class, Discipline, Figures, Observed, Routing, Source, Station};
use tickless::time::Time;

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
        // Who is blocked, and who waits for siblings, is in the histograms once a service and once a token that is joined.
        let scale = model.scale().expect("recorded");
        for (times, sum, count) in [
            (&recorded[id as usize].blocked, class.blocked, if id == 3 { record.completions } else { 0 }),
            (&recorded[id as usize].joining, class.joining, joins),
        ] {
            assert_eq!(times.iter().sum::<u64>(), count, "station {id}");
            let ends = |end: usize| -> f64 {
                let of = |(bin, count): (usize, &u64)| scale.bounds(bin)[end].units() * *count as f64;
                times.iter().enumerate().skip(1).map(of).sum()
            };
            let sum = Time::sum_in_units(sum);
            assert!(ends(0) <= sum && sum <= ends(1), "station {id}: {} <= {sum} <= {}", ends(0), ends(1));
        }
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

/// Servers that fail, each by its clock, before a dock that is often full: what they do adds up to all of their time. One that fails while it holds
/// a token is blocked, and not out of order.
#[test]
fn the_shares_of_servers_add_up() {
    let network = || {
        let mut network = Network::new().warmup(50.0);
        network.class(Class::new("only"));
        let desk = Station::new("desk", law("exponential:1")).servers(3);
        let desk = network.station(desk.failures(law("exponential:20"), law("exponential:5")));
        let dock = network.station(Station::new("dock", law("exponential:0.7")).capacity(2).blocking());
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:1"), desk));
        network.route(desk, dock, 1.0, 0.0);
        network.route(dock, exit, 1.0, 0.0);
        network
    };
    let checked = model(network().until(20_000.0));
    let outcome = simulate(&checked, &mut unwatched()).expect("a run").outcome;
    let all = |station| Figures::of_station(&checked, station, std::slice::from_ref(&outcome));
    let Figures { utilization, blocked_share, down_share, idle_share, .. } = all(0);
    let shares = [utilization, blocked_share, down_share, idle_share].map(|share| share.expect("a share").mean);
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && shares.iter().all(|share| *share > 0.02), "{shares:?}");
    // Of a fifth of the time in which a server is out of order it holds a token in a part.
    assert!((0.1..0.2).contains(&shares[2]), "{shares:?}");
    let dock = all(1);
    assert!(dock.blocked_share.is_none() && dock.down_share.is_none() && dock.idle_share.is_none());
    let class = Figures::of_class(&checked, 0, 0, std::slice::from_ref(&outcome));
    assert_eq!((class.blocked_share.map(|share| share.mean), class.down_share.is_none()), (Some(shares[1]), true));
    for (form, device) in adapter::forms(&FORMS[..1]) {
        compare(device.as_ref(), &model(network().until(120.0)), 0..3, form);
    }
}

/// A server that nobody asks is out of order for a fifth of the time.
#[test]
fn down_is_what_failures_take() {
    let mut network = Network::new().until(40_000.0).warmup(100.0);
    network.class(Class::new("only"));
    let desk = Station::new("desk", law("exponential:0.1")).servers(2);
    let desk = network.station(desk.failures(law("exponential:8"), law("exponential:2")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:50"), desk));
    network.route(desk, exit, 1.0, 0.0);
    let checked = model(network.clone());
    let share = |outcome: &NetworkOutcome| {
        let figures = Figures::of_station(&checked, 0, std::slice::from_ref(outcome));
        figures.down_share.expect("its servers fail").mean
    };
    assert_figure(&network, "down", 0.2, share);
}

/// Tokens that share a server hold none alone: no share of it is blocked or idle, of the network neither.
#[test]
fn shared_servers_have_no_blocked_share() {
    let mut network = Network::new().until(200.0);
    network.class(Class::new("only"));
    let desk = network.station(Station::new("desk", law("exponential:0.5")).discipline(Discipline::Sharing));
    let dock = network.station(Station::new("dock", law("exponential:1")).capacity(1).blocking());
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1.1"), desk));
    network.route(desk, dock, 1.0, 0.0);
    network.route(dock, exit, 1.0, 0.0);
    let model = model(network);
    let outcome = [simulate(&model, &mut unwatched()).expect("a run").outcome];
    assert!(outcome[0].classes[0].blocked > 0);
    for figures in [Figures::of_station(&model, 0, &outcome), Figures::of_network(&model, &outcome)] {
        assert!(figures.blocked_share.is_none() && figures.idle_share.is_none() && figures.utilization.is_some());
    }
}

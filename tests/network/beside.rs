//! What holds tokens beside what changes the pace of servers, by hand: every time is a constant.

use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, Repetition, Route, Routing, Source, Station};

fn station(name: &str, time: f64) -> Station {
    Station::new(name, law(&format!("constant:{time}")))
}

/// A service that stops for want of room goes on where it was, and its server does not wear out meanwhile.
#[test]
fn a_stopped_service_keeps_its_work_and_its_server() {
    let mut network = Network::new().until(26.5);
    // Twice as fast, 8 are 4. It fails when it has served for 3.
    let long = station("long", 8.0).speeds(vec![2.0]).failures_by_use(law("constant:3"), law("constant:2")).tokens(1);
    let [long, short] = [long, station("short", 1.0).tokens(1)].map(|station| network.station(station));
    let b = network.station(station("b", 10.0).capacity(1).blocking_before().tokens(1));
    let exit = network.sink("exit");
    for (from, to) in [(long, b), (short, b)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(b, exit, 1.0, 0.0);
    // b serves until 10, and from 11 to 21. The long service is from 10 to 11, from 21 to 23 and, after a repair, from 25 to 26.
    let outcome = run(network).outcome;
    let [long, short, b] = [0, 1, 2].map(|id| outcome.classes[id]);
    assert_eq!([long, short, b].map(|one| one.record.completions), [1, 1, 2]);
    assert_eq!((long.record.busy, long.record.service, long.preemptions), (4 * UNIT, 4 * UNIT, 1));
    assert_eq!((long.blocked, short.blocked), (20 * UNIT, 10 * UNIT));
    assert_eq!((long.record.presence, short.record.presence), (26 * UNIT, 11 * UNIT));
}

/// A server that has failed while it held a token is repaired before it serves that one.
#[test]
fn a_server_that_holds_a_token_may_fail() {
    let mut network = Network::new().until(12.5);
    let a = network.station(station("a", 4.0).failures(law("constant:5"), law("constant:3")).tokens(1));
    let b = network.station(station("b", 7.0).capacity(1).blocking_before().tokens(1));
    let exit = network.sink("exit");
    network.route(a, b, 1.0, 0.0);
    network.route(b, exit, 1.0, 0.0);
    // There is room from 7 on, and the server is in order from 8 to 13.
    let [a, b] = [0, 1].map(|id| run(network.clone()).outcome.classes[id]);
    assert_eq!((a.record.completions, b.record.arrivals, a.blocked), (1, 1, 7 * UNIT));
    assert_eq!((a.record.presence, a.record.busy), (12 * UNIT, 4 * UNIT));
}

/// Tokens that change places find a server that sets up, and one that goes slowly.
#[test]
fn tokens_change_places_beside_set_up_times_and_speeds() {
    let mut network = Network::new().until(100.5);
    let a = network.station(station("a", 1.0).setup(law("constant:1")).capacity(1).exchanging().tokens(1));
    let b = network.station(station("b", 2.0).speeds(vec![0.5]).capacity(1).exchanging().tokens(1));
    network.route(a, b, 1.0, 0.0);
    network.route(b, a, 1.0, 0.0);
    // Round from 0 to 4, 8 and so on: set up for 1, served for 1, held for 2.
    let [a, b] = [0, 1].map(|id| run(network.clone()).outcome.classes[id]);
    assert_eq!((a.record.completions, b.record.completions, a.record.starts), (25, 25, 25));
    assert_eq!((a.record.waiting, a.blocked, b.record.service), (25 * UNIT, 50 * UNIT, 100 * UNIT));
}

/// A repeated service is one by the same server, which wears out by it.
#[test]
fn a_repeated_service_wears_its_server_out() {
    let mut network = Network::new().until(6.0);
    let a = network.station(station("a", 2.0).failures_by_use(law("constant:3"), law("constant:1")).tokens(1));
    let b = station("b", 4.5).capacity(1).repeating(Repetition::SameDestination).tokens(1);
    let b = network.station(b);
    let exit = network.sink("exit");
    network.route(a, b, 1.0, 0.0);
    network.route(b, exit, 1.0, 0.0);
    // From 0 to 2 in vain, from 2 to 3, and from 4 to 5.
    let [a, b] = [0, 1].map(|id| run(network.clone()).outcome.classes[id]);
    assert_eq!((a.record.starts, a.record.completions, a.preemptions, b.record.arrivals), (2, 2, 1, 1));
    assert_eq!((a.record.busy, a.record.waiting, a.record.presence), (4 * UNIT, UNIT, 5 * UNIT));
}

/// Of those that wait for room the first goes whose class has some; and before the service only those wait whose class has none.
#[test]
fn who_has_room_by_class_does_not_wait() {
    for before in [false, true] {
        let mut network = Network::new().until(14.0);
        let [few, many] = ["few", "many"].map(|name| network.class(Class::new(name)));
        let first = network.station(station("first", 1.0).tokens(2));
        let second = network.station(station("second", 3.0).class(ClassOfStation::new(many).tokens(1)));
        let ward = station("ward", 10.0).infinite_servers().class(ClassOfStation::new(few).capacity(1));
        let ward = network.station(if before { ward.blocking_before() } else { ward.blocking() });
        let exit = network.sink("exit");
        network.route(first, ward, 1.0, 0.0);
        network.route(second, ward, 1.0, 0.0);
        network.route(ward, exit, 1.0, 0.0);
        // Of the few one is there from 1 to 11; the next has been served at 2, or is served at 11. The other comes at 3.
        let outcome = run(network).outcome;
        let [first, second] = [0, 3].map(|place| outcome.classes[place]);
        assert_eq!((first.blocked, second.blocked), (if before { 10 } else { 9 } * UNIT, 0), "{before}");
        let came: Vec<_> = outcome.classes[4..].iter().map(|class| class.record.presence / UNIT).collect();
        assert_eq!(came, [10 + if before { 2 } else { 3 }, 10], "{before}");
    }
    // Of several stations with free servers the first with room for its class.
    let mut network = Network::new().until(2.5);
    let few = network.class(Class::new("few"));
    let first = network.station(station("first", 1.0).tokens(2).routing(Routing::FirstFree));
    let of_few = || ClassOfStation::new(few).capacity(1);
    let near = network.station(station("near", 9.0).servers(2).class(of_few()));
    let far = network.station(station("far", 9.0));
    let exit = network.sink("exit");
    network.route(first, near, 1.0, 0.0);
    network.route(first, far, 1.0, 0.0);
    network.route(near, exit, 1.0, 0.0);
    network.route(far, exit, 1.0, 0.0);
    let outcome = run(network).outcome;
    assert_eq!(outcome.stations.facilities.iter().map(|station| station.serving).collect::<Vec<_>>(), [0, 1, 1]);
    // Who goes round makes room, but none for another class.
    let round = |servers: u32| {
        let mut network = Network::new().until(3.5);
        let [raw, made] = ["raw", "made"].map(|name| network.class(Class::new(name)));
        let desk = station("desk", 1.0).servers(servers).capacity(2).blocking().tokens(1);
        let desk =
            network.station(desk.class(ClassOfStation::new(made).service(law("constant:2")).capacity(1).tokens(1)));
        let exit = network.sink("exit");
        network.add_route(Route::new(desk, desk).class(raw).becomes(made));
        network.add_route(Route::new(desk, exit).class(made));
        simulate(&model(network), &mut unwatched()).map(|run| run.outcome.classes)
    };
    let two = round(2).expect("a run");
    assert_eq!((two[0].blocked, two[1].record.completions, two[1].record.arrivals), (UNIT, 1, 1));
    match round(1) {
        Err(QueueingError::Deadlock { clock, cycle }) => assert_eq!((clock, cycle.as_str()), (1.0, "desk -> desk")),
        other => panic!("{other:?}"),
    }
    // Tokens that change places take each other's.
    let mut network = Network::new();
    let class = network.class(Class::new("few"));
    let desk = station("desk", 1.0).capacity(2).exchanging().class(ClassOfStation::new(class).capacity(1).tokens(1));
    let desk = network.station(desk);
    network.route(desk, desk, 1.0, 0.0);
    let said = network.check().expect_err("an exchange").to_string();
    assert!(
        said.contains("'desk': the capacity of a class is 1; it must be left out, as tokens that change"),
        "{said}"
    );
}

/// One unit in front of a server that all share is that server's line.
#[test]
fn one_at_a_time_does_not_share() {
    let queue = |shares: bool| {
        let mut network = Network::new().until(2000.0);
        let desk = Station::new("desk", law("exponential:1"));
        let desk = if shares {
            let place = network.resource("place", 1);
            desk.discipline(Discipline::Sharing).seizes(place, 1).seizes_at_arrival().releases(place, 1)
        } else {
            desk
        };
        let desk = network.station(desk);
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:1.5"), desk));
        network.route(desk, exit, 1.0, 0.0);
        let outcome = run(network).outcome;
        (outcome.sinks, outcome.stations.facilities[0].presence)
    };
    assert_eq!(queue(true), queue(false));
}

/// Copies that wait for each other count where the number present sets the speed.
#[test]
fn copies_that_wait_count_for_the_speed() {
    let mut network = Network::new().until(12.0);
    let split = network.station(station("split", 1.0).routing(Routing::Fork).tokens(1));
    let long = network.station(station("long", 10.0));
    let join = network.station(station("join", 4.0).joining().speeds(vec![1.0, 2.0]).tokens(1));
    let exit = network.sink("exit");
    for (from, to) in [(split, join), (split, long), (long, join)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(join, exit, 1.0, 0.0);
    // The token of time 0 is alone until 1, and leaves at 2.5; a copy waits from 1 to 11, when both are one.
    let join = run(network).outcome.stations.facilities[2];
    assert_eq!((join.presence * 2 / UNIT, join.completions), (5 + 20 + 2, 1));
}

//! Servers that come when the line is long, and go when it is short.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, Discipline, Source, Standby, Station};

/// The time for which servers are away, by the measured time.
fn away(outcome: &NetworkOutcome) -> f64 {
    units(outcome.absent[0]) / outcome.stations.measured()
}

fn desk(station: Station, interval: &str) -> Network {
    let mut network = Network::new().warmup(200.0).until(30_200.0);
    let desk = network.station(station);
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("in", law(interval), desk));
    network
}

/// Three servers, and a fourth from six waiting until none waits.
#[test]
fn a_fourth_server_comes_where_six_wait() {
    let chain = Chain::new((0, false), |(present, fourth): (u32, bool)| {
        let more = (present + 1).min(400);
        let up = ((more, fourth || more - 3.min(more) >= 6), 2.8);
        let less = present.saturating_sub(1);
        let down = ((less, fourth && less > 3), f64::from(present.min(if fourth { 4 } else { 3 })));
        [up, down].into_iter().filter(|(to, rate)| to.0 != present && *rate > 0.0).collect()
    });
    let (present, there) = (chain.mean(|(present, _)| f64::from(present)), chain.share(|(_, fourth)| fourth));
    // What an independent program has.
    assert!((present - 4.79256).abs() < 1e-4 && (there - 0.264977).abs() < 1e-5, "{present} {there}");
    let standby = Standby { servers: 1, comes_at: 6, goes_at: 0 };
    let station = Station::new("desk", law("exponential:1")).servers(4).standby(standby);
    assert_figures(
        &desk(station, "exponential:0.35714285714286"),
        &[("present", present, &|one| mean_present(one, 0)), ("away", 1.0 - there, &away)],
    );
}

/// One server that begins once three wait, and works until nobody does (the N policy: M. Yadin and P. Naor, 1963): (N - 1) / 2 more are present
/// than with a server that is always there.
#[test]
fn a_server_waits_for_three() {
    let standby = Standby { servers: 1, comes_at: 3, goes_at: 0 };
    let station = Station::new("desk", law("exponential:0.6")).standby(standby);
    let present = 0.6 / 0.4 + 1.0;
    let network = desk(station, "exponential:1");
    assert_figures(&network, &[("present", present, &|one| mean_present(one, 0)), ("away", 0.4, &away)]);
}

/// Two come at once, and go while one still waits: by hand.
#[test]
fn servers_come_and_go_together() {
    let mut network = Network::new().warmup(2.0).until(20.0);
    let standby = Standby { servers: 2, comes_at: 3, goes_at: 1 };
    let desk = network.station(Station::new("desk", law("constant:6")).servers(3).standby(standby));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("in", law("constant:1"), desk).limit(5));
    let outcome = run(network).outcome;
    // One is served from 1 on; at 4 three wait, and two of them are served. At 7 two wait: one of them is served, and nobody goes. At 10 one waits, and two
    // go, though two services end: one server goes on. The fifth is served from 13 on.
    assert_eq!(outcome.stations.facilities[0].waiting / UNIT, 2 + 1 + 3 + 8);
    assert_eq!(outcome.absent[0] / UNIT, 2 * (2 + 10));
}

/// A fourth server that takes a while to come, whether it is still needed or not.
#[test]
fn a_fourth_server_starts_up() {
    // How many are there; whether the fourth is away, on its way or there.
    let chain = Chain::new((0, 0), |(present, fourth): (u32, u32)| {
        let (more, less) = ((present + 1).min(300), present.saturating_sub(1));
        let at_work = if fourth == 2 { 4 } else { 3 };
        let called = if fourth == 0 && more >= 3 + 4 { 1 } else { fourth };
        let gone = if fourth == 2 && less <= 3 { 0 } else { fourth };
        let all = [
            ((more, called), 2.8),
            ((less, gone), f64::from(present.min(at_work))),
            ((present, 2), if fourth == 1 { 0.5 } else { 0.0 }),
        ];
        all.into_iter().filter(|(to, rate)| *rate > 0.0 && *to != (present, fourth)).collect()
    });
    let (present, there) = (chain.mean(|(present, _)| f64::from(present)), chain.share(|(_, fourth)| fourth == 2));
    let standby = Standby { servers: 1, comes_at: 4, goes_at: 0 };
    let station = Station::new("desk", law("exponential:1")).servers(4).standby(standby);
    let network = desk(station.standby_starts_in(law("exponential:2")), "exponential:0.35714285714286");
    assert_figures(&network, &[("present", present, &|one| mean_present(one, 0)), ("away", 1.0 - there, &away)]);
}

#[test]
fn what_does_not_go_with_standby_is_refused() {
    let refused = |standby: (u32, u32, u32), change: &dyn Fn(Station) -> Station| {
        let mut network = Network::new();
        network.class(Class::new("only"));
        let (servers, comes_at, goes_at) = standby;
        let station = Station::new("desk", law("exponential:1")).standby(Standby { servers, comes_at, goes_at });
        let desk = network.station(change(station));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let mut network = Network::new();
    let alone = network.station(Station::new("desk", law("exponential:1")).standby_starts_in(law("constant:1")));
    network.route(alone, alone, 1.0, 0.0);
    let said = network.check().expect_err("nobody on standby").to_string();
    assert!(said.contains("constant:1; it must be left out, as none are on standby"), "{said}");
    for (said, standby, change) in [
        (
            "the number of servers on standby is 2; it must be from 1 to 1",
            (2, 3, 0),
            &(|station| station) as &dyn Fn(Station) -> Station,
        ),
        ("standby go is 3; it must be fewer than those at which they come (3)", (1, 3, 3), &|station| station),
        ("standby come is 3; it must be 2 or less", (1, 3, 0), &|station| station.capacity(2)),
        ("the law of vacations is given; it must be left out", (1, 3, 0), &|station| {
            station.vacations(law("constant:1"))
        }),
        ("preemptive is true; it must be left out", (1, 3, 0), &|station| {
            station.discipline(Discipline::PreemptiveShortestJob)
        }),
    ] {
        let found = refused(standby, change);
        assert!(found.contains(said), "{found}");
    }
}

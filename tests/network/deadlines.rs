//! Patience that runs on in services, and patience by what tokens carry.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present};
use super::*;
use tickless::queueing::{Attribute, Discipline, ServerGroup, Source, Station};

/// Two servers, and who has been there for too long leaves, served or not: the chain of the number there.
#[test]
fn patience_ends_amid_services() {
    let (arrivals, patience) = (2.4, 0.2);
    let chain = Chain::new(0, |present: u32| {
        let up = ((present + 1).min(200), arrivals);
        let down = (present.saturating_sub(1), f64::from(present.min(2)) + patience * f64::from(present));
        [up, down].into_iter().filter(|(to, rate)| *to != present && *rate > 0.0).collect()
    });
    let present = chain.mean(f64::from);
    let gone = patience * present / arrivals;
    // What an independent program has.
    assert!((present - 3.61092).abs() < 1e-4 && (gone - 0.300901).abs() < 1e-5, "{present} {gone}");
    let station = || Station::new("desk", law("exponential:1")).patience(law("exponential:5"), None).patience_runs_on();
    let group = |name: &str| ServerGroup::new(name, 1);
    for station in [station().servers(2), station().group(group("a")).group(group("b"))] {
        let mut network = Network::new().warmup(200.0).until(20_200.0);
        let desk = network.station(station);
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:0.41666666666667"), desk));
        let share = |outcome: &NetworkOutcome| {
            let class = &outcome.classes[0];
            (class.reneged + class.abandoned) as f64 / class.record.arrivals as f64
        };
        assert_figures(&network, &[("present", present, &|one| mean_present(one, 0)), ("gone", gone, &share)]);
    }
}

/// A deadline for the whole stay, over two stations: by hand.
#[test]
fn a_deadline_counts_from_the_source() {
    let of = |from_source: bool| {
        let mut network = Network::new().until(60.0);
        let due = network.attribute(Attribute::new("due", law("constant:5")));
        let [late, out] = ["late", "out"].map(|name| network.sink(name));
        let station =
            |name: &str| Station::new(name, law("constant:2")).patience(law("constant:50"), Some(late.into()));
        let first = network.station(station("first").patience_by(due, 1.0, from_source));
        let second = station("second").patience_by(due, 1.0, from_source).patience_runs_on();
        let second = network.station(second);
        network.route(first, second, 1.0, 0.0);
        network.route(second, out, 1.0, 0.0);
        network.source(Source::new("in", law("constant:1"), first).limit(3));
        let outcome = run(network).outcome;
        let classes = [0, 1].map(|place| (outcome.classes[place].reneged, outcome.classes[place].abandoned));
        (classes, outcome.sinks[0].tokens, outcome.sinks[0].sojourn / UNIT)
    };
    // At the first until 3, 5 and 7, at the second until 5, 7 and 9; the third is late at 8, and the second one is not.
    assert_eq!(of(true), ([(0, 0), (0, 1)], 1, 5));
    assert_eq!(of(false), ([(0, 0), (0, 0)], 0, 0));
}

/// Patience tied to the token's own service.
#[test]
fn patience_is_a_multiple_of_the_service() {
    let mut network = Network::new().until(60.0);
    let size = network.attribute(Attribute::new("size", law("constant:4")));
    let station = Station::new("desk", law("constant:1")).service_by(size, 1.0).patience(law("constant:1"), None);
    let desk = network.station(station.patience_by(size, 1.5, false));
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("in", law("constant:1"), desk).limit(4));
    let outcome = run(network).outcome;
    // Served from 1 to 5, 5 to 9; those of 3 and 4 give up at 9 and 10: the first of these when the server is free.
    assert_eq!((outcome.classes[0].record.completions, outcome.classes[0].reneged), (3, 1));
}

#[test]
fn what_does_not_go_with_deadlines_is_refused() {
    let refused = |change: &dyn Fn(Station) -> Station| {
        let mut network = Network::new();
        let station = Station::new("desk", law("exponential:1")).patience_runs_on();
        let desk = network.station(change(station));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let patient = |station: Station| station.patience(law("constant:3"), None);
    for (said, change) in [
        (
            "whether patience runs on in a service is true; it must be false, as nobody",
            &(|station: Station| station) as &dyn Fn(Station) -> Station,
        ),
        ("services are interrupted there", &|station| patient(station).discipline(Discipline::PreemptiveShortestJob)),
        ("servers fail there", &|station| patient(station).failures(law("constant:1"), law("constant:1"))),
        ("servers set up or go away there", &|station| patient(station).setup(law("constant:1"))),
        ("a server serves several tokens at once there", &|station| {
            patient(station).group(ServerGroup::new("oven", 1).batch_most(2))
        }),
    ] {
        let found = refused(change);
        assert!(found.contains(said), "{found}");
    }
}

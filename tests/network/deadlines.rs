//! Patience that runs on in services, and patience by what tokens carry.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present};
use super::*;
use tickless::queueing::{
    Attribute, Costs, CostsOf, Destination, Discipline, Figures, Route, ServerGroup, Source, Station,
};

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

/// Services are abandoned in a network that blocks elsewhere, and cost what those cost that give up; the ways say how many went.
#[test]
fn services_are_abandoned_beside_blocking() {
    let mut network = Network::new().until(60.0);
    let late = network.sink("late");
    let out = network.sink("out");
    let station = Station::new("desk", law("constant:2")).patience(law("constant:1"), Some(late.into()));
    let costs = Costs { reneged: 10.0, ..Costs::default() };
    let desk = network.station(station.patience_runs_on().targets(vec![3.0]).costs(costs));
    let first = network.station(Station::new("first", law("constant:1")));
    let behind = network.station(Station::new("behind", law("constant:2")).capacity(1).blocking());
    for (from, to) in [(first, behind.into()), (behind, out.into()), (desk, Destination::from(out))] {
        network.add_route(Route::new(from, to));
    }
    network.source(Source::new("in", law("constant:10"), desk));
    network.source(Source::new("others", law("constant:3"), first));
    let model = model(network);
    let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let outcome = &run.outcome[0];
    assert_eq!((outcome.classes[0].abandoned, outcome.sinks[0].tokens), (5, 5));
    assert_eq!(model.cost(CostsOf::Everything, &run.outcome).map(|cost| cost.mean), Some(50.0 / 60.0));
    let within = Figures::of_station(&model, desk.index(), &run.outcome);
    assert_eq!((within.throughput.mean, within.reneging_probability.map(|share| share.mean)), (0.0, Some(1.0)));
}

/// Deadlines that have passed send a token round two stations without end.
#[test]
fn passed_deadlines_do_not_go_round_for_ever() {
    let mut network = Network::new().until(60.0);
    let due = network.attribute(Attribute::new("due", law("constant:1")));
    let out = network.sink("out");
    let second = network.station(Station::new("second", law("constant:50")).patience_by(due, 1.0, true));
    let first = Station::new("first", law("constant:50")).patience(law("constant:1"), Some(second.into()));
    let first = network.station(first.patience_by(due, 1.0, true));
    for station in [first, second] {
        network.route(station, out, 1.0, 0.0);
    }
    network.source(Source::new("in", law("constant:1"), first));
    let mut circle = Network::from_toml(
        "until = 60\n[[attribute]]\nname = 'due'\nlaw = 'constant:1'\n[[sink]]\nname = 'out'\n[[source]]\nname = 'in'\n\
         interval = 'constant:1'\nto = 'a'\n[[station]]\nname = 'a'\nservice = 'constant:50'\npatience = 'attribute:due'\n\
         patience_from = 'source'\nreneges_to = 'b'\n[[station]]\nname = 'b'\nservice = 'constant:50'\n\
         patience = 'attribute:due'\npatience_from = 'source'\nreneges_to = 'a'\n[[route]]\nfrom = 'a'\nto = 'out'\n[[route]]\n\
         from = 'b'\nto = 'out'\n",
    )
    .expect("a network");
    circle = circle.seed(3);
    let of = |network: &Network| {
        let run = queueing::run(&model(network.clone()), 0..1, Target::Heap, Default::default(), &mut unwatched());
        run.map(|run| run.outcome[0].classes[1].reneged)
    };
    // Where the second leads out of the network, all but one give up there.
    assert!(of(&network).is_ok_and(|reneged| reneged > 50));
    assert!(matches!(of(&circle), Err(QueueingError::StandsStill { .. })));
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
            "runs on in a service (patience_until) is true; it must be false, as nobody",
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

//! Classes, disciplines and patience: against networks without them, by hand, and what is refused.

use super::multiclass_random::{Uses, network_of};
use super::*;
use tickless::queueing::{
    Class, ClassId, ClassOfStation, ClassRecord, Discipline, Distributions, ForkRecord, NetworkError, Route, Shifts,
    Source, Station, StationId,
};

/// Everything but the records of classes.
fn without_classes(outcome: &NetworkOutcome) -> NetworkOutcome {
    let of_all = |all: &Distributions| {
        let all = all.clone();
        Box::new(Distributions { classes: vec![], class_sinks: vec![], class_sink_targets: vec![], ..all })
    };
    let distributions = outcome.distributions.as_deref().map(of_all);
    NetworkOutcome { classes: vec![], class_sinks: vec![], distributions, ..outcome.clone() }
}

/// A network with one class that has a name is the network without.
#[test]
fn one_class_is_none() {
    for number in 0..200 {
        let mut network = random::network(number).window(0.0);
        if number % 3 == 0 {
            network = network.distributions(tickless::queueing::Observed::All);
        }
        let plain = run(network.clone());
        network.class(Class::new("all"));
        let multiclass = run(network.clone());
        assert_eq!(without_classes(&multiclass.outcome), plain.outcome, "network {number}");
        let facilities = plain.outcome.stations.facilities.iter();
        for (place, (station, class)) in facilities.zip(&multiclass.outcome.classes).enumerate() {
            assert_eq!(*station, class.record, "network {number}, station {place}");
        }
        assert_eq!(multiclass.outcome.class_sinks, plain.outcome.sinks, "network {number}");
        if let Some(recorded) = multiclass.outcome.distributions {
            assert_eq!(
                (recorded.classes, recorded.class_sinks),
                (recorded.stations, recorded.sinks),
                "network {number}"
            );
        }
        assert_eq!((multiclass.events, multiclass.clock), (plain.events, plain.clock), "network {number}");
    }
}

/// A station with sources of several classes, each with this mean interval, and a way out.
pub fn single(station: Station, classes: &[(ClassId, f64)], mut network: Network) -> (Network, StationId) {
    let desk = network.station(station);
    let exit = network.sink("exit");
    for (class, interval) in classes {
        let law = law(&format!("exponential:{interval}"));
        network.source(Source::new(format!("in {}", class.index()), law, desk).class(*class));
    }
    network.route(desk, exit, 1.0, 0.0);
    (network.warmup(1000.0).until(13_000.0), desk)
}

pub fn two_classes() -> (Network, [ClassId; 2]) {
    let mut network = Network::new();
    let first = network.class(Class::new("first").priority(0));
    let second = network.class(Class::new("second").priority(3));
    (network, [first, second])
}

/// By hand: two servers until 10, none until 14, then one. The services of 9 and 9.5 stay, or are interrupted.
#[test]
fn shifts_by_hand() {
    let sojourns = |shifts: Shifts| {
        let mut network = Network::new().until(40.0);
        let desk = network.station(Station::new("desk", law("constant:4")).shifts(shifts));
        let exit = network.sink("exit");
        for (name, start) in [("first", 8.0), ("second", 8.5), ("third", 9.0)] {
            network.source(Source::new(name, law("constant:1"), desk).start(start).limit(1));
        }
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().expect("a model");
        let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
        let figures = queueing::Figures::of_station(&model, 0, std::slice::from_ref(&outcome));
        // On duty: 2 x 10 and 26.
        let scheduled = figures.scheduled_utilization.expect("there are shifts").mean;
        assert!((scheduled - 12.0 / 46.0).abs() < 1e-9, "{figures:?}");
        assert!((figures.mean_busy.mean - 12.0 / 40.0).abs() < 1e-9 && figures.utilization.is_none(), "{figures:?}");
        (outcome.sinks[0].sojourn as f64 / UNIT as f64, outcome.classes[0].preemptions)
    };
    let shifts = || Shifts::new(vec![(0.0, 2), (10.0, 0), (14.0, 1)]);
    // From 9 to 13, from 9.5 to 13.5, and from 14 to 18.
    assert_eq!(sojourns(shifts()), (4.0 + 4.0 + 8.0, 0));
    // From 14 on what is left of the first (until 17) and of the second (until 20.5), then the third (until 24.5).
    assert_eq!(sojourns(shifts().interrupting()), (8.0 + 11.0 + 14.5, 2));
}

/// Each of two stations waits for the other's room.
#[test]
fn a_deadlock_is_named() {
    let mut network = Network::new().until(1000.0);
    let [a, b] =
        ["a", "b"].map(|name| network.station(Station::new(name, law("constant:1")).capacity(1).blocking().tokens(1)));
    network.route(a, b, 1.0, 0.0);
    network.route(b, a, 1.0, 0.0);
    let model = network.check().expect("a model");
    match simulate(&model, &mut unwatched()).map(|_| ()) {
        Err(QueueingError::Deadlock { clock: 1.0, cycle }) => assert_eq!(cycle, "b -> a -> b"),
        other => panic!("{other:?}"),
    }
}

/// Who is expected at a station that blocks, and does not join it, is expected nowhere else: tokens come at 1, 2, ..., 9.
#[test]
fn who_balks_where_it_is_expected_goes_on() {
    let mut network = Network::new().until(12.5);
    let other = network.station(Station::new("other", law("constant:1")).capacity(5).blocking());
    let picky = Station::new("picky", law("constant:1")).capacity(1).blocking().balking(vec![1.0], Some(other.into()));
    let picky = network.station(picky);
    let desk = network.station(Station::new("desk", law("constant:0.5")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), desk).limit(9));
    network.route(desk, picky, 1.0, 0.0);
    [other, picky].into_iter().for_each(|id| network.route(id, exit, 1.0, 0.0));
    let outcome = run(network).outcome;
    assert_eq!((outcome.sinks[0].tokens, outcome.classes[1].balked, outcome.classes[0].record.losses), (9, 9, 0));
}

/// A token is seen twice, the second time as another class by another law; a closed class goes around beside it.
#[test]
fn classes_change_on_routes() {
    let mut network = Network::new().until(100.0);
    let [new, back, inside] = ["new", "back", "inside"].map(|name| network.class(Class::new(name)));
    let desk = Station::new("desk", law("constant:1"))
        .servers(2)
        .class(ClassOfStation::new(back).service(law("constant:3")))
        .class(ClassOfStation::new(inside).service(law("constant:5")).tokens(1));
    let desk = network.station(desk);
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:10"), desk).class(new).limit(4));
    network.add_route(Route::new(desk, desk).class(new).becomes(back).delay(2.0));
    network.add_route(Route::new(desk, exit).class(back));
    network.add_route(Route::new(desk, desk).class(inside));
    let outcome = run(network).outcome;
    let figures = |class: ClassId| {
        let record = outcome.classes[class.index() as usize].record;
        (record.arrivals, record.completions, record.busy >> 32)
    };
    assert_eq!(figures(new), (4, 4, 4));
    assert_eq!(figures(back), (4, 4, 12));
    assert_eq!(figures(inside), (19, 19, 100));
    // By sink and class.
    assert_eq!(outcome.class_sinks.iter().map(|sink| sink.tokens).collect::<Vec<_>>(), [0, 4, 0]);
    assert_eq!(outcome.class_sinks[1].sojourn >> 32, 4 * 6);
}

/// By hand: an interrupted service goes on where it was.
#[test]
fn an_interruption_by_hand() {
    let (mut network, [first, second]) = two_classes();
    let desk = network.station(Station::new("desk", law("constant:4")).preemptive());
    let exit = network.sink("exit");
    network.source(Source::new("slow", law("constant:1"), desk).class(second).limit(1));
    network.source(Source::new("fast", law("constant:3"), desk).class(first).limit(1));
    network.route(desk, exit, 1.0, 0.0);
    // The second class from 1 to 3 and from 7 to 9.
    let outcome = run(network.until(20.0)).outcome;
    assert_eq!(outcome.class_sinks.iter().map(|sink| sink.sojourn >> 32).collect::<Vec<_>>(), [4, 8]);
    let record = outcome.classes[1];
    assert_eq!((record.preemptions, record.record.waiting >> 32, record.record.starts), (1, 4, 1));
}

/// Tokens are where they can be, in random networks of everything.
#[test]
fn tokens_are_conserved() {
    for number in 0..150 {
        let uses = Uses::of(number);
        let (network, used) = network_of(number, uses);
        let model = network.check().unwrap_or_else(|error| panic!("{number}: {error}"));
        let outcome = match simulate(&model, &mut unwatched()) {
            Err(QueueingError::Deadlock { .. } | QueueingError::Apart { .. } | QueueingError::Stuck { .. }) => continue,
            run => run.expect("a run").outcome,
        };
        let classes = || outcome.classes.iter();
        let there = outcome.tokens();
        let sent: u64 = outcome.sources.iter().sum();
        let left: u64 = outcome.sinks.iter().map(|sink| sink.tokens).sum();
        // Copies are tokens that no source sent, and who is joined, or goes into a kit, is one with another.
        let ForkRecord { copies, joined } = outcome.forks.unwrap_or_default();
        let (begun, ended) = (outcome.tokens_before + sent + copies, there + left + joined);
        // Those that balk or renege may go somewhere else, and who finds no room where a station says so.
        let lost: u64 = classes().map(|class| class.record.losses).sum();
        let gone = if used.contains("full_to") { 0 } else { lost };
        let given_up: u64 = classes().map(|class| class.balked + class.reneged + class.abandoned).sum();
        assert!(
            begun >= ended + gone && begun <= ended + lost + given_up,
            "{number}: {begun} {ended} {lost} {given_up}"
        );
        if model.warmup() == tickless::time::Time::ZERO {
            for class in classes() {
                let r = class.record;
                assert!(r.starts == r.completions + r.serving + paused(class), "{number}: {class:?}");
            }
        }
    }
}

/// Tokens that wait for the rest of their service.
fn paused(class: &ClassRecord) -> u64 {
    class.record.starts - class.record.completions - class.record.serving
}

/// Two stations that send each other everybody, at once, for ever.
#[test]
fn balking_without_end_is_an_error() {
    let mut network = Network::new();
    let ids = [0, 1].map(|station| network.later(station));
    network.station(Station::new("a", law("constant:1")).balking(vec![1.0], Some(ids[1].into())));
    network.station(Station::new("b", law("constant:1")).balking(vec![1.0], Some(ids[0].into())));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), ids[0]));
    ids.iter().for_each(|id| network.route(*id, exit, 1.0, 0.0));
    let model = network.check().expect("a model");
    let error = simulate(&model, &mut unwatched()).map(|_| ()).expect_err("an error");
    assert!(matches!(error, QueueingError::StandsStill { clock: 1.0, .. }), "{error}");
}

/// A law that is wrong has the name of its key, and not that of services.
#[test]
fn laws_are_named_by_their_keys() {
    let wrong = || tickless::random::ServiceLaw::Constant { time: -1.0 };
    let desk = || Station::new("desk", law("constant:1")).tokens(1);
    for (station, key) in [
        (Station::new("desk", wrong()).tokens(1), "service"),
        (desk().patience(wrong(), None), "patience"),
        (desk().setup(wrong()), "setup"),
        (desk().vacations(wrong()), "vacation"),
        (desk().failures(law("constant:1"), wrong()), "failures"),
    ] {
        let mut network = Network::new();
        let desk = network.station(station);
        network.route(desk, desk, 1.0, 0.0);
        let said = network.check().expect_err(key).to_string();
        assert!(
            said.starts_with(&format!("station 'desk', `{key}`: law 'constant:-1': the time is -1; it must")),
            "{said}"
        );
    }
}

/// What does not go with classes is said.
#[test]
fn refusals_name_what_is_wrong() {
    let (network, [first, _]) = two_classes();
    let (network, desk) = single(Station::new("desk", law("exponential:1")), &[(first, 2.0)], network);
    let said = |network: Network| network.check().expect_err("an error").to_string();
    assert!(said(network.clone().window(0.5)).contains("have different priorities"));
    assert!(said(network.clone().tokens(5)).contains("each station its tokens by class"));
    let mut other = network.clone();
    other.add_route(Route::new(desk, desk).class(first).probability(0.5));
    assert!(said(other).contains("'desk', class 'first' have probabilities that add up to 0.5"));
    let mut other = Network::new();
    other.class(Class::new("a"));
    other.class(Class::new("a"));
    let desk = other.station(Station::new("desk", law("constant:1")).tokens(1));
    other.route(desk, desk, 1.0, 0.0);
    assert_eq!(other.check().expect_err("an error"), NetworkError::Name { name: "a".into() });
    let (mut other, desk) = single(Station::new("desk", law("exponential:1")), &[], Network::new());
    let id = two_classes().1[1];
    other.source(Source::new("in", law("exponential:2"), desk).class(id));
    other.class(Class::new("only"));
    assert!(matches!(other.check(), Err(NetworkError::Foreign { what: "class", number: 1 })));
    let mut other = Network::new();
    let desk = other.station(Station::new("desk", law("constant:1")).tokens(1).balking(vec![0.5, 1.5], None));
    other.route(desk, desk, 1.0, 0.0);
    assert!(said(other).contains("a probability of balking is 1.5; it must be from 0 to 1"));
    // As many as no number holds, of two classes of one station.
    let mut other = Network::new();
    let only = other.class(Class::new("only"));
    let of_class = ClassOfStation::new(only).tokens(u32::MAX);
    let desk = other.station(Station::new("desk", law("constant:1")).tokens(u32::MAX).class(of_class));
    other.route(desk, desk, 1.0, 0.0);
    assert!(said(other).contains("the network has 4294967295 tokens at time 0; at most"));
    let infinite = || Station::new("desk", law("constant:1")).tokens(1).infinite_servers();
    let base = Network::new();
    let desk = base.later(0);
    for (station, part) in [
        (
            infinite().patience(law("constant:1"), None),
            "the number of servers is infinite; it must be a number, as it has patience",
        ),
        (infinite().preemptive(), "as it has preemption"),
        (Station::new("desk", law("constant:1")).tokens(1).preemptive(), "only a higher priority interrupts"),
        (
            Station::new("desk", law("constant:1")).discipline(Discipline::LastComePreemptive).preemptive(),
            "left out, as by such a discipline who comes interrupts as it is",
        ),
        (infinite().discipline(Discipline::Random), "as it has a discipline"),
        (infinite().failures(law("constant:1"), law("constant:1")), "as it has failures"),
        (infinite().balking(vec![1.0], Some(desk.into())), "the destination of those that balk is the station itself"),
        (Station::new("desk", law("constant:1")).tokens(1).blocking(), "the capacity is unlimited"),
    ] {
        let mut other = base.clone();
        let desk = other.station(station);
        other.route(desk, desk, 1.0, 0.0);
        let said = said(other);
        assert!(said.contains(part), "{said}");
    }
}

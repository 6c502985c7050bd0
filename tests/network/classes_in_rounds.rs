//! Networks of classes whose visits are known at the arrival: windows, and rounds on devices.

use super::devices::assert_same;
use super::*;
use crate::adapter;
use tickless::device::Device;
use tickless::queueing::{
    Class, ClassId, ClassOfStation, Discipline, NetworkError, Phases, Route, Routing, Shifts, SinkId, Source, Station,
    StationId, combined_digest,
};

/// Of software adapters, where each takes seconds to compile; GPUs run every one.
const FORMS: [&str; 2] = ["native", "words, no subgroups"];

/// What networks have beside classes with laws, routes and sources of their own.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// Several servers, or one for everybody, and limited capacity.
    servers: bool,
    /// Rates, phases, traces and batches.
    sources: bool,
    /// Round robin.
    turns: bool,
    /// Shifts, with some of several servers.
    shifts: bool,
}

const SETS: [Uses; 6] = [
    Uses { servers: false, sources: false, turns: false, shifts: false },
    Uses { servers: true, sources: true, turns: true, shifts: true },
    Uses { servers: true, sources: false, turns: false, shifts: false },
    Uses { servers: false, sources: true, turns: false, shifts: false },
    Uses { servers: false, sources: false, turns: true, shifts: false },
    Uses { servers: false, sources: false, turns: false, shifts: true },
];

/// Of every network one with a window, of every fourth one with the lookahead of its laws and delays alone.
const WINDOWS: [Option<f64>; 4] = [Some(0.05), Some(0.25), Some(0.9), None];

/// The network of a number, without a window.
fn network_of(number: u32, uses: Uses) -> Network {
    let mut stream = tickless::random::StreamKey::new(124, 0).stream(number);
    let pick = &mut |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
    let mut network = Network::new().until(f64::from(30 + pick(40))).seed(u64::from(pick(1000)));
    if pick(2) == 0 {
        network = network.warmup(f64::from(1 + pick(20)));
    }
    let classes: Vec<ClassId> =
        (0..1 + pick(4)).map(|place| network.class(Class::new(format!("c{place}")).priority(3))).collect();
    let laws = ["exponential:1.5", "constant:1", "uniform:1,2", "erlang:2,1", "hyperexponential:0.3,1,2"];
    let (mut ids, mut turns) = (vec![], vec![]);
    for place in 0..1 + pick(5) {
        let mut station = Station::new(format!("s{place}"), law(laws[pick(5) as usize])).tokens(pick(3));
        let mut is_single = true;
        if uses.servers && (place == 0 || pick(2) == 0) {
            is_single = false;
            station = if pick(3) == 0 { station.infinite_servers() } else { station.servers(1 + pick(3)) };
            if pick(2) == 0 {
                station = station.capacity(9 + pick(2));
            }
        } else if uses.shifts && pick(3) > 0 {
            // Often services end, and tokens come, where a shift begins.
            let shifts = Shifts::new(vec![(0.0, pick(2)), (f64::from(1 + pick(4)), 1 + pick(3)), (6.0, pick(3))]);
            station = station.shifts(if pick(3) > 0 { shifts.every(f64::from(7 + pick(9))) } else { shifts });
            is_single = false;
        }
        for class in &classes {
            if pick(3) > 0 {
                let of_class = ClassOfStation::new(*class).service(law(laws[pick(5) as usize]));
                station = station.class(of_class.tokens(pick(2)));
            }
        }
        turns.push(uses.turns && is_single && pick(3) > 0);
        ids.push(network.station(if turns.last() == Some(&true) {
            station.routing(Routing::RoundRobin)
        } else {
            station
        }));
    }
    let sinks = ["out", "exit"].map(|name| network.sink(name));
    for (place, by_turns) in turns.into_iter().enumerate() {
        ways((&mut network, &classes), (&ids, sinks), (place, by_turns), pick);
    }
    for (place, class) in classes.iter().enumerate() {
        let interval = law(["exponential:0.8", "constant:1", "exponential:4"][pick(3) as usize]);
        // Every station is reached from the first.
        let to = if place == 0 { ids[0] } else { ids[pick(ids.len() as u32) as usize] };
        let name = format!("in{place}");
        let kind = if uses.sources { pick(5) } else { 4 };
        let source = match kind {
            3 => Source::new(name, interval, to).batch(vec![0.5, 0.0, 0.25, 0.25]),
            4 => Source::new(name, interval, to),
            kind => multiclass_random::further(name, &classes, (to, kind > 0), &[], pick).0,
        };
        let source = source.start(f64::from(pick(3)));
        network.source(if pick(4) == 0 { source.limit(7) } else { source }.class(*class));
    }
    beside(&mut network, uses);
    network
}

/// Adds one of each that is used, so that all networks have the same kernels.
fn beside(network: &mut Network, uses: Uses) {
    let station = |name: &str| Station::new(name, law("constant:1")).tokens(2);
    let shifting = station("shifting").shifts(Shifts::new(vec![(0.0, 1), (3.0, 2)]));
    let phases = Phases::map(vec![vec![-1.0, 0.5], vec![1.0, -1.0]], vec![vec![0.5, 0.0], vec![0.0; 2]]);
    let all = [
        (uses.servers, station("pair").servers(2).capacity(3)),
        (uses.turns, station("turning").routing(Routing::RoundRobin)),
        (uses.shifts, shifting),
        (uses.sources, station("fed")),
    ];
    for (_, station) in all.into_iter().filter(|(is_used, _)| *is_used) {
        let id = network.station(station);
        network.add_route(Route::new(id, id));
        if uses.sources {
            network.source(Source::by_phases(format!("phases {}", id.index()), phases.clone(), id).limit(3));
        }
    }
}

/// Routes of all classes, and where some have their own, those.
fn ways(
    (network, classes): (&mut Network, &[ClassId]),
    (ids, sinks): (&[StationId], [SinkId; 2]),
    (place, by_turns): (usize, bool),
    pick: &mut impl FnMut(u32) -> u32,
) {
    let (id, next) = (ids[place], ids[(place + 1) % ids.len()]);
    let delay = |pick: &mut dyn FnMut(u32) -> u32| f64::from(pick(3)) * 0.5;
    let share = |route: Route, share: f64| if by_turns { route } else { route.probability(share) };
    network.add_route(share(Route::new(id, next), 0.6).delay(delay(pick)));
    network.add_route(share(Route::new(id, sinks[pick(2) as usize]), 0.4).delay(delay(pick)));
    for class in classes {
        if pick(3) > 0 {
            continue;
        }
        let becomes = classes[pick(classes.len() as u32) as usize];
        let other = ids[pick(ids.len() as u32) as usize];
        let change = Route::new(id, other).class(*class).becomes(becomes);
        network.add_route(share(change, 0.25).delay(delay(pick)));
        network.add_route(share(Route::new(id, next).class(*class), 0.5));
        let leaving = Route::new(id, sinks[pick(2) as usize]).class(*class).becomes(becomes);
        network.add_route(share(leaving, 0.25));
    }
}

/// A random network without classes, and the same with one.
fn with_and_without(number: u32) -> [NetworkModel; 2] {
    let network = random::network(number);
    let mut with = network.clone();
    with.class(Class::new("all"));
    [network, with].map(model)
}

/// A network of one class has the windows of one without, and the same records event by event.
#[test]
fn one_class_with_a_window_is_as_none() {
    for number in 0..120 {
        let [without, with] = with_and_without(number);
        assert_eq!((without.window(), without.lookahead()), (with.window(), with.lookahead()), "network {number}");
        let [expected, mut found] =
            [&without, &with].map(|model| simulate(model, &mut unwatched()).expect("a run").outcome);
        assert!(!std::mem::take(&mut found.classes).is_empty());
        found.class_sinks.clear();
        assert_same(&expected, &found, &format!("network {number}"));
    }
}

/// The records of rounds on a device, which are those of the heap event by event.
fn compare(device: &dyn Device, model: &NetworkModel, replications: Range<u32>, what: &str) {
    let expected = queueing::run(model, replications.clone(), Target::Heap, Default::default(), &mut unwatched());
    let options = by(Synchronization::Window, &Options::default());
    let found = replicate_on(model, replications, device, options, &mut unwatched());
    let (expected, found) = (expected.expect("a run"), found.unwrap_or_else(|e| panic!("{what}: {e}")));
    for (number, (expected, found)) in expected.outcome.iter().zip(&found.outcome).enumerate() {
        assert_same(expected, found, &format!("{what}, replication {number}"));
    }
    assert_eq!(combined_digest(&expected.outcome), combined_digest(&found.outcome), "{what}");
    let said = |run: &Run<Vec<NetworkOutcome>, NetworkDetails>| (run.events, run.clock, run.details.completions);
    assert_eq!(said(&expected), said(&found), "{what}");
    assert!(found.rounds.is_some_and(|rounds| rounds > 0), "{what}");
}

#[test]
fn random_networks_of_classes_in_rounds_are_the_same() {
    for (place, (form, device)) in adapter::forms(&FORMS).iter().enumerate() {
        // In software each form has the kernels of one.
        let sets = if adapter::in_software(device.as_ref()) { &SETS[place..=place] } else { &SETS[..] };
        let mut replicated = 0;
        for number in 0..48 * sets.len() as u32 {
            let network = network_of(number, sets[number as usize % sets.len()]);
            let network = match WINDOWS[number as usize / sets.len() % 4] {
                Some(window) => network.window(window),
                None => network,
            };
            let model = model(network);
            if model.lookahead() > tickless::time::Time::ZERO {
                let replications = if number % 5 == 0 { 2..5 } else { 0..1 };
                replicated += u32::from(replications.len() > 1);
                compare(device.as_ref(), &model, replications, &format!("{form}: network {number}"));
            }
        }
        assert!(replicated > 3, "{form}");
    }
}

/// A network of one class runs in rounds as one without does, with the same records; and tokens that come find places in a pool that
/// grows.
#[test]
fn one_class_in_rounds_is_as_none() {
    let mut with = Network::new().until(200.0).warmup(30.0);
    let [desk, back] = ["desk", "back"].map(|name| with.station(Station::new(name, law("constant:1.5"))));
    let exit = with.sink("exit");
    with.source(Source::new("in", law("exponential:0.4"), desk));
    with.source(Source::new("other", law("constant:0.5"), back));
    for (from, to) in [(desk, back), (back, desk)] {
        with.route(from, to, 0.5, 0.5);
        with.route(from, exit, 0.5, 0.0);
    }
    let without = model(with.clone());
    with.class(Class::new("all"));
    let with = model(with);
    let expected = simulate(&without, &mut unwatched()).expect("a run").outcome;
    for (form, device) in adapter::forms(&FORMS[..1]) {
        // Nobody asks for rounds: services are long enough.
        let mut found = simulate_on(&with, device.as_ref(), Default::default(), &mut unwatched()).expect("a run");
        assert!(found.rounds.is_some_and(|rounds| rounds < 150), "{form}: {:?}", found.rounds);
        found.outcome.classes.clear();
        found.outcome.class_sinks.clear();
        assert_same(&expected, &found.outcome, form);
    }
}

/// A batch that does not find places for all in the pool goes on where it stopped, once there are more.
#[test]
fn batches_find_room_in_parts() {
    let mut network = devices::overloaded().until(60.0).warmup(20.0).window(0.5);
    let class = network.class(Class::new("all"));
    let own = network.station(Station::new("own", law("exponential:1")).servers(2));
    let exit = network.sink("own exit");
    network.route(own, exit, 1.0, 0.5);
    let batch = [vec![0.0; 99], vec![1.0]].concat();
    network.source(Source::new("many", law("exponential:7"), own).batch(batch).class(class));
    beside(&mut network, SETS[1]);
    for (form, device) in adapter::forms(&FORMS[1..]) {
        compare(device.as_ref(), &model(network.clone()), 0..2, form);
    }
}

/// What a class did is in what is compared, and in the digest.
#[test]
fn one_value_of_a_class_is_a_difference() {
    let model = model(network_of(6, SETS[1]).window(0.25));
    let one = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let mut other = one.clone();
    let last = other.classes.len() - 1;
    other.classes[last].record.waiting += 1;
    assert!(one.first_difference(&other).is_some_and(|found| found.to_string().contains("waiting")));
    assert_ne!(one.digest(), other.digest());
    let mut other = one.clone();
    other.class_sinks[0].sojourn += 1;
    assert!(one.first_difference(&other).is_some_and(|found| found.to_string().contains("sojourn")));
    assert_ne!(one.digest(), other.digest());
}

/// Whose law a window shifts, or leaves as it is: those of classes that come to a station, by their own routes.
#[test]
fn windows_are_of_classes() {
    let mut network = Network::new();
    let [first, second] = ["first", "second"].map(|name| network.class(Class::new(name)));
    let desk = Station::new("desk", law("exponential:0.5")).class(ClassOfStation::new(first).tokens(1));
    let desk = desk.class(ClassOfStation::new(first).service(law("exponential:4")));
    let desk = network.station(desk);
    let back = network.station(Station::new("back", law("exponential:1")));
    network.add_route(Route::new(desk, back).class(first).delay(1.0));
    network.add_route(Route::new(back, desk).class(first).delay(0.25));
    for station in [desk, back] {
        // Nobody is of the second class, or the window would have to be shorter.
        network.add_route(Route::new(station, desk).class(second));
    }
    let lookahead = |window: f64| network.clone().window(window).check().map(|model| model.lookahead().units());
    assert_eq!([0.0, 0.25, 1.0, 1.125].map(|window| lookahead(window).expect("a window")), [0.25, 0.25, 1.0, 1.125]);
    let refused = lookahead(1.25).expect_err("too long a window");
    let said = "the window is 1.25; it must be 0 or more and below 1.25, which station 'back', class 'first' allows";
    assert_eq!(refused.to_string(), said);
    assert!(matches!(lookahead(-1.0), Err(NetworkError::Window { .. })));
    let model = model(network.clone().window(1.125));
    assert_eq!([0, 1].map(|station| model.shift(station).is_some()), [true, true]);
}

/// Each is named, of a window and of rounds that are asked for, with what to do; without either the network runs.
#[test]
fn what_no_round_foresees_is_named() {
    let desk = || Station::new("desk", law("exponential:2")).tokens(1);
    let network = |station: Station| {
        let mut network = Network::new().until(20.0);
        network.class(Class::new("all"));
        let (desk, other) = (network.station(station), network.station(Station::new("other", law("constant:2"))));
        network.add_route(Route::new(desk, other));
        network.add_route(Route::new(other, desk));
        network
    };
    let mut prior = network(desk());
    prior.class(Class::new("urgent").priority(1));
    let refused = [
        (prior, "classes 'all' and 'urgent' have different priorities"),
        (network(desk().discipline(Discipline::LastCome)), "station 'desk' has a discipline"),
        (
            network(desk().servers(2).routing(Routing::RoundRobin)),
            "station 'desk' has turns of services that end in any order (round robin)",
        ),
        (network(desk().routing(Routing::ShortestQueue)), "station 'desk' has a routing by what others do"),
        (
            network(desk().shifts(Shifts::new(vec![(0.0, 1)]).interrupting())),
            "station 'desk' has shifts whose end interrupts services",
        ),
        (network(desk().patience(law("constant:9"), None)), "station 'desk' has patience"),
        (network(desk().balking(vec![0.5], None)), "station 'desk' has balking"),
        (network(desk().speeds(vec![1.0, 2.0])), "station 'desk' has speeds"),
        (network(desk().capacity(2).blocking()), "station 'desk' has blocking"),
        (network(desk().failures(law("constant:9"), law("constant:1"))), "station 'desk' has failures"),
    ];
    for (network, what) in refused {
        let said = network.clone().window(0.5).check().expect_err("a refusal").to_string();
        assert!(said.contains(what) && said.ends_with("leave the window out, it runs event by event then"), "{said}");
        let model = model(network);
        assert_eq!(model.lookahead(), tickless::time::Time::ZERO);
        simulate(&model, &mut unwatched()).expect("a run");
        for (form, device) in adapter::forms(&FORMS[..1]) {
            let options = by(Synchronization::Window, &Options::default());
            let error = simulate_on(&model, device.as_ref(), options, &mut unwatched()).map(|_| ()).expect_err(form);
            assert!(matches!(&error, QueueingError::NoRounds { what: found } if found == what), "{form}: {error}");
        }
    }
}

/// A network with a window records distributions event by event, with the records that it has without.
#[test]
fn distributions_beside_classes_leave_the_window() {
    let plain = network_of(6, SETS[1]).window(0.25);
    let observed = plain.clone().distributions(tickless::queueing::Observed::All);
    let [plain, observed] = [plain, observed].map(model);
    assert_eq!(plain.lookahead(), observed.lookahead());
    let options = by(Synchronization::Window, &Options::default());
    let [expected, mut found] =
        [&plain, &observed].map(|model| simulate(model, &mut unwatched()).expect("a run").outcome);
    assert!(found.distributions.take().is_some());
    assert_same(&expected, &found, "with distributions");
    for (_, device) in adapter::forms(&FORMS[1..]) {
        let refused = replicate_on(&observed, 0..1, device.as_ref(), options, &mut unwatched()).map(|_| ());
        let said = refused.expect_err("no rounds").to_string();
        assert!(said.contains("as the network has distributions beside classes"), "{said}");
    }
}

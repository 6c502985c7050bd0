//! Classes, disciplines and patience: against networks without them, against theory, by hand, and what is refused.

use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{
    Class, ClassId, ClassOfStation, ClassRecord, Discipline, NetworkError, Rates, Route, Routing, Shifts, Source,
    Station, StationId,
};

/// Everything but the records of classes.
fn without_classes(outcome: &NetworkOutcome) -> NetworkOutcome {
    NetworkOutcome { classes: vec![], class_sinks: vec![], ..outcome.clone() }
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
        assert_eq!((multiclass.events, multiclass.clock), (plain.events, plain.clock), "network {number}");
    }
}

/// A station with sources of several classes, each with this mean interval, and a way out.
fn single(station: Station, classes: &[(ClassId, f64)], mut network: Network) -> (Network, StationId) {
    let desk = network.station(station);
    let exit = network.sink("exit");
    for (class, interval) in classes {
        let law = law(&format!("exponential:{interval}"));
        network.source(Source::new(format!("in {}", class.index()), law, desk).class(*class));
    }
    network.route(desk, exit, 1.0, 0.0);
    (network.warmup(1000.0).until(13_000.0), desk)
}

fn two_classes() -> (Network, [ClassId; 2]) {
    let mut network = Network::new();
    let first = network.class(Class::new("first").priority(0));
    let second = network.class(Class::new("second").priority(3));
    (network, [first, second])
}

fn wait_of(class: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| units(outcome.classes[class].record.waiting) / outcome.classes[class].record.starts as f64
}

/// Cobham 1954: with R the mean rest of a service, a class waits R / ((1 - load before it) (1 - load up to it)).
#[test]
fn priorities_wait_as_cobham_says() {
    let (network, [first, second]) = two_classes();
    let station = Station::new("desk", law("exponential:1"))
        .class(ClassOfStation::new(first).service(law("constant:0.5")))
        .class(ClassOfStation::new(second).service(law("exponential:1")));
    let (network, _) = single(station, &[(first, 1.25), (second, 10.0 / 3.0)], network);
    let network = network.until(41_000.0);
    let rest = 0.8 * 0.25 / 2.0 + 0.3 * 2.0 / 2.0;
    assert_figure(&network, "first", rest / 0.6, wait_of(0));
    assert_figure(&network, "second", rest / (0.6 * 0.3), wait_of(1));
}

/// With interruptions the first class sees only itself, and the second is in the system as long as (1 / m + R / (1 - load)) /
/// (1 - load before it).
#[test]
fn preemptive_priorities() {
    let (network, [first, second]) = two_classes();
    let (network, _) = single(
        Station::new("desk", law("exponential:1")).preemptive(),
        &[(first, 10.0 / 3.0), (second, 10.0 / 3.0)],
        network,
    );
    let present =
        |class: usize| move |o: &NetworkOutcome| units(o.classes[class].record.presence) / o.stations.measured();
    assert_figure(&network, "first", 0.3 / 0.7, present(0));
    assert_figure(&network, "second", 0.3 * (1.0 + 0.6 / 0.4) / 0.7, present(1));
    let run = run(network.clone());
    let [first, second] = [0, 1].map(|class| run.outcome.classes[class]);
    assert!(first.preemptions == 0 && second.preemptions > 1000 && second.record.busy > 0, "{first:?} {second:?}");
    // The time that a token is there is what it waits and what it is served, but for those that are there at the end.
    let sum = units(second.record.waiting) + units(second.record.busy);
    assert!((units(second.record.presence) / sum - 1.0).abs() < 0.01, "{second:?}");
}

/// Interrupted by the last arrival, a queue has as many tokens as with exponential services, whatever their law.
#[test]
fn last_come_preemptive_is_insensitive() {
    let station = |service: &str| Station::new("desk", law(service)).discipline(Discipline::LastComePreemptive);
    for service in ["hyperexponential:0.25,0.2,0.8666666667", "constant:0.7"] {
        let mut network = Network::new();
        let class = network.class(Class::new("all"));
        let (network, _) = single(station(service), &[(class, 1.0)], network);
        assert_figure(&network, service, 0.7 / 0.3, |outcome| mean_present(outcome, 0));
    }
}

/// Where all share a server there are as many as with exponential services, whatever their law, and a service takes 1 / (1 - load)
/// times as long; two servers serve one token no faster.
#[test]
fn sharing_is_insensitive() {
    let station = |service: &str| Station::new("desk", law(service)).discipline(Discipline::Sharing);
    let mut network = Network::new();
    let [short, long] = ["short", "long"].map(|name| network.class(Class::new(name)));
    let desk = station("constant:0.5").class(ClassOfStation::new(long).service(law("hyperexponential:0.25,0.4,2.2")));
    let (network, _) = single(desk, &[(short, 2.0), (long, 5.0)], network);
    let network = network.until(31_000.0);
    // Loads 0.25 and 0.35.
    assert_figure(&network, "present", 0.6 / 0.4, |outcome| mean_present(outcome, 0));
    let system = |class: usize| {
        move |o: &NetworkOutcome| {
            let record = o.classes[class].record;
            (units(record.waiting) + units(record.service)) / record.starts as f64
        }
    };
    assert_figure(&network, "short", 0.5 / 0.4, system(0));
    assert_figure(&network, "long", 1.75 / 0.4, system(1));
    let outcome = run(network).outcome;
    assert!((units(outcome.classes[1].record.busy) / outcome.stations.measured() - 0.35).abs() < 0.05);
    // By hand: at 1 and 2 come services of 2; from 2 on each has half until 4, then one has all of it until 5.
    let by_hand = |servers: u32| {
        let mut network = Network::new().until(20.0);
        let desk = network.station(station("constant:2").servers(servers));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("constant:1"), desk).limit(2));
        network.route(desk, exit, 1.0, 0.0);
        let outcome = run(network).outcome;
        (outcome.sinks[0].sojourn as f64 / UNIT as f64, outcome.classes[0].record.busy >> 32)
    };
    assert_eq!((by_hand(1), by_hand(2)), ((3.0 + 3.0, 4), (2.0 + 2.0, 4)));
}

/// Any order that does not look at services has the same mean wait; the shortest job first a shorter one.
#[test]
fn orders_of_service() {
    let with = |discipline| {
        let mut network = Network::new();
        let class = network.class(Class::new("all"));
        single(Station::new("desk", law("exponential:0.7")).discipline(discipline), &[(class, 1.0)], network)
            .0
            .until(26_000.0)
    };
    let wait = 0.7 * 0.7 / 0.3;
    for discipline in [Discipline::LastCome, Discipline::Random] {
        assert_figure(&with(discipline), discipline.name(), wait, wait_of(0));
    }
    // Phipps 1956: the integral over services x of the wait R / (1 - load of shorter ones)^2.
    let (mut shortest, step) = (0.0, 1e-4);
    for place in 0..200_000 {
        let x = (f64::from(place) + 0.5) * step;
        let load = 0.7 - (0.7 + x) * (-x / 0.7_f64).exp();
        shortest += step * (-x / 0.7_f64).exp() / 0.7 * 0.49 / (1.0 - load).powi(2);
    }
    assert_figure(&with(Discipline::ShortestJob), "sjf", shortest, wait_of(0));
}

/// Palm's queue (Erlang A): exponential patience, where the number present is a birth and death process.
#[test]
fn patience_as_in_erlang_a() {
    let mut network = Network::new();
    let class = network.class(Class::new("all"));
    let desk = Station::new("desk", law("exponential:2")).servers(3).patience(law("exponential:1.5"), None);
    let (network, _) = single(desk, &[(class, 0.5)], network);
    let (mut weights, mut weight) = (vec![1.0_f64], 1.0);
    for present in 1..200 {
        let rate = f64::from(present.min(3)) / 2.0 + f64::from((present - 3).max(0)) / 1.5;
        weight *= 2.0 / rate;
        weights.push(weight);
    }
    let all: f64 = weights.iter().sum();
    let queue: f64 = weights.iter().enumerate().skip(3).map(|(n, w)| (n - 3) as f64 * w / all).sum();
    let reneged = |outcome: &NetworkOutcome| outcome.classes[0].reneged as f64 / outcome.stations.measured();
    assert_figure(&network, "reneging rate", queue / 1.5, reneged);
    let run = run(network.clone());
    let ClassRecord { record, reneged, patience, .. } = run.outcome.classes[0];
    let waited = units(record.presence) - units(record.busy);
    assert!((units(record.waiting) + units(patience)) / waited - 1.0 < 0.01, "{record:?}");
    assert!(record.arrivals.abs_diff(record.completions + reneged) < 50 && record.losses == 0);
}

/// Who balks when somebody is there leaves a loss system; who balks half of the time one of a queue with half the arrivals.
#[test]
fn balking_by_the_number_present() {
    let mut network = Network::new();
    let class = network.class(Class::new("all"));
    let desk = Station::new("desk", law("exponential:1")).balking(vec![0.0, 0.5], None);
    let (network, _) = single(desk, &[(class, 1.0)], network);
    // Rates 1, then 1/2: p0 (1 + 1 + 1/2 + 1/4 + ...) = 1.
    assert_figure(&network, "present", 4.0 / 3.0, |outcome| mean_present(outcome, 0));
    let balked =
        |outcome: &NetworkOutcome| outcome.classes[0].balked as f64 / outcome.classes[0].record.arrivals as f64;
    assert_figure(&network, "balked", 1.0 / 3.0, balked);
}

/// M/G/infinity: the number present is the load, and its utilization.
#[test]
fn infinite_servers_serve_at_once() {
    let mut network = Network::new();
    let class = network.class(Class::new("all"));
    let (network, desk) = single(Station::new("desk", law("uniform:1,9")).infinite_servers(), &[(class, 0.5)], network);
    assert_figure(&network, "present", 10.0, |outcome| mean_present(outcome, 0));
    let model = network.check().expect("a model");
    let run = simulate(&model, &mut unwatched()).expect("a run");
    let figures = queueing::Figures::of_station(&model, desk.index(), std::slice::from_ref(&run.outcome));
    assert_eq!((figures.mean_waiting_time.mean, run.outcome.stations.facilities[0].queued), (0.0, 0));
    assert!((figures.utilization.mean - figures.mean_present.mean).abs() < 1e-9);
}

/// Infinite servers and arrivals by rates: the number present is the integral of the rates of those that are still served.
#[test]
fn rates_fill_infinite_servers() {
    let mut network = Network::new().warmup(1000.0).until(13_000.0);
    let desk = network.station(Station::new("desk", law("constant:5")).infinite_servers());
    let exit = network.sink("exit");
    // From 5 to 10 of each 20 time units there are 5 x 2 in the mean, from 15 to 20 there are none.
    network.source(Source::by_rates("in", Rates::new(vec![(0.0, 2.0), (10.0, 0.0)]).every(20.0), desk));
    network.route(desk, exit, 1.0, 0.0);
    assert_figure(&network, "present", 5.0, |outcome| mean_present(outcome, 0));
    let sent = |outcome: &NetworkOutcome| outcome.sources[0] as f64 / outcome.stations.measured();
    assert_figure(&network, "sent", 1.0, sent);
    let observed = run(network.distributions(tickless::queueing::Observed::All)).outcome;
    let present = &observed.distributions.as_ref().expect("distributions").stations[0].present;
    // Nobody is there for a quarter of the time and a little more, when nobody comes for a while.
    let idle = units(present[0]) / observed.stations.measured();
    assert!((0.25..0.32).contains(&idle), "{idle}");
}

/// Mitrany and Avi-Itzhak 1968: an M/M/1 whose server fails and is repaired by itself.
#[test]
fn failures_lengthen_the_queue() {
    let mut network = Network::new();
    let class = network.class(Class::new("all"));
    let desk = Station::new("desk", law("exponential:1")).failures(law("exponential:10"), law("exponential:2.5"));
    let (network, _) = single(desk, &[(class, 2.0)], network);
    let network = network.until(26_000.0);
    let (arrives, serves, fails, repairs) = (0.5, 1.0, 0.1, 0.4);
    let both: f64 = fails + repairs;
    let present = arrives * (both * both + serves * fails) / (both * (serves * repairs - arrives * both));
    assert_figure(&network, "present", present, |outcome| mean_present(outcome, 0));
}

/// Tokens come one or two at a time: M^[X]/M/1.
#[test]
fn batches_lengthen_the_queue() {
    let mut network = Network::new().warmup(1000.0).until(13_000.0);
    let desk = network.station(Station::new("desk", law("exponential:1")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:2.5"), desk).batch(vec![0.5, 0.5]));
    network.route(desk, exit, 1.0, 0.0);
    assert_figure(&network, "present", 0.6 / 0.4 * (2.5 + 1.5) / 3.0, |outcome| mean_present(outcome, 0));
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
        assert!((figures.utilization.mean - 12.0 / 46.0).abs() < 1e-9, "{figures:?}");
        (outcome.sinks[0].sojourn as f64 / UNIT as f64, outcome.classes[0].preemptions)
    };
    let shifts = || Shifts::new(vec![(0.0, 2), (10.0, 0), (14.0, 1)]);
    // From 9 to 13, from 9.5 to 13.5, and from 14 to 18.
    assert_eq!(sojourns(shifts()), (4.0 + 4.0 + 8.0, 0));
    // From 14 on what is left of the first (until 17) and of the second (until 20.5), then the third (until 24.5).
    assert_eq!(sojourns(shifts().interrupting()), (8.0 + 11.0 + 14.5, 2));
}

/// Two stations in a line, the second with room for one: blocking after service as a Markov chain has it.
#[test]
fn blocking_after_service() {
    let (arrives, first, second) = (0.5, 1.0, 0.8);
    let mut network = Network::new().warmup(1000.0).until(13_000.0);
    let a = network.station(Station::new("a", law("exponential:1")).capacity(3));
    let b = network.station(Station::new("b", law("exponential:1.25")).capacity(1).blocking());
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:2"), a));
    network.route(a, b, 1.0, 0.0);
    network.route(b, exit, 1.0, 0.0);
    // States: tokens at a (0 to 3), at b (0 or 1), whether a is blocked; by iteration of the balance.
    let index = |a: usize, b: usize, blocked: bool| 4 * (b + usize::from(blocked)) + a;
    let mut chances = vec![1.0 / 12.0; 12];
    for _ in 0..20_000 {
        let mut next = chances.clone();
        let mut flow = |from: usize, to: usize, rate: f64| {
            let moved = 0.1 * rate * chances[from];
            next[from] -= moved;
            next[to] += moved;
        };
        for here in 0..4 {
            for (there, blocked) in [(0, false), (1, false), (1, true)] {
                if blocked && here == 0 {
                    continue;
                }
                let state = index(here, there, blocked);
                if here < 3 {
                    flow(state, index(here + 1, there, blocked), arrives);
                }
                match (there, blocked) {
                    (0, _) if here > 0 => flow(state, index(here - 1, 1, false), first),
                    (1, false) => {
                        if here > 0 {
                            flow(state, index(here, 1, true), first);
                        }
                        flow(state, index(here, 0, false), second);
                    }
                    (1, true) => flow(state, index(here - 1, 1, false), second),
                    _ => {}
                }
            }
        }
        chances = next;
    }
    // No state has a token blocked at an empty station.
    let all: f64 = chances.iter().enumerate().filter(|(place, _)| *place != index(0, 1, true)).map(|(_, p)| p).sum();
    let of = |keep: &dyn Fn(usize, usize) -> f64| -> f64 {
        (0..12)
            .filter(|place| *place != index(0, 1, true))
            .map(|place| keep(place % 4, place / 4) * chances[place] / all)
            .sum()
    };
    assert_figure(&network, "at a", of(&|a, _| a as f64), |outcome| mean_present(outcome, 0));
    let blocked = |outcome: &NetworkOutcome| units(outcome.classes[0].blocked) / outcome.stations.measured();
    assert_figure(&network, "blocked", of(&|_, kind| f64::from(u8::from(kind == 2))), blocked);
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

/// Routing by turns, and to the shortest of two queues: by a chain of both lengths, cut where nobody comes.
#[test]
fn routing_that_looks_around() {
    let with = |routing: Routing, servers: [&str; 2]| {
        let mut network = Network::new().warmup(1000.0).until(41_000.0);
        let gate = network.station(Station::new("gate", law("constant:1e-6")).infinite_servers().routing(routing));
        let ways = servers.map(law).map(|law| (law.to_string(), law));
        let desks: Vec<_> = ways
            .into_iter()
            .enumerate()
            .map(|(place, (_, law))| network.station(Station::new(format!("d{place}"), law)))
            .collect();
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:1"), gate));
        for desk in &desks {
            network.route(gate, *desk, 1.0, 0.0);
            network.route(*desk, exit, 1.0, 0.0);
        }
        network
    };
    // Every second arrival: E2/M/1 with load 0.8: sigma solves sigma = (2 / (2 + 2 (1 - sigma) / 1.6 ...))^2.
    let network = with(Routing::RoundRobin, ["exponential:1.6", "exponential:1.6"]);
    let mut sigma = 0.5_f64;
    for _ in 0..1000 {
        sigma = (1.0 / (1.0 + (1.0 - sigma) / 1.6)).powi(2);
    }
    assert_figure(&network, "round robin", 0.8 / (1.0 - sigma), |outcome| mean_present(outcome, 1));
    // Join the shortest queue, ties to the first.
    let network = with(Routing::ShortestQueue, ["exponential:1.6", "exponential:1.6"]);
    const MOST: usize = 40;
    let mut chances = vec![vec![0.0; MOST]; MOST];
    chances[0][0] = 1.0;
    for _ in 0..6_000 {
        let mut next = chances.clone();
        for a in 0..MOST {
            for b in 0..MOST {
                let mut flow = |to: (usize, usize), rate: f64| {
                    let moved = 0.4 * rate * chances[a][b];
                    next[a][b] -= moved;
                    next[to.0][to.1] += moved;
                };
                let to = if a <= b { (a + 1, b) } else { (a, b + 1) };
                if to.0 < MOST && to.1 < MOST {
                    flow(to, 1.0);
                }
                if a > 0 {
                    flow((a - 1, b), 0.625);
                }
                if b > 0 {
                    flow((a, b - 1), 0.625);
                }
            }
        }
        chances = next;
    }
    let first: f64 = chances.iter().enumerate().map(|(a, row)| a as f64 * row.iter().sum::<f64>()).sum();
    assert_figure(&network, "shortest queue", first, |outcome| mean_present(outcome, 1));
    // Two of two are all of them but for what is drawn twice: between both.
    let present = |routing| {
        let outcome = run(with(routing, ["exponential:1.6", "exponential:1.6"])).outcome;
        mean_present(&outcome, 1) + mean_present(&outcome, 2)
    };
    let [all, of_two, random] = [Routing::ShortestQueue, Routing::ShortestOf(2), Routing::ShortestOf(1)].map(present);
    assert!(all < of_two && of_two < random, "{all} {of_two} {random}");
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
        let network = network_of(number, number % 2 == 1);
        let model = network.check().unwrap_or_else(|error| panic!("{number}: {error}"));
        let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
        let classes = || outcome.classes.iter();
        let there = outcome.tokens();
        let sent: u64 = outcome.sources.iter().sum();
        let left: u64 = outcome.sinks.iter().map(|sink| sink.tokens).sum();
        let (begun, ended) = (outcome.tokens_before + sent, there + left);
        // Those that balk or renege may go somewhere else.
        let lost: u64 = classes().map(|class| class.record.losses).sum();
        let given_up: u64 = classes().map(|class| class.balked + class.reneged).sum();
        assert!(
            begun >= ended + lost && begun <= ended + lost + given_up,
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

/// The network of a number, with some of everything; of what changes with time where that is asked for.
pub fn network_of(number: u32, changes: bool) -> Network {
    let mut stream = tickless::random::StreamKey::new(24, 0).stream(number);
    let mut pick = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
    let mut network = Network::new().until(f64::from(30 + pick(40))).seed(u64::from(pick(1000)));
    if pick(2) == 0 {
        network = network.warmup(f64::from(1 + pick(20)));
    }
    let classes: Vec<ClassId> =
        (0..1 + pick(3)).map(|place| network.class(Class::new(format!("c{place}")).priority(pick(3)))).collect();
    let laws = ["exponential:1.5", "constant:1", "uniform:0.5,2", "erlang:2,1"];
    let count = 1 + pick(4) as usize;
    let mut ids = vec![];
    let sinks = [network.sink("out"), network.sink("lost")];
    for place in 0..count {
        let mut station = Station::new(format!("s{place}"), law(laws[pick(4) as usize]));
        let kind = pick(6);
        if kind == 0 {
            station = station.infinite_servers();
        } else if kind == 1 {
            station = station.servers(1 + pick(3)).discipline(Discipline::Sharing);
        } else {
            station = station.servers(1 + pick(3)).discipline(Discipline::ALL[pick(5) as usize]);
            if changes && pick(3) == 0 {
                let shifts = Shifts::new(vec![(0.0, 2), (f64::from(1 + pick(9)), pick(2)), (10.0, 3)]);
                let shifts = if pick(2) == 0 { shifts.every(12.0) } else { shifts };
                station = station.shifts(if pick(2) == 0 { shifts.interrupting() } else { shifts });
            }
            if changes && pick(3) == 0 {
                station = station.failures(law("exponential:5"), law("exponential:1"));
            }
            if pick(3) == 0 {
                station = station.preemptive();
            }
            if pick(3) == 0 {
                let to = (pick(2) == 0).then(|| sinks[pick(2) as usize].into());
                station = station.patience(law(laws[pick(4) as usize]), to);
            }
        }
        if pick(4) == 0 {
            station = station.capacity(3 + pick(4));
        }
        if pick(3) == 0 {
            station = station.balking(vec![0.0, 0.25, 0.5, 1.0], (pick(2) == 0).then_some(sinks[1].into()));
        }
        for class in &classes {
            if pick(3) == 0 {
                let of_class = ClassOfStation::new(*class).service(law(laws[pick(4) as usize])).tokens(pick(2));
                station = station.class(of_class);
            }
        }
        ids.push(network.station(station));
    }
    for (place, id) in ids.iter().enumerate() {
        let delay = f64::from(pick(2)) * 0.5;
        network.add_route(Route::new(*id, ids[(place + 1) % count]).probability(0.5).delay(delay));
        network.add_route(Route::new(*id, sinks[0]).probability(0.5));
        if pick(2) == 0 {
            let (class, other) = (classes[0], classes[pick(classes.len() as u32) as usize]);
            network.add_route(
                Route::new(*id, ids[pick(count as u32) as usize]).class(class).becomes(other).probability(0.25),
            );
            network.add_route(Route::new(*id, ids[(place + 1) % count]).class(class).probability(0.75));
        }
    }
    for (place, class) in classes.iter().enumerate() {
        let interval = law(["exponential:0.8", "constant:1"][pick(2) as usize]);
        let to = if place == 0 { ids[0] } else { ids[pick(count as u32) as usize] };
        let source = match changes {
            true => Source::by_rates(format!("in{place}"), Rates::new(vec![(0.0, 1.0), (5.0, 0.0)]).every(8.0), to),
            false => Source::new(format!("in{place}"), interval, to),
        };
        network.source(source.class(*class).batch(if changes { vec![0.25, 0.0, 0.75] } else { vec![] }));
    }
    network
}

/// Two stations that send each other everybody, at once, for ever.
#[test]
fn balking_without_end_is_an_error() {
    let mut network = Network::new();
    let ids: Vec<StationId> = {
        let mut probe = Network::new();
        ["a", "b"].map(|name| probe.station(Station::new(name, law("constant:1")))).to_vec()
    };
    network.station(Station::new("a", law("constant:1")).balking(vec![1.0], Some(ids[1].into())));
    network.station(Station::new("b", law("constant:1")).balking(vec![1.0], Some(ids[0].into())));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), ids[0]));
    ids.iter().for_each(|id| network.route(*id, exit, 1.0, 0.0));
    let model = network.check().expect("a model");
    let error = simulate(&model, &mut unwatched()).map(|_| ()).expect_err("an error");
    assert!(matches!(error, QueueingError::StandsStill { clock: 1.0, .. }), "{error}");
}

/// What a device, ranks and checkpoints do not do yet is said, and what does not go with classes.
#[test]
fn refusals_name_what_is_wrong() {
    let (network, [first, _]) = two_classes();
    let (network, desk) = single(Station::new("desk", law("exponential:1")), &[(first, 2.0)], network);
    let model = network.clone().check().expect("a model");
    let refused =
        queueing::run_from(&model, 0..1, None, Target::Heap, Default::default(), &mut unwatched()).map(|_| ());
    assert!(matches!(refused, Err(QueueingError::Multiclass { .. })), "{refused:?}");
    let ranks = tickless::ranks::Ranks::Threads(2.try_into().expect("two"));
    let refused = queueing::run_over(&model, 0, ranks, Default::default(), &mut unwatched()).map(|_| ());
    assert!(matches!(refused, Err(QueueingError::Multiclass { .. })), "{refused:?}");
    let said = |network: Network| network.check().expect_err("an error").to_string();
    assert!(said(network.clone().window(0.5)).contains("has window"));
    assert!(said(network.clone().approximate(0.5)).contains("has approximate"));
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
    let (mut other, _) = single(Station::new("desk", law("exponential:1")), &[], Network::new());
    let id = two_classes().1[1];
    other.source(Source::new("in", law("exponential:2"), desk).class(id));
    other.class(Class::new("only"));
    assert!(matches!(other.check(), Err(NetworkError::NoClass { class: 1, classes: 1 })));
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
    for (station, part) in [
        (
            infinite().patience(law("constant:1"), None),
            "the number of servers is infinite; it must be a number, as it has patience",
        ),
        (infinite().preemptive(), "as it has preemption"),
        (infinite().discipline(Discipline::Random), "as it has a discipline"),
        (infinite().failures(law("constant:1"), law("constant:1")), "as it has failures"),
        (infinite().balking(vec![1.0], Some(desk.into())), "the destination of those that balk is the station itself"),
        (Station::new("desk", law("constant:1")).tokens(1).blocking(), "the capacity is unlimited"),
    ] {
        let mut other = Network::new();
        let desk = other.station(station);
        other.route(desk, desk, 1.0, 0.0);
        let said = said(other);
        assert!(said.contains(part), "{said}");
    }
}

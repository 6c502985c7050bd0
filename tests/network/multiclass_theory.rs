//! Networks of classes, disciplines and patience against queueing theory.

use super::multiclass::{single, two_classes};
use super::theory::{assert_figure, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, ClassRecord, Discipline, Rates, Routing, Source, Station};

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

/// M/G/infinity: the number present is the load, and all are busy. There is nothing that they are a share of.
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
    assert!((figures.mean_busy.mean - figures.mean_present.mean).abs() < 1e-9);
    let network = queueing::Figures::of_network(&model, std::slice::from_ref(&run.outcome));
    assert_eq!([figures.utilization, figures.scheduled_utilization, network.utilization], [None; 3]);
    assert_eq!(network.mean_busy, figures.mean_busy);
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

/// Routing by turns, and to the shortest of two queues: by a chain of both lengths, cut where nobody comes.
#[test]
fn routing_that_looks_around() {
    let with = |routing: Routing, servers: [&str; 2]| {
        let mut network = Network::new().warmup(1000.0).until(21_000.0);
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
    const MOST: usize = 24;
    let mut chances = vec![vec![0.0; MOST]; MOST];
    chances[0][0] = 1.0;
    for _ in 0..2000 {
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

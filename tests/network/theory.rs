//! Queueing theory: each figure within the 99.9 % interval of twenty runs, and the interval narrow enough to tell.

use std::cell::RefCell;

use super::*;
use statrs::distribution::{ContinuousCDF, StudentsT};
use tickless::queueing::{NetworkOutcome, Source, Station};
use tickless::time::Time;

pub(super) fn units(ticks: impl Into<u128>) -> f64 {
    Time::sum_in_units(ticks.into())
}

/// A figure of a network with each of twenty seeds. The figures of one network that are asked for one after another are of the same
/// runs.
fn figures(network: &Network, figure: impl Fn(&NetworkOutcome) -> f64) -> Vec<f64> {
    type Last = Option<(Network, Vec<NetworkOutcome>)>;
    thread_local!(static LAST: RefCell<Last> = const { RefCell::new(None) });
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(of, _)| of != network) {
            let outcomes = (1..=20).map(|seed| run(network.clone().seed(seed)).outcome);
            *last = Some((network.clone(), outcomes.collect()));
        }
        last.iter().flat_map(|(_, outcomes)| outcomes).map(figure).collect()
    })
}

/// The mean of a figure over twenty seeds and the half width of its interval.
fn interval(network: &Network, figure: impl Fn(&NetworkOutcome) -> f64) -> (f64, f64) {
    let values = figures(network, figure);
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, StudentsT::new(0.0, 1.0, n - 1.0).unwrap().inverse_cdf(0.9995) * (variance / n).sqrt())
}

pub(super) fn assert_figure(network: &Network, what: &str, theory: f64, figure: impl Fn(&NetworkOutcome) -> f64) {
    let (mean, half) = interval(network, figure);
    assert!((mean - theory).abs() <= half, "{what}: {mean} ± {half}, theory {theory}");
    assert!(half < 0.06 * theory, "{what}: ± {half} is too wide beside {theory}");
}

/// A figure, by its name, with what theory says of it.
pub(super) type Expected<'a> = (&'a str, f64, &'a dyn Fn(&NetworkOutcome) -> f64);

/// Figures of one network.
pub(super) fn assert_figures(network: &Network, figures: &[Expected<'_>]) {
    figures.iter().for_each(|(what, theory, figure)| assert_figure(network, what, *theory, figure));
}

/// One station with a source of exponential intervals of mean 1.
fn single(service: &str, servers: u32, capacity: Option<u32>) -> Network {
    let mut network = Network::new().warmup(1000.0).until(51_000.0);
    let mut station = Station::new("desk", law(service)).servers(servers);
    if let Some(capacity) = capacity {
        station = station.capacity(capacity);
    }
    let desk = network.station(station);
    let exit = network.sink("exit");
    network.source(Source::new("street", law("exponential:1"), desk));
    network.route(desk, exit, 1.0, 0.0);
    network
}

pub(super) fn mean_wait(outcome: &NetworkOutcome) -> f64 {
    let record = outcome.stations.facilities[0];
    units(record.waiting) / record.starts as f64
}

pub(super) fn mean_present(outcome: &NetworkOutcome, station: usize) -> f64 {
    units(outcome.stations.facilities[station].presence) / outcome.stations.measured()
}

fn loss(outcome: &NetworkOutcome) -> f64 {
    let record = outcome.stations.facilities[0];
    record.losses as f64 / record.arrivals as f64
}

/// Erlang's B formula.
fn erlang_b(servers: u32, load: f64) -> f64 {
    (1..=servers).fold(1.0, |b, c| load * b / (f64::from(c) + load * b))
}

#[test]
fn one_server_and_several() {
    let network = single("exponential:0.7", 1, None);
    assert_figure(&network, "M/M/1 wait", 0.7 * 0.7 / 0.3, mean_wait);
    assert_figure(&network, "M/M/1 present", 0.7 / 0.3, |o| mean_present(o, 0));
    assert_figure(&network, "M/M/1 sojourn", 0.7 / 0.3, |o| {
        o.sinks[0].sojourn as f64 / UNIT as f64 / o.sinks[0].tokens as f64
    });
    for (servers, mean) in [(2, 1.4), (5, 3.5)] {
        let network = single(&format!("exponential:{mean}"), servers, None);
        let blocked = erlang_b(servers, mean);
        let share = mean / f64::from(servers);
        let queued = blocked / (1.0 - share * (1.0 - blocked));
        assert_figure(&network, "M/M/c wait", queued * mean / (f64::from(servers) - mean), mean_wait);
    }
}

#[test]
fn losses() {
    for (servers, mean) in [(1, 0.8), (4, 3.0)] {
        let network = single(&format!("exponential:{mean}"), servers, Some(servers)).until(11_000.0);
        assert_figure(&network, "M/M/c/c", erlang_b(servers, mean), loss);
    }
    let (load, room) = (0.9_f64, 4);
    let full = (1.0 - load) * load.powi(room) / (1.0 - load.powi(room + 1));
    assert_figure(&single("exponential:0.9", 1, Some(4)).until(11_000.0), "M/M/1/4", full, loss);
    // Erlang's loss formula holds for any law of service.
    assert_figure(&single("constant:3", 4, Some(4)).until(11_000.0), "M/D/4/4", erlang_b(4, 3.0), loss);
}

/// Pollaczek and Khinchine: the wait is λ E[S²] / 2 (1 - ρ).
#[test]
fn every_law_of_service() {
    let squares = [
        ("exponential:0.6", 2.0 * 0.36),
        ("constant:0.6", 0.36),
        ("uniform:0.2,1", 0.36 + 0.64 / 12.0),
        ("erlang:3,0.6", 0.36 + 0.36 / 3.0),
        ("hyperexponential:0.25,1.2,0.4", 2.0 * (0.25 * 1.44 + 0.75 * 0.16)),
        ("gamma:0.5,0.6", 0.36 * 3.0),
        ("lognormal:0.6,0.6", 2.0 * 0.36),
        ("discrete:0.3*3,1.5", 0.75 * 0.09 + 0.25 * 2.25),
    ];
    for (service, square) in squares {
        // The wider a law is, the longer it takes.
        let until = if service.starts_with("hyper") { 51_000.0 } else { 21_000.0 };
        assert_figure(&single(service, 1, None).until(until), service, square / (2.0 * 0.4), mean_wait);
    }
}

/// Jackson 1957: in the mean each station of an open network is an M/M/c of its own.
#[test]
fn an_open_network() {
    let mut network = Network::new().warmup(1000.0).until(6000.0);
    let door = network.station(Station::new("door", law("exponential:0.3")));
    let desk = network.station(Station::new("desk", law("exponential:1")).servers(2));
    let till = network.station(Station::new("till", law("exponential:0.5")));
    let exit = network.sink("exit");
    network.source(Source::new("street", law("exponential:1"), door));
    network.route(door, desk, 0.8, 0.0);
    network.route(door, exit, 0.2, 0.0);
    network.route(desk, till, 0.75, 0.0);
    network.route(desk, door, 0.25, 0.0);
    network.route(till, exit, 1.0, 0.0);
    // door = 1 + 0.25 desk, desk = 0.8 door: door 1.25, desk 1, till 0.75.
    let single = |load: f64| load / (1.0 - load);
    assert_figure(&network, "door", single(0.375), |o| mean_present(o, 0));
    let blocked = erlang_b(2, 1.0);
    let waiting = blocked / (1.0 - 0.5 * (1.0 - blocked)) * 0.5 / 0.5;
    assert_figure(&network, "desk", 1.0 + waiting, |o| mean_present(o, 1));
    assert_figure(&network, "till", single(0.375), |o| mean_present(o, 2));
    // Little: all that are there, at one arrival a unit, stay as long as they are many.
    let all = single(0.375) + 1.0 + waiting + single(0.375);
    assert_figure(&network, "sojourn", all, |o| o.sinks[0].sojourn as f64 / UNIT as f64 / o.sinks[0].tokens as f64);
}

/// The throughput of a closed network by convolution (Buzen 1973), stations given as (visits x mean, servers).
fn closed_throughput(stations: &[(f64, u32)], tokens: usize) -> f64 {
    let mut g = vec![0.0; tokens + 1];
    g[0] = 1.0;
    for (demand, servers) in stations {
        let mut factor = vec![1.0; tokens + 1];
        for n in 1..=tokens {
            factor[n] = factor[n - 1] * demand / (n as f64).min(f64::from(*servers));
        }
        g = (0..=tokens).map(|n| (0..=n).map(|k| factor[k] * g[n - k]).sum()).collect();
    }
    g[tokens - 1] / g[tokens]
}

/// Throughput and mean numbers present of a closed network by exact mean value analysis (Reiser and Lavenberg 1980),
/// stations given as (visits x mean, servers).
fn mean_values(stations: &[(f64, u32)], tokens: usize) -> (f64, Vec<f64>) {
    let mut present = vec![0.0; stations.len()];
    // How likely so few are at a station, up to one less than it has servers.
    let mut few: Vec<Vec<f64>> = stations.iter().map(|(_, servers)| vec![0.0; *servers as usize]).collect();
    few.iter_mut().for_each(|few| few[0] = 1.0);
    let mut throughput = 0.0;
    for n in 1..=tokens {
        let times: Vec<f64> = (0..stations.len())
            .map(|i| {
                let (demand, servers) = (stations[i].0, f64::from(stations[i].1));
                let idle: f64 = few[i].iter().enumerate().map(|(j, p)| (servers - 1.0 - j as f64) * p).sum();
                demand / servers * (1.0 + present[i] + idle)
            })
            .collect();
        throughput = n as f64 / times.iter().sum::<f64>();
        for (i, (demand, servers)) in stations.iter().enumerate() {
            present[i] = throughput * times[i];
            let work = throughput * demand;
            for j in (1..*servers as usize).rev() {
                few[i][j] = work / j as f64 * few[i][j - 1];
            }
            let busy: f64 = (1..*servers as usize).map(|j| f64::from(*servers - j as u32) * few[i][j]).sum();
            few[i][0] = 1.0 - (work + busy) / f64::from(*servers);
        }
    }
    (throughput, present)
}

/// Gordon and Newell 1967, with one server and with several.
#[test]
fn closed_networks() {
    for servers in [1, 3] {
        let mut network = Network::new().warmup(500.0).until(13_000.0);
        let core = network.station(Station::new("core", law("exponential:1")).tokens(6));
        let disk = network.station(Station::new("disk", law("exponential:2.5")).servers(servers));
        let tape = network.station(Station::new("tape", law("exponential:4")));
        network.route(core, disk, 0.6, 0.0);
        network.route(core, tape, 0.3, 0.0);
        network.route(core, core, 0.1, 0.0);
        network.route(disk, core, 1.0, 0.0);
        network.route(tape, core, 1.0, 0.0);
        let stations = [(1.0, 1), (0.6 * 2.5, servers), (0.3 * 4.0, 1)];
        let (theory, present) = mean_values(&stations, 6);
        assert!((theory / closed_throughput(&stations, 6) - 1.0).abs() < 1e-12, "two ways to the same");
        assert!((present.iter().sum::<f64>() - 6.0).abs() < 1e-12);
        let rate = |o: &NetworkOutcome| o.stations.facilities[0].completions as f64 / o.stations.measured();
        assert_figure(&network, "throughput", theory, rate);
        for (station, present) in present.into_iter().enumerate() {
            assert_figure(&network, "number present", present, |o| mean_present(o, station));
        }
    }
}

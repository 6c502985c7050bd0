//! Numbers of tokens over time.

use super::*;
use tickless::queueing::{Class, NetworkError, Rates, Route, Source, Station};

/// M(t)/M/infinity: the number present is a Poisson variate, whose mean m has m' = rate(t) - m / S.
#[test]
fn infinite_servers_follow_their_rates() {
    let (mean, count) = (4.0_f64, 1500);
    let mut network = Network::new().until(24.0).series(1.0);
    let desk = network.station(Station::new("desk", law("exponential:4")).infinite_servers().tokens(3));
    let exit = network.sink("exit");
    network.source(Source::by_rates("in", Rates::new(vec![(0.0, 1.5), (6.0, 0.25), (10.0, 4.0), (16.0, 0.0)]), desk));
    network.route(desk, exit, 1.0, 0.0);
    let model = model(network);
    let all =
        queueing::run(&model, 0..count, Target::Heap, Default::default(), &mut unwatched()).expect("runs").outcome;
    let noted: Vec<Vec<u64>> =
        all.iter().map(|one| one.series.as_ref().expect("a series").at_station(desk.index(), None)).collect();
    // Of who comes; and of the three who are there at time 0, each with the chance that it still is.
    let (mut new, mut old) = (0.0_f64, 1.0_f64);
    for time in 0..=24 {
        let present = noted.iter().map(|numbers| numbers[time] as f64).sum::<f64>() / f64::from(count);
        let (expected, variance) = (new + 3.0 * old, new + 3.0 * old * (1.0 - old));
        let error = (present - expected).abs();
        assert!(error <= 4.0 * (variance / f64::from(count)).sqrt() + 1e-12, "time {time}: {present}, {expected}");
        let rate = [1.5, 0.25, 4.0, 0.0][[6, 10, 16].partition_point(|end| *end <= time)];
        let stays = (-1.0 / mean).exp();
        (new, old) = (rate * mean + (new - rate * mean) * stays, old * stays);
    }
    assert!(new < 2.0 && noted.iter().all(|numbers| numbers.len() == 25));
}

/// Three come at 0.5, 1 and 1.5 to a desk that takes 1 for each; the tokens of time 0 are served then.
#[test]
fn those_in_service_are_apart() {
    let mut network = Network::new().until(4.5).series(1.0);
    let desk = network.station(Station::new("desk", law("constant:1")));
    let bench = network.station(Station::new("bench", law("constant:2.5")).servers(2).tokens(3));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:0.5"), desk).limit(3));
    network.route(desk, exit, 1.0, 0.0);
    network.route(bench, exit, 1.0, 0.0);
    let series = run(network).outcome.series.expect("a series");
    assert_eq!((series.at_station(0, None), series.in_service(0, None)), (vec![0, 1, 2, 1, 0], vec![0, 1, 1, 1, 0]));
    assert_eq!((series.at_station(1, None), series.in_service(1, None)), (vec![3, 3, 3, 1, 1], vec![2, 2, 2, 1, 1]));
}

/// Columns by class and on the way, and what is refused.
#[test]
fn series_by_hand() {
    let mut network = Network::new().until(8.0).series(2.0);
    let [new, back] = ["new", "back"].map(|name| network.class(Class::new(name)));
    let desk = network.station(Station::new("desk", law("constant:1")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1.5"), desk).limit(2));
    network.add_route(Route::new(desk, desk).class(new).becomes(back).delay(2.0));
    network.add_route(Route::new(desk, exit).class(back));
    // They come at 1.5 and 3, leave at 2.5 and 4, are back at 4.5 and 6, and gone at 5.5 and 7.
    let series = run(network.clone()).outcome.series.expect("a series");
    assert_eq!(series.at_station(0, Some(new.index())), [0, 1, 1, 0, 0]);
    assert_eq!(series.at_station(0, Some(back.index())), [0, 0, 0, 0, 0]);
    assert_eq!(series.in_network(Some(new.index())), [0, 1, 1, 0, 0]);
    assert_eq!(series.in_network(Some(back.index())), [0, 0, 1, 1, 0]);
    assert_eq!((series.in_network(None), series.at_station(0, None)), (vec![0, 1, 2, 1, 0], vec![0, 1, 1, 0, 0]));
    // What is noted changes nothing else, and is in the digest.
    let with = run(network.clone()).outcome;
    let without = run(network.clone().series(4.0)).outcome;
    assert_ne!(with.digest(), without.digest());
    assert_eq!(NetworkOutcome { series: None, ..with }, NetworkOutcome { series: None, ..without });
    for step in [0.0, -1.0, f64::NAN, 7.9e-6] {
        let error = network.clone().series(step).check().expect_err("no step");
        assert!(matches!(error, NetworkError::Series { .. }), "{error}");
    }
    assert_eq!(model(network.series(9.0)).series_step().map(|step| step.ticks() >> 32), Some(9));
}

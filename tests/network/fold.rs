//! Figures by the bin of a period: of the hour of a day.

use super::vocabulary::file_of;
use super::*;
use tickless::queueing::figures::FoldedFigures;
use tickless::queueing::{Folded, FoldedRecord, NetworkError, Rates, Shifts, Source, Station};

/// Bins of 7 time units, which neither warm-ups nor horizons are multiples of.
fn folded(network: Network) -> Network {
    network.fold(35.0).fold_step(7.0)
}

/// What all bins have together is what the records of the run have.
#[test]
fn bins_add_up_to_the_run() {
    let (mut runs, mut resources) = (0, 0);
    for number in 0..160 {
        let Ok(network) = Network::from_toml(&file_of(number).text) else { continue };
        let Ok(model) = folded(network.clone()).check() else { continue };
        let Ok(run) = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()) else { continue };
        let (outcome, classes) = (&run.outcome[0], model.classes().len() as u32);
        let folded: &Folded = outcome.folded.as_ref().expect("a fold");
        for (place, class) in (0..).zip(&outcome.classes) {
            let all = (0..folded.bins()).map(|bin| folded.at_station(place / classes, Some(place % classes), bin));
            let all = all.fold(FoldedRecord::default(), FoldedRecord::and);
            let record = &class.record;
            let unserved = record.losses + class.balked + class.reneged;
            let counts = (all.arrivals, all.starts, all.unserved, u128::from(all.presence));
            assert_eq!(counts, (record.arrivals, record.starts, unserved, record.presence), "file {number}, {place}");
            // Where tokens share the servers these do not work on each token alone.
            if all.waiting > 0 {
                let times = (u128::from(all.waiting), u128::from(all.serving));
                assert_eq!(times, (record.waiting, record.busy), "file {number}, {place}");
            }
        }
        for (place, resource) in (0..).zip(&outcome.resources) {
            let held: u64 = (0..folded.bins()).map(|bin| folded.held(place, bin)).sum();
            assert_eq!(u128::from(held), resource.held, "file {number}");
            resources += usize::from(held > 0);
        }
        // It changes nothing else, and is in the digest.
        let without = queueing::run(&super::model(network), 0..1, Target::Heap, Default::default(), &mut unwatched());
        let without = &without.expect("runs").outcome[0];
        assert!(without.folded.is_none() && without.digest() != outcome.digest());
        assert_eq!(without.stations, outcome.stations, "file {number}");
        runs += 1;
    }
    assert!(runs > 60 && resources > 10, "{runs} {resources}");
}

/// M(t)/D/infinity: as many are served in the mean as have come within the time of a service.
#[test]
fn numbers_follow_their_rates() {
    let count = 400;
    let mut network = Network::new().until(96.0).warmup(24.0).fold(24.0).fold_step(6.0);
    let ward = network.station(Station::new("ward", law("constant:2")).infinite_servers());
    let exit = network.sink("exit");
    let rates = Rates::new(vec![(0.0, 5.0), (6.0, 1.0), (12.0, 0.0), (18.0, 2.0)]).every(24.0);
    network.source(Source::by_rates("in", rates, ward));
    network.route(ward, exit, 1.0, 0.0);
    let model = model(network);
    let run = queueing::run(&model, 0..count, Target::Heap, Default::default(), &mut unwatched()).expect("runs");
    let by_bin = FoldedFigures::of_station(&model, ward.index(), None, &run.outcome);
    let rates = [5.0, 1.0, 0.0, 2.0];
    for (place, bin) in by_bin.iter().enumerate() {
        let [before, now] = [rates[(place + 3) % 4], rates[place]];
        let [came, served] = [(&bin.arrivals, now), (&bin.in_service, (2.0 * before + 10.0 * now) / 6.0)]
            .map(|(found, expected)| (found.mean - expected).abs() / found.half_width.expect("replications").max(1e-9));
        assert!(came < 2.5 && served < 2.5, "{bin:?}");
        assert!(bin.on_duty.is_none() && bin.waiting.mean == 0.0);
        assert_eq!((bin.from, bin.to), (6.0 * place as f64, 6.0 * place as f64 + 6.0));
    }
}

/// Servers on duty by the bin, where shifts, the warm-up and the horizon cut bins.
#[test]
fn duty_is_that_of_the_shifts() {
    let shifts = Shifts::new(vec![(0.0, 1), (9.0, 3), (21.0, 0)]).every(24.0);
    let mut network = Network::new().until(100.0).warmup(3.0).fold(24.0).fold_step(6.0);
    let desk = network.station(Station::new("desk", law("constant:1")).shifts(shifts));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("constant:1"), desk));
    network.route(desk, exit, 1.0, 0.0);
    let outcome = run(network.clone()).outcome;
    let bins = FoldedFigures::of_station(&model(network), desk.index(), None, &[outcome]);
    // From 3 to 100: the first bin 3 + 3 times 6 + 4 long, the last 4 times 6.
    let duty: Vec<f64> = bins.iter().map(|bin| bin.on_duty.expect("servers")).collect();
    assert_eq!(duty, [1.0, 2.0, 3.0, 1.5]);
    let [night, _, day, _] = bins[..] else { panic!("four bins") };
    assert!(day.utilization.is_some_and(|busy| busy.mean > 0.3) && night.utilization.is_some());
}

#[test]
fn wrong_periods_are_refused() {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:1")).tokens(1));
    network.route(desk, desk, 1.0, 0.0);
    for (period, step) in
        [(0.0, 0.5), (f64::NAN, 1.0), (1e-7, 1e-8), (24.0, 0.0), (24.0, 7.0), (24.0, 0.001), (3e9, 1e9), (10.0, 20.0)]
    {
        let error = network.clone().fold(period).fold_step(step).check().expect_err("no period");
        assert!(matches!(error, NetworkError::Fold(_)), "{error}");
    }
    let error = network.clone().fold_step(1.0).check().expect_err("no period");
    assert!(error.to_string().contains("fold = 1440"), "{error}");
    assert_eq!(model(network.fold(24.0)).fold(), Some((1.0, 24)));
}

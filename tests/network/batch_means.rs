//! One replication in batches.

use super::vocabulary::file_of;
use super::*;
use tickless::queueing::{BatchMeansError, Figures, Observed, Source, Station, batch_means};
use tickless::statistics::FacilityRecord;

/// All numbers of an outcome that add up, a list as the sum of its values by their places.
fn sums(outcome: &NetworkOutcome) -> Vec<u128> {
    let list = |list: &[u64]| (1..).zip(list).map(|(place, value)| place * u128::from(*value)).sum::<u128>();
    let facility = |of: &FacilityRecord| {
        let counts = [of.arrivals, of.starts, of.completions, of.losses].map(u128::from);
        [&counts[..], &[of.busy, of.waiting, of.service, of.presence]].concat()
    };
    let sinks = outcome.sinks.iter().chain(&outcome.class_sinks);
    let classes = outcome.classes.iter().flat_map(|of| {
        let counts = [of.balked, of.reneged, of.preemptions, of.joins, of.joined, of.abandoned].map(u128::from);
        [&facility(&of.record)[..], &counts, &[of.patience, of.blocked, of.stopped, of.joining]].concat()
    });
    let recorded = outcome.distributions.iter().flat_map(|of| {
        let visits = of.stations.iter().chain(&of.classes);
        let visits = visits.flat_map(|one| {
            [
                &one.waiting,
                &one.system,
                &one.present,
                &one.blocked,
                &one.joining,
                &one.waiting_targets,
                &one.system_targets,
            ]
        });
        visits
            .chain(&of.sinks)
            .chain(&of.class_sinks)
            .chain(&of.sink_targets)
            .chain(&of.class_sink_targets)
            .map(|one| list(one))
    });
    let held = outcome.folded.iter().flat_map(|folded| {
        let places =
            (0..outcome.stations.facilities.len() as u32).flat_map(|id| (0..folded.bins()).map(move |bin| (id, bin)));
        places.flat_map(|(id, bin)| {
            let of = folded.at_station(id, None, bin);
            [of.arrivals, of.starts, of.unserved, of.waiting, of.presence, of.serving].map(u128::from)
        })
    });
    outcome
        .stations
        .facilities
        .iter()
        .flat_map(facility)
        .chain(outcome.sources.iter().copied().map(u128::from))
        .chain(sinks.flat_map(|of| [of.tokens.into(), of.from_sources.into(), of.sojourn]))
        .chain(classes)
        .chain(recorded)
        .chain(held)
        .chain(outcome.resources.iter().flat_map(|of| [of.grants.into(), of.held]))
        .chain(outcome.forks.iter().flat_map(|of| [of.copies, of.joined].map(u128::from)))
        .chain(outcome.down.iter().chain(&outcome.absent).copied())
        .collect()
}

/// What all batches have together is what the run has, which is that of any other run; a changed number is found.
#[test]
fn batches_add_up_to_the_run() {
    let mut runs = 0;
    for number in 0..160 {
        let Ok(network) = Network::from_toml(&file_of(number).text) else { continue };
        let Ok(model) = network.fold(35.0).fold_step(7.0).check() else { continue };
        let run = queueing::run(&model, 3..4, Target::Heap, Default::default(), &mut unwatched());
        let (Ok(whole), Ok(run)) = (run, batch_means(&model, 3, 7, &mut unwatched())) else { continue };
        let outcome = &run.outcome[0];
        assert_eq!(whole.outcome[0].first_difference(outcome), None, "file {number}");
        assert_eq!(whole.outcome[0].digest(), outcome.digest(), "file {number}");
        assert_eq!((whole.events, whole.details.completions), (run.events, run.details.completions), "file {number}");
        assert_eq!(outcome.batches.len(), 7);
        let ends: Vec<_> = outcome.batches.iter().map(|batch| (batch.stations.from, batch.stations.until)).collect();
        assert!(ends.windows(2).all(|pair| pair[0].1 == pair[1].0), "file {number}: {ends:?}");
        assert_eq!((ends[0].0, ends[6].1), (outcome.stations.from, outcome.stations.until), "file {number}");
        let mut all = vec![0; sums(outcome).len()];
        for batch in &outcome.batches {
            all.iter_mut().zip(sums(batch)).for_each(|(all, one)| *all += one);
        }
        assert_eq!(all, sums(outcome), "file {number}");
        let mut changed = outcome.clone();
        changed.sinks.iter_mut().for_each(|sink| sink.tokens += 1);
        assert!(changed.sinks.is_empty() || sums(&changed) != all);
        runs += 1;
    }
    assert!(runs > 60, "{runs}");
}

/// The longest times of the last batch are those of the run.
#[test]
fn batches_keep_the_longest_times() {
    let network = bare_desk(9_000.0, "exponential:1").distributions(Observed::All).quantiles(vec![1.0]);
    let run = batch_means(&model(network), 0, 8, &mut unwatched()).expect("runs");
    let longest = |outcome: &NetworkOutcome| {
        let recorded = outcome.distributions.as_ref().expect("they are recorded");
        (recorded.stations[0].longest.clone(), recorded.longest.clone())
    };
    let (whole, batches) = (longest(&run.outcome[0]), &run.outcome[0].batches);
    assert!(whole.0.len() == 2 && whole.1[0] >= whole.0[1] && longest(&batches[0]).0[0] < whole.0[0], "{whole:?}");
    assert_eq!(longest(&batches[7]), whole);
}

fn desk(until: f64, interval: &str) -> NetworkModel {
    model(bare_desk(until, interval))
}

fn bare_desk(until: f64, interval: &str) -> Network {
    let mut network = Network::new().until(until).warmup(1_000.0);
    let desk = network.station(Station::new("desk", law("exponential:0.5")));
    let exit = network.sink("exit");
    network.source(Source::new("in", law(interval), desk));
    network.route(desk, exit, 1.0, 0.0);
    network
}

/// The number present of an M/M/1 whose servers are half busy is 1: intervals of long batches cover it in about 95 of 100 runs.
#[test]
fn intervals_cover_what_theory_says() {
    let model = desk(21_000.0, "exponential:1");
    let covers = |replication: &u32| {
        let run = batch_means(&model, *replication, 20, &mut unwatched()).expect("runs");
        let present = Figures::of_station(&model, 0, &run.outcome).mean_present;
        let plain =
            queueing::run(&model, *replication..replication + 1, Target::Heap, Default::default(), &mut unwatched());
        let plain = Figures::of_station(&model, 0, &plain.expect("runs").outcome).mean_present;
        assert!((plain.mean - present.mean).abs() < 1e-12 && plain.half_width.is_none());
        (present.mean - 1.0).abs() < present.half_width.expect("there are batches")
    };
    let covered = (0..60).filter(covers).count();
    assert!((50..60).contains(&covered), "{covered} of 60");
}

#[test]
fn batches_that_a_run_does_not_have_are_refused() {
    let model = desk(2_000.0, "constant:1");
    let error = |count| batch_means(&model, 0, count, &mut unwatched()).expect_err("none").to_string();
    assert_eq!(error(1), BatchMeansError { count: 1, measured: 1_000.0 }.to_string());
    let run = queueing::batch_means(&model, 0, 2, &mut |_: &tickless::run::Progress| std::ops::ControlFlow::Break(()));
    assert!(run.expect("a part").outcome[0].batches.is_empty());
}

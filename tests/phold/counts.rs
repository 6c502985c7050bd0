//! Event counts and shares against theory, and what never changes.

use super::*;

/// The events of PHOLD are renewals: t / μ + (σ² / μ² - 1) / 2 of each event at the start in the mean, with variance
/// t σ² / μ³ (Cox 1962), where an increment has the mean μ = l + m and the standard deviation σ = m.
fn expected(model: &PholdModel) -> (f64, f64) {
    let (tokens, until) = (f64::from(model.events_at_start()), model.until().units());
    let (mean, deviation) = (model.mean_increment(), model.mean().units());
    let events = tokens * (until / mean + ((deviation / mean).powi(2) - 1.0) / 2.0);
    (events, (tokens * until * deviation.powi(2) / mean.powi(3)).sqrt())
}

#[test]
fn as_many_events_as_renewal_theory_says() {
    for (lookahead, mean, seed) in [(0.1, 1.0, 1), (1.0, 0.25, 2), (2.0, 0.01, 3), (1e-6, 1.0, 4), (0.5, 0.5, 5)] {
        let model = model(Phold::new(500).population(4).lookahead(lookahead).mean(mean).until(200.0).seed(seed));
        let run = processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        let (events, deviation) = expected(&model);
        let off = (run.events as f64 - events).abs() / deviation;
        // Beyond four deviations one run of 16,000 is.
        assert!(
            off < 4.0,
            "lookahead {lookahead}, mean {mean}: {} events, expected {events} ± {deviation}",
            run.events
        );
        // Sharp enough to see a hundredth of the mean increment.
        assert!(deviation < 0.01 * events);
        // What is reported is that without the start: half an event of each at the start at most.
        let reported = model.expected_events(200.0);
        assert!((reported - events).abs() <= 0.5 * f64::from(model.events_at_start()) + 1e-6);
    }
}

#[test]
fn a_bound_that_is_off_by_a_hundredth_is_caught() {
    let model = model(Phold::new(500).population(4).lookahead(0.1).mean(1.0).until(200.0));
    let other = Phold::new(500).population(4).lookahead(0.11).mean(1.0).until(200.0).check().unwrap();
    let events = processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).unwrap().events as f64;
    let (wrong, deviation) = expected(&other);
    assert!((events - wrong).abs() > 4.0 * deviation, "{events} against {wrong} ± {deviation}");
}

#[test]
fn the_number_of_messages_never_changes() {
    for (processes, population, remote) in [(1, 1, 1.0), (64, 1, 1.0), (10, 100, 0.5), (1000, 3, 0.0)] {
        let run = run(Phold::new(processes).population(population).remote(remote).until(40.0));
        let figures = run.outcome.statistics();
        let at_start = u64::from(processes * population);
        assert_eq!((figures.pending, figures.sent), (at_start, run.events + at_start));
        assert_eq!(run.outcome.pending.len() as u64, at_start);
        assert_eq!(figures.mean_pending, f64::from(population));
        if remote == 0.0 {
            assert!(run.outcome.processes.iter().all(|record| record.pending == population));
        }
        for record in &run.outcome.processes {
            assert_eq!(u64::from(record.sent), record.executed + u64::from(population));
            assert!(record.last < run.clock);
        }
        assert!(run.outcome.pending.iter().all(|message| message.time >= run.clock));
    }
}

/// Uniform over all processes, the own one among them.
#[test]
fn the_share_of_remote_events_is_as_asked() {
    for (processes, remote) in [(1_u32, 1.0), (2, 1.0), (10, 1.0), (1000, 1.0), (10, 0.3), (10, 0.001), (10, 0.0)] {
        let run = run(Phold::new(processes).population(20_000 / processes).remote(remote).until(11.0));
        let share = remote * (1.0 - f64::from(processes).recip());
        let deviation = (share * (1.0 - share) / run.events as f64).sqrt();
        let found = run.details.remote_share(run.events).unwrap();
        assert!((found - share).abs() <= 4.0 * deviation, "{processes}, {remote}: {found} instead of {share}");
    }
}

/// Every process is as likely a destination as any other: a chi-square of the events executed.
#[test]
fn destinations_are_uniform() {
    let run = run(Phold::new(1000).population(20).until(50.0));
    let mean = run.events as f64 / 1000.0;
    let squares = run.outcome.processes.iter().map(|record| (record.executed as f64 - mean).powi(2) / mean);
    // 999 degrees of freedom: mean 999, deviation 44.7; the variance of counts is that of a multinomial or less.
    let sum: f64 = squares.sum();
    assert!((750.0..1200.0).contains(&sum), "{sum}");
}

/// Work is drawn from the stream behind the rest, so it changes every later draw, and the state.
#[test]
fn work_changes_the_state_and_not_the_laws() {
    let idle = run(Phold::new(100).until(50.0));
    assert!(idle.outcome.state.iter().all(|word| *word == 0));
    let busy = run(Phold::new(100).until(50.0).work(10));
    let changed = busy.outcome.state.iter().filter(|word| **word != 0).count();
    assert!(changed > 95, "{changed}");
    assert_ne!(idle.events, busy.events);
    assert!((idle.events as f64 / busy.events as f64 - 1.0).abs() < 0.1);
}

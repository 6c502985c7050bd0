//! A run that is stopped is whole up to its clock.

use std::ops::ControlFlow;

use super::*;
use tickless::device::Target;
use tickless::run::Progress;

#[test]
fn an_interrupted_run_is_one_with_that_horizon() {
    let phold = Phold::new(300).population(3).work(1);
    let mut last = 0;
    let mut late = |progress: &Progress| {
        let since = progress.events - std::mem::replace(&mut last, progress.events);
        // Some more where they happen at once.
        assert!((1..(1 << 15) + 900).contains(&since), "{since}");
        assert!(progress.clock < progress.until && progress.rounds == 0);
        if last >= 3 << 15 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped =
        processes::run(&model(phold.clone().until(1e6)), Target::Heap, Default::default(), &mut late).unwrap();
    assert!(stopped.interrupted);
    assert_eq!(stopped.clock, stopped.outcome.until);
    assert!(stopped.events >= 3 << 15 && stopped.events < 4 << 15);
    let whole = run(phold.until(stopped.clock.units()));
    assert_eq!(whole.clock, stopped.clock, "a horizon of a double is the same tick");
    assert_same(&whole.outcome, &stopped.outcome, "interrupted");
    assert_eq!((whole.events, whole.details.remote), (stopped.events, stopped.details.remote));
}

/// Events that take a millisecond or more each are looked at by time.
#[test]
fn heavy_events_are_looked_at_sooner() {
    let heavy = model(Phold::new(300).work(1 << 20).until(1e6));
    let mut looks = 0;
    let mut third = |_: &Progress| {
        looks += 1;
        if looks == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = processes::run(&heavy, Target::Heap, Default::default(), &mut third).unwrap();
    assert!(stopped.interrupted && stopped.events < 100, "{}", stopped.events);
}

#[test]
fn a_run_that_ends_is_not_interrupted() {
    let run = run(Phold::new(3).until(5.0));
    assert_eq!((run.interrupted, run.clock.units(), run.rounds), (false, 5.0, None));
}

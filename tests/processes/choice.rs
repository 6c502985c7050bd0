//! Sets of pending events that take each other's place during a run: the bits of the heap, and what is said of it.

use std::ops::ControlFlow;

use tickless::engine::{BatchSize, Options};
use tickless::processes::gpu::{self, Calibration, Pending, PendingReport, PendingSet, ProcessOptions, Reason};
use tickless::processes::{Outcome, Phold, ProcessDetails, reference};
use tickless::run::{Progress, Run, unwatched};

use crate::adapter;
use crate::own::{Crowd, crowd};
use crate::phold::{CUT, assert_same, on, on_heap};

/// All that auto chooses between.
const SETS: usize = PendingSet::ALL.len() - 2;

fn report(run: &Run<Outcome, ProcessDetails>) -> &PendingReport {
    run.details.pending.as_ref().expect("a report of sets")
}

/// Every set after every other, in each round: rings begin anywhere, and go round their end.
#[test]
fn sets_in_turns_give_the_bits_of_the_heap() {
    let model = Phold::new(150).population(5).lookahead(0.5).mean(1.0).until(40.0).check().expect("a model");
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["native"]) {
        for (rounds, room) in [(1, Some(1)), (2, None)] {
            let calibration = Calibration::InTurns(rounds);
            let options = ProcessOptions { calibration, room, rounds: CUT, ..Default::default() };
            let run = on(&device, &model, &options);
            let what = format!("{form}: {rounds} rounds each");
            assert_same(&expected.outcome, &run.outcome, &what);
            let report = report(&run);
            assert_eq!(
                (report.asked, report.reason, report.tried.len()),
                (Pending::Auto, Reason::InTurns, SETS),
                "{what}"
            );
            assert!(report.switches > 10 && run.rounds > Some(30), "{what}: {report:?}");
        }
    }
}

/// Events that carry words, all to one process, whose set grows in whatever form it is.
#[test]
fn sets_in_turns_grow_and_carry_words() {
    let expected = reference::simulate(&Crowd, &mut unwatched()).expect("a run").outcome;
    for (form, device) in adapter::forms(&["native"]) {
        let calibration = Calibration::InTurns(1);
        let options = ProcessOptions { calibration, room: Some(3), rounds: CUT, ..Default::default() };
        let run = gpu::simulate_model(&crowd(), &device, &options, &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_same(&expected, &run.outcome, form);
    }
}

/// A calibration in the midst of growth; what is picked is one of those tried, and none that was is slower than it by far.
#[test]
fn a_calibration_changes_nothing() {
    let phold = Phold::new(150).population(3).lookahead(0.5).mean(1.0);
    for (form, device) in adapter::forms(&["native"]) {
        for (until, reason) in [(80.0, Reason::Measured), (3.0, Reason::Unfinished), (1e-3, Reason::Unfinished)] {
            let model = phold.clone().until(until).check().expect("a model");
            let calibration = Calibration::Always;
            let options = ProcessOptions { calibration, room: Some(1), rounds: CUT, ..Default::default() };
            let run = on(&device, &model, &options);
            let what = format!("{form}: until {until}");
            assert_same(&on_heap(&model).outcome, &run.outcome, &what);
            let report = report(&run);
            assert_eq!(report.reason, reason, "{what}: {report:?}");
            if reason == Reason::Measured {
                let picked = report.tried.iter().find(|tried| tried.set == report.set).expect("one of those tried");
                assert_eq!((report.tried.len(), report.calibrations > 0), (SETS, true), "{what}");
                let fastest = report.tried.iter().map(|tried| tried.events_per_second).fold(0.0, f64::max);
                let by_hysteresis = report.switches == 0 && report.set == PendingSet::HeapOfFours;
                assert!(picked.events_per_second == fastest || by_hysteresis || report.calibrations > 1, "{report:?}");
                assert!(report.tried.iter().all(|tried| tried.events > 0));
            }
        }
    }
}

/// Wherever in a calibration the interruption comes.
#[test]
fn an_interrupted_calibration_is_whole_up_to_its_clock() {
    let phold = Phold::new(150).population(4).lookahead(0.2).mean(1.0).until(60.0);
    let model = phold.clone().check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        for (most, calibration) in [(1, Calibration::Always), (9, Calibration::Always), (8, Calibration::InTurns(3))] {
            let rounds = Options { batch: BatchSize::Rounds(5), ..CUT };
            let options = ProcessOptions { calibration, rounds, outbox: Some(2), ..Default::default() };
            let mut looks = 0;
            let mut watch = |_: &Progress| {
                looks += 1;
                if looks < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let run = gpu::simulate(&model, &device, &options, &mut watch).unwrap_or_else(|e| panic!("{e}"));
            let what = format!("{form}: {calibration:?}, {most} looks");
            assert!(run.interrupted && run.clock < model.until(), "{what}");
            let shorter = phold.clone().until(run.clock.units()).check().expect("a model");
            assert_same(&on_heap(&shorter).outcome, &run.outcome, &what);
        }
    }
}

/// What is not picked is said, too.
#[test]
fn without_a_calibration_the_reason_is_told() {
    let model = Phold::new(40).population(2).until(2.0).check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        let fixed = ProcessOptions { pending: PendingSet::Circular.into(), rounds: CUT, ..Default::default() };
        let run = on(&device, &model, &fixed);
        assert_eq!(run.details.pending, Some(PendingReport::asked(PendingSet::Circular)), "{form}");
        let run = on(&device, &model, &ProcessOptions { rounds: CUT, ..Default::default() });
        let report = report(&run);
        assert!([Reason::Software, Reason::Brief].contains(&report.reason), "{form}: {report:?}");
        assert_eq!((report.set, report.asked), (PendingSet::HeapOfFours, Pending::Auto), "{form}");
        assert!(report.tried.is_empty(), "{form}");
    }
    assert_eq!(on_heap(&model).details.pending, None);
}

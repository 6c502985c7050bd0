//! Models that one workgroup has, many rounds in one dispatch: nobody cuts their rounds, and these have few events.

use std::ops::ControlFlow;

use tickless::device::{Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::pending::PendingSet;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Phold, PholdModel, ProcessError};
use tickless::run::{Progress, unwatched};

use crate::adapter;
use crate::phold::{CUT, assert_same, on, on_heap};

fn model(processes: u32, until: f64) -> PholdModel {
    Phold::new(processes).population(2).lookahead(0.05).mean(1.0).until(until).work(1).check().expect("a model")
}

/// One process, as many as the workgroup has threads, one more, and several a thread; sets that grow meanwhile; in as many rounds
/// as many workgroups take.
#[test]
fn one_workgroup_gives_the_bits_of_the_heap() {
    for (form, device) in adapter::forms(&["native", "words, no subgroups"]) {
        for (processes, pending, room) in [
            (1, PendingSet::HeapOfFours, None),
            (256, PendingSet::HeapOfFours, Some(1)),
            (257, PendingSet::HeapOfFours, Some(1)),
            (900, PendingSet::HeapOfFours, None),
            (257, PendingSet::CircularSinglePass, Some(1)),
        ] {
            if form != "native" && processes != 257 {
                continue;
            }
            let model = model(processes, 6.0);
            let expected = on_heap(&model);
            let run = on(&device, &model, &ProcessOptions { pending, room, ..Default::default() });
            let what = format!("{form}: {processes}, {}", pending.name());
            assert_same(&expected.outcome, &run.outcome, &what);
            assert_eq!((run.events, run.clock), (expected.events, model.until()), "{what}");
            if processes == 900 {
                let cut = on(&device, &model, &ProcessOptions { pending, rounds: CUT, ..Default::default() });
                assert_eq!(run.rounds, cut.rounds, "{what}");
                assert!(run.rounds > Some(64), "{what}: more than one dispatch, {:?}", run.rounds);
            }
        }
    }
}

/// An interrupted run is whole up to its clock.
#[test]
fn one_workgroup_can_be_interrupted() {
    let model = model(300, 400.0);
    for (form, device) in adapter::forms(&["native"]) {
        let rounds = Options { batch: BatchSize::Rounds(1), ..Options::default() };
        let options = ProcessOptions { rounds, ..Default::default() };
        // Looks come as time goes by: only the clock says how much has happened.
        let mut watch = |progress: &Progress| {
            if progress.clock.units() > 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let device: &dyn Device = device.as_ref();
        let run = processes::run(&model, Target::Device(device), options, &mut watch).expect("a run");
        assert!(
            run.interrupted && run.clock.units() > 1.0 && run.clock < model.until(),
            "{form}: {}",
            run.clock.units()
        );
        let until = Phold::new(300).population(2).lookahead(0.05).mean(1.0).work(1).until(run.clock.units());
        let expected = on_heap(&until.check().expect("a model"));
        assert_same(&expected.outcome, &run.outcome, form);
        assert_eq!(run.events, expected.events, "{form}");
    }
}

/// Where a set may not grow as far as it must, that is said.
#[test]
fn one_workgroup_says_what_it_needs() {
    let model = model(100, 100.0);
    for (form, device) in adapter::forms(&["native"]) {
        let options = ProcessOptions { most_pending: Some(4), ..Default::default() };
        let device: &dyn Device = device.as_ref();
        match processes::run(&model, Target::Device(device), options, &mut unwatched()) {
            Err(ProcessError::Pending { needed, most: 4, clock }) => assert!(needed > 4 && clock < 100.0, "{form}"),
            other => panic!("{form}: {other:?}"),
        }
    }
}

//! Runs that stop again and again, and go on each time on another backend.

use std::ops::ControlFlow;

use tickless::device::{Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::pending::PendingSet;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Checkpoint, Phold, ProcessModel};
use tickless::run::{Progress, Restartable, unwatched};

use crate::adapter;
use crate::phold::{CUT, assert_same};
use crate::words::Counting;

/// Goes on for a moment with each of the sets, on the heap in between, and then to the end with the last. Returns the end, and
/// how often the run has stopped.
fn in_turns<M: ProcessModel + Sync>(model: &M, device: &dyn Device, sets: &[PendingSet]) -> (Checkpoint, u64, usize) {
    let (mut at, mut events, mut stops) = (None::<Checkpoint>, 0, 0);
    for &pending in sets {
        for target in [Target::Device(device), Target::Heap] {
            let rounds = Options { batch: BatchSize::Rounds(1), ..CUT };
            let options = ProcessOptions { pending, rounds, room: Some(1), ..Default::default() };
            let mut stop = |_: &Progress| ControlFlow::Break(());
            let run = processes::run(Restartable { model, from: at.as_ref() }, target, options, &mut stop);
            let run = run.unwrap_or_else(|error| panic!("{}: {error}", pending.name()));
            (events, stops) = (events + run.events, stops + usize::from(run.interrupted));
            assert_eq!(run.outcome.outcome.totals().executed, events, "{}", pending.name());
            at = Some(run.outcome);
        }
    }
    let options = ProcessOptions { pending: sets[0], rounds: CUT, ..Default::default() };
    let last =
        processes::run(Restartable { model, from: at.as_ref() }, Target::Device(device), options, &mut unwatched());
    let last = last.unwrap_or_else(|error| panic!("{error}"));
    (last.outcome, events + last.events, stops)
}

#[test]
fn a_run_goes_on_with_every_set_and_on_the_heap() {
    let model = Phold::new(300).population(8).lookahead(1.0).mean(2.0).until(20.0).work(3).check().expect("a model");
    let expected = processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    for (form, device) in adapter::forms(&["native"]) {
        let (end, events, stops) = in_turns(&model, &device, &PendingSet::ALL);
        assert_same(&expected.outcome, &end.outcome, form);
        assert_eq!((events, end.remote), (expected.events, None), "{form}");
        assert!(stops >= 12, "{form}: it stopped {stops} times");
    }
}

#[test]
fn states_and_messages_of_several_words_go_along() {
    let model = Counting { words: 3 };
    let expected = processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    for (form, device) in adapter::forms(&["native"]) {
        let (end, events, stops) = in_turns(&model, &device, &[PendingSet::HeapOfFours, PendingSet::GlobalHeap]);
        assert_same(&expected.outcome, &end.outcome, form);
        assert_eq!(events, expected.events, "{form}");
        assert!(stops >= 3, "{form}: it stopped {stops} times");
    }
}

/// On the heap alone every count is that of the run that nothing has stopped, and a run goes on from its horizon too.
#[test]
fn a_run_of_the_heap_goes_on_on_the_heap() {
    let phold = Phold::new(50).population(3).lookahead(0.1).until(9.0);
    let model = phold.clone().check().expect("a model");
    let on_heap = |from: Option<&Checkpoint>, stops: bool| {
        let mut stop = |_: &Progress| if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        processes::run(Restartable { model: &model, from }, Target::Heap, Default::default(), &mut stop).expect("a run")
    };
    let whole = on_heap(None, false);
    let mut run = on_heap(None, true);
    let mut stops = 1;
    while run.interrupted {
        run = on_heap(Some(&run.outcome), true);
        stops += 1;
    }
    assert!(stops > 5, "it stopped {stops} times");
    assert_eq!(run.outcome, whole.outcome);
    assert_eq!(on_heap(Some(&whole.outcome), false).outcome, whole.outcome);
    let longer = phold.until(12.0).check().expect("a model");
    let further = processes::run(
        Restartable { model: &longer, from: Some(&whole.outcome) },
        Target::Heap,
        Default::default(),
        &mut unwatched(),
    )
    .expect("a run");
    let expected = processes::run(&longer, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    assert_same(&expected.outcome, &further.outcome.outcome, "a longer run");
}

/// What is not of the model is refused by what differs, on the heap and on a device.
#[test]
fn a_checkpoint_of_another_model_is_refused() {
    let models = [50, 51].map(|processes| Phold::new(processes).until(3.0).check().expect("a model"));
    let from = processes::run(
        Restartable { model: &models[0], from: None },
        Target::Heap,
        Default::default(),
        &mut unwatched(),
    )
    .expect("a run");
    let words = Counting { words: 3 };
    for (form, device) in adapter::forms(&["native"]) {
        for target in [Target::Heap, Target::Device(&device)] {
            let other = processes::run(
                Restartable { model: &models[1], from: Some(&from.outcome) },
                target,
                Default::default(),
                &mut unwatched(),
            );
            let said = other.expect_err("it has more processes").to_string();
            let expected = "the checkpoint has 50 records of processes, and this model has 51: go on with the model";
            assert!(said.starts_with(expected), "{form}: {said}");
            let other = processes::run(
                Restartable { model: &words, from: Some(&from.outcome) },
                target,
                Default::default(),
                &mut unwatched(),
            );
            let said = other.expect_err("it has other words").to_string();
            assert!(said.contains("and this model has"), "{form}: {said}");
        }
    }
}

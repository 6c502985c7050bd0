//! PHOLD with every set of pending events in every form.

use std::ops::ControlFlow;

use tickless::device::{AdapterKind, Device, Target};
use tickless::engine::{BatchSize, Options};
use tickless::pending::PendingSet;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Outcome, Phold, PholdModel, ProcessDetails};
use tickless::run::{Progress, Run, unwatched};

use crate::adapter;

/// Fails with the first field that differs.
#[track_caller]
pub fn assert_same(expected: &Outcome, found: &Outcome, what: &str) {
    if let Some(difference) = expected.first_difference(found) {
        panic!("{what}: {difference}");
    }
    assert_eq!(expected.digest(), found.digest(), "{what}");
}

pub fn on_heap(model: &PholdModel) -> Run<Outcome, ProcessDetails> {
    processes::run(model, Target::Heap, Default::default(), &mut unwatched()).expect("a run on the heap")
}

pub fn on(device: &dyn Device, model: &PholdModel, options: &ProcessOptions) -> Run<Outcome, ProcessDetails> {
    processes::run(model, Target::Device(device), *options, &mut unwatched()).unwrap_or_else(|e| panic!("{e}"))
}

/// One cut for nearly all: a software adapter compiles the kernels of each for seconds.
pub const CUT: Options = Options { workgroup: 32, elements: Some(1), batch: BatchSize::Adaptive, renumber: 0 };

fn models() -> [PholdModel; 3] {
    let phold = [
        Phold::new(300).population(8).lookahead(1.0).mean(2.0).until(20.0).work(3),
        Phold::new(97).population(3).lookahead(0.01).mean(1.0).remote(0.25).until(1.5).seed(9),
        Phold::new(1).population(40).lookahead(5.0).mean(0.5).until(30.0),
    ];
    phold.map(|phold| phold.check().expect("a model"))
}

/// Fails with what differs, in this run and in another of the same: CI has seen a difference that no later run has shown.
fn tell_twice(
    expected: &Run<Outcome, ProcessDetails>,
    run: &Run<Outcome, ProcessDetails>,
    again: impl Fn() -> Run<Outcome, ProcessDetails>,
    what: &str,
) -> ! {
    let [first, second] = [run, &again()].map(|run| {
        let difference = expected.outcome.first_difference(&run.outcome).map(|difference| difference.to_string());
        format!("{difference:?}, {} events, {:?} rounds to {:?}", run.events, run.rounds, run.clock)
    });
    panic!("{what}: {first}; the same again: {second}");
}

/// Every set, in turn with both ways to go on in a round and other sizes of batches.
#[test]
fn every_set_gives_the_bits_of_the_heap() {
    let models = models();
    let expected = models.each_ref().map(on_heap);
    let batches = [BatchSize::Rounds(1), BatchSize::Adaptive, BatchSize::Rounds(7)];
    for (form, device) in adapter::forms(&["native", "words"]) {
        for (number, pending) in PendingSet::ALL.into_iter().enumerate() {
            // In software a form of a set takes seconds to compile: a set whose workgroups decide and one that a thread has. What
            // the others do with words of two is held against Rust in tests/parts/pending.rs.
            let few = device.adapter().kind == AdapterKind::Software && form == "words";
            if few && ![PendingSet::CircularSinglePass, PendingSet::Unsorted].contains(&pending) {
                continue;
            }
            for (place, (model, expected)) in models.iter().zip(&expected).enumerate() {
                let one_event_a_round = (number + place) % 2 == 1;
                let rounds = Options { batch: batches[place], ..CUT };
                let options = ProcessOptions { pending, one_event_a_round, rounds, ..Default::default() };
                let run = on(&device, model, &options);
                let what = format!("{form}: {}, one event {one_event_a_round}, model {place}", pending.name());
                if expected.outcome.first_difference(&run.outcome).is_some() {
                    tell_twice(expected, &run, || on(&device, model, &options), &what);
                }
                assert_eq!(expected.outcome.digest(), run.outcome.digest(), "{what}");
                assert_eq!((run.events, run.clock), (expected.events, model.until()), "{what}");
                assert!(!run.interrupted && run.rounds > Some(0), "{what}");
            }
        }
    }
}

/// What a device adds up is what the records add up to: in heaps, and in rings that have grown and go round their end. Trees
/// have their records all the same.
#[test]
fn figures_without_records_are_the_same() {
    let [model, ..] = models();
    let expected = on_heap(&model).outcome;
    for (form, device) in adapter::forms(&["native", "words"]) {
        for (pending, room) in [
            (PendingSet::HeapOfFours, None),
            (PendingSet::Circular, Some(5)),
            (PendingSet::Unsorted, None),
            (PendingSet::Splay, None),
        ] {
            // In software one in words of two: the digest is added up by the same shader for all.
            let few = device.adapter().kind == AdapterKind::Software && form == "words";
            if few && pending != PendingSet::HeapOfFours {
                continue;
            }
            let options = ProcessOptions { pending, room, figures_only: true, rounds: CUT, ..Default::default() };
            let found = on(&device, &model, &options).outcome;
            let what = format!("{form}: {}", pending.name());
            assert_eq!(found.added_up.is_some(), pending != PendingSet::Splay, "{what}");
            assert_eq!(found.processes.is_empty(), found.added_up.is_some(), "{what}");
            assert_same(&expected, &found, &what);
            assert_eq!(expected.statistics(), found.statistics(), "{what}");
            let mut wrong = expected.clone();
            wrong.pending[99].sequence ^= 1;
            let difference = wrong.first_difference(&found).expect("a difference");
            let field = if found.added_up.is_some() { "sums of the digest[0]" } else { "pending[4].sequence" };
            assert_eq!(difference.field, field, "{what}");
            wrong.processes[7].executed += 1;
            let field = if found.added_up.is_some() { "executed by all" } else { "executed" };
            assert_eq!(wrong.first_difference(&found).expect("a difference").field, field, "{what}");
        }
    }
}

/// A run says what was asked and which set it had; the heap on the host has none.
#[test]
fn a_run_tells_its_set() {
    let model = Phold::new(40).population(2).until(2.0).check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        let asked = [
            (PendingSet::default(), PendingSet::HeapOfFours, None),
            (PendingSet::Unsorted, PendingSet::Unsorted, None),
            (PendingSet::Circular, PendingSet::Circular, None),
            (PendingSet::GlobalHeap, PendingSet::GlobalHeap, Some(16)),
        ];
        for (asked, set, node) in asked {
            let options = ProcessOptions { pending: asked, node, rounds: CUT, ..Default::default() };
            let run = on(&device, &model, &options);
            assert_eq!((run.details.pending, run.details.node), (Some(set), node), "{form}");
        }
    }
    assert_eq!(on_heap(&model).details.pending, None);
}

/// Blocks of one process a thread, of several, and of more than there are.
#[test]
fn sizes_of_blocks_change_nothing() {
    let [model, ..] = models();
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["native, no subgroups"]) {
        for (workgroup, elements) in [(32, 3), (128, 20)] {
            for pending in [PendingSet::Heap, PendingSet::CircularParallel] {
                let rounds = Options { workgroup, elements: Some(elements), ..Options::default() };
                let run = on(&device, &model, &ProcessOptions { pending, rounds, ..Default::default() });
                let what = format!("{form}: {}, {workgroup} x {elements}", pending.name());
                assert_same(&expected.outcome, &run.outcome, &what);
            }
        }
    }
}

/// With what suits the adapter: more processes than a workgroup has threads.
#[test]
fn many_processes_with_the_defaults() {
    let model = Phold::new(3000).population(4).lookahead(0.5).mean(0.5).until(4.0).check().expect("a model");
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["words, no subgroups", "native, every check"]) {
        let run = on(&device, &model, &ProcessOptions::default());
        assert_same(&expected.outcome, &run.outcome, form);
        // A round goes on by the lookahead at least, but for those in which an outbox was full.
        assert!(run.rounds < Some(20), "{form}: {:?}", run.rounds);
    }
}

/// Where outboxes are too small for a round, processes go on in the next.
#[test]
fn small_outboxes_change_nothing() {
    let [model, ..] = models();
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["native"]) {
        for outbox in [1, 2, 5] {
            let run = on(&device, &model, &ProcessOptions { outbox: Some(outbox), rounds: CUT, ..Default::default() });
            assert_same(&expected.outcome, &run.outcome, &format!("{form}: {outbox}"));
        }
    }
}

/// A run that is interrupted has executed every event before its clock, as one that ends there.
#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let phold = Phold::new(200).population(6).lookahead(0.2).mean(1.0).until(50.0);
    let model = phold.clone().check().expect("a model");
    for (form, device) in adapter::forms(&["native"]) {
        for one_event_a_round in [false, true] {
            let rounds = Options { batch: BatchSize::Rounds(5), ..CUT };
            // Interrupted runs are added up as others are.
            let figures_only = one_event_a_round;
            let outbox = Some(2);
            let options = ProcessOptions { one_event_a_round, rounds, outbox, figures_only, ..Default::default() };
            let mut looks = 0;
            let mut watch = |_: &Progress| {
                looks += 1;
                if looks < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let run =
                processes::run(&model, Target::Device(&device), options, &mut watch).unwrap_or_else(|e| panic!("{e}"));
            assert!(run.interrupted && run.clock < model.until(), "{form}");
            let shorter = phold.clone().until(run.clock.units()).check().expect("a model");
            assert_eq!(shorter.until(), run.clock, "{form}: the clock in units");
            let expected = on_heap(&shorter);
            assert_same(&expected.outcome, &run.outcome, &format!("{form}, one event {one_event_a_round}"));
            assert_eq!(expected.events, run.events, "{form}");
        }
    }
}

/// The comparisons above look at every field of every process.
#[test]
fn one_changed_value_is_caught() {
    let run = on_heap(&models()[0]);
    for place in [0, 150, 299] {
        let mut other = run.outcome.clone();
        other.pending[place].sequence ^= 1;
        assert!(run.outcome.first_difference(&other).is_some());
        assert_ne!(run.outcome.digest(), other.digest());
    }
}

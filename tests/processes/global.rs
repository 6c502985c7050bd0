//! One heap for the events of all processes: sizes of nodes, ties, both ways to go on in a round, and a heap that grows.

use tickless::RunError;
use tickless::processes::gpu::{self, PendingSet, PerRound, ProcessOptions};
use tickless::processes::{Phold, PholdModel, reference};
use tickless::run::unwatched;

use crate::adapter;
use crate::own::{Crowd, crowd};
use crate::phold::{CUT, assert_same, on, on_heap};

const OPTIONS: ProcessOptions = ProcessOptions {
    pending: PendingSet::GlobalHeap,
    per_round: PerRound::All,
    most_pending: None,
    room: None,
    outbox: None,
    node: None,
    rounds: CUT,
};

fn phold(processes: u32, population: u32, mean: f64) -> PholdModel {
    let phold = Phold::new(processes).population(population).lookahead(1.0).mean(mean).until(12.0).work(1);
    phold.check().expect("a model")
}

/// From nodes of one event to one node for all, and processes with many events in a round.
#[test]
fn sizes_of_nodes_change_nothing() {
    let models = [phold(70, 6, 4.0), phold(3, 90, 1.0)];
    for (form, device) in adapter::forms(&["native", "words"]) {
        for model in &models {
            let expected = on_heap(model);
            for (node, per_round) in [(8, PerRound::One), (64, PerRound::All), (1024, PerRound::One)] {
                // In software a form of a size takes seconds to compile.
                if form == "words" && node != 64 {
                    continue;
                }
                let options = ProcessOptions { node: Some(node), per_round, ..OPTIONS };
                let run = on(&device, model, &options);
                let what = format!("{form}: nodes of {node}, {per_round:?}");
                assert_same(&expected.outcome, &run.outcome, &what);
                assert_eq!((run.events, run.clock), (expected.events, model.until()), "{what}");
            }
        }
    }
}

/// Events that carry words, at the same few times, all to one process: the root is too small for them, and the heap grows.
#[test]
fn a_heap_grows_and_loses_nothing() {
    let expected = reference::simulate(&Crowd, &mut unwatched()).expect("a run").outcome;
    for (form, device) in adapter::forms(&["native"]) {
        for (node, per_round) in [(2, PerRound::All), (16, PerRound::One)] {
            let options = ProcessOptions { node: Some(node), per_round, ..OPTIONS };
            let run = gpu::simulate_model(&crowd(), &device, &options, &mut unwatched());
            let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_same(&expected, &run.outcome, &format!("{form}: nodes of {node}"));
        }
    }
}

/// More events than are allowed at the start.
#[test]
fn a_heap_that_may_not_have_so_many_events_says_how_many_there_are() {
    let model = phold(70, 6, 4.0);
    for (form, device) in adapter::forms(&["native"]) {
        let options = ProcessOptions { most_pending: Some(5), ..OPTIONS };
        match gpu::simulate(&model, &device, &options, &mut unwatched()) {
            Err(RunError::Pending { needed: 6, most: 5, .. }) => {}
            Err(error) => panic!("{form}: {error}"),
            Ok(_) => panic!("{form}: it ran"),
        }
    }
}

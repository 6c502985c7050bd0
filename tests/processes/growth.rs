//! Sets of pending events that begin with too little room.

use tickless::device::Target;
use tickless::pending::PendingSet;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{self, Phold, ProcessError};
use tickless::run::unwatched;

use crate::adapter;
use crate::phold::{CUT, assert_same, on, on_heap};

/// They grow, more than once, and nothing is lost.
#[test]
fn sets_grow_and_lose_nothing() {
    let model = Phold::new(40).population(1).lookahead(1.0).mean(3.0).until(120.0).check().expect("a model");
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["native"]) {
        for (number, pending) in PendingSet::ALL.into_iter().enumerate() {
            // Half of the sets execute one event of a process in a round.
            let one_event_a_round = [1, 3, 5, 8].contains(&number);
            let options =
                ProcessOptions { pending, one_event_a_round, room: Some(1), rounds: CUT, ..Default::default() };
            let run = on(&device, &model, &options);
            let what = format!("{form}: {}", pending.name());
            assert_same(&expected.outcome, &run.outcome, &what);
            assert_eq!(run.events, expected.events, "{what}");
        }
    }
}

/// A set that may not grow as far as it must ends the run, and says how far that is; with that much it goes on.
#[test]
fn a_set_that_may_not_grow_says_what_it_needs() {
    let model = Phold::new(30).population(2).lookahead(1.0).mean(3.0).until(200.0).check().expect("a model");
    let expected = on_heap(&model);
    for (form, device) in adapter::forms(&["native"]) {
        let mut most = 2;
        let run = loop {
            let (pending, most_pending) = (PendingSet::Circular, Some(most));
            let options = ProcessOptions { pending, most_pending, rounds: CUT, ..Default::default() };
            match processes::run(&model, Target::Device(&device), options, &mut unwatched()) {
                Err(ProcessError::Pending { needed, most: said, clock }) => {
                    assert!(needed > most && said == most && clock < 200.0, "{form}: {needed}, {said}, {clock}");
                    most = needed;
                }
                run => break run.unwrap_or_else(|e| panic!("{form}: {e}")),
            }
        };
        assert!((4..60).contains(&most), "{form}: {most}");
        assert_same(&expected.outcome, &run.outcome, form);
    }
}

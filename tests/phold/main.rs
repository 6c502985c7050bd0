//! Logical processes on the sequential simulator: against simulators that are written down naively, against theory, and
//! what is refused.

mod by_hand;
mod counts;
mod digests;
mod interruption;
mod naive;
mod refusals;

use tickless::device::Target;
use tickless::processes::{self, Outcome, Phold, PholdModel, ProcessDetails};
use tickless::run::{Run, unwatched};

fn model(phold: Phold) -> PholdModel {
    phold.check().unwrap_or_else(|e| panic!("{e}"))
}

fn run(phold: Phold) -> Run<Outcome, ProcessDetails> {
    processes::run(&model(phold), Target::Heap, Default::default(), &mut unwatched()).unwrap_or_else(|e| panic!("{e}"))
}

fn assert_same(expected: &Outcome, found: &Outcome, what: &str) {
    if let Some(difference) = expected.first_difference(found) {
        panic!("{what}: {difference}");
    }
    assert_eq!(expected.digest(), found.digest(), "{what}");
    assert_eq!(expected, found, "{what}");
}

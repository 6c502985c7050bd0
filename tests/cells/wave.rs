//! The model of one's own in `docs/cells.md`, which is that of `examples/wave`.

use tickless::cells::{self, Border, Space};
use tickless::device::Target;
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

#[path = "../../examples/wave/model.rs"]
mod model;

use model::Wave;

fn wave() -> Wave {
    let space = Space::new([30, 20, 1], Border::Wrapped, Space::moore()).expect("a space");
    let (delay, rest) = (Time::from_ticks(1 << 31), Time::from_ticks(3 << 31));
    Wave { space, until: Time::from_ticks(40 << 32), delay, rest }
}

#[test]
fn the_model_of_the_document_runs_everywhere() {
    let model = wave();
    let expected = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    // A ring goes out from the first cell, and every cell fires once.
    assert!(expected.imminent >= 1200, "{}", expected.imminent);
    for (form, device) in adapter::forms(&["native"]) {
        let run = cells::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_eq!(expected.first_difference(&run.outcome), None, "{form}");
    }
}

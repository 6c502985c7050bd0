//! A model of one's own that reads outside of its array.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, Inputs, Moment, Space};
use tickless::device::Target;
use tickless::kernels::{Mounts, Source};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

/// Every cell has one event, at 1, and looks up a word.
struct LookUp(Space);

impl CellModel for LookUp {
    fn space(&self) -> &Space {
        &self.0
    }

    fn until(&self) -> Time {
        Time::from_ticks(2 << 32)
    }

    fn lookahead(&self) -> Time {
        Time::ZERO
    }

    fn state_words(&self) -> usize {
        1
    }

    fn output_words(&self) -> usize {
        0
    }

    fn initialize(&self, _: Cell, _: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        Ok(Time::UNIT)
    }

    fn output(&self, _: Cell, _: Time, _: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
        Ok(false)
    }

    fn transition(&self, _: Cell, _: Moment, _: Time, _: &mut [u32], _: &impl Inputs) -> Result<Time, CellError> {
        Ok(Time::NEVER)
    }
}

const LOOK_UP: &str = "import package::cells::cell::{set_state_word};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};

var<private> few: array<u32, 3>;

fn cell_output(cell: u32) -> bool { return false; }

fn cell_transition(cell: u32, imminent: bool) -> Time {
    set_state_word(cell, 0u, few[cell_id]);
    return never();
}
";

impl DeviceCells for LookUp {
    fn kernels(&self) -> Option<CellKernels> {
        let mounts = Mounts::default().with("model", Source::own("look_up.wgsl", LOOK_UP));
        Some(CellKernels { label: "look up", mounts, buffers: vec![] })
    }
}

#[test]
fn an_index_outside_of_an_array_is_named_with_its_line() {
    for (size, said) in [
        (3, None),
        (
            5,
            Some(
                "cell 3 at 1: look_up.wgsl, line 10: an index lies outside of the array: set_state_word(cell, 0u, few[cell_id]);",
            ),
        ),
    ] {
        let model = LookUp(Space::new([size, 1, 1], Border::Open, vec![]).expect("a space"));
        for (form, device) in adapter::forms(&["native"]) {
            let run = cells::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
            assert_eq!(run.err().map(|error| error.to_string()).as_deref(), said, "{form}");
        }
    }
}

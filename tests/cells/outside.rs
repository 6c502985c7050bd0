//! A model of one's own that reads outside of its array.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, Inputs, Moment, Space};
use tickless::device::Target;
use tickless::kernels::Source;
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

/// Every cell has one event, at 1, and looks up a word.
struct LookUp(Space, &'static str);

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

const LOOK_UP: &str = "import package::cells::cell::{neighbour_word, set_output, set_state_word, state_word};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};

var<private> few: array<u32, 3>;

fn cell_output(cell: u32) -> bool { return false; }

fn cell_transition(cell: u32, imminent: bool) -> Time {
    LOOKS
    return never();
}
";

impl DeviceCells for LookUp {
    fn kernels(&self) -> Option<CellKernels> {
        Some(CellKernels::of("look up", Source::own("look_up.wgsl", LOOK_UP.replace("LOOKS", self.1))))
    }
}

/// Also where the index is one of a state, an output or the neighbours: such a word lies in another cell.
#[test]
fn an_index_outside_is_named_with_its_line() {
    let looks = "set_state_word(cell, 0u, few[cell_id]);";
    let within = "set_state_word(cell, 0u, few[min(cell_id, 2u)]);";
    for (looks, fails) in [
        (within, None),
        (looks, Some(3)),
        ("set_state_word(cell, 0u, state_word(cell, cell_id / 2u));", Some(2)),
        ("set_state_word(cell, cell_id, 7u); set_output(cell, 9u, 7u);", Some(0)),
        ("set_state_word(cell, 0u, neighbour_word(0u, 0u));", Some(0)),
    ] {
        let model = LookUp(Space::new([5, 1, 1], Border::Open, vec![]).expect("a space"), looks);
        let said = fails.map(|cell| {
            format!("cell {cell} at 1: look_up.wgsl, line 10: an index lies outside of the array: {looks}")
        });
        for (form, device) in adapter::forms(&["native"]) {
            let run = cells::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
            assert_eq!(run.err().map(|error| error.to_string()), said, "{form}");
        }
    }
}

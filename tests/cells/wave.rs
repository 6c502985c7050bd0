//! The model of one's own in `docs/cells.md`: what stands there is what runs here.

use tickless::cells::gpu::{self, CellKernels, CellOptions, DeviceCells};
use tickless::cells::{Border, Cell, CellError, CellModel, Inputs, Moment, Space, reference};
use tickless::device::{BufferSpec, BufferUse};
use tickless::kernels::{Mounts, Source};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

/// Cells that fire a while after a neighbour has, and are deaf for a while after that.
struct Wave {
    space: Space,
    delay: Time,
    rest: Time,
}

/// The word of a state.
const READY: u32 = 0;
const FIRING: u32 = 1;
const RESTING: u32 = 2;

impl CellModel for Wave {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        Time::from_ticks(40 << 32)
    }

    fn lookahead(&self) -> Time {
        self.delay
    }

    fn state_words(&self) -> usize {
        1
    }

    fn output_words(&self) -> usize {
        0
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        let first = cell.id == 0;
        state[0] = if first { FIRING } else { READY };
        Ok(if first { Time::ZERO } else { Time::NEVER })
    }

    fn output(&self, _: Cell, _: Time, state: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
        Ok(state[0] == FIRING)
    }

    fn transition(
        &self,
        _: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let after = |time: Time| Time::from_ticks(moment.now.ticks() + time.ticks());
        if moment.imminent {
            if state[0] == FIRING {
                state[0] = RESTING;
                return Ok(after(self.rest));
            }
            state[0] = READY;
        }
        let heard = (0..self.space.offsets().len()).any(|n| inputs.arrives(n));
        if state[0] == READY && heard {
            state[0] = FIRING;
            return Ok(after(self.delay));
        }
        Ok(if moment.imminent { Time::NEVER } else { next })
    }
}

const WAVE: &str = "
import package::cells::cell::{neighbour_arrives, now, planned, set_state_word, state_word};
import package::lib::time::{Time, never};
import constants::{NEIGHBOURS};
import word64::{wide, wide_add};

var<uniform> wave: vec4<u32>; // delay and rest, low word first

fn cell_output(cell: u32) -> bool {
    return state_word(cell, 0u) == 1u;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var state = state_word(cell, 0u);
    if (imminent) {
        if (state == 1u) {
            set_state_word(cell, 0u, 2u);
            return wide_add(now, wide(wave.z, wave.w));
        }
        state = 0u;
    }
    var heard = false;
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        if (neighbour_arrives(n)) { heard = true; }
    }
    if (state == 0u && heard) {
        set_state_word(cell, 0u, 1u);
        return wide_add(now, wide(wave.x, wave.y));
    }
    set_state_word(cell, 0u, state);
    if (imminent) { return never(); }
    return planned;
}
";

impl DeviceCells for Wave {
    fn kernels(&self) -> CellKernels {
        let words = [self.delay, self.rest].map(|time| time.ticks().to_le_bytes()).concat();
        let buffer = BufferSpec::filled("wave", BufferUse::Uniform, words);
        let mounts = Mounts::default().with("model", Source::Text(WAVE.into()));
        CellKernels { label: "wave", mounts, buffers: vec![buffer] }
    }
}

fn wave() -> Wave {
    let space = Space::new([30, 20, 1], Border::Wrapped, Space::moore()).expect("a space");
    Wave { space, delay: Time::from_ticks(1 << 31), rest: Time::from_ticks(3 << 31) }
}

#[test]
fn the_model_of_the_document_runs_everywhere() {
    let model = wave();
    let expected = reference::simulate(&model, &mut unwatched()).expect("a run").outcome;
    // A ring goes out from the first cell, and every cell fires once.
    assert!(expected.imminent >= 1200, "{}", expected.imminent);
    for (form, device) in adapter::forms(&["native"]) {
        let run = gpu::simulate(&model, &device, &CellOptions::default(), &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_eq!(expected.first_difference(&run.outcome), None, "{form}");
    }
}

#[test]
fn the_document_shows_this_model() {
    let (document, own) = (include_str!("../../docs/cells.md"), include_str!("wave.rs"));
    let shown = |language: &str| {
        let block = document.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next());
        block.unwrap_or_else(|| panic!("no block of {language}")).trim()
    };
    assert!(own.contains(shown("rust")), "docs/cells.md shows another model");
    assert_eq!(shown("wgsl"), WAVE.trim());
}

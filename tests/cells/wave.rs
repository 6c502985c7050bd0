//! The model of one's own in `docs/cells.md`: what stands there is what runs here.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, Inputs, Moment, Space, reference};
use tickless::device::{BufferSpec, BufferUse, Target};
use tickless::kernels::{self, CHOICES, Mounts, Source};
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
        let mounts = Mounts::default().with("model", Source::own("wave.wgsl", WAVE));
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
    let expected = reference::run(&model, None, &mut unwatched()).expect("a run").outcome;
    // A ring goes out from the first cell, and every cell fires once.
    assert!(expected.imminent >= 1200, "{}", expected.imminent);
    for (form, device) in adapter::forms(&["native"]) {
        let run = cells::run(&model, Target::Device(&device), Default::default(), &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_eq!(expected.first_difference(&run.outcome), None, "{form}");
    }
}

#[test]
fn the_document_shows_this_model() {
    let (document, own) = (include_str!("../../docs/cells.md"), include_str!("wave.rs"));
    let shown = |language: &str| -> Vec<&str> {
        let start = format!("```{language}\n");
        let blocks = document.split(start.as_str()).skip(1);
        blocks.map(|block| block.split("```").next().unwrap_or_default().trim()).collect()
    };
    let rust = shown("rust");
    assert_eq!(rust.len(), 2);
    assert!(rust.iter().all(|block| own.contains(block)), "docs/cells.md shows another model");
    assert_eq!(shown("wgsl"), [WAVE.trim()]);
}

/// Every name that the document says may be imported is where it says.
#[test]
fn the_document_names_what_there_is() {
    let constants = Source::Text(
        "const STATE_WORDS = 1u;
const OUTPUT_WORDS = 1u;
const NEIGHBOURS = 8u;"
            .into(),
    );
    let mounts = Mounts::default()
        .with("word64", "lib/wide_words")
        .with("model_status", "cells/status")
        .with("constants", constants);
    let document = include_str!("../../docs/cells.md");
    let rows = document.lines().skip_while(|line| *line != "| from | what |").skip(2);
    let mut names = vec![];
    for row in rows.take_while(|line| line.starts_with('|')) {
        let mut words = row.split('`').skip(1).step_by(2);
        let from = words.next().expect("a path");
        for name in words.filter(|word| *word != "DeviceCells::fault") {
            let name = name.split('(').next().expect("a name");
            let choice = CHOICES.iter().find(|choice| choice.name == from);
            let file = from.strip_prefix("package::").map(|path| path.replace("::", "/"));
            for stem in choice.map_or(&[][..], |choice| choice.modules).iter().copied().chain(file.as_deref()) {
                assert!(kernels::link(stem, name, &mounts).is_ok(), "{stem} has no {name}");
            }
            assert!(choice.is_some() || file.is_some(), "there is no {from}");
            names.push(name);
        }
    }
    assert!(names.len() > 25 && names.contains(&"NEIGHBOURS"), "{names:?}");
    assert!(kernels::link("cells/cell", "cell_idd", &mounts).is_err());
}

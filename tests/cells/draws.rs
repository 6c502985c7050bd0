//! A model of one's own whose cells draw: each sleeps for times that its stream gives, and tells its neighbours what it drew.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space};
use tickless::device::Target;
use tickless::kernels::{Mounts, Source};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

struct Sleepers {
    space: Space,
    seed: u64,
    wgsl: String,
}

impl CellModel for Sleepers {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        Time::from_ticks(400 << 32)
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn state_words(&self) -> usize {
        4
    }

    fn output_words(&self) -> usize {
        1
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        let mut stream = cell.stream(self.seed);
        let first = stream.draw();
        state[1..3].copy_from_slice(&stream.words());
        Ok(Time::from_ticks(first.into()))
    }

    fn output(&self, _: Cell, _: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        output[0] = state[0];
        Ok(state[0] & 1 == 0)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let heard = (0..self.space.offsets().len()).filter(|n| inputs.arrives(*n));
        state[3] = heard.fold(state[3], |sum, n| sum.wrapping_mul(31).wrapping_add(inputs.word(n, 0)));
        if !moment.imminent {
            return Ok(next);
        }
        let mut stream = cell.stream_from(self.seed, [state[1], state[2]]);
        state[0] = stream.draw();
        let asleep = u64::from(stream.draw()) << 3;
        state[1..3].copy_from_slice(&stream.words());
        Ok(Time::from_ticks(moment.now.ticks() + asleep))
    }
}

const SLEEPERS: &str = "
import package::cells::cell::{neighbour_arrives, neighbour_word, now, planned, set_output, set_state_word, state_word};
import package::cells::stream::{keep_stream, stream_from};
import package::lib::pcg32::{draw};
import package::lib::time::{Time};
import constants::{NEIGHBOURS};
import word64::{wide_add, wide_product};

fn cell_output(cell: u32) -> bool {
    let drawn = state_word(cell, 0u);
    set_output(cell, 0u, drawn);
    return (drawn & 1u) == 0u;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var sum = state_word(cell, 3u);
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        if (neighbour_arrives(n)) { sum = sum * 31u + neighbour_word(n, 0u); }
    }
    set_state_word(cell, 3u, sum);
    if (!imminent) { return planned; }
    var stream = stream_from(cell, 1u);
    set_state_word(cell, 0u, draw(&stream));
    let asleep = wide_product(draw(&stream), 8u);
    keep_stream(cell, 1u, stream);
    return wide_add(now, asleep);
}
";

impl DeviceCells for Sleepers {
    fn kernels(&self) -> Option<CellKernels> {
        let mounts = Mounts::default().with("model", Source::own("sleepers.wgsl", self.wgsl.clone()));
        Some(CellKernels { label: "sleepers", mounts, buffers: vec![] })
    }
}

fn sleepers(seed: u64, wgsl: &str) -> Sleepers {
    let space = Space::new([7, 5, 1], Border::Wrapped, Space::moore()).expect("a space");
    Sleepers { space, seed, wgsl: wgsl.into() }
}

fn run(model: &Sleepers, target: Target<'_>) -> Result<CellOutcome, String> {
    let run = cells::run(model, 1..3, target, Default::default(), &mut unwatched());
    run.map(|run| run.outcome).map_err(|error| error.to_string())
}

#[test]
fn cells_draw_from_their_own_streams() {
    let heap = |seed| run(&sleepers(seed, SLEEPERS), Target::Heap).expect("a run");
    let expected = heap(3);
    assert!(expected.imminent > 1000, "{}", expected.imminent);
    assert!(expected.first_difference(&heap(4)).is_some());
    for (form, device) in adapter::forms(&["native"]) {
        let device = Target::Device(&device);
        let same = run(&sleepers(3, SLEEPERS), device).unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_eq!(expected.first_difference(&same), None, "{form}");
        // A stream that is not kept, and one whose second word would lie outside of the state.
        let again = SLEEPERS.replace("keep_stream(cell, 1u, stream);", "");
        assert!(expected.first_difference(&run(&sleepers(3, &again), device).expect("a run")).is_some(), "{form}");
        let outside = run(&sleepers(3, &SLEEPERS.replace("stream_from(cell, 1u)", "stream_from(cell, 3u)")), device);
        assert!(outside.expect_err("it has 4 words").contains("sleepers.wgsl, line 22"), "{form}");
    }
}

//! A model of one's own whose cells draw: each sleeps for times that its stream gives, and tells its neighbours what it drew.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space};
use tickless::device::Target;
use tickless::kernels::Source;
use tickless::random::{EffectiveLaw, ServiceLaw};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

struct Sleepers {
    space: Space,
    seed: u64,
    laws: Vec<EffectiveLaw>,
    kernels: Vec<EffectiveLaw>,
    wgsl: String,
}

impl CellModel for Sleepers {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        Time::from_ticks(1000 << 32)
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
        let asleep = self.laws[state[0] as usize % self.laws.len()].service(&mut stream);
        state[1..3].copy_from_slice(&stream.words());
        Ok(Time::from_ticks(moment.now.ticks() + asleep.ticks()))
    }
}

const SLEEPERS: &str = "
import package::cells::cell::{neighbour_arrives, neighbour_word, now, planned, set_output, set_state_word, state_word};
import package::cells::stream::{keep_stream, stream_from};
import package::lib::laws::{law};
import package::lib::pcg32::{draw};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import constants::{NEIGHBOURS};
import law_rows::{LAWS};
import word64::{wide_add};

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
    let drawn = draw(&stream);
    set_state_word(cell, 0u, drawn);
    let asleep = service_time(law(drawn % LAWS), &stream);
    keep_stream(cell, 1u, stream);
    return wide_add(now, asleep);
}
";

impl DeviceCells for Sleepers {
    fn kernels(&self) -> Option<CellKernels> {
        let source = Source::own("sleepers.wgsl", self.wgsl.clone());
        Some(CellKernels { laws: self.kernels.clone(), ..CellKernels::of("sleepers", source) })
    }
}

fn sleepers(seed: u64, wgsl: &str) -> Sleepers {
    let space = Space::new([7, 5, 1], Border::Wrapped, Space::moore()).expect("a space");
    let law = |text: &str| text.parse::<ServiceLaw>().expect("a law").effective(None);
    let laws: Vec<_> = ServiceLaw::SAMPLES.into_iter().map(law).collect();
    Sleepers { space, seed, kernels: laws.clone(), laws, wgsl: wgsl.into() }
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
        let mut wrong = sleepers(3, SLEEPERS);
        wrong.kernels[9].first += 1 << 20;
        assert!(expected.first_difference(&run(&wrong, device).expect("a run")).is_some(), "{form}");
        // No law has such a number, and the second word of such a stream would lie outside of the state.
        for (right, wrong, line) in
            [("drawn % LAWS", "LAWS", 28), ("stream_from(cell, 1u)", "stream_from(cell, 3u)", 25)]
        {
            let outside = run(&sleepers(3, &SLEEPERS.replace(right, wrong)), device).expect_err("it lies outside");
            assert!(outside.contains(&format!("sleepers.wgsl, line {line}: an index lies outside")), "{outside}");
        }
    }
}

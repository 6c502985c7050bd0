//! A model of one's own that draws from laws of every kind, and is told which it has not.

use tickless::device::{Device, Target};
use tickless::kernels::Source;
use tickless::processes::gpu::{DeviceModel, ProcessOptions};
use tickless::processes::{self, Message, Outbox, Outcome, ProcessError, ProcessModel};
use tickless::random::{EffectiveLaw, ServiceLaw, Stream, StreamKey};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;
use crate::phold::{CUT, assert_same};

const PROCESSES: u32 = 48;

/// Every process draws the law of its turn for when it goes on.
struct Turns {
    laws: Vec<EffectiveLaw>,
    kernels: Vec<EffectiveLaw>,
    wgsl: String,
}

impl ProcessModel for Turns {
    type State = [u32; 2];
    type Payload = [u32; 0];

    fn processes(&self) -> u32 {
        PROCESSES
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(2000 << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(5, 0)
    }

    fn device_model(&self) -> Option<DeviceModel> {
        let source = Source::own("turns.wgsl", self.wgsl.clone());
        Some(DeviceModel { laws: self.kernels.clone(), state_words: 2, ..DeviceModel::of(self, "turns", source) })
    }

    fn initialize(
        &self,
        id: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, [u32; 0])>,
    ) -> Result<[u32; 2], ProcessError> {
        first.push((self.laws[id as usize % self.laws.len()].service(stream), []));
        Ok([id, 0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 0]>,
        state: &mut [u32; 2],
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; 0]>,
    ) -> Result<(), ProcessError> {
        let law = &self.laws[state[0] as usize % self.laws.len()];
        let time = law.service(stream).ticks();
        *state = [state[0] + 1, state[1].rotate_left(7) ^ time as u32 ^ (time >> 32) as u32];
        outbox.send(message.destination, Time::from_ticks((1 << 32) + time), [])
    }
}

const TURNS: &str = "
import package::lib::laws::{law};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import package::processes::state::{set_state_word, state_word};
import events::{Event};
import law_rows::{LAWS};
import word64::{wide_add, wide_high, wide_low};

fn start(id: u32, stream: ptr<function, Stream>) {
    set_state_word(0u, id);
    plan(service_time(law(id % LAWS), stream), vec4<u32>());
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    let turn = state_word(0u);
    let time = service_time(law(turn % LAWS), stream);
    let word = state_word(1u);
    set_state_word(0u, turn + 1u);
    set_state_word(1u, ((word << 7u) | (word >> 25u)) ^ wide_low(time) ^ wide_high(time));
    send(process.id, wide_add(parameters.lookahead, time), vec4<u32>());
}
";

fn turns() -> Turns {
    let law = |text: &str| text.parse::<ServiceLaw>().expect("a law").effective(None);
    let laws: Vec<_> = ServiceLaw::SAMPLES.into_iter().map(law).collect();
    Turns { kernels: laws.clone(), laws, wgsl: TURNS.into() }
}

fn run(model: &Turns, device: Option<&dyn Device>) -> Result<Outcome, String> {
    let options = ProcessOptions { rounds: CUT, ..Default::default() };
    let run = processes::run(model, device.map_or(Target::Heap, Target::Device), options, &mut unwatched());
    run.map(|run| run.outcome).map_err(|error| error.to_string())
}

#[test]
fn every_law_is_drawn_as_on_the_heap() {
    let model = turns();
    let expected = run(&model, None).expect("a run");
    // Each process has had each law several times.
    assert!(expected.state.iter().step_by(2).zip(0..).all(|(turn, id)| turn - id >= 40), "{:?}", expected.state);
    for (form, device) in adapter::forms(&["native"]) {
        let found = run(&model, Some(&device)).unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_same(&expected, &found, form);
        let differs = |change: &dyn Fn(&mut Vec<EffectiveLaw>)| {
            let mut kernels = model.laws.clone();
            change(&mut kernels);
            let wrong = run(&Turns { kernels, ..turns() }, Some(&device)).expect("a run");
            expected.first_difference(&wrong).is_some()
        };
        // One tick, or another row of a table.
        for law in [0, 12, 18] {
            assert!(differs(&|laws| laws[law].offset += 1), "{form}: {}", ServiceLaw::SAMPLES[law]);
        }
        // Laws that have changed places: of two stages, and of two tables.
        for [one, other] in [[5, 6], [11, 12]] {
            assert!(differs(&|laws| laws.swap(one, other)), "{form}: {}", ServiceLaw::SAMPLES[one]);
        }
        let wgsl = TURNS.replace("law(turn % LAWS)", "law(turn)");
        let outside = run(&Turns { wgsl, ..turns() }, Some(&device)).expect_err("there are 20 laws");
        assert!(outside.contains("turns.wgsl, line 19: the index "), "{form}: {outside}");
        let none = run(&Turns { kernels: vec![], ..turns() }, Some(&device)).expect_err("none is listed");
        assert!(none.contains("turns.wgsl") && none.contains("the field `laws` of its `DeviceModel`"), "{none}");
    }
}

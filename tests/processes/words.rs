//! Models whose state has several words.

use tickless::device::{Device, Target};
use tickless::kernels::Source;
use tickless::pending::PendingSet;
use tickless::processes::gpu::{self, DeviceModel, ProcessOptions};
use tickless::processes::{self, Message, Outbox, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;
use crate::phold::{CUT, assert_same};

const PROCESSES: u32 = 50;

/// Tokens go round by steps of two, and each process counts them, adds up what they carry, and remembers who came last.
pub struct Counting {
    /// What it announces to a device.
    pub words: u32,
}

impl ProcessModel for Counting {
    type State = [u32; 3];
    type Payload = [u32; 1];

    fn processes(&self) -> u32 {
        PROCESSES
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(20 << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1, 0)
    }

    fn device_model(&self) -> Option<DeviceModel> {
        Some(self.into())
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 1])>) -> Result<[u32; 3], ProcessError> {
        first.push((Time::ZERO, [id]));
        Ok([0, 7 * id, 0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 1]>,
        state: &mut [u32; 3],
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 1]>,
    ) -> Result<(), ProcessError> {
        let [carried] = message.payload;
        *state = [state[0] + 1, state[1].wrapping_add(carried), message.source];
        outbox.send((message.destination + 2) % PROCESSES, Time::UNIT, [carried + 1])
    }
}

const COUNTING: &str = "
import package::lib::pcg32::{Stream};
import package::processes::message::{source_of};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import package::processes::state::{set_state_word, state_word};
import events::{Event, carried_by};
import word64::{wide};

fn start(id: u32, stream: ptr<function, Stream>) {
    set_state_word(1u, 7u * id);
    plan(wide(0u, 0u), vec4<u32>(id, 0u, 0u, 0u));
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    let carried = carried_by(event).x;
    set_state_word(0u, state_word(0u) + 1u);
    set_state_word(1u, state_word(1u) + carried);
    set_state_word(2u, source_of(event));
    send((process.id + 2u) % parameters.processes, wide(0u, 1u), vec4<u32>(carried + 1u, 0u, 0u, 0u));
}";

impl From<&Counting> for DeviceModel {
    fn from(counting: &Counting) -> Self {
        Self { state_words: counting.words, ..Self::of(counting, "counting", Source::own("counting.wgsl", COUNTING)) }
    }
}

/// Sets that grow, and the one heap of all, keep every word.
#[test]
fn every_word_of_a_state_is_that_of_the_heap() {
    let run = |device: Option<&dyn Device>, words, pending| {
        let options = ProcessOptions { pending, room: Some(1), rounds: CUT, ..Default::default() };
        let target = device.map_or(Target::Heap, Target::Device);
        processes::run(&Counting { words }, target, options, &mut unwatched())
    };
    let expected = run(None, 3, PendingSet::default()).expect("a run").outcome;
    assert_eq!((expected.state.len(), &expected.state[3 * 9..][..3]), (150, &[20, 803, 7][..]));
    let announced = run(None, 2, PendingSet::default()).expect_err("it has 3").to_string();
    assert!(announced.contains("has 3 words, and its model announces 2"), "{announced}");
    for (form, device) in adapter::forms(&["native"]) {
        for pending in [PendingSet::HeapOfFours, PendingSet::GlobalHeap] {
            let found = run(Some(&device), 3, pending).unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_same(&expected, &found.outcome, &format!("{form}: {}", pending.name()));
            assert_eq!(run(Some(&device), 2, pending).expect_err("it has 3").to_string(), announced, "{form}");
            let (kernels, options) = (
                DeviceModel::from(&Counting { words: 2 }),
                ProcessOptions { pending, rounds: CUT, ..Default::default() },
            );
            let error =
                gpu::run(&kernels, &device, options, &mut unwatched()).expect_err("it has no third word").to_string();
            assert!(error.contains("word 2 of its state, and it has 2"), "{form}: {error}");
        }
    }
}

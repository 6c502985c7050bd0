//! One heap for the events of all processes: sizes of nodes, ties, both ways to go on in a round, and a heap that grows.

use tickless::device::Target;
use tickless::kernels::Source;
use tickless::pending::PendingSet;
use tickless::processes::gpu::DeviceModel;
use tickless::processes::gpu::{self, ProcessOptions};
use tickless::processes::{self, Message, Outbox, Phold, PholdModel, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;
use crate::own::Crowd;
use crate::phold::{CUT, assert_same, on, on_heap};

const OPTIONS: ProcessOptions = ProcessOptions {
    parts: None,
    pending: PendingSet::GlobalHeap,
    one_event_a_round: false,
    most_pending: None,
    room: None,
    outbox: None,
    node: None,
    figures_only: false,
    rounds: CUT,
};

fn phold(processes: u32, population: u32, mean: f64) -> PholdModel {
    let phold = Phold::new(processes).population(population).lookahead(1.0).mean(mean).until(6.0).work(1);
    phold.check().expect("a model")
}

/// From nodes of one event to one node for all, and processes with many events in a round.
#[test]
fn sizes_of_nodes_change_nothing() {
    let models = [phold(70, 6, 4.0), phold(3, 90, 1.0)];
    for (form, device) in adapter::forms(&["native", "words"]) {
        for model in &models {
            let expected = on_heap(model);
            for (node, one_event_a_round) in [(16, true), (64, false), (1024, false)] {
                // In software a form of a size takes seconds to compile.
                if form == "words" && node != 64 {
                    continue;
                }
                let options = ProcessOptions { node: Some(node), one_event_a_round, ..OPTIONS };
                let run = on(&device, model, &options);
                let what = format!("{form}: nodes of {node}, one event {one_event_a_round}");
                assert_same(&expected.outcome, &run.outcome, &what);
                assert_eq!((run.events, run.clock), (expected.events, model.until()), "{what}");
            }
        }
    }
}

/// Every event sends two messages, up to the fourth generation: nothing that is at hand at the start is enough.
struct Doubling;

const FAMILIES: u32 = 8;
const GENERATIONS: u32 = 4;

impl ProcessModel for Doubling {
    type State = [u32; 1];
    type Payload = [u32; 1];

    fn processes(&self) -> u32 {
        FAMILIES
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(u64::from(GENERATIONS) << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(5, 0)
    }

    fn device_model(&self) -> Option<DeviceModel> {
        Some(self.into())
    }

    fn initialize(&self, _: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 1])>) -> Result<[u32; 1], ProcessError> {
        first.push((Time::ZERO, [0]));
        Ok([0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 1]>,
        state: &mut [u32; 1],
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 1]>,
    ) -> Result<(), ProcessError> {
        let [generation] = message.payload;
        state[0] = state[0].rotate_left(1) ^ generation;
        for child in 0..2 {
            let to = (3 * message.destination + child + generation) % FAMILIES;
            outbox.send(to, Time::UNIT, [generation + 1])?;
        }
        Ok(())
    }
}

const DOUBLING: &str = "
import package::lib::pcg32::{Stream};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import events::{Event, carried_by};
import word64::{wide};

fn start(id: u32, stream: ptr<function, Stream>) { plan(wide(0u, 0u), vec4<u32>()); }

fn execute(event: Event, stream: ptr<function, Stream>) {
    let generation = carried_by(event).x;
    process.word = ((process.word << 1u) | (process.word >> 31u)) ^ generation;
    for (var child = 0u; child < 2u; child += 1u) {
        let to = (3u * process.id + child + generation) % parameters.processes;
        send(to, wide(0u, 1u), vec4<u32>(generation + 1u, 0u, 0u, 0u));
    }
}";

impl From<&Doubling> for DeviceModel {
    fn from(doubling: &Doubling) -> Self {
        Self { most_sent: 2, ..Self::of(doubling, "doubling", Source::own("doubling.wgsl", DOUBLING)) }
    }
}

/// The heap grows from room for 16 events to that for 128 and loses none; where it may not, it says how many there are.
#[test]
fn a_heap_grows_and_loses_nothing() {
    let expected =
        processes::run(&Doubling, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    assert_eq!(expected.pending.len(), 128);
    for (form, device) in adapter::forms(&["native"]) {
        for (node, one_event_a_round) in [(16, false), (16, true)] {
            let options = ProcessOptions { node: Some(node), one_event_a_round, ..OPTIONS };
            let run = processes::run(&Doubling, Target::Device(&device), options, &mut unwatched());
            let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_same(&expected, &run.outcome, &format!("{form}: nodes of {node}"));
        }
        let options = ProcessOptions { node: Some(8), most_pending: Some(9), ..OPTIONS };
        match processes::run(&Doubling, Target::Device(&device), options, &mut unwatched()) {
            Err(ProcessError::MeanPending { needed, most: 9, clock }) => {
                assert!(needed > 9 && clock <= 4.0, "{needed}, {clock}")
            }
            Err(error) => panic!("{form}: {error}"),
            Ok(_) => panic!("{form}: it ran"),
        }
    }
}

/// Events that carry words, at the same few times, all to one process.
#[test]
fn all_events_to_one_process_in_small_nodes() {
    let expected = processes::run(&Crowd, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    for (form, device) in adapter::forms(&["native"]) {
        let options = ProcessOptions { node: Some(64), ..OPTIONS };
        let run = processes::run(&Crowd, Target::Device(&device), options, &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_same(&expected, &run.outcome, form);
    }
}

/// Nodes that there are not are refused, those beyond the events are cut, and the run says what they were.
#[test]
fn sizes_of_nodes_are_checked_and_told() {
    let model = phold(70, 6, 4.0);
    for (form, device) in adapter::forms(&["native"]) {
        for node in [0, gpu::MOST_NODE + 1] {
            let options = ProcessOptions { node: Some(node), ..OPTIONS };
            let error = processes::run(&model, Target::Device(&device), options, &mut unwatched()).err();
            assert!(
                matches!(error, Some(ProcessError::Node { most: gpu::MOST_NODE, .. })),
                "{form}: {node}: {error:?}"
            );
        }
        let run = on(&device, &model, &ProcessOptions { node: Some(gpu::MOST_NODE), ..OPTIONS });
        assert_eq!(run.details.node, Some(512), "{form}");
    }
}

/// More events than are allowed at the start.
#[test]
fn a_heap_that_may_not_have_so_many_events_says_how_many_there_are() {
    let model = phold(70, 6, 4.0);
    for (form, device) in adapter::forms(&["native"]) {
        let options = ProcessOptions { most_pending: Some(5), ..OPTIONS };
        match processes::run(&model, Target::Device(&device), options, &mut unwatched()) {
            Err(ProcessError::MeanPending { needed: 6, most: 5, .. }) => {}
            Err(error) => panic!("{form}: {error}"),
            Ok(_) => panic!("{form}: it ran"),
        }
    }
}

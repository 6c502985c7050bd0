//! Ranks on devices, and beside them ranks on heaps.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use tickless::device::wgpu::{OpenOptions, WgpuDevice, api};
use tickless::device::{Device, DeviceError, Target};
use tickless::kernels::Source;
use tickless::pending::PendingSet;
use tickless::processes::gpu::{DeviceModel, ProcessOptions};
use tickless::processes::{
    self, Blocks, Message, Outbox, OverOptions, Phold, PholdModel, ProcessError, ProcessModel, reference,
    run_from_over_targets, run_over_targets,
};
use tickless::random::{Stream, StreamKey};
use tickless::ranks::Ranks;
use tickless::run::{Progress, Watch, unwatched};
use tickless::time::Time;

use crate::adapter;
use crate::processes::Gossip;

const GOSSIP: &str = "
import package::lib::pcg32::{Stream, draw};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import package::processes::state::{set_state_word, state_word};
import events::{Event, carried_by};
import word64::{wide};

fn start(id: u32, stream: ptr<function, Stream>) {
    set_state_word(0u, id);
    for (var number = 0u; number < id % 3u; number += 1u) {
        plan(wide(0u, 0u), vec4<u32>(id, number, draw(stream), 0u));
    }
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    let carried = carried_by(event);
    let mixed = state_word(0u) ^ carried.x ^ event.key.z;
    set_state_word(0u, ((mixed << 7u) | (mixed >> 25u)) + carried.y);
    set_state_word(1u, state_word(1u) * 31u + carried.z);
    let drawn = draw(stream);
    let sends = select(0u, 1u, drawn % 11u != 0u) + select(0u, 1u, drawn % 13u == 0u);
    for (var number = 0u; number < sends; number += 1u) {
        let destination = draw(stream) % parameters.processes;
        let delay = 2u + drawn % 3u;
        send(destination, wide(delay << 31u, delay >> 1u), vec4<u32>(state_word(0u), carried.y + number, drawn, 0u));
    }
}";

impl From<&Gossip> for DeviceModel {
    fn from(gossip: &Gossip) -> Self {
        Self {
            label: "gossip",
            processes: gossip.processes,
            lookahead: gossip.lookahead(),
            until: gossip.until,
            key: gossip.key(),
            starting: 2,
            most_sent: 2,
            burst: 1.0,
            payload_words: 3,
            state_words: 2,
            source: Source::own("gossip.wgsl", GOSSIP),
            buffers: vec![],
        }
    }
}

/// How ranks are placed: `h` is a heap, `d` a device.
pub fn targets<'d>(places: &str, device: &'d dyn Device) -> impl Fn(u32) -> Target<'d> + Sync {
    let on_device: Vec<bool> = places.chars().map(|place| place == 'd').collect();
    move |rank| if on_device[rank as usize] { Target::Device(device) } else { Target::Heap }
}

pub fn ranks(places: &str) -> Ranks<'static> {
    Ranks::Threads(NonZeroU32::new(places.len() as u32).expect("a rank or more"))
}

/// The records and the figures are those of one heap.
fn assert_on<'m, M: ProcessModel + Sync>(model: &'m M, places: &str, device: &dyn Device, options: &OverOptions)
where
    DeviceModel: From<&'m M>,
{
    let alone = reference::run(model, &mut unwatched()).expect("a run");
    let what = format!("{places}, {options:?}");
    for figures_only in [false, true] {
        let options = OverOptions { figures_only, ..options.clone() };
        let over = run_over_targets(model, ranks(places), targets(places, device), options, &mut unwatched());
        let over = over.unwrap_or_else(|error| panic!("{what}: {error}")).expect("a run on rank 0");
        assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
        assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
        assert_eq!(over.outcome.statistics(), alone.outcome.statistics(), "{what}");
        assert_eq!((over.events, over.clock, over.interrupted), (alone.events, alone.clock, false), "{what}");
        if !figures_only {
            assert_eq!(over.outcome, alone.outcome, "{what}");
        }
        let on_devices = places.contains('d');
        assert_eq!((over.details.remote.is_none(), over.details.pending.is_some()), (on_devices, on_devices), "{what}");
    }
}

fn phold(lookahead: f64, remote: f64) -> PholdModel {
    let phold = Phold::new(61).population(3).lookahead(lookahead).mean(0.7).remote(remote).work(2);
    phold.until(8.0).check().expect("a model")
}

#[test]
fn phold_on_devices_and_heaps_is_phold() {
    for (form, device) in adapter::forms(&["native"]) {
        let blocks = |sizes: &[u32]| OverOptions { blocks: Some(Blocks::of_sizes(sizes)), ..OverOptions::default() };
        let cases = [
            ("d", 0.3, 1.0, OverOptions::default()),
            ("dd", 0.3, 0.2, OverOptions::default()),
            ("hd", 0.3, 1.0, OverOptions::default()),
            ("dhd", 0.01, 0.5, blocks(&[1, 58, 2])),
            ("hddh", 2.0, 0.0, OverOptions::default()),
            ("dddd", 2.0, 1.0, blocks(&[40, 1, 1, 19])),
        ];
        for (places, lookahead, remote, options) in cases {
            println!("{form}: {places}");
            assert_on(&phold(lookahead, remote), places, device.as_ref(), &options);
        }
    }
}

/// Words of payload and of state, several messages of an event, and much at one instant.
#[test]
fn a_model_of_ones_own_carries_its_words_over_the_border() {
    for (_, device) in adapter::forms(&["words"]) {
        let model = Gossip { processes: 40, until: Time::from_ticks(30 << 32), seed: 5 };
        for places in ["dh", "ddd"] {
            assert_on(&model, places, device.as_ref(), &OverOptions::default());
        }
    }
}

/// Sets that begin with too little room, outboxes of one event, one event of a process in a round, and more messages that come at
/// once than have room.
#[test]
fn whatever_has_too_little_room_loses_nothing() {
    for (_, device) in adapter::forms(&["native"]) {
        let model = Phold::new(40).population(1).lookahead(1.0).mean(3.0).until(60.0).check().expect("a model");
        let sets = [PendingSet::HeapOfFours, PendingSet::CircularParallel];
        for (pending, one_event_a_round) in sets.into_iter().zip([false, true]) {
            let device_options =
                ProcessOptions { pending, one_event_a_round, room: Some(1), outbox: Some(1), ..Default::default() };
            let options = OverOptions { device: device_options, ..Default::default() };
            assert_on(&model, "dd", device.as_ref(), &options);
        }
        // In a window each rank sends some 1,400 messages, in four rounds, and on the second there is room for 1,024 at once.
        let one = ProcessOptions { outbox: Some(1), room: Some(1), ..Default::default() };
        let model = Phold::new(3000).population(4).lookahead(8.0).mean(1.0).until(17.0).check().expect("a model");
        let options = OverOptions { blocks: Some(Blocks::of_sizes(&[2600, 400])), device: one, ..Default::default() };
        assert_on(&model, "dd", device.as_ref(), &options);
    }
}

/// So many that all cores sort them: some 30,000 each way in a window.
#[test]
fn many_messages_cross_at_once() {
    let model = Phold::new(1 << 13).population(8).lookahead(8.0).mean(1.0).until(18.0).check().expect("a model");
    for (_, device) in adapter::forms(&["native"]) {
        assert_on(&model, "dd", device.as_ref(), &OverOptions::default());
    }
}

/// What a watch ends is whole, and goes on over other ranks on other targets.
#[test]
fn an_interrupted_run_goes_on_on_other_targets() {
    for (form, device) in adapter::forms(&["native"]) {
        let model = Phold::new(300).population(2).lookahead(0.02).work(1 << 14).until(2.0).check().expect("a model");
        let expected = reference::run(&model, &mut unwatched()).expect("a run");
        let (mut at, mut events, mut stops) = (None, 0, 0);
        for places in ["dh", "hd", "hh", "d"] {
            let mut stop = |progress: &Progress| match progress.rounds {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            };
            let (ranks, targets) = (ranks(places), targets(places, device.as_ref()));
            let run = run_from_over_targets(&model, at.as_ref(), ranks, targets, Default::default(), &mut stop);
            let run = run.unwrap_or_else(|error| panic!("{form}, {places}: {error}")).expect("rank 0");
            stops += u32::from(run.interrupted);
            events += run.events;
            assert_eq!(run.outcome.outcome.totals().executed, events, "{form}, {places}");
            assert_eq!(run.outcome.outcome.until, run.clock, "{form}, {places}");
            assert!(run.outcome.outcome.pending.iter().all(|message| message.time >= run.clock));
            assert!(run.outcome.outcome.processes.iter().all(|process| process.last < run.clock));
            at = Some(run.outcome);
        }
        assert!(stops >= 2, "{form}: it stopped {stops} times");
        let rest = reference::run_from(&model, at.as_ref(), &mut unwatched()).expect("a run");
        assert_eq!(rest.outcome.outcome.first_difference(&expected.outcome), None, "{form}");
        assert_eq!((events + rest.events, rest.outcome.remote), (expected.events, None), "{form}");
    }
}

/// One rank that cannot begin ends all of them with what it says, and so does a fault of a kernel.
#[test]
fn what_a_rank_on_a_device_meets_ends_all_of_them() {
    for (form, device) in adapter::forms(&["native"]) {
        let model = phold(0.3, 1.0);
        for pending in [PendingSet::Unsorted, PendingSet::GlobalHeap] {
            let device_options = ProcessOptions { pending, ..Default::default() };
            let options = OverOptions { device: device_options, ..Default::default() };
            let run = run_over_targets(&model, ranks("hd"), targets("hd", device.as_ref()), options, &mut unwatched());
            let error = run.expect_err("refused").to_string();
            let name = pending.name();
            assert!(
                error.starts_with(&format!("over ranks no device keeps pending events as {name}: use heap-of-fours"))
            );
        }
        let device_options = ProcessOptions { most_pending: Some(3), ..Default::default() };
        let options = OverOptions { device: device_options, ..Default::default() };
        let run = run_over_targets(&model, ranks("hdd"), targets("hdd", device.as_ref()), options, &mut unwatched());
        assert!(matches!(run, Err(ProcessError::Pending { most: 3, .. })), "{form}: {run:?}");
    }
}

/// Destroys a device when it looks first.
struct Destroying(api::Device);

impl Watch for Destroying {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0.destroy();
        ControlFlow::Continue(())
    }
}

#[test]
fn a_device_that_is_lost_ends_all_ranks() {
    let instance = api::Instance::new(api::InstanceDescriptor::new_without_display_handle());
    let Ok(found) = pollster::block_on(instance.request_adapter(&api::RequestAdapterOptions::default())) else {
        assert!(std::env::var_os("CI").is_none(), "CI needs an adapter");
        return eprintln!("SKIPPED: no adapter on this machine");
    };
    let descriptor = api::DeviceDescriptor { required_limits: api::Limits::default(), ..Default::default() };
    let (device, queue) = pollster::block_on(found.request_device(&descriptor)).expect("a device");
    let own = WgpuDevice::from_existing(&found, device.clone(), queue, OpenOptions::default()).expect("limits that do");
    let model = Phold::new(600).population(2).until(1e6).check().expect("a model");
    let mut destroying = Destroying(device);
    let run = run_over_targets(&model, ranks("hdh"), targets("hdh", &own), Default::default(), &mut destroying);
    assert!(matches!(run, Err(ProcessError::Device(DeviceError::Lost { .. }))), "{run:?}");
}

/// Process 30 sends a message to nobody, at time 3.
struct Stray;

impl ProcessModel for Stray {
    type State = [u32; 0];
    type Payload = [u32; 0];

    fn processes(&self) -> u32 {
        40
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(9 << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1, 0)
    }

    fn initialize(&self, _: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 0])>) -> Result<[u32; 0], ProcessError> {
        first.push((Time::ZERO, []));
        Ok([])
    }

    fn execute(
        &self,
        message: &Message<[u32; 0]>,
        _: &mut [u32; 0],
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 0]>,
    ) -> Result<(), ProcessError> {
        let (id, is_three) = (message.destination, message.time.units() == 3.0);
        outbox.send(if id == 30 && is_three { 40 } else { id }, Time::UNIT, [])
    }
}

impl From<&Stray> for DeviceModel {
    fn from(stray: &Stray) -> Self {
        let text = "
import package::lib::pcg32::{Stream};
import package::lib::wide::{wide_differs};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import events::{Event};
import word64::{wide};

fn start(id: u32, stream: ptr<function, Stream>) { plan(wide(0u, 0u), vec4<u32>()); }

fn execute(event: Event, stream: ptr<function, Stream>) {
    let strays = process.id == 30u && !wide_differs(process.now, wide(0u, 3u));
    send(select(process.id, parameters.processes, strays), wide(0u, 1u), vec4<u32>());
}";
        Self {
            label: "stray",
            processes: 40,
            lookahead: stray.lookahead(),
            until: stray.until(),
            key: stray.key(),
            starting: 1,
            most_sent: 1,
            burst: 1.0,
            payload_words: 0,
            state_words: 0,
            source: Source::own("stray.wgsl", text),
            buffers: vec![],
        }
    }
}

/// Processes are named as in the whole model.
#[test]
fn a_fault_in_a_block_names_the_process_of_the_model() {
    for (form, device) in adapter::forms(&["native"]) {
        for places in ["hd", "hhd", "hh"] {
            let run = run_over_targets(
                &Stray,
                ranks(places),
                targets(places, device.as_ref()),
                Default::default(),
                &mut unwatched(),
            );
            let fault = matches!(run, Err(ProcessError::Destination { process: 30, destination: 40, processes: 40 }));
            assert!(fault, "{form}, {places}: {run:?}");
        }
    }
}

/// A block is a model of its own to a device: it has no more than its share.
#[test]
fn a_block_takes_its_share_of_memory() {
    let adapter = tickless::device::AdapterDescription::imagined(true, 32);
    let model = DeviceModel::from(&Phold::new(1 << 16).population(4).check().expect("a model"));
    let bytes = |block| {
        let parts = processes::gpu::parts_of_block(&model, block, &ProcessOptions::default(), &adapter);
        let parts = parts.unwrap_or_else(|error| panic!("{error}"));
        ["processes", "slots", "inboxes"].map(|name| {
            parts.buffers.iter().find(|buffer| buffer.name == name).map(|buffer| buffer.size).unwrap_or_default()
        })
    };
    let [whole, half] = [bytes(0..1 << 16), bytes(1 << 15..1 << 16)];
    assert_eq!(half.map(|bytes| 2 * bytes), whole);
}

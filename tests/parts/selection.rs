//! Steps 1 to 3 of a round under a model that only writes down who departs.

use tickless::device::{BufferSpec, BufferUse, Device, SetUp};
use tickless::engine::{
    Control, ModelParts, ModelStatus, Options, Sizes, Stage, StageKernel, first_summaries, round_program, shared_bound,
};
use tickless::kernels::Mounts;
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;
use crate::lab::{assert_equal, first_difference, text, words};

const INITIALIZE: &str = "
import package::engine::schedule::{next_event};
import constants::{WORKGROUP};
import word64::{wide};

var<storage, read> given: array<vec2<u32>>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id < arrayLength(&given)) { next_event[id] = wide(given[id].x, given[id].y); }
}";

/// Every other departure schedules an event, the next is left without one.
const DEPART: &str = "
import package::engine::schedule::{next_event, schedule};
import package::lib::control::{control};
import package::lib::time::{never};
import word64::{wide_add};

var<storage, read_write> chosen: array<u32>;

fn depart(slot: u32, entity: u32) {
    chosen[slot] = entity;
    if (entity % 2u == 0u) { schedule(entity, wide_add(next_event[entity], control.lookahead)); }
    else { next_event[entity] = never(); }
}";

const ARRIVE: &str = "
var<storage, read_write> chosen: array<u32>;

fn arrive(slot: u32) { chosen[slot] += 1000000u; }";

const LOOKAHEAD: u64 = 1000;
const LIMIT: u64 = 1 << 40;

/// What a round leaves behind.
#[derive(Debug, PartialEq)]
struct Round {
    control: Control,
    /// In the slots of each block: the entities, in order.
    chosen: Vec<Vec<u32>>,
    next_event: Vec<u64>,
    /// The least event time of each block, and how many departed.
    summaries: Vec<(u64, u64)>,
}

fn kernel(label: &'static str, choice: &'static str, module: &str) -> StageKernel {
    StageKernel::new(
        label,
        &Mounts::default().with(choice, text(module)).with("group_arrivals", "engine/no_group_arrivals"),
    )
}

fn parts(times: &[u64], device: &dyn Device, options: &Options) -> ModelParts {
    let entities = times.len() as u32;
    ModelParts {
        label: "selection",
        entities,
        lookahead: Time::from_ticks(LOOKAHEAD),
        buffers: vec![
            BufferSpec::filled("given", BufferUse::Storage, bytemuck::cast_slice(times).to_vec()),
            BufferSpec::storage("chosen", u64::from(entities), 4),
        ],
        sizes: Sizes::selecting(entities, device.adapter(), options).unwrap_or_else(|e| panic!("{e}")),
        first: vec![Stage::of_threads(kernel("initialize", "kernel", INITIALIZE), entities), first_summaries()],
        round: shared_bound(kernel("departure", "departures", DEPART), kernel("arrival", "arrivals", ARRIVE), 0),
        rounds_each: 1,
        status: ModelStatus::default(),
        last: vec![],
        results: vec![],
    }
}

/// `rounds` rounds on the device; what the last one left.
fn on_device(device: &dyn Device, times: &[u64], block: usize, options: &Options, rounds: u32) -> Round {
    let program = round_program(parts(times, device, options), device.adapter()).unwrap_or_else(|e| panic!("{e}"));
    let id = |name| program.buffer_named(name).expect("a buffer of that name");
    let [control, chosen, next_event, summaries] = ["control", "chosen", "next_event", "summaries"].map(id);
    let mut session = device.load(program, &mut SetUp::new(&mut unwatched())).unwrap_or_else(|e| panic!("{e}"));
    let limit = std::mem::offset_of!(Control, limit) as u64;
    session.write(control, limit, &LIMIT.to_le_bytes()).expect("a device");
    session.submit(rounds).expect("a device");
    let status = session.wait().expect("a device").status;
    let control: Control = bytemuck::pod_read_unaligned(&status[..size_of::<Control>()]);
    let mut words = |buffer| -> Vec<u64> {
        let bytes = session.read(buffer).expect("a device");
        bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect()
    };
    let (next_event, summaries) = (words(next_event), words(summaries));
    let slots = session.read(chosen).expect("a device");
    let slots: Vec<u32> = slots.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let row = |number: usize| &summaries[number * control.blocks as usize..][..control.blocks as usize];
    let summaries: Vec<(u64, u64)> = row(rounds as usize % 2).iter().copied().zip(row(3).iter().copied()).collect();
    assert!(row(2).iter().all(|t| *t == u64::MAX), "nothing is scheduled on arrival");
    let chosen = slots.chunks(block).zip(&summaries);
    let chosen = chosen.map(|(slots, &(_, count))| {
        // The arrival step has looked at each slot once.
        slots[..count as usize].iter().map(|entity| entity - 1_000_000).collect()
    });
    Round { control, chosen: chosen.collect(), next_event, summaries }
}

/// The same, one entity after another.
fn in_rust(times: &[u64], block: usize, rounds: u32) -> Round {
    let blocks = times.len().div_ceil(block);
    let mut next_event = times.to_vec();
    let (mut events, mut minimum, mut bound) = (0, 0, 0);
    let (mut chosen, mut summaries) = (vec![], vec![]);
    for _ in 0..rounds {
        minimum = *next_event.iter().min().expect("an entity");
        assert!(minimum < LIMIT, "every round of these tests has work");
        bound = (minimum + LOOKAHEAD).min(LIMIT);
        chosen = vec![vec![]; blocks];
        for entity in 0..times.len() {
            if next_event[entity] < bound {
                chosen[entity / block].push(entity as u32);
                next_event[entity] = if entity % 2 == 0 { next_event[entity] + LOOKAHEAD } else { u64::MAX };
            }
        }
        events += chosen.iter().map(|c| c.len() as u64).sum::<u64>();
        let least = next_event.chunks(block).map(|b| *b.iter().min().expect("an entity"));
        summaries = least.zip(&chosen).map(|(least, c)| (least, c.len() as u64)).collect();
    }
    let control = Control {
        rounds: 0,
        extra_groups: 0,
        halted: 0,
        room: 0,
        turns: 1,
        minimum,
        bound,
        limit: LIMIT,
        lookahead: LOOKAHEAD,
        events,
        entities: times.len() as u32,
        blocks: blocks as u32,
        round: rounds,
        finished: rounds,
        running: 1,
        selected: 0,
        fault: 0,
        fault_entity: u32::MAX,
    };
    Round { control, chosen, next_event, summaries }
}

/// Event times of which about `percent` in a hundred lie in the first window; some never come, many are equal.
fn times(entities: usize, percent: u32, seed: u64) -> Vec<u64> {
    let mut word = words(seed);
    let mut times: Vec<u64> = (0..entities)
        .map(|_| {
            let base = u64::from(word()) << 5;
            match word() % 100 {
                roll if roll < percent => 77 + base % (LOOKAHEAD - 77),
                roll if roll % 5 == 0 => u64::MAX,
                roll if roll % 5 == 1 => LOOKAHEAD + 76 + base % 3,
                _ => LOOKAHEAD + 77 + base,
            }
        })
        .collect();
    times[word() as usize % entities] = 77;
    times
}

fn compare(expected: &Round, found: &Round, what: &str) {
    for (block, (expected, found)) in expected.chosen.iter().zip(&found.chosen).enumerate() {
        assert_equal(expected, found, &format!("{what}: block {block}, chosen"));
    }
    assert_equal(&expected.summaries, &found.summaries, &format!("{what}: summaries"));
    assert_equal(&expected.next_event, &found.next_event, &format!("{what}: next events"));
    assert_eq!(expected, found, "{what}");
}

#[test]
fn the_imminent_are_selected_in_order() {
    const CUTS: [(u32, u32); 5] = [(32, 64), (256, 64), (128, 8), (64, 4), (256, 4)];
    for (cut, (form, device)) in adapter::every_form().into_iter().enumerate() {
        for (place, entities) in [1, 2, 31, 255, 256, 257, 1009, 7919, 65_537].into_iter().enumerate() {
            for (turn, percent) in [0, 1, 50, 99, 100].into_iter().enumerate() {
                // Two ways to cut the entities in each form: a software adapter compiles for half a second.
                let (workgroup, elements) = if turn % 2 == 0 { CUTS[cut % CUTS.len()] } else { (64, 16) };
                let options = Options { workgroup, elements: Some(elements), ..Options::default() };
                let block = (workgroup * elements) as usize;
                let times = times(entities, percent, (place * 5 + turn) as u64);
                let rounds = if percent == 0 { 1 } else { 1 + turn as u32 % 2 };
                // An odd entity alone has no second event.
                let rounds = if entities < 3 { 1 } else { rounds };
                let what = format!("{form}: {entities} entities, {percent} %, {workgroup} threads x {elements}");
                compare(&in_rust(&times, block, rounds), &on_device(&device, &times, block, &options, rounds), &what);
            }
        }
    }
}

#[test]
fn one_other_event_time_is_caught() {
    let times = times(1009, 50, 1);
    let right = in_rust(&times, 256, 1);
    for entity in [0, 500, 1008] {
        let mut other = times.clone();
        other[entity] ^= 1 << 12;
        let wrong = in_rust(&other, 256, 1);
        assert!(right != wrong && first_difference(&right.next_event, &wrong.next_event) == Some(entity));
    }
}

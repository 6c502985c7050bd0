//! The parallel heap against Rust's `BinaryHeap`: nodes of one event to those of several workgroups, taken from and added to
//! in bulk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tickless::device::{BufferSpec, BufferUse, Device, Dispatch, Program, Session, SetUp, Step};
use tickless::kernels::Source;
use tickless::run::unwatched;

use crate::adapter;
use crate::lab::{assert_equal, first_difference, frame, link, text, with_fault, words};

const WORKGROUP: u32 = 32;
const TURNS: usize = 40;
const BLOCK: u32 = 512;

/// (time, source, sequence); no two are equal.
type Key = (u64, u32, u32);

/// Events of a node, and nodes.
#[derive(Clone, Copy, Debug)]
struct Size {
    node: u32,
    nodes: u32,
}

impl Size {
    fn levels(self) -> u32 {
        self.nodes.ilog2() + 1
    }

    fn sent_at(self) -> u32 {
        self.node * (self.nodes + 2 * self.levels())
    }

    fn level_at(self, level: u32) -> usize {
        (self.node + self.nodes + 4 * level) as usize
    }

    /// Where runs begin and where they are merged to; one pass is enough for eight blocks.
    fn constants(self) -> String {
        let Self { node, nodes } = self;
        let block = node.min(BLOCK);
        let (levels, held, sent) = (self.levels(), node * (nodes + self.levels()), self.sent_at());
        let (runs, merged) = (sent + node, sent + 2 * node);
        let sorted = if node > block { merged } else { runs };
        let fan = node / block;
        format!(
            "const NODE: u32 = {node}u; const NODES: u32 = {nodes}u; const LEVELS: u32 = {levels}u;
             const MOST_SENT: u32 = 1u; const SORTED: u32 = {node}u; const BLOCK_EVENTS: u32 = {block}u;
             const HELD_AT: u32 = {held}u; const SENT_AT: u32 = {sent}u; const RUNS_AT: u32 = {runs}u;
             const SORTED_AT: u32 = {sorted}u; const RUN: u32 = {block}u; const FAN: u32 = {fan}u;
             const MERGING_AT: u32 = {runs}u; const MERGED_AT: u32 = {merged}u;"
        )
    }

    fn room(self) -> usize {
        (self.node * self.nodes) as usize
    }
}

/// How times go on.
#[derive(Clone, Copy, Debug)]
enum Times {
    Random,
    Ascending,
    Descending,
    Equal,
    Alternating,
}

fn keys(times: Times, seed: u64) -> impl FnMut() -> Key {
    let mut word = words(seed);
    let mut number = 0;
    move || {
        number += 1;
        let time = match times {
            Times::Random => u64::from(word()) << (word() % 30),
            Times::Ascending => u64::from(number) << 31,
            Times::Descending => u64::from(u32::MAX - number) << 31,
            Times::Equal => 5 << 32,
            Times::Alternating => u64::from(number % 2) << 40,
        };
        (time, word() % 3, number ^ 0x155)
    }
}

/// What is there at first, and in each turn how many of the root's events go and what comes for them.
struct Script {
    first: Vec<Key>,
    takes: Vec<usize>,
    /// A place for each event of the root; only those of what goes, or of nothing, are looked at.
    batches: Vec<Option<Key>>,
    /// The root at the beginning of each turn, in order.
    roots: Vec<Option<Key>>,
}

fn script(size: Size, times: Times, filled: usize, seed: u64) -> Script {
    let (node, mut key, mut word) = (size.node as usize, keys(times, seed), words(seed + 1));
    let first: Vec<Key> = (0..filled).map(|_| key()).collect();
    let mut heap: BinaryHeap<Reverse<Key>> = first.iter().copied().map(Reverse).collect();
    let (mut takes, mut batches, mut roots) = (vec![], vec![], vec![]);
    for turn in 0..TURNS {
        let root: Vec<Key> = (0..node).map_while(|_| heap.pop()).map(|Reverse(key)| key).collect();
        roots.extend((0..node).map(|place| root.get(place).copied()));
        // All, none, some; and as many come, or fewer, or as many as there is room for.
        let take = [node, 0, word() as usize % (node + 1), node][turn % 4];
        let share = [4, 3, 0, 4, 2][turn % 5];
        let comes = |place: usize| place < take || place >= root.len();
        let batch = (0..node).map(|place| comes(place) && word() % 4 < share);
        let batch: Vec<Option<Key>> = batch.map(|comes| comes.then(&mut key)).collect();
        heap.extend(batch.iter().flatten().copied().map(Reverse));
        heap.extend(root.into_iter().skip(take).map(Reverse));
        takes.push(take);
        batches.extend(batch);
    }
    Script { first, takes, batches, roots }
}

/// Nobody is told of the events of the root.
const ROOT: &str = "
import events::{Cargo};

fn at_root(place: u32, key: vec4<u32>, load: Cargo) {}
";

/// In place of the processes.
const FEED: &str = "
import package::global_heap::areas::{STEPPING_AT, give_back, heap_words, node_area};
import package::global_heap::events::{cargo, is_none, keys};
import package::global_heap::level::{one_step};
import constants::{LEVELS, NODE, WORKGROUP};

var<storage, read> turn: array<u32>;
var<storage, read> takes: array<u32>;
var<storage, read> batches: array<vec4<u32>>;
var<storage, read_write> roots: array<vec4<u32>>;
var<storage, read_write> loads: array<u32>;

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    if (thread == 0u) { heap_words[STEPPING_AT] = 1u; }
    if (thread < NODE) {
        let key = keys[node_area(0u) + thread];
        let place = turn[0] * NODE + thread;
        roots[place] = key;
        loads[place] = cargo[node_area(0u) + thread];
        let batch = batches[place];
        if (thread < takes[turn[0]] || is_none(key)) { give_back(thread, batch, batch.w + 7u); }
        else { give_back(thread, key, cargo[node_area(0u) + thread]); }
    } else if (thread < NODE + 3u * NODE * (LEVELS / 2u)) {
        let event = thread - NODE;
        one_step(2u * (event / (3u * NODE)) + 1u, event / NODE % 3u, event % NODE);
    }
}";

const SETTLE: &str = "
import package::global_heap::level::{one_step};
import constants::{LEVELS, NODE, WORKGROUP};

var<storage, read_write> turn: array<u32>;

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    if (thread == 0u) { turn[0] += 1u; }
    if (thread < 3u * NODE * ((LEVELS + 1u) / 2u)) {
        one_step(2u * (thread / (3u * NODE)), thread / NODE % 3u, thread % NODE);
    }
}";

fn key_words(key: Option<Key>) -> [u32; 4] {
    let words = |(time, source, sequence): Key| [time as u32, (time >> 32) as u32, source, sequence];
    key.map_or([u32::MAX; 4], words)
}

/// With what is to be wrong in a file: the file, what stands there, and what is to stand there.
fn program(device: &dyn Device, size: Size, fault: Option<[&'static str; 3]>) -> Program {
    let mut program = Program { label: "parts".into(), ..Default::default() };
    let room = (size.sent_at() + 3 * size.node).into();
    for (name, count, bytes) in [
        ("keys", room, 16),
        ("cargo", room, 4),
        ("heap_words", size.level_at(size.levels() + 1) as u64 + 1, 4),
        ("turn", 1, 4),
        ("takes", TURNS as u64, 4),
        ("batches", TURNS as u64 * u64::from(size.node), 16),
        ("roots", TURNS as u64 * u64::from(size.node), 16),
        ("loads", TURNS as u64 * u64::from(size.node), 4),
    ] {
        program.buffer(BufferSpec { usage: BufferUse::Storage, ..BufferSpec::storage(name, count, bytes) });
    }
    let steps = size.levels().div_ceil(2) * 3 * size.node;
    let [of_node, even] = [size.node, steps].map(|threads| threads.div_ceil(WORKGROUP));
    let feed = (size.node + size.levels() / 2 * 3 * size.node).div_ceil(WORKGROUP);
    let mut stages: Vec<(Source, u32)> = vec![
        (text(FEED), feed),
        ("global_heap/sort".into(), size.node.div_ceil(BLOCK)),
        ("global_heap/merge".into(), of_node),
        (text(SETTLE), even),
    ];
    if size.node <= BLOCK {
        stages.remove(2);
    }
    let constants = format!("const WORKGROUP: u32 = {WORKGROUP}u;\n{}", size.constants());
    let mounts = frame(device, WORKGROUP)
        .with("constants", text(&constants))
        .with("events", "global_heap/bare")
        .with("root", text(ROOT));
    let mounts = fault.map_or(mounts.clone(), |[file, right, wrong]| with_fault(&mounts, file, right, wrong));
    for (module, workgroups) in stages {
        let kernel = program.kernel(link(&mounts.clone().with("kernel", module)));
        program.round.push(Step { kernel, dispatch: Dispatch::Workgroups(workgroups) });
    }
    program
}

/// The roots that the device found, or none where what belongs to an event did not go where it went.
fn on_device(session: &mut dyn Session, program: &Program, size: Size, script: &Script) -> Option<Vec<[u32; 4]>> {
    let mut first: Vec<Option<Key>> = script.first.iter().copied().map(Some).collect();
    first.sort_unstable();
    first.resize((size.sent_at() + 3 * size.node) as usize, None);
    let keys: Vec<[u32; 4]> = first.into_iter().map(key_words).collect();
    let cargo: Vec<u32> = keys.iter().map(|key| key[3].wrapping_add(7)).collect();
    let mut heap_words = vec![0; size.level_at(size.levels() + 1) + 1];
    for node in 0..size.nodes {
        heap_words[(size.node + node) as usize] = node;
    }
    for level in 0..size.levels() {
        heap_words[size.level_at(level) + 2] = size.nodes + level;
    }
    let takes: Vec<u32> = script.takes.iter().map(|take| *take as u32).collect();
    let batches: Vec<[u32; 4]> = script.batches.iter().map(|key| key_words(*key)).collect();
    for (name, bytes) in [
        ("keys", bytemuck::cast_slice(&keys)),
        ("cargo", bytemuck::cast_slice(&cargo)),
        ("heap_words", bytemuck::cast_slice(&heap_words)),
        ("turn", &[0; 4]),
        ("takes", bytemuck::cast_slice(&takes)),
        ("batches", bytemuck::cast_slice(&batches)),
    ] {
        session.write(program.buffer_named(name).expect("a buffer"), 0, bytes).expect("a device");
    }
    session.submit(TURNS as u32).expect("a device");
    session.wait().expect("a device");
    let mut read = |name| session.read(program.buffer_named(name).expect("a buffer")).expect("a device");
    let (roots, loads) = (read("roots"), read("loads"));
    let roots: Vec<[u32; 4]> = bytemuck::pod_collect_to_vec(&roots);
    let loads: Vec<u32> = bytemuck::pod_collect_to_vec(&loads);
    let mut events = roots.iter().zip(&loads).filter(|(root, _)| **root != [u32::MAX; 4]);
    events.all(|(root, load)| root[3].wrapping_add(7) == *load).then_some(roots)
}

fn expected(script: &Script) -> Vec<[u32; 4]> {
    script.roots.iter().map(|key| key_words(*key)).collect()
}

/// Full, empty, with one event, one too few for a node, half full.
fn scripts(size: Size) -> Vec<Script> {
    let room = size.room();
    let kinds = [Times::Random, Times::Ascending, Times::Descending, Times::Equal, Times::Alternating];
    let filled = [room, room, room / 2, room - 1, room, 0, 1, room];
    let numbered = filled.into_iter().enumerate();
    numbered.map(|(number, filled)| script(size, kinds[number % kinds.len()], filled, number as u64)).collect()
}

#[test]
fn a_parallel_heap_keeps_the_order() {
    let sizes = [(1, 7), (4, 12), (32, 5), (128, 1), (64, 33), (2048, 3)];
    for (form, device) in adapter::forms(&["native", "words"]) {
        for (node, nodes) in sizes {
            let size = Size { node, nodes };
            if form == "words" && node != 4 {
                continue;
            }
            let program = program(&device, size, None);
            let mut session =
                device.load(program.clone(), &mut SetUp::new(&mut unwatched())).unwrap_or_else(|e| panic!("{e}"));
            for (number, script) in scripts(size).iter().enumerate() {
                let found = on_device(&mut *session, &program, size, script).expect("loads with their events");
                assert_equal(&expected(script), &found, &format!("{form}: {size:?}, script {number}"));
            }
        }
    }
}

/// The scripts are good enough: an event too few, a wrong child or a lost step shows.
#[test]
fn a_wrong_parallel_heap_is_caught() {
    let Some(device) = adapter::native() else { return };
    let size = Size { node: 4, nodes: 12 };
    let faults = [
        [
            "global_heap/level",
            "select(0u, 1u, precedes(right_last, left_last))",
            "select(1u, 0u, precedes(right_last, left_last))",
        ],
        ["global_heap/level", "is_none(left_last) || is_none(right_last)", "false"],
        ["global_heap/level", "heap_words[record + 5u] = 1u;", "heap_words[record + 5u] = 0u;"],
        ["global_heap/level", "heap_words[record + 2u] = former;", ""],
        ["global_heap/level", "below == 1u || !precedes(keys[areas.z], last)", "true"],
        ["global_heap/sort", "(low & size) == 0u", "(low & stride) == 0u"],
    ];
    for [file, right, wrong] in faults {
        let program = program(&device, size, Some([file, right, wrong]));
        let mut session =
            device.load(program.clone(), &mut SetUp::new(&mut unwatched())).unwrap_or_else(|e| panic!("{e}"));
        let is_wrong = |script: &Script| {
            let found = on_device(&mut *session, &program, size, script);
            found.is_none_or(|found| first_difference(&expected(script), &found).is_some())
        };
        assert!(scripts(size).iter().any(is_wrong), "{right}");
    }
}

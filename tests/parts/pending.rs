//! Sets of pending events against Rust's `BTreeSet`, many of them at once.

use std::collections::BTreeSet;

use tickless::device::Device;
use tickless::kernels::Mounts;

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, text, with_fault, words};

/// (time, source, sequence), in the order of the contract.
type Key = (u64, u32, u32);

/// What is done to a set, and what is asked of it.
#[derive(Clone, Debug)]
enum Act {
    Insert(Key),
    Pop,
    /// A list of messages.
    TakeIn(Vec<Key>),
    First,
}

/// What comes of it: of an insertion whether there was room, of a list what it needs, else a key and what it carries.
type Answer = [u32; 8];

/// What is mounted for a set.
struct Set {
    name: &'static str,
    mounts: Mounts,
    /// How the test drives it.
    driver: &'static str,
}

fn sets() -> Vec<Set> {
    let set = |name, [set, insertion, intake]: [&'static str; 3]| {
        let mounts = Mounts::default().with("set", set).with("insertion", insertion).with("intake", intake);
        Set { name, mounts, driver: ALONE }
    };
    let heap = |name, arity: &'static str| {
        let heap = set(name, ["pending/heap", "pending/heap", "pending/one_by_one"]);
        Set { mounts: heap.mounts.with("arity", arity), ..heap }
    };
    let circular = |name, intake| set(name, ["pending/ring", "pending/circular", intake]);
    vec![
        heap("heap", "pending/heap_pairs"),
        heap("heap of fours", "pending/heap_fours"),
        circular("circular", "pending/one_by_one"),
        circular("circular, single pass", "pending/circular_single_pass"),
        Set { driver: TOGETHER, ..circular("circular, parallel", "pending/circular_parallel") },
        set("splay", ["pending/splay", "pending/splay", "pending/one_by_one"]),
    ]
}

/// What an event carries, and how a test looks at it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carried {
    Nothing,
    Words,
}

impl Carried {
    fn module(self) -> &'static str {
        match self {
            Self::Nothing => "pending/bare",
            Self::Words => "pending/carrying",
        }
    }

    fn of(self, (time, source, sequence): Key) -> [u32; 3] {
        match self {
            Self::Nothing => [0; 3],
            Self::Words => [sequence, time as u32, !source],
        }
    }
}

const KERNEL: &str = "
import package::pending::messages::{messages_in};
import package::pending::queue::{open_queue, queue, queue_header};
import constants::{WORKGROUP};
import events::{carried_by, new_event};
import insertion::{insert};
import intake::{take_in};
import set::{first_time, pop};
import word64::{wide_high, wide_low};

var<storage, read> acts: array<vec4<u32>>;
var<storage, read_write> answers: array<vec4<u32>>;
var<storage, read_write> headers: array<vec4<u32>>;
var<uniform> lengths: vec4<u32>;  // sets, acts of each, slots of each

fn answer(act: vec4<u32>) -> array<vec4<u32>, 2> {
    if ((act.x & act.y) != 0xffffffffu) {
        let event = new_event(act, vec4<u32>(act.w, act.x, ~act.z, 0u));
        return array(vec4<u32>(select(0u, 1u, insert(event)), 0u, 0u, 0u), vec4<u32>());
    }
    if (act.z == 0u) {
        if (queue.count == 0u) { return array(vec4<u32>(0xffffffffu), vec4<u32>()); }
        let event = pop();
        return array(event.key, carried_by(event));
    }
    if (act.z == 1u) {
        let rest = take_in(act.w);
        headers[queue.base / lengths.z].x = rest;
        return array(vec4<u32>(queue.count + messages_in(rest), 0u, 0u, 0u), vec4<u32>());
    }
    let time = first_time();
    return array(vec4<u32>(wide_low(time), wide_high(time), 0u, 0u), vec4<u32>());
}

fn act_on(id: u32, place: u32) {
    open_queue(id, lengths.z, headers[lengths.x + id]);
    if (acts[place].z != 7u || acts[place].x != 0xffffffffu) {
        let result = answer(acts[place]);
        answers[2u * place] = result[0];
        answers[2u * place + 1u] = result[1];
    }
    headers[lengths.x + id] = queue_header();
}";

/// A thread for each set, which is opened and closed between any two acts.
const ALONE: &str = "
fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= lengths.x) { return; }
    for (var i = 0u; i < lengths.y; i += 1u) { act_on(id, id * lengths.y + i); }
}";

/// A workgroup for each set.
const TOGETHER: &str = "
import intake::{settle};

fn run(id: u32, lane: u32) {
    if (id >= lengths.x) { return; }
    for (var i = 0u; i < lengths.y; i += 1u) {
        if (lane == 0u) { act_on(id, id * lengths.y + i); }
        storageBarrier();
        workgroupBarrier();
        open_queue(id, lengths.z, headers[lengths.x + id]);
        if (queue.free != 0u) { settle(queue.count, queue.free, lane); }
        if (lane == 0u) { headers[lengths.x + id] = queue_header(); }
        storageBarrier();
        workgroupBarrier();
    }
}";

const WORKGROUP: u32 = 32;

fn key_words((time, source, sequence): Key) -> [u32; 4] {
    [time as u32, (time >> 32) as u32, source, sequence]
}

/// The scripts as the device reads them, padded with acts that do nothing, and the messages of their lists.
fn encoded(scripts: &[Vec<Act>], carried: Carried, mut word: impl FnMut() -> u32) -> (Vec<[u32; 4]>, Vec<[u32; 8]>) {
    const ASK: u32 = u32::MAX;
    let longest = scripts.iter().map(Vec::len).max().unwrap_or(0);
    let (mut acts, mut messages) = (vec![], vec![]);
    for script in scripts {
        for act in script {
            acts.push(match act {
                Act::Insert(key) => key_words(*key),
                Act::Pop => [ASK, ASK, 0, 0],
                Act::First => [ASK, ASK, 2, 0],
                Act::TakeIn(keys) => {
                    // In any order, anywhere in the buffer.
                    let mut keys = keys.clone();
                    for place in (1..keys.len()).rev() {
                        keys.swap(place, word() as usize % (place + 1));
                    }
                    let mut link = 0;
                    for key in keys {
                        let (words, [a, b, c]) = (key_words(key), carried.of(key));
                        messages.push([words[0], words[1], words[2], words[3], link, a, b, c]);
                        link = messages.len() as u32;
                    }
                    [ASK, ASK, 1, link]
                }
            });
        }
        acts.resize(acts.len() + longest - script.len(), [ASK, ASK, 7, 0]);
    }
    messages.push([0; 8]);
    (acts, messages)
}

/// What the device left.
struct Left {
    answers: Vec<Vec<Answer>>,
    /// What a list that did not fit had left, by its link.
    rests: Vec<u32>,
    messages: Vec<[u32; 8]>,
}

fn on_device(device: &dyn Device, set: &Set, carried: Carried, room: usize, scripts: &[Vec<Act>]) -> Left {
    let (acts, messages) = encoded(scripts, carried, words(9));
    let each = acts.len() / scripts.len();
    let constants = format!("const WORKGROUP: u32 = {WORKGROUP}u;\n");
    let mounts = frame(device, WORKGROUP).with("constants", text(&constants)).with("events", carried.module());
    let (count, slots) = (scripts.len(), slots(set, room));
    let workgroups = if set.driver == ALONE { (count as u32).div_ceil(WORKGROUP) } else { count as u32 };
    let mut answer = Bench::new(mounts.and(&set.mounts), &[KERNEL, set.driver].concat())
        .input("acts", &acts)
        .output::<Answer>("answers", acts.len())
        .output::<[u32; 4]>("headers", 2 * count)
        .uniform("lengths", &[count as u32, each as u32, slots, 0])
        .output::<[u32; 12]>("slots", count * slots as usize)
        .input("messages", &messages)
        .run(device, workgroups);
    let answers: Vec<Answer> = answer.read("answers");
    let headers: Vec<[u32; 4]> = answer.read("headers");
    let answers = answers.chunks(each).zip(scripts).map(|(answers, script)| answers[..script.len()].to_vec());
    let answers = answers.collect();
    let rests = headers[..count].iter().map(|header| header[0]).collect();
    Left { answers, rests, messages: answer.read("messages") }
}

/// The same with a `BTreeSet`, which has `room` for so many events. A list that does not fit is the last act.
fn in_rust(script: &[Act], room: usize, carried: Carried) -> Vec<Answer> {
    let mut set = BTreeSet::new();
    let answer = |key: Option<Key>| match key {
        None => [u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0, 0, 0, 0],
        Some(key) => {
            let ([a, b, c, d], [e, f, g]) = (key_words(key), carried.of(key));
            [a, b, c, d, e, f, g, 0]
        }
    };
    let word = |word: usize| [word as u32, 0, 0, 0, 0, 0, 0, 0];
    let act = |act: &Act| match act {
        Act::Insert(_) if set.len() == room => word(0),
        Act::Insert(key) => word(usize::from(set.insert(*key))),
        Act::Pop => answer(set.pop_first()),
        Act::TakeIn(keys) => {
            set.extend(keys);
            word(set.len())
        }
        Act::First => {
            let time = set.first().map_or(u64::MAX, |key| key.0);
            [time as u32, (time >> 32) as u32, 0, 0, 0, 0, 0, 0]
        }
    };
    script.iter().map(act).collect()
}

/// How times go on.
#[derive(Clone, Copy, Debug)]
enum Times {
    Random,
    Ascending,
    Descending,
    Equal,
    /// Many ties, of other sources and of one.
    Few,
}

/// Keys that never repeat, from a seed.
fn keys(times: Times, seed: u64) -> impl FnMut() -> Key {
    let mut word = words(seed);
    let mut number = 0;
    move || {
        number += 1;
        let wide = u64::from(word()) << (word() % 31) | u64::from(word());
        let time = match times {
            Times::Random => wide,
            Times::Ascending => u64::from(number) << 30,
            Times::Descending => u64::from(u32::MAX - number) << 29,
            Times::Equal => 7 << 32,
            Times::Few => ((wide % 3) << 32) | ((wide >> 32) % 2),
        };
        // A sequence that does not follow the order of insertion.
        (time, word() % 3, number ^ 0x55)
    }
}

/// Scripts for sets with so much room: filled and drained, in turns, by lists, around a size.
fn scripts(room: usize) -> Vec<Vec<Act>> {
    let mut scripts = vec![];
    for (kind, times) in
        [Times::Random, Times::Ascending, Times::Descending, Times::Equal, Times::Few].into_iter().enumerate()
    {
        let seed = 100 * kind as u64;
        let mut key = keys(times, seed);
        // To the brim and one more, twice; then until it is empty and once more.
        let mut script: Vec<Act> = (0..=room).map(|_| Act::Insert(key())).collect();
        script.extend([Act::First, Act::Pop, Act::Insert(key()), Act::Insert(key()), Act::First]);
        script.extend(vec![Act::Pop; room + 1]);
        script.extend([Act::First, Act::Insert(key()), Act::First, Act::Pop]);
        scripts.push(script);
        scripts.push(turns(room, keys(times, seed + 1), words(seed + 2)));
        scripts.push(lists(room, keys(times, seed + 3), words(seed + 4)));
    }
    // Sets of other sizes beside these.
    for size in [0, 1, 2, 3, room / 2] {
        let mut key = keys(Times::Random, size as u64);
        let mut script: Vec<Act> = (0..size).map(|_| Act::Insert(key())).collect();
        for _ in 0..2 * room {
            script.extend([Act::Pop, Act::Insert(key())]);
        }
        scripts.push(script);
    }
    scripts
}

/// One in, one out, mostly.
fn turns(room: usize, mut key: impl FnMut() -> Key, mut word: impl FnMut() -> u32) -> Vec<Act> {
    let mut count = 0;
    let act = |_| match word() % 5 {
        0 | 1 if count < room => {
            count += 1;
            Act::Insert(key())
        }
        2 => Act::First,
        _ => {
            count = count.saturating_sub(1);
            Act::Pop
        }
    };
    (0..6 * room).map(act).collect()
}

/// Lists that fit, between pops.
fn lists(room: usize, mut key: impl FnMut() -> Key, mut word: impl FnMut() -> u32) -> Vec<Act> {
    let (mut script, mut count) = (vec![], 0);
    for turn in 0..12 {
        let free = room - count;
        let length = if turn % 3 == 0 { free } else { word() as usize % (free + 1) };
        script.push(Act::TakeIn((0..length).map(|_| key()).collect()));
        count += length;
        let pops = word() as usize % (count + 2);
        script.extend(vec![Act::Pop; pops]);
        script.push(Act::First);
        count = count.saturating_sub(pops);
    }
    script
}

/// The set that has this room: all but a tree keep slots free.
fn slots(set: &Set, room: usize) -> u32 {
    room as u32 + if set.name == "splay" { 0 } else { 3 }
}

#[test]
fn every_set_keeps_the_order() {
    for (form, device) in adapter::forms(&["native", "words"]) {
        for set in sets() {
            // What they carry has nothing to do with the form of words.
            let cases: &[_] = match form {
                "words" => &[(Carried::Nothing, 1), (Carried::Nothing, 40)],
                _ => &[(Carried::Nothing, 100), (Carried::Words, 13)],
            };
            for &(carried, room) in cases {
                let scripts = scripts(room);
                let left = on_device(&device, &set, carried, room, &scripts);
                for (number, (script, found)) in scripts.iter().zip(&left.answers).enumerate() {
                    let what = format!("{form}: {}, room for {room}, script {number}", set.name);
                    assert_equal(&in_rust(script, room, carried), found, &what);
                }
            }
        }
    }
}

/// A list that does not fit leaves its rest where it was, and says how much room there should be.
#[test]
fn a_full_set_loses_nothing() {
    const ROOM: usize = 20;
    for (form, device) in adapter::forms(&["native", "words"]) {
        for set in sets() {
            let script = |already: usize, more: usize| {
                let mut key = keys(Times::Few, (already * 100 + more) as u64);
                let all: Vec<Key> = (0..already + more).map(|_| key()).collect();
                let mut script: Vec<Act> = all[..already].iter().copied().map(Act::Insert).collect();
                script.push(Act::TakeIn(all[already..].to_vec()));
                script.extend(vec![Act::Pop; ROOM]);
                (script, all)
            };
            let sizes = [(0, 21), (20, 1), (19, 2), (10, 40), (5, 16)];
            let (scripts, all): (Vec<_>, Vec<_>) = sizes.iter().map(|&(already, more)| script(already, more)).unzip();
            let left = on_device(&device, &set, Carried::Nothing, ROOM, &scripts);
            for (place, (already, more)) in sizes.into_iter().enumerate() {
                let what = format!("{form}: {}, {already} and {more}", set.name);
                let answers = &left.answers[place];
                assert!(answers[..already].iter().all(|answer| answer[0] == 1), "{what}");
                assert_eq!(answers[already][0] as usize, already + more, "{what}");
                let key = |w: &[u32]| (u64::from(w[1]) << 32 | u64::from(w[0]), w[2], w[3]);
                let popped = answers[already + 1..].iter().filter(|answer| answer[0] & answer[1] != u32::MAX);
                let mut found: Vec<Key> = popped.map(|answer| key(answer)).collect();
                assert!(found.is_sorted(), "{what}");
                let mut link = left.rests[place];
                while link != 0 {
                    let message = &left.messages[link as usize - 1];
                    found.push(key(message));
                    link = message[4];
                }
                found.sort_unstable();
                let mut expected = all[place].clone();
                expected.sort_unstable();
                assert_equal(&expected, &found, &what);
            }
        }
    }
}

/// The scripts are good enough: another order, a lost place or a lost link shows.
#[test]
fn a_wrong_set_is_caught() {
    const ROOM: usize = 50;
    let Some(device) = adapter::native() else { return };
    let faults = [
        ("heap", "pending/heap", "precedes(b.event.key, a.event.key)", "precedes(a.event.key, b.event.key)"),
        ("heap", "pending/heap", "put_event(heap_slot(place), last)", "put_event(heap_slot(0u), last)"),
        ("heap of fours", "pending/heap_fours", "placed(below + 3u)", "placed(below + 2u)"),
        (
            "circular",
            "pending/circular",
            "if (precedes(other.key, event.key)) { break; }",
            "if (place == 1u) { break; }",
        ),
        ("circular, single pass", "pending/sorted_list", "number += 1u;\n        link", "number += 2u;\n        link"),
        ("circular, single pass", "pending/sorted_list", "set_message_link(last, other);", ""),
        ("circular, parallel", "pending/circular_parallel", "rank + events_before(event.key, sorted)", "rank"),
        (
            "circular, parallel",
            "pending/circular_parallel",
            "batch_is_behind = select(0u, 1u, distance == 0u)",
            "batch_is_behind = 1u",
        ),
        // Faults that make no circle of a tree.
        (
            "splay",
            "pending/splay",
            "precedes(node_key(link), event.key)",
            "precedes(vec4<u32>(node_key(link).xy, 0u, 0u), vec4<u32>(event.key.xy, 0u, 0u))",
        ),
        ("splay", "pending/splay", "event_at(node_slot(node))", "event_at(node_slot(queue.top))"),
    ];
    for (name, file, right, wrong) in faults {
        let set = sets().into_iter().find(|set| set.name == name).expect("a set of that name");
        let set = Set { mounts: with_fault(&set.mounts, file, right, wrong), ..set };
        let scripts = scripts(ROOM);
        let left = on_device(&device, &set, Carried::Nothing, ROOM, &scripts);
        let wrong = |(script, found): (&Vec<Act>, &Vec<Answer>)| {
            first_difference(&in_rust(script, ROOM, Carried::Nothing), found).is_some()
        };
        assert!(scripts.iter().zip(&left.answers).any(wrong), "{name}: {right}");
    }
}

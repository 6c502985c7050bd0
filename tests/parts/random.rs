//! Streams, draws and service times.

use rand_core::Rng;
use rand_pcg::Pcg32;
use tickless::device::Device;
use tickless::kernels::Mounts;
use tickless::random::{EffectiveLaw, ServiceLaw, StreamKey, Table, exponential, logarithm_table, split_mix_64};

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, with_fault, words};

/// Draws of arbitrary generators: the first of each, and a digest of many that follow.
const DRAWS: &str = "
import package::lib::pcg32::{Stream, draw};
import constants::{WORKGROUP};
import word64::{wide, wide_add};

var<storage, read> seeds: array<vec4<u32>>;
var<storage, read_write> draws: array<u32>;

const KEPT: u32 = 256u;
const FOLLOWING: u32 = 20000u;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&seeds)) { return; }
    let word = wide(seeds[id].z, seeds[id].w);
    let increment = wide_add(wide_add(word, word), wide(1u, 0u));
    var stream = Stream(wide_add(wide(seeds[id].x, seeds[id].y), increment), increment);
    _ = draw(&stream);
    for (var i = 0u; i < KEPT; i += 1u) { draws[id * (KEPT + 1u) + i] = draw(&stream); }
    var digest = 0u;
    for (var i = 0u; i < FOLLOWING; i += 1u) { digest = digest * 31u + draw(&stream); }
    draws[id * (KEPT + 1u) + KEPT] = digest;
}";

fn draws([state, stream]: [u64; 2]) -> Vec<u32> {
    let mut generator = Pcg32::new(state, stream);
    let mut draws: Vec<u32> = (0..256).map(|_| generator.next_u32()).collect();
    draws.push((0..20_000).fold(0_u32, |digest, _| digest.wrapping_mul(31).wrapping_add(generator.next_u32())));
    draws
}

fn device_draws(device: &dyn Device, mounts: Mounts, seeds: &[[u64; 2]]) -> Vec<u32> {
    let bench = Bench::new(mounts, DRAWS).input("seeds", seeds);
    bench.output::<u32>("draws", seeds.len() * 257).run(device, seeds.len().div_ceil(32) as u32).read("draws")
}

fn seeds() -> Vec<[u64; 2]> {
    let mut seeds: Vec<_> =
        [0, 1, u64::MAX].iter().flat_map(|&a| [0, 1, u64::MAX >> 1, u64::MAX].map(|b| [a, b])).collect();
    seeds.extend((0..180).map(|i| [split_mix_64(2 * i), split_mix_64(2 * i + 1)]));
    seeds
}

#[test]
fn draws_are_those_of_rand_pcg() {
    let seeds = seeds();
    let expected: Vec<u32> = seeds.iter().flat_map(|&seed| draws(seed)).collect();
    for (form, device) in adapter::every_form() {
        let found = device_draws(&device, frame(&device, 32), &seeds);
        assert_equal(&expected, &found, form);
        // One wrong bit of the generator shows in the first draws.
        let wrong = with_fault(&frame(&device, 32), "lib/pcg32", "high >> 13u", "high >> 14u");
        let found = device_draws(&device, wrong, &seeds[..1]);
        assert!(first_difference(&expected, &found).is_some_and(|place| place < 4));
    }
}

const STREAMS: &str = "
import package::lib::pcg32::{draw};
import package::lib::stream::{entity_increment, entity_stream};
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};

var<storage, read> entities: array<u32>;
var<storage, read> key: vec2<u32>;
var<storage, read_write> increments: array<vec2<u32>>;
var<storage, read_write> draws: array<u32>;

fn run(group: u32, lane: u32) {
    let place = group * WORKGROUP + lane;
    if (place >= arrayLength(&entities)) { return; }
    let entity = entities[place];
    let increment = entity_increment(wide(key.x, key.y), entity);
    increments[place] = vec2<u32>(wide_low(increment), wide_high(increment));
    var stream = entity_stream(wide(key.x, key.y), entity);
    for (var i = 0u; i < 8u; i += 1u) { draws[8u * place + i] = draw(&stream); }
}";

/// The first, the last that a torus can have, neighbours, and random ones.
fn entities() -> Vec<u32> {
    let mut word = words(3);
    let mut entities: Vec<u32> = (0..300).collect();
    entities.extend([(1 << 30) - 2, (1 << 30) - 3, 1 << 29, 65_535, 65_536]);
    entities.extend((0..500).map(|_| word() >> 2));
    entities
}

#[test]
fn every_entity_has_the_stream_of_its_key() {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let entities = entities();
    for (form, device) in adapter::every_form() {
        for key in [StreamKey::new(0, 0), StreamKey::new(u64::MAX, 0), StreamKey::new(7, 3)] {
            let bench = Bench::new(frame(&device, 64), STREAMS)
                .input("entities", &entities)
                .input("key", &[key.bits()])
                .output::<u64>("increments", entities.len())
                .output::<u32>("draws", entities.len() * 8);
            let mut answer = bench.run(&device, entities.len().div_ceil(64) as u32);
            let number = |e: u32| split_mix_64(key.bits().wrapping_add((2 * u64::from(e) + 2).wrapping_mul(GOLDEN)));
            let increments: Vec<u64> = entities.iter().map(|&e| number(e) << 1 | 1).collect();
            assert_equal(&increments, &answer.read::<u64>("increments"), form);
            let draws = |&entity: &u32| {
                let mut stream = key.stream(entity);
                (0..8).map(move |_| stream.draw())
            };
            let draws: Vec<u32> = entities.iter().flat_map(draws).collect();
            assert_equal(&draws, &answer.read::<u32>("draws"), form);
        }
    }
}

const EXPONENTIAL: &str = "
import package::lib::service::{exponential};
import constants::{WORKGROUP};
import word64::{wide_high, wide_low};

var<storage, read> draws: array<u32>;
var<storage, read_write> variates: array<vec2<u32>>;

fn run(group: u32, lane: u32) {
    let place = group * WORKGROUP + lane;
    if (place >= arrayLength(&draws)) { return; }
    let variate = exponential(draws[place]);
    variates[place] = vec2<u32>(wide_low(variate), wide_high(variate));
}";

/// Both sides of every octave and of many rows of the table, and random draws.
fn edges() -> Vec<u32> {
    let mut word = words(4);
    let mut draws = vec![0, 1, 2, 3, u32::MAX];
    for octave in 0..32 {
        for row in [0, 1, 2, 127, 128, 254, 255] {
            let edge = (1_u64 << octave) + ((row << octave) >> 8);
            draws.extend([edge.wrapping_sub(1), edge, edge + 1].map(|r| r as u32));
        }
    }
    draws.extend((0..20_000).map(|_| word()));
    draws.extend((0..5_000).map(|_| word() >> (word() % 32)));
    draws
}

#[test]
fn exponential_variates_are_the_same() {
    let draws = edges();
    let expected: Vec<u64> = draws.iter().map(|&r| exponential(r)).collect();
    for (form, device) in adapter::every_form() {
        let mounts = frame(&device, 64).with("logarithm_rows", "lib/logarithms").with("tables", "lib/no_tables");
        let bench = Bench::new(mounts, EXPONENTIAL)
            .input("draws", &draws)
            .input("logarithms", logarithm_table())
            .output::<u64>("variates", draws.len());
        let found = bench.run(&device, draws.len().div_ceil(64) as u32).read("variates");
        assert_equal(&expected, &found, form);
    }
}

const SERVICES: &str = "
import package::lib::law::{Law};
import package::lib::pcg32::{draw};
import package::lib::service::{service_time};
import package::lib::stream::{entity_stream};
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};

var<storage, read> key: vec2<u32>;
var<storage, read_write> services: array<vec2<u32>>;
var<storage, read_write> following: array<u32>;
var<uniform> law: Law;

fn run(group: u32, lane: u32) {
    let entity = group * WORKGROUP + lane;
    if (entity >= arrayLength(&following)) { return; }
    var stream = entity_stream(wide(key.x, key.y), entity);
    for (var i = 0u; i < 16u; i += 1u) {
        let time = service_time(law, &stream);
        services[16u * entity + i] = vec2<u32>(wide_low(time), wide_high(time));
    }
    following[entity] = draw(&stream);
}";

/// `Law` of `shaders/lib/law.wgsl`, in words.
fn law_words(law: &EffectiveLaw) -> [u32; 10] {
    let [offset, first, second] = [law.offset, law.first, law.second].map(|ticks| [ticks as u32, (ticks >> 32) as u32]);
    let [a, b] = [offset, first];
    [a[0], a[1], b[0], b[1], second[0], second[1], law.kind as u32, law.stages, law.threshold, 256]
}

/// Beside those that every test takes: the ends of ranges.
const EXTREMES: [&str; 11] = [
    "exponential:0.000001",
    "exponential:45000000",
    "constant:0.000001",
    "uniform:0,0.00001",
    "uniform:0,1000000000",
    "erlang:100,10",
    "hyperexponential:0.999999,0.001,100000",
    "gamma:0.01,10",
    "lognormal:0.1,3",
    "discrete:10",
    "histogram:0*1,0.00001*0,1*0.0000001,1000000000",
];

fn device_services(device: &dyn Device, key: StreamKey, law: &EffectiveLaw) -> (Vec<u64>, Vec<u32>) {
    let table = law.table.as_deref();
    let [rows, tables] = match table {
        Some(_) => ["lib/longer_logarithms", "lib/tables"],
        None => ["lib/logarithms", "lib/no_tables"],
    };
    let mounts = frame(device, 32).with("logarithm_rows", rows).with("tables", tables);
    let mut rows: Vec<[u32; 4]> = bytemuck::cast_slice(logarithm_table()).to_vec();
    rows.extend(table.into_iter().flat_map(Table::words));
    let bench = Bench::new(mounts, SERVICES)
        .input("key", &[key.bits()])
        .input("logarithms", &rows)
        .output::<u64>("services", 16 * ENTITIES)
        .output::<u32>("following", ENTITIES)
        .uniform("law", &law_words(law));
    let mut answer = bench.run(device, ENTITIES.div_ceil(32) as u32);
    (answer.read("services"), answer.read("following"))
}

const ENTITIES: usize = 331;

/// A law with a table, of such parameters.
fn by_chance(number: u32, word: &mut impl FnMut() -> u32) -> String {
    let mut between = |low: f64, high: f64| low + (high - low) * f64::from(word()) / 2_f64.powi(32);
    match number % 6 {
        0 => format!("gamma:{},{}", between(0.02, 40.0), between(0.001, 1000.0)),
        1 => format!("lognormal:{},{}", between(0.5, 3.0), between(0.1, 40.0)),
        2 => format!("pareto:{},{},{}", between(0.5, 4.0), between(0.1, 1.0), between(5.0, 1e6)),
        3 => format!("coxian:{},{},{}", between(0.01, 2.0), between(0.1, 1.0), between(0.01, 300.0)),
        4 => {
            let values: Vec<String> =
                (0..word() % 200 + 1).map(|_| format!("{}*{}", word() % 100 + 1, word() % 9 + 1)).collect();
            format!("discrete:{}", values.join(","))
        }
        _ => {
            let edges: Vec<String> = (0..word() % 50 + 1).map(|edge| format!("{edge}*{}", word() % 9 + 1)).collect();
            format!("histogram:{},{}", edges.join(","), edges.len())
        }
    }
}

/// Every service time, and how many draws it takes: the draw behind it is the same.
#[test]
fn service_times_are_those_of_every_law() {
    let key = StreamKey::new(11, 0);
    for (form, device) in adapter::every_form() {
        let mut word = words(5);
        let chance: Vec<String> = (0..12).map(|number| by_chance(number, &mut word)).collect();
        for text in ServiceLaw::SAMPLES.iter().chain(&EXTREMES).copied().chain(chance.iter().map(String::as_str)) {
            let law: ServiceLaw = text.parse().expect("a law");
            for shift in [None, Some(0.25 * law.mean())] {
                let law = law.effective(shift);
                let (mut services, mut following) = (vec![], vec![]);
                for entity in 0..ENTITIES as u32 {
                    let mut stream = key.stream(entity);
                    services.extend((0..16).map(|_| law.service(&mut stream).ticks()));
                    following.push(stream.draw());
                }
                let found = device_services(&device, key, &law);
                assert_equal(&services, &found.0, &format!("{form}: {text} {shift:?}"));
                assert_equal(&following, &found.1, &format!("{form}: {text} {shift:?}"));
            }
        }
    }
}

/// One tick more in a law, one unit in a threshold, another table: all show.
#[test]
fn a_changed_law_is_caught() {
    let Some(device) = adapter::native() else { return };
    let key = StreamKey::new(11, 0);
    let law = "hyperexponential:0.25,4,12".parse::<ServiceLaw>().expect("a law").effective(Some(1.0));
    let right = device_services(&device, key, &law).0;
    for wrong in [
        EffectiveLaw { offset: law.offset + 1, ..law.clone() },
        EffectiveLaw { first: law.first + 8, ..law.clone() },
        EffectiveLaw { second: law.second + 8, ..law.clone() },
        EffectiveLaw { threshold: law.threshold ^ 1 << 24, ..law.clone() },
    ] {
        assert!(first_difference(&right, &device_services(&device, key, &wrong).0).is_some(), "{wrong:?}");
    }
    // A table of another shape, and steps of another weight.
    for [right, wrong] in [["gamma:2,10", "gamma:2.001,10"], ["discrete:1*2,3,9", "discrete:1*2.1,3,9"]] {
        let [right, wrong] = [right, wrong].map(|text| text.parse::<ServiceLaw>().expect("a law").effective(None));
        let [right, wrong] = [&right, &wrong].map(|law| device_services(&device, key, law).0);
        assert!(first_difference(&right, &wrong).is_some());
    }
}

/// From a first state and an increment to another state: how many draws lie between.
const DRAWN: &str = "
import package::lib::drawn::{drawn};
import package::lib::pcg32::{Stream};
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};

var<storage, read> states: array<vec4<u32>>;
var<storage, read_write> draws: array<vec2<u32>>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&draws)) { return; }
    let first = states[2u * id];
    let last = states[2u * id + 1u];
    let number = drawn(Stream(wide(first.x, first.y), wide(first.z, first.w)), wide(last.x, last.y));
    draws[id] = vec2<u32>(wide_low(number), wide_high(number));
}";

/// So many draws on, a bit of their number at a time.
fn moved(mut state: u64, mut increment: u64, draws: u64) -> u64 {
    let mut multiplier = 0x5851_f42d_4c95_7f2d_u64;
    for bit in 0..64 {
        if draws >> bit & 1 == 1 {
            state = state.wrapping_mul(multiplier).wrapping_add(increment);
        }
        increment = multiplier.wrapping_add(1).wrapping_mul(increment);
        multiplier = multiplier.wrapping_mul(multiplier);
    }
    state
}

#[test]
fn draws_are_counted_from_states() {
    let counts = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]).chain([u64::MAX]);
    let counts: Vec<u64> = counts.chain((0..300).map(split_mix_64)).collect();
    let states = counts.iter().enumerate().map(|(place, &count)| {
        let (first, increment) = (split_mix_64(7 + place as u64), split_mix_64(90 + place as u64) | 1);
        [first, increment, moved(first, increment, count), 0]
    });
    let states: Vec<[u64; 4]> = states.collect();
    for (form, device) in adapter::every_form() {
        let bench = Bench::new(frame(&device, 32), DRAWN).input("states", &states);
        let mut found = bench.output::<u64>("draws", counts.len()).run(&device, counts.len().div_ceil(32) as u32);
        assert_equal(&counts, &found.read("draws"), form);
    }
}

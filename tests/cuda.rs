//! The kernels as CUDA, without a GPU: every one is translated and read by NVRTC, with native words for one of several GPUs of
//! a new architecture and with two words for the only GPU of an old one. Some are compiled whole.
//! What they compute is held against the heap in `conformance` and against Rust in `parts`, on a machine that has one.
#![cfg(feature = "cuda")]

#[allow(dead_code, reason = "only its kernels are of interest here")]
#[path = "cells/gossip.rs"]
mod gossip;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;

use gossip::Gossip;
use tickless::cells::fire::{Fire, Landscape, Spreading, Weather};
use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::rules::{RuleFile, corpus};
use tickless::cells::{self, Border, Space, Watershed};
use tickless::device::cuda;
use tickless::device::{AdapterDescription, DeviceError, Kernel};
use tickless::engine::{ModelParts, round_program};
use tickless::pathfinding::gpu::{OpenList, SearchOptions};
use tickless::pathfinding::{self, Map, Query, Searches};
use tickless::pending::PendingSet;
use tickless::processes::gpu::{DeviceModel, ProcessOptions};
use tickless::processes::{self, Phold};
use tickless::queueing::gpu::Synchronization;
use tickless::queueing::{self, Network, NetworkModel, NetworkOptions, Station, Topology};
use tickless::time::Time;

/// Like Turing, which has no warp reductions in hardware, and Hopper. No GPU is the first: what is made for it is portable, which
/// takes half the time, for NVRTC leaves machine code to the driver.
const CAPABILITIES: [i32; 2] = [76, 90];

/// What NVRTC has made; `None` without NVRTC, which CI must have.
fn made<T>(made: Result<T, DeviceError>) -> Option<Result<T, DeviceError>> {
    match made {
        Err(error @ DeviceError::NoCompiler { .. }) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("SKIPPED: {error}");
            None
        }
        made => Some(made),
    }
}

/// How many GPUs a kernel is compiled for.
fn gpus(capability: i32) -> u32 {
    if capability == 90 { 2 } else { 1 }
}

fn compile(kernel: &Kernel, capability: i32) -> Option<Result<Vec<u8>, DeviceError>> {
    made(cuda::compile(kernel, gpus(capability), capability))
}

fn assert_compiles(kernel: &Kernel, capabilities: &[i32]) {
    for &capability in capabilities {
        if let Some(compiled) = compile(kernel, capability) {
            let code = compiled.unwrap_or_else(|e| panic!("compute capability {capability}: {e}"));
            let portable = code.windows(13).any(|bytes| bytes == b".target sm_75");
            let machine = code.starts_with(b"\x7fELF");
            let right = if capability == 90 { machine } else { portable };
            assert!(right, "{}: {} bytes for {capability}", kernel.label, code.len());
        }
    }
}

/// The front end of NVRTC finds all that is wrong in a translation; what comes behind it takes a hundred times as long.
fn assert_reads(kernel: &Kernel, capabilities: &[i32]) {
    for &capability in capabilities {
        if let Some(Err(error)) = made(cuda::read(kernel, gpus(capability), capability)) {
            panic!("compute capability {capability}: {error}");
        }
    }
}

/// As far as it decides what kernels are made.
fn adapter(int64: bool, subgroup_size: u32) -> AdapterDescription {
    AdapterDescription { backend: "cuda".into(), ..AdapterDescription::imagined(int64, subgroup_size) }
}

/// Of single servers, with a source and a sink.
fn exact() -> NetworkModel {
    let interval = "exponential:2".parse().expect("a law");
    let each = Station::new("s", "exponential:1".parse().expect("a law"));
    let network = Network::generate(&Topology::Tandem { stations: 3, interval }, &each, 0.0).expect("a size");
    network.check().expect("a model")
}

/// Cells of every kind.
fn cell_spaces(adapter: &AdapterDescription) -> Vec<ModelParts> {
    /// In order with a log, or as the model goes best.
    fn parts_by(
        (model, replications): (&impl DeviceCells, u32),
        ordered: bool,
        adapter: &AdapterDescription,
    ) -> ModelParts {
        let options = CellOptions { ordered, figures_only: !ordered, ..CellOptions::default() };
        cells::gpu::parts(model, 0..replications, &options, adapter, ordered).unwrap_or_else(|e| panic!("{e}"))
    }
    fn parts(model: &impl DeviceCells, adapter: &AdapterDescription) -> ModelParts {
        parts_by((model, 1), false, adapter)
    }
    let meadow = Landscape::uniform(40, 30, 30.0, 1).expect("a meadow");
    let header = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody";
    let turns = Weather::parse(&format!("{header}\n0,5,0.4,0,6,7,8,60,90\n60,9,0.4,90,6,7,8,60,90\n"), "weather.csv");
    let turning = Fire::new(meadow.clone(), turns.expect("weather"));
    let making = turning.clone().store_ellipses(0).check().expect("a model");
    let turning = turning.spreading(Spreading::Neighbours).check().expect("a model");
    let fire = Fire::new(meadow, Weather::still());
    let neighbours = fire.clone().spreading(Spreading::Neighbours).check().expect("a model");
    let fire = fire.check().expect("a model");
    let watershed = Watershed::new(3, 2, vec![0.0; 6]).check().expect("a model");
    let space = Space::new([9, 9, 1], Border::Open, Space::moore()).expect("a space");
    let gossip = Gossip { uneven: true, ..Gossip::new(space) };
    let rules = ["life.ma", "heat.ma", "forest.ma", "alarm.ma"].map(|name| {
        let file = RuleFile::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cells").join(name));
        parts(&file.unwrap_or_else(|e| panic!("{e}")).model(Time::UNIT, 1), adapter)
    });
    // Functions of real numbers, ports, and what comes in from outside.
    let with_all = corpus().into_iter().skip(3).map(|text| {
        let file = RuleFile::parse(&text, "corpus.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        parts(&file.model(Time::UNIT, 1), adapter)
    });
    let own = [
        parts_by((&fire, 2), false, adapter),
        parts(&making, adapter),
        parts_by((&neighbours, 2), false, adapter),
        parts(&turning, adapter),
        parts_by((&neighbours, 2), true, adapter),
        parts(&watershed, adapter),
        parts(&gossip, adapter),
    ];
    own.into_iter().chain(rules).chain(with_all).collect()
}

/// Searches of a thread and of a workgroup, on maps whose cells cost the same or not.
fn searches(adapter: &AdapterDescription) -> [ModelParts; 3] {
    let [even, weighted] = [vec![1, 1], vec![1, 2]].map(|costs| Map::new(2, 1, costs).expect("a map"));
    let lists = [
        (OpenList::NearFar, even.clone()),
        (OpenList::Set(PendingSet::CircularParallel), even),
        (OpenList::Set(PendingSet::HeapOfFours), weighted),
    ];
    lists.map(|(open_list, map)| {
        let model = Searches::new(map).paths(true).queries(vec![Query::default()]).check().expect("searches");
        let options = SearchOptions { open_list, ..SearchOptions::default() };
        pathfinding::gpu::parts(&model, &options, adapter).unwrap_or_else(|e| panic!("{e}"))
    })
}

#[test]
fn every_kernel_is_read() {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 2048, height: 2048 }, &each, 0.0).expect("sizes");
    let model = torus.check().expect("a torus");
    let text = include_str!("../examples/networks/clinic.toml");
    let network = Network::from_toml(text).expect("a network").check().expect("a model");
    let approximate = Network::from_toml(text).expect("a network").approximate(0.5).check().expect("a model");
    let classes = include_str!("../examples/networks/stages.toml");
    let classes = Network::from_toml(classes).expect("a network").check().expect("a model");
    // So many servers and routes that workgroups decide what arrives.
    let each = each.servers(40).tokens(1);
    let crowds = Network::generate(&Topology::RandomRegular { stations: 100, degree: 64, seed: 1 }, &each, 0.0);
    let crowds = crowds.expect("a size").window(1.0).check().expect("a model");
    let exact = exact();
    let phold = DeviceModel::from(&Phold::new(1 << 15).population(16).check().expect("a model"));
    // Models, sets and forms have kernels in common.
    let seen = Mutex::new(HashSet::new());
    let read_new = |kernels: &[Kernel], capabilities: &[i32]| {
        let is_new = |kernel: &&Kernel| seen.lock().expect("it").insert((kernel.source.clone(), capabilities[0]));
        kernels.iter().filter(is_new).for_each(|kernel| assert_reads(kernel, capabilities));
    };
    let read_new = &read_new;
    std::thread::scope(|scope| {
        for (int64, subgroup_size) in [(true, 32), (false, 32), (true, 0), (false, 0)] {
            let capabilities = &CAPABILITIES[usize::from(int64)..][..1];
            // Words and subgroups choose different files, each of which two of the forms have.
            let every_file = int64 == (subgroup_size > 0);
            let form = adapter(int64, subgroup_size);
            let parts_by = |how, network| {
                let options = NetworkOptions { figures_only: true, ..NetworkOptions::default() };
                queueing::gpu::parts(&[(network, 0..1)], how, &form, &options).expect("a small network")
            };
            let parts_of = |network| parts_by(Synchronization::Window, network);
            let tori = [Synchronization::Window, Synchronization::Appointments, Synchronization::AppointmentsInTiles];
            // What goes on from a checkpoint begins otherwise.
            let again = |how| {
                let options = NetworkOptions::default();
                queueing::gpu::restored_parts(&[(&model, 0..1)], how, &form, &options).expect("a small network")
            };
            let going_on: Vec<_> = tori.into_iter().filter(|_| every_file).map(again).collect();
            let tori = tori.map(|how| parts_by(how, &model));
            let networks = || {
                let exact = parts_by(Synchronization::Appointments, &exact);
                [parts_of(&network), parts_of(&crowds), parts_of(&approximate), exact]
            };
            // Of cells each model in one of them.
            let half = |(number, parts)| (number % 2 == usize::from(int64)).then_some(parts);
            let cells = || cell_spaces(&adapter(int64, subgroup_size)).into_iter().enumerate().filter_map(half);
            let models = tori.into_iter().chain(going_on).chain(every_file.then(networks).into_iter().flatten());
            for parts in models.chain(every_file.then(cells).into_iter().flatten()) {
                let program = round_program(parts, &adapter(int64, subgroup_size));
                let kernels = program.unwrap_or_else(|e| panic!("{e}")).kernels;
                assert!(kernels.len() >= 4);
                scope.spawn(move || read_new(&kernels, capabilities));
            }
            if !every_file {
                continue;
            }
            let sets = PendingSet::ALL.into_iter().map(|set| {
                let options = ProcessOptions { pending: set, figures_only: true, ..Default::default() };
                let adapter = adapter(int64, subgroup_size);
                let parts = processes::gpu::parts(&phold, &options, &adapter).unwrap_or_else(|e| panic!("{e}"));
                round_program(parts, &adapter).unwrap_or_else(|e| panic!("{e}")).kernels
            });
            let few = DeviceModel { processes: 9, burst: 1.0, ..phold.clone() };
            let few = processes::gpu::parts(&few, &ProcessOptions::default(), &form).unwrap_or_else(|e| panic!("{e}"));
            let few = round_program(few, &form).unwrap_or_else(|e| panic!("{e}")).kernels;
            let each = parts_of(&classes);
            let each = round_program(each, &form).unwrap_or_else(|e| panic!("{e}"));
            let searches = searches(&form).into_iter().filter(|_| int64).flat_map(|parts| {
                round_program(parts, &adapter(int64, subgroup_size)).unwrap_or_else(|e| panic!("{e}")).kernels
            });
            let kernels: Vec<Kernel> = sets.flatten().chain(few).chain(each.kernels).chain(searches).collect();
            scope.spawn(move || read_new(&kernels, capabilities));
        }
    });
}

/// Whole, to the machine code and to PTX: those of a torus by windows.
#[test]
fn a_torus_compiles() {
    let each = Station::new("s", "exponential:10".parse().expect("a law"));
    let torus = Network::generate(&Topology::Torus { width: 8, height: 8 }, &each, 0.0).expect("sizes");
    let model = torus.window(1.0).check().expect("a torus");
    for (int64, capability) in [(true, 90), (false, 76)] {
        let form = adapter(int64, 32);
        let options = NetworkOptions { figures_only: true, ..NetworkOptions::default() };
        let parts = queueing::gpu::parts(&[(&model, 0..1)], Synchronization::Window, &form, &options).expect("a torus");
        let kernels = round_program(parts, &form).unwrap_or_else(|e| panic!("{e}")).kernels;
        assert!(kernels.len() >= 4);
        kernels.iter().for_each(|kernel| assert_compiles(kernel, &[capability]));
    }
}

/// What the shaders may come to use: it has to compile here first.
#[test]
fn every_construct_compiles() {
    let constructs: [(&str, &str); 9] = [
        ("operators", "let a = vec3<u32>(i, 1u, 2u); let b = vec3<u32>(7u) - a * 2u + 3u / max(a, vec3<u32>(1u)) % 5u;
          let s = (b << vec3<u32>(2u)) >> vec3<u32>(1u, 2u, 3u); let t = (~s & a) | (b ^ s);
          let c = select(a, b, a < b); words[i] = dot(c, t) + u32(all(a != b)) + u32(any(t >= s));"),
        ("signed", "let n = -i32(i); let m = abs(n) + sign(n) + clamp(n, -5, 5) + min(n, -2147483647 - 1) + n / 3 + n % 3;
          let l = -i64(n) * 5li; words[i] = u32(m) + u32(l >> 32u) + u32(select(n, m, m > n));"),
        ("bits", "words[i] = countOneBits(i) + countLeadingZeros(i) + countTrailingZeros(i) + reverseBits(i)
          + firstLeadingBit(i) + firstTrailingBit(i) + extractBits(i, 3u, 5u) + insertBits(i, 7u, 2u, 4u)
          + u32(extractBits(i32(i), 1u, 4u)) + bitcast<u32>(bitcast<i32>(i));"),
        ("loops", "var k = i; var sum = 0u; loop { if (k > 40u) { break; } if (k == 7u) { k = 9u; continue; } sum += k;
          continuing { k += 3u; break if sum > 900u; } } while (sum > 50u) { sum -= 7u; }
          switch sum { case 1u, 2u: { sum = 5u; } case 3u { sum = 6u; } default: { sum += 1u; } } words[i] = sum;"),
        ("atomics", "atomicStore(&marks[i], i); let a = atomicAdd(&marks[0], 1u) + atomicSub(&marks[1], 2u)
          + atomicMax(&marks[2], i) + atomicMin(&marks[3], i) + atomicAnd(&marks[4], i) + atomicOr(&marks[5], i)
          + atomicXor(&marks[6], i) + atomicExchange(&marks[7], i);
          let x = atomicCompareExchangeWeak(&marks[8], a, i); let y = atomicCompareExchangeWeak(&shared_mark, 0u, i);
          words[i] = atomicLoad(&marks[9]) + x.old_value + u32(y.exchanged);"),
        ("memory", "pool[i] = i; workgroupBarrier(); storageBarrier(); let w = workgroupUniformLoad(&pool[3]);
          let table = TABLE; words[i] = w + pool[63u - i] + table[i % 4u] + TABLE[2] + NESTED.list[1].y;"),
        ("records", "var r = Record(i, vec3<u32>(1u), 5lu, array<vec3<u32>, 2>(vec3<u32>(i), vec3<u32>(2u)));
          r.vector.y += 3u; r.list[i % 2u][i % 3u] = 4u; records[i] = r; words[i] = records[0].list[1].z + u32(r.wide);"),
        ("wide", "var w = u64(i) * 0x5851f42d4c957f2dlu + 1lu; w ^= w >> 18u; let v = vec2<u64>(w, 3lu) + vec2<u64>(1lu);
          words[i] = u32(min(w, 9lu) + max(v.x, v.y) + clamp(w, 1lu, 9lu)) + u32(w < v.x) + u32(countOneBits(w));"),
        ("subgroups", "words[i] = subgroupAdd(i) + subgroupMul(i) + subgroupMin(i) + subgroupMax(i) + subgroupAnd(i)
          + subgroupOr(i) + subgroupXor(i) + subgroupExclusiveAdd(i) + subgroupInclusiveAdd(i) + subgroupExclusiveMul(i)
          + subgroupInclusiveMul(i) + subgroupBallot(i > 3u).x + subgroupBroadcastFirst(i) + subgroupBroadcast(i, 3u)
          + subgroupShuffle(i, 1u) + subgroupShuffleUp(i, 1u) + subgroupShuffleDown(i, 1u) + subgroupShuffleXor(i, 1u)
          + u32(subgroupAll(i > 1u)) + u32(subgroupAny(i > 1u)) + u32(subgroupAdd(i32(i)) + subgroupMin(i32(i)));"),
    ];
    let frame = "
        struct Record { head: u32, vector: vec3<u32>, wide: u64, list: array<vec3<u32>, 2> }
        struct Nested { list: array<vec2<u32>, 3> }
        const TABLE = array<u32, 4>(1u, 2u, 3u, 4u);
        const NESTED = Nested(array<vec2<u32>, 3>(vec2<u32>(1u), vec2<u32>(2u, 3u), vec2<u32>(4u)));
        @group(0) @binding(0) var<storage, read_write> words: array<u32>;
        @group(0) @binding(1) var<storage, read_write> marks: array<atomic<u32>>;
        @group(0) @binding(2) var<storage, read_write> records: array<Record>;
        var<workgroup> pool: array<u32, 64>;
        var<workgroup> shared_mark: atomic<u32>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {";
    for (name, body) in constructs {
        let kernel =
            Kernel::parse(&format!("construct/{name}"), format!("{frame}{body}}}")).unwrap_or_else(|e| panic!("{e}"));
        assert_compiles(&kernel, &CAPABILITIES);
    }
}

/// WGSL may use every name that CUDA, C++, Metal or the translation has for something else.
#[test]
fn names_do_not_clash() {
    let source = "
        struct dim3 { x: u32, threadIdx: u32, xy: u32, nullptr_t: u32, inner: u32 }
        struct metal { group: u32, sizes: u32 }
        struct slong { long: u64, int: i32 }
        const warpSize = 5u;
        const CUDART_VERSION = 6u;
        var<private> blockIdx: u32;
        var<private> linux: u32;
        var<workgroup> kernel: array<u32, 32>;
        @group(0) @binding(0) var<storage, read_write> device: array<dim3>;
        @group(0) @binding(1) var<storage, read_write> b0: array<metal>;
        @group(0) @binding(2) var<storage, read> thread: array<slong>;
        @group(0) @binding(3) var<uniform> constant: vec4<u32>;
        fn min_of(add: u32) -> u32 { return add + warpSize; }
        fn printf(char: u32) -> u32 { return min_of(char) + CUDART_VERSION; }
        fn atomicCAS(threadgroup: u32) -> u32 { return printf(threadgroup); }
        fn clz(uint64_t: u32) -> u32 { return atomicCAS(uint64_t); }
        fn begin(end: ptr<function, u32>) { *end += 1u; }
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) vec: u32) {
            var laneid = vec;
            begin(&laneid);
            blockIdx = laneid;
            linux = blockIdx;
            kernel[vec] = clz(laneid);
            workgroupBarrier();
            device[vec] = dim3(kernel[31u - vec], linux, constant.x, 1u, 2u);
            b0[vec] = metal(device[0].xy, u32(thread[vec].long));
        }";
    assert_compiles(&Kernel::parse("test/names", source.into()).unwrap_or_else(|e| panic!("{e}")), &CAPABILITIES);
}

#[test]
fn an_error_names_the_kernel_and_the_line() {
    let source = "var<workgroup> pool: array<u32, 100000>;
                  @group(0) @binding(0) var<storage, read_write> words: array<u32>;
                  @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
                      pool[i] = words[i]; workgroupBarrier(); words[i] = pool[words[0]]; }";
    let kernel = Kernel::parse("test/large", source.into()).expect("WGSL");
    match compile(&kernel, 90) {
        Some(Err(DeviceError::Refused { kernel, message })) => {
            assert_eq!(kernel, "test/large");
            assert!(message.contains("shared data") || message.contains("test/large("), "{message}");
        }
        Some(other) => panic!("{other:?}"),
        None => {}
    }
}

#[test]
fn an_architecture_that_nvrtc_does_not_know_is_said() {
    let kernel = Kernel::parse("test/none", "@compute @workgroup_size(32) fn main() {}".into()).expect("WGSL");
    let text = cuda::compile(&kernel, 1, 10).expect_err("NVRTC for compute capability 1.0").to_string();
    assert!(text.contains("and the device has 1.0") || std::env::var_os("CI").is_none(), "{text}");
    // A newer one gets PTX for the newest that it knows, which that device's driver compiles.
    if let Some(compiled) = compile(&kernel, 999) {
        let code = compiled.expect("PTX");
        assert!(String::from_utf8_lossy(&code).contains(".entry kernel"), "{} bytes", code.len());
    }
}

//! PHOLD on the sequential simulator, beside a loop that does nothing else: the standard library's heap, floating-point
//! times, one generator for all, no records. The rates are events a second.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tickless::device::Target;
use tickless::processes::{self, Phold, PholdModel};
use tickless::run::unwatched;

/// Processes, events of each at the start, the horizon.
const SIZES: [(u32, u32, f64); 4] = [(1024, 1, 2000.0), (32_768, 1, 100.0), (32_768, 16, 2.0), (32_768, 128, 0.6)];
const LOOKAHEAD: f64 = 0.1;

fn model(processes: u32, population: u32, until: f64) -> PholdModel {
    let phold = Phold::new(processes).population(population).lookahead(LOOKAHEAD).mean(1.0).until(until);
    phold.check().expect("a valid model")
}

/// An event of the bare loop: the earliest is the largest.
#[derive(PartialEq)]
struct Bare {
    time: f64,
    process: u32,
}

impl Eq for Bare {}

impl PartialOrd for Bare {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bare {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time)
    }
}

/// The generator of Vigna's `SplitMix64`.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// The bare loop: how many events, and how long.
fn bare(processes: u32, population: u32, until: f64) -> (u64, Duration) {
    let mut state = 1;
    let increment = |state: &mut u64| LOOKAHEAD - (((random(state) >> 11) as f64 + 0.5) * 2.0_f64.powi(-53)).ln();
    let starts = (0..processes).flat_map(|process| std::iter::repeat_n(process, population as usize));
    let mut heap: BinaryHeap<Bare> = starts.map(|process| Bare { time: increment(&mut state), process }).collect();
    let (begin, mut events) = (Instant::now(), 0);
    while let Some(mut first) = heap.peek_mut() {
        if first.time >= until {
            break;
        }
        events += 1;
        first.time += increment(&mut state);
        first.process = (((random(&mut state) >> 32) * u64::from(processes)) >> 32) as u32;
    }
    (events, begin.elapsed())
}

fn phold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("phold");
    group.sample_size(10);
    for (processes, population, until) in SIZES {
        let model = model(processes, population, until);
        let run = || processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("PHOLD runs");
        let size = format!("{processes}x{population}");
        group.throughput(Throughput::Elements(bare(processes, population, until).0));
        group.bench_function(BenchmarkId::new("bare", &size), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| bare(processes, population, until).1).sum());
        });
        group.throughput(Throughput::Elements(run().events));
        group.bench_function(BenchmarkId::new("reference", &size), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| run().wall).sum());
        });
    }
    group.finish();
}

/// The ratio of both rates: the median of alternating runs, so that a busy machine slows both.
fn ratio(_: &mut Criterion) {
    for (processes, population, until) in SIZES {
        let model = model(processes, population, until);
        let mut pairs: Vec<[f64; 3]> = (0..5)
            .map(|_| {
                let (events, wall) = bare(processes, population, until);
                let bare = events as f64 / wall.as_secs_f64();
                let run =
                    processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("PHOLD runs");
                [run.events_per_second() / bare, run.events_per_second() / 1e6, bare / 1e6]
            })
            .collect();
        pairs.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let [ratio, own, bare] = pairs[pairs.len() / 2];
        println!("{processes} x {population}: {own:.2} M/s, bare loop {bare:.2} M/s, ratio {ratio:.2}");
    }
}

criterion_group!(benches, ratio, phold);
criterion_main!(benches);

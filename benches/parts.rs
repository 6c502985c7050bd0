//! The parts that both backends share: draws, variates, seeding and the digest, on one core.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tickless::device::Target;
use tickless::queueing::{self, Network, Station, Topology, combined_digest};
use tickless::random::{ServiceLaw, StreamKey, exponential};
use tickless::run::unwatched;

/// Items of one measurement.
const ITEMS: u32 = 1 << 12;

fn random(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random");
    group.throughput(Throughput::Elements(ITEMS.into()));
    let key = StreamKey::new(1, 0);
    group.bench_function("seed a stream and draw", |bencher| {
        bencher.iter(|| (0..ITEMS).fold(0, |sum, entity| sum ^ key.stream(black_box(entity)).draw()));
    });
    group.bench_function("draw", |bencher| {
        let mut stream = key.stream(0);
        bencher.iter(|| (0..ITEMS).fold(0, |sum, _| sum ^ stream.draw()));
    });
    group.bench_function("exponential", |bencher| {
        // A full period of draws, in an order that no branch predictor learns.
        let draw = |i: u32| i.wrapping_mul(0x9E37_79B9);
        bencher.iter(|| (0..ITEMS).fold(0, |sum: u64, i| sum.wrapping_add(exponential(black_box(draw(i))))));
    });
    for text in ["exponential:10", "uniform:5,15", "erlang:3,10", "hyperexponential:0.25,4,12"] {
        let law: ServiceLaw = text.parse().expect("a law");
        let law = law.effective(Some(1.0));
        group.bench_function(format!("service {text}"), |bencher| {
            let mut stream = key.stream(0);
            bencher.iter(|| (0..ITEMS).fold(0, |sum: u64, _| sum.wrapping_add(law.service(&mut stream).ticks())));
        });
    }
    group.finish();
}

fn digest(criterion: &mut Criterion) {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 256, height: 256 }, &each, 0.0).expect("sizes");
    let model = torus.window(1.0).until(20.0).check().expect("a valid model");
    let outcome = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())
        .expect("the heap runs every model")
        .outcome;
    let mut group = criterion.benchmark_group("outcome");
    group.throughput(Throughput::Elements(model.stations().into()));
    group.bench_function("digest", |bencher| bencher.iter(|| combined_digest(&outcome)));
    group.bench_function("statistics", |bencher| bencher.iter(|| outcome[0].stations.statistics()));
    group.finish();
}

criterion_group!(benches, random, digest);
criterion_main!(benches);

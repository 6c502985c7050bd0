//! Rounds on the adapter that `auto` takes: completions a second by the side of the torus, with native 64-bit
//! integers and with times of two words, and events a second of many replications. Set-up and read-back are left out.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::device::{Device, Target};
use tickless::queueing::{self, Network, NetworkDetails, NetworkModel, NetworkOutcome, Station, Topology};
use tickless::run::{Run, unwatched};

fn run(model: &NetworkModel, device: &WgpuDevice) -> Run<Vec<NetworkOutcome>, NetworkDetails> {
    queueing::run(model, 0..1, Target::Device(device), Default::default(), &mut unwatched()).expect("the model fits")
}

fn rounds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rounds");
    group.sample_size(10);
    for (form, without_int64) in [("native", false), ("words", true)] {
        let options = OpenOptions { without_int64, ..OpenOptions::default() };
        let Ok(device) = WgpuDevice::open(&Selection::Auto, options) else {
            eprintln!("SKIPPED: no adapter on this machine");
            return;
        };
        if form == "native" && !device.adapter().capabilities.int64 {
            continue;
        }
        for (side, until) in [(64, 1000.0), (256, 200.0), (1024, 20.0)] {
            let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(1);
            let torus = Network::generate(&Topology::Torus { width: side, height: side }, &each, 0.0).expect("sizes");
            let model = torus.window(1.0).until(until).check().expect("a valid model");
            // The first run compiles the kernels and says how many events there are.
            group.throughput(Throughput::Elements(run(&model, &device).events));
            group.bench_with_input(BenchmarkId::new(form, side), &model, |bencher, model| {
                bencher.iter_custom(|times| (0..times).map(|_| run(model, &device).wall).sum::<Duration>());
            });
        }
    }
    group.finish();
}

/// Replications of a network of classes, a thread each: events a second by their number.
fn replications(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("replications");
    group.sample_size(10);
    let Ok(device) = WgpuDevice::open(&Selection::Auto, OpenOptions::default()) else {
        eprintln!("SKIPPED: no adapter on this machine");
        return;
    };
    let network = Network::from_toml(include_str!("../examples/networks/stages.toml")).expect("a network");
    let model = network.check().expect("a valid model");
    for count in [1000, 10_000, 100_000] {
        let run = || {
            let device = Target::Device(&device);
            queueing::run(&model, 0..count, device, Default::default(), &mut unwatched()).expect("the model fits")
        };
        group.throughput(Throughput::Elements(run().events));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| run().wall).sum::<Duration>());
        });
    }
    group.finish();
}

criterion_group!(benches, rounds, replications);
criterion_main!(benches);

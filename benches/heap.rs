//! The future event list, and the torus reference on it.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tickless::device::Target;
use tickless::heap::{Event, EventList};
use tickless::queueing::{self, Network, Station, Topology};
use tickless::random::{StreamKey, exponential};
use tickless::run::unwatched;
use tickless::time::Time;

/// Events whose times are exponential with mean 10 after the first unit.
fn events(count: u32) -> Vec<Event> {
    let mut stream = StreamKey::new(1, 0).stream(0);
    (0..count).map(|entity| Event { time: later(Time::ZERO, exponential(stream.draw())), entity, payload: 0 }).collect()
}

fn later(now: Time, variate: u64) -> Time {
    Time::from_ticks(now.ticks() + Time::UNIT.ticks() + 9 * variate)
}

fn event_list(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("event_list");
    group.sample_size(10);
    for count in [1 << 8, 1 << 12, 1 << 16, 1 << 20] {
        let start = events(count);
        group.throughput(Throughput::Elements(u64::from(count)));
        group.bench_function(format!("build/{count}"), |b| b.iter(|| start.iter().copied().collect::<EventList>()));
        group.bench_function(format!("drain/{count}"), |b| {
            let full = || start.iter().copied().collect::<EventList>();
            b.iter_batched_ref(full, |list| while list.pop().is_some() {}, BatchSize::LargeInput);
        });
        group.bench_function(format!("hold/{count}"), |b| {
            let mut list: EventList = start.iter().copied().collect();
            let mut stream = StreamKey::new(1, 0).stream(1);
            b.iter(|| {
                for _ in 0..count {
                    if let Some(event) = list.pop() {
                        list.push(Event { time: later(event.time, exponential(stream.draw())), ..event });
                    }
                }
            });
        });
    }
    group.finish();
}

fn torus(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reference");
    group.sample_size(10);
    for (side, until) in [(64, 500.0), (256, 100.0), (1024, 20.0)] {
        let each = Station::new("s", "exponential:10".parse().expect("a law")).tokens(1);
        let model = Network::generate(&Topology::Torus { width: side, height: side }, &each, 0.0).expect("sizes");
        let model = model.window(1.0).until(until).check().expect("a valid torus");
        let run = || {
            queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())
                .expect("a run without overflow")
        };
        group.throughput(Throughput::Elements(run().events));
        group.bench_function(format!("side/{side}"), |b| {
            // The simulation proper; setting up and collecting the results are left out.
            b.iter_custom(|times| (0..times).map(|_| run().wall).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, event_list, torus);
criterion_main!(benches);

//! Cells on the sequential simulator and on this machine's adapter: all of them flip every time unit and tell their eight
//! neighbours, and a fire on a landscape that is made up. The rates are transitions a second.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tickless::cells::fire::{Fire, Ignition, Landscape, Weather};
use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{self, Border, Cell, CellError, CellModel, Inputs, Moment, Space};
use tickless::device::wgpu::{OpenOptions, WgpuDevice};
use tickless::device::{Selection, Target};
use tickless::kernels::Source;
use tickless::run::unwatched;
use tickless::time::Time;

/// Columns and rows.
const SIDE: u32 = 1000;
/// Times that every cell flips.
const FLIPS: u64 = 10;

/// Every cell flips at every whole time.
struct Flip(Space);

impl CellModel for Flip {
    fn space(&self) -> &Space {
        &self.0
    }

    fn until(&self) -> Time {
        Time::from_ticks((FLIPS << 32) + 1)
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn state_words(&self) -> usize {
        1
    }

    fn output_words(&self) -> usize {
        1
    }

    fn initialize(&self, _: Cell, _: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        Ok(Time::UNIT)
    }

    fn output(&self, _: Cell, _: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        output[0] = 1 - state[0];
        Ok(true)
    }

    fn transition(
        &self,
        _: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        _: &impl Inputs,
    ) -> Result<Time, CellError> {
        if !moment.imminent {
            return Ok(next);
        }
        state[0] = 1 - state[0];
        Ok(Time::from_ticks(moment.now.ticks() + Time::UNIT.ticks()))
    }
}

const FLIP: &str = "
import package::cells::cell::{now, planned, set_output, set_state_word, state_word};
import package::lib::time::{Time};
import word64::{wide, wide_add};

fn cell_output(cell: u32) -> bool {
    set_output(cell, 0u, 1u - state_word(cell, 0u));
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    if (!imminent) { return planned; }
    set_state_word(cell, 0u, 1u - state_word(cell, 0u));
    return wide_add(now, wide(0u, 1u));
}";

impl DeviceCells for Flip {
    fn kernels(&self) -> Option<CellKernels> {
        Some(CellKernels::of("flip", Source::own("flip.wgsl", FLIP)))
    }
}

/// Both backends of one model, with equal digests.
fn both(criterion: &mut Criterion, name: &str, model: &impl DeviceCells) {
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default()).expect("an adapter");
    let on_heap = || cells::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("it runs");
    let on_device =
        || cells::run(model, 0..1, Target::Device(&device), Default::default(), &mut unwatched()).expect("it runs");
    let (first, other) = (on_heap(), on_device());
    assert_eq!(first.outcome.digest(), other.outcome.digest());
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).throughput(Throughput::Elements(first.outcome.transitions));
    group.bench_function("reference", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| on_heap().wall).sum::<Duration>());
    });
    group.bench_function("adapter", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| on_device().wall).sum::<Duration>());
    });
    group.finish();
}

fn cells(criterion: &mut Criterion) {
    let space = Space::new([SIDE, SIDE, 1], Border::Wrapped, Space::moore()).expect("a space");
    both(criterion, "dense", &Flip(space));
    let landscape = Landscape::made_up(512, 512, 1).expect("a landscape");
    let fire = Fire::new(landscape, Weather::still()).ignite([Ignition::cell(250, 250)]).until(20_000.0);
    both(criterion, "fire", &fire.check().expect("a fire"));
}

criterion_group!(benches, cells);
criterion_main!(benches);

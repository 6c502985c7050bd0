//! Multiples of an interval, without division on the device.

use tickless::device::Device;
use tickless::kernels::Mounts;
use tickless::time::{Interval, Time};

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, wides, with_fault};

const KERNEL: &str = "
import package::lib::interval::{Interval, next_multiple};
import constants::{WORKGROUP};
import word64::{Wide, wide_high, wide_low};

struct Case { time: Wide, ticks: Wide, reciprocal: Wide, shift: u32, unused: u32 }

var<storage, read> cases: array<Case>;
var<storage, read_write> results: array<vec2<u32>>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&cases)) { return; }
    let case_ = cases[id];
    let found = next_multiple(Interval(case_.ticks, case_.reciprocal, case_.shift), case_.time);
    results[id] = vec2<u32>(wide_low(found), wide_high(found));
}";

/// Times and intervals: every power of two and its neighbours in all pairs, multiples and their neighbours, random ones.
fn cases() -> Vec<(u64, u64)> {
    let powers = (0..63).map(|power| 1_u64 << power);
    let edges: Vec<u64> = powers.flat_map(|power| [power - 1, power, power + 1, power / 3 * 2 + 1]).collect();
    let lengths = || edges.iter().copied().filter(|length| (1..=1 << 62).contains(length));
    let mut cases: Vec<_> = lengths().flat_map(|length| edges.iter().map(move |time| (*time, length))).collect();
    cases.extend(lengths().map(|length| ((1 << 63) - 1, length)));
    let mut word = wides(7);
    for _ in 0..30_000 {
        // Of every size.
        let (time, length) = (word(), word());
        let (time, length) = (time >> (1 + word() % 60), (length >> (2 + word() % 60)).max(1));
        let multiple = time / length * length;
        cases.extend([(time, length), (multiple, length), (multiple + 1, length), (multiple.max(1) - 1, length)]);
    }
    cases.retain(|(time, _)| *time < 1 << 63);
    cases
}

fn rows(cases: &[(u64, u64)]) -> Vec<[u64; 4]> {
    let row = |&(time, length): &(u64, u64)| {
        let interval = Interval::new(Time::from_ticks(length)).expect("a length");
        [time, length, interval.reciprocal(), interval.shift().into()]
    };
    cases.iter().map(row).collect()
}

fn run(device: &dyn Device, mounts: Mounts, rows: &[[u64; 4]]) -> Vec<u64> {
    let bench = Bench::new(mounts, KERNEL).input("cases", rows);
    bench.output::<u64>("results", rows.len()).run(device, rows.len().div_ceil(64) as u32).read("results")
}

#[test]
fn multiples_are_those_of_a_division() {
    let cases = cases();
    let expected: Vec<u64> = cases.iter().map(|(time, length)| time.div_ceil(*length) * length).collect();
    let rows = rows(&cases);
    for (form, device) in adapter::every_form() {
        assert_equal(&expected, &run(&device, frame(&device, 64), &rows), form);
    }
    let of_rust = |(time, length): &(u64, u64)| {
        Interval::new(Time::from_ticks(*length)).expect("a length").next_multiple(Time::from_ticks(*time)).ticks()
    };
    assert_equal(&expected, &cases.iter().map(of_rust).collect::<Vec<_>>(), "Rust");
}

/// The data above are good enough: a carry that is lost, a reciprocal or a shift that is off by one shows.
#[test]
fn a_wrong_multiple_is_caught() {
    let Some(device) = adapter::native() else { return };
    let cases = cases();
    let expected: Vec<u64> = cases.iter().map(|(time, length)| time.div_ceil(*length) * length).collect();
    let frame = frame(&device, 64);
    for (right, wrong) in [
        ("return wide_add(high, wide(wide_high(right), 0u));", "return high;"),
        ("wide(wide_low(left), 0u)", "wide(0u, 0u)"),
        ("interval.shift >= 32u", "interval.shift > 32u"),
        ("let before = wide_sub(time, wide(1u, 0u));", "let before = time;"),
    ] {
        let doctored = with_fault(&frame, "lib/interval", right, wrong);
        assert!(first_difference(&expected, &run(&device, doctored, &rows(&cases))).is_some(), "{right}");
    }
    let mut less = rows(&cases);
    less.iter_mut().for_each(|row| row[2] -= 1);
    assert!(first_difference(&expected, &run(&device, frame, &less)).is_some());
}

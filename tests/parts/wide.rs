//! 64-bit words: native ones and pairs of 32-bit ones.

use tickless::device::Device;
use tickless::kernels::Mounts;
use tickless::random::scale;

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, wides, with_fault};

/// Every function of `lib/wide*.wgsl` on two words, in the order of `expected`.
const KERNEL: &str = "
import package::lib::divide::{wide_divide};
import package::lib::root::{root_above, root_of};
import package::lib::wide::{multiply_high, wide_maximum, wide_minimum, wide_scale, wide_shift_right, wide_xor};
import constants::{WORKGROUP};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_product, wide_sub};

var<storage, read> pairs: array<vec4<u32>>;
var<storage, read_write> results: array<vec2<u32>>;

const FUNCTIONS: u32 = 15u;

fn put(id: u32, function: u32, value: Wide) {
    results[id * FUNCTIONS + function] = vec2<u32>(wide_low(value), wide_high(value));
}

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&pairs)) { return; }
    let a = wide(pairs[id].x, pairs[id].y);
    let b = wide(pairs[id].z, pairs[id].w);
    put(id, 0u, wide_add(a, b));
    put(id, 1u, wide_sub(a, b));
    put(id, 2u, wide_multiply(a, b));
    put(id, 3u, wide(select(0u, 1u, wide_less(a, b)), 0u));
    put(id, 4u, wide_product(wide_low(a), wide_low(b)));
    put(id, 5u, wide_shift_right(a, 1u + wide_low(b) % 31u));
    put(id, 6u, wide_scale(a, b));
    put(id, 7u, wide_minimum(a, b));
    put(id, 8u, wide_maximum(a, b));
    put(id, 9u, wide_xor(a, b));
    put(id, 10u, wide(multiply_high(wide_low(a), wide_high(b)), 0u));
    put(id, 11u, wide(wide_high(a), wide_low(a)));
    put(id, 12u, wide_divide(a, max(1u, wide_low(b) >> (wide_high(b) & 31u))));
    put(id, 13u, wide(root_of(a), 0u));
    put(id, 14u, wide(root_above(wide_shift_right(b, 2u)), 0u));
}";

fn expected(a: u64, b: u64) -> [u64; 15] {
    let low = |word: u64| word & 0xffff_ffff;
    [
        a.wrapping_add(b),
        a.wrapping_sub(b),
        a.wrapping_mul(b),
        u64::from(a < b),
        low(a) * low(b),
        a >> (1 + low(b) % 31),
        scale(a, b),
        a.min(b),
        a.max(b),
        a ^ b,
        (low(a) * (b >> 32)) >> 32,
        a.rotate_left(32),
        a / (low(b) >> ((b >> 32) & 31)).max(1),
        nearest_root(a),
        (b >> 2).isqrt() + u64::from((b >> 2).isqrt().pow(2) < b >> 2),
    ]
}

/// The whole number that is nearest to a root: the next one where it is nearer and has 32 bits.
fn nearest_root(radicand: u64) -> u64 {
    let root = radicand.isqrt();
    root + u64::from(radicand - root * root > root && root < u64::from(u32::MAX))
}

/// All pairs of values at the edges, then random ones.
fn pairs() -> Vec<[u64; 2]> {
    let mut edges = vec![0, 1, 2, 3, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];
    edges.extend([1 << 32, (1 << 32) + 1, 0xffff_0000_0000, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX]);
    let mut pairs: Vec<_> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| [a, b])).collect();
    let mut word = wides(1);
    pairs.extend((0..20_000).map(|_| [word(), word()]));
    // Equal high words, so that the low ones decide.
    pairs.extend((0..1000).map(|_| (word(), word())).map(|(a, b)| [a, a ^ (b & 0xffff_ffff)]));
    pairs
}

fn run(device: &dyn Device, mounts: Mounts, pairs: &[[u64; 2]]) -> Vec<[u64; 15]> {
    let bench = Bench::new(mounts, KERNEL).input("pairs", pairs).output::<[u64; 15]>("results", pairs.len());
    bench.run(device, pairs.len().div_ceil(64) as u32).read("results")
}

#[test]
fn every_function_is_that_of_rust() {
    let pairs = pairs();
    let expected: Vec<_> = pairs.iter().map(|&[a, b]| expected(a, b)).collect();
    for (form, device) in adapter::every_form() {
        assert_equal(&expected, &run(&device, frame(&device, 64), &pairs), form);
    }
}

/// The data above are good enough: a carry, a borrow or a partial product that is lost shows.
#[test]
fn a_wrong_function_is_caught() {
    let options = tickless::device::wgpu::OpenOptions { without_int64: true, ..Default::default() };
    let Some(device) = adapter::open(options) else { return };
    let pairs = pairs();
    let expected: Vec<_> = pairs.iter().map(|&[a, b]| expected(a, b)).collect();
    let faults = [
        ("lib/wide_words", "select(0u, 1u, low < a.x)", "0u"),
        ("lib/wide_words", "select(0u, 1u, a.x < b.x)", "0u"),
        ("lib/wide_words", "(a.y == b.y) & (a.x < b.x)", "(a.y == b.y) & (a.x <= b.x)"),
        ("lib/wide_words", "(left & 0xffffu)", "0u"),
        ("lib/wide_words", " + (right >> 16u)", ""),
        ("lib/wide_words", " + a.y * b.x", ""),
        ("lib/wide", "(32u - distance)", "(31u - distance)"),
        ("lib/wide", "wide_product(wide_low(factor), wide_high(span))", "wide(0u, 0u)"),
        ("lib/wide", "wide(wide_high(lower), 0u)", "wide(0u, 0u)"),
        ("lib/divide", "turn < 2u", "turn < 1u"),
        ("lib/divide", "(left < DIGIT) & ", ""),
        ("lib/divide", " | ((wide_low(a) >> 1u) >> (31u - shift))", ""),
        ("lib/root", "firstLeadingBit(wide_high(radicand)) / 2u", "firstLeadingBit(wide_high(radicand)) / 3u"),
        ("lib/root", "firstLeadingBit(wide_low(radicand) | 1u) / 2u", "firstLeadingBit(wide_low(radicand) | 1u) / 3u"),
        ("lib/root", "select(0u, 1u, wide_less(wide_product(root, root), radicand))", "0u"),
        ("lib/wide", "select(a, b, wide_less(b, a))", "select(a, b, wide_high(b) < wide_high(a))"),
    ];
    for (file, right, wrong) in faults {
        let mounts = with_fault(&frame(&device, 64), file, right, wrong);
        assert!(first_difference(&expected, &run(&device, mounts, &pairs)).is_some(), "{right} -> {wrong}");
    }
}

//! Words of 128 bits, against those of Rust.

use tickless::device::Device;
use tickless::kernels::Mounts;

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, wides, with_fault};

/// Every function of `lib/quad.wgsl`, in the order of `expected`: of two words of 128 bits and one of 64.
const KERNEL: &str = "
import package::lib::quad::{
    Quad, quad_add, quad_divide, quad_divide_up, quad_less, quad_of, quad_product, quad_row, quad_sub, whole_product,
};
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};

struct Case { a: vec4<u32>, b: vec4<u32>, c: vec2<u32>, unused: vec2<u32> }

var<storage, read> cases: array<Case>;
var<storage, read_write> results: array<vec4<u32>>;

const FUNCTIONS: u32 = 9u;

fn put(id: u32, function: u32, value: Quad) { results[id * FUNCTIONS + function] = quad_row(value); }

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&cases)) { return; }
    let a = quad_of(cases[id].a);
    let b = quad_of(cases[id].b);
    let c = wide(cases[id].c.x, cases[id].c.y);
    put(id, 0u, quad_add(a, b));
    put(id, 1u, quad_sub(a, b));
    put(id, 2u, Quad(wide(select(0u, 1u, quad_less(a, b)), 0u), wide(0u, 0u)));
    put(id, 3u, whole_product(a.low, b.low));
    let product = quad_product(a, c);
    put(id, 4u, product.value);
    put(id, 5u, Quad(product.above, wide(0u, 0u)));
    let quotient = quad_divide(a, c);
    put(id, 6u, quotient.whole);
    put(id, 7u, Quad(quotient.rest, wide(0u, 0u)));
    put(id, 8u, quad_divide_up(a, c));
}";

type Case = [u128; 3];

fn expected([a, b, c]: Case) -> [u128; 9] {
    let low = |word: u128| word & u128::from(u64::MAX);
    let upper = ((low(a) * c) >> 64) + (a >> 64) * c;
    [
        a.wrapping_add(b),
        a.wrapping_sub(b),
        u128::from(a < b),
        low(a) * low(b),
        a.wrapping_mul(c),
        upper >> 64,
        a / c,
        a % c,
        a.div_ceil(c),
    ]
}

/// All of values at the edges, then random ones of every length. The third is from 1 to 2^63.
fn cases() -> Vec<Case> {
    let edges: Vec<u128> = [0, 31, 32, 62, 63, 64, 95, 96, 127].into_iter().map(|bit| 1 << bit).collect();
    let edges: Vec<u128> = edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 1]).chain([u128::MAX]).collect();
    let divisors = || edges.iter().copied().filter(|divisor| (1..=1 << 63).contains(divisor));
    let pairs = edges.iter().flat_map(|a| edges.iter().map(move |b| [*a, *b]));
    let mut cases: Vec<_> = pairs.flat_map(|[a, b]| divisors().map(move |c| [a, b, c])).collect();
    let mut word = wides(3);
    let mut long = || u128::from(word()) << 64 | u128::from(word());
    for _ in 0..20_000 {
        let (a, b, c) = (long(), long(), (long() as u64 >> 1).max(1));
        // Equal upper words, so that the lower ones decide; and what leaves no rest, or nearly none.
        let multiple = a / u128::from(c) * u128::from(c);
        cases.extend([[a, b, c.into()], [a, a ^ (b & 0xffff), c.into()], [multiple, multiple + 1, c.into()]]);
    }
    cases
}

fn run(device: &dyn Device, mounts: Mounts, cases: &[Case]) -> Vec<[u128; 9]> {
    let half = |word: u128| [word as u64, (word >> 64) as u64];
    let rows: Vec<[u64; 6]> = cases.iter().map(|case| std::array::from_fn(|at| half(case[at / 2])[at % 2])).collect();
    let bench = Bench::new(mounts, KERNEL).input("cases", &rows).output::<[u64; 18]>("results", rows.len());
    let found = bench.run(device, rows.len().div_ceil(64) as u32).read::<[u64; 18]>("results");
    let whole = |row: [u64; 18]| std::array::from_fn(|at| u128::from(row[2 * at + 1]) << 64 | u128::from(row[2 * at]));
    found.into_iter().map(whole).collect()
}

#[test]
fn every_function_is_that_of_rust() {
    let cases = cases();
    let expected: Vec<_> = cases.iter().copied().map(expected).collect();
    for (form, device) in adapter::every_form() {
        assert_equal(&expected, &run(&device, frame(&device, 64), &cases), form);
    }
}

/// The data above are good enough: a carry, a borrow or a partial product that is lost shows.
#[test]
fn a_wrong_function_is_caught() {
    let options = tickless::device::wgpu::OpenOptions { without_int64: true, ..Default::default() };
    let Some(device) = adapter::open(options) else { return };
    let cases = cases();
    let expected: Vec<_> = cases.iter().copied().map(expected).collect();
    let faults = [
        ("select(0u, 1u, wide_less(low, a.low))", "0u"),
        ("select(0u, 1u, wide_less(a.low, b.low))", "0u"),
        ("return wide_less(a.low, b.low);", "return !wide_less(b.low, a.low);"),
        ("wide(wide_high(first), 0u)", "wide(0u, 0u)"),
        ("wide(wide_low(left), 0u)", "wide(0u, 0u)"),
        ("wide(wide_high(left), 0u)", "wide(0u, 0u)"),
        ("wide(wide_high(right), 0u)", "wide(0u, 0u)"),
        ("select(0u, 1u, wide_less(middle, upper.low))", "0u"),
        ("wide_high(divisor) == 0u", "wide_high(divisor) <= 1u"),
        ("if (!wide_less(rest, divisor))", "if (wide_less(divisor, rest))"),
        ("select(1u, 0u, is_nothing(quotient.rest))", "1u"),
    ];
    for (right, wrong) in faults {
        let mounts = with_fault(&frame(&device, 64), "lib/quad", right, wrong);
        assert!(first_difference(&expected, &run(&device, mounts, &cases)).is_some(), "{right} -> {wrong}");
    }
}

//! Reductions over a workgroup, in workgroup memory and by subgroups.

use tickless::device::Device;
use tickless::kernels::Mounts;

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, wides, with_fault, words};

/// One reduction after the other: what one leaves in workgroup memory must not disturb the next.
const KERNEL: &str = "
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};
import workgroup::{workgroup_minimum, workgroup_prefix, workgroup_sum};

var<storage, read> counts: array<u32>;
var<storage, read> times: array<vec2<u32>>;
var<storage, read_write> sums: array<vec4<u32>>;
var<storage, read_write> minima: array<vec2<u32>>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    var all = 0u;
    let before = workgroup_prefix(lane, counts[id], &all);
    let least = workgroup_minimum(lane, wide(times[id].x, times[id].y));
    let opposite = group * WORKGROUP + WORKGROUP - 1u - lane;
    let sum = workgroup_sum(lane, counts[opposite]);
    let after = workgroup_prefix(lane, counts[opposite], &all);
    sums[id] = vec4<u32>(before, sum, after, all);
    minima[id] = vec2<u32>(wide_low(least), wide_high(least));
}";

const GROUPS: usize = 67;

struct Data {
    counts: Vec<u32>,
    times: Vec<u64>,
}

/// Small counts, counts that wrap, times with few high words, and `NEVER` alone.
fn data(workgroup: usize) -> Data {
    let (mut word, mut wide) = (words(5), wides(6));
    let mut data = Data { counts: vec![], times: vec![] };
    for group in 0..GROUPS {
        for _ in 0..workgroup {
            data.counts.push(if group % 2 == 0 { word() % 33 } else { word() });
            data.times.push(match group % 4 {
                0 => wide(),
                1 => u64::from(word() % 3) << 32 | u64::from(word()),
                2 => u64::MAX - u64::from(word() % 2),
                _ => u64::MAX,
            });
        }
    }
    data
}

fn expected(data: &Data, workgroup: usize) -> (Vec<[u32; 4]>, Vec<u64>) {
    let (mut sums, mut minima) = (vec![], vec![]);
    for (counts, times) in data.counts.chunks(workgroup).zip(data.times.chunks(workgroup)) {
        let total = counts.iter().fold(0_u32, |sum, c| sum.wrapping_add(*c));
        let least = *times.iter().min().expect("a time");
        let (mut before, mut again) = (0_u32, 0_u32);
        for (count, opposite) in counts.iter().zip(counts.iter().rev()) {
            sums.push([before, total, again, total]);
            minima.push(least);
            before = before.wrapping_add(*count);
            again = again.wrapping_add(*opposite);
        }
    }
    (sums, minima)
}

fn run(device: &dyn Device, mounts: Mounts, data: &Data) -> (Vec<[u32; 4]>, Vec<u64>) {
    let bench = Bench::new(mounts, KERNEL)
        .input("counts", &data.counts)
        .input("times", &data.times)
        .output::<[u32; 4]>("sums", data.counts.len())
        .output::<u64>("minima", data.counts.len());
    let mut answer = bench.run(device, GROUPS as u32);
    (answer.read("sums"), answer.read("minima"))
}

#[test]
fn prefixes_and_minima_are_those_of_rust() {
    const SIZES: [[u32; 2]; 5] = [[32, 256], [64, 1024], [32, 256], [64, 512], [128, 128]];
    for ((form, device), sizes) in adapter::every_form().into_iter().zip(SIZES.into_iter().cycle()) {
        let most = device.adapter().capabilities.workgroup_threads;
        for workgroup in sizes.into_iter().filter(|w| *w <= most) {
            let data = data(workgroup as usize);
            let (sums, minima) = expected(&data, workgroup as usize);
            let found = run(&device, frame(&device, workgroup), &data);
            let what = format!("{form}, {workgroup} threads");
            assert_equal(&sums, &found.0, &what);
            assert_equal(&minima, &found.1, &what);
        }
    }
}

/// The data above are good enough: a lane left out shows, and so does one low word.
#[test]
fn a_wrong_reduction_is_caught() {
    let options = tickless::device::wgpu::OpenOptions { without_subgroups: true, ..Default::default() };
    let Some(device) = adapter::open(options) else { return };
    let data = data(64);
    let (sums, minima) = expected(&data, 64);
    for (right, wrong) in [
        ("stride > 0u", "stride > 1u"),
        ("if (lane >= stride)", "if (lane > stride)"),
        ("reduce_words[lane] - value", "reduce_words[lane]"),
        ("wide_minimum(reduce_wides[lane], reduce_wides[lane + stride])", "reduce_wides[lane]"),
    ] {
        let found = run(&device, with_fault(&frame(&device, 64), "lib/entry_plain", right, wrong), &data);
        let caught = first_difference(&sums, &found.0).is_some() || first_difference(&minima, &found.1).is_some();
        assert!(caught, "{right} -> {wrong}");
    }
}

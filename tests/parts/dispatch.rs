//! Dispatches of more workgroups than one dimension allows.

use tickless::device::Dispatch;
use tickless::kernels;

use crate::adapter;
use crate::lab::{Bench, assert_equal, frame};

const KERNEL: &str = "
import constants::{WORKGROUP};

var<storage, read_write> visits: array<atomic<u32>>;
var<storage, read_write> numbers: array<u32>;
var<storage, read_write> beyond: atomic<u32>;

fn run(group: u32, lane: u32) {
    if (group >= arrayLength(&visits)) {
        if (lane == 0u) { atomicAdd(&beyond, 1u); }
        return;
    }
    atomicAdd(&visits[group], 1u);
    if (lane == WORKGROUP - 1u) { numbers[group] = 3u * group + 1u; }
}";

/// Each workgroup has its own number and runs once; those that only fill the last row lie beyond.
#[test]
fn every_workgroup_runs_once() {
    const THREADS: u32 = 32;
    for (form, device) in adapter::every_form() {
        for count in [1, 2, 255, 257, 32_767, 32_768, 32_769, 65_535, 65_536, 70_001] {
            let bench = Bench::new(frame(&device, THREADS), KERNEL);
            let bench = bench.output::<u32>("visits", count as usize).output::<u32>("numbers", count as usize);
            let mut answer = bench.output::<u32>("beyond", 1).run(&device, count);
            let what = format!("{form}, {count} workgroups");
            assert_equal(&vec![THREADS; count as usize], &answer.read::<u32>("visits"), &what);
            let numbers: Vec<u32> = (0..count).map(|group| 3 * group + 1).collect();
            assert_equal(&numbers, &answer.read::<u32>("numbers"), &what);
            // Several GPUs share out the workgroups that there are.
            if device.adapter().gpus == 1 {
                let [x, y] = Dispatch::fold(count);
                assert_eq!(answer.read::<u32>("beyond"), [x * y - count], "{what}");
            }
        }
    }
}

#[test]
fn a_fold_keeps_to_the_limit_of_a_dimension() {
    for count in [1, 2, 32_768, 32_769, 65_535, 65_536, 70_001, 1 << 30] {
        let [x, y] = Dispatch::fold(count);
        assert!(x <= 65_535 && y <= 65_535, "{count}: {x} x {y}");
        assert!((u64::from(count)..u64::from(count) + 32_768).contains(&(u64::from(x) * u64::from(y))), "{count}");
    }
    let fold = format!("const FOLD: u32 = {}u;", Dispatch::FOLD);
    assert!(kernels::text("lib/dispatch").is_some_and(|text| text.contains(&fold)));
}

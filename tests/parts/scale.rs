//! The bins of times.

use tickless::statistics::Scale;
use tickless::time::Time;

use crate::adapter;
use crate::lab::{Bench, assert_equal, frame, wides};

const KERNEL: &str = "
import package::lib::scale::{scale_bin};
import constants::{WORKGROUP};
import word64::{wide};

var<storage, read> times: array<vec2<u32>>;
var<uniform> scale: vec2<u32>;
var<storage, read_write> found: array<u32>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&times)) { return; }
    found[id] = scale_bin(wide(times[id].x, times[id].y), scale.x, scale.y);
}";

/// The edges of every bin and random times of every length.
fn times(scale: Scale) -> Vec<u64> {
    let edges = (0..scale.bins() as usize).flat_map(|bin| scale.bounds(bin)).map(Time::ticks);
    let mut times: Vec<u64> = edges.flat_map(|edge| [edge.saturating_sub(1), edge, edge + 1]).collect();
    let mut word = wides(7);
    times.extend((0..5000).map(|_| word() >> 1));
    times
}

#[test]
fn bins_are_those_of_rust() {
    for (form, device) in adapter::every_form() {
        for (typical, longest) in [(0, 40), (1, 62), (8, 62), (9, 50), (24, 44), (32, 62), (39, 62), (40, 62), (55, 62)]
        {
            let scale = Scale::new(Time::from_ticks(1 << typical), Time::from_ticks(1 << longest));
            let times = times(scale);
            let expected: Vec<u32> = times.iter().map(|time| scale.bin(*time) as u32).collect();
            let bench = Bench::new(frame(&device, 64), KERNEL)
                .input("times", &times)
                .uniform("scale", &[scale.shift(), scale.bins(), 0, 0])
                .output::<u32>("found", times.len());
            let found = bench.run(&device, times.len().div_ceil(64) as u32).read::<u32>("found");
            assert_equal(&expected, &found, &format!("{form}: {typical}, {longest}"));
        }
    }
}

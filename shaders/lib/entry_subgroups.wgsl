// lib/entry_subgroups: lib/entry_plain for adapters whose subgroups have one size.
// A lane is numbered by its place in its subgroup, so that a subgroup's prefix sum follows the order of the lanes.

import package::lib::dispatch::{workgroup_number};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import kernel::{run};
import word64::{Wide, wide, wide_high, wide_low};

var<private> subgroup: u32;
var<private> subgroups: u32;
var<private> leads: bool;
var<workgroup> reduce_words: array<u32, WORKGROUP>;
var<workgroup> reduce_wides: array<Wide, WORKGROUP>;
var<workgroup> reduce_all: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_invocation_id) place: u32,
) {
    subgroup = subgroup_id;
    subgroups = num_subgroups;
    leads = place == 0u;
    run(workgroup_number(group), subgroup_id * subgroup_size + place);
}

fn workgroup_minimum(lane: u32, value: Wide) -> Wide {
    // The least high word, then the least low word among the values with that high word.
    let high = subgroupMin(wide_high(value));
    let low = subgroupMin(select(0xffffffffu, wide_low(value), wide_high(value) == high));
    if (leads) { reduce_wides[subgroup] = wide(low, high); }
    workgroupBarrier();
    var least = reduce_wides[0];
    for (var s = 1u; s < subgroups; s += 1u) { least = wide_minimum(least, reduce_wides[s]); }
    workgroupBarrier();
    return least;
}

// The sum over the lanes before this one; `all` becomes the sum over all lanes, which is uniform.
fn workgroup_prefix(lane: u32, value: u32, all: ptr<function, u32>) -> u32 {
    var before = subgroupExclusiveAdd(value);
    let part = subgroupAdd(value);
    if (leads) { reduce_words[subgroup] = part; }
    workgroupBarrier();
    for (var s = 0u; s < subgroup; s += 1u) { before += reduce_words[s]; }
    if (lane == WORKGROUP - 1u) { reduce_all = before + value; }
    *all = workgroupUniformLoad(&reduce_all);
    return before;
}

// The sum over all lanes, which is uniform.
fn workgroup_sum(lane: u32, value: u32) -> u32 {
    let part = subgroupAdd(value);
    if (leads) { reduce_words[subgroup] = part; }
    workgroupBarrier();
    if (lane == 0u) {
        reduce_all = part;
        for (var s = 1u; s < subgroups; s += 1u) { reduce_all += reduce_words[s]; }
    }
    return workgroupUniformLoad(&reduce_all);
}

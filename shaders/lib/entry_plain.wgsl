// lib/entry_plain: the entry point of every kernel, and workgroup reductions in workgroup memory alone.
// A kernel defines `run(group, lane)`; every thread of the workgroup calls a reduction in uniform control flow.

import package::lib::dispatch::{workgroup_number};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import kernel::{run};
import word64::{Wide};

var<workgroup> reduce_words: array<u32, WORKGROUP>;
var<workgroup> reduce_wides: array<Wide, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    run(workgroup_number(group), lane);
}

fn workgroup_minimum(lane: u32, value: Wide) -> Wide {
    reduce_wides[lane] = value;
    workgroupBarrier();
    for (var stride = WORKGROUP / 2u; stride > 0u; stride /= 2u) {
        if (lane < stride) { reduce_wides[lane] = wide_minimum(reduce_wides[lane], reduce_wides[lane + stride]); }
        workgroupBarrier();
    }
    let least = reduce_wides[0];
    workgroupBarrier();
    return least;
}

// The sum over the lanes before this one; `all` becomes the sum over all lanes, which is uniform.
fn workgroup_prefix(lane: u32, value: u32, all: ptr<function, u32>) -> u32 {
    reduce_words[lane] = value;
    for (var stride = 1u; stride < WORKGROUP; stride *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if (lane >= stride) { before = reduce_words[lane - stride]; }
        workgroupBarrier();
        reduce_words[lane] += before;
    }
    let before = reduce_words[lane] - value;
    *all = workgroupUniformLoad(&reduce_words[WORKGROUP - 1u]);
    return before;
}

// The sum over all lanes, which is uniform.
fn workgroup_sum(lane: u32, value: u32) -> u32 {
    reduce_words[lane] = value;
    for (var stride = WORKGROUP / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if (lane < stride) { reduce_words[lane] += reduce_words[lane + stride]; }
    }
    return workgroupUniformLoad(&reduce_words[0]);
}

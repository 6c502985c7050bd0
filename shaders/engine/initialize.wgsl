// engine/initialize (once, after the model's own first kernels; one workgroup a block)
// What: reduces the event times of each block at time 0.
// Reads: next_event. Writes: summaries. Afterwards: summaries are right for the first round.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::summaries::{BLOCK, arrival_place, departure_place, extra_place, summaries};
import package::lib::time::{never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import workgroup::{workgroup_minimum};

fn run(block: u32, lane: u32) {
    let first = block * BLOCK;
    var earliest = never();
    for (var place = lane; place < BLOCK; place += WORKGROUP) {
        if (first + place < control.entities) { earliest = wide_minimum(earliest, next_event[first + place]); }
    }
    if (block == 0u) {
        for (var i = lane; i < control.extra_groups; i += WORKGROUP) { summaries[extra_place() + i] = never(); }
    }
    let least = workgroup_minimum(lane, earliest);
    if (lane == 0u && block < control.blocks) {
        summaries[departure_place(0u) + block] = least;
        summaries[arrival_place() + block] = never();
    }
}

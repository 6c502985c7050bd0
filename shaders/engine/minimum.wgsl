// engine/minimum (step 1): the earliest event of all, from the summaries of the last round.
// Reads: summaries.

import package::lib::control::{control};
import package::lib::summaries::{arrival_place, departure_place, extra_place, summaries};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import workgroup::{workgroup_minimum};

// The least event time of all blocks, the same in every lane of every workgroup.
fn earliest_event(lane: u32) -> Time {
    let departures = departure_place(control.finished);
    let arrivals = arrival_place();
    let blocks = control.blocks;
    var earliest = never();
    for (var i = lane; i < blocks; i += WORKGROUP) {
        earliest = wide_minimum(earliest, wide_minimum(summaries[departures + i], summaries[arrivals + i]));
    }
    let extra = extra_place();
    let groups = control.extra_groups;
    for (var i = lane; i < groups; i += WORKGROUP) { earliest = wide_minimum(earliest, summaries[extra + i]); }
    return workgroup_minimum(lane, earliest);
}

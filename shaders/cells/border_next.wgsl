// cells/border_next (in a cycle that all ranks are in, after cells/arrival; one workgroup)
// What: finds the earliest event, and that of the cells that other ranks hear.
// Reads: border, fronts, plans. Writes: control.

import package::cells::border::{border, heard_cells};
import package::cells::cell::{plans};
import package::cells::fronts::{group_place, time_in};
import package::cells::groups::{groups_in_all};
import package::lib::control::{control};
import package::lib::time::{never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import workgroup::{workgroup_minimum};

fn run(group: u32, lane: u32) {
    var next = never();
    for (var n = lane; n < groups_in_all(); n += WORKGROUP) { next = wide_minimum(next, time_in(group_place(n))); }
    var heard = never();
    for (var n = lane; n < heard_cells(); n += WORKGROUP) { heard = wide_minimum(heard, plans[border[n + 1u]]); }
    next = workgroup_minimum(lane, next);
    heard = workgroup_minimum(lane, heard);
    if (lane == 0u) {
        control.model.next = next;
        control.model.heard = heard;
    }
}

// cells/first_groups (once, after cells/first_blocks; one thread a group)
// Writes: fronts. Afterwards: the least times of groups are right.

import package::cells::fronts::{block_place, group_place, put_time, time_in};
import package::cells::groups::{block_of, blocks_of, groups_in_all};
import package::lib::time::{never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};

fn run(group: u32, lane: u32) {
    let own = group * WORKGROUP + lane;
    if (own >= groups_in_all()) { return; }
    var least = never();
    let count = blocks_of(own);
    for (var n = 0u; n < count; n += 1u) { least = wide_minimum(least, time_in(block_place(block_of(own, n)))); }
    put_time(group_place(own), least);
}

// cells/fronts: what is known of whole blocks and groups, so that a round passes over quiet cells.

import package::cells::groups::{block_of, blocks_of, groups_in_all};
import package::cells::space::{space};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};
import workgroup::{workgroup_minimum};

// Least times of groups, least times of blocks, bounds of replications (two words each); then for each block a word whether a
// cell of it is busy in this round, and a word whether marks are left in it.
var<storage, read_write> fronts: array<atomic<u32>>;

fn blocks_in_all() -> u32 { return space.blocks * space.replications; }
fn group_place(group: u32) -> u32 { return 2u * group; }
fn block_place(block: u32) -> u32 { return 2u * (groups_in_all() + block); }
fn bound_place(own: u32) -> u32 { return 2u * (groups_in_all() + blocks_in_all() + own); }
fn busy_place(block: u32) -> u32 { return bound_place(space.replications) + 2u * block; }
fn marked_place(block: u32) -> u32 { return busy_place(block) + 1u; }

fn time_in(place: u32) -> Time { return wide(atomicLoad(&fronts[place]), atomicLoad(&fronts[place + 1u])); }

fn put_time(place: u32, time: Time) {
    atomicStore(&fronts[place], wide_low(time));
    atomicStore(&fronts[place + 1u], wide_high(time));
}

// The least time of the blocks of a group, the same in every lane.
fn least_of(group: u32, lane: u32) -> Time {
    var least = never();
    let count = blocks_of(group);
    for (var n = lane; n < count; n += WORKGROUP) {
        least = wide_minimum(least, time_in(block_place(block_of(group, n))));
    }
    return workgroup_minimum(lane, least);
}

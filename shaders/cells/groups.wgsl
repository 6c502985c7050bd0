// cells/groups: a group is the blocks of a workgroup: every space.groups-th of its replication.

import package::cells::space::{space};

fn groups_in_all() -> u32 { return space.groups * space.replications; }

// Blocks of a group, and the n-th of them.
fn blocks_of(group: u32) -> u32 {
    if (group >= groups_in_all()) { return 0u; }
    return (space.blocks - group % space.groups + space.groups - 1u) / space.groups;
}

fn block_of(group: u32, n: u32) -> u32 {
    return group / space.groups * space.blocks + group % space.groups + n * space.groups;
}

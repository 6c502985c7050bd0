// cells/groups: a group is the blocks of a workgroup. A replication is cut into space.parts parts, one behind the other; so
// are the groups. A group is every n-th block of its part, where n is the number of groups of the part.

import package::cells::space::{space};

fn groups_in_all() -> u32 { return space.groups * space.replications; }

fn groups_each() -> u32 { return space.groups / space.parts; }
// The first block of the group's part; with `behind` 1 the first block behind the part.
fn part_begin(group: u32, behind: u32) -> u32 {
    let part = group % space.groups / groups_each() + behind;
    return part * (space.blocks / space.parts) + min(part, space.blocks % space.parts);
}

// The number of blocks of a group; below, its n-th block.
fn blocks_of(group: u32) -> u32 {
    let each = groups_each();
    let blocks = (part_begin(group, 1u) - part_begin(group, 0u) - group % each + each - 1u) / each;
    return select(blocks, 0u, group >= groups_in_all());
}

fn block_of(group: u32, n: u32) -> u32 {
    let each = groups_each();
    return group / space.groups * space.blocks + part_begin(group, 0u) + group % each + n * each;
}

// cells/groups: a group is the blocks of a workgroup. A replication is cut into space.parts parts, one behind the other, whose
// groups lie one behind the other, too: a group is every n-th block of its part, n being the groups of the part.

import package::cells::space::{space};

fn groups_in_all() -> u32 { return space.groups * space.replications; }

fn groups_each() -> u32 { return space.groups / space.parts; }
// Of the group's part: its first block, or the first behind it.
fn part_begin(group: u32, behind: u32) -> u32 {
    let part = group % space.groups / groups_each() + behind;
    return part * (space.blocks / space.parts) + min(part, space.blocks % space.parts);
}

// Blocks of a group, and the n-th of them.
fn blocks_of(group: u32) -> u32 {
    let each = groups_each();
    let blocks = (part_begin(group, 1u) - part_begin(group, 0u) - group % each + each - 1u) / each;
    return select(blocks, 0u, group >= groups_in_all());
}

fn block_of(group: u32, n: u32) -> u32 {
    let each = groups_each();
    return group / space.groups * space.blocks + part_begin(group, 0u) + group % each + n * each;
}

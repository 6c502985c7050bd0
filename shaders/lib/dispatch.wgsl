// lib/dispatch: workgroups beyond what one dimension allows fold to rows of FOLD.

const FOLD: u32 = 32768u;

fn workgroup_number(id: vec3<u32>) -> u32 { return id.y * FOLD + id.x; }

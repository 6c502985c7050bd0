// lib/dispatch: workgroups beyond the limit of one dimension fold into rows of FOLD.

const FOLD: u32 = 32768u;

fn workgroup_number(id: vec3<u32>) -> u32 { return id.y * FOLD + id.x; }

// pathfinding/open_cells: how many open cells the search of a workgroup has. All lanes have the same numbers.

struct OpenCells {
    near: u32,            // the first cells, in order: every lane can look at them
    middle: u32,          // the cells behind the near ones
    far: u32,             // all other cells, behind the near and the middle ones
}

fn all_of(open: OpenCells) -> u32 { return open.near + open.middle + open.far; }
fn has_more(open: OpenCells) -> bool { return open.middle + open.far != 0u; }

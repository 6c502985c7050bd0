// pathfinding/open_cells: how many open cells the search of a workgroup has. All lanes know it.

struct OpenCells {
    near: u32,            // the first of them, in order: every lane can look at those
    middle: u32,          // those behind them
    far: u32,             // the others, all of them behind the near and the middle ones
}

fn all_of(open: OpenCells) -> u32 { return open.near + open.middle + open.far; }
fn has_more(open: OpenCells) -> bool { return open.middle + open.far != 0u; }

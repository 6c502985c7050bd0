// cells/border: what a rank hears of other ranks' cells, and tells them of its own.

var<storage, read> border: array<u32>;        // how many own cells others hear, and their slots
var<storage, read_write> exports: array<u32>; // of each of them, what the host reads
var<storage, read> imports: array<u32>;       // how many cells of others there is something to hear of; a time; of each its slot and words

fn heard_cells() -> u32 { return border[0]; }
fn imported_cells() -> u32 { return imports[0]; }

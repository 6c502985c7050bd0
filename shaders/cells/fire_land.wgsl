// cells/fire_land: what a device has of the landscape and the weather. Twin of src/cells/fire/model.rs.

struct Fire {
    cells: u32,
    rows: u32,
    // 1 where every replication has one row of the weather throughout.
    drawn: u32,
    unused: u32,
}

// For every row of the weather and every cell, the delays from its eight neighbours in units of 2^-20 minutes.
@group(0) @binding(11) var<storage, read> fire_delays: array<u32>;
@group(0) @binding(12) var<uniform> fire: Fire;
// The row of every replication, or when each row begins (low word, high word).
@group(0) @binding(13) var<storage, read> fire_rows: array<u32>;

const FIRE_NO_WAY: u32 = 0xffffffffu;

// multiclass/near: records that lie in the memory of the workgroup while events are executed: those of sources, stations, accounts, sinks and
// events, where all of them are few. A row that has been written is fetched from the last cache when it is read again, as the first
// caches of GPUs do not keep what is written; here it is near.
//
// Near records of the replications of a workgroup lie in the same order as those of all replications in replication_state. The number of a
// near row has the bit NEAR: so the same functions read and write a row wherever it lies.

import constants::{EACH, HAS_NEAR, NEAR_ROWS};

const NEAR: u32 = 0x80000000u;
// The bits of a number of a near row: a compiler sees that NEAR is left as it is when a little is added.
const NEAR_NUMBER: u32 = 0xffffu;

var<workgroup> near_rows: array<vec4<u32>, NEAR_ROWS * EACH>;
// The number of this thread among those of its workgroup that have a replication.
var<private> own_lane: u32;

// The first row of a record of `rows` rows, the first of which is at the beginning of its kind.
fn near_record_at(begin: u32, number: u32, rows: u32) -> u32 {
    return NEAR | ((begin + (number * EACH + own_lane) * rows) & NEAR_NUMBER);
}

// The same row; a compiler that has not seen where the number comes from now knows that the row is near.
fn as_near(row: u32) -> u32 { return select(row, NEAR | (row & NEAR_NUMBER), HAS_NEAR); }

fn is_near(row: u32) -> bool { return HAS_NEAR && row >= NEAR; }

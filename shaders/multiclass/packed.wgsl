// multiclass/packed: a token in one row, where networks are lean, nobody loses patience, times have 48 bits, and classes 7.
//
// A list of such tokens ends in a place without a token. The token that joins it is written there, and its own place is behind the list from
// then on: so no other row is touched.

import package::lib::time::{never};
import package::multiclass::parameters::{NONE};
import package::multiclass::rows::{far_row_at, set_far_row};
import package::multiclass::tokens::{CLASS, COUNTED, Links, Times, token_at};
import word64::{wide, wide_high, wide_low};

// The lower words of when it came to its station and from a source; the upper 16 bits of the first and of the second; its class, whether its
// arrival is counted, and in 24 bits the token behind it.
struct Packed {
    arrived: u32,
    upper: u32,
    entered: u32,
    links: u32,
}

const COUNTED_HERE: u32 = 0x80u;
// Behind the last free place.
const LAST: u32 = 0xffffffu;
// The upper bits of a token of time 0, which has not come from a source.
const NEVER: u32 = 0xffffu;

fn packed_token(token: u32) -> Packed {
    let row = far_row_at(token_at(token));
    return Packed(row.x, row.y, row.z, row.w);
}

fn packed_links(row: Packed) -> Links {
    let class_of = row.links & (COUNTED_HERE - 1u);
    let behind = row.links >> 8u;
    let about = class_of | select(0u, COUNTED, (row.links & COUNTED_HERE) != 0u);
    return Links(NONE, select(behind, NONE, behind == LAST), about, NONE);
}

fn packed_times(row: Packed) -> Times {
    let upper = row.upper >> 16u;
    var entered = wide(row.entered, upper);
    if (upper == NEVER) { entered = never(); }
    return Times(wide(row.arrived, row.upper & 0xffffu), entered);
}

// Writes all that is known of a token.
fn set_packed(token: u32, links: Links, times: Times) {
    let about = (links.about & CLASS) | select(0u, COUNTED_HERE, (links.about & COUNTED) != 0u);
    // The upper bits of never are NEVER, too.
    let upper = (wide_high(times.arrived) & 0xffffu) | (min(wide_high(times.entered), NEVER) << 16u);
    set_packed_row(token, Packed(wide_low(times.arrived), upper, wide_low(times.entered), (links.behind << 8u) | about));
}

fn set_packed_row(token: u32, row: Packed) {
    set_far_row(token_at(token), vec4<u32>(row.arrived, row.upper, row.entered, row.links));
}

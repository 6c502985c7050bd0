// cells/fire: a cell burns once; the neighbour whose front reaches it first ignites it. Its state is the time of
// ignition (low word, high word), all ones before it burns. Twin of src/fire/model.rs.

import package::cells::cell::{neighbour_arrives, now, planned, set_state_word, state_word};
import package::cells::fire_land::{FIRE_NO_WAY, fire, fire_delays, fire_row_at};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import word64::{wide, wide_add, wide_high, wide_low};

fn cell_output(cell: u32) -> bool { return true; }

fn cell_transition(cell: u32, imminent: bool) -> Time {
    if (imminent) {
        set_state_word(cell, 0u, wide_low(now));
        set_state_word(cell, 1u, wide_high(now));
        return never();
    }
    // A high word of ones is no time of a run: the cell does not burn yet.
    if (state_word(cell, 1u) != 0xffffffffu) { return planned; }
    let first = (fire_row_at(now) * fire.cells + cell_id) * 8u;
    var next = planned;
    for (var n = 0u; n < 8u; n++) {
        if (!neighbour_arrives(n)) { continue; }
        let delay = fire_delays[first + n];
        if (delay != FIRE_NO_WAY) {
            next = wide_minimum(next, wide_add(now, wide(delay << 12u, delay >> 20u)));
        }
    }
    return next;
}

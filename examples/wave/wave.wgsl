// wave: cells that fire a while after a neighbour has, and are deaf for a while after that. The word of a state is 0 for a
// cell that is ready, 1 for one that will fire, 2 for one that rests.

import package::cells::cell::{neighbour_arrives, now, planned, set_state_word, state_word};
import package::lib::time::{Time, never};
import constants::{NEIGHBOURS};
import word64::{wide, wide_add};

var<uniform> wave: vec4<u32>; // delay and rest, low word first

fn cell_output(cell: u32) -> bool {
    return state_word(cell, 0u) == 1u;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var state = state_word(cell, 0u);
    if (imminent) {
        if (state == 1u) {
            set_state_word(cell, 0u, 2u);
            return wide_add(now, wide(wave.z, wave.w));
        }
        state = 0u;
    }
    var heard = false;
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        if (neighbour_arrives(n)) { heard = true; }
    }
    if (state == 0u && heard) {
        set_state_word(cell, 0u, 1u);
        return wide_add(now, wide(wave.x, wave.y));
    }
    set_state_word(cell, 0u, state);
    if (imminent) { return never(); }
    return planned;
}

// cells/passage_border (over ranks, between rounds; a thread a cell that other ranks hear, and one of theirs whose time has changed)
// Reads: border, imports, plans. Writes: exports, plans, flags, control, and of fronts changes.
// Afterwards: the host can read the times of the first; of the others there are new ones, and what hears them is flagged for the
//             next round.

import package::cells::border::{border, exports, heard_cells, imported_cells, imports};
import package::cells::cell::{plans};
import package::cells::passage::{flag, flag_hearers, set_pending, urgency};
import package::cells::space::{BLOCK_CELLS, enter};
import package::lib::control::{control};
import constants::{WORKGROUP};
import relaxation::{changed};
import word64::{wide, wide_high, wide_low};

fn run(group: u32, lane: u32) {
    let number = group * WORKGROUP + lane;
    if (number < heard_cells()) {
        let time = plans[border[number + 1u]];
        exports[2u * number] = wide_low(time);
        exports[2u * number + 1u] = wide_high(time);
    }
    if (number < imported_cells()) { take_in(3u + 3u * number); }
}

// What stands at a place of the imports.
fn take_in(place: u32) {
    let slot = imports[place];
    let time = wide(imports[place + 1u], imports[place + 2u]);
    let parity = (control.finished + 1u) & 1u;
    plans[slot] = time;
    changed(slot);
    _ = enter(slot);
    flag(parity, slot / BLOCK_CELLS, urgency(time));
    flag_hearers(parity, slot / BLOCK_CELLS, urgency(time));
    set_pending(parity, 1u);
}

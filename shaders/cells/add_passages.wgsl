// cells/add_passages (once, when all times are final; a thread adds up cells of one replication)
// What: adds up the figures of first passages that need no time of a single cell.
// Reads: plans. Writes: results, words 0 to 7.
// Afterwards: words 0 to 7 hold the sums of the digest (4); the cells that the passage has reached before the limit, and in
//             the high half those of them at the border; the sides and the corners of these cells beyond which lies no
//             reached cell; the last time.

import package::cells::cell::{plans};
import package::cells::space::{BLOCK_CELLS, NOWHERE, cell_id, enter, replication, slot_at, space};
import package::lib::control::{control};
import package::lib::results::{give, give_lanes};
import package::lib::sums::{CELL, Lanes, add_lanes, no_lanes, record_of, sums_of, with_word};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum};
import constants::{RESULT_THREADS, WORKGROUP};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_product};

// The cell that was entered: its number, the two words of its state and the time of its next event.
fn record(time: Time, is_reached: bool) -> Lanes {
    let cells = u32(space.size.x * space.size.y * space.size.z);
    let number = wide_add(wide_product(replication, cells), wide(cell_id, 0u));
    var state = never();
    var next = time;
    if (is_reached) {
        state = time;
        next = never();
    }
    let words = with_word(with_word(record_of(CELL), number), wide(wide_low(state), 0u));
    return sums_of(with_word(with_word(words, wide(wide_high(state), 0u)), next));
}

// The sides and corners of the entered cell beyond which lies no reached cell, and whether it is at the border.
fn open_sides() -> vec3<u32> {
    var open = vec3<u32>();
    for (var n = 0; n < 9; n += 1) {
        let offset = vec3<i32>(n % 3 - 1, n / 3 - 1, 0);
        if (n == 4) { continue; }
        let other = slot_at(offset);
        var is_open = other == NOWHERE;
        if (is_open) { open.z = 1u; }
        if (!is_open) { is_open = !wide_less(plans[other], control.limit); }
        let is_side = offset.x == 0 || offset.y == 0;
        open += select(vec3<u32>(), select(vec3<u32>(0u, 1u, 0u), vec3<u32>(1u, 0u, 0u), is_side), is_open);
    }
    return open;
}

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    let share = RESULT_THREADS / space.replications;
    let slots = space.blocks * BLOCK_CELLS;
    let own = thread / share;
    var sums = no_lanes();
    var reached = 0u;
    var open = vec3<u32>();
    var last = wide(0u, 0u);
    let end = select(0u, slots, own < space.replications);
    for (var place = thread % share; place < end; place += share) {
        let slot = own * slots + place;
        if (!enter(slot)) { continue; }
        let time = plans[slot];
        let is_reached = wide_less(time, control.limit);
        sums = add_lanes(sums, record(time, is_reached));
        if (is_reached) {
            reached += 1u;
            open += open_sides();
            last = wide_maximum(last, time);
        }
    }
    give_lanes(thread, 0u, sums);
    give(thread, 4u, wide(reached, open.z));
    give(thread, 5u, wide(open.x, 0u));
    give(thread, 6u, wide(open.y, 0u));
    give(thread, 7u, last);
}

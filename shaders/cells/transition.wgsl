// cells/transition: what happens to a cell in a round.
// Reads: control, plans, cells. Writes: control, plans, cells.

import package::cells::cell::{
    FAULT_LOOKAHEAD, FAULT_PAST, HEARD_WORDS, MARK, SENDING, SENT_AT, elapsed, heard, now, planned, plans, time_of,
    word_of,
};
import package::cells::space::{NOWHERE, cell_id, neighbour_slot, space};
import package::lib::control::{control};
import package::lib::wide::{wide_differs};
import constants::{NEIGHBOURS};
import elapsed_time::{since_last};
import faults::{raise};
import model::{cell_transition};
import word64::{wide_add, wide_less};

// Whether the cell has an event in this round, and when. All outputs that it hears were sent at one time.
fn is_concerned(slot: u32) -> bool {
    var source = NOWHERE;
    for (var word = 0u; word < HEARD_WORDS; word += 1u) { heard[word] = 0u; }
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        let other = neighbour_slot(n);
        let sends = other != NOWHERE && word_of(min(other, space.slots - 1u), MARK) == SENDING;
        heard[n / 32u] |= select(0u, 1u << (n % 32u), sends);
        source = select(source, other, sends);
    }
    let imminent = word_of(slot, MARK) != 0u;
    now = planned;
    if (!imminent && source != NOWHERE) { now = time_of(source, SENT_AT); }
    return imminent || source != NOWHERE;
}

fn change(slot: u32) {
    let imminent = word_of(slot, MARK) != 0u;
    elapsed = since_last(slot);
    let next = cell_transition(slot, imminent);
    if (wide_less(next, now)) { raise(FAULT_PAST, cell_id); }
    if (!imminent && wide_differs(next, planned) && wide_less(next, wide_add(now, control.lookahead))) {
        raise(FAULT_LOOKAHEAD, cell_id);
    }
    if (wide_differs(next, planned)) { plans[slot] = next; }
    planned = next;
}

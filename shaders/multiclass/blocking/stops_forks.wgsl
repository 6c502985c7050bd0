// multiclass/blocking/stops_forks: a token that has waited in its server goes on where tokens split. A token that leaves may have siblings
// that go on alone elsewhere, so that two stations let in blocked tokens: the second station when the first has let in all.
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::multiclass::blocking::feeding::{is_fed};
import package::multiclass::blocking::holding::{blocks};
import package::multiclass::blocking::release::{admits, admits_then, finds_released, is_admitting, last_released, next_admits};
import package::multiclass::blocking::stops::{goes_on_next, roomy, served_again, stops_next};
import package::multiclass::parameters::{NONE};
import package::multiclass::rows::{front_at};
import package::multiclass::tokens::{token_at};

fn has_room_now(id: u32) { roomy = select(0u, 1u + id, is_fed(id)); }

// Whether the next turn is the second station's.
fn is_next_roomy() -> bool {
    if (!is_admitting || admits_then == 0u || (blocks(admits) && finds_released())) { return false; }
    if (last_released == NONE) {
        next_admits();
        has_room_now(admits);
    } else {
        let link = front_at(token_at(last_released));
        admits = link.x;
        last_released = link.y;
    }
    return true;
}

fn stop_or_go_on() -> bool {
    served_again = NONE;
    if (stops_next()) { return true; }
    loop {
        if (goes_on_next()) { return true; }
        if (!is_next_roomy()) { return false; }
    }
    return false;
}

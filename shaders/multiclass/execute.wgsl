// multiclass/execute: one event of a replication, and all that follows from it at once.
// Reads and writes: replication_state.

import constants::{HAS_FIRST_TOKENS, HAS_IMPATIENCE};
import batches::{has_room, next_of_batch};
import steps::{notes_event};
import server_schedule::{change, end_change, follower, is_change};
import exchanges::{exchange_next};
import forks::{go_on_alone, has_room_to_fork};
import full::{is_suspected, looks_again, release_next, suspects_next};
import grants::{grants_next, standing};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, FIRST_TOKENS, PATIENCE, PHASE, close_hole, due, hole};
import package::multiclass::routes::moves::{comer, comes_to, ends_way, leaver, travel};
import package::multiclass::sources::sources::{place_first, send};
import package::multiclass::state::{happened, mine, set_now};
import package::multiclass::stations::arrivals::{arrive};
import package::multiclass::stations::interruptions::{paused};
import package::multiclass::stations::station::{close_station, open_station};
import package::multiclass::stations::turns::{pause_and_serve};
import package::multiclass::stations::visits::{depart, renege};
import rooms::{stop_or_go_on};
import stops::{goes_on_served};
import units::{granted};

// Executes the event in a place. False: there is no room for a new token.
fn execute(place: u32) -> bool {
    let event = due;
    if ((event.token == NONE && !has_room(place)) || !has_room_to_fork()) { return false; }
    let phase = event.what & PHASE;
    let is_first = HAS_FIRST_TOKENS && phase == FIRST_TOKENS;
    set_now(mine.next);
    notes_event();
    hole = select(place, NONE, place < plan.fixed);
    comer = NONE;
    leaver = NONE;
    paused = NONE;
    var is_open = false;
    var served = NONE;
    if (phase == DEPARTURE || (HAS_IMPATIENCE && phase == PATIENCE)) {
        open_station(event.what & ~PHASE);
        is_open = true;
        happened += 1u;
        if (!HAS_IMPATIENCE || phase == DEPARTURE) { served = depart(event.token); } else { renege(event.token); }
    } else if (is_change(place)) {
        open_station(event.what & ~PHASE);
        is_open = true;
        happened += 1u;
        change(place, event);
        looks_again();
    } else if (event.token != NONE) {
        ends_way(event.token);
    } else if (is_first) {
        place_first();
    } else {
        send((event.what & ~PHASE) - plan.stations);
    }
    loop {
        if (is_open) {
            if (leaver != NONE) { travel(); }
            pause_and_serve(served);
            end_change();
            close_station();
        }
        go_on_alone();
        // In the order of the heap: services stop or go on, then blocked tokens go, then circles exchange; then the next token of a batch
        // comes. Behind all that units are granted, and stations are looked at for deadlock.
        if (comer == NONE && stop_or_go_on()) {
            is_open = true;
            served = goes_on_served();
        } else if (comer == NONE && (release_next() || exchange_next())) {
            is_open = true;
            served = follower();
        } else if (comer != NONE || next_of_batch()) {
            is_open = comes_to < plan.stations;
            served = arrive(is_first);
        } else {
            let is_suspect = is_suspected();
            is_open = !is_suspect && grants_next();
            served = granted();
            if (!is_open && !is_suspect && suspects_next()) { continue; }
            if (!is_open && mine.stuck == 0u) { mine.stuck = 1u + standing(is_suspect); }
            if (!is_open && (!is_suspect || mine.stuck != 0u)) { break; }
        }
    }
    close_hole();
    return true;
}

// multiclass/advance (part 1 of a round; a thread a replication)
// What: every thread executes the events of its replication in their order, up to so many in a dispatch or to the limit.
// Reads: control, parameters, structure. Writes: control; held, of this thread's replication only.
// Afterwards: the status says how many replications have events before the limit. Where one has no place for a token that a source sends,
//             control.room is 1 and that event has not happened.

import batches::{has_room, next_of_batch};
import constants::{EACH, EVENTS};
import duty::{change, end_change, follower, is_change};
import forks::{go_on_alone, has_room_to_fork};
import full::{is_suspected, release_next};
import package::lib::control::{control};
import package::lib::time::{never};
import package::multiclass::arrivals::{arrive};
import package::multiclass::moves::{comer, comes_to, ends_way, leaver, travel};
import package::multiclass::parameters::{NONE, plan, take_up_plan};
import package::multiclass::pending::{DEPARTURE, FIRST_TOKENS, PATIENCE, PHASE, close_hole, due, find_next, hole};
import package::multiclass::service::{paused};
import package::multiclass::sources::{place_first, send};
import package::multiclass::state::{close_replication, happened, mine, open_replication, set_now};
import package::multiclass::station::{close_station, open_station};
import package::multiclass::turns::{pause_and_serve};
import package::multiclass::visits::{depart, renege};
import units::{granted, grants_next, standing};
import word64::{wide, wide_high, wide_less, wide_low};
import workgroup::{workgroup_minimum, workgroup_sum};
// Executes the event in a place. False: there is no room for it.
fn execute(place: u32) -> bool {
    let event = due;
    if ((event.y == NONE && !has_room(place)) || !has_room_to_fork()) { return false; }
    let phase = event.x & PHASE;
    set_now(mine.next);
    hole = select(place, NONE, place < plan.fixed);
    comer = NONE;
    leaver = NONE;
    paused = NONE;
    var is_open = false;
    var served = NONE;
    if (phase == DEPARTURE || phase == PATIENCE) {
        open_station(event.x & ~PHASE);
        is_open = true;
        happened += 1u;
        if (phase == DEPARTURE) { served = depart(event.y); } else { renege(event.y); }
    } else if (is_change(place)) {
        open_station(event.x & ~PHASE);
        is_open = true;
        happened += 1u;
        change(place, event);
    } else if (event.y != NONE) {
        ends_way(event.y);
    } else if (phase == FIRST_TOKENS) {
        place_first();
    } else {
        send((event.x & ~PHASE) - plan.stations);
    }
    loop {
        if (is_open) {
            if (leaver != NONE) { travel(); }
            pause_and_serve(served);
            end_change();
            close_station();
        }
        go_on_alone();
        if (comer == NONE && release_next()) {
            is_open = true;
            served = follower();
        } else if (comer != NONE || next_of_batch()) {
            is_open = comes_to < plan.stations;
            served = arrive(phase == FIRST_TOKENS);
        } else {
            let is_suspect = is_suspected();
            is_open = !is_suspect && grants_next();
            served = granted();
            if (!is_open && mine.stuck == 0u) { mine.stuck = 1u + standing(is_suspect); }
            if (!is_open && (!is_suspect || mine.stuck != 0u)) { break; }
        }
    }
    close_hole();
    return true;
}

// Executes events before the limit. Nothing happens before mine.next then.
fn advance() {
    let most = control.turns * EVENTS;
    for (var done = 0u; done < most; done += 1u) {
        let place = find_next();
        if (!wide_less(mine.next, control.limit)) { return; }
        if (!execute(place)) {
            atomicMax(&control.room, 1u);
            return;
        }
        if (mine.stuck != 0u) {
            mine.balked_at = mine.now;
            mine.next = never();
            return;
        }
    }
}

fn run(group: u32, lane: u32) {
    take_up_plan();
    // Threads that take different ways wait for each other: of few replications a workgroup has few.
    let thread = group * EACH + lane;
    happened = 0u;
    var left = 0u;
    var latest = 0u;
    var next = never();
    let is_stopped = atomicLoad(&control.room) != 0u || atomicLoad(&control.fault) != 0u;
    if (lane < EACH && thread < plan.replications) {
        open_replication(thread);
        // Before the run there is no limit.
        if (!is_stopped && wide_less(mine.next, control.limit)) {
            advance();
            close_replication();
            latest = wide_high(mine.now);
        }
        left = select(0u, 1u, wide_less(mine.next, control.limit));
        next = mine.next;
    }
    let all_left = workgroup_sum(lane, left);
    let all_happened = workgroup_sum(lane, happened);
    let earliest = workgroup_minimum(lane, next);
    let not_latest = workgroup_minimum(lane, wide(0xffffffffu - latest, 0u));
    if (lane == 0u) {
        atomicAdd(&control.selected, all_happened);
        atomicAdd(&control.model.left, all_left);
        atomicMin(&control.model.earliest, wide_high(earliest));
        atomicMax(&control.model.latest, 0xffffffffu - wide_low(not_latest));
    }
}

// multiclass/blocking/stopped_by_clock: services that stop may go by the clock of their station, where only the first token has an event.
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{Time};
import package::multiclass::blocking::feeding::{Feeder, has_room_for, is_earlier, is_feeder};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{take_event};
import package::multiclass::sharing::paced_clock::{first_in_clock};
import package::multiclass::state::{mine};
import package::multiclass::tokens::{links_of};
import shares::{has_clock, part};
import word64::{wide_sub};

fn served_first(goal: u32, with_event: Feeder) -> Feeder {
    for (var at = 0u; at <= with_event.station && at < plan.stations; at += 1u) {
        var found = NONE;
        for (var token = first_in_clock(at); token != NONE; token = links_of(token).behind) {
            if (!is_feeder(token, at, goal) || has_room_for(token, at)) { continue; }
            if (found == NONE || is_earlier(token, found, at)) { found = token; }
        }
        if (found != NONE) { return Feeder(found, at); }
    }
    return with_event;
}

fn left_of(token: u32) -> Time {
    if (has_clock()) { return part(token); }
    return wide_sub(take_event(token), mine.now);
}

// queueing/tile_list: the tokens on their way to a station, in the contract's order: two in registers, the others in
// memory.

import package::lib::time::{Time, never};
import package::queueing::tile_station::{Now};
import package::queueing::token_links::{arrival_of, goes_first, inserted, link_of, set_link};

fn look_up(now: ptr<function, Now>) {
    let second = (*now).second;
    (*now).after = never();
    (*now).rest = 0u;
    if (second == 0u) { return; }
    (*now).after = arrival_of(second - 1u);
    (*now).rest = link_of(second - 1u);
}

// Removes the first token.
fn move_up(now: ptr<function, Now>) {
    (*now).first = (*now).second;
    (*now).head = (*now).after;
    (*now).second = (*now).rest;
    look_up(now);
}

fn join(now: ptr<function, Now>, token: u32, time: Time) {
    let first = (*now).first;
    let second = (*now).second;
    let leads = first == 0u || goes_first(token, time, first - 1u, (*now).head);
    if (!leads && second != 0u && !goes_first(token, time, second - 1u, (*now).after)) {
        (*now).rest = inserted(token, time, (*now).rest);
        (*now).linked = 0u;
        return;
    }
    if (second != 0u) {
        set_link(second - 1u, (*now).rest);
        (*now).rest = second;
    }
    (*now).linked = 0u;
    if (leads) {
        (*now).second = first;
        (*now).after = (*now).head;
        (*now).first = token + 1u;
        (*now).head = time;
    } else {
        (*now).second = token + 1u;
        (*now).after = time;
    }
}

// queueing/turn: how a station decides visits in a round of appointments.
// Reads and writes: links, tokens, next_event, and what visits write.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import package::queueing::appoint_round::{OTHER, pending};
import package::queueing::appointments::{Others, with_one};
import package::queueing::comes_from::{comes_from};
import package::queueing::links::{push, set_link};
import package::queueing::records::{NONE, Station};
import package::queueing::station::{store_visit};
import package::queueing::visit::{serve};
import answers::{admitted, ask, may_come};
import edges::{Around, inbox_of, target_of};
import exits::{account_exit};
import topology::{Site};
import word64::{wide_less};

// The work of a station in a round.
struct Turn {
    next: Others,         // bounds on arrivals still to come
    fresh: u32,           // a list of entities for its own list
    gone: u32,            // ... and of tokens that leave the network
    full: bool,           // there is no slot for a new token
}

// Whether the list has a first entity that no arrival can precede any more, and it comes within this phase of the run.
fn may_be_decided(list: u32, next: Others, earliest: Time) -> bool {
    if (list == 0u) { return false; }
    let entity = list - 1u;
    let time = next_event[entity];
    if (!wide_less(time, control.limit) || !may_come(entity, time, earliest)) { return false; }
    if (wide_differs(time, next.time)) { return wide_less(time, next.time); }
    // Later entities of a station have later numbers.
    return comes_from(entity) <= next.source;
}

// Decides the visit of the first entity, which is no longer in the list.
fn decide(site: Site, here: Around, station: ptr<function, Station>, entity: u32, turn: ptr<function, Turn>) {
    let time = next_event[entity];
    let token = admitted(entity, time, turn);
    if (token == NONE) { return; }
    let visit = serve(site, station, time);
    account_exit(token, site, visit);
    store_visit(token, site.id, time, visit);
    next_event[token] = visit.arrival;
    if (!wide_less(visit.arrival, never())) { return; }
    let target_station = target_of(here, visit.edge);
    if (target_station == NONE) {
        set_link(token, (*turn).gone);
        (*turn).gone = token + 1u;
        return;
    }
    if (target_station == site.id) {
        come_again(token, turn);
    } else {
        pending = wide_minimum(pending, visit.arrival);
        push(inbox_of(OTHER, target_station), token);
        // The target's published times do not have its answer.
        (*turn).next = with_one((*turn).next, ask(here, visit.edge, visit.arrival), target_station);
    }
}

fn come_again(entity: u32, turn: ptr<function, Turn>) {
    set_link(entity, (*turn).fresh);
    (*turn).fresh = entity + 1u;
}

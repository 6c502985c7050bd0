// queueing/network_turn: decisions by appointments that only networks have: sources, and tokens that leave.
// Reads and writes: annex, links, tokens, next_event.

import package::engine::schedule::{next_event};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::stream::{entity_increment};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import package::queueing::appoint_round::{OTHER};
import package::queueing::exact::{next_token};
import package::queueing::later::{later};
import package::queueing::links::{link_of, push};
import package::queueing::network::{law_at, stream_key};
import package::queueing::network_appointments::{Around, appointed, gone_place, span_of};
import package::queueing::origin::{load_origin, store_origin};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::pool::{reserve};
import package::queueing::records::{NONE, is_source, links, parameters, tokens};
import package::queueing::skew_heap::{alone, left_of, merged, right_of};
import package::queueing::turn::{Turn, come_again};
import constants::{PARITY};
import word64::{wide, wide_add, wide_less};

var<private> first_asked: Time;     // when the first token sent to the source of an entry in the last round arrives

// A lower bound on the arrival, by an entry, of an answer to what was sent to its source in the last round. That time
// is reset here, at the first entry of each source: every entry is asked for once a round, in order.
fn answer_by(here: Around, entry: u32, free: Time) -> Time {
    if (model_table[appointed.entries + entry].y == entry) {
        let place = appointed.answers + here.entries + entry;
        first_asked = annex_wide(place);
        if (wide_differs(first_asked, wide(0u, 0u))) { set_annex(place, wide(0u, 0u)); }
    }
    if (!wide_differs(first_asked, wide(0u, 0u))) { return never(); }
    return later(first_asked, span_of(PARITY, here.entries + entry));
}

fn forget(here: Around) {}

// A token goes by an edge: a lower bound on the answer of its target. The target had not decided this token when it
// published how long its next visits take.
fn ask(here: Around, edge: u32, arrival: Time) -> Time {
    let first = model_table[appointed.edges + edge].y;
    if (first == NONE) { return never(); }
    let place = appointed.answers + here.entries + first;
    let before = annex_wide(place);
    if (!wide_differs(before, wide(0u, 0u)) || wide_less(arrival, before)) { set_annex(place, arrival); }
    var answer = never();
    for (var entry = first; entry < here.behind_in && model_table[appointed.entries + entry].y == first; entry += 1u) {
        answer = wide_minimum(answer, later(arrival, span_of(PARITY, here.entries + entry)));
    }
    return answer;
}

// Arrivals that nothing else bounds must not fill the pool.
fn may_come(entity: u32, time: Time, earliest: Time) -> bool {
    if (!is_source(entity)) { return true; }
    let row = model_table[places.sources + 2u * (entity / parameters.cell % places.sources_each) + 1u];
    return wide_less(time, later(earliest, wide(row.z, row.w)));
}

// The token that comes: the entity itself, or a token of the source that it is, which goes back with its next token. NONE: there
// is no slot for the token.
fn admitted(entity: u32, time: Time, turn: ptr<function, Turn>) -> u32 {
    if (!is_source(entity)) { return entity; }
    var origin = load_origin(entity);
    if (!reserve(&origin)) {
        come_again(entity, turn);
        (*turn).full = true;
        return NONE;
    }
    let slot = origin.free - 1u;
    origin.free = link_of(slot);
    set_annex(places.births + 2u * slot, wide_add(time, wide(1u, 0u)));
    annex[places.births + 2u * slot + 1u] = vec2<u32>(origin.number + 1u, 0u);
    let copy = origin.number / places.sources_each;
    let local = origin.number - copy * places.sources_each;
    let row = model_table[places.sources + 2u * local];
    origin.sent = wide_add(origin.sent, wide(1u, 0u));
    next_event[entity] = never();
    if (wide_less(origin.sent, wide(row.z, row.w))) {
        var stream = Stream(origin.state, entity_increment(stream_key(copy), places.each + local));
        next_event[entity] = next_token(entity, time, service_time(law_at(row.x), &stream));
        origin.state = stream.state;
        come_again(entity, turn);
    }
    store_origin(origin);
    return slot;
}

// The slots that came back to a source: its station takes the slots of the last round, while others give back more.
fn returned_in(parity: u32, source: u32) -> u32 { return places.returned + parity * appointed.sources_all + source; }
fn returned_place(source: u32) -> u32 { return returned_in(PARITY, source); }

// Keeps tokens that leave the network, in the order of departure, and gives back the slots of those gone before the clock.
fn release(station: u32, leaving: u32, clock: Time) {
    var gone = 0u;
    var first = atomicLoad(&links[gone_place(station)]);
    if (leaving == 0u && (first == 0u || !wide_less(next_event[first - 1u], clock))) { return; }
    var second = 0u;
    var fresh = leaving;
    loop {
        gone = merged(first, second);
        if (fresh != 0u) {
            let token = fresh - 1u;
            fresh = link_of(token);
            first = alone(token);
            second = gone;
            continue;
        }
        if (gone == 0u || !wide_less(next_event[gone - 1u], clock)) { break; }
        let token = gone - 1u;
        first = left_of(token);
        second = right_of(token);
        tokens[2u * token + 1u].x = NONE;
        next_event[token] = never();
        let home = annex[places.births + 2u * token + 1u].x;
        if (home != 0u) { push(returned_in(OTHER, home - 1u), token); }
    }
    atomicStore(&links[gone_place(station)], gone);
}

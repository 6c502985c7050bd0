// queueing/open: tokens that come from sources, and tokens that are lost.
// A source draws its tokens when its station takes them in. A token that is gone again within the round needs no slot.
// Where the pool is empty the station stops: entities that it has not taken in stay imminent, and nothing that they
// would have sent lies before this round's bound.

import package::engine::schedule::{next_event, schedule};
import package::lib::control::{control};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment};
import package::lib::time::{Time, never};
import package::queueing::arrival::{take_in};
import package::queueing::comes_from::{precedes};
import package::queueing::exits::{Tally, add_stay, add_tally, no_tally, way_out};
import package::queueing::links::{link_of};
import package::queueing::network::{Site, law_at, stream_key};
import package::queueing::order::{Next, inserted, next_in};
import package::queueing::origin::{Origin, load_origin, store_origin};
import package::queueing::places::{annex, places, set_annex, model_table};
import package::queueing::pool::{reserve};
import package::queueing::records::{NONE, Station, is_source};
import package::queueing::station::{store_visit};
import package::queueing::visit::{serve};
import classes::{count_loss, site_for};
import comings::{coming_now, more_are_coming, next_coming};
import room::{is_full};
import visit_clock::{note_arrival};
import word64::{wide, wide_add, wide_less};

fn admit_all(site: Site, station: ptr<function, Station>, first: Next) {
    var next = first;
    loop {
        var rest = next.rest;
        if (is_source(next.entity)) {
            rest = admit_from(site, station, next);
        } else {
            take_in(site, station, next.entity, next.time);
        }
        if (rest == 0u) { break; }
        next = next_in(rest);
    }
}

// Takes in the tokens of a source before the others in the list; returns the others, with the source in its place
// again.
fn admit_from(site: Site, station: ptr<function, Station>, next: Next) -> u32 {
    var origin = load_origin(next.entity);
    let copy = origin.number / places.sources_each;
    let local = origin.number - copy * places.sources_each;
    let row = model_table[places.sources + 2u * local];
    let law = law_at(row.x);
    var stream = Stream(origin.state, entity_increment(stream_key(copy), places.each + local));
    let bound = control.bound;
    let limit = wide(row.z, row.w);
    var tally = no_tally();
    var time = next.time;
    var rest = next.rest;
    loop {
        if (coming_now(&origin, limit, &stream) != 0u) {
            if (!reserve(&origin)) {
                schedule(next.entity, time);
                put_off(rest);
                rest = 0u;
                break;
            }
            note_arrival(next.entity);
            come_in(site_for(site, next.entity), station, time, bound, &origin, &tally);
            origin.sent = wide_add(origin.sent, wide(1u, 0u));
            if (more_are_coming(&origin)) { continue; }
        }
        if (wide_less(origin.sent, limit)) {
            time = next_coming(origin, row, law, time, &stream);
        } else {
            time = never();
        }
        if (!wide_less(time, bound)) {
            schedule(next.entity, time);
            break;
        }
        if (rest == 0u) { continue; }
        next_event[next.entity] = time;
        if (precedes(rest - 1u, next.entity)) {
            rest = inserted(next.entity, rest);
            break;
        }
    }
    add_tally(site, tally);
    origin.state = stream.state;
    store_origin(origin);
    return rest;
}

// Entities that could not be taken in are imminent again in the next round.
fn put_off(list: u32) {
    for (var link = list; link != 0u; link = link_of(link - 1u)) { schedule(link - 1u, next_event[link - 1u]); }
}

// Takes in a token from a source, with a free slot in reserve.
fn come_in(
    site: Site, station: ptr<function, Station>, time: Time, bound: Time,
    origin: ptr<function, Origin>, tally: ptr<function, Tally>,
) {
    if (is_full(site, station, time)) {
        count_loss(site, station);
        return;
    }
    let visit = serve(site, station, time);
    let born = wide_add(time, wide(1u, 0u));
    let way = way_out(visit);
    if (way != NONE) {
        if (way != (*tally).way) {
            add_tally(site, *tally);
            *tally = no_tally();
            (*tally).way = way;
        }
        (*tally).tokens += 1u;
        add_stay(site, tally, visit, born);
        if (wide_less(visit.arrival, bound)) { return; }
    }
    let slot = (*origin).free - 1u;
    (*origin).free = link_of(slot);
    set_annex(places.births + 2u * slot, born);
    annex[places.births + 2u * slot + 1u] = vec2<u32>((*origin).number + 1u, 0u);
    store_visit(slot, site.id, time, visit);
    schedule(slot, visit.arrival);
}

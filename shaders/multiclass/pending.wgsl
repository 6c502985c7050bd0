// multiclass/pending: the events of a replication, in no order: first an event of each source, then the event of the tokens of time 0, then
// the events of servers, then at most one event of each token. Each event is a row: its time; what happens (the phase in the upper three
// bits, the station or source below them) and to which token. Where networks are lean a second row has what else is known of it.
//
// Reads and writes: replication_state, clocks.

import constants::{HAS_IMPATIENCE, IS_LEAN};
import clocks::{clock_of, set_clock, take_clock};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::rows::{either_record_at, row_at, set_front_wide, set_row};
import package::multiclass::state::{mine};
import package::multiclass::tokens::{Links, Numbers, links_of, numbers_of, set_links, set_numbers};
import word64::{wide, wide_high, wide_low};

// The order of those of one time.
const FIRST_TOKENS: u32 = 0u;
const DEPARTURE: u32 = 0x20000000u;
const PATIENCE: u32 = 0x40000000u;
const SHIFT: u32 = 0x60000000u;
const FAILURE: u32 = 0x80000000u;
const RETURN: u32 = 0xa0000000u;
const ARRIVAL: u32 = 0xc0000000u;
const PHASE: u32 = 0xe0000000u;

// The place of an event that has happened, or NONE: the next one that is added takes it.
var<private> hole: u32;
// What happens next.
var<private> due: Event;

// When and what happens, and to which token; with what happens to servers goes what failures, absences and changing have.
struct Event {
    time: Time,
    what: u32,
    token: u32,
}

fn event_at(place: u32) -> u32 { return either_record_at(plan.near_events, plan.events_at, place, plan.event_rows); }

fn event_of(place: u32) -> Event {
    let row = row_at(event_at(place));
    return Event(wide(row.x, row.y), row.z, row.w);
}

// The number of the event of a token; the edge that the token takes after its service, or where it goes; when the service began.
struct Detail {
    number: u32,
    goal: u32,
    start: Time,
}

fn detail_of(place: u32) -> Detail {
    let row = row_at(event_at(place) + 1u);
    return Detail(row.x, row.y, wide(row.z, row.w));
}

fn set_detail(place: u32, row: Detail) {
    set_row(event_at(place) + 1u, vec4<u32>(row.number, row.goal, wide_low(row.start), wide_high(row.start)));
}

fn number_of_token(token: u32, place: u32) -> u32 {
    if (IS_LEAN) { return detail_of(place).number; }
    return numbers_of(token).event;
}

fn set_event(place: u32, what: u32, token: u32, time: Time) {
    set_clock(place, clock_of(time));
    set_row(event_at(place), vec4<u32>(wide_low(time), wide_high(time), what, token));
}

fn set_event_time(place: u32, time: Time) {
    set_clock(place, clock_of(time));
    set_front_wide(event_at(place), time);
}

// An event of a token on its way to, or at, a station, with the number of its arrival there and its own number. Returns its place.
fn add_event(what: u32, token: u32, numbers: vec2<u32>, goal: u32, time: Time) -> u32 {
    var place = hole;
    if (place == NONE) {
        place = mine.pending;
        mine.pending += 1u;
    }
    hole = NONE;
    set_event(place, what, token, time);
    if (IS_LEAN) {
        set_detail(place, Detail(numbers.y, goal, mine.now));
    } else {
        set_numbers(token, Numbers(numbers.x, numbers.y, place, goal));
    }
    return place;
}

// Where the event of a token is. Where networks are lean only the end of patience is asked for, of tokens that wait: their edge is not
// drawn, and the place stands there.
fn place_of_event(token: u32) -> u32 {
    if (IS_LEAN) { return links_of(token).edge; }
    return numbers_of(token).place;
}

fn moves_event(token: u32, place: u32) {
    if (!IS_LEAN) {
        let numbers = numbers_of(token);
        set_numbers(token, Numbers(numbers.arrival, numbers.event, place, numbers.goal));
    } else if (HAS_IMPATIENCE) {
        let links = links_of(token);
        set_links(token, Links(links.before, links.behind, links.about, place));
    }
}

// The last event takes the place of one that is gone.
fn close_hole() {
    if (hole == NONE) { return; }
    mine.pending -= 1u;
    let last = mine.pending;
    if (hole != last) {
        let event = event_of(last);
        set_event(hole, event.what, event.token, event.time);
        if (IS_LEAN) { set_detail(hole, detail_of(last)); }
        if (!IS_LEAN || (event.what & PHASE) == PATIENCE) { moves_event(event.token, hole); }
    }
    take_clock(last);
    hole = NONE;
}

// The event of a token does not happen. Returns when it would have.
fn take_event(token: u32) -> Time {
    close_hole();
    hole = place_of_event(token);
    return event_of(hole).time;
}

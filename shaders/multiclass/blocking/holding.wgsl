// multiclass/blocking/holding: the words of stations where a served token without room where it goes holds its server until there is room.
// A station has the two rows below from its word `holding` on.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import class_counts::{is_full_of};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::rows::{row_at, set_back, set_front, station_at};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::station::{site, station_counts};
import package::multiclass::tokens::{Service, service_of, set_service, token_at};

// A blocked token has, in place of the start of its service, the start of its blocking; its station and the token
// before it there.
struct HeldToken {
    arrival: u32,
    event: u32,
    station: u32,
    next: u32,
}

fn held_token(token: u32) -> HeldToken {
    let row = row_at(token_at(token) + 3u);
    return HeldToken(row.x, row.y, row.z, row.w);
}

fn set_held_token(token: u32, id: u32, next: u32) { set_back(token_at(token) + 3u, id, next); }

// Of the open station: its blocked tokens, and the tokens on their way here with reserved room.
var<private> blocked: u32;
var<private> coming: u32;

fn held_at(id: u32) -> u32 { return station_at(id) + plan.holding / 2u; }

// The first and the last token of other stations that wait for room here; its own blocked tokens; tokens on their way here with reserved
// room.
struct Room {
    first: u32,
    last: u32,
    blocked: u32,
    coming: u32,
}

fn room_of(id: u32) -> Room {
    let row = row_at(held_at(id));
    return Room(row.x, row.y, row.z, row.w);
}

fn set_waiting(id: u32, first: u32, last: u32) { set_front(held_at(id), first, last); }
fn set_room_counts(id: u32, blocked: u32, coming: u32) { set_back(held_at(id), blocked, coming); }

// The last of its own blocked tokens; a link of a search; 1 where the station is suspected (suspects).
struct HeldLinks {
    last: u32,
    link: u32,
    is_suspect: u32,
}

fn held_links(id: u32) -> HeldLinks {
    let row = row_at(held_at(id) + 1u);
    return HeldLinks(row.x, row.y, row.z);
}

fn set_held_links(id: u32, last: u32, link: u32) { set_front(held_at(id) + 1u, last, link); }
fn set_suspected(id: u32, is_suspect: u32) { set_back(held_at(id) + 1u, is_suspect, 0u); }

fn keep_counts() { set_room_counts(site.id, blocked, coming); }

fn blocks(id: u32) -> bool { return id < plan.stations && blocking_of(id).kinds != 0u; }

// Whether a station that is not open is full.
fn is_full(id: u32) -> bool {
    let present = station_counts(id).present;
    return present + room_of(id).coming >= station_rules(id).capacity;
}

// Whether a token of a class at a station has no room where a route leads, to a station that blocks. A token that returns to its
// station makes its own room, unless it becomes of a class whose room is full.
fn lacks_room(edge: u32, class_of: u32, at: u32) -> bool {
    let route = edge_at(edge);
    let goes_round = route.goal == at;
    let changes = !goes_round || route.becomes != class_of;
    return (!goes_round && is_full(route.goal)) || (changes && is_full_of(route.goal, route.becomes));
}

// A token of the open station is blocked, with its server.
fn stand_held(token: u32) {
    set_service(token, Service(mine.now, service_of(token).service));
    set_held_token(token, site.id, held_links(site.id).last);
    set_held_links(site.id, token, NONE);
    blocked += 1u;
}

// Changes the reserved room of a station, open or not.
fn change_coming(id: u32, change: u32) {
    if (id == site.id) {
        coming += change;
    } else {
        let counts = room_of(id);
        set_room_counts(id, counts.blocked, counts.coming + change);
    }
}

// Takes a token out of the list of the open station's blocked tokens.
fn unlink(token: u32) {
    let before = held_token(token).next;
    var other = held_links(site.id).last;
    if (other == token) {
        set_held_links(site.id, before, NONE);
        return;
    }
    while (held_token(other).next != token) { other = held_token(other).next; }
    set_held_token(other, site.id, before);
}

// multiclass/blocking/feeding: tokens that are served, or wait in a server, and go to a station that must have room before the service
// (stops).
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::multiclass::blocking::holding::{held_links, held_token, lacks_room};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, PHASE, event_of, hole};
import package::multiclass::queues::orders::{is_last};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS, links_of};
import stopped::{served_first};

const BEFORE: u32 = 4u;

// Whether a station, or sink, must have room before services of tokens that go there.
fn is_fed(id: u32) -> bool { return id < plan.stations && (blocking_of(id).kinds & BEFORE) != 0u; }

// Whether a token of a class at a station that leaves by a route must have room there first.
fn feeds(edge: u32, class_of: u32, at: u32) -> bool {
    let route = edge_at(edge);
    return is_fed(route.goal) && (route.goal != at || route.becomes != class_of);
}

fn lacks_room_before(edge: u32, class_of: u32, at: u32) -> bool {
    return feeds(edge, class_of, at) && lacks_room(edge, class_of, at);
}

// Whether a token at a station goes to a station that must have room before its service.
fn is_feeder(token: u32, at: u32, goal: u32) -> bool {
    let links = links_of(token);
    return edge_at(links.edge).goal == goal && feeds(links.edge, links.about & CLASS, at);
}

fn has_room_for(token: u32, at: u32) -> bool {
    let links = links_of(token);
    return !lacks_room(links.edge, links.about & CLASS, at);
}

// Whether a token is before another one of its station in the order of service there.
fn is_earlier(token: u32, other: u32, at: u32) -> bool {
    site.rules.order = station_rules(at).order;
    return is_last(other, token);
}

// A token in service, and its station; NONE of both where there is none.
struct Feeder {
    token: u32,
    station: u32,
}

// The first token, station by station and in the order of service, that is served to go to one where it has no room any more. No
// station is open.
fn first_served(goal: u32) -> Feeder {
    let order = site.rules.order;
    var found = Feeder(NONE, NONE);
    for (var place = plan.fixed; place < mine.pending; place += 1u) {
        let event = event_of(place);
        let at = event.what & ~PHASE;
        if (place == hole || (event.what & PHASE) != DEPARTURE || at > found.station) { continue; }
        if (!is_feeder(event.token, at, goal) || has_room_for(event.token, at)) { continue; }
        if (at < found.station || is_earlier(event.token, found.token, at)) { found = Feeder(event.token, at); }
    }
    found = served_first(goal, found);
    site.rules.order = order;
    return found;
}

// The same of those that wait in their servers and have room.
fn first_stopped(goal: u32) -> Feeder {
    let order = site.rules.order;
    var found = Feeder(NONE, NONE);
    for (var at = 0u; at < plan.stations && found.token == NONE; at += 1u) {
        var token = held_links(at).last;
        while (token != NONE) {
            if (is_feeder(token, at, goal) && has_room_for(token, at) && (found.token == NONE || is_earlier(token, found.token, at))) {
                found = Feeder(token, at);
            }
            token = held_token(token).next;
        }
    }
    site.rules.order = order;
    return found;
}

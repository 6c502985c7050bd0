// multiclass/routes/ways_chosen: stations send tokens by turns, where fewest tokens are or wait, where the least work or the shortest response is, where
// a server is free, by the number of the visit, or by what they carry. A token has from its row `visited` on how often each station of the last kind has served it.
// Reads: parameters, model_table. Reads and writes: replication_state.

import attributes::{way_by_value};
import class_counts::{is_full_of};
import constants::{HAS_LOADS};
import decisions::{turn_decided};
import groups::{is_free_at};
import package::lib::pcg32::{Stream, draw};
import package::lib::wide::{multiply_high};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::held::{held_by, present_at, servers_at};
import package::multiclass::routes::least_work::{least_load};
import package::multiclass::routes::rules::{Routing, edge_at, routing_of};
import package::multiclass::rows::{row_at, set_row, with_word};
import package::multiclass::stations::rules::{station_rules, visit_of};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::account_rows::{account_turns, set_turn};
import package::multiclass::statistics::accounts::{account_of};
import package::multiclass::tokens::{token_at};

// Any other rule is the route with the fewest tokens, of all routes.
const BY_CHANCE: u32 = 0u;
const BY_TURNS: u32 = 1u;
const SHORTEST_OF: u32 = 3u;
const FIRST_FREE: u32 = 4u;
const LEAST_WORK: u32 = 5u;
const BY_VISIT: u32 = 6u;
const FORK: u32 = 7u;
const SHORTEST_LINE: u32 = 8u;
const FEWEST_WAITING: u32 = 9u;
const SHORTEST_OF_CLASS: u32 = 10u;
const SHORTEST_RESPONSE: u32 = 11u;
const BY_ATTRIBUTE: u32 = 12u;

// The first of some routes to a sink or a free server, or else to a station with room, or else of all.
fn first_free(first: u32, last: u32) -> u32 {
    for (var edge = first; edge <= last; edge += 1u) {
        let route = edge_at(edge);
        if (route.goal >= plan.stations) { return edge; }
        let is_free = is_free_at(route.goal, route.becomes, present_at(route.goal) < servers_at(route.goal));
        if (is_free && !is_full_of(route.goal, route.becomes)) { return edge; }
    }
    for (var edge = first; edge <= last; edge += 1u) {
        let route = edge_at(edge);
        if (present_at(route.goal) < station_rules(route.goal).capacity && !is_full_of(route.goal, route.becomes)) { return edge; }
    }
    return first;
}

// How often the open station has served a token before, and notes this visit; `number` is the station's among those that
// choose by it.
fn visits_before(token: u32, number: u32) -> u32 {
    let row = token_at(token) + plan.visited + number / 4u;
    let visits = row_at(row);
    let before = visits[number & 3u];
    set_row(row, with_word(visits, number & 3u, before + 1u));
    return before;
}

// A token that comes into the network has no visits.
fn forget_visits(token: u32) {
    for (var row = plan.visited; row < plan.units_held; row += 1u) { set_row(token_at(token) + row, vec4<u32>()); }
}

// The route of a token that is still at the open station.
fn way_of(token: u32, class_of: u32, drawn: u32) -> u32 {
    let routing = routing_of(site.id);
    if (routing.rule == BY_CHANCE) { return drawn; }
    let visit = visit_of(site.id, class_of);
    let count = visit.last + 1u - visit.first;
    if (routing.rule == BY_TURNS) {
        let account = account_of(class_of);
        let turn = account_turns(account).turn;
        set_turn(account, select(turn + 1u, 0u, turn + 1u == count));
        return visit.first + turn_decided(turn, count);
    }
    // The copies take the other routes.
    if (routing.rule == FORK) { return visit.first; }
    if (routing.rule == BY_VISIT) { return visit.first + visits_before(token, routing.number) % count; }
    if (routing.rule == BY_ATTRIBUTE) { return way_by_value(token, routing.number, visit.first, visit.last); }
    var stream = site.stream;
    let found = chosen(routing, visit.first, visit.last, &stream);
    site.stream = stream;
    return found;
}

// The one of some routes that a rule chooses by what stations hold.
fn chosen(routing: Routing, first: u32, last: u32, stream: ptr<function, Stream>) -> u32 {
    if (routing.rule == FIRST_FREE) { return first_free(first, last); }
    if (HAS_LOADS && (routing.rule == LEAST_WORK || routing.rule == SHORTEST_RESPONSE)) { return least_load(routing.rule, first, last); }
    let count = last + 1u - first;
    let looks = select(count, routing.number, routing.rule == SHORTEST_OF);
    var found = first;
    var fewest = NONE;
    for (var look = 0u; look < looks; look += 1u) {
        var edge = first + look;
        if (routing.rule == SHORTEST_OF) { edge = first + multiply_high(draw(stream), count); }
        let held = held_by(routing.rule, edge);
        if (held < fewest) {
            found = edge;
            fewest = held;
        }
    }
    return found;
}

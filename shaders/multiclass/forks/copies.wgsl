// multiclass/forks/copies: the copies into which a token splits that leaves a station.
// Reads: parameters, model_table. Reads and writes: replication_state.

import attributes::{copies_values};
import package::lib::pcg32::{draw};
import package::lib::time::{Time};
import package::multiclass::forks::forks::{count_forks, new_siblings, siblings_of};
import package::multiclass::forks::rows::{Forked, set_forked};
import package::multiclass::forks::rules::{Splitting, split_share, splitting_of};
import package::multiclass::parameters::{NONE};
import package::multiclass::places::{new_token};
import package::multiclass::routes::moves::{departs};
import package::multiclass::routes::rules::{delay_of, edge_at};
import package::multiclass::state::{came, mine};
import package::multiclass::stations::rules::{visit_of};
import package::multiclass::stations::station::{site};
import word64::{wide, wide_less};

// The token that leaves the open station in copies: how many are to follow it, the edge of the next copy, 1 where each takes another one,
// its siblings, when it came, and itself.
var<private> copies_left: u32;
var<private> copy_edge: u32;
var<private> edge_step: u32;
var<private> copies_of: u32;
var<private> copies_entered: Time;
var<private> split: u32;

// How many tokens leave in place of one.
fn draw_number(rule: Splitting) -> u32 {
    var stream = site.stream;
    let place = wide(draw(&stream), 0u);
    site.stream = stream;
    var number = 1u;
    while (number < rule.sizes && !wide_less(place, split_share(rule.first + number - 1u))) { number += 1u; }
    return number;
}

// A served token of a class leaves by an edge, with copies behind it where the open station splits tokens.
fn begins_copies(token: u32, class_of: u32, edge: u32, entered: Time) {
    let rule = splitting_of(site.id);
    if (rule.by_routes == 0u && rule.sizes == 0u) { return; }
    copies_left = 0u;
    if (rule.sizes != 0u) {
        copies_left = draw_number(rule) - 1u;
        copy_edge = edge;
    } else {
        let visit = visit_of(site.id, class_of);
        copies_left = visit.last - visit.first;
        copy_edge = visit.first + 1u;
    }
    edge_step = rule.by_routes;
    copies_entered = entered;
    split = token;
    copies_of = siblings_of(token);
    // Nobody asks for siblings that are not joined, and a token alone has none.
    if (rule.is_joined != 0u && (copies_left != 0u || copies_of != NONE)) {
        copies_of = new_siblings(copies_of, copies_left + 1u);
        set_forked(token, Forked(copies_of, NONE, 0u));
    }
    count_forks(mine.counted * copies_left, 0u);
}

fn sends_copies() {
    for (; copies_left != 0u; copies_left -= 1u) {
        let route = edge_at(copy_edge);
        let copy = new_token();
        set_forked(copy, Forked(copies_of, NONE, 0u));
        copies_values(split, copy);
        came(1u, route.becomes);
        departs(copy, route.becomes, copies_entered, route.goal, delay_of(copy_edge));
        copy_edge += edge_step;
    }
}

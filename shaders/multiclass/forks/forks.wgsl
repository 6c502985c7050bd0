// multiclass/forks/forks: a token splits into copies, and siblings wait for each other: the twin of src/queueing/reference/oracle/forks.rs.
// A token has from its row `forked` on the number of its siblings or NONE, the token behind it among the siblings that wait, and one more
// than the station where it waits for them. The siblings of a number have the two rows behind that row of the token of that number: the
// siblings of the token that has split, how many are in the network, how many of these wait, and the next free number; then the first and
// the last that wait, their station, and 1 where they wait at several stations.
// Rows at `forks_at`: the first free number, numbers that were ever used, and in use; copies, and tokens that were joined.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::multiclass::forks::joins::{aside, aside_row, goes_on_joined, joins, waits_to_be_one};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::moves::{departs};
import package::multiclass::routes::rules::{delay_of, edge_at, routing_of};
import package::multiclass::routes::ways_chosen::{FORK};
import package::multiclass::state::{came, front_at, mine, record_at, row_at, set_row};
import package::multiclass::stations::rules::{visit_of};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import package::multiclass::tokens::{new_token, token_at};

// The token that leaves the open station in copies: the edges that the copies take up to the second, its siblings, and when it
// came.
var<private> copies: vec2<u32>;
var<private> copies_of: u32;
var<private> copies_entered: Time;

// One more than the number of siblings that are to be joined, as a sibling has left the network; or 0.
var<private> alone: u32;
var<private> is_anew: bool;

fn forked_row(token: u32) -> u32 { return token_at(token) + plan.forked; }
fn siblings_row(siblings: u32) -> u32 { return forked_row(siblings) + 1u; }
fn forks_row() -> u32 { return record_at(plan.forks_at, 0u, 2u); }
fn begin_forks() { set_row(forks_row(), vec4<u32>(NONE, 0u, 0u, 0u)); }

fn has_forks() -> bool { return true; }
// One more event may have a token split, and where stations block, all blocked tokens besides.
fn has_room_to_fork() -> bool {
    let times = select(1u, 1u + mine.present, plan.blocking != 0u);
    let left = min(plan.places - mine.present, plan.places - row_at(forks_row()).z);
    return left / times >= plan.most_copies;
}

fn has_no_siblings(token: u32) { set_row(forked_row(token), vec4<u32>(NONE, NONE, 0u, 0u)); }
fn siblings_of(token: u32) -> u32 { return front_at(forked_row(token)).x; }

fn new_siblings(outer: u32, left: u32) -> u32 {
    let row = row_at(forks_row());
    var number = row.x;
    if (number == NONE) {
        number = row.y;
        set_row(forks_row(), vec4<u32>(NONE, row.y + 1u, row.z + 1u, 0u));
    } else {
        set_row(forks_row(), vec4<u32>(row_at(siblings_row(number)).w, row.y, row.z + 1u, 0u));
    }
    set_row(siblings_row(number), vec4<u32>(outer, left, 0u, NONE));
    set_row(siblings_row(number) + 1u, vec4<u32>(NONE, NONE, NONE, 0u));
    return number;
}

fn end_siblings(number: u32) {
    let row = row_at(forks_row());
    set_row(siblings_row(number), vec4<u32>(NONE, 0u, 0u, row.x));
    set_row(forks_row(), vec4<u32>(number, row.y, row.z - 1u, 0u));
}

fn count_forks(more: vec2<u32>) {
    let row = row_at(forks_row() + 1u);
    let counts = row.xy + more;
    if (max(counts.x, counts.y) == NONE) { raise(FAULT_COUNT, site.id); }
    set_row(forks_row() + 1u, vec4<u32>(counts, 0u, 0u));
}

fn splits(token: u32, class_of: u32, entered: Time) {
    if (routing_of(site.id).rule != FORK) { return; }
    let visit = visit_of(site.id, class_of);
    copies = vec2<u32>(visit.first + 1u, visit.last + 1u);
    copies_entered = entered;
    copies_of = new_siblings(siblings_of(token), visit.last + 1u - visit.first);
    set_row(forked_row(token), vec4<u32>(copies_of, NONE, 0u, 0u));
    count_forks(vec2<u32>(mine.counted * (visit.last - visit.first), 0u));
}

fn send_copies() {
    for (var edge = copies.x; edge < copies.y; edge += 1u) {
        let route = edge_at(edge);
        let copy = new_token();
        set_row(forked_row(copy), vec4<u32>(copies_of, NONE, 0u, 0u));
        came(1u, route.becomes);
        departs(copy, route.becomes, copies_entered, route.goal, delay_of(edge));
    }
    copies = vec2<u32>();
}

// The siblings of a token wait for it no longer. If it was the last, the token that had split is gone, too.
fn leaves_siblings(token: u32) {
    var number = siblings_of(token);
    while (number != NONE) {
        let row = row_at(siblings_row(number));
        if (row.y != 1u) {
            set_row(siblings_row(number), vec4<u32>(row.x, row.y - 1u, row.z, row.w));
            if (row.y - 1u == row.z) { alone = 1u + number; }
            return;
        }
        end_siblings(number);
        number = row.x;
    }
}

fn is_joined(token: u32) -> bool { return siblings_of(token) != NONE && joins(site.id); }
fn waits_for_siblings(token: u32, class_of: u32) -> bool { return waits_to_be_one(token, class_of); }

fn go_on_alone() {
    if (alone == 0u) { return; }
    goes_on_joined(alone - 1u);
    alone = 0u;
    is_anew = mine.stuck == 0u;
}

fn comes_anew() -> bool {
    let anew = is_anew;
    is_anew = false;
    return anew;
}

fn aside_at(id: u32) -> u32 { return front_at(aside_row(id)).x; }
fn aside_here() -> u32 { return aside; }
fn open_aside() { aside = aside_at(site.id); }
fn close_aside() { set_row(aside_row(site.id), vec4<u32>(aside, 0u, 0u, 0u)); }

// multiclass/blocking/full_blocks: a served token without room where it goes holds its server until there is room.
// Reads: parameters, model_table. Reads and writes: replication_state.

import class_counts::{class_came, class_expected, is_full_of, limits_classes};
import package::multiclass::blocking::deadlock::{is_deadlock};
import package::multiclass::blocking::holding::{
    blocked, blocks, change_coming, coming, held_links, held_token, keep_counts, lacks_room, room_of, set_held_links,
    set_waiting, stand_held,
};
import package::multiclass::blocking::release::{admits, finds_released, is_admitting, last_released, let_in, next_admits, release};
import package::multiclass::blocking::suspects::{has_suspect, next_suspect, suspects, suspects_later};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::resources::units_stuck::{is_marked};
import package::multiclass::routes::moves::{moves_about};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::rows::{front_at};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS, EXPECTED, links_of, set_neighbours, token_at};

fn begin_room(id: u32) {
    set_waiting(id, NONE, NONE);
    set_held_links(id, NONE, NONE);
}

fn open_room() {
    let counts = room_of(site.id);
    blocked = counts.blocked;
    coming = counts.coming;
}

fn close_room() { keep_counts(); }

fn taken() -> u32 { return site.serving + blocked; }

fn blocked_at(id: u32) -> u32 { return room_of(id).blocked; }

fn awaits_marked(id: u32) -> bool {
    var token = held_links(id).last;
    while (token != NONE) {
        let goal = edge_at(links_of(token).edge).goal;
        if (goal < plan.stations && is_marked(goal)) { return true; }
        token = held_token(token).next;
    }
    return false;
}

fn coming_of(id: u32) -> u32 {
    if (id == site.id) { return coming; }
    return room_of(id).coming;
}

// Several tokens may leave in one event, so each takes its place among tokens on their way.
fn at_once() -> bool { return false; }

fn finds_room() -> bool {
    let class_of = moves_about & CLASS;
    if ((moves_about & EXPECTED) == 0u) { return site.present + coming < site.rules.capacity && !is_full_of(site.id, class_of); }
    coming -= 1u;
    class_came(class_of);
    return true;
}

fn makes_room() {
    let_in();
    uses_room();
}

fn lets_in_here() -> bool { return is_admitting && admits == site.id; }

// Where classes have room of their own, the room that a token has left may be of no use to those that wait.
fn uses_room() { if (limits_classes()) { looks_again(); } }

fn looks_again() { if (blocked != 0u) { suspects_later(); } }

fn is_held(edge: u32, class_of: u32) -> bool {
    return blocks(edge_at(edge).goal) && lacks_room(edge, class_of, site.id);
}

// A token of the open station is blocked.
fn hold(token: u32, edge: u32) {
    stand_held(token);
    // Behind the other blocked tokens.
    let goal = edge_at(edge).goal;
    let ends = room_of(goal);
    set_neighbours(token, NONE, NONE);
    if (ends.last == NONE) {
        set_waiting(goal, token, token);
    } else {
        set_neighbours(ends.last, NONE, token);
        set_waiting(goal, ends.first, token);
    }
    suspects();
}

// All servers may be blocked now: arrived tokens wait behind them. Not at time 0, before all tokens of then are there.
fn check_held() {
    if (blocked != 0u && mine.initial >= plan.initial_rows) { suspects(); }
}

fn expected_at(goal: u32, class_of: u32) -> u32 {
    if (!blocks(goal)) { return 0u; }
    class_expected(goal, class_of);
    change_coming(goal, 1u);
    return EXPECTED;
}

fn release_next() -> bool {
    while (is_admitting) {
        if (blocks(admits) && finds_released()) {
            release();
            uses_room();
            return true;
        }
        if (last_released == NONE) {
            next_admits();
        } else {
            let link = front_at(token_at(last_released));
            admits = link.x;
            last_released = link.y;
        }
    }
    return false;
}

fn is_suspected() -> bool { return has_suspect(); }
fn suspects_next() -> bool { return next_suspect(); }
fn waits_for_ever() -> bool { return is_deadlock(); }

// multiclass/forks/kits: tokens of several classes stand aside at a station until a kit is complete, and are one token then: the twin of
// src/queueing/reference/oracle/kits.rs. Behind its row `aside` a station has a row for each part of its kit.
// Reads: parameters, model_table. Reads and writes: replication_state.

import full::{lets_in_here, makes_room};
import package::multiclass::forks::aside::{aside_row, is_gone, steps_aside, steps_back};
import package::multiclass::forks::forks::{count_forks, leaves_siblings, siblings_of};
import package::multiclass::forks::rows::{Forked, Shelf, forked_of, set_forked, set_shelf, shelf_of};
import package::multiclass::forks::rules::{Joining, joining_of};
import package::multiclass::parameters::{NONE, model_row};
import package::multiclass::routes::moves::{moves_about, moves_entered};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS, times_of};

// The token that goes on in place of the comer.
var<private> whole: u32;

// How many tokens of a class a kit needs.
struct KitPart {
    class_of: u32,
    count: u32,
}

fn part_at(number: u32) -> KitPart {
    let row = model_row(number);
    return KitPart(row.x, row.y);
}

fn shelf_at(part: u32) -> u32 { return aside_row(site.id) + 1u + part; }

// The part of a class, or as many as there are.
fn part_of(kit: Joining, class_of: u32) -> u32 {
    var part = 0u;
    while (part < kit.parts && part_at(kit.first + part).class_of != class_of) { part += 1u; }
    return part;
}

// Whether the comer is a part of a kit at the open station; and who goes on once it is complete.
fn awaits_others(token: u32) -> bool {
    let kit = joining_of(site.id);
    return part_of(kit, moves_about & CLASS) != kit.parts;
}

fn goes_on_as(token: u32) -> u32 { return whole; }

// A token is put behind the others of its part; below, the first of these is taken.
fn puts_on(shelf: u32, token: u32) {
    let before = shelf_of(shelf);
    set_forked(token, Forked(siblings_of(token), NONE, 1u + site.id));
    if (before.count == 0u) {
        set_shelf(shelf, Shelf(token, token, 1u));
        return;
    }
    set_forked(before.last, Forked(siblings_of(before.last), token, 1u + site.id));
    set_shelf(shelf, Shelf(before.first, token, before.count + 1u));
}

fn takes_first(shelf: u32) -> u32 {
    let before = shelf_of(shelf);
    set_shelf(shelf, Shelf(forked_of(before.first).behind, before.last, before.count - 1u));
    return before.first;
}

// The tokens of a kit become the one of its first part that came first.
fn becomes_whole(kit: Joining) {
    let first = part_at(kit.first);
    whole = takes_first(shelf_at(0u));
    steps_back(whole, first.class_of, true);
    set_forked(whole, Forked(siblings_of(whole), NONE, 0u));
    moves_about = first.class_of;
    moves_entered = times_of(whole).entered;
    var gone = 0u;
    for (var part = 0u; part < kit.parts; part += 1u) {
        let needed = part_at(kit.first + part);
        for (var left = needed.count - select(0u, 1u, part == 0u); left != 0u; left -= 1u) {
            let token = takes_first(shelf_at(part));
            steps_back(token, needed.class_of, false);
            leaves_siblings(token);
            is_gone(token, needed.class_of, whole);
            gone += 1u;
        }
    }
    count_forks(0u, mine.counted * gone);
}

// Whether a token at the open station waits for others.
fn waits_to_be_one(token: u32, class_of: u32) -> bool {
    let kit = joining_of(site.id);
    steps_aside(token, class_of);
    puts_on(shelf_at(part_of(kit, class_of)), token);
    for (var part = 0u; part < kit.parts; part += 1u) {
        if (shelf_of(shelf_at(part)).count < part_at(kit.first + part).count) { return true; }
    }
    becomes_whole(kit);
    if (!lets_in_here()) { makes_room(); }
    return false;
}

// No siblings wait for each other.
fn goes_on_joined(number: u32) {}

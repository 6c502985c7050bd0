// multiclass/servers/walks: servers that walk from class to class, also where nobody waits: the twin of
// src/queueing/reference/oracle/walks.rs. A group whose server is on its way has none on duty. Its event has the number of the group.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{never};
import package::multiclass::parameters::{NONE, law_at, model_row};
import package::multiclass::pending::{RETURN, set_event, set_event_time};
import package::multiclass::rows::{row_at, set_row};
import package::multiclass::servers::bulk_rows::{bulk_turns};
import package::multiclass::servers::group_rows::{
    Groups, group_at, group_of, group_servers, group_shifts_of, group_times_of, groups_of, set_group_servers,
};
import package::multiclass::servers::polling::{begun_turn, list_of_turn};
import package::multiclass::state::{mine};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import word64::{wide_add};

// The law of the walk to a class, and whether the server stays while nobody waits.
struct Walk {
    law: u32,
    rests: u32,
}

// The walk to the class behind the one with this place.
fn walk_from(groups: Groups, number: u32, turn: u32) -> Walk {
    let first = bulk_turns(group_shifts_of(groups, number).bulk).walks;
    let row = model_row(first + (turn + 1u) % group_of(groups, number).serves);
    return Walk(row.x, row.y);
}

fn walks(bulk: u32) -> bool { return bulk_turns(bulk).walks != 0u; }

// Sets the place of the class with which a server is, and how many more it serves; NONE where nobody has been served yet.
fn set_class_of_turn(words: u32, turn: u32, left: u32) {
    let before = row_at(words + 1u);
    set_row(words + 1u, vec4<u32>(before.x, before.y, turn, left));
}

fn begin_walks(id: u32, stream: ptr<function, Stream>) {
    let groups = groups_of(id);
    for (var number = 0u; number < groups.count; number += 1u) {
        let shifts = group_shifts_of(groups, number);
        if (!walks(shifts.bulk)) { continue; }
        let words = group_at(id, number);
        let last = group_of(groups, number).serves - 1u;
        let walk = walk_from(groups, number, last);
        var time = never();
        set_class_of_turn(words, 0u, NONE);
        if (walk.rests == 0u) {
            time = service_time(law_at(walk.law), stream);
            set_class_of_turn(words, last, NONE);
            set_group_servers(words, 0u);
        }
        set_event(shifts.place, RETURN | id, number, time);
    }
}

fn comes_to_class(place: u32, group: u32) -> u32 {
    set_event_time(place, never());
    let words = group_at(site.id, group);
    set_class_of_turn(words, (row_at(words + 1u).z + 1u) % group_of(groups_of(site.id), group).serves, NONE);
    set_group_servers(words, 1u);
    return group;
}

// Whether somebody waits whom a group serves.
fn waits_for(groups: Groups, number: u32) -> bool {
    let group = group_of(groups, number);
    for (var turn = 0u; turn < group.serves; turn += 1u) {
        if (list_of_turn(group, turn) != NONE) { return true; }
    }
    return false;
}

fn walks_here() {
    let groups = groups_of(site.id);
    for (var number = 0u; number < groups.count; number += 1u) {
        let shifts = group_shifts_of(groups, number);
        let words = group_at(site.id, number);
        if (!walks(shifts.bulk) || group_times_of(words).taken >= group_servers(words)) { continue; }
        let walk = walk_from(groups, number, row_at(words + 1u).z);
        if (walk.rests != 0u && !waits_for(groups, number)) { continue; }
        set_event_time(shifts.place, wide_add(mine.now, drawn_time(walk.law)));
        set_group_servers(words, 0u);
    }
}

fn left_in_turn(groups: Groups, number: u32) -> u32 {
    let before = row_at(group_at(site.id, number) + 1u);
    let list = list_of_turn(group_of(groups, number), before.z);
    if (list == NONE) { return 0u; }
    if (before.w != NONE) { return before.w; }
    return begun_turn(group_shifts_of(groups, number).bulk, list);
}

fn list_in_turn(groups: Groups, number: u32) -> u32 {
    let left = left_in_turn(groups, number);
    if (left == 0u) { return NONE; }
    let words = group_at(site.id, number);
    let turn = row_at(words + 1u).z;
    // Without a limit the number stays.
    set_class_of_turn(words, turn, left - select(1u, 0u, left == NONE));
    return list_of_turn(group_of(groups, number), turn);
}

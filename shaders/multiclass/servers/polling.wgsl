// multiclass/servers/polling: a server that goes round the lines of its classes: the twin of Oracle::polled. A group has the place of the class with
// which its server is, and how many more it serves in this turn.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::queues::lists::{is_empty, level_word, line_at};
import package::multiclass::rows::{row_at, set_row};
import package::multiclass::servers::bulk_rows::{bulk_of, bulk_turns};
import package::multiclass::servers::group_rows::{Group, Groups, class_of_group, group_at, group_of, group_shifts_of};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{links_of};
import walks::{list_in_turn, walks};
import word64::{wide};

// How a server goes round whose turn ends with those who waited at its beginning; other turns have a limit, or none.
const GATED: u32 = 2u;

// Whether the server that has taken a token last has gone to another class for it.
var<private> has_switched: bool;

// The list of the class at a place, or NONE where nobody is in it.
fn list_of_turn(group: Group, turn: u32) -> u32 {
    let list = class_of_group(group, turn).preferred;
    return select(list, NONE, is_empty(line_at(level_word(list))));
}

// How many a server serves at most in a turn that begins with a list.
fn begun_turn(row: u32, list: u32) -> u32 {
    if (bulk_of(row).polling != GATED) { return bulk_turns(row).limit; }
    var count = 0u;
    var token = line_at(level_word(list)).first;
    while (token != NONE) {
        count += 1u;
        token = links_of(token).behind;
    }
    return count;
}

fn polled_list(groups: Groups, number: u32) -> u32 {
    if (walks(group_shifts_of(groups, number).bulk)) { return list_in_turn(groups, number); }
    let group = group_of(groups, number);
    let words = group_at(site.id, number) + 1u;
    let before = row_at(words);
    var turn = before.z;
    var left = before.w;
    var list = NONE;
    if (left != 0u) { list = list_of_turn(group, turn); }
    for (var step = 1u; step <= group.serves && list == NONE; step += 1u) {
        turn = (before.z + step) % group.serves;
        list = list_of_turn(group, turn);
        if (list != NONE) { left = begun_turn(group_shifts_of(groups, number).bulk, list); }
    }
    if (list == NONE) { return NONE; }
    has_switched = turn != before.z;
    // Without a limit the number stays.
    set_row(words, vec4<u32>(before.x, before.y, turn, left - select(1u, 0u, left == NONE)));
    return list;
}

// How long a server has made ready for the class of the token that it has taken.
fn switching_time(bulk: u32) -> Time {
    let law = bulk_turns(bulk).switching;
    if (law == NONE || !has_switched) { return wide(0u, 0u); }
    return drawn_time(law);
}

// multiclass/control/decisions: what has been decided of a copy. A word that is out of range ends the run.
// Reads: parameters, model_table, decided. Writes: control.

import package::lib::faults::{raise};
import package::lib::wide::{wide_differs};
import package::multiclass::control::rows::{control_sizes, controlled_at, controlled_source_at, copy_clock};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::queues::lists::{is_empty, level_word, line_at};
import package::multiclass::rows::{copy_number};
import package::multiclass::servers::rules::{shift_at, shifts_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{server_counts, site, station_counts};

const FAULT_DECISION: u32 = 128u;

// The words of all copies, one copy behind the other.
var<storage, read> decided: array<u32>;
// Whether nothing has been decided of this copy yet: the words are those of the copy before, or none.
var<private> is_undecided: bool;

// A word of the decision, from 0 to `most`.
fn word_decided(number: u32, most: u32) -> u32 {
    if (is_undecided) { return 0u; }
    let word = decided[copy_number * control_sizes().words + number];
    if (word > most) { raise(FAULT_DECISION, copy_number); }
    return min(word, most);
}

// Whether a station is to have another number of servers. Where servers fail, those at work do not say how many are on duty.
fn servers_of_decision(id: u32) -> bool {
    let rules = controlled_at(id);
    if (rules.servers == NONE) { return false; }
    let servers = word_decided(rules.servers, shift_at(shifts_of(id).first).servers);
    return servers != server_counts(id).servers || rules.fails != 0u;
}

// Whether a station whose ranks are decided has a free server and somebody who waits.
fn order_can_serve(id: u32) -> bool {
    let number = controlled_at(id).ranks;
    if (number == NONE) { return false; }
    for (var class_of = 0u; class_of < plan.classes; class_of += 1u) { _ = word_decided(number + class_of, plan.classes); }
    let servers = server_counts(id);
    return servers.serving < servers.servers && servers.serving < station_counts(id).present;
}

// The servers of the open station in a shift that has so many.
fn servers_decided(servers: u32) -> u32 {
    let number = controlled_at(site.id).servers;
    if (number == NONE || is_undecided) { return servers; }
    return word_decided(number, servers);
}

// Where copies stop behind every event, who is served next is decided when a server is free: at the time of a decision alone tokens are served.
fn waits_for_decision() -> bool {
    if (control_sizes().by_event == 0u || controlled_at(site.id).ranks == NONE) { return false; }
    return wide_differs(mine.now, copy_clock().decision);
}

// Classes whose ranks are decided have lists of their own.
fn own_list(class_of: u32, level: u32) -> u32 { return select(class_of, level, controlled_at(site.id).ranks == NONE); }

// The list whose first token is served next: of the highest rank, of several the first. Who has rank 0 is not served.
fn list_decided(first: u32) -> u32 {
    let number = controlled_at(site.id).ranks;
    if (number == NONE) { return first; }
    var found = NONE;
    var highest = 0u;
    for (var class_of = 0u; class_of < plan.classes; class_of += 1u) {
        let rank = word_decided(number + class_of, plan.classes);
        if (rank <= highest || is_empty(line_at(level_word(class_of)))) { continue; }
        found = class_of;
        highest = rank;
    }
    return found;
}

fn turn_decided(turn: u32, count: u32) -> u32 {
    let number = controlled_at(site.id).route;
    if (number == NONE) { return turn; }
    return word_decided(number, count - 1u);
}

fn turn_of_source_decided(source: u32, turn: u32, count: u32) -> u32 {
    let number = controlled_source_at(source);
    if (number == NONE) { return turn; }
    return word_decided(number, count - 1u);
}

// multiclass/servers/bulks: servers that serve several tokens at once: the twin of src/queueing/reference/oracle/bulks.rs. The members of a
// batch are taken one by one; each has an event of its own at the end of the service, and the last one frees the server.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import constants::{IS_LEAN};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{place_of_event};
import package::multiclass::queues::lists::{level_word, line_at};
import package::multiclass::rows::{row_at, set_row, with_word};
import package::multiclass::servers::bulk_rows::{bulk_factor, bulk_of, bulk_turns};
import package::multiclass::servers::group_choice::{chosen_list};
import package::multiclass::servers::polling::{polled_list, switching_time};
import package::multiclass::servers::group_rows::{
    Groups, class_of_group, group_at, group_of, group_servers, group_shifts_of, group_times_of, longer_time,
};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{impatience_of};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{Numbers, links_of, numbers_of, set_about, set_numbers};
import walks::{left_in_turn, walks};
import word64::{wide_add};

// Others of its batch leave behind it. It is the bit of OUTSIDE: a station with groups seizes no units (src/queueing/check/groups.rs).
const SHARES: u32 = 0x08000000u;
const STAYS: u32 = 0xfffffffeu;    // in place of where tokens go that lose their patience

// The batch that is taken: how many are its members, how many of them are still in line, its row, and the service.
var<private> members: u32;
var<private> in_line: u32;
var<private> bulk: u32;
var<private> service: Time;

fn open_bulks() {
    members = 1u;
    in_line = 0u;
    bulk = NONE;
}

fn gathers(groups: Groups) -> bool { return groups.gathers != 0u; }

// How many tokens a group would serve at once now; 0 where it waits for more.
fn batch_of(groups: Groups, number: u32) -> u32 {
    let group = group_of(groups, number);
    let row = group_shifts_of(groups, number).bulk;
    if (walks(row)) { return min(left_in_turn(groups, number), 1u); }
    let rules = bulk_of(row);
    let has_wait = bulk_turns(row).has_wait != 0u;
    var count = 0u;
    var is_late = false;
    for (var place = 0u; place < group.serves && count < rules.most; place += 1u) {
        var token = line_at(level_word(class_of_group(group, place).preferred)).first;
        // Who has waited long enough has had its event.
        if (has_wait && token != NONE) { is_late = is_late || has_waited(token); }
        while (token != NONE && count < rules.most) {
            count += 1u;
            token = links_of(token).behind;
        }
    }
    return select(0u, count, count >= rules.least || is_late);
}

fn begins_batch(groups: Groups, group: u32) -> bool {
    if (!gathers(groups)) { return true; }
    bulk = group_shifts_of(groups, group).bulk;
    members = batch_of(groups, group);
    in_line = members;
    return members != 0u;
}

fn member_list(groups: Groups, group: u32) -> u32 {
    if (gathers(groups) && bulk_of(group_shifts_of(groups, group).bulk).polling != 0u) { return polled_list(groups, group); }
    return chosen_list(groups, group);
}

fn takes_more() -> bool { return in_line != 0u; }

fn takes_member() -> u32 {
    if (in_line == 0u) { return 0u; }
    in_line -= 1u;
    return select(0u, SHARES, in_line != 0u);
}

fn is_first_member() -> bool { return in_line + 1u == members; }
fn batch_time() -> Time { return service; }

fn time_by_batch(time: Time) -> Time {
    service = time;
    // Where one server is for several, or goes round.
    if (bulk == NONE) { return time; }
    let count = bulk_of(bulk).factors;
    if (count != 0u) { service = longer_time(time, bulk_factor(bulk, min(members, count) - 1u)); }
    service = wide_add(service, switching_time(bulk));
    return service;
}

fn shares_server(about: u32) -> bool { return (about & SHARES) != 0u; }

fn count_batch(words: u32) {
    if (bulk == NONE) { return; }
    let before = row_at(words + 1u);
    set_row(words + 1u, with_word(before, 1u, before.y + mine.counted));
}

fn group_for(groups: Groups, class_of: u32) -> u32 {
    var found = NONE;
    var least = NONE;
    for (var group = 0u; gathers(groups) && group < groups.count; group += 1u) {
        let preference = class_of_group(group_of(groups, group), class_of).preference;
        let words = group_at(site.id, group);
        if (preference < least && group_times_of(words).taken < group_servers(words) && batch_of(groups, group) != 0u) {
            found = group;
            least = preference;
        }
    }
    return found;
}

fn has_waited(token: u32) -> bool { return place_of_event(token) == NONE; }

fn waits_no_longer(token: u32) -> bool {
    if (impatience_of(site.id).reneges_to != STAYS) { return false; }
    let links = links_of(token);
    let numbers = numbers_of(token);
    if (IS_LEAN) { set_about(token, links.about, NONE); } else { set_numbers(token, Numbers(numbers.arrival, numbers.event, NONE, NONE)); }
    return true;
}

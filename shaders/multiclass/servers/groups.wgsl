// multiclass/servers/groups: groups of servers behind one line: the twin of src/queueing/reference/oracle/groups.rs. A token that is served has
// the number of its group beside its class. A station with groups has a list of waiting tokens for each class.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import constants::{IS_LEAN};
import breakdowns::{begin_breakdowns, open_breakdowns};
import bulks::{begins_batch, count_batch, gathers, group_for, is_first_member, member_list, open_bulks, shares_server, takes_member, takes_more};
import package::lib::pcg32::{Stream};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{Event};
import package::multiclass::queues::lists::{leave_list, level_word, line_at};
import package::multiclass::queues::waiting::{Guest, guest};
import package::multiclass::servers::group_choice::{free_group};
import package::multiclass::servers::group_rows::{
    Groups, class_of_group, count_taken, group_at, group_in, group_of, group_servers, group_times_of, groups_of,
    longer_time, notes_left, notes_taken,
};
import package::multiclass::servers::group_shifts::{begin_group_servers, next_group_shift};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{level_of};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS, GROUP, GROUP_BITS, is_interrupted, links_of, numbers_of, set_about};
import server_schedule::{has_server};
import walks::{begin_walks};

// The groups of the open station, and the one that may have a free server for waiting tokens, or NONE.
var<private> here: Groups;
var<private> may_serve: u32;

fn has_groups() -> bool { return here.count != 0u; }

fn begin_groups(id: u32, stream: ptr<function, Stream>) {
    begin_group_servers(id);
    begin_walks(id, stream);
    begin_breakdowns(id, stream);
}

fn open_groups() {
    here = groups_of(site.id);
    may_serve = NONE;
    open_bulks();
    open_breakdowns();
}

// The open station's guest has a server of a group.
fn takes(group: u32) {
    guest.about = (guest.about & ~GROUP) | (group << GROUP_BITS) | takes_member();
    let words = group_at(site.id, group);
    if (is_first_member()) {
        notes_taken(words);
        count_batch(words);
    }
    if (!is_interrupted(guest.about)) { count_taken(words, guest.about & CLASS, mine.counted); }
}

fn leaves_group(about: u32) {
    if (!has_groups() || shares_server(about)) { return; }
    may_serve = group_in(about);
    notes_left(group_at(site.id, may_serve));
}

fn finds_server(class_of: u32) -> bool {
    if (!has_groups()) { return has_server(); }
    if (gathers(here)) { return false; }
    let group = free_group(site.id, here, class_of);
    if (group == NONE) { return false; }
    takes(group);
    return true;
}

fn is_free_at(id: u32, class_of: u32, is_free: bool) -> bool {
    let groups = groups_of(id);
    if (groups.count == 0u) { return is_free; }
    return free_group(id, groups, class_of) != NONE;
}

fn list_of(about: u32) -> u32 {
    if (!has_groups()) { return level_of(about & CLASS); }
    return select(about & CLASS, plan.classes + group_in(about), is_interrupted(about));
}

fn looks_for_group(class_of: u32) {
    if (gathers(here)) { may_serve = group_for(here, class_of); }
}

fn gathers_here() -> bool { return has_groups() && gathers(here); }

fn take_for_group() -> u32 {
    if (may_serve == NONE) { return NONE; }
    let words = group_at(site.id, may_serve);
    if (!takes_more()) {
        if (group_times_of(words).taken >= group_servers(words) || !begins_batch(here, may_serve)) { return NONE; }
    }
    let list = member_list(here, may_serve);
    if (list == NONE) { return NONE; }
    let word = level_word(list);
    let line = line_at(word);
    let token = line.first;
    let links = links_of(token);
    var arrival = 0u;
    if (!IS_LEAN) { arrival = numbers_of(token).arrival; }
    guest = Guest(links.about, links.edge, arrival);
    leave_list(token, links, word, line);
    takes(may_serve);
    // The draw of the service writes these words where networks are not lean.
    if (IS_LEAN) { set_about(token, guest.about, links.edge); }
    return token;
}

fn law_by_group(law: u32, about: u32) -> u32 {
    if (!has_groups()) { return law; }
    return class_of_group(group_of(here, group_in(about)), about & CLASS).law;
}

fn time_by_group(time: Time, about: u32) -> Time {
    if (!has_groups()) { return time; }
    return longer_time(time, class_of_group(group_of(here, group_in(about)), about & CLASS).factor);
}

fn begin_group_shift(place: u32, event: Event) {
    may_serve = next_group_shift(here, place, event);
}

fn group_serves(group: u32) { may_serve = group; }

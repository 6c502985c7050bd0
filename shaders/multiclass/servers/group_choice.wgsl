// multiclass/servers/group_choice: which group takes a token that comes, and whom of those that wait a group takes.
// Reads: parameters, model_table, replication_state.

import breakdowns::{interrupted_list};
import package::multiclass::parameters::{NONE};
import package::multiclass::queues::lists::{is_empty, level_word, line_at};
import package::multiclass::queues::orders::{is_last};
import package::multiclass::servers::group_rows::{Groups, class_of_group, group_at, group_of, group_servers, group_times_of};

// The group with a free server that prefers a class most, of several the first; or NONE.
fn free_group(id: u32, groups: Groups, class_of: u32) -> u32 {
    var found = NONE;
    var least = NONE;
    for (var group = 0u; group < groups.count; group += 1u) {
        let preference = class_of_group(group_of(groups, group), class_of).preference;
        let words = group_at(id, group);
        if (preference < least && group_times_of(words).taken < group_servers(words)) {
            found = group;
            least = preference;
        }
    }
    return found;
}

// The list of the open station from which a group takes its next token, or NONE.
fn chosen_list(groups: Groups, number: u32) -> u32 {
    let held = interrupted_list(groups, number);
    if (held != NONE) { return held; }
    let group = group_of(groups, number);
    var found = NONE;
    for (var place = 0u; place < group.serves; place += 1u) {
        let list = class_of_group(group, place).preferred;
        let line = line_at(level_word(list));
        if (is_empty(line)) { continue; }
        if (group.in_line == 0u || group.serves == 1u) { return list; }
        if (found == NONE || is_last(line_at(level_word(found)).first, line.first)) { found = list; }
    }
    return found;
}

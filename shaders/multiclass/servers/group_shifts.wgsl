// multiclass/servers/group_shifts: how many servers a group has. The event of a group's shifts has the number of the shift in
// force as its token.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import breakdowns::{group_in_order};
import package::multiclass::pending::{Event, SHIFT, set_event};
import package::multiclass::rows::{station_at};
import package::multiclass::servers::group_rows::{
    Groups, group_at, group_of, group_servers, group_shifts_of, groups_of, set_group_servers,
};
import package::multiclass::servers::rules::{shift_at, shift_end};
import package::multiclass::stations::station::{ServerCounts, set_server_counts, site};

// The servers of a station with groups at time 0.
fn begin_group_servers(id: u32) {
    let groups = groups_of(id);
    var servers = 0u;
    for (var group = 0u; group < groups.count; group += 1u) {
        let shifts = group_shifts_of(groups, group);
        let first = group_of(groups, group).servers;
        if (shifts.count != 0u) { set_event(shifts.place, SHIFT | id, 0u, shift_end(shifts.first)); }
        set_group_servers(group_at(id, group), first);
        servers += first;
    }
    if (groups.count != 0u) { set_server_counts(station_at(id), ServerCounts(0u, servers, 0u, 0u)); }
}

// The next shift of a group of the open station begins, whose event is in a place. Returns the group.
fn next_group_shift(groups: Groups, place: u32, event: Event) -> u32 {
    var group = 0u;
    while (group_shifts_of(groups, group).place != place) { group += 1u; }
    let shifts = group_shifts_of(groups, group);
    let next = select(event.token + 1u, 0u, event.token + 1u == shifts.count);
    set_event(place, event.what, next, shift_end(shifts.first + next));
    let words = group_at(site.id, group);
    let servers = group_in_order(groups, group, shift_at(shifts.first + next).servers);
    site.rules.servers = site.rules.servers + servers - group_servers(words);
    set_group_servers(words, servers);
    return group;
}

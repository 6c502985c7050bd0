// multiclass/servers/breakdowns: servers of groups that fail: the twin of src/queueing/reference/oracle/breakdowns.rs. The event of a server has the
// number of the server at its station, and whether it is out of order. Who is interrupted waits in a list of its group, behind those of the classes.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::multiclass::parameters::{NONE, law_at, model_row, plan};
import package::multiclass::pending::{Event, FAILURE, event_at, event_of, set_event, set_event_time};
import package::multiclass::queues::lists::{is_empty, level_word, line_at};
import package::multiclass::queues::orders::{is_before, is_last};
import package::multiclass::rows::{set_back};
import package::multiclass::servers::group_rows::{
    Groups, group_at, group_in, group_of, group_servers, group_shifts_of, group_times_of, groups_of, set_group_servers,
};
import package::multiclass::servers::rules::{shift_at};
import package::multiclass::state::{mine};
import package::multiclass::stations::interruptions::{last_served};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{is_interrupted, links_of};
import word64::{wide_add};

// The laws of how long the servers of a group work and are out of order, or NONE; the place of the first server's event, and their number.
struct Breakdowns {
    works: u32,
    repairs: u32,
    place: u32,
    servers: u32,
}

fn breakdowns_of(groups: Groups, number: u32) -> Breakdowns {
    let row = model_row(groups.breakdowns + number);
    return Breakdowns(row.x, row.y, row.z, row.w);
}

// The place of a server that has changed, or 0, and the law of how long it stays so. The group that may have lost a server amid a service, or NONE.
var<private> broken: u32;
var<private> broken_law: u32;
var<private> short_group: u32;

fn open_breakdowns() { short_group = NONE; }

fn begin_breakdowns(id: u32, stream: ptr<function, Stream>) {
    let groups = groups_of(id);
    if (groups.breakdowns == 0u) { return; }
    var server = 0u;
    for (var number = 0u; number < groups.count; number += 1u) {
        let of_group = breakdowns_of(groups, number);
        for (var own = 0u; own < of_group.servers && of_group.works != NONE; own += 1u) {
            set_event(of_group.place + own, FAILURE | id, (server + own) << 1u, service_time(law_at(of_group.works), stream));
        }
        server += of_group.servers;
    }
}

// How many servers of a group are on duty, in order or not.
fn group_on_duty(groups: Groups, number: u32) -> u32 {
    let shifts = group_shifts_of(groups, number);
    if (shifts.count == 0u) { return group_of(groups, number).servers; }
    return shift_at(shifts.first + event_of(shifts.place).token).servers;
}

fn group_in_order(groups: Groups, number: u32, on_duty: u32) -> u32 {
    if (groups.breakdowns == 0u) { return on_duty; }
    let of_group = breakdowns_of(groups, number);
    var servers = on_duty;
    for (var own = 0u; own < on_duty && of_group.works != NONE; own += 1u) { servers -= event_of(of_group.place + own).token & 1u; }
    return servers;
}

fn down_in_groups() -> u32 {
    let groups = groups_of(site.id);
    var down = 0u;
    for (var number = 0u; number < groups.count && groups.breakdowns != 0u; number += 1u) {
        if (breakdowns_of(groups, number).works == NONE) { continue; }
        let words = group_at(site.id, number);
        let on_duty = group_on_duty(groups, number);
        down += on_duty - max(group_servers(words), min(group_times_of(words).taken, on_duty));
    }
    return down;
}

fn breaks_down(place: u32, event: Event) -> u32 {
    let groups = groups_of(site.id);
    var number = 0u;
    var of_group = breakdowns_of(groups, number);
    while (of_group.works == NONE || place < of_group.place || place >= of_group.place + of_group.servers) {
        number += 1u;
        of_group = breakdowns_of(groups, number);
    }
    let is_repaired = (event.token & 1u) != 0u;
    set_back(event_at(place), event.what, event.token ^ 1u);
    broken = place;
    broken_law = select(of_group.repairs, of_group.works, is_repaired);
    let words = group_at(site.id, number);
    let servers = group_in_order(groups, number, group_on_duty(groups, number));
    site.rules.servers = site.rules.servers + servers - group_servers(words);
    set_group_servers(words, servers);
    short_group = select(number, NONE, is_repaired);
    return select(NONE, number, is_repaired);
}

fn draws_breakdown() {
    if (broken == 0u) { return; }
    set_event_time(broken, wide_add(mine.now, drawn_time(broken_law)));
    broken = 0u;
}

fn next_paused_of() -> u32 {
    if (short_group == NONE) { return NONE; }
    let words = group_at(site.id, short_group);
    if (group_times_of(words).taken > group_servers(words)) { return last_served(); }
    short_group = NONE;
    return NONE;
}

fn may_pause(token: u32) -> bool { return short_group == NONE || group_in(links_of(token).about) == short_group; }

// Those that a group has interrupted may be of several priorities.
fn is_ahead(token: u32, other: u32, about: u32) -> bool {
    if (!is_interrupted(about)) { return is_before(token, other); }
    return is_last(other, token);
}

fn interrupted_list(groups: Groups, number: u32) -> u32 {
    let list = plan.classes + number;
    if (groups.breakdowns == 0u || is_empty(line_at(level_word(list)))) { return NONE; }
    return list;
}

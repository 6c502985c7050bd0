// multiclass/stations/interruptions: which services at the open station are interrupted.
// Reads and writes: replication_state.

import constants::{HAS_ORDERS};
import breakdowns::{may_pause};
import fold::{folds_end};
import groups::{leaves_group};
import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, event_of, hole, take_event};
import package::multiclass::queues::orders::{SHORTEST_JOB, SHORTEST_REMAINING, is_last};
import package::multiclass::queues::waiting::{guest, join_queue};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{OF_ALL, level_of};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::account_rows::{count_preempted};
import package::multiclass::statistics::accounts::{Served, account_of, enter_service};
import package::multiclass::tokens::{
    CLASS, INTERRUPTED, Interruption, interruption_of, is_interrupted, links_of, numbers_of, service_of, set_about, set_interruption, times_of,
};
import repeats::{served_from};
import shares::{has_clock, last_by_clock, part};
import units::{loses_units};
import wear::{let_go, put_down};
import word64::{wide, wide_add, wide_less, wide_sub};

// The token at the open station whose service is to be interrupted, or NONE.
var<private> paused: u32;
// When the service of the last one in service ends.
var<private> last_end: Time;

// Whether a token whose service ends at a time is behind another one in the order of service: where the least that is left decides, by the ends.
fn ends_behind(token: u32, end: Time, last: u32) -> bool {
    if (!HAS_ORDERS || site.rules.order != SHORTEST_REMAINING) { return is_last(token, last); }
    let level = level_of(links_of(token).about & CLASS);
    let last_level = level_of(links_of(last).about & CLASS);
    if (level != last_level) { return level > last_level; }
    if (wide_differs(end, last_end)) { return wide_less(last_end, end); }
    return numbers_of(token).arrival > numbers_of(last).arrival;
}

// The last in the order of service of those that the open station serves, or NONE.
fn last_served() -> u32 {
    if (has_clock()) { return last_by_clock(); }
    var last = NONE;
    for (var place = plan.fixed; place < mine.pending; place += 1u) {
        let event = event_of(place);
        if (place == hole || event.what != (DEPARTURE | site.id)) { continue; }
        if (!may_pause(event.token) || (last != NONE && !ends_behind(event.token, event.time, last))) { continue; }
        last = event.token;
        last_end = event.time;
    }
    return last;
}

// Interrupts a service: its token waits for the rest of it.
fn pause(token: u32) {
    let links = links_of(token);
    let account = account_of(links.about & CLASS);
    let begin = served_from(token, links.about, times_of(token).arrived);
    let work = service_of(token);
    var since = begin;
    if (is_interrupted(links.about)) { since = interruption_of(token).since; }
    enter_service(account, token, Served(links.about & ~CLASS, begin, since, work.start, work.service), wide(0u, 0u), 0u, 0u);
    count_preempted(account, mine.counted);
    var left: Time;
    if (has_clock()) { left = part(token); } else { left = wide_sub(take_event(token), mine.now); }
    set_interruption(token, Interruption(left, mine.now));
    site.serving -= 1u;
    folds_end(links.about & CLASS);
    loses_units(token);
    put_down(token);
    let_go(token);
    leaves_group(links.about);
    // In line what is left of it may decide.
    if (HAS_ORDERS) { set_about(token, links.about | INTERRUPTED, links.edge); }
    join_queue(token, links.about | INTERRUPTED, links.edge);
}

// Whether a token of the same priority that joins the line is before the last one in service, which it then interrupts. It may have come earlier,
// and got its units now.
fn goes_before(token: u32, last: u32) -> bool {
    if (!HAS_ORDERS) { return true; }
    let has_come_later = numbers_of(last).arrival < guest.arrival;
    let own_service = service_of(token).service;
    if (site.rules.order == SHORTEST_JOB) {
        let other = service_of(last).service;
        return wide_less(own_service, other) || (!has_come_later && !wide_less(other, own_service));
    }
    if (site.rules.order == SHORTEST_REMAINING) { return wide_less(wide_add(mine.now, own_service), last_end); }
    return has_come_later;
}

// Whether a token of this priority interrupts the last token in the order of service, which is paused then.
fn interrupts(token: u32, level: u32) -> bool {
    let last = last_served();
    if (last == NONE) { return false; }
    let last_level = level_of(links_of(last).about & CLASS);
    if (level > last_level) { return false; }
    if (level == last_level && (site.rules.preemption != OF_ALL || !goes_before(token, last))) { return false; }
    paused = last;
    return true;
}

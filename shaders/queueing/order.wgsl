// queueing/order: the contract's order of arrivals at a station: by time, then by the station that they come from
// (tokens of sources last), then by the order in which that station let them go.

import package::engine::schedule::{next_event};
import package::lib::time::{Time};
import package::queueing::comes_from::{precedes};
import package::queueing::links::{link_of, set_link};
import inbox_order::{ordered};
import precedence::{comes_before};

// The first entity of an inbox or of its rest, when it arrives, and the link of the others.
struct Next {
    entity: u32,
    time: Time,
    rest: u32,
}

// The inbox in order, from the last entity that was put in, its time and its link. Most inboxes hold one entity, some
// two.
fn first_of(last: u32, time: Time, rest: u32) -> Next {
    if (rest == 0u) { return Next(last, time, 0u); }
    let other = rest - 1u;
    let other_time = next_event[other];
    let others = link_of(other);
    if (others != 0u) { return next_in(ordered(last + 1u)); }
    if (!comes_before(other, other_time, last, time)) { return Next(last, time, rest); }
    set_link(other, last + 1u);
    set_link(last, 0u);
    return Next(other, other_time, last + 1u);
}

fn next_in(list: u32) -> Next { return Next(list - 1u, next_event[list - 1u], link_of(list - 1u)); }

// The ordered list with one more entity.
fn inserted(entity: u32, list: u32) -> u32 {
    if (precedes(entity, list - 1u)) {
        set_link(entity, list);
        return entity + 1u;
    }
    var before = list - 1u;
    var after = link_of(before);
    while (after != 0u && !precedes(entity, after - 1u)) {
        before = after - 1u;
        after = link_of(before);
    }
    set_link(entity, after);
    set_link(before, entity + 1u);
    return list;
}

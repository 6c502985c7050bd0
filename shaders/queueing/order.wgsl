// queueing/order: the contract's order of arrivals at a station: by time, then by the station that they come from (those
// of sources last), then by the order in which that station let them go.

// The first entity of an inbox or what is left of it, when it arrives, and the link of the others.
struct Next {
    entity: u32,
    time: Time,
    rest: u32,
}

// The inbox in order, from the last entity that was put in, its time and its link. Most hold one, some two.
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

// Whether entity a comes before b.
fn precedes(a: u32, b: u32) -> bool { return comes_before(a, next_event[a], b, next_event[b]); }

fn comes_before(a: u32, time_a: Time, b: u32, time_b: Time) -> bool {
    if (wide_differs(time_a, time_b)) { return wide_less(time_a, time_b); }
    let from_a = comes_from(a);
    let from_b = comes_from(b);
    if (from_a != from_b) { return from_a < from_b; }
    // Two tokens of one station: by departure, then by the order in which their services started.
    let visit_a = tokens[2u * a + 1u];
    let visit_b = tokens[2u * b + 1u];
    let left_a = wide_sub(time_a, delay_of(visit_a.y));
    let left_b = wide_sub(time_b, delay_of(visit_b.y));
    if (wide_differs(left_a, left_b)) { return wide_less(left_a, left_b); }
    return visit_a.z < visit_b.z;
}

fn comes_from(entity: u32) -> u32 {
    if (is_source(entity)) { return OUTSIDE | entity; }
    return tokens[2u * entity + 1u].x;
}

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

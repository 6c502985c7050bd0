// queueing/appoint_round: how rounds of appointments begin and end. Two rounds, with PARITY 0 and 1, are one of the host's.
// Reads and writes: control. Reads: summaries.

const BLOCK: u32 = WORKGROUP * ELEMENTS;

// The earliest arrival that is not decided yet, the same in every lane of every workgroup.
fn earliest_pending(lane: u32) -> Time {
    let row = PARITY * control.blocks;
    var earliest = never();
    for (var i = lane; i < control.blocks; i += WORKGROUP) { earliest = wide_minimum(earliest, summaries[row + i]); }
    return workgroup_minimum(lane, earliest);
}

// Whether this round has something to do: the first of a pair decides for both.
fn goes_on(earliest: Time) -> bool {
    if (PARITY == 1u) { return control.running != 0u; }
    return wide_less(earliest, control.limit) && atomicLoad(&control.fault) == 0u;
}

// Up to when the clock has come: the status is not left with an earlier one.
fn clock_of(earliest: Time) -> Time {
    if (PARITY == 1u) { return control.bound; }
    return earliest;
}

// The first workgroup writes down how far the run is.
fn keep_count(earliest: Time, running: bool) {
    if (PARITY == 1u) {
        if (running) { control.finished = control.round; }
        return;
    }
    control.events = wide_add(control.events, wide(atomicExchange(&control.selected, 0u), 0u));
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    if (running) {
        control.bound = wide_maximum(control.bound, earliest);
        control.round = control.finished + 1u;
    } else if (atomicLoad(&control.fault) == 0u) {
        control.bound = control.limit;
    }
}

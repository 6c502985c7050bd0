// queueing/appoint_round: how rounds of appointments begin and end. Two rounds, with PARITY 0 and 1, are one round of the
// host.
// Reads and writes: control, summaries.

import package::lib::control::{control};
import package::lib::summaries::{summaries};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum, wide_minimum, wide_shift_right};
import constants::{PARITY, WORKGROUP};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_sub};
import workgroup::{workgroup_minimum};

// The parity of the rounds before and after this one.
const OTHER: u32 = 1u - PARITY;

var<private> pending: Time;     // the earliest arrival that this thread has left or sent
var<private> visits: u32;       // visits that this thread has decided
var<private> working: u32;      // stations for which it has decided some
var<private> furthest: u32;     // the furthest beyond the earliest arrival, in units of 2^scale ticks
var<workgroup> visits_all: atomic<u32>;
var<workgroup> working_all: atomic<u32>;
var<workgroup> furthest_all: atomic<u32>;

// The earliest arrival that is not decided yet, the same in every lane of every workgroup.
fn earliest_pending(lane: u32) -> Time {
    let row = PARITY * control.blocks;
    var earliest = never();
    for (var i = lane; i < control.blocks; i += WORKGROUP) { earliest = wide_minimum(earliest, summaries[row + i]); }
    return workgroup_minimum(lane, earliest);
}

// Whether this round has work: the first of a pair decides for both. All workgroups must agree, and a workgroup may raise
// a fault before others have begun: the fault word of the pair before counts.
fn goes_on(earliest: Time) -> bool {
    if (PARITY == 1u) { return control.running != 0u; }
    return wide_less(earliest, control.limit) && control.halted == 0u;
}

// The time that the clock has reached; the clock of the status never goes back.
fn clock_of(earliest: Time) -> Time {
    if (PARITY == 1u) { return control.bound; }
    return earliest;
}

// The caller has a barrier behind this call.
fn begin_round(lane: u32) {
    pending = never();
    visits = 0u;
    working = 0u;
    furthest = 0u;
    if (lane == 0u) {
        atomicStore(&visits_all, 0u);
        atomicStore(&working_all, 0u);
        atomicStore(&furthest_all, 0u);
    }
}

// Counts a visit of an arrival at a time, which is no earlier than the earliest of all.
fn count_visit(time: Time, earliest: Time) {
    visits += 1u;
    let beyond = wide_sub(time, earliest);
    let low = wide_low(wide_shift_right(beyond, control.model.scale));
    furthest = max(furthest, select(0xffffffffu, low, (wide_high(beyond) >> control.model.scale) == 0u));
}

fn end_round(block: u32, lane: u32, running: bool) {
    if (visits != 0u) {
        atomicAdd(&visits_all, visits);
        atomicAdd(&working_all, working);
        atomicMax(&furthest_all, furthest);
    }
    let least = workgroup_minimum(lane, pending);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[(1u - PARITY) * control.blocks + block] = least;
    atomicAdd(&control.selected, atomicLoad(&visits_all));
    atomicAdd(&control.model.working, atomicLoad(&working_all));
    atomicMax(&control.model.drift, atomicLoad(&furthest_all));
}

// The first workgroup writes down the progress of the run.
fn write_status(earliest: Time, running: bool) {
    if (PARITY == 1u) {
        if (running) { control.finished = control.round; }
        control.halted = atomicLoad(&control.fault);
        return;
    }
    control.events = wide_add(control.events, wide(atomicExchange(&control.selected, 0u), 0u));
    control.model.worked = wide_add(control.model.worked, wide(atomicExchange(&control.model.working, 0u), 0u));
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    if (running) {
        control.bound = wide_maximum(control.bound, earliest);
        control.round = control.finished + 1u;
    } else if (control.halted == 0u) {
        control.bound = control.limit;
    }
}

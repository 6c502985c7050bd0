// multiclass/servers/rules: what the model table says of servers that change.
// Reads: parameters, model_table.

import package::lib::time::{Time, never};
import package::multiclass::parameters::{plan, model_row};
import package::multiclass::state::{mine};
import word64::{wide, wide_add, wide_high};

// First row and number of the shifts of a station, and the place of their event; INTERRUPTS where ends of shifts interrupt services,
// WEARS where servers fail by use (then without shifts), or 0.
struct Shifts {
    first: u32,
    count: u32,
    place: u32,
    kind: u32,
}

const INTERRUPTS: u32 = 1u;

fn shifts_of(id: u32) -> Shifts {
    let row = model_row(plan.server_schedule + 2u * id);
    return Shifts(row.x, row.y, row.z, row.w);
}

// The laws of how long the servers of a station work and are out of order, the place of the first server's event, and their number.
struct Failures {
    works: u32,
    repairs: u32,
    place: u32,
    servers: u32,
}

fn failures_of(id: u32) -> Failures {
    let row = model_row(plan.server_schedule + 2u * id + 1u);
    return Failures(row.x, row.y, row.z, row.w);
}

// How long a shift lasts, or never; its servers; the most servers of it and those to come.
struct Shift {
    length: Time,
    servers: u32,
    most: u32,
}

fn shift_at(number: u32) -> Shift {
    let row = model_row(number);
    return Shift(wide(row.x, row.y), row.z, row.w);
}

// When the shift of a row ends, if it begins now; never where that is 2^63 or later.
fn shift_end(row: u32) -> Time {
    let length = shift_at(row).length;
    let end = wide_add(mine.now, length);
    if (((wide_high(length) | wide_high(end)) >> 31u) != 0u) { return never(); }
    return end;
}

// The law of set-up times, of vacations, or of the start of servers on standby of a station, or NONE; SETS_UP, HAS_TOKENS, CALLS_OFF and ON_STANDBY; the place of the first server's
// event, and the number of servers.
struct Absences {
    law: u32,
    about: u32,
    place: u32,
    servers: u32,
}

fn absences_of(id: u32) -> Absences {
    let row = model_row(plan.absences + id);
    return Absences(row.x, row.y, row.z, row.w);
}

// multiclass/resources/unit_changes: units of resources come and go, by shifts and where they fail: the twin of
// src/queueing/reference/oracle/unit_changes.rs. What happens to them is an event of the first station that seizes some. The event of a shift
// has the number of the shift in force, that of a unit twice its place, and one more where the unit is out of order.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::multiclass::parameters::{law_at, model_row, plan};
import package::multiclass::pending::{Event, FAILURE, SHIFT, event_of, set_event};
import package::multiclass::resources::resources::{ResourceUse, change_free, resource_use, set_resource_use};
import package::multiclass::resources::rules::{all_units_of};
import package::multiclass::servers::rules::{shift_at, shift_end};
import package::multiclass::state::{mine};
import package::multiclass::stations::service::{drawn_time};
import word64::{wide_add};

// In the token of an event of a unit: servers that fail come first.
const OF_UNIT: u32 = 0x80000000u;

// First row and number of the shifts of a resource, the place of their event, and the station where it happens.
struct UnitShifts {
    first: u32,
    count: u32,
    place: u32,
    keeper: u32,
}

fn unit_shifts_of(kind: u32) -> UnitShifts {
    let row = model_row(plan.seizing + plan.seizing_count + 2u * kind);
    return UnitShifts(row.x, row.y, row.z, row.w);
}

// The laws of how long units of a resource are in order and out of it, the place of the first unit's event, and the number of such units.
struct UnitFailures {
    works: u32,
    repairs: u32,
    place: u32,
    units: u32,
}

fn unit_failures_of(kind: u32) -> UnitFailures {
    let row = model_row(plan.seizing + plan.seizing_count + 2u * kind + 1u);
    return UnitFailures(row.x, row.y, row.z, row.w);
}

fn units_off_at_first(kind: u32) -> u32 {
    let shifts = unit_shifts_of(kind);
    if (shifts.count == 0u) { return 0u; }
    return all_units_of(kind).units - shift_at(shifts.first).servers;
}

fn begin_unit_changes(id: u32, stream: ptr<function, Stream>) {
    for (var kind = 0u; kind < plan.resources; kind += 1u) {
        let shifts = unit_shifts_of(kind);
        if (shifts.keeper != id) { continue; }
        if (shifts.count != 0u) { set_event(shifts.place, SHIFT | id, 0u, shift_end(shifts.first)); }
        let failures = unit_failures_of(kind);
        for (var place = failures.place; place < failures.place + failures.units; place += 1u) {
            set_event(place, FAILURE | id, OF_UNIT | (place << 1u), service_time(law_at(failures.works), stream));
        }
    }
}

fn changes_units(place: u32, event: Event) -> bool {
    for (var kind = 0u; kind < plan.resources; kind += 1u) {
        let shifts = unit_shifts_of(kind);
        let failures = unit_failures_of(kind);
        if (shifts.count != 0u && place == shifts.place) {
            let next = select(event.token + 1u, 0u, event.token + 1u == shifts.count);
            set_event(place, event.what, next, shift_end(shifts.first + next));
        } else if (place >= failures.place && place < failures.place + failures.units) {
            let law = select(failures.repairs, failures.works, (event.token & 1u) != 0u);
            set_event(place, event.what, event.token ^ 1u, wide_add(mine.now, drawn_time(law)));
        } else {
            continue;
        }
        count_units(kind, shifts, failures);
        return true;
    }
    return false;
}

// How many units are there now: those of the shift that are in order.
fn count_units(kind: u32, shifts: UnitShifts, failures: UnitFailures) {
    let all = all_units_of(kind).units;
    var of_shift = all;
    if (shifts.count != 0u) { of_shift = shift_at(shifts.first + event_of(shifts.place).token).servers; }
    var off = all - of_shift;
    for (var unit = 0u; unit < min(of_shift, failures.units); unit += 1u) {
        off += event_of(failures.place + unit).token & 1u;
    }
    change_free(kind, (resource_use(kind).off_mark >> 1u) - off, 0u);
    let integral = resource_use(kind);
    set_resource_use(kind, ResourceUse(integral.used, integral.upper, off << 1u));
}

// Below 0 where tokens hold more than are there.
const BELOW_ZERO: u32 = 0x80000000u;

fn given_freely(free: u32) -> u32 { return select(free, 0u, free >= BELOW_ZERO); }

// multiclass/resources/resources: how many units of a resource are free. A resource has two rows: free units, grants, and the time up to
// which the integral of the units in use is; then the integral, of 96 bits, and a mark with how many units are not there.
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::resources::rules::{all_units_of};
import package::multiclass::rows::{record_at, row_at, set_row};
import package::multiclass::sharing::clock::{Clock, clock_add, clock_product};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import unit_changes::{given_freely};
import word64::{Wide, wide, wide_high, wide_less, wide_low, wide_sub};

fn resource_at(kind: u32) -> u32 { return record_at(plan.resources_at, kind, 2u); }

struct Resource {
    free: u32,
    grants: u32,
    since: Time,
}

fn resource_of(kind: u32) -> Resource {
    let row = row_at(resource_at(kind));
    return Resource(row.x, row.y, wide(row.z, row.w));
}

// The integral, whose upper word is above the lower 64 bits; and twice how many units are not there, with 1 more where the resource is
// marked.
struct ResourceUse {
    used: Wide,
    upper: u32,
    off_mark: u32,
}

fn resource_use(kind: u32) -> ResourceUse {
    let row = row_at(resource_at(kind) + 1u);
    return ResourceUse(wide(row.x, row.y), row.z, row.w);
}

fn set_resource_use(kind: u32, row: ResourceUse) {
    set_row(resource_at(kind) + 1u, vec4<u32>(wide_low(row.used), wide_high(row.used), row.upper, row.off_mark));
}

// The units of a resource that may be given to a token.
fn free_units(kind: u32) -> u32 { return given_freely(resource_of(kind).free); }

// Whether there may be more units of a resource than now.
fn more_may_come(kind: u32) -> bool {
    return all_units_of(kind).is_delivered != 0u || resource_use(kind).off_mark > 1u;
}

// Changes the free units of a resource from now on.
fn change_free(kind: u32, change: u32, grants: u32) {
    let before = resource_of(kind);
    let since = wide_maximum(before.since, plan.warmup);
    if (wide_less(since, mine.now)) {
        let integral = resource_use(kind);
        let in_use = all_units_of(kind).units - before.free - (integral.off_mark >> 1u);
        let sum = clock_add(Clock(integral.used, integral.upper), clock_product(wide_sub(mine.now, since), in_use));
        set_resource_use(kind, ResourceUse(sum.low, sum.high, integral.off_mark));
    }
    if (before.grants + grants == NONE) { raise(FAULT_COUNT, site.id); }
    set_row(resource_at(kind), vec4<u32>(before.free + change, before.grants + grants, wide_low(mine.now), wide_high(mine.now)));
}

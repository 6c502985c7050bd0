// multiclass/resources/resources: how many units of a resource are free. A resource has two rows: free units, grants, and up to when the integral of
// units in use is; that integral, of 96 bits, and a mark.
// Reads: parameters, structure. Reads and writes: held.

import package::lib::faults::{raise};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::resources::rules::{all_units_of};
import package::multiclass::sharing::clock::{Clock, clock_add, clock_product};
import package::multiclass::state::{mine, record_at, row_at, set_row};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import word64::{wide, wide_high, wide_less, wide_low, wide_sub};

fn resource_at(kind: u32) -> u32 { return record_at(plan.resources_at, kind, 2u); }

// So many units of a resource more are free, or fewer, from now on.
fn change_free(kind: u32, change: u32, grants: u32) {
    let row = resource_at(kind);
    let a = row_at(row);
    let since = wide_maximum(wide(a.z, a.w), plan.warmup);
    if (wide_less(since, mine.now)) {
        let b = row_at(row + 1u);
        let used = all_units_of(kind) - a.x;
        let sum = clock_add(Clock(wide(b.x, b.y), b.z), clock_product(wide_sub(mine.now, since), used));
        set_row(row + 1u, vec4<u32>(wide_low(sum.low), wide_high(sum.low), sum.high, b.w));
    }
    if (a.y + grants == NONE) { raise(FAULT_COUNT, site.id); }
    set_row(row, vec4<u32>(a.x + change, a.y + grants, wide_low(mine.now), wide_high(mine.now)));
}

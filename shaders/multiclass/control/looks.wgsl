// multiclass/control/looks: numbers of a copy, and what is seen of them at a decision.
//
// In `seen` lie what is observed of every copy, what each has earned since the decision before, in ticks where it is earned over time, the
// time of the decision, and 1 where the copy is at its horizon: see src/queueing/control/seen.rs.
//
// Reads: replication_state, near_rows. Reads and writes: seen and copy_state, of this thread's copy only.

import package::lib::time::{Time};
import package::multiclass::control::rows::{Earned, Looked, control_sizes, earned_at, looked_row, set_earned};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::class_counts::{class_counts};
import package::multiclass::routes::leave::{sink_at};
import package::multiclass::rows::{account_at, copy_number, either_record_at};
import package::multiclass::stations::station::{server_counts, station_counts};
import package::multiclass::statistics::account_rows::{account_counts, account_leavers};
import word64::{wide, wide_high, wide_low};

// Tokens there, waiting, in service; servers at work. Kinds from OVER_TIME on are counts, which are earned by how much they grow: services that
// have ended, tokens that found no room, lost their patience, or left by a sink.
const PRESENT: u32 = 0u;
const WAITING: u32 = 1u;
const SERVING: u32 = 2u;
const SERVERS: u32 = 3u;
const OVER_TIME: u32 = 4u;
const COMPLETED: u32 = 4u;
const RENEGED: u32 = 6u;
const LEFT: u32 = 7u;

var<storage, read_write> seen: array<u32>;

// Of a class at a station or a sink.
fn count_of_class(kind: u32, place: u32, class_of: u32) -> u32 {
    if (kind == PRESENT) { return class_counts(place, class_of).present; }
    if (kind == LEFT) {
        return sink_at(either_record_at(plan.near_sinks, plan.sinks_at, place * plan.classes + class_of, 2u)).tokens;
    }
    let account = account_at(place, class_of);
    if (kind == RENEGED) { return account_leavers(account).reneged; }
    let counts = account_counts(account);
    return select(counts.losses, counts.completions, kind == COMPLETED);
}

fn count_of(looked: Looked) -> u32 {
    if (looked.class_of != NONE) { return count_of_class(looked.kind, looked.place, looked.class_of); }
    if (looked.kind < OVER_TIME) {
        let servers = server_counts(looked.place);
        if (looked.kind == SERVERS) { return servers.servers; }
        if (looked.kind == SERVING) { return servers.serving; }
        return station_counts(looked.place).present - select(0u, servers.serving, looked.kind == WAITING);
    }
    var sum = 0u;
    for (var class_of = 0u; class_of < plan.classes; class_of += 1u) { sum += count_of_class(looked.kind, looked.place, class_of); }
    return sum;
}

fn see_wide(at: u32, value: Time) {
    seen[at] = wide_low(value);
    seen[at + 1u] = wide_high(value);
}

// What is earned begins anew. Nothing has been earned before the first decision.
fn see(clock: Time, ends: bool, is_first: bool) {
    let sizes = control_sizes();
    let copies = plan.replications;
    for (var number = 0u; number < sizes.observed; number += 1u) {
        seen[copy_number * sizes.observed + number] = count_of(looked_row(number));
    }
    var begin = (copies * sizes.observed + 1u) & ~1u;
    for (var number = 0u; number < sizes.earned; number += 1u) {
        let looked = looked_row(sizes.observed + number);
        let before = earned_at(number);
        var earned = before.sum;
        var count = 0u;
        if (looked.kind >= OVER_TIME) {
            count = count_of(looked);
            earned = wide(count - before.count, 0u);
        }
        if (is_first) { earned = wide(0u, 0u); }
        see_wide(begin + 2u * (copy_number * sizes.earned + number), earned);
        set_earned(number, Earned(wide(0u, 0u), count));
    }
    begin += 2u * copies * sizes.earned;
    see_wide(begin + 2u * copy_number, clock);
    seen[begin + 2u * copies + copy_number] = select(0u, 1u, ends);
}

// multiclass/routes/class_counts: how many tokens of each class are at a station, and on their way there with reserved room: the first
// two numbers of the last row of the class's account.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::multiclass::parameters::{plan};
import package::multiclass::routes::rules::{limit_of};
import package::multiclass::sharing::clock::{Clock, clock_add, clock_product};
import package::multiclass::state::{front_at, record_at, set_front};
import package::multiclass::stations::station::{site};
import word64::{wide};

fn counts_at(id: u32, class_of: u32) -> u32 {
    return record_at(plan.accounts_at, id * plan.classes + class_of, plan.account_rows) + plan.account_rows - 1u;
}

fn change_counts(id: u32, class_of: u32, change: vec2<u32>) {
    let row = counts_at(id, class_of);
    let counts = front_at(row) + change;
    set_front(row, counts.x, counts.y);
}

// The open station has one token of a class more; below, one fewer.
fn class_comes(class_of: u32) { change_counts(site.id, class_of, vec2<u32>(1u, 0u)); }
fn class_goes(class_of: u32) { change_counts(site.id, class_of, vec2<u32>(0xffffffffu, 0u)); }

// Room is reserved for a token of a class; below, no longer as the token is there.
fn class_expected(goal: u32, class_of: u32) { change_counts(goal, class_of, vec2<u32>(0u, 1u)); }
fn class_came(class_of: u32) { change_counts(site.id, class_of, vec2<u32>(0u, 0xffffffffu)); }

// Whether a station has no room for another token of a class with room of its own.
fn is_full_of(id: u32, class_of: u32) -> bool {
    let counts = front_at(counts_at(id, class_of));
    return counts.x + counts.y >= limit_of(id, class_of).capacity;
}

// Whether any class has room of its own.
fn limits_classes() -> bool { return true; }

// The expected work of the tokens at a station.
fn work_at(id: u32) -> Clock {
    var work = Clock(wide(0u, 0u), 0u);
    for (var class_of = 0u; class_of < plan.classes; class_of += 1u) {
        let limit = limit_of(id, class_of);
        if (limit.servers == 0u) { return work; }
        work = clock_add(work, clock_product(limit.mean, front_at(counts_at(id, class_of)).x));
    }
    return work;
}

// The servers that do this work.
fn workers_of(id: u32) -> u32 { return max(limit_of(id, 0u).servers, 1u); }

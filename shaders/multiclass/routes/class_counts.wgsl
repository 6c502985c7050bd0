// multiclass/routes/class_counts: how many tokens of each class are at a station, and on their way there with reserved room: the first
// two numbers of the last row of the class's account.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::multiclass::parameters::{plan};
import package::multiclass::routes::rules::{limit_of};
import package::multiclass::rows::{account_at, front_at, set_front};
import package::multiclass::sharing::clock::{Clock, clock_add, clock_product};
import package::multiclass::stations::station::{site};
import word64::{wide};

fn counts_at(id: u32, class_of: u32) -> u32 {
    return account_at(id, class_of) + plan.account_rows - 1u;
}

// How many are there, and on their way.
struct ClassCounts {
    present: u32,
    coming: u32,
}

fn class_counts(id: u32, class_of: u32) -> ClassCounts {
    let pair = front_at(counts_at(id, class_of));
    return ClassCounts(pair.x, pair.y);
}

fn change_counts(id: u32, class_of: u32, present_more: u32, coming_more: u32) {
    let before = class_counts(id, class_of);
    set_front(counts_at(id, class_of), before.present + present_more, before.coming + coming_more);
}

// A token of a class more is at the open station, or one fewer.
fn class_comes(class_of: u32) { change_counts(site.id, class_of, 1u, 0u); }
fn class_goes(class_of: u32) { change_counts(site.id, class_of, 0xffffffffu, 0u); }

// Room waits for one, or does so no longer as it is there.
fn class_expected(goal: u32, class_of: u32) { change_counts(goal, class_of, 0u, 1u); }
fn class_came(class_of: u32) { change_counts(site.id, class_of, 0u, 0xffffffffu); }

// Whether a station has no room for another token of a class with room of its own.
fn is_full_of(id: u32, class_of: u32) -> bool {
    return tokens_of(id, class_of) >= limit_of(id, class_of).capacity;
}

// The tokens of a class at a station, and on their way there with reserved room.
fn tokens_of(id: u32, class_of: u32) -> u32 {
    let counts = class_counts(id, class_of);
    return counts.present + counts.coming;
}

// Whether any class has room of its own.
fn limits_classes() -> bool { return true; }

// The expected work of the tokens at a station.
fn work_at(id: u32) -> Clock {
    var work = Clock(wide(0u, 0u), 0u);
    for (var class_of = 0u; class_of < plan.classes; class_of += 1u) {
        let limit = limit_of(id, class_of);
        if (limit.servers == 0u) { return work; }
        work = clock_add(work, clock_product(limit.mean, class_counts(id, class_of).present));
    }
    return work;
}

// The servers that do this work.
fn workers_of(id: u32) -> u32 { return max(limit_of(id, 0u).servers, 1u); }

// multiclass/routes/least_work: the route to the station with the least work.
// Reads: parameters, model_table, replication_state.

import class_counts::{work_at, workers_of};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::sharing::clock::{Clock, clock_product};
import word64::{wide, wide_add, wide_less, wide_product};

// The first of some routes to a station with the least expected work for each server.
fn least_work(first: u32, last: u32) -> u32 {
    var found = first;
    var goal = edge_at(first).goal;
    var least = work_at(goal);
    var workers = workers_of(goal);
    for (var edge = first + 1u; edge <= last; edge += 1u) {
        goal = edge_at(edge).goal;
        let work = work_at(goal);
        // Compares each sum times the servers of the other station.
        if (is_less(work, workers, least, workers_of(goal))) {
            found = edge;
            least = work;
            workers = workers_of(goal);
        }
    }
    return found;
}

// Whether a * times_a is less than b * times_b.
fn is_less(a: Clock, times_a: u32, b: Clock, times_b: u32) -> bool {
    // The bits above the lowest 64, and these 64.
    let low_a = clock_product(a.low, times_a);
    let low_b = clock_product(b.low, times_b);
    let high_a = wide_add(wide_product(a.high, times_a), wide(low_a.high, 0u));
    let high_b = wide_add(wide_product(b.high, times_b), wide(low_b.high, 0u));
    return wide_less(high_a, high_b) || (!wide_less(high_b, high_a) && wide_less(low_a.low, low_b.low));
}

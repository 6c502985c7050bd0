// multiclass/routes/least_work: the route to the station with the least work, or the shortest response.
// Reads: parameters, model_table, replication_state.

import class_counts::{work_at, workers_of};
import package::multiclass::routes::held::{present_at};
import package::multiclass::routes::rules::{edge_at, limit_of};
import package::multiclass::routes::ways_chosen::{SHORTEST_RESPONSE};
import package::multiclass::sharing::clock::{Clock, clock_product};
import word64::{wide, wide_add, wide_less, wide_product};

// An amount of work, and the servers among which it is divided.
struct Load {
    work: Clock,
    workers: u32,
}

// The load by which a rule compares the station of a route.
fn load_of(rule: u32, edge: u32) -> Load {
    let route = edge_at(edge);
    if (rule != SHORTEST_RESPONSE) { return Load(work_at(route.goal), workers_of(route.goal)); }
    let limit = limit_of(route.goal, route.becomes);
    if (limit.servers == 0u) { return Load(clock_product(limit.mean, 1u), 1u); }
    return Load(clock_product(limit.mean, max(present_at(route.goal) + 1u, limit.servers)), limit.servers);
}

// The first of some routes to a station with the least load for each server.
fn least_load(rule: u32, first: u32, last: u32) -> u32 {
    var found = first;
    var least = load_of(rule, first);
    for (var edge = first + 1u; edge <= last; edge += 1u) {
        let load = load_of(rule, edge);
        // Compares each amount times the servers of the other station.
        if (is_less(load.work, least.workers, least.work, load.workers)) {
            found = edge;
            least = load;
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

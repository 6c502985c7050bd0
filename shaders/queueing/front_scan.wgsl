// queueing/front_scan: the tokens of a front in turn. The n-th token comes at A(n) = A(n - 1) + I(n - 1) and leaves the
// server at D(n) = max(D(n - 1), A(n)) + S(n). A sequence of such steps has the same form: A becomes A + interval, and D
// becomes max(D + service, A + least). So a workgroup finds all times by one scan (Hillis and Steele 1986). Sums beyond the
// range of times are never.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_maximum};
import package::queueing::front::{BATCH};
import word64::{wide_add, wide_less, wide_sub};

var<workgroup> scan_intervals: array<Time, BATCH>;
var<workgroup> scan_services: array<Time, BATCH>;
var<workgroup> scan_least: array<Time, BATCH>;
// For the next batch: when the token after each comes, and when the server is free then.
var<workgroup> kept_arrivals: array<Time, BATCH>;
var<workgroup> kept_ends: array<Time, BATCH>;

struct Turn {
    arrived: Time,
    end: Time,
}

fn sum_of_times(a: Time, b: Time) -> Time {
    let sum = wide_add(a, b);
    if (wide_less(sum, a)) { return never(); }
    return sum;
}

fn select_time(exists: bool, time: Time) -> Time {
    if (exists) { return time; }
    return never();
}

// When the token of a lane comes and goes; the token of lane 0 comes at `first`, and the server is free from `free` on.
fn turn_of(interval: Time, service: Time, first: Time, free: Time, lane: u32) -> Turn {
    var intervals = interval;
    var services = service;
    var least = service;
    for (var apart = 1u; apart < BATCH; apart *= 2u) {
        if (lane < BATCH) {
            scan_intervals[lane] = intervals;
            scan_services[lane] = services;
            scan_least[lane] = least;
        }
        workgroupBarrier();
        if (lane >= apart && lane < BATCH) {
            let before = lane - apart;
            least = wide_maximum(sum_of_times(scan_least[before], services), sum_of_times(scan_intervals[before], least));
            services = sum_of_times(scan_services[before], services);
            intervals = sum_of_times(scan_intervals[before], intervals);
        }
        workgroupBarrier();
    }
    let passed = !wide_differs(intervals, never());
    let arrived = sum_of_times(first, select_time(!passed, wide_sub(intervals, interval)));
    return Turn(arrived, wide_maximum(sum_of_times(free, services), sum_of_times(first, least)));
}

fn store_turn(interval: Time, turn: Turn, starts: bool, lane: u32) {
    if (lane >= BATCH) { return; }
    kept_arrivals[lane] = sum_of_times(turn.arrived, interval);
    kept_ends[lane] = select_time(starts, turn.end);
}

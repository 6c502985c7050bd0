// queueing/add_tokens (behind the last round; a thread adds up many tokens)
// What: what to subtract from the sums of the stations of a torus for visits that have not ended at the bound, and who is
//       there.
// Reads: tokens, next_event, control. Writes: results, words 10 to 28.
// Afterwards: these words hold sums of the digest for the stations (4), and for waiting tokens and services in progress (4);
//             the numbers of services in progress, of waiting tokens, and of waiting tokens without a start; then, two words
//             each, the time of services in progress beyond the bound, the service and the waiting times of waiting tokens
//             with a start, and the time that the waiting tokens have waited so far. State::total in
//             src/queueing/gpu/state.rs corrects records alike.

import package::engine::schedule::{next_event};
import package::lib::results::{give, give_lanes, give_long, long_add, no_sum};
import package::lib::sums::{Lanes, SERVICE, STATION, WAITING_TOKEN, add_lanes, no_lanes, of_place, record_of, sums_of, weighed, with_word};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import package::queueing::records::{NONE, parameters, tokens};
import package::queueing::token_links::{arrival_of};
import constants::{ARRIVALS_IN_RECORDS, RESULT_THREADS, WORKGROUP};
import word64::{Wide, wide, wide_less, wide_sub};

// Arrivals, starts, completions, busy, waiting, service and presence: the correction of a station that loses no token.
fn at_station(id: u32, counts: vec3<u32>, busy: Wide, waited: Wide, served: Wide, presence: Wide) -> Lanes {
    let none = wide(0u, 0u);
    var weight = weighed(no_lanes(), wide(counts.x, 0u));
    weight = weighed(weighed(weight, wide_sub(none, wide(counts.y, 0u))), wide_sub(none, wide(counts.z, 0u)));
    weight = weighed(weighed(weighed(weight, none), busy), waited);
    return of_place(with_word(record_of(STATION), wide(id, 0u)), weighed(weighed(weight, served), presence));
}

fn record(kind: u32, station: u32, time: Time) -> Lanes {
    return sums_of(with_word(with_word(record_of(kind), wide(station, 0u)), time));
}

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    let now = control.bound;
    let none = wide(0u, 0u);
    var of_stations = no_lanes();
    var records = no_lanes();
    var counts = vec3<u32>();
    var beyond = no_sum();
    var served = no_sum();
    var waited = no_sum();
    var waits = no_sum();
    for (var id = thread; id < parameters.entities; id += RESULT_THREADS) {
        let times = tokens[2u * id];
        let station = tokens[2u * id + 1u].x;
        let arrived = wide(times.x, times.y);
        let start = wide(times.z, times.w);
        var end = next_event[id];
        if (ARRIVALS_IN_RECORDS) { end = arrival_of(id); }
        let is_decided = wide_differs(start, never());
        // No token is there, or the visit is over.
        if (station == NONE || (is_decided && (!wide_differs(end, never()) || wide_less(end, now)))) { continue; }
        // The correction of the station, and who is there. Each sum stands once: compilers inline it wherever it stands.
        var kind = WAITING_TOKEN;
        var since = arrived;
        var off = vec3<u32>(1u, 0u, 0u);
        var busy = none;
        var waiting = none;
        var serving = none;
        var presence = wide_sub(now, arrived);
        if (wide_less(start, now)) {
            let after = wide_sub(end, now);
            kind = SERVICE;
            since = end;
            off = vec3<u32>(0u, 0u, 1u);
            busy = wide_sub(none, after);
            presence = busy;
            counts.x += 1u;
            beyond = long_add(beyond, after);
        } else {
            counts.y += 1u;
            waits = long_add(waits, presence);
            if (is_decided) {
                let wait = wide_sub(start, arrived);
                let service = wide_sub(end, start);
                off = vec3<u32>(0u, 1u, 1u);
                busy = wide_sub(none, service);
                waiting = wide_sub(none, wait);
                serving = busy;
                presence = wide_sub(now, end);
                served = long_add(served, service);
                waited = long_add(waited, wait);
            } else {
                counts.z += 1u;
            }
        }
        of_stations = add_lanes(of_stations, at_station(station, off, busy, waiting, serving, presence));
        records = add_lanes(records, record(kind, station, since));
    }
    give_lanes(thread, 10u, of_stations);
    give_lanes(thread, 14u, records);
    give(thread, 18u, wide(counts.x, 0u));
    give(thread, 19u, wide(counts.y, 0u));
    give(thread, 20u, wide(counts.z, 0u));
    give_long(thread, 21u, beyond);
    give_long(thread, 23u, served);
    give_long(thread, 25u, waited);
    give_long(thread, 27u, waits);
}

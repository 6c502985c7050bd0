// queueing/add_stations (behind the last round; a thread adds up many stations)
// What: the sums of all stations of a torus, for figures and the digest.
// Reads: stations. Writes: results, words 0 to 9.
// Afterwards: these words hold the sums of the digest (4); visits begun; service and waiting times (2 words each); the
//             largest sum of both of a station. queueing/add_tokens finds what to subtract for visits whose service is not
//             over.

import package::lib::divide::{wide_divide};
import package::lib::drawn::{drawn};
import package::lib::results::{give, give_lanes, give_long, long_add, no_sum};
import package::lib::stream::{entity_stream};
import package::lib::sums::{STATION, add_lanes, no_lanes, of_place, record_of, weighed, with_word};
import package::lib::wide::{wide_maximum};
import package::queueing::records::{parameters};
import package::queueing::torus::{torus};
import constants::{AHEAD, DRAWS, RESULT_THREADS, WORKGROUP};
import station_record::{load_station};
import word64::{wide, wide_add, wide_less, wide_sub};

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    var sums = no_lanes();
    var visits = wide(0u, 0u);
    var service = no_sum();
    var waiting = no_sum();
    var longest = wide(0u, 0u);
    for (var id = thread; id < parameters.stations; id += RESULT_THREADS) {
        let station = load_station(id);
        let draws = drawn(entity_stream(parameters.key, id), station.state);
        let began = wide_sub(wide_divide(draws, DRAWS), wide(AHEAD, 0u));
        let both = wide_add(station.service, station.waiting);
        // Arrivals, starts, completions, losses, busy, waiting, service and presence.
        var weight = weighed(no_lanes(), wide_sub(began, wide(torus.tokens_each, 0u)));
        weight = weighed(weighed(weighed(weight, began), began), wide(0u, 0u));
        weight = weighed(weighed(weight, station.service), station.waiting);
        weight = weighed(weighed(weight, station.service), both);
        sums = add_lanes(sums, of_place(with_word(record_of(STATION), wide(id, 0u)), weight));
        visits = wide_add(visits, began);
        service = long_add(service, station.service);
        waiting = long_add(waiting, station.waiting);
        if (wide_less(both, station.service)) { longest = wide(0xffffffffu, 0xffffffffu); }
        longest = wide_maximum(longest, both);
    }
    give_lanes(thread, 0u, sums);
    give(thread, 4u, visits);
    give_long(thread, 5u, service);
    give_long(thread, 7u, waiting);
    give(thread, 9u, longest);
}

// queueing/front_sums: adds up the counts of the lanes of a front in a round.
// Writes: stations.

import package::queueing::exits::{Tally, no_tally};
import package::queueing::lane_sums::{add_lanes, add_to_sum, beyond_sum, clear_sums, part_of_sum};
import package::queueing::network::{Site};
import package::queueing::places::{places, model_table};
import package::queueing::records::{OUTSIDE, Station};
import package::queueing::station_full::{store_station};
import package::queueing::visit::{add_sums};
import word64::{wide};

var<workgroup> left_tokens: atomic<u32>;

// Adds the lanes' sums to the station, and the tokens that left through the one way out to the first lane's tally.
fn close(site: Site, station: ptr<function, Station>, mine: Station, left: ptr<function, Tally>, lane: u32) {
    if (lane == 0u) { atomicStore(&left_tokens, 0u); }
    clear_sums(lane);
    add_to_sum(0u, mine.service, mine.service_top);
    add_to_sum(1u, mine.waiting, mine.waiting_top);
    add_to_sum(2u, (*left).stays, (*left).top);
    atomicAdd(&left_tokens, (*left).tokens);
    workgroupBarrier();
    if (lane != 0u) { return; }
    add_lanes(station);
    store_station(site.id, *station);
    let present = atomicLoad(&left_tokens);
    *left = no_tally();
    if (present == 0u) { return; }
    let zero = wide(0u, 0u);
    var stays = Station(zero, zero, zero, zero, 0u, 0u, 0u, 0u);
    for (var word = 0u; word < 4u; word += 1u) { add_sums(&stays, part_of_sum(2u, word), zero); }
    *left = Tally(only_way_out(site), present, present, stays.service_top + beyond_sum(2u), stays.service);
}

fn only_way_out(site: Site) -> u32 {
    var edge = site.first_edge;
    while (model_table[places.edges + edge].y < OUTSIDE) { edge += 1u; }
    return model_table[places.edges + edge].y - OUTSIDE;
}

// queueing/lane_sums: sums of 64 bits over the lanes of a workgroup, in words of 16 bits, which many lanes add up without a
// carry: four words for each sum, and one for the bits beyond.

import package::queueing::records::{Station};
import package::queueing::visit::{add_sums};
import constants::{WORKGROUP};
import word64::{Wide, wide, wide_high, wide_low};

const SUM_WORDS: u32 = 5u;
const SUMS: u32 = 3u;

var<workgroup> parts: array<atomic<u32>, SUMS * SUM_WORDS>;

// In uniform control flow.
fn clear_sums(lane: u32) {
    for (var place = lane; place < SUMS * SUM_WORDS; place += WORKGROUP) { atomicStore(&parts[place], 0u); }
    workgroupBarrier();
}

fn add_to_sum(sum: u32, value: Wide, top: u32) {
    let first = SUM_WORDS * sum;
    atomicAdd(&parts[first], wide_low(value) & 0xffffu);
    atomicAdd(&parts[first + 1u], wide_low(value) >> 16u);
    atomicAdd(&parts[first + 2u], wide_high(value) & 0xffffu);
    atomicAdd(&parts[first + 3u], wide_high(value) >> 16u);
    atomicAdd(&parts[first + 4u], top);
}

// A word of a sum times 2^(16 word), modulo 2^64.
fn part_of_sum(sum: u32, word: u32) -> Wide {
    let value = atomicLoad(&parts[SUM_WORDS * sum + word]);
    switch word {
        case 0u: { return wide(value, 0u); }
        case 1u: { return wide(value << 16u, value >> 16u); }
        case 2u: { return wide(0u, value); }
        default: {}
    }
    return wide(0u, value << 16u);
}

// The bits of a sum beyond 64.
fn beyond_sum(sum: u32) -> u32 {
    let first = SUM_WORDS * sum;
    return (atomicLoad(&parts[first + 3u]) >> 16u) + atomicLoad(&parts[first + 4u]);
}

// Adds the sums 0 and 1 to a station: of service times and of waiting times.
fn add_lanes(station: ptr<function, Station>) {
    for (var word = 0u; word < 4u; word += 1u) { add_sums(station, part_of_sum(0u, word), part_of_sum(1u, word)); }
    (*station).service_top += beyond_sum(0u);
    (*station).waiting_top += beyond_sum(1u);
}

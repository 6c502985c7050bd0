// queueing/share: a device that has some stations of a network; other ranks have the rest. A token that will go to another rank
// is announced when its visit is decided, in the words that ranks send each other (src/queueing/post.rs); it stays here as if
// it left the network. One that comes from another rank has a slot from its announcement on.
// Reads: structure, tokens. Reads and writes: control, annex. Mirrored in src/queueing/gpu/network/crossing.rs.
//
//   a token that comes, two words: departed, 0 | OUTSIDE plus the number of its station in the whole network, the
//                                  station here, its visit there, 0
//   structure, from crossing.numbers on: the number in the whole network of each station here, then of each source
//   annex, from crossing.messages on: 5 words a message; from crossing.slots on: the slots that are free for what comes

import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::queueing::places::{annex, annex_wide, places, set_annex, structure};
import package::queueing::records::{ABROAD, FAULT_CROSSING, NONE, OUTSIDE, Visit, parameters, tokens};
import faults::{raise};
import topology::{delay_of};
import word64::{wide, wide_less, wide_sub};

const POST_WORDS: u32 = 5u;

struct Crossing {
    numbers: u32,
    messages: u32,
    spare: u32,           // messages beside those of a round: with more of them no round begins
    slots: u32,
}

var<uniform> crossing: Crossing;

// The number in the whole network of a station here, or behind the stations of a source.
fn whole_number(place: u32) -> u32 { return structure[crossing.numbers + place].x; }

// The same of the station of a token.
fn origin_number(station: u32) -> u32 {
    if (station >= OUTSIDE) { return station - OUTSIDE; }
    return whole_number(station);
}

// When a token departed from the station that it comes from.
fn left_at(token: u32, visit: vec4<u32>, arrival: Time) -> Time {
    if (visit.x < OUTSIDE) { return wide_sub(arrival, delay_of(visit.y)); }
    let times = tokens[2u * token];
    return wide(times.x, times.y);
}

// The station here where a token of another rank arrives, or NONE.
fn landing(visit: vec4<u32>) -> u32 { return select(NONE, visit.y, visit.x >= OUTSIDE && visit.x != NONE); }

// Tells another rank of a token whose visit is decided, where that leads there. It matters to nobody where the run ends before.
fn announce(token: u32, station: u32, visit: Visit) {
    let lead = structure[places.edges + visit.edge].y;
    if (lead < ABROAD || !wide_less(visit.start, never())) { return; }
    let departed = wide_sub(visit.arrival, delay_of(visit.edge));
    if (!wide_less(departed, parameters.until)) { return; }
    // Which place it is decides nothing.
    let number = atomicAdd(&control.model.exports, 1u);
    if (number >= crossing.spare) { raise(FAULT_CROSSING, station); }
    let place = crossing.messages + POST_WORDS * number;
    annex[place] = vec2<u32>(lead - ABROAD, whole_number(station));
    annex[place + 1u] = vec2<u32>(visit.number, 0u);
    // When it came in; 0 less 1 is never.
    set_annex(place + 2u, wide_sub(annex_wide(places.births + 2u * token), wide(1u, 0u)));
    set_annex(place + 3u, departed);
    set_annex(place + 4u, visit.arrival);
}

fn slots_are_listed() -> bool { return true; }

// A slot of no source is free for what comes. Which place it has decides nothing.
fn list_slot(token: u32) { annex[crossing.slots + atomicAdd(&control.model.free, 1u)] = vec2<u32>(token, 0u); }

// Beside the blocks there is one word, in which the host says when the first token comes.
fn extra_groups() -> u32 { return 1u; }
fn arrive_together(extra: u32, lane: u32) {}

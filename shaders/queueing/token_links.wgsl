// queueing/token_links: a token with its next arrival and the token behind it in a list: one sector of memory for a visit.
// The twin of queueing/links and of a record of queueing/records.
//
//   tokens, two words: arrived, start | station, link, arrival

import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import package::queueing::records::{Visit, links, tokens};
import package::queueing::station::{pair};
import word64::{wide, wide_high, wide_less, wide_low};

fn store_token_visit(token: u32, station: u32, arrived: Time, visit: Visit) {
    tokens[2u * token] = pair(arrived, visit.start);
    tokens[2u * token + 1u] = vec4<u32>(station, 0u, wide_low(visit.arrival), wide_high(visit.arrival));
}

fn link_of(token: u32) -> u32 { return tokens[2u * token + 1u].y; }
fn set_link(token: u32, link: u32) { tokens[2u * token + 1u].y = link; }

fn arrival_of(token: u32) -> Time {
    let word = tokens[2u * token + 1u];
    return wide(word.z, word.w);
}

// Puts a token in front of a list.
fn push(list: u32, token: u32) { set_link(token, atomicExchange(&links[list], token + 1u)); }

// Of two arrivals at one time the one from the lower station is first; two from one station are never at one time.
fn goes_first(a: u32, time_a: Time, b: u32, time_b: Time) -> bool {
    if (wide_differs(time_a, time_b)) { return wide_less(time_a, time_b); }
    return tokens[2u * a + 1u].x < tokens[2u * b + 1u].x;
}

// The ordered list with one more token.
fn inserted(token: u32, time: Time, list: u32) -> u32 {
    var before = 0u;
    var after = list;
    while (after != 0u && !goes_first(token, time, after - 1u, arrival_of(after - 1u))) {
        before = after;
        after = link_of(after - 1u);
    }
    set_link(token, after);
    if (before == 0u) { return token + 1u; }
    set_link(before - 1u, token + 1u);
    return list;
}

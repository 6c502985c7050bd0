// queueing/precedence_approximate: which of two arrivals at a station in one instant comes first: by original time instead
// of time.

import package::lib::time::{Time};
import package::lib::wide::{wide_differs, wide_maximum};
import package::queueing::approximate::{approximation, original_of, rounded};
import package::queueing::comes_from::{comes_from};
import package::queueing::network::{delay_of};
import package::queueing::records::{tokens};
import word64::{wide, wide_add, wide_less, wide_sub};

fn comes_before(a: u32, time_a: Time, b: u32, time_b: Time) -> bool {
    let original_a = original_of(a);
    let original_b = original_of(b);
    if (wide_differs(original_a, original_b)) { return wide_less(original_a, original_b); }
    let from_a = comes_from(a);
    let from_b = comes_from(b);
    if (from_a != from_b) { return from_a < from_b; }
    // Two tokens of one station: by departure, tokens of one instant by original time, then by the order in which their
    // services started.
    let end_a = original_end(a, original_a);
    let end_b = original_end(b, original_b);
    let left_a = departure_of(a, end_a);
    let left_b = departure_of(b, end_b);
    if (wide_differs(left_a, left_b)) { return wide_less(left_a, left_b); }
    if (wide_differs(end_a, end_b)) { return wide_less(end_a, end_b); }
    return tokens[2u * a + 1u].z < tokens[2u * b + 1u].z;
}

// The original end of a token's last service, from the original time of the next arrival.
fn original_end(token: u32, arrival: Time) -> Time {
    return wide_sub(arrival, delay_of(tokens[2u * token + 1u].y));
}

// When it ended.
fn departure_of(token: u32, end: Time) -> Time {
    let visit = tokens[2u * token];
    return wide_maximum(rounded(end), wide_add(wide(visit.z, visit.w), approximation.ticks));
}

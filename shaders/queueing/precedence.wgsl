// queueing/precedence: which of two arrivals at a station comes first.

import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import package::queueing::comes_from::{comes_from};
import package::queueing::records::{tokens};
import topology::{delay_of};
import word64::{wide_less, wide_sub};

fn comes_before(a: u32, time_a: Time, b: u32, time_b: Time) -> bool {
    if (wide_differs(time_a, time_b)) { return wide_less(time_a, time_b); }
    let from_a = comes_from(a);
    let from_b = comes_from(b);
    if (from_a != from_b) { return from_a < from_b; }
    // Two tokens of one station: by departure, then by the order in which their services started.
    let visit_a = tokens[2u * a + 1u];
    let visit_b = tokens[2u * b + 1u];
    let left_a = wide_sub(time_a, delay_of(visit_a.y));
    let left_b = wide_sub(time_b, delay_of(visit_b.y));
    if (wide_differs(left_a, left_b)) { return wide_less(left_a, left_b); }
    return visit_a.z < visit_b.z;
}

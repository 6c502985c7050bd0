// queueing/later: times that may be never.

import package::lib::time::{Time, never};
import word64::{wide_add, wide_less};

// A time plus a span, never where the sum is no time.
fn later(time: Time, span: Time) -> Time {
    let sum = wide_add(time, span);
    if (wide_less(sum, time)) { return never(); }
    return sum;
}

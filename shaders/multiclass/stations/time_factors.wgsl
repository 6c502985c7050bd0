// multiclass/stations/time_factors: services take so many times as long, by the time at which they begin: the twin of
// src/queueing/model/time_factors.rs.
//
// Reads: parameters, model_table.

import package::lib::long::{wide_left, wide_zeros};
import package::lib::time::{Time};
import package::multiclass::parameters::{model_row, plan};
import package::multiclass::servers::group_rows::{longer_time};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import word64::{wide, wide_high, wide_less, wide_low, wide_sub};

// Of a station, right before the laws: the first row of its factors, and how many it has; when they begin again, or 0.
struct TimeFactors {
    first: u32,
    count: u32,
    period: Time,
}

fn time_factors_of(id: u32) -> TimeFactors {
    let row = model_row(plan.laws - plan.stations + id);
    return TimeFactors(row.x, row.y, wide(row.z, row.w));
}

// From when on it holds, and 2^20 times the factor.
struct TimeFactor {
    start: Time,
    factor: u32,
}

fn time_factor_at(row_number: u32) -> TimeFactor {
    let row = model_row(row_number);
    return TimeFactor(wide(row.x, row.y), row.z);
}

// A time within its period: from it falls the period, doubled so often as it has room, and then less often.
fn within(time: Time, period: Time) -> Time {
    var rest = time;
    if ((wide_low(period) | wide_high(period)) == 0u) { return rest; }
    let zeros = wide_zeros(rest);
    for (var parts = max(wide_zeros(period), zeros) - zeros + 1u; parts > 0u; parts -= 1u) {
        let part = wide_left(period, parts - 1u);
        if (!wide_less(rest, part)) { rest = wide_sub(rest, part); }
    }
    return rest;
}

fn time_begun_now(time: Time) -> Time {
    let factors = time_factors_of(site.id);
    if (factors.count == 0u) { return time; }
    let now = within(mine.now, factors.period);
    var factor = 0u;
    for (var step = 0u; step < factors.count; step += 1u) {
        let next = time_factor_at(factors.first + step);
        if (wide_less(now, next.start)) { break; }
        factor = next.factor;
    }
    // Services that take no time.
    if (factor == 0u) { return wide(0u, 0u); }
    return longer_time(time, factor);
}

fn takes_no_time() -> bool {
    let factors = time_factors_of(site.id);
    return factors.count != 0u && time_factor_at(factors.first).factor == 0u;
}

// multiclass/queues/orders: who of the tokens of one priority is served first, the twin of src/queueing/describe/discipline.rs.
// Reads: parameters, model_table, replication_state.

import constants::{HAS_ORDERS};
import attributes::{value_in_line};
import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import package::multiclass::stations::rules::{level_of};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS, interruption_of, is_interrupted, links_of, numbers_of, service_of};
import word64::{wide_less};

const FIRST_COME: u32 = 0u;
const LAST_COME: u32 = 1u;
const RANDOM: u32 = 2u;
const SHORTEST_JOB: u32 = 3u;
const SHARING: u32 = 4u;
const SHORTEST_REMAINING: u32 = 5u;
const LEAST_VALUE: u32 = 6u;
const EARLIEST_DUE: u32 = 7u;
const AGEING: u32 = 8u;

// Whether the open station draws the service and the route of a token at its arrival.
fn knows_services() -> bool { return HAS_ORDERS && (site.rules.order == SHORTEST_JOB || site.rules.order == SHORTEST_REMAINING); }

// Whether who comes there stands behind all others of its priority, unless its place is drawn.
fn comes_last() -> bool {
    if (!HAS_ORDERS) { return true; }
    let order = site.rules.order;
    return order == FIRST_COME || order == RANDOM || order == SHARING;
}

// By what a token is in line, where that is a time: the service, what is left of it, or what its attribute says.
fn time_in_line(token: u32) -> Time {
    if (site.rules.order == SHORTEST_REMAINING && is_interrupted(links_of(token).about)) { return interruption_of(token).left; }
    if (site.rules.order == SHORTEST_JOB || site.rules.order == SHORTEST_REMAINING) { return service_of(token).service; }
    return value_in_line(token);
}

// Whether one token of a priority is served before another.
fn is_before(token: u32, other: u32) -> bool {
    if (site.rules.order == SHORTEST_JOB || site.rules.order == SHORTEST_REMAINING || site.rules.order >= LEAST_VALUE) {
        let own_time = time_in_line(token);
        let time = time_in_line(other);
        if (wide_differs(own_time, time)) { return wide_less(own_time, time); }
    }
    let earlier = numbers_of(token).arrival < numbers_of(other).arrival;
    return earlier != (site.rules.order == LAST_COME);
}

// Whether a token is behind another one in the order of service.
fn is_last(token: u32, other: u32) -> bool {
    let level = level_of(links_of(token).about & CLASS);
    let other_level = level_of(links_of(other).about & CLASS);
    if (level != other_level) { return level > other_level; }
    return is_before(other, token);
}

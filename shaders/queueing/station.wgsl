// queueing/station: records loaded and stored whole.

import package::lib::time::{Time};
import package::queueing::records::{Visit, tokens};
import visit_clock::{store_original};
import word64::{Wide, wide_high, wide_low};

fn pair(a: Wide, b: Wide) -> vec4<u32> {
    return vec4<u32>(wide_low(a), wide_high(a), wide_low(b), wide_high(b));
}

fn store_visit(token: u32, station: u32, arrived: Time, visit: Visit) {
    tokens[2u * token] = pair(arrived, visit.start);
    tokens[2u * token + 1u] = vec4<u32>(station, visit.edge, visit.number, 0u);
    store_original(token);
}

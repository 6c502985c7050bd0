// queueing/comings_by_law: the tokens of a source come one by one, after times of its law. The twin of queueing/comings_varied.

import clock::{first_token, next_token};
import package::lib::law::{Law};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import package::queueing::origin::{Origin};
import word64::{Wide, wide_add};

// When the first token of a source comes, and the next ones.
fn first_coming(entity: u32, source: u32, row: vec4<u32>, law: Law, start: Time, stream: ptr<function, Stream>) -> Time {
    return first_token(entity, wide_add(start, service_time(law, stream)));
}

fn next_coming(origin: Origin, row: vec4<u32>, law: Law, time: Time, stream: ptr<function, Stream>) -> Time {
    return next_token(origin.entity, time, service_time(law, stream));
}

// How many tokens are to come now; below, whether more are to come after a token.
fn coming_now(origin: ptr<function, Origin>, limit: Wide, stream: ptr<function, Stream>) -> u32 { return 1u; }
fn more_are_coming(origin: ptr<function, Origin>) -> bool { return false; }

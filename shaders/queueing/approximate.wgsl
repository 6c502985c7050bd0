// queueing/approximate: in approximate time an event has an original time, and its executed time, at which it happens:
// the first multiple of the interval at or after the original time and later than the event that scheduled it. Times
// that are not called "original" are executed times. A round is one instant. Mirrored in
// src/queueing/gpu/network/approximation.rs.
//
//   annex, in words of 8 bytes, beside those of queueing/network:
//     3 a station   originals: when the last admitted arrival came; when its only server fell free; and the
//                   causality errors
//     1 an entity   the original time of its next event
//   and where a station has several servers, two words for each, see queueing/servers_approximate

import package::lib::interval::{Interval, next_multiple};
import package::lib::time::{Time};
import package::queueing::places::{annex_wide, set_annex};
import word64::{Wide, wide_add};

struct Approximation {
    ticks: Wide,
    reciprocal: Wide,
    shift: u32,
    stations: u32,        // in annex
    originals: u32,       // of the entities, in annex
    unused: u32,
}

var<uniform> approximation: Approximation;

fn original_of(entity: u32) -> Time { return annex_wide(approximation.originals + entity); }
fn set_original(entity: u32, time: Time) { set_annex(approximation.originals + entity, time); }

// When an event happens, unless the event that schedules it is later.
fn rounded(original: Time) -> Time {
    return next_multiple(Interval(approximation.ticks, approximation.reciprocal, approximation.shift), original);
}

// When a source sends its first token.
fn first_token(source: u32, due: Time) -> Time {
    set_original(source, due);
    return rounded(due);
}

// When a source sends the token after the one that it sends now.
fn next_token(source: u32, time: Time, interval: Wide) -> Time {
    return first_token(source, wide_add(original_of(source), interval));
}

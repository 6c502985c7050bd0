// queueing/records: what a facility and a token are on the device. An event moves whole 16-byte words of few memory
// sectors. Mirrored in src/queueing/gpu.rs.
//
//   facilities, four words each:  state, service | waiting, completions, left
//                                 | head time, last departure | serving, head, second, tail
//   tokens, one word each:        time, next, unused: read and written for tokens behind the head of a queue only
//   departures, one word a slot:  time, token, edge
//   arrived, one u32 a facility:  the last round that something arrived in, times 16, plus a bit for each direction
//
// An edge is 4 * source + direction.

const NONE: u32 = 0xffffffffu;
const FAULT_COMPLETIONS: u32 = 1u;
const FAULT_WAITING: u32 = 2u;

struct Parameters {
    key: Wide,
    width: u32,
    height: u32,
    facilities: u32,
    tokens_each: u32,
    tokens: u32,
    unused: u32,
    law: Law,             // at a multiple of 16 bytes, as uniform buffers want it
}

fn pair(a: Wide, b: Wide) -> vec4<u32> {
    return vec4<u32>(wide_low(a), wide_high(a), wide_low(b), wide_high(b));
}

// A time and two words.
fn entry(time: Time, a: u32, b: u32) -> vec4<u32> { return vec4<u32>(wide_low(time), wide_high(time), a, b); }

fn entry_time(word: vec4<u32>) -> Time { return wide(word.x, word.y); }

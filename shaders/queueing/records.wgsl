// queueing/records: what a facility and a token are on the device, in words of 16 bytes, so that a record moves in
// few accesses. Mirrored in src/queueing/gpu.rs.
//
//   facilities, four words each:  state, increment | service, waiting | last departure, completions, serving
//                                 | present, head, tail, unused
//   tokens, one word each:        time, next, unused
//   inbox, two words each:        token, round for each of the four directions

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

fn token_word(time: Time, next: u32) -> vec4<u32> { return vec4<u32>(wide_low(time), wide_high(time), next, 0u); }

fn token_time(word: vec4<u32>) -> Time { return wide(word.x, word.y); }

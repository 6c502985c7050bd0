// epidemic: people who meet those that they know and may infect them. `process.word` is 0 for a person who is healthy, else
// when the person was infected, in 256ths of a day, times 4, plus 1, plus 2 for one who has recovered.

import package::lib::laws::{law};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::wide::{multiply_high, wide_shift_right};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import events::{Event, carried_by};
import word64::{Wide, wide, wide_add, wide_less, wide_low};

struct Epidemic {
    known: u32,           // how many a person knows
    first_every: u32,     // of so many people one is infected at the start
    unused: vec2<u32>,
}

var<uniform> epidemic: Epidemic;

// The laws of how long one is infectious beyond the latent period, and until one meets somebody that one knows.
const ILLNESS: u32 = 0u;
const MEETING: u32 = 1u;

const INFECTION: u32 = 0u;
const RECOVERY: u32 = 1u;

// Whom a person knows: three who live near, and others anywhere.
fn acquaintance(id: u32, number: u32) -> u32 {
    if (number < 3u) { return (id + number + 1u) % parameters.processes; }
    let state = (id * epidemic.known + number) * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return multiply_high((word >> 22u) ^ word, parameters.processes);
}

// The latent period, in which nobody infects anybody, is the lookahead.
fn after(number: u32, stream: ptr<function, Stream>) -> Wide {
    return wide_add(parameters.lookahead, service_time(law(number), stream));
}

fn start(id: u32, stream: ptr<function, Stream>) {
    if (id % epidemic.first_every == 0u) { plan(wide(0u, 0u), vec4<u32>(INFECTION, 0u, 0u, 0u)); }
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    if (carried_by(event).x == RECOVERY) {
        process.word |= 2u;
        return;
    }
    if (process.word != 0u) { return; }
    process.word = (wide_low(wide_shift_right(process.now, 24u)) << 2u) | 1u;
    let recovery = after(ILLNESS, stream);
    send(process.id, recovery, vec4<u32>(RECOVERY, 0u, 0u, 0u));
    for (var number = 0u; number < epidemic.known; number += 1u) {
        let meeting = after(MEETING, stream);
        if (wide_less(meeting, recovery)) {
            send(acquaintance(process.id, number), meeting, vec4<u32>(INFECTION, 0u, 0u, 0u));
        }
    }
}

// processes/phold: every event sends one message, after the lookahead and an exponential time, to a process drawn of all
// (Fujimoto 1990). An event draws its increment, a destination, whether the message goes there, and `work` unused words.
// Mirrored in src/processes/gpu/records.rs.

import package::lib::pcg32::{Stream, draw};
import package::lib::service::{exponential};
import package::lib::wide::{multiply_high, wide_scale};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import events::{Event};
import word64::{Wide, wide_add};

struct Phold {
    mean: Wide,           // of the exponential part
    threshold: u32,       // a message goes to the drawn destination if a draw is below it; where only some do
    remote: u32,          // which messages go to the drawn destination: 0 none, 1 some, 2 all
    population: u32,      // events of a process at the start
    work: u32,
    unused: vec2<u32>,
}

var<uniform> phold: Phold;

fn increment(stream: ptr<function, Stream>) -> Wide {
    return wide_add(parameters.lookahead, wide_scale(exponential(draw(stream)), phold.mean));
}

fn start(id: u32, stream: ptr<function, Stream>) {
    for (var number = 0u; number < phold.population; number += 1u) { plan(increment(stream), vec4<u32>()); }
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    let delay = increment(stream);
    var destination = process.id;
    if (phold.remote != 0u) {
        let drawn = multiply_high(draw(stream), parameters.processes);
        var goes = true;
        if (phold.remote == 1u) { goes = draw(stream) < phold.threshold; }
        if (goes) { destination = drawn; }
    }
    for (var number = 0u; number < phold.work; number += 1u) { process.word ^= draw(stream); }
    send(destination, delay, vec4<u32>());
}

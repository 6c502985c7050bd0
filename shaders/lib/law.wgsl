// lib/law: a service law in ticks; the mirror of Law in src/device/laws.rs.

import word64::{Wide, wide};

const LAW_CONSTANT: u32 = 0u;
const LAW_EXPONENTIAL: u32 = 1u;
const LAW_UNIFORM: u32 = 2u;
const LAW_ERLANG: u32 = 3u;
const LAW_QUANTILES: u32 = 5u;
const LAW_STEPS: u32 = 6u;

struct Law {
    offset: Wide,
    first: Wide,
    second: Wide,
    kind: u32,
    stages: u32,
    threshold: u32,
    table: u32,           // its first row, from the first row of the logarithm on
}

// A law from its three rows; the last two words are unused.
fn law_of_rows(a: vec4<u32>, b: vec4<u32>, c: vec4<u32>) -> Law {
    return Law(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), b.z, b.w, c.x, c.y);
}

// global_heap/events: all events lie in two buffers: their keys, and the rest of each event. An empty event has the time
// NEVER.
// Reads and writes: keys, cargo.

import events::{Cargo};

var<storage, read_write> keys: array<vec4<u32>>;
var<storage, read_write> cargo: array<Cargo>;

fn none() -> vec4<u32> { return vec4<u32>(0xffffffffu); }
fn is_none(key: vec4<u32>) -> bool { return (key.x & key.y) == 0xffffffffu; }

fn put(to: u32, event: u32) {
    keys[to] = keys[event];
    cargo[to] = cargo[event];
}

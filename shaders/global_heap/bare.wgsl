// global_heap/bare: events that carry only their destination.

alias Cargo = u32;

struct Event {
    key: vec4<u32>,
}

fn new_event(key: vec4<u32>, carried: vec4<u32>) -> Event { return Event(key); }
fn carried_by(event: Event) -> vec4<u32> { return vec4<u32>(); }
fn event_of(key: vec4<u32>, load: Cargo) -> Event { return Event(key); }
fn cargo_to(destination: u32, carried: vec4<u32>) -> Cargo { return destination; }
fn cargo_of(destination: u32, event: Event) -> Cargo { return destination; }
fn destination_of(load: Cargo) -> u32 { return load; }

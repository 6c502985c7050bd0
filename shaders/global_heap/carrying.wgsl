// global_heap/carrying: events that carry their destination and three words of the user's model.

alias Cargo = vec4<u32>;

struct Event {
    key: vec4<u32>,
    carried: vec4<u32>,   // the last word is unused
}

fn new_event(key: vec4<u32>, carried: vec4<u32>) -> Event { return Event(key, carried); }
fn carried_by(event: Event) -> vec4<u32> { return event.carried; }
fn event_of(key: vec4<u32>, load: Cargo) -> Event { return Event(key, vec4<u32>(load.yzw, 0u)); }
fn cargo_to(destination: u32, carried: vec4<u32>) -> Cargo { return vec4<u32>(destination, carried.xyz); }
fn cargo_of(destination: u32, event: Event) -> Cargo { return vec4<u32>(destination, event.carried.xyz); }
fn destination_of(load: Cargo) -> u32 { return load.x; }

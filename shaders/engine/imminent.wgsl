// engine/imminent (the frame of steps 4 and 5): calls the model's `process` for each imminent entity of the round
// and publishes the earliest time that it scheduled.
// Reads: control, imminent. Writes: minima[blocks + STAGE * MOST_GROUPS + group].
// A model defines `process(slot, word)`: the place in `imminent` and the word there. In departure the word is the
// imminent entity; in arrival it is what departure left in its place.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(2) var<storage, read_write> imminent: array<u32>;
@group(0) @binding(3) var<storage, read_write> minima: array<Wide>;

var<private> scheduled: Time;

// Sets the time of an entity's next event.
fn schedule(entity: u32, time: Time) {
    next_event[entity] = time;
    scheduled = wide_minimum(scheduled, time);
}

fn run(group: u32, lane: u32) {
    scheduled = never();
    let selected = control.selected;
    let groups = control.groups;
    for (var slot = group * WORKGROUP + lane; slot < selected; slot += groups * WORKGROUP) {
        process(slot, imminent[slot]);
    }
    let least = workgroup_minimum(lane, scheduled);
    if (lane == 0u) { minima[control.blocks + STAGE * MOST_GROUPS + group] = least; }
}

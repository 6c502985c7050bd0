// engine/initialize (once, after the model's own first kernels; one workgroup a block)
// What: reduces the event times of each block at time 0.
// Reads: next_event. Writes: summaries. Afterwards: they hold for the first round.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read> next_event: array<Time>;
@group(0) @binding(2) var<storage, read_write> summaries: array<Wide>;

fn run(block: u32, lane: u32) {
    let first = block * BLOCK;
    var earliest = never();
    for (var place = lane; place < BLOCK; place += WORKGROUP) {
        if (first + place < control.entities) { earliest = wide_minimum(earliest, next_event[first + place]); }
    }
    if (block == 0u) {
        for (var i = lane; i < control.crowds; i += WORKGROUP) { summaries[crowd_place() + i] = never(); }
    }
    let least = workgroup_minimum(lane, earliest);
    if (lane == 0u && block < control.blocks) {
        summaries[departure_place(0u) + block] = least;
        summaries[arrival_place() + block] = never();
    }
}

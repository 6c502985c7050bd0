// queueing/appoint_round: how rounds of appointments begin and end, and where the words lie that blocks leave: a word a block
// in each row, as in lib/summaries.
// Reads and writes: control. Reads: summaries.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(2) var<storage, read_write> summaries: array<Wide>;
@group(0) @binding(4) var<storage, read_write> stations: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> links: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

var<private> pending: Time;   // the earliest arrival that this thread has left or sent

// The earliest arrival that is not decided yet, the same in every lane of every workgroup.
fn earliest_pending(lane: u32) -> Time {
    let left = left_place(control.finished);
    let sent = sent_row();
    var earliest = never();
    for (var i = lane; i < control.blocks; i += WORKGROUP) {
        earliest = wide_minimum(earliest, wide_minimum(summaries[left + i], summaries[sent + i]));
    }
    return workgroup_minimum(lane, earliest);
}

// Of the stations that decided nothing, in a round; and of those that did and what they sent.
fn left_place(round: u32) -> u32 { return departure_place(round); }
fn sent_row() -> u32 { return arrival_place(); }

// Whether the round has something to do.
fn goes_on(earliest: Time) -> bool {
    return wide_less(earliest, control.limit) && atomicLoad(&control.fault) == 0u;
}

// The first workgroup writes down how far the run is.
fn begin_round(earliest: Time, running: bool) {
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    if (running) {
        control.bound = earliest;
        control.round = control.finished + 1u;
    } else if (atomicLoad(&control.fault) == 0u) {
        control.bound = control.limit;
    }
}

fn end_round() {
    control.finished = control.round;
    control.events = wide_add(control.events, wide(atomicLoad(&control.selected), 0u));
    atomicStore(&control.selected, 0u);
}

// What a round reads, the last one wrote.
fn read_half() -> u32 { return (this_round() & 1u) ^ 1u; }
fn written_half() -> u32 { return this_round() & 1u; }

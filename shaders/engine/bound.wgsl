// engine/bound (steps 1 and 2, one workgroup)
// What: ends the min-reduction of the future event list and decides how far this round goes.
// Reads: minima: per block over the entities that were left last round, per workgroup over what departure and arrival
//        scheduled since.
// Writes: control.minimum, bound, round and running; the sizes of the indirect dispatches that follow.
// Afterwards: every event in [minimum, bound) may happen in this round, and none that it creates lies below bound.
//             Once the limit is reached (or a fault is set) every dispatch of this and later rounds is empty.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read> minima: array<Wide>;
@group(0) @binding(2) var<storage, read_write> dispatch_blocks: array<u32, 3>;
@group(0) @binding(3) var<storage, read_write> dispatch_imminent: array<u32, 3>;

fn run(group: u32, lane: u32) {
    let blocks = control.blocks;
    let groups = control.groups;
    var earliest = never();
    for (var i = lane; i < blocks; i += WORKGROUP) { earliest = wide_minimum(earliest, minima[i]); }
    for (var i = lane; i < groups; i += WORKGROUP) {
        let departures = minima[blocks + i];
        let arrivals = minima[blocks + MOST_GROUPS + i];
        earliest = wide_minimum(earliest, wide_minimum(departures, arrivals));
    }
    earliest = workgroup_minimum(lane, earliest);
    if (lane == 0u) { decide(earliest); }
}

fn decide(earliest: Time) {
    let running = wide_less(earliest, control.limit) && atomicLoad(&control.fault) == 0u;
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    dispatch_imminent[0] = 0u;
    if (running) {
        control.round += 1u;
        control.bound = wide_minimum(wide_add(earliest, control.lookahead), control.limit);
        dispatch_blocks[0] = min(control.blocks, FOLD);
        dispatch_blocks[1] = (control.blocks + FOLD - 1u) / FOLD;
    } else {
        dispatch_blocks[0] = 0u;
        if (atomicLoad(&control.fault) == 0u) { control.bound = control.limit; }
    }
}

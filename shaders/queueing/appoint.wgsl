// queueing/appoint (the first half of a round; one thread a station, BLOCK stations a workgroup)
// What: takes in what was sent to a station in the last round. If something in its list may be decided now the station goes
//       into its block's slots; otherwise it publishes from when on its next departure by each of its edges can arrive (an
//       appointment, Nicol 1988).
// Reads: next_event, tokens, summaries, and of other stations only what the last round left: appointments and inboxes.
// Writes: links (lists, inboxes, slots), appointments, summaries, control (first block).
// Afterwards: the count of each block says how many of its slots hold a station.

var<workgroup> marks: array<atomic<u32>, WORKGROUP / 32u>;   // lanes whose station has something to decide

fn this_round() -> u32 { return control.finished + 1u; }

fn run(block: u32, lane: u32) {
    let earliest = earliest_pending(lane);
    let running = goes_on(earliest);
    if (block == 0u && lane == 0u) { begin_round(earliest, running); }
    pending = never();
    var count = 0u;
    let least = wide_add(earliest, wide(1u, 0u));
    for (var place = 0u; place < BLOCK; place += WORKGROUP) {
        let station = block * BLOCK + place + lane;
        if (lane < WORKGROUP / 32u) { atomicStore(&marks[lane], 0u); }
        workgroupBarrier();
        var ready = false;
        if (running && station < parameters.stations) { ready = look_at(station, least); }
        if (ready) { atomicOr(&marks[lane / 32u], 1u << (lane % 32u)); }
        workgroupBarrier();
        var before = 0u;
        var all = 0u;
        for (var word = 0u; word < WORKGROUP / 32u; word += 1u) {
            let bits = atomicLoad(&marks[word]);
            all += countOneBits(bits);
            if (word < lane / 32u) { before += countOneBits(bits); }
            if (word == lane / 32u) { before += countOneBits(bits & ((1u << (lane % 32u)) - 1u)); }
        }
        if (ready) { atomicStore(&links[station_slot(block * BLOCK + count + before)], station); }
        count += all;
        workgroupBarrier();
    }
    let earliest_left = workgroup_minimum(lane, pending);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[left_place(this_round()) + block] = earliest_left;
    summaries[count_place() + block] = wide(count, 0u);
    atomicAdd(&control.selected, count);
}

// Takes in what was sent to a station; whether it has something to decide, and if not it publishes.
fn look_at(id: u32, least: Time) -> bool {
    let here = around(id);
    let free = free_at(id);
    let list = taken_in(id);
    let next = others(here, free, least);
    set_list(id, list);
    var head = never();
    if (list != 0u) {
        head = next_event[list - 1u];
        if (may_be_decided(list - 1u, head, next)) { return true; }
    }
    set_sent(id, 0u);
    pending = wide_minimum(pending, head);
    publish_all(here, free, head, next);
    return false;
}

// Whether nothing that is still to come precedes an entity, and it comes within this phase of the run.
fn may_be_decided(entity: u32, time: Time, next: Others) -> bool {
    if (!wide_less(time, control.limit)) { return false; }
    if (wide_differs(time, next.time)) { return wide_less(time, next.time); }
    // What a station sends later has a later number.
    return comes_from(entity) <= next.source;
}

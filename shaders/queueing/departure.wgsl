// queueing/departure (step 4; one thread an imminent token or source)
// What: puts it into the inbox of the station where it arrives; a token that leaves the network gives up its place.
// Reads: tokens. Writes: links, and next_event of tokens that leave.
// Afterwards: every arrival of this round is in the inbox of its station, and in its slot with that station; where a
//             crowd arrives, only in its lists.

@group(0) @binding(5) var<storage, read> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> links: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

fn depart(slot: u32, id: u32) {
    let target_station = destination(id);
    let crowd = crowd_at(target_station);
    var here = NONE;
    if (crowd != NONE) {
        join(crowd, id);
    } else if (target_station < OUTSIDE) {
        here = target_station;
        push(inbox_place(here), id);
    } else {
        leave(id);
    }
    atomicStore(&links[slot_place(slot)], id);
    atomicStore(&links[slot_place(slot) + 1u], here);
}

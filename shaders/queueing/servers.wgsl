// queueing/servers: stations of any number of servers, with room for any number of tokens.
// Reads: structure. Writes: annex.

// When the next server is free for a token that arrives now.
fn free_from(here: u32, station: ptr<function, Station>) -> Time {
    if (structure[station_row(here)].w == 1u) { return (*station).free; }
    return annex_wide(annex_place(here));
}

fn annex_place(here: u32) -> u32 {
    return here / places.each * places.servers_each + structure[station_row(here) + 1u].y;
}

// That server is taken from start to end, by the last visit that was counted.
fn occupy(here: u32, station: ptr<function, Station>, start: Time, end: Time) {
    let row = station_row(here);
    let servers = structure[row].w;
    var place = annex_place(here);
    if (servers == 1u) {
        (*station).free = end;
    } else {
        replace_first(place, servers, end);
        place += servers;
    }
    let room = structure[row + 1u].x;
    if (room != NONE && room != 0u) { set_annex(place + ((*station).visits - 1u) % room, start); }
}

// Whether a token that arrives at `time` finds every server taken and everyone who may wait waiting: visits start in the
// order of their arrival, so the one that was let in `room` visits ago tells.
fn is_full(here: u32, station: ptr<function, Station>, time: Time) -> bool {
    let row = station_row(here);
    let room = structure[row + 1u].x;
    if (room == NONE) { return false; }
    if (room == 0u) { return wide_less(time, free_from(here, station)); }
    let visits = (*station).visits;
    if (visits < room) { return false; }
    let servers = structure[row].w;
    return wide_less(time, annex_wide(annex_place(here) + select(servers, 0u, servers == 1u) + visits % room));
}

// Puts a later time in place of the earliest of a heap.
fn replace_first(first: u32, count: u32, time: Time) {
    var at = 0u;
    loop {
        var child = 2u * at + 1u;
        if (child >= count) { break; }
        var least = annex_wide(first + child);
        if (child + 1u < count) {
            let other = annex_wide(first + child + 1u);
            if (wide_less(other, least)) {
                child += 1u;
                least = other;
            }
        }
        if (!wide_less(least, time)) { break; }
        set_annex(first + at, least);
        at = child;
    }
    set_annex(first + at, time);
}

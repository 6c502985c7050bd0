// queueing/crowd_servers: when the visits of a crowd start at a station of several servers, first come, first served.
// The n-th token of an ordered crowd takes the n-th earliest of all times at which a server is free: the known times,
// and the ends of the crowd's own visits. Lower bounds of the starts give lower bounds of the ends, these give better
// bounds of the starts, and so on, until nothing changes: a service takes at least a tick, so that there is only one
// solution.
// Reads and writes: annex, where the servers of a crowd's station are in order.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_maximum};
import package::queueing::crowd_order::{BATCH, run_times};
import package::queueing::network::{Site};
import package::queueing::places::{annex, annex_wide, set_annex};
import package::queueing::records::{parameters};
import constants::{WORKGROUP};
import word64::{wide_add, wide_less};
import workgroup::{workgroup_sum};

var<workgroup> free_times: array<Time, BATCH>; // the earliest of the servers
var<workgroup> end_times: array<Time, BATCH>;

fn starts_together(site: Site, time: Time, service: Time, count: u32, lane: u32) -> Time {
    // A station of 0 servers has as many servers as tokens.
    if (site.servers == 0u) { return time; }
    let known = min(site.servers, count);
    if (lane < known) { free_times[lane] = annex_wide(site.place + lane); }
    var start = time;
    loop {
        if (lane < count) {
            end_times[lane] = never();
            if (wide_less(start, parameters.until)) { end_times[lane] = wide_add(start, service); }
        }
        workgroupBarrier();
        merge_times(known, count, lane);
        workgroupBarrier();
        var better = start;
        if (lane < count) { better = wide_maximum(time, run_times[lane]); }
        let changes = workgroup_sum(lane, select(0u, 1u, wide_differs(better, start)));
        start = better;
        if (changes == 0u) { break; }
    }
    store_servers(site, count, lane);
    return start;
}

// Puts both kinds of times into run_times, in order.
fn merge_times(known: u32, count: u32, lane: u32) {
    if (lane >= count) { return; }
    let end = end_times[lane];
    var free = never();
    if (lane < known) { free = free_times[lane]; }
    var before_end = 0u;
    var before_free = 0u;
    for (var other = 0u; other < count; other += 1u) {
        let time = end_times[other];
        if (wide_less(time, end) || (other < lane && !wide_less(end, time))) { before_end += 1u; }
        if (wide_less(time, free)) { before_free += 1u; }
    }
    var low = 0u;
    var high = known;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (wide_less(end, free_times[middle])) { high = middle; } else { low = middle + 1u; }
    }
    run_times[before_end + low] = end;
    if (lane < known) { run_times[lane + before_free] = free; }
}

// The servers are free at the times left in run_times behind the first `count`; other servers keep theirs.
fn store_servers(site: Site, count: u32, lane: u32) {
    let known = min(site.servers, count);
    let others = site.place + known;
    let rest = site.servers - known;
    let spare = site.place + site.servers;
    if (lane < known) {
        let time = run_times[count + lane];
        var low = 0u;
        var high = rest;
        while (low < high) {
            let middle = (low + high) / 2u;
            if (wide_less(annex_wide(others + middle), time)) { low = middle + 1u; } else { high = middle; }
        }
        set_annex(spare + lane + low, time);
    }
    for (var server = lane; server < rest; server += WORKGROUP) {
        let time = annex_wide(others + server);
        var low = 0u;
        var high = known;
        while (low < high) {
            let middle = (low + high) / 2u;
            if (wide_less(time, run_times[count + middle])) { high = middle; } else { low = middle + 1u; }
        }
        set_annex(spare + server + low, time);
    }
    storageBarrier();
    for (var server = lane; server < site.servers; server += WORKGROUP) {
        annex[site.place + server] = annex[spare + server];
    }
    storageBarrier();
    workgroupBarrier();
}

// Puts the heap of servers in order, once, by transposing neighbours.
fn sort_servers(site: Site, lane: u32) {
    loop {
        var moved = 0u;
        for (var parity = 0u; parity < 2u; parity += 1u) {
            for (var server = 2u * lane + parity; server + 1u < site.servers; server += 2u * WORKGROUP) {
                let a = annex_wide(site.place + server);
                let b = annex_wide(site.place + server + 1u);
                if (wide_less(b, a)) {
                    set_annex(site.place + server, b);
                    set_annex(site.place + server + 1u, a);
                    moved += 1u;
                }
            }
            storageBarrier();
        }
        if (workgroup_sum(lane, moved) == 0u) { break; }
    }
}

// queueing/servers_approximate: stations of any number of servers in approximate time, the twin of queueing/servers. Each
// of several servers has two words: when it falls free, and the original time of that instant. The least pair comes
// first: the server that has been idle longest, and a server that has never served before all others.
// Reads and writes: annex.

import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import package::queueing::approximate_visit::{originals};
import package::queueing::network::{Site};
import package::queueing::places::{annex, annex_wide, set_annex};
import package::queueing::records::{NONE, Station};
import package::queueing::room::{starts_of};
import word64::{wide, wide_high, wide_less, wide_low};

const SERVER_WORDS: u32 = 2u;

// The original time at which the next server falls free.
fn freed_at(site: Site) -> Time {
    if (site.servers == 1u) { return originals.freed; }
    if (site.servers == 0u) { return wide(0u, 0u); }
    return annex_wide(site.place + 1u);
}

// The server of the last counted visit is taken from start to end.
fn occupy(site: Site, station: ptr<function, Station>, start: Time, end: Time) {
    originals.last = originals.arrived;
    if (site.servers == 1u) {
        (*station).free = end;
        originals.freed = originals.end;
    }
    if (site.servers > 1u) { replace_earliest(site.place, site.servers, vec4<u32>(bits(end), bits(originals.end))); }
    if (site.room != NONE && site.room != 0u) { set_annex(starts_of(site, (*station).visits - 1u), start); }
}

// Replaces the least pair of a heap by a later pair.
fn replace_earliest(first: u32, count: u32, pair: vec4<u32>) {
    var at = 0u;
    loop {
        var child = 2u * at + 1u;
        if (child >= count) { break; }
        var least = server_pair(first, child);
        if (child + 1u < count) {
            let other = server_pair(first, child + 1u);
            if (falls_free_before(other, least)) {
                child += 1u;
                least = other;
            }
        }
        if (!falls_free_before(least, pair)) { break; }
        set_server_pair(first, at, least);
        at = child;
    }
    set_server_pair(first, at, pair);
}

fn bits(time: Time) -> vec2<u32> { return vec2<u32>(wide_low(time), wide_high(time)); }

fn server_pair(first: u32, server: u32) -> vec4<u32> {
    return vec4<u32>(annex[first + 2u * server], annex[first + 2u * server + 1u]);
}

fn set_server_pair(first: u32, server: u32, pair: vec4<u32>) {
    annex[first + 2u * server] = pair.xy;
    annex[first + 2u * server + 1u] = pair.zw;
}

fn falls_free_before(a: vec4<u32>, b: vec4<u32>) -> bool {
    let a_free = wide(a.x, a.y);
    let b_free = wide(b.x, b.y);
    if (wide_differs(a_free, b_free)) { return wide_less(a_free, b_free); }
    return wide_less(wide(a.z, a.w), wide(b.z, b.w));
}

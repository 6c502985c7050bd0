// queueing/servers: stations of any number of servers, with room for any number of tokens.
// Reads and writes: annex.

// When the next server is free for a token that arrives now.
fn free_from(site: Site, station: ptr<function, Station>) -> Time {
    if (site.servers == 1u) { return (*station).free; }
    if (site.servers == 0u) { return wide(0u, 0u); }
    return annex_wide(site.place);
}

// That server is taken from start to end, by the last visit that was counted.
fn occupy(site: Site, station: ptr<function, Station>, start: Time, end: Time) {
    if (site.servers == 1u) { (*station).free = end; }
    if (site.servers > 1u) { replace_first(site.place, site.servers, end); }
    if (site.room != NONE && site.room != 0u) { set_annex(starts_of(site, (*station).visits - 1u), start); }
}

// Where the start of a visit is kept: behind the servers, as long as it matters.
fn starts_of(site: Site, visit: u32) -> u32 {
    return site.place + select(site.servers, 0u, site.servers == 1u) + visit % site.room;
}

// Whether a token that arrives at `time` finds every server taken and everyone who may wait waiting: visits start in the
// order of their arrival, so the one that was let in `room` visits ago tells.
fn is_full(site: Site, station: ptr<function, Station>, time: Time) -> bool {
    if (site.room == NONE) { return false; }
    if (site.room == 0u) { return wide_less(time, free_from(site, station)); }
    let visits = (*station).visits;
    return visits >= site.room && wide_less(time, annex_wide(starts_of(site, visits)));
}

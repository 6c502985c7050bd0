// queueing/room: when a server is free, and whether there is room to wait: the same in exact and in approximate time. A server
// has SERVER_WORDS words of annex; the first is when it is free.
// Reads: annex.

import package::lib::time::{Time};
import package::queueing::network::{Site};
import package::queueing::places::{annex_wide};
import package::queueing::records::{NONE, Station};
import servers::{SERVER_WORDS};
import word64::{wide, wide_less};

// When the next server is free for a token that arrives now.
fn free_from(site: Site, station: ptr<function, Station>) -> Time {
    if (site.servers == 1u) { return (*station).free; }
    if (site.servers == 0u) { return wide(0u, 0u); }
    return annex_wide(site.place);
}

// Where the start of a visit is kept: behind the servers, as long as it is needed.
fn starts_of(site: Site, visit: u32) -> u32 {
    return site.place + select(SERVER_WORDS * site.servers, 0u, site.servers == 1u) + visit % site.room;
}

// Whether a token that arrives at `time` finds all servers and all waiting room taken: visits start in the order of
// their arrival, so the token admitted `room` visits ago tells.
fn is_full(site: Site, station: ptr<function, Station>, time: Time) -> bool {
    if (site.room == NONE) { return false; }
    if (site.room == 0u) { return wide_less(time, free_from(site, station)); }
    let visits = (*station).visits;
    return visits >= site.room && wide_less(time, annex_wide(starts_of(site, visits)));
}

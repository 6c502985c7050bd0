// queueing/servers: stations of any number of servers, with room for any number of tokens.
// Reads and writes: annex.

import package::lib::time::{Time};
import package::queueing::heap::{replace_first};
import package::queueing::network::{Site};
import package::queueing::places::{set_annex};
import package::queueing::records::{NONE, Station};
import package::queueing::room::{starts_of};

const SERVER_WORDS: u32 = 1u;

// The server of the last counted visit is taken from start to end.
fn occupy(site: Site, station: ptr<function, Station>, start: Time, end: Time) {
    if (site.servers == 1u) { (*station).free = end; }
    if (site.servers > 1u) { replace_first(site.place, site.servers, end); }
    if (site.room != NONE && site.room != 0u) { set_annex(starts_of(site, (*station).visits - 1u), start); }
}

// queueing/exits: tokens that have left a network, and how long they were there: counted when a token's last visit is
// decided.
// Writes: annex.

import package::lib::time::{never};
import package::lib::wide::{wide_differs};
import package::queueing::network::{Site};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::records::{NONE, OUTSIDE, Visit};
import stays::{observe_stay};
import word64::{Wide, wide, wide_add, wide_less, wide_sub};

// Tokens that left by a way out and are not yet in annex.
struct Tally {
    way: u32,
    tokens: u32,
    from_sources: u32,
    top: u32,             // of the sum of stays, beyond 64 bits
    stays: Wide,
}

fn no_tally() -> Tally { return Tally(NONE, 0u, 0u, 0u, wide(0u, 0u)); }

// Counts a token whose visit here was its last.
fn account_exit(id: u32, site: Site, visit: Visit) {
    let way = way_out(visit);
    if (way == NONE) { return; }
    let born = annex_wide(places.births + 2u * id);
    var tally = no_tally();
    tally.way = way;
    tally.tokens = 1u;
    if (wide_differs(born, wide(0u, 0u))) { add_stay(site, &tally, visit, born); }
    add_tally(site, tally);
}

// The way out that a visit leads to, or NONE.
fn way_out(visit: Visit) -> u32 {
    let lead = model_table[places.edges + visit.edge].y;
    let leaves = lead >= OUTSIDE;
    return select(NONE, lead - OUTSIDE, leaves && wide_less(visit.start, never()));
}

// Adds the stay of a token from a source. `born` is when the token came in, plus one tick.
fn add_stay(site: Site, tally: ptr<function, Tally>, visit: Visit, born: Wide) {
    let stay = wide_sub(wide_add(visit.arrival, wide(1u, 0u)), born);
    observe_stay(site, (*tally).way, stay);
    (*tally).from_sources += 1u;
    (*tally).stays = wide_add((*tally).stays, stay);
    if (wide_less((*tally).stays, stay)) { (*tally).top += 1u; }
}

// Puts a tally into annex.
fn add_tally(site: Site, tally: Tally) {
    if (tally.way == NONE) { return; }
    let exit = site.exits + 3u * tally.way;
    let sum = wide_add(annex_wide(exit), tally.stays);
    let carry = select(0u, 1u, wide_less(sum, tally.stays));
    set_annex(exit, sum);
    annex[exit + 1u] = vec2<u32>(annex[exit + 1u].x + tally.top + carry, 0u);
    annex[exit + 2u] += vec2<u32>(tally.tokens, tally.from_sources);
}

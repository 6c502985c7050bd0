// queueing/exits: what has left a network, and how long it was there: counted when a token's last visit is decided.
// Writes: annex.

// Counts a token whose visit here was its last.
fn account_exit(id: u32, here: u32, visit: Visit) {
    if (!leads_out(visit)) { return; }
    let born = annex_wide(places.births + 2u * (id - parameters.sources));
    add_exit(here, visit, born);
}

fn leads_out(visit: Visit) -> bool {
    return wide_less(visit.start, never()) && structure[places.edges + visit.edge].y >= OUTSIDE;
}

// `born` is when the token came in, plus one tick.
fn add_exit(here: u32, visit: Visit, born: Wide) {
    let way = structure[places.edges + visit.edge].y - OUTSIDE;
    let exit = places.exits + 3u * (here / places.each * places.exits_each + way);
    let counts = annex[exit + 1u];
    let tokens_out = annex[exit + 2u];
    annex[exit + 2u] = vec2<u32>(tokens_out.x + 1u, tokens_out.y + select(1u, 0u, is_zero(born)));
    if (is_zero(born)) { return; }
    let stay = wide_sub(wide_add(visit.arrival, wide(1u, 0u)), born);
    let sum = wide_add(annex_wide(exit), stay);
    set_annex(exit, sum);
    if (wide_less(sum, stay)) { annex[exit + 1u] = vec2<u32>(counts.x + 1u, 0u); }
}

fn is_zero(a: Wide) -> bool { return wide_low(a) == 0u && wide_high(a) == 0u; }

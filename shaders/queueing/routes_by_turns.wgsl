// queueing/routes_by_turns: at some stations, of one server each, the tokens of a class take one route after the other, in the
// order of their visits; the last visit has been counted. The draw is unused there.
//
//   model_table: the first word of such a station is 1, of others 0, see queueing/places
//
// Reads: annex.

import package::queueing::network::{Site, route};
import package::queueing::places::{annex, places, model_table};

fn edge_for(site: Site, drawn: u32) -> u32 {
    if (model_table[2u * (site.id % places.each)].x == 0u) { return route(site, drawn); }
    let turn = annex[site.sums + 2u].x - 1u;
    return site.first_edge + turn % (site.last_edge - site.first_edge + 1u);
}

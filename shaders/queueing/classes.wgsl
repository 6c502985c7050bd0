// queueing/classes: tokens of several classes. The class of a token is in its route: routes and sources lead to a place, a
// class at a station. Each place has a law, routes and sums of its own; servers, room and the random stream are the station's.
//
//   model_table, in place of the first three words of a station: whether routes go by turns, the shifts of queueing/shifts
//   model_table, behind the stations, a row a place: first edge, edge behind the last, law, first token at time 0
//   annex, from class_sums on, four words a place of each replication: service, waiting | visits, losses | the bits of both
//   sums beyond 64
//
// Reads and writes: annex.

import package::lib::time::{Time};
import intervals::{class_of_next};
import package::queueing::network::{Site, law_at};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::records::{Station, is_source, parameters, tokens};
import word64::{Wide, wide_add, wide_less};

fn station_of(target_place: u32) -> u32 { return target_place / places.classes; }

// A station with the law and routes of the class in a place.
fn site_in(site: Site, place: u32) -> Site {
    let row = model_table[2u * places.each + place];
    var own = site;
    own.first_edge = row.x;
    own.last_edge = row.y - 1u;
    own.law = law_at(row.z);
    own.sums = places.class_sums + 4u * (site.id * places.classes + place % places.classes);
    return own;
}

// ... of the class of an arriving token, or of a source's tokens.
fn site_for(site: Site, entity: u32) -> Site {
    if (!is_source(entity)) { return site_in(site, model_table[places.edges + tokens[2u * entity + 1u].y].y); }
    let source = entity / parameters.cell;
    let place = model_table[places.sources + 2u * (source % places.sources_each)].y;
    let own = place % places.classes;
    return site_in(site, place - own + class_of_next(source, own));
}

// ... of the class of a token there at time 0: the tokens of a class follow each other.
fn first_site(site: Site, token: u32) -> Site {
    let number = (token - parameters.cells) % places.tokens_each;
    let first = site.id % places.each * places.classes;
    var place = first;
    for (var next = first + 1u; next < first + places.classes; next += 1u) {
        if (model_table[2u * places.each + next].w > number) { break; }
        place = next;
    }
    return site_in(site, place);
}

// Counts an admitted token.
fn count_admission(site: Site) { annex[site.sums + 2u].x += 1u; }

fn count_service(site: Site, station: ptr<function, Station>, service: Time, waiting: Time) {
    let above = annex[site.sums + 3u];
    annex[site.sums + 3u] = above + vec2<u32>(add_to(site.sums, service), add_to(site.sums + 1u, waiting));
}

// 1 where the sum passes 64 bits.
fn add_to(word: u32, more: Wide) -> u32 {
    let sum = wide_add(annex_wide(word), more);
    set_annex(word, sum);
    return select(0u, 1u, wide_less(sum, more));
}

fn count_loss(site: Site, station: ptr<function, Station>) { annex[site.sums + 2u].y += 1u; }

// queueing/arrival (step 5; one thread an arrival of this round; the thread of the last entity put into an inbox acts
// for all)
// What: decides the visits of all arrivals at a station, by (time, the station they come from, their number there).
// Reads: links, tokens, stations. Writes: links, tokens, stations, next_event, annex; over ranks also control.
// Afterwards: inboxes are empty, and every token that came in knows when and where it arrives next.

import package::engine::schedule::{next_event, schedule};
import package::lib::time::{Time};
import package::queueing::links::{inbox_place, link_of, slot_place};
import package::queueing::order::{first_of};
import package::queueing::records::{NONE, Station, links};
import package::queueing::station::{store_visit};
import package::queueing::visit::{serve};
import admission::{admit_all};
import classes::{count_loss, site_for};
import leaving::{is_gone, lose};
import room::{is_full};
import station_record::{load_station, store_station};
import topology::{Site, site_of};
import visit_clock::{load_originals, store_originals, note_arrival};

fn arrive(slot: u32) {
    let id = atomicLoad(&links[slot_place(slot)]);
    let here = atomicLoad(&links[slot_place(slot) + 1u]);
    if (here == NONE) { return; }
    // All loads under way at the same time: nearly every thread acts.
    let last = atomicLoad(&links[inbox_place(here)]);
    let time = next_event[id];
    let rest = link_of(id);
    var station = load_station(here);
    if (last != id + 1u) { return; }
    atomicStore(&links[inbox_place(here)], 0u);
    load_originals(here);
    admit_all(site_of(here), &station, first_of(id, time, rest));
    store_originals(here);
    store_station(here, station);
}

// Decides the visit of a token that arrives now.
fn take_in(site: Site, station: ptr<function, Station>, id: u32, time: Time) {
    note_arrival(id);
    let own = site_for(site, id);
    if (is_full(own, station, time)) {
        count_loss(own, station);
        lose(id);
        return;
    }
    let visit = serve(own, station, time);
    if (is_gone(id, own, visit)) { return; }
    store_visit(id, site.id, time, visit);
    schedule(id, visit.arrival);
}

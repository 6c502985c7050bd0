// queueing/approximate_visit: original times of the visits that a thread decides, all at one station.
// Reads and writes: annex.

import package::lib::time::{Time};
import package::lib::wide::{wide_differs, wide_maximum};
import package::queueing::approximate::{approximation, original_of, rounded, set_original};
import package::queueing::network::{Site};
import package::queueing::places::{annex_wide, set_annex};
import package::queueing::servers_approximate::{freed_at};
import word64::{Wide, wide, wide_add, wide_less, wide_sub};

struct Originals {
    last: Time,           // of the last admitted arrival
    freed: Time,          // when its only server fell free
    errors: Wide,         // causality errors
    arrived: Time,        // of the arrival that is decided now
    end: Time,            // of its service
    next: Time,           // of its next arrival
}

var<private> originals: Originals;

fn load_originals(station: u32) {
    let place = approximation.stations + 3u * station;
    originals.last = annex_wide(place);
    originals.freed = annex_wide(place + 1u);
    originals.errors = annex_wide(place + 2u);
}

fn store_originals(station: u32) {
    let place = approximation.stations + 3u * station;
    set_annex(place, originals.last);
    set_annex(place + 1u, originals.freed);
    set_annex(place + 2u, originals.errors);
}

// An entity has arrived, and may find no room.
fn note_arrival(entity: u32) {
    originals.arrived = original_of(entity);
    if (wide_less(originals.arrived, originals.last)) { originals.errors = wide_add(originals.errors, wide(1u, 0u)); }
}

// How long a service that starts now takes.
fn duration(site: Site, start: Time, service: Wide) -> Wide {
    originals.end = wide_add(wide_maximum(originals.arrived, freed_at(site)), service);
    return wide_sub(wide_maximum(rounded(originals.end), wide_add(start, approximation.ticks)), start);
}

// Where its token arrives next.
fn arrival_after(end: Time, delay: Wide) -> Time {
    originals.next = wide_add(originals.end, delay);
    if (!wide_differs(delay, wide(0u, 0u))) { return end; }
    return wide_maximum(rounded(originals.next), end);
}

fn store_original(token: u32) { set_original(token, originals.next); }

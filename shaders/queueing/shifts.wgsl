// queueing/shifts: some stations of a network of classes have more servers at some times than at others; a service in progress at the
// end of a shift is completed. The servers of such a station are the most servers of a shift.
//
//   model_table, the second and third word of such a station: the first row of its shifts, how many there are (0: none)
//     1 a shift     how long it lasts (never: for ever), servers, 0
//   annex, behind the servers of the station: the last start | when the shift of that time began | its number, 0
//
// Reads and writes: annex.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_maximum, wide_minimum};
import package::queueing::later::{later};
import package::queueing::network::{Site};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::records::{Station, parameters};
import room::{free_from};
import word64::{wide, wide_less};

// How many servers are taken at a time, and when the next of them is free.
struct Taken {
    servers: u32,
    next: Time,
}

fn taken_at(site: Site, station: ptr<function, Station>, time: Time) -> Taken {
    var taken = Taken(0u, never());
    for (var server = 0u; server < site.servers; server += 1u) {
        var free = (*station).free;
        if (site.servers > 1u) { free = annex_wide(site.place + server); }
        if (wide_less(time, free)) {
            taken.servers += 1u;
            taken.next = wide_minimum(taken.next, free);
        }
    }
    return taken;
}

// When the service of an arriving token begins: not before the service of the token before it, and once fewer tokens are served than
// the shift has servers. Services end before a shift begins at the same time: the earlier shift's servers then serve waiting tokens,
// too.
fn begins(site: Site, station: ptr<function, Station>, arrived: Time) -> Time {
    let row = model_table[2u * (site.id % places.each)];
    if (row.z == 0u) { return wide_maximum(arrived, free_from(site, station)); }
    let words = site.place + select(site.servers, 0u, site.servers == 1u);
    var time = wide_maximum(arrived, annex_wide(words));
    var begin = annex_wide(words + 1u);
    var number = annex[words + 2u].x;
    while (wide_less(time, parameters.until)) {
        var shift = model_table[row.y + number];
        var end = later(begin, wide(shift.x, shift.y));
        while (!wide_less(time, end)) {
            begin = end;
            number = (number + 1u) % row.z;
            shift = model_table[row.y + number];
            end = later(begin, wide(shift.x, shift.y));
        }
        var on_duty = shift.z;
        if (wide_less(arrived, time) && !wide_differs(time, begin)) {
            on_duty = max(on_duty, model_table[row.y + (number + row.z - 1u) % row.z].z);
        }
        let taken = taken_at(site, station, time);
        if (taken.servers < on_duty) { break; }
        time = wide_minimum(taken.next, end);
    }
    set_annex(words, time);
    set_annex(words + 1u, begin);
    annex[words + 2u] = vec2<u32>(number, 0u);
    return time;
}

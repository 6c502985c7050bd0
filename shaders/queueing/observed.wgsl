// queueing/observed: distributions of waiting and system times and of the number present, at the stations that have them.
// Reads and writes: annex. For each observed station of a replication, from its place in model_table on:
//
//   the time up to which the station was observed | tokens present, and whether there was no room for another
//   bins          visits by waiting time, and by system time
//   levels + 1    ticks with so many tokens present
//   levels        when the tokens present leave, as a heap (never: not before the end of the run)

import package::lib::scale::{scale_bin};
import package::lib::time::{Time, never};
import package::queueing::heap::{replace_first};
import package::queueing::network::{Site};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::records::{FAULT_LEVELS, NONE};
import faults::{raise};
import word64::{wide_add, wide_less, wide_sub};

// Records a visit, in the order of arrivals. `end` is when the token leaves; where start is never, so is end.
fn observe(site: Site, arrived: Time, start: Time, end: Time) {
    let copy = site.id / places.each;
    let row = model_table[places.observed + site.id - copy * places.each];
    if (row.x == NONE) { return; }
    let record = places.observations + copy * places.observations_each + row.x;
    if (wide_less(start, never())) {
        let waiting = record + 2u + bin_of(wide_sub(start, arrived));
        annex[waiting].x += 1u;
        let system = record + 2u + bin_of(wide_sub(end, arrived));
        annex[system].y += 1u;
    }
    let present = let_go(record, record + 2u + places.bins, row.y, arrived);
    if (present == row.y) {
        raise(FAULT_LEVELS, site.id);
        annex[record + 1u].y = 1u;
        return;
    }
    put(record + 3u + places.bins + row.y, present, end);
    annex[record + 1u].x = present + 1u;
}

// Brings the times of a station up to `now`; returns how many tokens are still present.
fn let_go(record: u32, times: u32, levels: u32, now: Time) -> u32 {
    let heap = times + levels + 1u;
    var present = annex[record + 1u].x;
    var since = annex_wide(record);
    while (present > 0u) {
        let next = annex_wide(heap);
        if (wide_less(now, next)) { break; }
        set_annex(times + present, wide_add(annex_wide(times + present), wide_sub(next, since)));
        since = next;
        present -= 1u;
        replace_first(heap, present, annex_wide(heap + present));
    }
    set_annex(times + present, wide_add(annex_wide(times + present), wide_sub(now, since)));
    set_annex(record, now);
    annex[record + 1u].x = present;
    return present;
}

// Puts a time into a heap of `count`.
fn put(heap: u32, count: u32, time: Time) {
    var at = count;
    while (at > 0u) {
        let above = (at - 1u) / 2u;
        let other = annex_wide(heap + above);
        if (!wide_less(time, other)) { break; }
        set_annex(heap + at, other);
        at = above;
    }
    set_annex(heap + at, time);
}

fn bin_of(time: Time) -> u32 { return scale_bin(time, places.shift, places.bins); }

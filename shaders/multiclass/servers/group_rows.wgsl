// multiclass/servers/group_rows: what the model table says of groups of servers, and the words that a station keeps of each.
//
// A station has from its row `group_words` on, for each group, the row `GroupTimes`; a row of how many servers are on duty, in how many batches
// these have taken tokens, and of the turn of a server that goes round (polling); and how many tokens of each class they have taken, four a row.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{model_row, plan};
import package::multiclass::rows::{row_at, set_row, station_at, with_word};
import package::multiclass::state::{mine};
import package::multiclass::statistics::annex::{carry};
import package::multiclass::tokens::{GROUP, GROUP_BITS};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

// The row of the first group of a station, and how many there are; whether servers there serve several tokens at once. The first row of when
// they fail (breakdowns), or 0.
struct Groups {
    first: u32,
    count: u32,
    gathers: u32,
    breakdowns: u32,
}

fn groups_of(id: u32) -> Groups {
    let row = model_row(plan.groups + id);
    return Groups(row.x, row.y, row.z, row.w);
}

// The row of its first class; how many classes it serves; its servers at time 0; whether it takes the first in line of all of them.
struct Group {
    classes: u32,
    serves: u32,
    servers: u32,
    in_line: u32,
}

fn group_of(groups: Groups, group: u32) -> Group {
    let row = model_row(groups.first + 2u * group);
    return Group(row.x, row.y, row.z, row.w);
}

// The first row and the number of its shifts, and the place of their event; the first row that says how many tokens its servers serve at once.
struct GroupShifts {
    first: u32,
    count: u32,
    place: u32,
    bulk: u32,
}

fn group_shifts_of(groups: Groups, group: u32) -> GroupShifts {
    let row = model_row(groups.first + 2u * group + 1u);
    return GroupShifts(row.x, row.y, row.z, row.w);
}

// A class in a group: how far down in its preference, or NONE where it does not serve the class; the law of services, and 2^20 times by what
// they are multiplied. And the class that is so far down in the preference as this row is behind the first one.
struct ClassOfGroup {
    preference: u32,
    law: u32,
    factor: u32,
    preferred: u32,
}

fn class_of_group(group: Group, class_of: u32) -> ClassOfGroup {
    let row = model_row(group.classes + class_of);
    return ClassOfGroup(row.x, row.y, row.z, row.w);
}

// The group of a token with this class and these flags.
fn group_in(about: u32) -> u32 { return (about & GROUP) >> GROUP_BITS; }

fn group_at(id: u32, group: u32) -> u32 { return station_at(id) + plan.group_words + group * (2u + (plan.classes + 3u) / 4u); }

// Servers that serve or hold a token. And a sum of 96 bits, modulo 2^96: plus the time at which each leaves its token, minus the time at which
// it takes one, where the warm-up counts as its end.
struct GroupTimes {
    taken: u32,
    upper: u32,
    sum: Wide,
}

fn group_times_of(words: u32) -> GroupTimes {
    let row = row_at(words);
    return GroupTimes(row.x, row.y, wide(row.z, row.w));
}

fn set_group_times(words: u32, row: GroupTimes) {
    set_row(words, vec4<u32>(row.taken, row.upper, wide_low(row.sum), wide_high(row.sum)));
}

// A server takes a token now; below, leaves one.
fn notes_taken(words: u32) {
    let before = group_times_of(words);
    let since = wide_maximum(mine.now, plan.warmup);
    let borrow = select(0u, 1u, wide_less(before.sum, since));
    set_group_times(words, GroupTimes(before.taken + 1u, before.upper - borrow, wide_sub(before.sum, since)));
}

fn notes_left(words: u32) {
    let before = group_times_of(words);
    let sum = wide_add(before.sum, wide_maximum(mine.now, plan.warmup));
    set_group_times(words, GroupTimes(before.taken - 1u, before.upper + carry(sum, before.sum), sum));
}

// Servers on duty that are in order.
fn group_servers(words: u32) -> u32 { return row_at(words + 1u).x; }
fn set_group_servers(words: u32, servers: u32) { set_row(words + 1u, with_word(row_at(words + 1u), 0u, servers)); }

// Counts tokens of a class that its servers take.
fn count_taken(words: u32, class_of: u32, count: u32) {
    let row = words + 2u + class_of / 4u;
    let place = class_of & 3u;
    let before = row_at(row);
    set_row(row, with_word(before, place, before[place] + count));
}

// A time of a service, multiplied by a factor in units of 2^-20: the product has 96 bits, of which the lowest 20 fall away.
fn longer_time(time: Time, factor: u32) -> Time {
    let low = wide_product(wide_low(time), factor);
    let high = wide_add(wide_product(wide_high(time), factor), wide(wide_high(low), 0u));
    let longer = wide((wide_low(high) << 12u) | (wide_low(low) >> 20u), (wide_high(high) << 12u) | (wide_low(high) >> 20u));
    return wide_maximum(longer, wide(1u, 0u));
}

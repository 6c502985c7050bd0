// multiclass/sharing/paced_clock: the clock of the open station, where that station has one by sharing/paced.
// Reads: parameters, model_table. Reads and writes: replication_state.

import pace::{gain, pace_of, time_at};
import package::lib::quad::{quad_add, quad_of, quad_row};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, add_event, set_event, take_event};
import package::multiclass::sharing::pace::{left_until};
import package::multiclass::sharing::rules::{Sharing, sharing_of, speed_numbered, weight_numbered};
import package::multiclass::state::{back_at, mine, row_at, set_row, station_at};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::accounts::{counted_since};
import package::multiclass::tokens::{numbers_of, token_at};
import word64::{Wide, wide, wide_high, wide_low, wide_sub};

// The unit of weights where they differ.
const UNIT: u32 = 1024u;

// Whether the clock of the open station shows the present, and the token whose end was an event before, or NONE.
var<private> is_read: bool;
var<private> planned: u32;

fn rule_here() -> Sharing { return sharing_of(site.id); }
fn clock_row() -> u32 { return site.words + plan.sharing / 2u; }

fn unit_of() -> u32 { return select(UNIT, 1u, rule_here().first_weight == NONE); }

fn weight_of(class_of: u32) -> u32 {
    let first = rule_here().first_weight;
    if (first == NONE) { return 1u; }
    return weight_numbered(first + class_of);
}

// The speed with so many tokens present, in units of 2^-32.
fn speed_at(present: u32) -> Wide {
    let rule = rule_here();
    if (rule.speeds == 0u) { return wide(0u, 1u); }
    return speed_numbered(rule.first_speed + min(max(present, 1u), rule.speeds) - 1u);
}

// The first token in the order of ends, or NONE.
fn first_of_clock() -> u32 { return back_at(clock_row() + 2u).x - 1u; }

// The same of a station that is not open; NONE where no clock serves its tokens.
fn first_in_clock(id: u32) -> u32 {
    let rule = sharing_of(id);
    if (rule.servers != 0u || rule.speeds == 0u) { return NONE; }
    return back_at(station_at(id) + plan.sharing / 2u + 2u).x - 1u;
}

fn set_first(token: u32) {
    let row = row_at(clock_row() + 2u);
    set_row(clock_row() + 2u, vec4<u32>(row.xy, token + 1u, row.w));
}

// Brings the clocks up to now, before the tokens in service or the speed change.
fn read_clock() {
    if (is_read) { return; }
    is_read = true;
    let words = clock_row();
    let times = row_at(words + 2u);
    let pace = row_at(words + 3u);
    let since = wide(times.x, times.y);
    let among = wide(pace.z, pace.w);
    planned = times.z - 1u;
    let gained = gain(pace_of(wide(pace.x, pace.y), times.w, among), wide_sub(mine.now, since));
    set_row(words, quad_row(quad_add(quad_of(row_at(words)), gained)));
    if (rule_here().servers != 0u) {
        let counted = gain(pace_of(wide(0u, 1u), times.w, among), counted_since(since));
        set_row(words + 1u, quad_row(quad_add(quad_of(row_at(words + 1u)), counted)));
    }
    set_row(words + 2u, vec4<u32>(wide_low(mine.now), wide_high(mine.now), times.zw));
}

// All that happens to the open station now has happened: sets the pace of its clock, and the service that ends next.
fn plan_end() {
    let words = clock_row();
    let rule = rule_here();
    let first = first_of_clock();
    let speed = speed_at(site.present);
    var workers = 1u;
    var among = back_at(words + 3u);
    if (rule.servers != 0u) {
        workers = min(rule.servers, site.serving) * unit_of();
    } else {
        among = vec2<u32>(select(1u, 0u, first == NONE), 0u);
    }
    let times = row_at(words + 2u);
    set_row(words + 2u, vec4<u32>(times.xyz, workers));
    set_row(words + 3u, vec4<u32>(wide_low(speed), wide_high(speed), among));
    if (planned != NONE && planned != first) { _ = take_event(planned); }
    if (first == NONE) { return; }
    let pace = pace_of(speed, workers, wide(among.x, among.y));
    let left = left_until(quad_of(row_at(words)), quad_of(row_at(token_at(first) + 5u)));
    let time = time_at(mine.now, left, pace);
    let numbers = numbers_of(first);
    if (first == planned) {
        set_event(numbers.place, DEPARTURE | site.id, first, time);
    } else {
        add_event(DEPARTURE | site.id, first, vec2<u32>(numbers.arrival, numbers.event), 0u, time);
    }
}

// multiclass/sharing/paced_clock: the clock of the open station, where that station has one by sharing/paced.
// Reads: parameters, model_table. Reads and writes: replication_state.

import pace::{gain, pace_of, time_at};
import package::lib::quad::{quad_add, quad_of, quad_row};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, add_event, set_event, take_event};
import package::multiclass::rows::{back_at, back_wide, row_at, row_of, set_row, station_at};
import package::multiclass::sharing::pace::{left_until};
import package::multiclass::sharing::rules::{Sharing, sharing_of, speed_numbered, weight_numbered};
import package::multiclass::state::{mine};
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

// When the clocks of a station showed that, 1 and the first in service, or 0, and the servers at work, in units of weights.
struct ClockTimes {
    since: Time,
    first: u32,
    workers: u32,
}

fn clock_times(words: u32) -> ClockTimes {
    let row = row_at(words + 2u);
    return ClockTimes(wide(row.x, row.y), row.z, row.w);
}

fn set_clock_times(words: u32, row: ClockTimes) {
    set_row(words + 2u, vec4<u32>(wide_low(row.since), wide_high(row.since), row.first, row.workers));
}

// The speed, and the sum of the weights of those in service that share, else 1 where anybody is.
struct ClockPace {
    speed: Wide,
    among: Wide,
}

fn clock_pace(words: u32) -> ClockPace {
    let row = row_at(words + 3u);
    return ClockPace(wide(row.x, row.y), wide(row.z, row.w));
}

// The first in the order of ends, or NONE.
fn first_of_clock() -> u32 { return back_at(clock_row() + 2u).x - 1u; }

// The same of a station that is not open; NONE where no clock serves its tokens.
fn first_in_clock(id: u32) -> u32 {
    let rule = sharing_of(id);
    if (rule.servers != 0u || rule.speeds == 0u) { return NONE; }
    return back_at(station_at(id) + plan.sharing / 2u + 2u).x - 1u;
}

fn set_first(token: u32) {
    var times = clock_times(clock_row());
    times.first = token + 1u;
    set_clock_times(clock_row(), times);
}

// Brings the clocks up to now, before the tokens in service or the speed change.
fn read_clock() {
    if (is_read) { return; }
    is_read = true;
    let words = clock_row();
    let times = clock_times(words);
    let pace = clock_pace(words);
    planned = times.first - 1u;
    let gained = gain(pace_of(pace.speed, times.workers, pace.among), wide_sub(mine.now, times.since));
    set_row(words, quad_row(quad_add(quad_of(row_at(words)), gained)));
    if (rule_here().servers != 0u) {
        let counted = gain(pace_of(wide(0u, 1u), times.workers, pace.among), counted_since(times.since));
        set_row(words + 1u, quad_row(quad_add(quad_of(row_at(words + 1u)), counted)));
    }
    set_clock_times(words, ClockTimes(mine.now, times.first, times.workers));
}

// All that happens to the open station now has happened: sets the pace of its clock, and the service that ends next.
fn plan_end() {
    let words = clock_row();
    let rule = rule_here();
    let first = first_of_clock();
    let speed = speed_at(site.present);
    var workers = 1u;
    var among = back_wide(words + 3u);
    if (rule.servers != 0u) {
        workers = min(rule.servers, site.serving) * unit_of();
    } else {
        among = wide(select(1u, 0u, first == NONE), 0u);
    }
    var times = clock_times(words);
    times.workers = workers;
    set_clock_times(words, times);
    set_row(words + 3u, row_of(speed, among));
    if (planned != NONE && planned != first) { _ = take_event(planned); }
    if (first == NONE) { return; }
    let pace = pace_of(speed, workers, among);
    let left = left_until(quad_of(row_at(words)), quad_of(row_at(token_at(first) + 5u)));
    let time = time_at(mine.now, left, pace);
    let numbers = numbers_of(first);
    if (first == planned) {
        set_event(numbers.place, DEPARTURE | site.id, first, time);
    } else {
        add_event(DEPARTURE | site.id, first, vec2<u32>(numbers.arrival, numbers.event), 0u, time);
    }
}

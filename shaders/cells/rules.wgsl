// cells/rules: what the rules of a cell read and set. The writer of rules defines the rest from a file:
//
//   RULE_NEIGHBOURS, RULE_HEARS_ITSELF   the neighborhood, and whether the cell itself is in it
//   rule_way(n)                          the offset of the n-th neighbour of this cell, NOWHERE if there is none
//   RULE_WAITING, RULE_ROOM              where in the state the waiting values lie, and how many may wait
//   rule_choose(cell)                    whether a rule holds; it leaves the rule's value and delay

import package::cells::cell::{neighbour_arrives, now};
import package::cells::fixed::{Number, fixed_negative, fixed_range};
import package::cells::numbers::{neighbour_number};
import package::cells::space::{NOWHERE, cell_id};
import package::lib::time::{Time, never};
import faults::{raise};
import rule_file::{RULE_HEARS_ITSELF, RULE_NEIGHBOURS, rule_way};
import word64::{wide, wide_add, wide_high, wide_less};

const RULE_DELAY: u32 = 0x400u;
const RULE_NONE: u32 = 0x800u;

var<private> rule_own: Number;      // the value of the cell
var<private> rule_value: Number;    // what the rule gives
var<private> rule_delay: Time;   // ... and after how long

// Whether an output of the neighborhood arrives.
fn rule_heard(imminent: bool) -> bool {
    if (imminent && RULE_HEARS_ITSELF) { return true; }
    for (var n = 0u; n < RULE_NEIGHBOURS; n += 1u) {
        let way = rule_way(n);
        if (way != NOWHERE && neighbour_arrives(way)) { return true; }
    }
    return false;
}

fn rule_neighbour(n: u32) -> Number { return neighbour_number(rule_way(n), 0u); }

// A delay in milliseconds: its steps are ticks.
fn rule_milliseconds(delay: Number) -> Time {
    let is_wrong = fixed_negative(delay);
    if (is_wrong) { raise(RULE_DELAY, cell_id); }
    return select(delay, wide(0u, 0u), is_wrong);
}

// The time in milliseconds.
fn rule_clock() -> Number {
    if (wide_high(now) > 0x7fffffffu) { return fixed_range(); }
    return now;
}

// When the value of the rule is sent: never if its time is not representable.
fn rule_time() -> Time {
    let time = wide_add(now, rule_delay);
    return select(time, never(), wide_less(time, now));
}

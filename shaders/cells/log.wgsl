// cells/log: writes down what cells send. Every group has entries of its own, in the order of its rounds; the n-th
// entries of all groups lie side by side. No round begins before each group has room for all that its cells may send.

import package::cells::cell::{SENT_AT, output_word, word_of};
import package::cells::groups::{groups_in_all};
import package::cells::space::{cell_id, space};
import package::lib::control::{control};
import constants::{OUTPUT_WORDS};
import workgroup::{workgroup_prefix};

var<storage, read_write> entries: array<u32>; // how many each group has; cell, time, output of each

const ENTRY_WORDS: u32 = 3u + OUTPUT_WORDS;

var<private> entered: u32; // entries of this group so far

fn begin_log(group: u32) {
    entered = 0u;
    if (group < groups_in_all()) { entered = entries[group]; }
}

// Enters the cells that send; called by all lanes together.
fn log_output(group: u32, lane: u32, slot: u32, sends: bool) {
    var sending = 0u;
    let rank = workgroup_prefix(lane, select(0u, 1u, sends), &sending);
    if (sends) {
        let first = groups_in_all() + ((entered + rank) * groups_in_all() + group) * ENTRY_WORDS;
        entries[first] = cell_id;
        entries[first + 1u] = word_of(slot, SENT_AT);
        entries[first + 2u] = word_of(slot, SENT_AT + 1u);
        for (var word = 0u; word < OUTPUT_WORDS; word += 1u) { entries[first + 3u + word] = output_word(slot, word); }
    }
    entered += sending;
}

fn end_log(group: u32, lane: u32) {
    if (lane != 0u || group >= groups_in_all()) { return; }
    entries[group] = entered;
    if (entered + space.log.y > space.log.x) { atomicMax(&control.room, 1u); }
}

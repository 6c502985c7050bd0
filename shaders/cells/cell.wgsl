// cells/cell: the words of a cell, and what a model's functions may see and set.
// The words of all cells lie in planes: word w of a slot is cells[w * space.slots + slot]. State comes first, then the last
// output, whether the cell is imminent in this round (1) and sends (2), the time of that round, and where the model asks
// for elapsed times the time of the last transition.

import package::cells::space::{NOWHERE, neighbour_slot, space};
import package::lib::control::{control};
import package::lib::time::{Time};
import constants::{NEIGHBOURS, OUTPUT_WORDS, STATE_WORDS};
import word64::{wide, wide_high, wide_low};

var<storage, read_write> plans: array<Time>; // of each slot: the next own event
var<storage, read_write> cells: array<u32>;

const MARK: u32 = STATE_WORDS + OUTPUT_WORDS;
const SENT_AT: u32 = MARK + 1u;
const LAST: u32 = MARK + 3u;
const IMMINENT: u32 = 1u;
const SENDING: u32 = 2u;
const FAULT_OUTSIDE: u32 = 0x20000000u;
const FAULT_PAST: u32 = 0x40000000u;
const FAULT_LOOKAHEAD: u32 = 0x80000000u;

const HEARD_WORDS: u32 = max((NEIGHBOURS + 31u) / 32u, 1u);

var<private> heard: array<u32, HEARD_WORDS>; // a bit for each neighbour
var<private> now: Time;
var<private> planned: Time; // when the cell's own event is, before a transition
var<private> elapsed: Time; // since the cell's last transition, where the model asks for it

fn word_of(slot: u32, word: u32) -> u32 { return cells[word * space.slots + slot]; }
fn put_word(slot: u32, word: u32, value: u32) { cells[word * space.slots + slot] = value; }
fn time_of(slot: u32, word: u32) -> Time { return wide(word_of(slot, word), word_of(slot, word + 1u)); }

fn put_time_of(slot: u32, word: u32, time: Time) {
    put_word(slot, word, wide_low(time));
    put_word(slot, word + 1u, wide_high(time));
}

// Whether a round may begin: no fault is set, and there is room in the log.
fn unhindered() -> bool { return control.halted == 0u && atomicLoad(&control.room) == 0u; }

fn state_word(cell: u32, word: u32) -> u32 { return word_of(cell, word); }
fn set_state_word(cell: u32, word: u32, value: u32) { put_word(cell, word, value); }
fn output_word(cell: u32, word: u32) -> u32 { return word_of(cell, STATE_WORDS + word); }
fn set_output(cell: u32, word: u32, value: u32) { put_word(cell, STATE_WORDS + word, value); }

fn neighbour_exists(n: u32) -> bool { return neighbour_slot(n) != NOWHERE; }

// Whether an output of the n-th neighbour arrives now, as cells/transition has found it.
fn neighbour_arrives(n: u32) -> bool { return (heard[n / 32u] & (1u << (n % 32u))) != 0u; }

fn neighbour_word(n: u32, word: u32) -> u32 {
    let slot = neighbour_slot(n);
    if (slot == NOWHERE) { return 0u; }
    return word_of(slot, STATE_WORDS + word);
}

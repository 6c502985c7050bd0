// global_heap/areas: where everything lies: areas of NODE and SORTED events, and words. An area is in order, its empty
// events at its end.
//
//   the slots: one for each node, and a spare one for each level
//   HELD_AT      events to merge with the children of a node, an area of NODE for each level
//   SENT_AT      events that a round has sent or left, in no order
//   RUNS_AT, SORTED_AT   the same events during and after sorting
//
//   words: a link for each event of the root; the slot of each node; 4 for each level: the node that a step is due at,
//   whether a step is due, the spare slot, and 1 + the node that is to have it; whether the round has steps
//
// Reads and writes: keys, cargo, heap_words.

import package::global_heap::events::{cargo, keys, none};
import constants::{LEVELS, MOST_SENT, NODE, NODES, SENT_AT, SORTED};
import events::{Cargo};

var<storage, read_write> heap_words: array<u32>;

const SLOT_AT: u32 = NODE;
const LEVEL_AT: u32 = SLOT_AT + NODES;
const STEPPING_AT: u32 = LEVEL_AT + 4u * (LEVELS + 1u);

// Where a round's events lie among the events to sort: the first MAY_GO of the root may go, and send; the others stay.
const MAY_GO: u32 = NODE / MOST_SENT;
const LEFT_AT: u32 = SENT_AT + MAY_GO * MOST_SENT + NODE - MAY_GO;
const LEFT_OVER: u32 = SENT_AT + SORTED - LEFT_AT;

fn stepping() -> bool { return heap_words[STEPPING_AT] != 0u; }
fn node_area(node: u32) -> u32 { return heap_words[SLOT_AT + node] * NODE; }

fn sent_place(place: u32) -> u32 {
    return SENT_AT + select(MAY_GO * MOST_SENT + place - MAY_GO, place * MOST_SENT, place < MAY_GO);
}

// Gives back an event of the root that is not executed.
fn give_back(place: u32, key: vec4<u32>, load: Cargo) {
    let to = sent_place(place);
    keys[to] = key;
    cargo[to] = load;
    if (place < MAY_GO) { leave_empty(place, 1u); }
}

// Leaves the places empty of messages that an event of the root could have sent, and has not.
fn leave_empty(place: u32, sent: u32) {
    for (var number = sent; number < MOST_SENT; number += 1u) { keys[sent_place(place) + number] = none(); }
}

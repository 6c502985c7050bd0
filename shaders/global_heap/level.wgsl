// global_heap/level: a step at a level merges what is held for a node with the events of its two children into three areas
// in order. The first area is the node's. One child gets the next area and keeps its order with its own children; for the
// other the last area is held, and the next step at the next level is due there. A thread for each event; a step at one
// level reads and writes nothing that a step two or more levels away reads or writes.
// The kernel defines `at_root(place, key, load)`, which is told of every event of the root.
// Reads and writes: keys, cargo, heap_words.

import package::global_heap::areas::{LEVEL_AT, SLOT_AT, heap_words, node_area};
import package::global_heap::events::{cargo, is_none, keys, none, put};
import package::global_heap::rank::{rank_in};
import package::pending::order::{precedes};
import constants::{HELD_AT, NODE, NODES, SORTED_AT};
import root::{at_root};

// `list` is 0 for what is held, 1 and 2 for the children.
fn one_step(level: u32, list: u32, place: u32) {
    let leads = list == 0u && place == 0u;
    let record = LEVEL_AT + 4u * level;
    if (leads && level != 0u) { give_spare(record - 4u); }
    if (level != 0u && heap_words[record + 1u] == 0u) {
        if (leads) { end_at(record); }
        return;
    }
    let node = heap_words[record];
    let left = 2u * node + 1u;
    let below = select(0u, min(NODES - left, 2u), left < NODES);
    if (list > below) { return; }
    var areas = vec3<u32>(select(HELD_AT + level * NODE, SORTED_AT, level == 0u), 0u, 0u);
    if (below > 0u) { areas.y = node_area(left); }
    if (below > 1u) { areas.z = node_area(left + 1u); }
    if (in_order(areas, below)) {
        if (leads) { end_at(record); }
        if (list == 0u) { put_into_node(level, node, place, areas.x + place); }
        return;
    }
    let left_last = keys[areas.y + NODE - 1u];
    var right_last = none();
    if (below > 1u) { right_last = keys[areas.z + NODE - 1u]; }
    // Down to the child whose last event is earlier. Where the other child has room, nothing lies below it.
    let down = select(0u, 1u, precedes(right_last, left_last));
    let other = 1u - down;
    let has_room = is_none(left_last) || is_none(right_last);
    if (leads) {
        heap_words[record + 4u] = left + down;
        heap_words[record + 5u] = 1u;
        heap_words[record + 3u] = select(0u, left + other + 1u, other < below);
    }
    let event = pick(areas, list) + place;
    let rank = rank_of(event, place, list, areas, below);
    let part = rank / NODE;
    let to = rank % NODE;
    if (part == 0u) {
        put_into_node(level, node, to, event);
    } else if ((part == 1u) == has_room) {
        put(HELD_AT + (level + 1u) * NODE + to, event);
    } else if (other < below) {
        put(heap_words[record + 2u] * NODE + to, event);
    }
}

fn pick(areas: vec3<u32>, list: u32) -> u32 { return select(select(areas.x, areas.y, list == 1u), areas.z, list == 2u); }

fn rank_of(event: u32, place: u32, list: u32, areas: vec3<u32>, below: u32) -> u32 {
    let key = keys[event];
    var rank = place;
    if (list != 0u) { rank += rank_in(areas.x, NODE, key, true); }
    if (list != 1u) { rank += rank_in(areas.y, NODE, key, list == 2u); }
    if (list != 2u && below > 1u) { rank += rank_in(areas.z, NODE, key, false); }
    return rank;
}

// No event of the children comes before the last that is held.
fn in_order(areas: vec3<u32>, below: u32) -> bool {
    if (below == 0u) { return true; }
    let last = keys[areas.x + NODE - 1u];
    if (precedes(keys[areas.y], last)) { return false; }
    return below == 1u || !precedes(keys[areas.z], last);
}

fn put_into_node(level: u32, node: u32, place: u32, event: u32) {
    put(node_area(node) + place, event);
    if (level == 0u) { at_root(place, keys[event], cargo[event]); }
}

// Says that no step is due at the next level.
fn end_at(record: u32) {
    heap_words[record + 3u] = 0u;
    heap_words[record + 5u] = 0u;
}

// A node has been written to a spare slot, which becomes its own; its former slot becomes the spare.
fn give_spare(record: u32) {
    let node = heap_words[record + 3u];
    if (node == 0u) { return; }
    let slot = SLOT_AT + node - 1u;
    let former = heap_words[slot];
    heap_words[slot] = heap_words[record + 2u];
    heap_words[record + 2u] = former;
}

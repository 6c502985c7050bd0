// pending/splay: a set of pending events as a splay tree (Sleator and Tarjan 1985), from the top down: nodes that an
// insertion or a removal passes come nearer to the root. A link is the number of a slot of this set plus 1; 0 is none. A
// node has a word behind its event: left, right. Free slots that events have left are a list by their left links; where it
// is empty, the events fill the first slots.
// Reads and writes: slots.

import package::lib::time::{Time, never};
import package::pending::order::{precedes, time_of};
import package::pending::queue::{key_at, queue, room, slots};
import events::{EVENT_WORDS, Event, event_at, put_event};

const SLOT_WORDS: u32 = EVENT_WORDS + 1u;
const SPARE: u32 = 0u;

fn node_slot(link: u32) -> u32 { return queue.base + link - 1u; }
fn node_key(link: u32) -> vec4<u32> { return key_at(node_slot(link)); }
fn node_links(link: u32) -> u32 { return node_slot(link) * SLOT_WORDS + EVENT_WORDS; }
fn left_of(link: u32) -> u32 { return slots[node_links(link)].x; }
fn right_of(link: u32) -> u32 { return slots[node_links(link)].y; }
fn set_left(link: u32, left: u32) { slots[node_links(link)].x = left; }
fn set_right(link: u32, right: u32) { slots[node_links(link)].y = right; }

fn first_time() -> Time {
    if (queue.count == 0u) { return never(); }
    return time_of(node_key(queue.least));
}

// Takes a free slot, which the caller knows to exist.
fn new_node() -> u32 {
    let link = queue.free;
    queue.count += 1u;
    if (link == 0u) { return queue.count; }
    queue.free = left_of(link);
    return link;
}

fn insert(event: Event) -> bool {
    if (queue.count >= room()) { return false; }
    var link = queue.top;
    let node = new_node();
    // The tree is split into the events before and the events after the new one. A half grows where its last node is.
    var halves = vec2<u32>();
    var ends = vec2<u32>();
    while (link != 0u) {
        if (precedes(node_key(link), event.key)) {
            var next = right_of(link);
            if (next != 0u && precedes(node_key(next), event.key)) {
                set_right(link, left_of(next));
                set_left(next, link);
                link = next;
                next = right_of(link);
            }
            if (ends.x == 0u) { halves.x = link; } else { set_right(ends.x, link); }
            ends.x = link;
            link = next;
        } else {
            var next = left_of(link);
            if (next != 0u && precedes(event.key, node_key(next))) {
                set_left(link, right_of(next));
                set_right(next, link);
                link = next;
                next = left_of(link);
            }
            if (ends.y == 0u) { halves.y = link; } else { set_left(ends.y, link); }
            ends.y = link;
            link = next;
        }
    }
    if (ends.x == 0u) { queue.least = node; } else { set_right(ends.x, 0u); }
    if (ends.y != 0u) { set_left(ends.y, 0u); }
    put_event(node_slot(node), event);
    slots[node_links(node)] = vec4<u32>(halves, 0u, 0u);
    queue.top = node;
    return true;
}

// Puts a tree on the left of a node, or at the root.
fn hang(above: u32, link: u32) {
    if (above == 0u) { queue.top = link; } else { set_left(above, link); }
}

fn pop() -> Event {
    let node = queue.least;
    let first = event_at(node_slot(node));
    var above = 0u;
    var link = queue.top;
    while (link != node) {
        let next = left_of(link);
        if (next == node) {
            above = link;
            break;
        }
        // The next node comes above this one.
        set_left(link, right_of(next));
        set_right(next, link);
        hang(above, next);
        above = next;
        link = left_of(next);
    }
    let behind = right_of(node);
    hang(above, behind);
    queue.least = above;
    for (var least = behind; least != 0u; least = left_of(least)) { queue.least = least; }
    set_left(node, queue.free);
    queue.free = node;
    queue.count -= 1u;
    return first;
}

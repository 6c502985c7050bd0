// queueing/skew_heap: the entities on their way to a place, the first entity at the top (Sleator and Tarjan 1986). Adding an
// entity or removing the first takes, in the mean, a time of the order of the logarithm of their number, in whatever order
// they come. A heap is the link of its first entity.
// Reads and writes: links, where other rounds have their slots: two more heaps below each entity.

import package::queueing::comes_from::{precedes};
import package::queueing::links::{slot_place};
import package::queueing::records::{links};

fn left_place(entity: u32) -> u32 { return slot_place(entity); }
fn right_place(entity: u32) -> u32 { return slot_place(entity) + 1u; }

// A heap of a single entity, to be merged with others.
fn alone(entity: u32) -> u32 {
    atomicStore(&links[left_place(entity)], 0u);
    atomicStore(&links[right_place(entity)], 0u);
    return entity + 1u;
}

fn left_of(entity: u32) -> u32 { return atomicLoad(&links[left_place(entity)]); }
fn right_of(entity: u32) -> u32 { return atomicLoad(&links[right_place(entity)]); }

// Merges two heaps. A kernel holds a copy of this for each call: few loops call it.
fn merged(a: u32, b: u32) -> u32 {
    var first = a;
    var second = b;
    var top = 0u;
    var place = 0u;       // where the next entity is linked: below the last one, on the left
    loop {
        let done = first == 0u || second == 0u;
        if (!done && precedes(second - 1u, first - 1u)) {
            let other = first;
            first = second;
            second = other;
        }
        let next = select(first, second, first == 0u);
        if (top == 0u) { top = next; } else { atomicStore(&links[place], next); }
        if (done) { break; }
        let entity = first - 1u;
        first = right_of(entity);
        atomicStore(&links[right_place(entity)], left_of(entity));
        place = left_place(entity);
    }
    return top;
}

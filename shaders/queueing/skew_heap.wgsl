// queueing/skew_heap: the entities that are on their way to a place, the first of them at the top (Sleator and Tarjan 1986).
// One more, or the first one less, takes a time of the order of the logarithm of their number in the mean, in whatever
// order they come. A heap is the link of its first entity.
// Reads and writes: links, where other rounds have their slots: two more heaps below each entity.

import package::queueing::comes_from::{precedes};
import package::queueing::links::{slot_place};
import package::queueing::records::{links};

fn left_place(entity: u32) -> u32 { return slot_place(entity); }
fn right_place(entity: u32) -> u32 { return slot_place(entity) + 1u; }

// Alone, to be merged with others.
fn alone(entity: u32) -> u32 {
    atomicStore(&links[left_place(entity)], 0u);
    atomicStore(&links[right_place(entity)], 0u);
    return entity + 1u;
}

fn left_of(entity: u32) -> u32 { return atomicLoad(&links[left_place(entity)]); }
fn right_of(entity: u32) -> u32 { return atomicLoad(&links[right_place(entity)]); }

// Two heaps as one. A kernel holds this as often as it is called: few loops call it.
fn merged(a: u32, b: u32) -> u32 {
    var first = a;
    var second = b;
    var top = 0u;
    var place = 0u;       // where the next one is linked: below the last one on the left, with what was on its right behind
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

// queueing/skew_heap: the entities that are on their way to a place, the first of them at the top (Sleator and Tarjan 1986).
// One more, or the first one less, takes a time of the order of the logarithm of their number in the mean, in whatever
// order they come. A heap is the link of its first entity.
// Reads and writes: links, where other rounds have their slots: two more heaps below each entity.

fn left_place(entity: u32) -> u32 { return slot_place(entity); }
fn right_place(entity: u32) -> u32 { return slot_place(entity) + 1u; }

fn joined_by(entity: u32, heap: u32) -> u32 {
    atomicStore(&links[left_place(entity)], 0u);
    atomicStore(&links[right_place(entity)], 0u);
    return merged(entity + 1u, heap);
}

fn without_first(heap: u32) -> u32 {
    return merged(atomicLoad(&links[left_place(heap - 1u)]), atomicLoad(&links[right_place(heap - 1u)]));
}

fn merged(a: u32, b: u32) -> u32 {
    if (a == 0u) { return b; }
    if (b == 0u) { return a; }
    let turned = precedes(b - 1u, a - 1u);
    let top = select(a, b, turned);
    var first = top;
    var second = select(b, a, turned);
    loop {
        // What was on the left goes to the right; on the left comes what was on the right, with the second heap.
        let entity = first - 1u;
        let rest = atomicLoad(&links[right_place(entity)]);
        atomicStore(&links[right_place(entity)], atomicLoad(&links[left_place(entity)]));
        first = second;
        if (rest != 0u) {
            let rest_first = precedes(rest - 1u, second - 1u);
            first = select(second, rest, rest_first);
            second = select(rest, second, rest_first);
        }
        atomicStore(&links[left_place(entity)], first);
        if (rest == 0u) { break; }
    }
    return top;
}

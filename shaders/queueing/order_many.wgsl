// queueing/order_many: the order of an inbox of any length: a short inbox by insertion, a long one by merging.

import package::queueing::comes_from::{precedes};
import package::queueing::links::{link_of, set_link};
import package::queueing::order::{inserted};

const SHORT: u32 = 16u;

fn ordered(list: u32) -> u32 {
    var rest = link_of(list - 1u);
    var first = list;
    set_link(list - 1u, 0u);
    var count = 1u;
    while (rest != 0u) {
        if (count == SHORT) { return sorted(joined(first, rest)); }
        let next = rest;
        rest = link_of(next - 1u);
        first = inserted(next - 1u, first);
        count += 1u;
    }
    return first;
}

// One list in front of another.
fn joined(front: u32, back: u32) -> u32 {
    var last = front;
    while (link_of(last - 1u) != 0u) { last = link_of(last - 1u); }
    set_link(last - 1u, back);
    return front;
}

// A list in order: runs of 1, 2, 4 and so on are merged, pair by pair, until one is left.
fn sorted(list: u32) -> u32 {
    var first = list;
    var length = 1u;
    loop {
        var rest = first;
        var last = 0u;
        var pairs = 0u;
        first = 0u;
        while (rest != 0u) {
            var a = rest;
            var left = 0u;
            while (left < length && rest != 0u) {
                left += 1u;
                rest = link_of(rest - 1u);
            }
            var b = rest;
            var right = length;
            while (left != 0u || (right != 0u && b != 0u)) {
                let of_b = left == 0u || (right != 0u && b != 0u && precedes(b - 1u, a - 1u));
                let next = select(a, b, of_b);
                if (of_b) {
                    right -= 1u;
                    b = link_of(b - 1u);
                } else {
                    left -= 1u;
                    a = link_of(a - 1u);
                }
                if (last == 0u) { first = next; } else { set_link(last - 1u, next); }
                last = next;
            }
            rest = b;
            pairs += 1u;
        }
        set_link(last - 1u, 0u);
        if (pairs < 2u) { break; }
        length *= 2u;
    }
    return first;
}

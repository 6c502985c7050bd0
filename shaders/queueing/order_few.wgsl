// queueing/order_few: the order of an inbox that never holds more than a few entities, by insertion.

import package::queueing::links::{link_of, set_link};
import package::queueing::order::{inserted};

fn ordered(list: u32) -> u32 {
    var first = list;
    var rest = link_of(list - 1u);
    set_link(list - 1u, 0u);
    while (rest != 0u) {
        let next = rest;
        rest = link_of(next - 1u);
        first = inserted(next - 1u, first);
    }
    return first;
}

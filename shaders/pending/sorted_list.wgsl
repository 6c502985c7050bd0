// pending/sorted_list: a list of messages with the latest first, by merging lists of 1, 2, 4 ... messages.
// Reads and writes: messages, of this list only.

import package::pending::messages::{message_key, message_link, set_message_link};
import package::pending::order::{precedes};

const SORTED_LISTS: u32 = 32u;

var<private> sorted_length: u32;                      // messages in the list that was sorted last
var<private> sorted_lists: array<u32, SORTED_LISTS>;  // the n-th list is empty or has 2^n messages

fn sorted_list(list: u32) -> u32 {
    var number = 0u;
    var link = list;
    while (link != 0u) {
        let next = message_link(link);
        set_message_link(link, 0u);
        var carried = link;
        var place = 0u;
        // As 1 is added to a binary number: each bit of `number` is a list with so many messages.
        for (var bits = number; (bits & 1u) != 0u; bits >>= 1u) {
            carried = merged_lists(sorted_lists[place], carried);
            place += 1u;
        }
        sorted_lists[place] = carried;
        number += 1u;
        link = next;
    }
    sorted_length = number;
    var all = 0u;
    var place = 0u;
    for (var bits = number; bits != 0u; bits >>= 1u) {
        if ((bits & 1u) != 0u) { all = merged_lists(sorted_lists[place], all); }
        place += 1u;
    }
    return all;
}

// Merges two lists, the latest first.
fn merged_lists(a: u32, b: u32) -> u32 {
    if (a == 0u || b == 0u) { return a | b; }
    var ahead = a;
    var other = b;
    var ahead_key = message_key(a);
    var other_key = message_key(b);
    var last = 0u;        // the end of the result
    var all = 0u;
    loop {
        if (precedes(ahead_key, other_key)) {
            // From here the result goes on in the other list.
            let link = ahead;
            let key = ahead_key;
            ahead = other;
            ahead_key = other_key;
            other = link;
            other_key = key;
            if (last != 0u) { set_message_link(last, ahead); }
        }
        if (last == 0u) { all = ahead; }
        last = ahead;
        ahead = message_link(ahead);
        if (ahead == 0u) { break; }
        ahead_key = message_key(ahead);
    }
    set_message_link(last, other);
    return all;
}

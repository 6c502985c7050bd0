// pending/order: the key of an event in 16 bytes: (time, low word first; source; its sequence number), in this order.
// No two events of a process have the same key, so the order is total.

import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import word64::{wide, wide_less};

fn time_of(key: vec4<u32>) -> Time { return wide(key.x, key.y); }

fn precedes(a: vec4<u32>, b: vec4<u32>) -> bool {
    let first = time_of(a);
    let second = time_of(b);
    let least = wide_less(wide(a.w, a.z), wide(b.w, b.z));
    return wide_less(first, second) | (!wide_differs(first, second) & least);
}

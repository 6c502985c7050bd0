// cells/passage_changing: delays that depend on the time of departure. A later departure may arrive earlier, so a cell
// whose neighbour has changed computes its time anew.

import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import constants::{NEIGHBOURS};
import delays::{passage_delay};

var<storage, read> begins: array<Time>; // of each slot: when the cell has its event by itself

var<private> outs: array<Time, NEIGHBOURS>; // last known departures from the neighbours

fn passage_start(slot: u32, time: Time) -> Time { return begins[slot]; }

fn passage_delay_first(n: u32, out: Time) -> Time {
    outs[n] = out;
    return passage_delay(n, out);
}

fn passage_delay_again(n: u32, out: Time, delay: Time) -> Time {
    if (!wide_differs(out, outs[n])) { return delay; }
    return passage_delay_first(n, out);
}

// cells/elapsed: models whose transitions are told the time since the cell's last transition.

import package::cells::cell::{LAST, now, put_time_of, time_of};
import package::lib::time::{Time};
import word64::{wide_sub};

fn since_last(slot: u32) -> Time {
    let last = time_of(slot, LAST);
    put_time_of(slot, LAST, now);
    return wide_sub(now, last);
}

// cells/elapsed: models whose transitions are told how much time has passed since the last.

fn since_last(slot: u32) -> Time {
    let last = time_of(slot, LAST);
    put_time_of(slot, LAST, now);
    return wide_sub(now, last);
}

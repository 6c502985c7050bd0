// cells/fire_delay: the time that a fire takes to this cell from its n-th neighbour, if it sets out at a given time.

import package::cells::fire_land::{FIRE_NO_WAY, fire, fire_delays, fire_row_at};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import word64::{wide};

fn passage_delay(n: u32, out: Time) -> Time {
    let row = fire_row_at(out);
    let delay = fire_delays[(row * fire.cells + cell_id) * 8u + n];
    if (delay == FIRE_NO_WAY) { return never(); }
    return wide(delay << 12u, delay >> 20u);
}

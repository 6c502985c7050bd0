// cells/fire_delay: how long the fire takes to this cell from its n-th neighbour, where one row of weather is in force
// throughout.

fn passage_delay(n: u32) -> Time {
    var row = 0u;
    if (fire.drawn != 0u) { row = fire_rows[replication]; }
    let delay = fire_delays[(row * fire.cells + cell_id) * 8u + n];
    if (delay == FIRE_NO_WAY) { return never(); }
    return wide(delay << 12u, delay >> 20u);
}

// multiclass/stations/turns: which services at the open station are interrupted, and which tokens are served then.
// Reads and writes: replication_state.

import constants::{HAS_INTERRUPTIONS};
import server_schedule::{next_paused, next_served};
import package::multiclass::parameters::{NONE};
import package::multiclass::stations::interruptions::{pause, paused};
import package::multiclass::stations::service::{serve};

// Serves a token, unless it is NONE, and all tokens for which there is a server.
fn pause_and_serve(token: u32) {
    while (HAS_INTERRUPTIONS) {
        if (paused == NONE) { paused = next_paused(); }
        if (paused == NONE) { break; }
        pause(paused);
        paused = NONE;
    }
    var served = token;
    loop {
        if (served == NONE) { served = next_served(); }
        if (served == NONE) { break; }
        serve(served);
        served = NONE;
    }
}

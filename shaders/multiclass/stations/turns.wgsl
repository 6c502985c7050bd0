// multiclass/stations/turns: who is interrupted at the open station, and who is served then.
// Reads and writes: held.

import duty::{next_paused, next_served};
import package::multiclass::parameters::{NONE};
import package::multiclass::stations::service::{pause, paused, serve};

// Serves a token, or nobody where it is NONE, and all for whom there is a server.
fn pause_and_serve(token: u32) {
    loop {
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

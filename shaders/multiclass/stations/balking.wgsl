// multiclass/stations/balking: tokens that find many others at a station may not join its line.
// Reads: parameters, model_table. Reads and writes: replication_state.

import constants::{HAS_IMPATIENCE};
import package::lib::faults::{raise};
import package::lib::pcg32::{draw};
import package::lib::wide::{wide_differs};
import package::multiclass::state::{happened, mine};
import package::multiclass::stations::rules::{balking_share, impatience_of};
import package::multiclass::stations::station::{site};
import word64::{wide, wide_less};

const MOST_BALKED: u32 = 4194304u;
const FAULT_CIRCLE: u32 = 64u;
// The tokens in sequence that may balk or find no room within one event.
const AT_ONCE: u32 = 8u;

// Whether a token that finds so many tokens present balks.
fn balks() -> bool {
    if (!HAS_IMPATIENCE) { return false; }
    let impatience = impatience_of(site.id);
    if (impatience.count == 0u) { return false; }
    let share = balking_share(impatience.first + min(site.present, impatience.count - 1u));
    var stream = site.stream;
    let place = wide(draw(&stream), 0u);
    site.stream = stream;
    return wide_less(place, share);
}

// Counts the tokens that balk or find no room at an instant and go on: stations may send tokens round in a circle.
fn goes_on() {
    happened += 1u;
    counts_move();
}

// The same of a token that gives up at the time at which it has come.
fn counts_move() {
    if (wide_differs(mine.balked_at, mine.now)) { mine.balked = 0u; }
    mine.balked_at = mine.now;
    mine.balked += 1u;
    if (mine.balked > MOST_BALKED) { raise(FAULT_CIRCLE, site.id); }
    // Looks for other events now and then.
    if (mine.balked % AT_ONCE == 0u) { mine.alone = false; }
}

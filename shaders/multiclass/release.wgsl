// multiclass/release: who has waited for room goes.
// Reads: parameters. Reads and writes: held.

import package::lib::wide::{wide_maximum};
import package::multiclass::accounts::{account_of, add_back, count_two, enter_presence};
import package::multiclass::holding::{blocked, held_at, unlink};
import package::multiclass::moves::{go};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{back_at, back_wide, front_at, front_wide, mine, set_front};
import package::multiclass::station::{open_station, site};
import package::multiclass::tokens::{CLASS, COUNTED, token_at};
import word64::{wide_sub};

const FAULT_BLOCKED: u32 = 128u;

// Whether a station lets in who waits, and which; and the token by whose going it has come to that, or NONE. Such tokens are on
// their way, and have in word 0 the station and the token that it goes on with then.
var<private> is_admitting: bool;
var<private> admits: u32;
var<private> last_released: u32;

// The first token that waits for room where there is some goes. Its station lets in who waits for that, and the other one goes on
// then.
fn release() {
    let ends = front_at(held_at(admits));
    let token = ends.x;
    let words = token_at(token);
    let next = front_at(words).y;
    set_front(held_at(admits), next, select(ends.y, NONE, next == NONE));
    set_front(words, admits, last_released);
    last_released = token;
    admits = back_at(words + 3u).x;
    open_station(admits);
    blocked -= 1u;
    unlink(token);
    let about = back_at(words);
    let account = account_of(about.x & CLASS);
    count_two(account, 0u, select(0u, 1u, (about.x & COUNTED) != 0u), 0u);
    enter_presence(account, front_wide(words + 1u));
    if (mine.counted == 1u) {
        add_back(account + 4u, wide_sub(mine.now, wide_maximum(front_wide(words + 2u), plan.warmup)), FAULT_BLOCKED);
    }
    site.present -= 1u;
    go(token, about.y, back_wide(words + 1u));
}

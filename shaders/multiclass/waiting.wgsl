// multiclass/waiting: the tokens that wait at a station, a list in the order of service for each priority.
// Reads and writes: held.

import full::{taken};
import package::lib::pcg32::{draw};
import package::lib::wide::{multiply_high, wide_differs};
import package::multiclass::parameters::{NONE, level_of, parameters};
import package::multiclass::state::{pair_at, set_pair, wide_at};
import package::multiclass::station::{site};
import package::multiclass::tokens::{CLASS, INTERRUPTED, token_at};
import word64::{wide_less};

const LAST_COME: u32 = 1u;
const RANDOM: u32 = 2u;
const SHORTEST_JOB: u32 = 3u;

// Whether one token of a priority is served before another.
fn is_before(token: u32, other: u32) -> bool {
    if (site.rules.z == SHORTEST_JOB) {
        let own_service = wide_at(token_at(token) + 5u);
        let service = wide_at(token_at(other) + 5u);
        if (wide_differs(own_service, service)) { return wide_less(own_service, service); }
    }
    let earlier = pair_at(token_at(token) + 6u).x < pair_at(token_at(other) + 6u).x;
    return earlier != (site.rules.z == LAST_COME);
}

fn level_word(level: u32) -> u32 { return site.words + 4u + level; }

fn join_queue(token: u32) {
    let about = pair_at(token_at(token) + 1u).x;
    let word = level_word(level_of(about & CLASS));
    var list = pair_at(word);
    // Between these two.
    var before = list.y;
    var behind = NONE;
    if ((about & INTERRUPTED) != 0u || site.rules.z == LAST_COME || site.rules.z == SHORTEST_JOB) {
        before = NONE;
        behind = list.x;
        while (behind != NONE && is_before(behind, token)) {
            before = behind;
            behind = pair_at(token_at(behind)).y;
        }
    }
    set_pair(token_at(token), before, behind);
    if (before == NONE) { list.x = token; } else { set_pair(token_at(before), pair_at(token_at(before)).x, token); }
    if (behind == NONE) { list.y = token; } else { set_pair(token_at(behind), token, pair_at(token_at(behind)).y); }
    set_pair(word, list.x, list.y);
}

fn stop_waiting(token: u32) {
    let word = level_word(level_of(pair_at(token_at(token) + 1u).x & CLASS));
    var list = pair_at(word);
    let links = pair_at(token_at(token));
    if (links.x == NONE) {
        list.x = links.y;
    } else {
        set_pair(token_at(links.x), pair_at(token_at(links.x)).x, links.y);
    }
    if (links.y == NONE) {
        list.y = links.x;
    } else {
        set_pair(token_at(links.y), links.x, pair_at(token_at(links.y)).y);
    }
    set_pair(word, list.x, list.y);
}

// The token that is served next, or NONE where nobody waits.
fn next_waiting() -> u32 {
    if (site.present == taken()) { return NONE; }
    var token = NONE;
    for (var level = 0u; level < parameters.level_count && token == NONE; level += 1u) { token = pair_at(level_word(level)).x; }
    if (site.rules.z != RANDOM) { return token; }
    var waiting = 0u;
    for (var other = token; other != NONE; other = pair_at(token_at(other)).y) { waiting += 1u; }
    var stream = site.stream;
    var steps = multiply_high(draw(&stream), waiting);
    site.stream = stream;
    while (steps > 0u) {
        token = pair_at(token_at(token)).y;
        steps -= 1u;
    }
    return token;
}

// multiclass/waiting: the tokens that wait at a station, a list in the order of service for each priority.
// Reads and writes: held.

import full::{taken};
import package::lib::pcg32::{draw};
import package::lib::wide::{multiply_high, wide_differs};
import package::multiclass::parameters::{NONE, level_of, parameters};
import package::multiclass::state::{back_at, back_wide, front_at, row_at, set_row};
import package::multiclass::station::{site};
import package::multiclass::tokens::{CLASS, INTERRUPTED, token_at};
import word64::{wide_less};

const LAST_COME: u32 = 1u;
const RANDOM: u32 = 2u;
const SHORTEST_JOB: u32 = 3u;

// Whether one token of a priority is served before another.
fn is_before(token: u32, other: u32) -> bool {
    if (site.rules.z == SHORTEST_JOB) {
        let own_service = back_wide(token_at(token) + 2u);
        let service = back_wide(token_at(other) + 2u);
        if (wide_differs(own_service, service)) { return wide_less(own_service, service); }
    }
    let earlier = front_at(token_at(token) + 3u).x < front_at(token_at(other) + 3u).x;
    return earlier != (site.rules.z == LAST_COME);
}

fn level_word(level: u32) -> u32 { return site.words + 3u + level; }

fn set_before(token: u32, other: u32) {
    let row = row_at(token_at(token));
    set_row(token_at(token), vec4<u32>(other, row.yzw));
}

fn set_behind(token: u32, other: u32) {
    let row = row_at(token_at(token));
    set_row(token_at(token), vec4<u32>(row.x, other, row.zw));
}

fn join_queue(token: u32) {
    let about = back_at(token_at(token));
    let word = level_word(level_of(about.x & CLASS));
    var list = front_at(word);
    // Between these two.
    var before = list.y;
    var behind = NONE;
    if ((about.x & INTERRUPTED) != 0u || site.rules.z == LAST_COME || site.rules.z == SHORTEST_JOB) {
        before = NONE;
        behind = list.x;
        while (behind != NONE && is_before(behind, token)) {
            before = behind;
            behind = front_at(token_at(behind)).y;
        }
    }
    set_row(token_at(token), vec4<u32>(before, behind, about));
    if (before == NONE) { list.x = token; } else { set_behind(before, token); }
    if (behind == NONE) { list.y = token; } else { set_before(behind, token); }
    set_row(word, vec4<u32>(list, 0u, 0u));
}

fn stop_waiting(token: u32) {
    let links = row_at(token_at(token));
    let word = level_word(level_of(links.z & CLASS));
    var list = front_at(word);
    if (links.x == NONE) {
        list.x = links.y;
    } else {
        set_behind(links.x, links.y);
    }
    if (links.y == NONE) {
        list.y = links.x;
    } else {
        set_before(links.y, links.x);
    }
    set_row(word, vec4<u32>(list, 0u, 0u));
}

// The token that is served next, or NONE where nobody waits.
fn next_waiting() -> u32 {
    if (site.present == taken()) { return NONE; }
    var token = NONE;
    for (var level = 0u; level < parameters.level_count && token == NONE; level += 1u) { token = front_at(level_word(level)).x; }
    if (site.rules.z != RANDOM) { return token; }
    var waiting = 0u;
    for (var other = token; other != NONE; other = front_at(token_at(other)).y) { waiting += 1u; }
    var stream = site.stream;
    var steps = multiply_high(draw(&stream), waiting);
    site.stream = stream;
    while (steps > 0u) {
        token = front_at(token_at(token)).y;
        steps -= 1u;
    }
    return token;
}

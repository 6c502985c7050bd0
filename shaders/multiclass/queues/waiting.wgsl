// multiclass/queues/waiting: the tokens that wait at a station, a list in the order of service for each priority.
// Reads and writes: replication_state.

import constants::{HAS_IMPATIENCE, IS_CONTROLLED, IS_LEAN, IS_PACKED};
import aside::{aside_here};
import breakdowns::{is_ahead};
import decisions::{list_decided};
import full::{taken};
import groups::{has_groups, list_of, take_for_group};
import line_order::{come_before, is_random, joins_line, leaves_line, takes_from_line};
import package::multiclass::packed::{set_packed};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::queues::lists::{Line, is_empty, leave_list, level_word, line_at, set_before, set_behind, set_line};
import package::multiclass::queues::orders::{comes_last};
import package::multiclass::routes::moves::{moves_entered};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{Links, Times, is_drawn, is_interrupted, links_of, numbers_of, set_links};
import units::{line_of, outside_line};

// Of the token that is to be served, or arrives: its class and flags, the edge that it takes after its service if drawn, and the
// number of its arrival.
struct Guest {
    about: u32,
    edge: u32,
    arrival: u32,
}

var<private> guest: Guest;

// A token that waits from now on, between two others of its list.
fn join_queue(token: u32, about: u32, edge: u32) {
    let may_be_before = is_interrupted(about) || !comes_last();
    stand_in_line(token, about, edge, may_be_before);
}

// A token behind all others of its list need not look for its place.
fn stand_in_line(token: u32, about: u32, edge: u32, may_be_before: bool) {
    let list = list_of(about) + line_of(about);
    let word = level_word(list);
    var ends = line_at(word);
    if (IS_PACKED) {
        set_packed(ends.last, Links(NONE, token, about, NONE), Times(mine.now, moves_entered));
        set_line(word, Line(ends.first, token, NONE, 0u));
        return;
    }
    var before = ends.last;
    var behind = NONE;
    if (may_be_before && is_random(list)) {
        before = come_before(token, list).x;
        behind = ends.first;
        if (before != NONE) { behind = links_of(before).behind; }
    } else if (may_be_before) {
        before = NONE;
        behind = ends.first;
        while (behind != NONE && is_ahead(behind, token, about)) {
            before = behind;
            behind = links_of(behind).behind;
        }
    }
    set_links(token, Links(before, behind, about, edge));
    if (before == NONE) {
        ends.first = token;
    } else if (behind == NONE && !is_drawn(ends.about) && !(IS_LEAN && HAS_IMPATIENCE)) {
        // The words of the last token are known: they need not be fetched.
        set_links(before, Links(ends.before_last, token, ends.about, 0u));
    } else {
        set_behind(before, token);
    }
    if (behind == NONE) {
        ends = Line(ends.first, token, before, about);
    } else {
        set_before(behind, token);
        if (behind == ends.last) { ends.before_last = token; }
    }
    set_line(word, ends);
    joins_line(token, list, behind == NONE);
}

fn stop_waiting(token: u32) {
    let links = links_of(token);
    let list = list_of(links.about) + line_of(links.about);
    let word = level_word(list);
    leave_list(token, links, word, line_at(word));
    leaves_line(token, list);
}

// The next token to be served leaves its list, and is the guest. Returns it, or NONE where no token waits.
fn take_next() -> u32 {
    if (has_groups()) { return take_for_group(); }
    if (site.present == taken() + outside_line() + aside_here()) { return NONE; }
    var level = 0u;
    var word = level_word(0u);
    var ends = line_at(word);
    while (level + 1u < plan.level_count && is_empty(ends)) {
        level += 1u;
        word = level_word(level);
        ends = line_at(word);
    }
    if (is_empty(ends)) { return NONE; }
    if (IS_CONTROLLED) {
        level = list_decided(level);
        if (level == NONE) { return NONE; }
        word = level_word(level);
        ends = line_at(word);
    }
    let token = takes_from_line(level, ends.first);
    let links = links_of(token);
    var arrival = 0u;
    if (!IS_LEAN) { arrival = numbers_of(token).arrival; }
    guest = Guest(links.about, links.edge, arrival);
    if (IS_PACKED) {
        set_line(word, Line(links.behind, ends.last, NONE, 0u));
    } else {
        leave_list(token, links, word, ends);
    }
    return token;
}

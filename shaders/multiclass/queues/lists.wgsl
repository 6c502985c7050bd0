// multiclass/queues/lists: the tokens that wait at a station are linked, a list for each priority, and where some do so before they join the line as many lists again. Its row has the first and the last one, the
// one before the last, and the class and flags of the last.
// Reads and writes: held.

import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{back_at, front_at, row_at, set_row, station_at};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{token_at};

fn level_word(level: u32) -> u32 { return site.words + 3u + level; }

fn set_before(token: u32, other: u32) {
    let row = row_at(token_at(token));
    set_row(token_at(token), vec4<u32>(other, row.yzw));
}

fn set_behind(token: u32, other: u32) {
    let row = row_at(token_at(token));
    set_row(token_at(token), vec4<u32>(row.x, other, row.zw));
}

// A token with these links, of a list with these ends, waits no longer. The next one is not told that it is the first.
fn leave_list(token: u32, links: vec4<u32>, word: u32, list: vec4<u32>) {
    var ends = list;
    let is_first = token == list.x;
    if (is_first) { ends.x = links.y; } else { set_behind(links.x, links.y); }
    if (links.y != NONE) {
        if (!is_first) {
            set_before(links.y, links.x);
            if (links.y == list.y) { ends.z = links.x; }
        }
    } else if (is_first) {
        ends.y = NONE;
    } else {
        let last = row_at(token_at(links.x));
        ends = vec4<u32>(ends.x, links.x, last.x, last.z);
    }
    set_row(word, ends);
}

// The first token in the lists of a station from one on, which has these flags; or NONE.
fn first_in_lists(id: u32, from_list: u32, flags: u32) -> u32 {
    for (var level = 0u; level < plan.level_count; level += 1u) {
        var token = front_at(station_at(id) + 3u + from_list + level).x;
        while (token != NONE && (back_at(token_at(token)).x & flags) != flags) { token = front_at(token_at(token)).y; }
        if (token != NONE) { return token; }
    }
    return NONE;
}

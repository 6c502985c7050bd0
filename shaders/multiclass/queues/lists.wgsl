// multiclass/queues/lists: the tokens that wait at a station are linked, a list for each priority. Where some tokens wait before they
// join the line there are as many lists again.
// Reads and writes: replication_state.

import constants::{IS_PACKED, LISTS};
import package::multiclass::near::{as_near};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::rows::{row_at, set_row, station_at};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{Links, links_of, set_links};

fn level_word(level: u32) -> u32 { return as_near(site.words + LISTS + level); }

// The first token of a list and the last one, or of packed tokens the place behind the last one; the one before the last, and the class and
// flags of the last.
struct Line {
    first: u32,
    last: u32,
    before_last: u32,
    about: u32,
}

fn line_at(word: u32) -> Line {
    let row = row_at(word);
    return Line(row.x, row.y, row.z, row.w);
}

fn set_line(word: u32, row: Line) { set_row(word, vec4<u32>(row.first, row.last, row.before_last, row.about)); }

fn is_empty(list: Line) -> bool { return list.first == select(NONE, list.last, IS_PACKED); }

fn set_before(token: u32, other: u32) {
    let links = links_of(token);
    set_links(token, Links(other, links.behind, links.about, links.edge));
}

fn set_behind(token: u32, other: u32) {
    let links = links_of(token);
    set_links(token, Links(links.before, other, links.about, links.edge));
}

// A token with these links leaves a list with these ends. The next token is not told that it is the first.
fn leave_list(token: u32, links: Links, word: u32, list: Line) {
    var ends = list;
    let is_first = token == list.first;
    if (is_first) { ends.first = links.behind; } else { set_behind(links.before, links.behind); }
    if (links.behind != NONE) {
        if (!is_first) {
            set_before(links.behind, links.before);
            if (links.behind == list.last) { ends.before_last = links.before; }
        }
    } else if (is_first) {
        ends.last = NONE;
    } else {
        let last = links_of(links.before);
        ends = Line(ends.first, links.before, last.before, last.about);
    }
    set_line(word, ends);
}

// The first token in the lists of a station from a list on that has these flags; or NONE.
fn first_in_lists(id: u32, from_list: u32, flags: u32) -> u32 {
    for (var level = 0u; level < plan.level_count; level += 1u) {
        var token = line_at(station_at(id) + LISTS + from_list + level).first;
        while (token != NONE && (links_of(token).about & flags) != flags) { token = links_of(token).behind; }
        if (token != NONE) { return token; }
    }
    return NONE;
}

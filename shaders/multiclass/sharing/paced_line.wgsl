// multiclass/sharing/paced_line: the tokens in service at the open station, where it has a clock, in the order in which their services end.
// Reads and writes: held.

import package::lib::quad::{Quad, quad_less, quad_of, quad_row};
import package::multiclass::parameters::{NONE};
import package::multiclass::queues::lists::{set_behind};
import package::multiclass::sharing::paced_clock::{first_of_clock, set_first};
import package::multiclass::state::{front_at, row_at, set_front, set_row};
import package::multiclass::tokens::{token_at};

fn end_of(token: u32) -> Quad { return quad_of(row_at(token_at(token) + 5u)); }

// Whether the service of a token ends before one that does so when the clock shows that; of those that end together it is who came first.
fn ends_first(token: u32, end: Quad, arrival: u32) -> bool {
    let own = end_of(token);
    if (quad_less(end, own)) { return false; }
    return quad_less(own, end) || front_at(token_at(token) + 3u).x < arrival;
}

// A token is in service until the clock shows an end.
fn line_up(token: u32, end: Quad, arrival: u32) {
    set_row(token_at(token) + 5u, quad_row(end));
    var before = NONE;
    var behind = first_of_clock();
    while (behind != NONE && ends_first(behind, end, arrival)) {
        before = behind;
        behind = front_at(token_at(behind)).y;
    }
    set_front(token_at(token), NONE, behind);
    if (before == NONE) { set_first(token); } else { set_behind(before, token); }
}

fn leave_line(token: u32) {
    let behind = front_at(token_at(token)).y;
    var before = first_of_clock();
    if (before == token) {
        set_first(behind);
        return;
    }
    while (front_at(token_at(before)).y != token) { before = front_at(token_at(before)).y; }
    set_behind(before, behind);
}

// multiclass/sharing/paced_line: the tokens in service at the open station, where the station has a clock, in the order in which their
// services end.
// Reads and writes: replication_state.

import package::lib::quad::{Quad, quad_less, quad_of, quad_row};
import package::multiclass::parameters::{NONE};
import package::multiclass::queues::lists::{set_behind};
import package::multiclass::rows::{row_at, set_row};
import package::multiclass::sharing::paced_clock::{first_of_clock, set_first};
import package::multiclass::tokens::{links_of, numbers_of, set_neighbours, token_at};

fn end_of(token: u32) -> Quad { return quad_of(row_at(token_at(token) + 5u)); }

// Whether the service of a token ends before a service that ends at a clock reading; of those that end together the earlier arrival.
fn ends_first(token: u32, end: Quad, arrival: u32) -> bool {
    let own = end_of(token);
    if (quad_less(end, own)) { return false; }
    return quad_less(own, end) || numbers_of(token).arrival < arrival;
}

// A token is in service until the clock shows an end.
fn line_up(token: u32, end: Quad, arrival: u32) {
    set_row(token_at(token) + 5u, quad_row(end));
    var before = NONE;
    var behind = first_of_clock();
    while (behind != NONE && ends_first(behind, end, arrival)) {
        before = behind;
        behind = links_of(behind).behind;
    }
    set_neighbours(token, NONE, behind);
    if (before == NONE) { set_first(token); } else { set_behind(before, token); }
}

fn leave_line(token: u32) {
    let behind = links_of(token).behind;
    var before = first_of_clock();
    if (before == token) {
        set_first(behind);
        return;
    }
    while (links_of(before).behind != token) { before = links_of(before).behind; }
    set_behind(before, behind);
}

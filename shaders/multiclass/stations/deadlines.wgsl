// multiclass/stations/deadlines: patience may end amid a service: the twin of Token::may_abandon and of Oracle::abandon. Such a service has its
// event when the patience ends, and the edge NONE.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE};
import package::multiclass::queues::waiting::{guest};
import package::multiclass::rows::{row_at, set_row, with_word};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{overflow_of};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::annex::{annex_of};
import package::multiclass::tokens::{Service, set_about, set_service};
import word64::{wide, wide_add, wide_less, wide_sub};

// When the token gives up that may be served now.
var<private> gives_up: Time;

fn notes_end_of_patience(time: Time) { gives_up = time; }
fn forgets_patience() { gives_up = never(); }

fn cut_service(token: u32, work: Time) -> Time {
    if (overflow_of(site.id).runs_on == 0u || !wide_less(gives_up, wide_add(mine.now, work))) { return work; }
    // A service takes a tick at least.
    let left = wide_sub(wide_maximum(gives_up, wide_add(mine.now, wide(1u, 0u))), mine.now);
    guest.edge = NONE;
    set_about(token, guest.about, NONE);
    set_service(token, Service(mine.now, left));
    return left;
}

// A token that is served to the end has an edge, by which it leaves if its station has no other rule.
fn is_abandoned(edge: u32) -> bool { return edge == NONE; }

fn counts_abandoned(account: u32) {
    let words = annex_of(account) + 3u;
    let before = row_at(words);
    set_row(words, with_word(before, 2u, before.z + mine.counted));
}

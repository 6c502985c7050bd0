// multiclass/forks/aside: tokens that stand aside at a station, which have not joined its line, until others have come.
// Reads: parameters. Reads and writes: replication_state.

import package::multiclass::forks::rows::{Forked, set_forked};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::places::{put_back};
import package::multiclass::routes::moves::{moves_entered};
import package::multiclass::rows::{back_wide, front_at, set_back_wide, set_row, station_at};
import package::multiclass::state::{came, mine};
import package::multiclass::stations::presence::{comes_here, goes_from_here};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::account_rows::{count_two};
import package::multiclass::statistics::accounts::{account_of, counted_since, enter_presence};
import package::multiclass::statistics::annex::{JOINING_SUM, annex_of, carry, enter_carries};
import package::multiclass::tokens::{Times, set_about, set_times, times_of};
import histograms::{sees_joined, sees_leave};
import units::{pass_units, stands_aside};
import word64::{Wide, wide_add, wide_sub};

// How many stand aside at the open station.
var<private> aside: u32;

fn aside_row(id: u32) -> u32 { return station_at(id) + plan.aside; }
fn aside_at(id: u32) -> u32 { return front_at(aside_row(id)).x; }
fn aside_here() -> u32 { return aside; }
fn open_aside() { aside = aside_at(site.id); }
fn close_aside() { set_row(aside_row(site.id), vec4<u32>(aside, 0u, 0u, 0u)); }

// The comer stands aside at the open station.
fn steps_aside(token: u32, class_of: u32) {
    comes_here(class_of);
    aside += 1u;
    set_about(token, class_of, 0u);
    set_times(token, Times(mine.now, moves_entered));
    stands_aside(token);
}

// Enters that a token waits for others no longer, and whether it goes on.
fn enter_join(account: u32, joining: Wide, goes_on: bool) {
    let row = annex_of(account) + 2u;
    let before = back_wide(row);
    let after = wide_add(before, joining);
    set_back_wide(row, after);
    enter_carries(account, 1u, JOINING_SUM * carry(after, before));
    count_two(row + 1u, 0u, mine.counted, select(mine.counted, 0u, goes_on));
}

// A token stands aside no longer: it goes on, or is about to be gone.
fn steps_back(token: u32, class_of: u32, goes_on: bool) {
    aside -= 1u;
    let arrived = times_of(token).arrived;
    let account = account_of(class_of);
    enter_presence(account, arrived);
    enter_join(account, counted_since(arrived), goes_on);
    sees_joined(class_of, wide_sub(mine.now, arrived));
    goes_from_here(class_of);
    if (!goes_on) { sees_leave(class_of, arrived); }
}

// A token that has stepped back is gone: another one has its units.
fn is_gone(token: u32, class_of: u32, other: u32) {
    pass_units(token, other);
    set_forked(token, Forked(NONE, NONE, 0u));
    put_back(token);
    came(NONE, class_of);
}

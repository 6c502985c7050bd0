// multiclass/blocking/repeats: a served token without room where it goes is served again, where the station that it goes to has a
// repetition: the twin of `repeat` in src/queueing/reference/oracle/blocking.rs. The repetition is 1 where the token keeps its route, 2
// where its route is drawn anew. A token that is served again has in its row `repeated` the time from which the times of that service
// count, and its route or NONE.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{Time};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::rows::{back_at, front_wide, row_of, set_row};
import package::multiclass::state::{mine};
import package::multiclass::tokens::{CLASS, COUNTED, GROUP, REPEATED, token_at};
import word64::{wide};

const SAME_ROUTE: u32 = 1u;

fn repetition(edge: u32) -> u32 {
    let goal = edge_at(edge).goal;
    if (goal >= plan.stations) { return 0u; }
    return blocking_of(goal).repetition;
}

fn is_repeated(edge: u32) -> bool { return repetition(edge) != 0u; }

fn repeated_at(token: u32) -> u32 { return token_at(token) + plan.repeated; }

fn repeated_way(token: u32, about: u32) -> u32 {
    if ((about & REPEATED) == 0u) { return NONE; }
    return back_at(repeated_at(token)).x;
}

fn served_from(token: u32, about: u32, arrived: Time) -> Time {
    if ((about & REPEATED) == 0u) { return arrived; }
    return front_wide(repeated_at(token));
}

fn serve_again(token: u32, about: u32, edge: u32) -> u32 {
    let route = select(NONE, edge, repetition(edge) == SAME_ROUTE);
    set_row(repeated_at(token), row_of(mine.now, wide(route, 0u)));
    return (about & (CLASS | GROUP | COUNTED)) | REPEATED;
}

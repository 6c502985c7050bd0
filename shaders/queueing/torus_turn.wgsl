// queueing/torus_turn: decisions by appointments in a torus: tokens only move, and a station decides one visit a round.
// Reads and writes: links.

import package::lib::time::{Time, never};
import package::queueing::later::{later};
import package::queueing::records::{links};
import package::queueing::torus_appointments::{Around, sent_place};
import package::queueing::turn::{Turn};
import word64::{wide};

// A lower bound on a station's answer to what it was sent in the last round; `free` is when the server here was free
// again.
fn answer_by(here: Around, entry: u32, free: Time) -> Time {
    let asked = atomicLoad(&links[sent_place(here.id)]) == here.at[entry] + 1u;
    if (asked) { return later(free, wide(1u, 0u)); }
    return never();
}

fn forget(here: Around) { atomicStore(&links[sent_place(here.id)], 0u); }

// A token goes by an edge: a lower bound on the answer of its target.
fn ask(here: Around, edge: u32, arrival: Time) -> Time {
    atomicStore(&links[sent_place(here.id)], here.at[edge] + 1u);
    return later(arrival, wide(1u, 0u));
}

fn may_come(entity: u32, time: Time, earliest: Time) -> bool { return true; }
fn admitted(entity: u32, time: Time, turn: ptr<function, Turn>) -> u32 { return entity; }
fn release(station: u32, leaving: u32, clock: Time) {}

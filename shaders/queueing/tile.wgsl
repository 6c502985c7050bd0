// queueing/tile (a whole round; one thread a station of a tile, ELEMENTS tiles a workgroup)
// What: takes in the tokens that other tiles sent in the last round; then, in TURNS turns, each station decides the first
//       visit in its list if no earlier arrival can still come, and publishes a lower bound on the next arrival by each of
//       its edges (an appointment, Nicol 1988). Within a tile a turn sees what the last turn did; of other tiles a round
//       sees what the last round left. PARITY tells rounds apart: one reads what the other writes.
// Reads: tokens, and of other tiles only what the last round left: appointments and inboxes.
// Writes: stations, tokens, prospects, links, appointments, summaries, control (first block).
// Afterwards: every appointment is at or before each arrival by its edge that is not in an inbox or a list yet, and visits
//             were decided in the contract's order.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::queueing::appoint_round::{begin_round, earliest_pending, end_round, goes_on, write_status};
import package::queueing::tile_border::{hear, tell};
import package::queueing::tile_station::{Now, arrive, end, load};
import package::queueing::tile_turn::{decide, publish, receive};
import package::queueing::torus_tiles::{BORDER, here_in};
import constants::{ELEMENTS, SIDE_BY_SIDE, TURNS, WORKGROUP};
import word64::{wide, wide_add};

var<workgroup> round_goes_on: u32;
var<workgroup> told: array<Time, 4u * WORKGROUP + BORDER>;
var<workgroup> sent_by: array<u32, WORKGROUP>;     // by which edge each lane sent a token in this turn, or NONE
var<workgroup> sent_token: array<u32, WORKGROUP>;
var<workgroup> sent_time: array<Time, WORKGROUP>;

fn run(block: u32, lane: u32) {
    let earliest = earliest_pending(lane);
    let running = goes_on(earliest);
    if (block == 0u && lane == 0u) { write_status(earliest, running); }
    begin_round(lane);
    if (lane == 0u) { round_goes_on = select(0u, 1u, running); }
    if (workgroupUniformLoad(&round_goes_on) != 0u) {
        let limits = Limits(earliest, wide_add(earliest, wide(1u, 0u)), control.limit);
        // The blocks that run on a GPU at a time take tiles side by side.
        let first = block / SIDE_BY_SIDE * SIDE_BY_SIDE;
        let blocks = min(SIDE_BY_SIDE, control.blocks - first);
        for (var number = 0u; number < ELEMENTS; number += 1u) {
            work(first * ELEMENTS + number * blocks + block - first, lane, limits);
        }
    }
    end_round(block, lane, running);
}

// The limits of a round.
struct Limits {
    earliest: Time,
    least: Time,   // an arrival that is in no list or inbox yet comes at this time or later
    end: Time,     // arrivals from then on are left for later
}

// A tile's part of a round.
fn work(tile: u32, lane: u32, limits: Limits) {
    let here = here_in(tile, lane);
    var now: Now;
    if (here.is_there) { now = load(here.id); }
    hear(tile, lane);
    if (here.is_there) {
        arrive(here.id, &now);
        publish(&now, lane);
    }
    storageBarrier();
    workgroupBarrier();
    for (var turn = 0u; turn < TURNS; turn += 1u) {
        if (here.is_there) { decide(here, &now, lane, limits); }
        storageBarrier();
        workgroupBarrier();
        if (here.is_there) {
            receive(here, &now);
            publish(&now, lane);
        }
        workgroupBarrier();
    }
    if (here.is_there) {
        tell(here, lane);
        end(here.id, now);
    }
}

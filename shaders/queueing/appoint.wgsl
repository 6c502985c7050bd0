// queueing/appoint (a whole round; one thread a station, BLOCK stations a workgroup)
// What: takes in the tokens sent to a station in the last round, decides the visits in its list that no earlier arrival can
//       still precede, up to DECISIONS of them, and publishes a lower bound on the next arrival by each of its edges (an
//       appointment, Nicol 1988). PARITY tells rounds apart: one reads what the other writes.
// Reads: next_event, tokens, and of other stations only what the last round left: appointments and inboxes.
// Writes: stations, tokens, links, next_event, appointments, summaries, control (first block).
// Afterwards: every appointment is at or before each arrival by its edge that is not in an inbox or a list yet, and visits
//             were decided in the contract's order.

import package::engine::schedule::{next_event};
import package::lib::summaries::{BLOCK};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::queueing::appoint_round::{
    begin_round, clock_of, count_visit, earliest_pending, end_round, goes_on, write_status, pending, working,
};
import package::queueing::appointments::{others, publish_all, taken_in};
import package::queueing::links::{link_of};
import package::queueing::look_ahead::{look_ahead};
import package::queueing::records::{links, parameters};
import package::queueing::skew_heap::{alone, left_of, merged, right_of};
import package::queueing::turn::{Turn, decide, may_be_decided};
import answers::{forget, release};
import constants::{WORKGROUP};
import edges::{DECISIONS, around, list_place};
import station_record::{load_station, store_station};
import topology::{Site, site_of};
import word64::{wide, wide_add};

fn run(block: u32, lane: u32) {
    let earliest = earliest_pending(lane);
    let running = goes_on(earliest);
    if (block == 0u && lane == 0u) { write_status(earliest, running); }
    begin_round(lane);
    workgroupBarrier();
    if (running) {
        let end = min(parameters.stations, (block + 1u) * BLOCK);
        for (var station = block * BLOCK + lane; station < end; station += WORKGROUP) { work(station, earliest); }
    }
    end_round(block, lane, running);
}

// A station's part of a round. An arrival that is not in its list yet comes later than `earliest`.
fn work(id: u32, earliest: Time) {
    let here = around(id);
    var site: Site;
    var station = load_station(id);
    var turn = Turn(others(here, station.free, wide_add(earliest, wide(1u, 0u))), taken_in(id), 0u, false);
    forget(here);
    var list = 0u;
    var first = atomicLoad(&links[list_place(id)]);
    var second = 0u;
    var count = 0u;
    loop {
        list = merged(first, second);
        if (turn.fresh != 0u) {
            let entity = turn.fresh - 1u;
            turn.fresh = link_of(entity);
            first = alone(entity);
            second = list;
            continue;
        }
        if (turn.full || count == DECISIONS || !may_be_decided(list, turn.next, earliest)) { break; }
        let entity = list - 1u;
        first = left_of(entity);
        second = right_of(entity);
        // Most stations have nothing to decide.
        if (count == 0u) { site = site_of(id); }
        count_visit(next_event[entity], earliest);
        decide(site, here, &station, entity, &turn);
        count += 1u;
    }
    if (count > 0u) {
        store_station(id, station);
        look_ahead(site, station.state);
        working += 1u;
    }
    atomicStore(&links[list_place(id)], list);
    release(id, turn.gone, clock_of(earliest));
    var head = never();
    if (list != 0u) { head = next_event[list - 1u]; }
    pending = wide_minimum(pending, head);
    publish_all(here, station.free, head, turn.next);
}

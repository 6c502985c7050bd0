// queueing/tile_turn: a station in a turn of queueing/tile.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_maximum, wide_minimum};
import package::queueing::ahead::{span_by, spans_of};
import package::queueing::appoint_round::{count_visit};
import package::queueing::later::{later};
import package::queueing::neighbours::{but_by, edges_to, others_of};
import package::queueing::records::{NONE, tokens};
import package::queueing::tile::{Limits, sent_by, sent_time, sent_token, told};
import package::queueing::tile_list::{join};
import package::queueing::tile_station::{Now};
import package::queueing::tile_visit::{send, serve_first};
import package::queueing::torus_destination::{neighbour};
import package::queueing::torus_tiles::{Here, lane_by, leads_out};
import constants::{WORKGROUP};
import word64::{wide_less};

// A lower bound on arrivals from a neighbour: its published time, and at least the earliest pending anywhere.
fn heard(here: Here, edge: u32, least: Time) -> Time { return wide_maximum(told[here.heard[edge]], least); }

// Decides the first visit in the list, if no earlier arrival can still come.
fn decide(here: Here, now: ptr<function, Now>, lane: u32, limits: Limits) {
    sent_by[lane] = NONE;
    var down = heard(here, 0u, limits.least);
    var right = heard(here, 1u, limits.least);
    var up = heard(here, 2u, limits.least);
    var left = heard(here, 3u, limits.least);
    if (may_be_decided(here, *now, wide_minimum(wide_minimum(down, up), wide_minimum(right, left)), limits)) {
        let token = (*now).first - 1u;
        count_visit((*now).head, limits.earliest);
        let visit = serve_first(here, now);
        if (wide_less(visit.arrival, never())) {
            // The target's published times do not have its answer to this token.
            let edges = edges_to(visit.edge);
            down = answered(down, edges & 1u, visit.arrival);
            right = answered(right, edges & 2u, visit.arrival);
            up = answered(up, edges & 4u, visit.arrival);
            left = answered(left, edges & 8u, visit.arrival);
            send(here, lane, token, visit);
        }
    }
    (*now).next = others_of(down, right, up, left);
}

fn answered(time: Time, sent: u32, departure: Time) -> Time {
    if (sent != 0u) { return wide_minimum(time, departure); }
    return time;
}

// Whether no arrival still to come precedes the first token, and the token comes within this phase of the run.
fn may_be_decided(here: Here, now: Now, next: Time, limits: Limits) -> bool {
    if (now.first == 0u || !wide_less(now.head, limits.end)) { return false; }
    if (wide_differs(now.head, next)) { return wide_less(now.head, next); }
    // At one time tokens of lower stations come first; later tokens of a station have later numbers.
    let source = tokens[2u * (now.first - 1u) + 1u].x;
    for (var edge = 0u; edge < 4u; edge += 1u) {
        let other = neighbour(here.id, edge);
        if (other < source && other != here.id && !wide_differs(heard(here, edge, limits.least), next)) { return false; }
    }
    return true;
}

// Takes in the tokens that stations of the tile sent here in this turn.
fn receive(here: Here, now: ptr<function, Now>) {
    var lanes = 0u;
    var some = 0u;
    for (var edge = 0u; edge < 4u; edge += 1u) {
        let lane = lane_by(here, edge);
        if (leads_out(here, edge) || sent_by[lane] != (edge ^ 2u)) { continue; }
        lanes = (lanes << 8u) | lane;
        some += 1u;
    }
    for (; some > 0u; some -= 1u) {
        let lane = lanes & 0xffu;
        lanes >>= 8u;
        join(now, sent_token[lane], sent_time[lane]);
    }
}

// Publishes lower bounds on arrivals from here: the next service starts when a token has come and the server is free.
// An arrival that only the target itself can cause is not what comes to it next.
fn publish(now: ptr<function, Now>, lane: u32) {
    let spans = spans_of((*now).ahead);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        let first = wide_maximum(wide_minimum(but_by((*now).next, edge), (*now).head), (*now).station.free);
        told[edge * WORKGROUP + lane] = later(first, span_by(spans, edge));
    }
}

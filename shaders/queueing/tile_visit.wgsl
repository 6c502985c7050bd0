// queueing/tile_visit: a visit whose draws are made, and where its token is sent.

import package::lib::time::{never};
import package::lib::wide::{wide_maximum};
import package::queueing::ahead::{moved_up};
import package::queueing::records::{FAULT_SERVICE, FAULT_WAITING, Visit, parameters};
import package::queueing::tile::{sent_by, sent_time, sent_token};
import package::queueing::tile_border::{send_out};
import package::queueing::tile_list::{move_up};
import package::queueing::tile_station::{Now};
import package::queueing::token_links::{store_token_visit};
import package::queueing::torus::{site_of};
import package::queueing::torus_tiles::{Here, leads_out};
import package::queueing::visit::{add_sums};
import faults::{raise};
import word64::{wide_add, wide_less, wide_sub};

// Decides the visit of the first token.
fn serve_first(here: Here, now: ptr<function, Now>) -> Visit {
    let token = (*now).first - 1u;
    let visit = served(here.id, now);
    (*now).worked = 1u;
    store_token_visit(token, here.id, (*now).head, visit);
    move_up(now);
    return visit;
}

fn served(id: u32, now: ptr<function, Now>) -> Visit {
    let start = wide_maximum((*now).head, (*now).station.free);
    if (!wide_less(start, parameters.until)) {
        (*now).station.free = never();
        return Visit(never(), never(), 0u, 0u);
    }
    let edge = (*now).ahead.edges & 0xffu;
    let lasting = (*now).ahead.first;
    let end = wide_add(start, lasting);
    var station = (*now).station;
    add_sums(&station, lasting, wide_sub(start, (*now).head));
    if (station.service_top != 0u) { raise(FAULT_SERVICE, id); }
    if (station.waiting_top != 0u) { raise(FAULT_WAITING, id); }
    station.service_top = 0u;
    station.waiting_top = 0u;
    station.free = end;
    var state = station.state;
    (*now).ahead = moved_up((*now).ahead, site_of(id), &state);
    station.state = state;
    (*now).station = station;
    return Visit(start, end, edge, 0u);
}

fn send(here: Here, lane: u32, token: u32, visit: Visit) {
    if (leads_out(here, visit.edge)) {
        send_out(here, token, visit);
    } else {
        sent_by[lane] = visit.edge;
        sent_token[lane] = token;
        sent_time[lane] = visit.arrival;
    }
}

// queueing/station_short: stations of one server that lose no token, in two words: one sector of memory less for an
// event.
//
//   state, free | service, waiting
//
// The state of the stream gives the number of visits drawn, so `visits` counts the visits of a round only. A sum that
// passes 64 bits is a fault.

import package::queueing::records::{FAULT_SERVICE, FAULT_WAITING, Station, stations};
import package::queueing::station::{pair};
import faults::{raise};
import word64::{wide};

fn load_station(id: u32) -> Station {
    let a = stations[2u * id];
    let b = stations[2u * id + 1u];
    return Station(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), wide(b.z, b.w), 0u, 0u, 0u, 0u);
}

fn store_station(id: u32, station: Station) {
    if (station.service_top != 0u) { raise(FAULT_SERVICE, id); }
    if (station.waiting_top != 0u) { raise(FAULT_WAITING, id); }
    stations[2u * id] = pair(station.state, station.free);
    stations[2u * id + 1u] = pair(station.service, station.waiting);
}

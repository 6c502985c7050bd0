// queueing/station_full: stations of every kind, in three words:
//
//   state, free | service, waiting | visits, losses, service_top, waiting_top

import package::queueing::records::{Station, stations};
import package::queueing::station::{pair};
import word64::{wide};

fn load_station(id: u32) -> Station {
    let a = stations[3u * id];
    let b = stations[3u * id + 1u];
    let c = stations[3u * id + 2u];
    return Station(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), wide(b.z, b.w), c.x, c.y, c.z, c.w);
}

fn store_station(id: u32, station: Station) {
    stations[3u * id] = pair(station.state, station.free);
    stations[3u * id + 1u] = pair(station.service, station.waiting);
    stations[3u * id + 2u] = vec4<u32>(station.visits, station.losses, station.service_top, station.waiting_top);
}

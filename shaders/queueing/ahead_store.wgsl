// queueing/ahead_store: the next visits of a station, in two words behind the records of all stations.

fn load_ahead(station: u32, edges: u32) -> Ahead {
    let place = 2u * (parameters.stations + station);
    let a = stations[place];
    let b = stations[place + 1u];
    return Ahead(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), wide(b.z, b.w), edges);
}

fn store_ahead(station: u32, ahead: Ahead) {
    let place = 2u * (parameters.stations + station);
    stations[place] = pair(ahead.first, ahead.second);
    stations[place + 1u] = pair(ahead.third, ahead.fourth);
}

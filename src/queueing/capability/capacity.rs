//! The servers and the room of a station, as far as results depend on them.

use crate::NetworkModel;

/// The number that stands for unlimited room.
pub(crate) const UNLIMITED: u32 = u32::MAX;

/// The servers of a station; where every token is served at once, as many as there is room for.
fn servers(model: &NetworkModel, station: u32) -> u32 {
    if model.has_infinite_servers(station) { model.capacity(station) } else { model.servers(station) }
}

/// The servers to keep. A closed network never uses more servers than it has tokens: where there are as many and more
/// than one, no token ever waits and servers need not be distinguished, which 0 stands for.
pub(crate) fn usable_servers(model: &NetworkModel, station: u32) -> u32 {
    let (servers, fits_all) = (servers(model, station), room(model, station) == UNLIMITED);
    if let Some(interval) = model.approximate() {
        // The choice of an idle server matters, unless there is a server for each possible visit.
        let instants = u128::from(model.until().ticks().div_ceil(interval.ticks()));
        let fresh = |tokens: u32| u128::from(servers) >= u128::from(tokens) * instants;
        return if fits_all && servers > 1 && model.most_tokens.is_some_and(fresh) { 0 } else { servers };
    }
    let has_shifts = model.has_shifts(station);
    let serves_all = servers == u32::MAX || !has_shifts && model.most_tokens.is_some_and(|tokens| servers >= tokens);
    if fits_all && servers > 1 && serves_all { 0 } else { servers }
}

/// How many tokens may wait; [`UNLIMITED`] where no token can find the station full.
pub(crate) fn room(model: &NetworkModel, station: u32) -> u32 {
    let capacity = model.capacity(station);
    if capacity == u32::MAX || model.most_tokens.is_some_and(|tokens| capacity >= tokens) {
        return UNLIMITED;
    }
    capacity - servers(model, station).min(capacity)
}

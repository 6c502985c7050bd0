//! The servers and the room of a station, as far as they make a difference.

use super::records::NONE;
use crate::queueing::NetworkModel;

/// The servers to keep. A closed network never uses more than it has tokens: where there are as many and more than one,
/// none ever waits and they need not be told apart, which is said by 0.
pub(super) fn usable_servers(model: &NetworkModel, station: u32) -> u32 {
    let servers = model.servers(station);
    if let Some(interval) = model.approximate() {
        // Which idle server takes a token matters, unless there is one for each visit that there can be.
        let visits = u128::from(model.tokens()) * u128::from(model.until().ticks().div_ceil(interval.ticks()));
        let fresh = model.sources() == 0 && servers > 1 && u128::from(servers) >= visits;
        return if fresh && room(model, station) == NONE { 0 } else { servers };
    }
    if model.sources() == 0 && servers > 1 && servers >= model.tokens() && room(model, station) == NONE {
        0
    } else {
        servers
    }
}

/// How many tokens may wait; `NONE` where nobody can find the station full.
pub(super) fn room(model: &NetworkModel, station: u32) -> u32 {
    let capacity = model.capacity(station);
    if capacity == u32::MAX || (model.sources() == 0 && capacity >= model.tokens()) {
        return NONE;
    }
    capacity - model.servers(station).min(capacity)
}

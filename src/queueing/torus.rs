//! Networks whose stations are all alike and lie on a torus: their edges are computed, and nothing of them is listed.

use super::description::{Network, Observed, Route, Station, StationId};
use super::error::NetworkError;
use super::model::NetworkModel;

/// A grid whose opposite sides meet. Station `row · width + column` leads down, right, up and left, in this order, each with
/// probability 1/4 (Sang et al. 2019). A side of 1 makes routes to the station itself, a side of 2 two routes to one
/// neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Torus {
    /// Stations in a row.
    pub(crate) width: u32,
    /// Rows. There are fewer than 2³⁰ stations: an edge is numbered `4 · station + direction` in 32 bits.
    pub(crate) height: u32,
}

/// The most tokens of a torus: they are numbered in 32 bits, and one number stays free.
const MOST_TOKENS: u64 = u32::MAX as u64 - 1;

impl Torus {
    /// The number of stations.
    pub(crate) fn stations(self) -> u32 {
        self.width * self.height
    }

    /// The route of an edge, `4 · station + direction`.
    pub(super) fn route(self, edge: u32) -> Route {
        let (from, to) = (edge / 4, self.neighbour(edge / 4, edge % 4));
        Route { from: StationId(from), to: StationId(to).into(), probability: 0.25, delay: 0.0 }
    }

    /// The station that a direction leads to: 0 down, 1 right, 2 up, 3 left.
    #[inline]
    pub(crate) fn neighbour(self, station: u32, direction: u32) -> u32 {
        let Self { width, height } = self;
        let (last_row, column) = ((height - 1) * width, station % width);
        let down = if station < last_row { station + width } else { station - last_row };
        let right = if column + 1 < width { station + 1 } else { station - column };
        let up = if station >= width { station - width } else { station + last_row };
        let left = if column > 0 { station - 1 } else { station + (width - 1) };
        // Selections, not branches: a random direction would be predicted wrongly.
        let vertical = if direction == 0 { down } else { up };
        let horizontal = if direction == 1 { right } else { left };
        if direction & 1 == 0 { vertical } else { horizontal }
    }
}

impl Network {
    /// The torus, where its edges can be computed: in exact time, of stations with one server and room for everyone of which
    /// no distributions are recorded, with nothing added to them.
    pub(super) fn computed(&self) -> Option<Torus> {
        let [each] = &self.stations[..] else { return None };
        let alone = self.sources.is_empty() && self.sinks.is_empty() && self.routes.is_empty() && self.tokens == 0;
        let plain = each.servers == 1 && each.capacity.is_none();
        let means = self.approximate.is_none() && self.distributions == Observed::Nothing;
        self.torus.filter(|_| alone && plain && means)
    }

    /// The model of a torus: that of one of its stations, which leads to its like, as often as there are stations.
    pub(super) fn check_torus(self, torus: Torus) -> Result<NetworkModel, NetworkError> {
        let each = &self.stations[0];
        let tokens = each.tokens;
        let count = u64::from(tokens) * u64::from(torus.stations());
        if count > MOST_TOKENS {
            return Err(NetworkError::TooMany { what: "tokens at time 0", count, most: MOST_TOKENS });
        }
        let name = format!("{}0", each.name);
        // One token at least, or nothing would be reached: a torus may be empty.
        let alone = Station { name, tokens: tokens.max(1), ..each.clone() };
        let mut one = Self { torus: None, stations: vec![alone], ..self.clone() };
        one.route(StationId(0), StationId(0), 1.0, 0.0);
        let model = one.check()?;
        Ok(NetworkModel {
            description: self,
            tokens: vec![tokens],
            all_tokens: count as u32,
            torus: Some(torus),
            ..model
        })
    }

    /// Every station and every route in lists, where those of a torus were computed until now. They come before what was added
    /// to them.
    ///
    /// # Errors
    /// [`NetworkError::Memory`].
    pub(super) fn listed(mut self) -> Result<Self, NetworkError> {
        let Some(torus) = self.torus.take() else { return Ok(self) };
        let (described, added) = (std::mem::take(&mut self.stations), std::mem::take(&mut self.routes));
        let (stations, routes) = (u64::from(torus.stations()), 4 * u64::from(torus.stations()));
        self.reserve(stations, routes).map_err(|_| NetworkError::Memory { stations, routes })?;
        let like = |each: &Station, id| Station { name: format!("{}{id}", each.name), ..each.clone() };
        let each = &described[0];
        self.stations.extend((0..torus.stations()).map(|id| like(each, id)));
        self.stations.extend_from_slice(&described[1..]);
        self.routes.extend((0..4 * torus.stations()).map(|edge| torus.route(edge)));
        self.routes.extend(added);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual() {
        for (width, height) in [(1, 1), (1, 2), (2, 1), (3, 5), (4, 4)] {
            let torus = Torus { width, height };
            for station in 0..torus.stations() {
                for direction in 0..4 {
                    let there = torus.neighbour(station, direction);
                    assert_eq!(torus.neighbour(there, (direction + 2) & 3), station);
                }
            }
        }
    }
}

//! Networks whose stations are all alike and lie on a torus: their edges are computed, and nothing of them is listed.

use super::check::MOST;
use super::description::{Network, Observed, Station, StationId};
use super::error::NetworkError;
use super::model::NetworkModel;
use super::torus::Torus;

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
        if count > MOST {
            return Err(NetworkError::TooMany { what: "tokens at time 0", count, most: MOST });
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
        self.reserve(stations, routes)?;
        let like = |each: &Station, id| Station { name: format!("{}{id}", each.name), ..each.clone() };
        let each = &described[0];
        self.stations.extend((0..torus.stations()).map(|id| like(each, id)));
        self.stations.extend_from_slice(&described[1..]);
        self.routes.extend((0..4 * torus.stations()).map(|edge| Network::computed_route(torus, edge)));
        self.routes.extend(added);
        Ok(self)
    }
}

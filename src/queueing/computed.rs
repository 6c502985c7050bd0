//! Networks of equal stations on a torus: their edges are computed, and nothing is listed.

use super::check::MOST;
use super::describe::{Network, Observed, Station};
use super::error::NetworkError;
use super::model::NetworkModel;
use super::torus::Torus;

impl Network {
    /// The torus, where its edges can be computed: in exact time, with stations of one server and unlimited room, without
    /// recorded distributions, and with nothing added.
    pub(super) fn computed(&self) -> Option<Torus> {
        let [each] = &self.stations[..] else { return None };
        let plain = each.servers == 1 && each.capacity.is_none();
        let means = self.approximate.is_none() && self.distributions == Observed::Nothing;
        self.torus.filter(|_| self.is_alone() && plain && means)
    }

    /// Whether nothing was added to the stations of a torus.
    fn is_alone(&self) -> bool {
        self.sources.is_empty()
            && self.sinks.is_empty()
            && self.routes.is_empty()
            && self.tokens == 0
            && self.first_key().is_none()
    }

    /// One of the stations of a torus, which leads to its like. It has at least a token, since a station must be
    /// reachable: a torus may be empty.
    fn one(&self) -> Self {
        let each = &self.stations[0];
        let alone = Station { name: format!("{}0", each.name), tokens: each.tokens.max(1), ..each.clone() };
        let mut one = Self { torus: None, stations: vec![alone], ..self.clone() };
        let itself = one.nth(0);
        one.route(itself, itself, 1.0, 0.0);
        one
    }

    /// Checks a torus as far as possible before its stations are listed, which takes time and memory.
    pub(super) fn check_one(&self) -> Result<(), NetworkError> {
        let Some(torus) = self.torus.filter(|_| self.is_alone() && self.stations.len() == 1) else { return Ok(()) };
        let (prefix, last) = (&self.stations[0].name, torus.stations() - 1);
        if let Observed::Stations(names) = &self.distributions {
            if names.is_empty() {
                return Err(NetworkError::ObservedNobody);
            }
            let is_one = |name: &&String| {
                let number = name.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
                number.is_some_and(|number| number <= last && **name == format!("{prefix}{number}"))
            };
            if let Some(name) = names.iter().find(|name| !is_one(name)) {
                let known = format!("there are '{prefix}0' to '{prefix}{last}'");
                return Err(NetworkError::Observed { name: name.clone(), known });
            }
        }
        self.one().distributions(Observed::Nothing).check().map(drop)
    }

    /// The model of a torus: that of one of its stations, which leads to its like, for each of its stations.
    pub(super) fn check_torus(self, torus: Torus) -> Result<NetworkModel, NetworkError> {
        let tokens = self.stations[0].tokens;
        let count = u64::from(tokens) * u64::from(torus.stations());
        if count > MOST {
            return Err(NetworkError::TooMany { what: "tokens at time 0", count, most: MOST });
        }
        let model = self.one().check()?;
        Ok(NetworkModel {
            description: self,
            tokens: vec![tokens],
            all_tokens: count as u32,
            most_tokens: Some(count as u32),
            torus: Some(torus),
            ..model
        })
    }

    /// Every station and every route in lists, where those of a torus were computed before. They come before the parts added
    /// to the torus.
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
        for edge in 0..4 * torus.stations() {
            self.routes.push(self.computed_route(torus, edge));
        }
        self.routes.extend(added);
        Ok(self)
    }
}

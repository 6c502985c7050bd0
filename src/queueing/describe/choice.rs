//! Sources that choose among several stations.

use super::{Routing, Source, StationId};

/// Where else a source may send its tokens, and how it chooses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) others: Vec<StationId>,
    pub(crate) routing: Routing,
}

impl Source {
    /// Tokens go to the station of the source or to one of these, as the routing says when they come: `Random` takes each with the same
    /// probability, `RoundRobin` one after the other. A station that is named twice counts as two. A source neither forks nor chooses by
    /// the visit.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::{Network, Routing, Source, Station};
    /// let mut network = Network::new();
    /// let desk = |name: &str| Ok::<_, tickless::random::LawError>(Station::new(name, "exponential:1.8".parse()?));
    /// let (first, second) = (network.station(desk("first")?), network.station(desk("second")?));
    /// let exit = network.sink("exit");
    /// let street = Source::new("street", "exponential:1".parse()?, first);
    /// network.source(street.or_to(vec![second], Routing::ShortestQueue));
    /// [first, second].iter().for_each(|desk| network.route(*desk, exit, 1.0, 0.0));
    /// assert!(network.check().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn or_to(mut self, others: Vec<StationId>, routing: Routing) -> Self {
        self.choice = Some(Box::new(Choice { others, routing }));
        self
    }

    /// The stations that it sends tokens to.
    pub(crate) fn targets(&self) -> impl Iterator<Item = StationId> + '_ {
        let others = self.choice.iter().flat_map(|choice| &choice.others).copied();
        std::iter::once(self.to).chain(others)
    }
}

//! What a user should know of a network before its run: where queues grow without end, where nothing leaves, what is lost.

use super::description::Network;
use super::model::{Inflow, NetworkWarning};
use super::multiclass::{Rules, StationRules};
use super::traffic::Matrix;

/// From this load on a queue grows without end: 1, but for rounding.
const CRITICAL: f64 = 1.0 - 1e-9;

/// A network with its routes, by class at station.
pub(super) struct Routed<'a> {
    pub(super) network: &'a Network,
    pub(super) rules: &'a Rules,
    pub(super) inflows: &'a [Inflow],
    pub(super) matrix: &'a Matrix<'a>,
    /// Tokens of each station at time 0.
    pub(super) tokens: &'a [u32],
}

impl Routed<'_> {
    pub(super) fn warnings(&self) -> Vec<NetworkWarning> {
        // Copies make tokens more, and what routes say less.
        if self.rules.has_forks() {
            return vec![];
        }
        if self.network.sources.is_empty() && self.network.sinks.is_empty() {
            return self.loses().into_iter().collect();
        }
        let drained = self.matrix.drained();
        let fed = self.matrix.reached(self.sent().map(|(node, _)| node));
        let stuck = fed.iter().zip(&drained).position(|(fed, drained)| *fed && !drained);
        match stuck.map(|node| node / self.classes()) {
            // Who balks or reneges leaves.
            Some(_)
                if self.rules.stations.iter().zip(&self.network.stations).any(|(rules, station)| {
                    !rules.balking.is_empty() || station.further.as_ref().is_some_and(|more| more.is_impatient())
                }) =>
            {
                vec![]
            }
            Some(place) => vec![NetworkWarning::NoExit { station: self.network.stations[place].name.clone() }],
            None => self.overload().into_iter().collect(),
        }
    }

    fn classes(&self) -> usize {
        self.rules.names.len()
    }

    /// A station of a closed network that loses tokens for ever.
    fn loses(&self) -> Option<NetworkWarning> {
        let all = self.tokens.iter().sum();
        let of_class = |place: usize| self.rules.visits[place * self.classes()..].iter().take(self.classes());
        let room = |place: usize| {
            let of_classes = of_class(place).map(|visit| visit.capacity);
            of_classes.chain(self.network.stations[place].capacity).min().filter(|room| *room < all)
        };
        let short = (0..self.tokens.len()).filter(|place| !self.rules.stations[*place].blocks);
        let (place, capacity) = short.into_iter().find_map(|place| Some((place, room(place)?)))?;
        let station = self.network.stations[place].name.clone();
        Some(NetworkWarning::ClosedWithLosses { station, capacity, tokens: all })
    }

    /// What each source sends where, in the long run.
    fn sent(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let sources = self.network.sources.iter().zip(self.inflows).zip(&self.rules.source_classes);
        sources.map(|((source, inflow), class)| {
            // What a trace sends ends.
            let ends = source.limit.is_some() || source.trace.is_some();
            let rate = if ends { 0.0 } else { source.mean_batch() / source.interval.mean() };
            (inflow.target as usize * self.classes() + *class as usize, rate)
        })
    }

    /// Of the stations with unlimited queues of patient tokens that are offered as much as they can serve, or more, the one that is offered
    /// most. How many tokens are lost on the way only the run tells: what comes from there is an upper bound.
    fn overload(&self) -> Option<NetworkWarning> {
        let (classes, network) = (self.classes(), self.network);
        let mut outside = vec![0.0; self.rules.visits.len()];
        self.sent().for_each(|(node, rate)| outside[node] += rate);
        let all = || network.stations.iter().zip(&self.rules.stations);
        let servers: Vec<f64> = all().map(|(station, rules)| rules.mean_servers(station)).collect();
        let mean = |node: usize| network.stations[node / classes].mean_service_of(node % classes);
        // What a class can be served is known where there is one.
        let most = |node: usize| if classes == 1 { servers[node] / mean(node) } else { f64::INFINITY };
        let rates = self.matrix.rates(&outside, &Vec::from_iter((0..outside.len()).map(most)))?;
        let loses = |node: &usize| rates[*node] > 0.0 && self.loses_at(*node);
        let behind = (0..outside.len()).filter(loses).flat_map(|node| self.matrix.targets_of(node));
        let bounded = self.matrix.reached(behind);
        let nodes = |place: usize| place * classes..(place + 1) * classes;
        let load = |place: usize| nodes(place).map(|node| rates[node] * mean(node)).sum::<f64>() / servers[place];
        let is_bounded = |place: usize| nodes(place).any(|node| bounded[node]);
        let grows = (0..servers.len()).filter(|place| self.grows(*place));
        let loads = grows.map(|place| (place, load(place), is_bounded(place)));
        let unstable: Vec<_> = loads.filter(|(_, load, _)| *load >= CRITICAL).collect();
        // One that is certain to be overloaded comes first.
        let &(place, load, at_most) = unstable.iter().max_by(|a, b| b.2.cmp(&a.2).then(a.1.total_cmp(&b.1)))?;
        let (station, others) = (network.stations[place].name.clone(), unstable.len() as u32 - 1);
        Some(NetworkWarning::Unstable { station, load, at_most, others })
    }

    /// Whether the queue of a station grows without end where too much comes.
    fn grows(&self, place: usize) -> bool {
        let (station, rules): (_, &StationRules) = (&self.network.stations[place], &self.rules.stations[place]);
        let mut visits = self.rules.visits[place * self.classes()..].iter().take(self.classes());
        let has_patient = visits.any(|visit| visit.patience.is_none() && visit.capacity == u32::MAX);
        station.capacity.is_none() && !rules.infinite && rules.balking.is_empty() && has_patient
    }

    /// Whether tokens of a class go elsewhere from a station than its routes say.
    fn loses_at(&self, node: usize) -> bool {
        let (place, visit) = (node / self.classes(), &self.rules.visits[node]);
        self.network.stations[place].capacity.is_some()
            || visit.capacity < u32::MAX
            || visit.patience.is_some()
            || !self.rules.stations[place].balking.is_empty()
    }
}

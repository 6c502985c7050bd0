//! Stations that only serve who comes, as most do.

use super::control::Controlled;
use super::rules::Rules;
use crate::describe::{Order, Routing};

impl Rules {
    /// Whether a station only serves who comes: servers are always there, nobody is interrupted, joined, held or split. When a service
    /// begins there, it is known when its token leaves, and where it goes then. A rank that has a station must say the same of it as the
    /// whole network: the order of arrivals from there depends on it.
    pub(crate) fn is_simple(&self, id: u32) -> bool {
        let station = &self.stations[id as usize];
        let visits = || (0..self.classes()).map(|class| self.visit(id, class));
        let blocks = |target: u32| self.stations.get(target as usize).is_some_and(|station| station.blocks);
        let edges = || visits().flat_map(|visit| &self.edges[visit.first as usize..visit.end as usize]);
        let is_served = !station.order.knows_services()
            && !station.order.is_by_attribute()
            && station.order != Order::Sharing
            && !station.waits_until_the_end()
            && station.groups.is_empty()
            && station.time_factors.is_none()
            && station.setup.is_none()
            && !station.goes_away();
        let joins = !station.gathers()
            && station.seizes.is_empty()
            && visits().all(|visit| visit.capacity == u32::MAX && visit.size.is_none() && visit.patience_by.is_none())
            && !station.patience_runs_on;
        let is_decided =
            self.control.as_ref().is_some_and(|control| control.stations[id as usize] != Controlled::default());
        let goes = !is_decided
            && station.routing == Routing::Random
            && station.splits.is_empty()
            && station.releases.is_empty()
            && station.delivers.is_empty()
            && !blocks(id)
            && !edges().any(|edge| blocks(edge.target));
        is_served && joins && goes
    }
}

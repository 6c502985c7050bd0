//! What stations, sinks and resources have cost in a run.

use super::describe::{Costs, Resource, UnitCosts};
use super::outcome::independent;
use super::{NetworkModel, NetworkOutcome};
use tickless_core::statistics::{Estimate, FacilityRecord};
use tickless_core::time::Time;

/// Whose costs are asked for: of the whole network, or of a station, a sink or a resource by its place.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::CostsOf;
/// assert_ne!(CostsOf::Station(0), CostsOf::Sink(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostsOf {
    /// Of all stations, sinks and resources together.
    Everything,
    /// Of a station.
    Station(u32),
    /// Of the tokens that leave by a sink.
    Sink(u32),
    /// Of the units of a resource.
    Resource(u32),
}

impl Costs {
    /// What tokens cost that did so much.
    fn of_tokens(&self, record: &FacilityRecord, balked: u64, reneged: u64) -> f64 {
        let waiting = Time::sum_in_units(record.presence.saturating_sub(record.busy));
        self.waiting * waiting
            + self.served * record.completions as f64
            + self.lost * record.losses as f64
            + self.balked * balked as f64
            + self.reneged * reneged as f64
    }
}

impl NetworkModel {
    /// Whether stations, sinks or resources have costs.
    pub fn has_costs(&self) -> bool {
        self.has_costs
    }

    /// The costs of an owner a time unit, with a 95 % interval over the replications; `None` where the network has no costs.
    ///
    /// # Panics
    /// Where the model has no such station, sink or resource, or an outcome no records ([`tickless_core::statistics::Outcome::added_up`]).
    pub fn cost(&self, of: CostsOf, outcomes: &[NetworkOutcome]) -> Option<Estimate> {
        let cost = |outcome: &NetworkOutcome| [self.cost_in(of, outcome), outcome.stations.measured()];
        self.has_costs().then(|| Estimate::ratio(independent(outcomes).iter().map(cost)))
    }

    /// The costs of an owner in one replication.
    #[doc(hidden)]
    pub fn cost_in(&self, of: CostsOf, outcome: &NetworkOutcome) -> f64 {
        match of {
            CostsOf::Everything => {
                let stations = (0..self.stations()).map(|id| self.cost_of(id, outcome)).sum::<f64>();
                let sinks = (0..self.sinks()).map(|id| self.cost_of_sink(id, outcome)).sum::<f64>();
                let resources = 0..self.description.resources.len() as u32;
                stations + sinks + resources.map(|id| self.cost_of_resource(id, outcome)).sum::<f64>()
            }
            CostsOf::Station(id) => self.cost_of(id, outcome),
            CostsOf::Sink(id) => self.cost_of_sink(id, outcome),
            CostsOf::Resource(id) => self.cost_of_resource(id, outcome),
        }
    }

    /// The costs of a station in one replication.
    fn cost_of(&self, id: u32, outcome: &NetworkOutcome) -> f64 {
        let (station, measured) = (self.described(id), outcome.stations.measured());
        let servers = self.servers_between(id, outcome.stations.from, outcome.stations.until);
        let of_servers = station.costs.as_ref().map_or(0.0, |costs| costs.server * servers * measured);
        let count = self.classes().len();
        if count == 0 {
            let tokens = station.costs.as_ref();
            let record = &outcome.stations.facilities[id as usize];
            return of_servers + tokens.map_or(0.0, |costs| costs.of_tokens(record, 0, 0));
        }
        let of_class = |class: u32| {
            let record = &outcome.classes[id as usize * count + class as usize];
            let costs = station.costs_of(class);
            costs.map_or(0.0, |costs| costs.of_tokens(&record.record, record.balked, record.gave_up()))
        };
        of_servers + (0..count as u32).map(of_class).sum::<f64>()
    }

    /// What the tokens cost that left by a sink in one replication.
    fn cost_of_sink(&self, id: u32, outcome: &NetworkOutcome) -> f64 {
        let (sink, classes) = (&self.description.sinks[id as usize], self.classes().len());
        if classes == 0 {
            return sink.cost.unwrap_or(0.0) * outcome.sinks[id as usize].tokens as f64;
        }
        let of_class = |class: usize| {
            sink.cost_of_class(class as u32) * outcome.class_sinks[id as usize * classes + class].tokens as f64
        };
        (0..classes).map(of_class).sum()
    }

    /// What the units of a resource cost in one replication.
    fn cost_of_resource(&self, id: u32, outcome: &NetworkOutcome) -> f64 {
        let Resource { units, costs, .. } = &self.description.resources[id as usize];
        let UnitCosts { held, unit } = costs.unwrap_or_default();
        let in_units = outcome.resources[id as usize].held as f64 / Time::UNIT.ticks() as f64;
        let in_units =
            if self.is_stock(id) { f64::from(*units) * outcome.stations.measured() - in_units } else { in_units };
        let there = self.mean_units(id, outcome.stations.from, outcome.stations.until);
        held * in_units + unit * there * outcome.stations.measured()
    }
}

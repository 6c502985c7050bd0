//! What a result says of each resource, and of copies.

use schemars::JsonSchema;
use serde::Serialize;

use super::report::CostReport;
use crate::text::{Columns, Table, grouped, name, short};
use tickless_core::statistics::Estimate;
use tickless_core::time::Time;
use tickless_queueing::{CostsOf, NetworkModel, NetworkOutcome};

/// A resource.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceReport {
    /// Its name.
    pub resource: String,
    /// How many there are.
    pub units: u32,
    /// How often a token took some.
    pub grants: u64,
    /// Units that tokens hold at the end.
    pub in_use: u64,
    /// The share of its units that tokens held.
    pub utilization: f64,
    /// Half of its 95 % interval; `null` of one replication.
    pub utilization_half_width: Option<f64>,
    /// What it costs a time unit; `null` where it has no costs.
    pub cost: Option<CostReport>,
}

/// Every resource; `None` of a network without.
pub fn of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ResourceReport>> {
    let report = |(place, (name, units)): (usize, (&str, u32))| {
        let records = || outcomes.iter().map(|outcome| &outcome.resources[place]);
        let held = outcomes.iter().map(|outcome| {
            let measured = outcome.stations.measured();
            [Time::sum_in_units(outcome.resources[place].held), measured * f64::from(units)]
        });
        let utilization = Estimate::ratio(held);
        ResourceReport {
            resource: name.to_owned(),
            units,
            grants: records().map(|record| record.grants).sum(),
            in_use: records().map(|record| record.in_use).sum(),
            utilization: utilization.mean,
            utilization_half_width: utilization.half_width,
            cost: CostReport::of(model, CostsOf::Resource(place as u32), outcomes),
        }
    };
    let all: Vec<ResourceReport> = model.resources().into_iter().enumerate().map(report).collect();
    (!all.is_empty()).then_some(all)
}

/// What became of tokens that split.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ForkReport {
    /// Those that came into the network.
    pub copies: u64,
    /// Tokens that were joined with a sibling.
    pub joined: u64,
}

/// `None` where no token splits.
pub fn forks(outcomes: &[NetworkOutcome]) -> Option<ForkReport> {
    let all = || outcomes.iter().filter_map(|outcome| outcome.forks);
    let report = ForkReport { copies: all().map(|one| one.copies).sum(), joined: all().map(|one| one.joined).sum() };
    all().next().map(|_| report)
}

/// A table of them.
pub fn tell(all: &[ResourceReport], table: &mut Table) {
    let mut columns = Columns::new(&[17, 11, 12, 12, 9]);
    columns.heads(["resource", "units", "utilization", "taken", "in use"]);
    for resource in all {
        let counts = [grouped(resource.grants), grouped(resource.in_use)];
        let units = [grouped(resource.units.into()), short(resource.utilization)];
        columns.row([name(&resource.resource)].into_iter().chain(units).chain(counts));
    }
    columns.write(table);
    table.gap();
}

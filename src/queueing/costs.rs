//! Costs and rewards of stations, by time and by event.

use super::description::Station;
use super::error::NetworkError;
use super::{ClassOfStation, Network, NetworkModel, NetworkOutcome};
use crate::number::Written;
use crate::statistics::{Estimate, FacilityRecord};
use crate::time::Time;

/// What tokens and servers of a station cost; below 0 it is a reward. They change nothing of a run.
///
/// ```
/// use tickless::{device::Target, queueing::{self, Costs, Network, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(100.0);
/// let costs = Costs { waiting: 2.0, served: -5.0, server: 3.0, ..Costs::default() };
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).costs(costs));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// // One server for 100 time units, and 49 tokens that never waited.
/// let cost = model.cost(None, &run.outcome).expect("there are costs").mean;
/// assert!((cost - (3.0 - 5.0 * 0.49)).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Of a token that is there and not in service, a time unit.
    pub waiting: f64,
    /// Of a token whose service ends.
    pub served: f64,
    /// Of a token that finds no room.
    pub lost: f64,
    /// Of a token that balks.
    pub balked: f64,
    /// Of a token that loses its patience.
    pub reneged: f64,
    /// Of a server on duty, whether it serves or not, a time unit.
    pub server: f64,
}

/// The largest cost.
const MOST: f64 = 1e12;

impl Costs {
    fn named(&self) -> [(&'static str, f64); 6] {
        let &Self { waiting, served, lost, balked, reneged, server } = self;
        [
            ("the cost of a token that waits", waiting),
            ("the cost of a service", served),
            ("the cost of a loss", lost),
            ("the cost of a token that balks", balked),
            ("the cost of a token that reneges", reneged),
            ("the cost of a server", server),
        ]
    }

    /// What tokens cost that did so much.
    fn of_tokens(&self, record: &FacilityRecord, balked: u64, reneged: u64) -> f64 {
        let waiting = Time::from_ticks(record.presence.saturating_sub(record.busy)).units();
        self.waiting * waiting
            + self.served * record.completions as f64
            + self.lost * record.losses as f64
            + self.balked * balked as f64
            + self.reneged * reneged as f64
    }
}

impl Station {
    /// What its tokens and servers cost.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = Some(Box::new(costs));
        self
    }

    /// The costs of a class here.
    fn costs_of(&self, class: u32) -> Option<Costs> {
        let own = self.further.iter().flat_map(|more| &more.classes).filter(|of| of.class.0 == class);
        own.filter_map(|of| of.costs.as_deref().copied()).next_back().or(self.costs.as_deref().copied())
    }

    /// Whether anything costs something.
    fn has_costs(&self) -> bool {
        self.costs.is_some() || self.further.iter().flat_map(|more| &more.classes).any(|of| of.costs.is_some())
    }
}

impl ClassOfStation {
    /// What its tokens cost, in place of the station's costs.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = Some(Box::new(costs));
        self
    }
}

/// That costs are numbers, and of servers only where these are counted.
///
/// # Errors
/// [`NetworkError::Parameter`].
pub(super) fn check(station: &Station) -> Result<(), NetworkError> {
    let fail = |parameter, value: f64, allowed: &str| {
        let (name, value, allowed) = (station.name.clone(), Written(value).to_string(), allowed.to_owned());
        Err(NetworkError::Parameter { kind: "station", name, parameter, value, allowed })
    };
    let of_classes = || station.further.iter().flat_map(|more| &more.classes).filter_map(|of| of.costs.as_deref());
    for (parameter, value) in station.costs.as_deref().into_iter().chain(of_classes()).flat_map(Costs::named) {
        if !(-MOST..=MOST).contains(&value) {
            return fail(parameter, value, "from -1e12 to 1e12");
        }
    }
    if let Some(costs) = of_classes().find(|costs| costs.server != 0.0) {
        return fail("the cost of a server", costs.server, "0 of a class: give it to the station");
    }
    let infinite = station.further.as_ref().is_some_and(|more| more.infinite);
    match station.costs.as_deref().filter(|costs| infinite && costs.server != 0.0) {
        Some(costs) => fail("the cost of a server", costs.server, "0, as there are infinitely many"),
        None => Ok(()),
    }
}

impl Network {
    pub(super) fn has_costs(&self) -> bool {
        self.stations.iter().any(Station::has_costs)
    }
}

impl NetworkModel {
    /// Whether stations have costs.
    pub fn has_costs(&self) -> bool {
        self.has_costs
    }

    /// What a station costs a time unit, by its place, or all stations together, with its 95 % interval over the replications; `None`
    /// where nothing has costs.
    ///
    /// # Panics
    /// Where the model has no such station, or an outcome no records ([`crate::statistics::Outcome::added_up`]).
    pub fn cost(&self, station: Option<u32>, outcomes: &[NetworkOutcome]) -> Option<Estimate> {
        let cost = |outcome: &NetworkOutcome| {
            let of = |id| self.cost_of(id, outcome);
            [station.map_or_else(|| (0..self.stations()).map(of).sum(), of), outcome.stations.measured()]
        };
        self.has_costs().then(|| Estimate::ratio(outcomes.iter().map(cost)))
    }

    /// What a station cost in one replication.
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
            costs.map_or(0.0, |costs| costs.of_tokens(&record.record, record.balked, record.reneged))
        };
        of_servers + (0..count as u32).map(of_class).sum::<f64>()
    }
}

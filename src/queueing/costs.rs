//! Costs and rewards of stations, sinks and resources, by time and by event.

use super::description::Station;
use super::error::NetworkError;
use super::{ClassOfStation, Network, NetworkModel, NetworkOutcome, Sink};
use tickless_core::number::Written;
use tickless_core::statistics::{Estimate, FacilityRecord};
use tickless_core::time::Time;

/// The costs of tokens and servers of a station; a cost below 0 is a reward. They change nothing in a run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Costs, CostsOf, Network, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(100.0);
/// let costs = Costs { waiting: 2.0, served: -5.0, server: 3.0, ..Costs::default() };
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).costs(costs));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// // One server for 100 time units, and 49 tokens that never waited.
/// let cost = model.cost(CostsOf::Everything, &run.outcome).expect("there are costs").mean;
/// assert!((cost - (3.0 - 5.0 * 0.49)).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// For each time unit of a token that is there and not in service.
    pub waiting: f64,
    /// For each service that ends.
    pub served: f64,
    /// For each token that finds no room.
    pub lost: f64,
    /// For each token that balks.
    pub balked: f64,
    /// For each token that loses its patience.
    pub reneged: f64,
    /// For each time unit of a server on duty, whether it serves or not.
    pub server: f64,
}

/// The owner of costs: the whole network, or a station, a sink or a resource by its place.
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

    /// The costs of tokens with these counts and times.
    fn of_tokens(&self, record: &FacilityRecord, balked: u64, reneged: u64) -> f64 {
        let waiting = Time::sum_in_units(record.presence.saturating_sub(record.busy));
        self.waiting * waiting
            + self.served * record.completions as f64
            + self.lost * record.losses as f64
            + self.balked * balked as f64
            + self.reneged * reneged as f64
    }
}

impl Station {
    /// The costs of its tokens and servers.
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

    /// Whether there are any costs.
    fn has_costs(&self) -> bool {
        self.costs.is_some() || self.further.iter().flat_map(|more| &more.classes).any(|of| of.costs.is_some())
    }
}

impl ClassOfStation {
    /// The costs of its tokens, in place of the station's costs.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = Some(Box::new(costs));
        self
    }
}

/// Checks that costs are numbers.
///
/// # Errors
/// [`NetworkError::Parameter`], with a kind and a name.
pub(super) fn check_range(
    (kind, name): (&'static str, &str),
    costs: impl IntoIterator<Item = (&'static str, f64)>,
) -> Result<(), NetworkError> {
    let wrong = costs.into_iter().find(|(_, cost)| !(-MOST..=MOST).contains(cost));
    wrong.map_or(Ok(()), |(parameter, cost)| Err(fault((kind, name), parameter, cost, "from -1e12 to 1e12")))
}

fn fault((kind, name): (&'static str, &str), parameter: &'static str, value: f64, allowed: &str) -> NetworkError {
    let (name, value, allowed) = (name.to_owned(), Written(value).to_string(), allowed.to_owned());
    NetworkError::Parameter { kind, name, parameter, value, allowed }
}

/// Checks that costs are numbers, and that costs of servers stand only where servers are counted.
///
/// # Errors
/// [`NetworkError::Parameter`].
pub(super) fn check(station: &Station) -> Result<(), NetworkError> {
    let of_station = ("station", station.name.as_str());
    let of_classes = || station.further.iter().flat_map(|more| &more.classes).filter_map(|of| of.costs.as_deref());
    check_range(of_station, station.costs.as_deref().into_iter().chain(of_classes()).flat_map(Costs::named))?;
    let fail = |cost, allowed| Err(fault(of_station, "the cost of a server", cost, allowed));
    if let Some(costs) = of_classes().find(|costs| costs.server != 0.0) {
        return fail(costs.server, "0 of a class: give it to the station");
    }
    let infinite = station.further.as_ref().is_some_and(|more| more.infinite);
    match station.costs.as_deref().filter(|costs| infinite && costs.server != 0.0) {
        Some(costs) => fail(costs.server, "0, as there are infinitely many"),
        None => Ok(()),
    }
}

impl Network {
    pub(super) fn has_costs(&self) -> bool {
        let of_resources = || self.resources.iter().any(|resource| resource.costs.is_some());
        self.stations.iter().any(Station::has_costs) || self.sinks.iter().any(Sink::has_costs) || of_resources()
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
        self.has_costs().then(|| Estimate::ratio(outcomes.iter().map(cost)))
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
            costs.map_or(0.0, |costs| costs.of_tokens(&record.record, record.balked, record.reneged))
        };
        of_servers + (0..count as u32).map(of_class).sum::<f64>()
    }
}

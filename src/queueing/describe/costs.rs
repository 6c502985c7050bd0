//! What stations and their classes cost.

use super::{ClassOfStation, Network, Sink, Station};

/// What tokens and servers of a station cost; below 0 it is a reward. They change nothing of a run.
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

impl Costs {
    /// What each is called in messages.
    pub(crate) fn named(&self) -> [(&'static str, f64); 6] {
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
}

impl Station {
    /// What its tokens and servers cost.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = Some(Box::new(costs));
        self
    }

    /// The costs of a class here.
    pub(crate) fn costs_of(&self, class: u32) -> Option<Costs> {
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

impl Network {
    pub(crate) fn has_costs(&self) -> bool {
        let of_resources = || self.resources.iter().any(|resource| resource.costs.is_some());
        self.stations.iter().any(Station::has_costs) || self.sinks.iter().any(Sink::has_costs) || of_resources()
    }
}

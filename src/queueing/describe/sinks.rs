//! Sinks, where tokens leave, and their costs.

use super::{ClassId, Network, SinkId};

/// A way out of a [`Network`], and the cost of each token that leaves there; a cost below 0 is a reward. It changes nothing in
/// a run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, CostsOf, Network, Sink, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(100.0);
/// let desk = network.station(Station::new("desk", "constant:1".parse()?));
/// let exit = network.add_sink(Sink::new("exit").cost(-20.0));
/// network.source(Source::new("in", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// // 49 tokens have left in 100 time units.
/// let cost = model.cost(CostsOf::Sink(0), &run.outcome).expect("there are costs").mean;
/// assert!((cost + 20.0 * 0.49).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sink {
    pub(crate) name: String,
    pub(crate) cost: Option<f64>,
    pub(crate) classes: Vec<(ClassId, f64)>,
    pub(crate) targets: Vec<f64>,
}

impl Sink {
    /// A sink where tokens leave at no cost.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), cost: None, classes: vec![], targets: vec![] }
    }

    /// The cost of each token that leaves here.
    #[must_use]
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = Some(cost);
        self
    }

    /// The cost of each token of a class that leaves here, in place of the sink's cost.
    #[must_use]
    pub fn cost_of(mut self, class: ClassId, cost: f64) -> Self {
        self.classes.push((class, cost));
        self
    }

    pub(crate) fn has_costs(&self) -> bool {
        self.cost.is_some() || !self.classes.is_empty()
    }

    pub(crate) fn cost_of_class(&self, class: u32) -> f64 {
        let own = self.classes.iter().rev().find(|(of, _)| of.0 == class).map(|(_, cost)| *cost);
        own.or(self.cost).unwrap_or(0.0)
    }
}

impl Network {
    /// Adds a way out.
    ///
    /// # Panics
    /// At 2³² sinks, which no memory holds.
    pub fn sink(&mut self, name: impl Into<String>) -> SinkId {
        self.add_sink(Sink::new(name))
    }

    /// Adds a way out with its costs.
    ///
    /// # Panics
    /// At 2³² sinks, which no memory holds.
    pub fn add_sink(&mut self, sink: Sink) -> SinkId {
        self.sinks.push(sink);
        SinkId(u32::try_from(self.sinks.len() - 1).expect("fewer than 2^32 sinks"), self.giver)
    }
}

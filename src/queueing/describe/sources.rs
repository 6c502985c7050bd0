//! The description of a source.

use super::{Choice, ClassId, Phases, Rates, StationId, Trace};
use tickless_core::random::ServiceLaw;

/// Where tokens come from: one at each end of an interval of a law.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Source, Station};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "exponential:4".parse()?));
/// network.source(Source::new("street", "exponential:5".parse()?, desk).start(10.0).limit(1000));
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub(crate) name: String,
    pub(crate) interval: ServiceLaw,
    pub(crate) to: StationId,
    pub(crate) choice: Option<Box<Choice>>,
    pub(crate) start: f64,
    pub(crate) limit: Option<u64>,
    pub(crate) class: Option<ClassId>,
    /// Rates in place of intervals of the law, which is then exponential with their mean.
    pub(crate) rates: Option<Rates>,
    /// Phases, likewise.
    pub(crate) phases: Option<Phases>,
    /// A trace, likewise.
    pub(crate) trace: Option<Trace>,
    /// The probabilities of 1, 2, ... tokens at a time; empty where one token comes at a time.
    pub(crate) batch: Vec<f64>,
}

impl Source {
    /// From time 0 on and without end; the first token comes after one interval.
    pub fn new(name: impl Into<String>, interval: ServiceLaw, to: StationId) -> Self {
        let (choice, rates, phases, trace, batch) = (None, None, None, None, vec![]);
        let name = name.into();
        Self { name, interval, to, choice, start: 0.0, limit: None, class: None, rates, phases, trace, batch }
    }

    /// When the first interval begins, in time units.
    #[must_use]
    pub fn start(mut self, start: f64) -> Self {
        self.start = start;
        self
    }

    /// How many tokens come in all.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }
}

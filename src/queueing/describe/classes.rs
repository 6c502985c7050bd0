//! The user's description of classes, and of stations beyond one first-come first-served queue.

use super::{AttributeId, SizedBy, Standby, TimeFactors};
use super::{ClassId, ClassOfStation, Discipline, Rates, Routing, Shifts};
use super::{Destination, Network, ResourceId, ServerGroup, Source, StationId};
use tickless_core::random::ServiceLaw;

/// No class: a route for every class; a token that keeps its class.
pub(crate) const NO_CLASS: u32 = u32::MAX;

/// A class of tokens: what has laws, routes, a priority and figures of its own.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Class, Network};
/// let mut network = Network::new();
/// let urgent = network.class(Class::new("urgent").priority(0));
/// let other = network.class(Class::new("other").priority(1));
/// assert_eq!((urgent.index(), other.index()), (0, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub(crate) name: String,
    pub(crate) priority: u32,
    pub(crate) targets: Vec<f64>,
}

impl Class {
    /// A class of the first priority.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), priority: 0, targets: vec![] }
    }

    /// Its priority at every station: the lowest number is served first.
    #[must_use]
    pub fn priority(mut self, priority: u32) -> Self {
        self.priority = priority;
        self
    }

    /// Its name, in errors and results.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Where a token goes that has been served again since there was no room for it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Repetition, Station};
/// let paint = Station::new("paint", "exponential:4".parse()?).capacity(3).repeating(Repetition::SameDestination);
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// To the destination that was full.
    SameDestination,
    /// To a new destination by the routing.
    RandomDestination,
}

/// The properties of a station beyond one queue of patient tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Further {
    pub(crate) discipline: Discipline,
    /// The attribute by which it orders tokens of one priority.
    pub(crate) order_by: Option<AttributeId>,
    /// The attribute by which tokens take their routes.
    pub(crate) route_by: Option<AttributeId>,
    /// The attribute that is the service time, in place of the law.
    pub(crate) sized_by: Option<SizedBy>,
    /// Whether a token of a higher priority interrupts a service.
    pub(crate) preemptive: bool,
    pub(crate) infinite: bool,
    pub(crate) patience: Option<ServiceLaw>,
    /// The attribute that is the patience, in place of its law.
    pub(crate) patience_by: Option<SizedBy>,
    /// Whether that attribute counts from when a token came from its source.
    pub(crate) patience_from_source: bool,
    /// Whether patience may end amid a service.
    pub(crate) patience_runs_on: bool,
    /// See [`Station::targets`](super::Station::targets).
    pub(crate) targets: Vec<f64>,
    pub(crate) reneges_to: Option<Destination>,
    /// The probability to balk by the number present; the last probability holds for all larger numbers.
    pub(crate) balking: Vec<f64>,
    pub(crate) balks_to: Option<Destination>,
    /// Where those go that find no room.
    pub(crate) full_to: Option<Destination>,
    pub(crate) classes: Vec<ClassOfStation>,
    pub(crate) shifts: Option<Shifts>,
    /// Empty where all servers are alike.
    pub(crate) groups: Vec<ServerGroup>,
    pub(crate) routing: Routing,
    /// Whether tokens from other stations that find it full wait where they are.
    pub(crate) blocks: bool,
    /// Whether tokens that go here are served only while there is room here.
    pub(crate) before: bool,
    /// Whether tokens that wait for each other's room change places.
    pub(crate) exchanges: bool,
    /// Whether tokens that find it full are served again where they are.
    pub(crate) repeats: Option<Repetition>,
    /// The speed of each service where 1, 2, ... tokens are present; the last speed holds for all larger numbers.
    pub(crate) speeds: Vec<f64>,
    /// How long a server works, and how long it is out of order afterwards.
    pub(crate) failures: Option<[ServiceLaw; 2]>,
    /// Whether only service counts toward a failure.
    pub(crate) by_use: bool,
    /// How long a server that has been idle sets up before it serves.
    pub(crate) setup: Option<ServiceLaw>,
    /// Whether set-ups for which no token waits any longer are called off.
    pub(crate) calls_off: bool,
    /// How long a server stays set up that is idle.
    pub(crate) off_after: Option<ServiceLaw>,
    /// How long a server without waiting tokens goes away.
    pub(crate) vacation: Option<ServiceLaw>,
    /// Servers that come when many wait.
    pub(crate) standby: Option<Standby>,
    /// How long these take to come.
    pub(crate) standby_start: Option<ServiceLaw>,
    /// Whether services take no time.
    pub(crate) takes_no_time: bool,
    /// How many times as long services take, by the time at which they begin.
    pub(crate) time_factors: Option<TimeFactors>,
    /// Whether the copies of a token are joined here.
    pub(crate) joins: bool,
    /// The tokens that are put together here, by class; empty where none are.
    pub(crate) kit: Vec<(ClassId, u32)>,
    /// The probabilities of 1, 2, ... tokens that leave in place of one; empty where it is always one.
    pub(crate) splits: Vec<f64>,
    /// Units of resources.
    pub(crate) seizes: Vec<(ResourceId, u32)>,
    /// What may be seized in place of these.
    pub(crate) or_seizes: Vec<Vec<(ResourceId, u32)>>,
    /// Units that are used up.
    pub(crate) uses: Vec<(ResourceId, u32)>,
    pub(crate) delivers: Vec<(ResourceId, u32)>,
    pub(crate) seizes_early: bool,
    pub(crate) releases: Vec<(ResourceId, u32)>,
}

impl Further {
    /// All units that it names.
    pub(crate) fn units(&self) -> impl Iterator<Item = &(ResourceId, u32)> {
        self.taken().chain(&self.releases).chain(&self.delivers)
    }

    /// Units that tokens take here, whatever becomes of them.
    pub(crate) fn taken(&self) -> impl Iterator<Item = &(ResourceId, u32)> {
        self.seizes.iter().chain(self.or_seizes.iter().flatten()).chain(&self.uses)
    }

    /// Whether a token may renege.
    pub(crate) fn is_impatient(&self) -> bool {
        let of_classes = self.classes.iter().any(|of| of.patience.is_some());
        self.patience.is_some() || self.patience_by.is_some() || of_classes
    }
}

/// One way that a token may take after its service.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Class, Network, Route, Station};
/// let mut network = Network::new();
/// let (first, back) = (network.class(Class::new("first")), network.class(Class::new("back")));
/// let desk = network.station(Station::new("desk", "exponential:4".parse()?));
/// let exit = network.sink("exit");
/// // A token of the first class is served again, as one that is back.
/// network.add_route(Route::new(desk, desk).class(first).becomes(back).delay(0.5));
/// network.add_route(Route::new(desk, exit).class(back));
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    pub(crate) from: StationId,
    pub(crate) to: Destination,
    pub(crate) class: ClassId,
    pub(crate) becomes: ClassId,
    pub(crate) probability: f64,
    pub(crate) delay: f64,
    pub(crate) up_to: Option<f64>,
}

impl Route {
    /// The only route from there of every class without routes of its own, without delay.
    pub fn new(from: StationId, to: impl Into<Destination>) -> Self {
        let none = ClassId(NO_CLASS, from.1);
        Self { from, to: to.into(), class: none, becomes: none, probability: 1.0, delay: 0.0, up_to: None }
    }

    /// The probability of the route: those of one station and class add up to 1.
    #[must_use]
    pub fn probability(mut self, probability: f64) -> Self {
        self.probability = probability;
        self
    }

    /// The time from the departure to the arrival, in time units.
    #[must_use]
    pub fn delay(mut self, delay: f64) -> Self {
        self.delay = delay;
        self
    }

    /// The largest value, in time units, of the attribute by which the station routes ([`Station::route_by`](super::Station::route_by)) with which a
    /// token takes this route.
    #[must_use]
    pub fn up_to(mut self, value: f64) -> Self {
        self.up_to = Some(value);
        self
    }

    /// Only tokens of this class take the route. A class that has routes of its own from a station takes no other from
    /// there.
    #[must_use]
    pub fn class(mut self, class: ClassId) -> Self {
        self.class = class;
        self
    }

    /// A token that takes the route is of this class from then on.
    #[must_use]
    pub fn becomes(mut self, class: ClassId) -> Self {
        self.becomes = class;
        self
    }
}

impl Network {
    /// Whether no token has a higher priority than another.
    pub(crate) fn has_one_priority(&self) -> bool {
        self.classes.windows(2).all(|pair| pair[0].priority == pair[1].priority)
    }

    /// Adds a class of tokens. Tokens of a source or of a station without a class are of the first class.
    ///
    /// # Panics
    /// At 2³² classes, which no memory holds.
    pub fn class(&mut self, class: Class) -> ClassId {
        self.classes.push(class);
        ClassId(u32::try_from(self.classes.len() - 1).expect("fewer than 2^32 classes"), self.giver)
    }

    /// Adds a route.
    pub fn add_route(&mut self, route: Route) {
        self.routes.push(route);
    }
}

/// An exponential law of intervals at a mean rate, for code that uses the mean alone.
pub(super) fn of_rate(rate: f64) -> ServiceLaw {
    let mean = rate.recip();
    ServiceLaw::Exponential { mean: if mean.is_finite() { mean.clamp(1e-6, 1e6) } else { 1e6 } }
}

impl Source {
    /// Tokens come at rates that change with time.
    pub fn by_rates(name: impl Into<String>, rates: Rates, to: StationId) -> Self {
        let interval = of_rate(rates.mean());
        Self { rates: Some(rates), ..Self::new(name, interval, to) }
    }

    /// The probabilities of 1, 2, ... tokens at a time.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(9.5);
    /// let desk = network.station(Station::new("desk", "constant:0.1".parse()?));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("pairs", "constant:1".parse()?, desk).batch(vec![0.0, 1.0]));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!(run.outcome[0].sources, [18]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn batch(mut self, probabilities: Vec<f64>) -> Self {
        self.batch = probabilities;
        self
    }

    /// The mean number of tokens at a time.
    pub(crate) fn mean_batch(&self) -> f64 {
        let sizes = self.batch.iter().zip(1_u32..);
        if self.batch.is_empty() { 1.0 } else { sizes.map(|(share, size)| share * f64::from(size)).sum() }
    }

    /// The class of its tokens.
    #[must_use]
    pub fn class(mut self, class: ClassId) -> Self {
        self.class = Some(class);
        self
    }
}

//! What the user writes of a network: stations, sources, sinks, routes, and the vocabulary of queueing practice.

mod attributes;
mod choice;
mod classes;
mod costs;
mod discipline;
mod draws;
mod first_key;
mod groups;
mod ids;
mod intensity;
mod kits;
mod of_class;
mod over_time;
mod phases;
mod resources;
mod routing;
mod shifts;
mod sinks;
mod sources;
mod standby;
mod stations;
mod targets;
mod time_factors;
mod trace;
pub(crate) mod words;

use super::torus::Torus;
pub(crate) use attributes::SizedBy;
pub use attributes::{Attribute, AttributeId};
pub(crate) use choice::Choice;
pub use classes::{Class, Repetition, Route};
pub(crate) use classes::{Further, NO_CLASS};
pub use costs::Costs;
pub use discipline::Discipline;
pub(crate) use discipline::Order;
pub(crate) use draws::{DRAWS, ends, number_of};
pub use groups::{Polling, ServerGroup};
pub(crate) use ids::Giver;
pub use ids::{ClassId, Destination, ResourceId, SinkId, StationId};
pub use intensity::Rates;
pub(crate) use intensity::{Intensity, Standing, Step};
pub use of_class::ClassOfStation;
pub use phases::Phases;
pub(crate) use phases::{Chain, Standing as PhaseStanding};
pub use resources::{Resource, UnitCosts};
pub use routing::Routing;
#[cfg(feature = "files")]
pub(crate) use routing::{ROUTINGS, ROUTINGS_OF_SOURCES};
pub(crate) use shifts::ShiftSchedule;
pub use shifts::Shifts;
pub use sinks::Sink;
pub use sources::Source;
pub use standby::Standby;
use tickless_core::memory::{self, NoMemory};
use tickless_core::random::ServiceLaw;
pub use time_factors::TimeFactors;
pub(crate) use trace::Coming;
pub use trace::Trace;
pub use words::Words;

/// A first-come first-served station: identical servers, a queue, and tokens at time 0.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::Station;
/// let desk = Station::new("desk", "exponential:4".parse()?).servers(2).capacity(10).tokens(3);
/// assert_eq!(desk.name(), "desk");
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    pub(super) name: String,
    pub(super) service: ServiceLaw,
    pub(super) servers: u32,
    pub(super) capacity: Option<u32>,
    pub(super) tokens: u32,
    /// What it has beside a queue that is served first come, first served, if anything.
    pub(super) further: Option<Box<Further>>,
    pub(super) costs: Option<Box<Costs>>,
}

impl Station {
    /// One server, an unlimited queue, no token.
    pub fn new(name: impl Into<String>, service: ServiceLaw) -> Self {
        Self { name: name.into(), service, servers: 1, capacity: None, tokens: 0, further: None, costs: None }
    }

    /// A station whose services take no time: a token that has a server, and the units that it waits for, leaves in the same instant. Such
    /// stations may not form a circle without delays.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let door = network.station(Station::without_time("door"));
    /// let [left, right] = ["left", "right"].map(|name| network.sink(name));
    /// network.source(Source::new("in", "constant:3".parse()?, door));
    /// network.route(door, left, 0.5, 0.0);
    /// network.route(door, right, 0.5, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// let door = &run.outcome[0].stations.facilities[0];
    /// assert_eq!((door.completions, door.busy, door.waiting), (6, 0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_time(name: impl Into<String>) -> Self {
        Self::new(name, ServiceLaw::Constant { time: 1.0 }).taking_no_time()
    }

    /// The number of servers; at least 1.
    #[must_use]
    pub fn servers(mut self, servers: u32) -> Self {
        self.servers = servers;
        self
    }

    /// The room for tokens, those in service included; an arrival at a full station is lost.
    #[must_use]
    pub fn capacity(mut self, capacity: u32) -> Self {
        self.capacity = Some(capacity);
        self
    }

    /// Tokens at time 0.
    #[must_use]
    pub fn tokens(mut self, tokens: u32) -> Self {
        self.tokens = tokens;
        self
    }

    /// Its name, in errors and results.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A network of first-come first-served stations, as the user describes it. All times are in the model's time unit.
///
/// An open network has sources and sinks, a closed one neither; both may have tokens at time 0.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Source, Station};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "exponential:0.8".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("street", "exponential:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.until(100.0).check()?;
/// assert_eq!(model.stations(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What its ids carry, and those of its clones.
    pub(super) giver: Giver,
    /// A torus, whose stations are computed: the first of `stations` stands for all of them, and `routes` has only added
    /// routes.
    pub(super) torus: Option<Torus>,
    pub(super) stations: Vec<Station>,
    pub(super) sources: Vec<Source>,
    pub(super) sinks: Vec<Sink>,
    pub(super) routes: Vec<Route>,
    pub(super) classes: Vec<Class>,
    pub(super) resources: Vec<Resource>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) tokens: u32,
    pub(super) window: Option<f64>,
    pub(super) approximate: Option<f64>,
    pub(super) until: f64,
    pub(super) warmup: f64,
    pub(super) terminating: bool,
    pub(super) seed: u64,
    pub(super) distributions: Observed,
    pub(super) quantiles: Vec<f64>,
    pub(super) series_step: Option<f64>,
    pub(super) fold: Option<f64>,
    pub(super) fold_step: Option<f64>,
    pub(super) words: Words,
}

/// The stations for which a run records distributions of waiting time, system time and number present.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::Observed;
/// assert_eq!(Observed::default(), Observed::Nothing);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observed {
    /// No station: means only.
    #[default]
    Nothing,
    /// Every station, and the time in the network of the tokens that leave it.
    All,
    /// The stations of these names, and the time in the network. At least one name; a repeated name counts once.
    Stations(Vec<String>),
}

/// Bytes of a short name and of what the allocator adds.
const NAME: u64 = 32;
/// Bytes of a station and of a route in the results of a check.
const CHECKED: (u64, u64) = (300, 48);

impl Default for Network {
    fn default() -> Self {
        Self::new()
    }
}

impl Network {
    /// An empty network that runs until time 100 with seed 1.
    pub fn new() -> Self {
        Self {
            giver: Giver::new(),
            torus: None,
            stations: vec![],
            sources: vec![],
            sinks: vec![],
            routes: vec![],
            classes: vec![],
            resources: vec![],
            attributes: vec![],
            tokens: 0,
            window: None,
            approximate: None,
            until: 100.0,
            warmup: 0.0,
            terminating: false,
            seed: 1,
            distributions: Observed::Nothing,
            quantiles: vec![],
            series_step: None,
            fold: None,
            fold_step: None,
            words: Words::default(),
        }
    }

    /// Adds a station.
    ///
    /// # Panics
    /// At 2³² stations, which no memory holds.
    pub fn station(&mut self, station: Station) -> StationId {
        let id = self.count();
        self.stations.push(station);
        self.nth(u32::try_from(id).expect("fewer than 2^32 stations"))
    }

    /// The id of a station that is added later: 0 is the next one, 1 the one behind it. So stations can lead to each other
    /// ([`Station::patience`], [`Station::balking`]).
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::{Network, Station};
    /// let mut network = Network::new();
    /// let other = network.later(1);
    /// network.station(Station::new("desk", "constant:1".parse()?).balking(vec![0.0, 1.0], Some(other.into())));
    /// assert_eq!(network.station(Station::new("other", "constant:3".parse()?)), other);
    /// # Ok::<(), tickless::random::LawError>(())
    /// ```
    pub fn later(&self, stations: u32) -> StationId {
        self.nth(u32::try_from(self.count()).unwrap_or(u32::MAX).saturating_add(stations))
    }

    /// The id of a station by its place.
    pub(super) fn nth(&self, place: u32) -> StationId {
        StationId(place, self.giver)
    }

    /// The names of the stations and the sinks that are listed.
    #[cfg(feature = "files")]
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.stations.iter().map(Station::name).chain(self.sinks.iter().map(|sink| sink.name.as_str()))
    }

    /// The number of stations.
    pub(super) fn count(&self) -> usize {
        match self.torus {
            None => self.stations.len(),
            Some(torus) => torus.stations() as usize + self.stations.len() - 1,
        }
    }

    /// Asks for memory for further stations and routes, and for their check: a network that cannot be checked is not
    /// made.
    pub(super) fn reserve(&mut self, stations: u64, routes: u64) -> Result<(), NoMemory> {
        // With the names, which are allocated one by one.
        let bytes = stations * (size_of::<Station>() as u64 + NAME) + routes * size_of::<Route>() as u64;
        let checked = stations * CHECKED.0 + routes * CHECKED.1;
        memory::room_of(bytes + checked, &format!("{stations} stations and {routes} routes"))?;
        self.stations.reserve_exact(stations as usize);
        self.routes.reserve_exact(routes as usize);
        Ok(())
    }

    /// Refuses lists that cannot be checked: the rows of routes and the table of names take more memory than the lists.
    pub(super) fn check_room(&self) -> Result<(), NoMemory> {
        let (stations, routes) = (self.stations.len() as u64, self.routes.len() as u64);
        let bytes = stations * CHECKED.0 + routes * CHECKED.1;
        memory::room_of(bytes, &format!("the rows of {stations} stations and {routes} routes"))
    }

    /// Bytes of a copy of the lists.
    #[doc(hidden)]
    pub fn bytes(&self) -> u64 {
        self.stations.len() as u64 * (size_of::<Station>() as u64 + NAME)
            + (size_of::<Route>() * self.routes.len()) as u64
    }

    /// Adds a way in.
    pub fn source(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// A token that ends its service at `from` goes to `to` with this probability, and arrives there after `delay`.
    pub fn route(&mut self, from: StationId, to: impl Into<Destination>, probability: f64, delay: f64) {
        self.add_route(Route::new(from, to).probability(probability).delay(delay));
    }

    /// Every route in the order in which they were added: from, to, probability, and transit delay in time units.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::{Destination, Network, Station};
    /// let mut network = Network::new();
    /// let desk = network.station(Station::new("desk", "constant:1".parse()?));
    /// let exit = network.sink("exit");
    /// network.route(desk, exit, 1.0, 0.5);
    /// assert_eq!(network.routes().collect::<Vec<_>>(), [(desk, Destination::Sink(exit), 1.0, 0.5)]);
    /// # Ok::<(), tickless::random::LawError>(())
    /// ```
    pub fn routes(&self) -> impl ExactSizeIterator<Item = (StationId, Destination, f64, f64)> + '_ {
        let computed = self.torus.map_or(0, |torus| 4 * torus.stations());
        (0..computed as usize + self.routes.len()).map(move |place| {
            let route = match self.torus {
                Some(torus) if place < computed as usize => &self.computed_route(torus, place as u32),
                _ => &self.routes[place - computed as usize],
            };
            (route.from, route.to, route.probability, route.delay)
        })
    }

    /// The route of an edge of a torus, `4 · station + direction`.
    pub(super) fn computed_route(&self, torus: Torus, edge: u32) -> Route {
        let (from, to) = (edge / 4, torus.neighbour(edge / 4, edge % 4));
        Route::new(self.nth(from), self.nth(to)).probability(0.25)
    }

    /// Tokens at time 0 beside those of the stations, spread over the stations in proportion to their visit ratios.
    #[must_use]
    pub fn tokens(mut self, tokens: u32) -> Self {
        self.tokens = tokens;
        self
    }

    /// The least length of a round: where the shortest service time and the shortest transit delay of a station add up to
    /// less, its law is shifted to d + S·(M - d)/M, where d is the missing time and M
    /// its mean, which stays. Without this call, or with 0, no law is shifted.
    #[must_use]
    pub fn window(mut self, window: f64) -> Self {
        self.window = Some(window);
        self
    }

    /// Approximate time (Park and Fishwick 2010): every event happens at the first multiple of this interval, in time units,
    /// that is not before its time and later than the instant that scheduled it. The laws stay as they are; it goes with no
    /// window but 0.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, run::unwatched};
    /// use tickless::queueing::{self, Network, Station};
    /// let mut network = Network::new();
    /// let here = network.station(Station::new("here", "constant:1.2".parse()?).tokens(1));
    /// let there = network.station(Station::new("there", "constant:0.3".parse()?));
    /// network.route(here, there, 1.0, 0.0);
    /// network.route(there, here, 1.0, 0.0);
    /// // The token leaves at 1.2, 1.5, 2.7 and 3.0. That happens at 1.5, 2, 3 and 3.5: a service takes half a unit or more.
    /// let model = network.approximate(0.5).until(3.5).check()?;
    /// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!(run.outcome[0].stations.facilities[0].busy, 5 << 31);
    /// assert_eq!(run.outcome[0].causality_errors, [0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn approximate(mut self, interval: f64) -> Self {
        self.approximate = Some(interval);
        self
    }

    /// Exact time, which is the default: takes [`Network::approximate`] back.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::Network;
    /// assert_eq!(Network::new().approximate(0.5).exact(), Network::new());
    /// ```
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.approximate = None;
        self
    }

    /// The horizon: events before it happen.
    #[must_use]
    pub fn until(mut self, until: f64) -> Self {
        self.until = until;
        self
    }

    /// The end of the warm-up: earlier events are simulated but not counted.
    #[must_use]
    pub fn warmup(mut self, warmup: f64) -> Self {
        self.warmup = warmup;
        self
    }

    /// Whether the horizon is the system's own end, such as the end of a day: then there is no steady state, and no warm-up is looked for.
    #[must_use]
    pub fn terminating(mut self, terminating: bool) -> Self {
        self.terminating = terminating;
        self
    }

    /// What a time unit is, as in `min`: results say it ([`Words`]). 1 to 24 characters.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.words.unit = Some(unit.into());
        self
    }

    /// What a token is, as in `patient`, of which several are `patients`. 1 to 24 characters.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.words.token = Some(token.into());
        self
    }

    /// What costs are in, as in `EUR`: results say it. 1 to 24 characters.
    #[must_use]
    pub fn currency(mut self, currency: impl Into<String>) -> Self {
        self.words.currency = Some(currency.into());
        self
    }

    /// One seed, one sample path.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Records distributions beside the means: at each observed station of waiting time, system time and the number present,
    /// and at each sink of the time in the network.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, run::unwatched};
    /// use tickless::queueing::{self, Network, Observed, Station};
    /// let mut network = Network::new();
    /// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(3));
    /// network.route(desk, desk, 1.0, 0.0);
    /// let model = network.distributions(Observed::All).check()?;
    /// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // All three are always there.
    /// assert_eq!(run.outcome[0].distributions.as_ref().unwrap().stations[0].present, [0, 0, 0, 100 << 32]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn distributions(mut self, observed: Observed) -> Self {
        self.distributions = observed;
        self
    }

    /// The stations whose distributions are recorded.
    pub fn observed(&self) -> &Observed {
        &self.distributions
    }
}

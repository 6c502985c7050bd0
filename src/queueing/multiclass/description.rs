//! What the user writes of classes, and of stations beyond a queue that is served first come, first served.

use super::{ClassOfStation, Rates, Routing, Shifts};
use crate::queueing::description::{Destination, Network, Source, Station, StationId};
use crate::random::ServiceLaw;

/// A class of tokens of a [`Network`](crate::queueing::Network), by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub(crate) u32);

impl ClassId {
    /// Its place, from 0 on.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// No class: of a route, that of every token; of what a token becomes, what it is.
pub(in crate::queueing) const NO_CLASS: u32 = u32::MAX;

/// A class of tokens: what has laws, routes, a priority and figures of its own.
///
/// ```
/// use tickless::queueing::{Class, Network};
/// let mut network = Network::new();
/// let urgent = network.class(Class::new("urgent").priority(0));
/// let other = network.class(Class::new("other").priority(1));
/// assert_eq!((urgent.index(), other.index()), (0, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub(in crate::queueing) name: String,
    pub(in crate::queueing) priority: u32,
}

impl Class {
    /// A class of the first priority.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), priority: 0 }
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

/// Who of the tokens of one priority that wait at a station is served next.
///
/// ```
/// use tickless::queueing::Discipline;
/// assert_eq!("lcfs".parse(), Ok(Discipline::LastCome));
/// assert_eq!(Discipline::default().name(), "fcfs");
/// assert!("lifo".parse::<Discipline>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// `fcfs`: who came first.
    #[default]
    FirstCome,
    /// `lcfs`: who came last.
    LastCome,
    /// `lcfs-preemptive`: who came last, at once; the service that it interrupts is resumed later.
    LastComePreemptive,
    /// `siro`: one of them at random.
    Random,
    /// `sjf`: whose service is the shortest, which is known at its arrival.
    ShortestJob,
    /// `ps`: nobody waits. All that are there share the servers alike, whatever their priority, and none has more than one server.
    Sharing,
}

impl Discipline {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::FirstCome, Self::LastCome, Self::LastComePreemptive, Self::Random, Self::ShortestJob, Self::Sharing];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstCome => "fcfs",
            Self::LastCome => "lcfs",
            Self::LastComePreemptive => "lcfs-preemptive",
            Self::Random => "siro",
            Self::ShortestJob => "sjf",
            Self::Sharing => "ps",
        }
    }
}

impl std::str::FromStr for Discipline {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|discipline| discipline.name() == text);
        found.ok_or_else(|| format!("'{text}' is no discipline; it may be {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// Where a token goes that has been served again since there was no room for it.
///
/// ```
/// use tickless::queueing::{Repetition, Station};
/// let paint = Station::new("paint", "exponential:4".parse()?).capacity(3).repeating(Repetition::SameDestination);
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Where it had no room.
    SameDestination,
    /// Where the routing sends it then.
    RandomDestination,
}

/// What a station has beyond one queue of patient tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::queueing) struct Further {
    pub(in crate::queueing) discipline: Discipline,
    /// Whether a token of a higher priority interrupts a service.
    pub(in crate::queueing) preemptive: bool,
    pub(in crate::queueing) infinite: bool,
    pub(in crate::queueing) patience: Option<ServiceLaw>,
    pub(in crate::queueing) reneges_to: Option<Destination>,
    /// The probability to balk by the number present; the last one holds from there on.
    pub(in crate::queueing) balking: Vec<f64>,
    pub(in crate::queueing) balks_to: Option<Destination>,
    pub(in crate::queueing) classes: Vec<ClassOfStation>,
    pub(in crate::queueing) shifts: Option<Shifts>,
    pub(in crate::queueing) routing: Routing,
    /// Whether those that come from other stations and find it full wait where they are.
    pub(in crate::queueing) blocks: bool,
    /// Whether those that go here are served only while there is room.
    pub(in crate::queueing) before: bool,
    /// Whether those that wait for each other's room change places.
    pub(in crate::queueing) exchanges: bool,
    /// Whether those are served again where they are.
    pub(in crate::queueing) repeats: Option<Repetition>,
    /// The speed of each service where 1, 2, ... tokens are present; the last one holds from there on.
    pub(in crate::queueing) speeds: Vec<f64>,
    /// How long a server works, and how long it is out of order then.
    pub(in crate::queueing) failures: Option<[ServiceLaw; 2]>,
    /// Whether only service counts toward a failure.
    pub(in crate::queueing) by_use: bool,
    /// How long a server that has been idle sets up before it serves.
    pub(in crate::queueing) setup: Option<ServiceLaw>,
    /// How long a server that finds nobody goes away.
    pub(in crate::queueing) vacation: Option<ServiceLaw>,
    /// Whether the copies of a token are one again here.
    pub(in crate::queueing) joins: bool,
    /// Units of resources, by the places of these.
    pub(in crate::queueing) seizes: Vec<(u32, u32)>,
    pub(in crate::queueing) seizes_early: bool,
    pub(in crate::queueing) releases: Vec<(u32, u32)>,
}

impl Further {
    /// Whether somebody may give up.
    pub(in crate::queueing) fn is_impatient(&self) -> bool {
        self.patience.is_some() || self.classes.iter().any(|of| of.patience.is_some())
    }
}

/// One way that a token may take after its service.
///
/// ```
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
    pub(in crate::queueing) from: StationId,
    pub(in crate::queueing) to: Destination,
    pub(in crate::queueing) class: u32,
    pub(in crate::queueing) becomes: u32,
    pub(in crate::queueing) probability: f64,
    pub(in crate::queueing) delay: f64,
}

impl Route {
    /// The only way of every class that has no routes of its own from there, without delay.
    pub fn new(from: StationId, to: impl Into<Destination>) -> Self {
        Self { from, to: to.into(), class: NO_CLASS, becomes: NO_CLASS, probability: 1.0, delay: 0.0 }
    }

    /// With which probability it is taken: those of one station and class add up to 1.
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

    /// Only tokens of this class take it. A class that has routes of its own from a station takes no other from there.
    #[must_use]
    pub fn class(mut self, class: ClassId) -> Self {
        self.class = class.0;
        self
    }

    /// A token that takes it is of this class from then on.
    #[must_use]
    pub fn becomes(mut self, class: ClassId) -> Self {
        self.becomes = class.0;
        self
    }
}

impl Network {
    /// Adds a class of tokens. Tokens of a source or of a station that names none are of the first.
    ///
    /// # Panics
    /// At 2³² classes, which no memory holds.
    pub fn class(&mut self, class: Class) -> ClassId {
        self.classes.push(class);
        ClassId(u32::try_from(self.classes.len() - 1).expect("fewer than 2^32 classes"))
    }

    /// Adds a route.
    pub fn add_route(&mut self, route: Route) {
        self.routes.push(route);
    }
}

/// The law of intervals at a mean rate, for what looks at nothing else.
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

    /// With which probabilities 1, 2, ... tokens come at a time.
    ///
    /// ```
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

    /// Tokens at a time, in the mean.
    pub(in crate::queueing) fn mean_batch(&self) -> f64 {
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

impl Station {
    pub(super) fn further(&mut self) -> &mut Further {
        self.further.get_or_insert_default()
    }

    /// The mean service time of a class, in time units.
    pub(in crate::queueing) fn mean_service_of(&self, class: usize) -> f64 {
        let own = self.further.iter().flat_map(|more| &more.classes).filter(|of| of.class.0 as usize == class);
        own.filter_map(|of| of.service.as_ref()).next_back().unwrap_or(&self.service).mean()
    }

    /// Who is served next.
    #[must_use]
    pub fn discipline(mut self, discipline: Discipline) -> Self {
        self.further().discipline = discipline;
        self
    }

    /// A token of a higher priority interrupts a service, of those of the lowest priority that of the one which is last in the
    /// order of service. The rest of it is served later.
    #[must_use]
    pub fn preemptive(mut self) -> Self {
        self.further().preemptive = true;
        self
    }

    /// Every token is served at once, by a server of its own. The station's utilization is the mean number in service then.
    #[must_use]
    pub fn infinite_servers(mut self) -> Self {
        self.servers = 1;
        self.further().infinite = true;
        self
    }

    /// How tokens find their way from here. With anything but [`Routing::Random`] all routes have probability 1, the default.
    #[must_use]
    pub fn routing(mut self, routing: Routing) -> Self {
        self.further().routing = routing;
        self
    }

    /// Where it is full, a token that was served at another station stays with its server there until there is room (blocking after
    /// service): who waits longest goes first. Routes that lead here have no delay. Those from sources, and those that balk or
    /// renege, are lost as ever.
    #[must_use]
    pub fn blocking(mut self) -> Self {
        self.further().blocks = true;
        self
    }

    /// As [`Station::blocking`], and tokens that wait for each other's room at stations that all exchange change places at once: of each
    /// station the first that is blocked. Other deadlocks end the run.
    #[must_use]
    pub fn exchanging(mut self) -> Self {
        self.further().blocks = true;
        self.further().exchanges = true;
        self
    }

    /// A token that goes here from another station is served there only while there is room here (blocking before service): its service
    /// begins when there is some, stops when the last place is taken, and goes on when there is one again; its server waits with it.
    /// Such stations route at random, and have neither patience nor shared servers. Those from sources, and those that balk or renege, are
    /// lost as ever.
    #[must_use]
    pub fn blocking_before(mut self) -> Self {
        self.further().blocks = true;
        self.further().before = true;
        self
    }

    /// Where it is full, a token that was served at another station is served there once more, at once and by the same server, until
    /// there is room (repetitive service): each time is a service of its own. Routes that lead here have no delay. Those from sources,
    /// and those that balk or renege, are lost as ever.
    #[must_use]
    pub fn repeating(mut self, repetition: Repetition) -> Self {
        self.further().blocks = true;
        self.further().repeats = Some(repetition);
        self
    }

    /// The copies of a token that has split ([`Routing::Fork`]) wait here for each other. When all that have not left the network are
    /// there, they are one token again, which joins the line as the one that came last. Others join it at once.
    ///
    /// ```
    /// use tickless::{device::Target, queueing::{self, Network, Routing, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(100.0);
    /// let times = ["1", "3", "5", "2"].map(|time| format!("constant:{time}").parse());
    /// let [first, short, long, last] = times;
    /// let first = network.station(Station::new("first", first?).routing(Routing::Fork));
    /// let [short, long] = [("short", short?), ("long", long?)].map(|(name, law)| network.station(Station::new(name, law)));
    /// let last = network.station(Station::new("last", last?).joining());
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:1".parse()?, first).limit(1));
    /// for (from, to) in [(first, short), (first, long), (short, last), (long, last)] {
    ///     network.route(from, to, 1.0, 0.0);
    /// }
    /// network.route(last, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!((run.outcome[0].sinks[0].tokens, run.outcome[0].sinks[0].sojourn >> 32), (1, 1 + 5 + 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn joining(mut self) -> Self {
        self.further().joins = true;
        self
    }

    /// How many servers there are, by time. The station has as many as the largest shift otherwise, and its utilization is of the
    /// servers on duty.
    #[must_use]
    pub fn shifts(mut self, shifts: Shifts) -> Self {
        self.servers = shifts.most().max(1);
        self.further().shifts = Some(shifts);
        self
    }

    /// How fast each service goes where 1, 2, ... tokens are present: its time is the work, which the speed of the moment does off. The last
    /// speed holds for all larger numbers.
    ///
    /// ```
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// // Two at once go twice as fast: from 1 to 2 a third of the first service is done, and it ends at 3.
    /// let desk = network.station(Station::new("desk", "constant:3".parse()?).speeds(vec![1.0, 2.0]));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:1".parse()?, desk).limit(2));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // The second has the first speed again, from 3 to 6.
    /// assert_eq!(run.outcome[0].sinks[0].sojourn >> 32, 2 + 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn speeds(mut self, speeds: Vec<f64>) -> Self {
        self.further().speeds = speeds;
        self
    }

    /// Each server works for a time of the first law and is out of order for one of the second, over and over from time 0 on,
    /// whether it serves or not. A station that has fewer servers left than services interrupts those that are last in the order of
    /// service; they go on later.
    ///
    /// ```
    /// use tickless::{device::Target, queueing::{self, Network, Station}, run::unwatched};
    /// let mut network = Network::new().until(100.0);
    /// let machine = Station::new("machine", "constant:1".parse()?).tokens(1);
    /// let machine = network.station(machine.failures("constant:4".parse()?, "constant:1".parse()?));
    /// network.route(machine, machine, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!(run.outcome[0].stations.facilities[0].busy, 80 << 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn failures(mut self, up: ServiceLaw, down: ServiceLaw) -> Self {
        self.further().failures = Some([up, down]);
        self.further().by_use = false;
        self
    }

    /// Each server fails when it has served for a time of the first law, and is out of order for one of the second. Its token waits then, for
    /// any server; of several that are free and in order the first serves. Who is blocked uses up nothing.
    #[must_use]
    pub fn failures_by_use(mut self, used: ServiceLaw, down: ServiceLaw) -> Self {
        self = self.failures(used, down);
        self.further().by_use = true;
        self
    }

    /// A server that finds nobody to serve is off. For each token that waits a server which is off, if there is one, sets up for a time of the
    /// law, and then serves who is first, or is off again where nobody waits any more.
    ///
    /// ```
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let desk = network.station(Station::new("desk", "constant:1".parse()?).setup("constant:3".parse()?));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:2".parse()?, desk).limit(2));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // From 2 to 5 it sets up; services end at 6 and 7.
    /// assert_eq!(run.outcome[0].sinks[0].sojourn >> 32, 4 + 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn setup(mut self, law: ServiceLaw) -> Self {
        self.further().setup = Some(law);
        self
    }

    /// A server that finds nobody to serve goes away for a time of the law, and again where nobody waits when it comes back; at time 0, too.
    #[must_use]
    pub fn vacations(mut self, law: ServiceLaw) -> Self {
        self.further().vacation = Some(law);
        self
    }

    /// A token that has waited so long for its service to begin leaves, for `to` or else out of the network.
    #[must_use]
    pub fn patience(self, law: ServiceLaw, to: Option<Destination>) -> Self {
        self.gives_up(Some(law), to)
    }

    /// The same where perhaps only some classes have a patience.
    pub(in crate::queueing) fn gives_up(mut self, law: Option<ServiceLaw>, to: Option<Destination>) -> Self {
        self.further().patience = law;
        self.further().reneges_to = to;
        self
    }

    /// With which probability an arrival that finds 0, 1, 2, ... tokens there does not join them, but goes to `to` or else out of
    /// the network; the last probability holds for all larger numbers.
    ///
    /// ```
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(1000.0);
    /// // Nobody joins who would have to wait: a loss system.
    /// let desk = network.station(Station::new("desk", "exponential:1".parse()?).balking(vec![0.0, 1.0], None));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "exponential:1".parse()?, desk));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let model = network.check()?;
    /// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// let record = run.outcome[0].classes[0];
    /// assert!(record.balked > 0 && record.record.waiting == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn balking(mut self, probabilities: Vec<f64>, to: Option<Destination>) -> Self {
        self.further().balking = probabilities;
        self.further().balks_to = to;
        self
    }

    /// What one class has of its own here.
    #[must_use]
    pub fn class(mut self, of_class: ClassOfStation) -> Self {
        self.further().classes.push(of_class);
        self
    }
}

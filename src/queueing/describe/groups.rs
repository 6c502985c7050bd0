//! Groups of servers behind the one line of a station.

use super::{ClassId, Shifts, Station};
use tickless_core::random::ServiceLaw;

/// Servers of a station that are alike: who of its tokens they serve, how long, and when they are there.
///
/// A token that comes takes a server of the group that prefers its class most, among the groups that serve the class and have a free server: of
/// several the first. A group with a free server takes, of the tokens that wait, the class that it prefers.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, ServerGroup, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(20.0);
/// let station = Station::new("desk", "constant:2".parse()?);
/// let station = station.group(ServerGroup::new("senior", 1)).group(ServerGroup::new("junior", 1).factor(1.5));
/// let desk = network.station(station);
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:1".parse()?, desk).limit(2));
/// network.route(desk, exit, 1.0, 0.0);
/// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let [senior, junior] = &run.outcome[0].groups[..] else { unreachable!() };
/// assert_eq!((senior.busy >> 32, junior.busy >> 32), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ServerGroup {
    pub(crate) name: String,
    pub(crate) count: u32,
    pub(crate) service: Option<ServiceLaw>,
    pub(crate) laws: Vec<(ClassId, ServiceLaw)>,
    pub(crate) factor: Option<f64>,
    pub(crate) serves: Vec<ClassId>,
    pub(crate) first_in_line: bool,
    pub(crate) shifts: Option<Shifts>,
    pub(crate) bulk: Bulk,
    pub(crate) polling: Option<Polling>,
    pub(crate) switching: Option<ServiceLaw>,
}

/// How long a server that goes round the lines of several classes stays with one of them, its turn. A server that finds nobody waiting stays, and its
/// turn goes on if the next token is of that class (H. Takagi, Queuing analysis of polling models, 1988).
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Class, Network, Polling, ServerGroup, Station};
/// let mut network = Network::new();
/// let [left, right] = ["left", "right"].map(|name| network.class(Class::new(name)));
/// let signal = ServerGroup::new("signal", 1).serves(vec![left, right]).polling(Polling::Limited(5));
/// let signal = signal.switching("constant:2".parse()?);
/// network.station(Station::new("crossing", "exponential:1".parse()?).group(signal));
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// Until nobody waits there.
    Exhaustive,
    /// Until as many are served as waited there when it came.
    Gated,
    /// Until so many are served, 1 or more, or nobody waits there.
    Limited(u32),
}

/// How many tokens a server serves at once (bulk service).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bulk {
    pub(crate) most: u32,
    pub(crate) least: u32,
    pub(crate) wait: Option<f64>,
    pub(crate) factors: Vec<f64>,
}

impl ServerGroup {
    /// So many servers, which serve every class as the station's laws say, the first in line first.
    pub fn new(name: impl Into<String>, count: u32) -> Self {
        let (service, laws, factor, serves, shifts) = (None, vec![], None, vec![], None);
        let bulk = Bulk { most: 1, least: 1, wait: None, factors: vec![] };
        let (polling, switching) = (None, None);
        Self {
            name: name.into(),
            count,
            service,
            laws,
            factor,
            serves,
            first_in_line: false,
            shifts,
            bulk,
            polling,
            switching,
        }
    }

    /// The law of its service times, in place of the station's and its classes'.
    #[must_use]
    pub fn service(mut self, law: ServiceLaw) -> Self {
        self.service = Some(law);
        self
    }

    /// The law of its service times for one class.
    #[must_use]
    pub fn service_of(mut self, class: ClassId, law: ServiceLaw) -> Self {
        self.laws.push((class, law));
        self
    }

    /// Its services take so many times as long: from 2⁻¹⁰ to 2¹⁰, rounded to 2⁻²⁰.
    #[must_use]
    pub fn factor(mut self, factor: f64) -> Self {
        self.factor = Some(factor);
        self
    }

    /// It serves these classes alone, and prefers those that come first in the list.
    #[must_use]
    pub fn serves(mut self, classes: Vec<ClassId>) -> Self {
        self.serves = classes;
        self
    }

    /// It takes, of all that it serves, the first in the order of service of the station, whatever it prefers.
    #[must_use]
    pub fn first_in_line(mut self) -> Self {
        self.first_in_line = true;
        self
    }

    /// Its one server goes round the lines of its classes, in the order of [`ServerGroup::serves`]: it serves one of them for so long, and then the
    /// next one in which somebody waits.
    #[must_use]
    pub fn polling(mut self, polling: Polling) -> Self {
        self.polling = Some(polling);
        self
    }

    /// The law of the time in which a server that goes round makes ready for another class: it is a part of the first service there.
    #[must_use]
    pub fn switching(mut self, law: ServiceLaw) -> Self {
        self.switching = Some(law);
        self
    }

    /// The numbers of its servers over time; who is served at the end of a shift is served to the end.
    #[must_use]
    pub fn shifts(mut self, shifts: Shifts) -> Self {
        self.count = shifts.most().max(1);
        self.shifts = Some(shifts);
        self
    }

    /// Each of its servers serves up to so many tokens at once (bulk service: N. T. J. Bailey, On queueing processes with bulk service, 1954).
    /// Their service is one: it is drawn for the first of them, and all leave at its end, in the order in which they were taken. Who comes
    /// while it runs waits for the next one.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, ServerGroup, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let oven = ServerGroup::new("oven", 1).batch_most(3).batch_least(2).batch_factors(vec![1.0, 1.0, 1.5]);
    /// let bakery = network.station(Station::new("bakery", "constant:4".parse()?).group(oven));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:1".parse()?, bakery).limit(5));
    /// network.route(bakery, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // Two from 2 to 6, then three, for one and a half times as long.
    /// let oven = &run.outcome[0].groups[0];
    /// assert_eq!((oven.batches, oven.tokens[0], oven.busy >> 32), (2, 5, 4 + 6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn batch_most(mut self, tokens: u32) -> Self {
        self.bulk.most = tokens;
        self
    }

    /// No service begins for fewer tokens than these.
    #[must_use]
    pub fn batch_least(mut self, tokens: u32) -> Self {
        self.bulk.least = tokens;
        self
    }

    /// A service begins for fewer than the least number, too, once a token has waited so long, in time units.
    #[must_use]
    pub fn batch_wait(mut self, time: f64) -> Self {
        self.bulk.wait = Some(time);
        self
    }

    /// A service of 1, 2, ... tokens takes so many times as long, from 2⁻¹⁰ to 2¹⁰, rounded to 2⁻²⁰; the last factor holds for all larger numbers.
    #[must_use]
    pub fn batch_factors(mut self, factors: Vec<f64>) -> Self {
        self.bulk.factors = factors;
        self
    }

    /// Its name, in errors and results.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The law of its service times for a class, if it has one of its own.
    pub(crate) fn law_of(&self, class: usize) -> Option<&ServiceLaw> {
        let own = self.laws.iter().rev().find(|(of, _)| of.0 as usize == class);
        own.map(|(_, law)| law).or(self.service.as_ref())
    }
}

impl Station {
    /// Adds a group of servers. The station's servers are those of its groups from then on.
    #[must_use]
    pub fn group(mut self, group: ServerGroup) -> Self {
        let groups = &mut self.further().groups;
        groups.push(group);
        self.servers = groups.iter().fold(0_u32, |all, group| all.saturating_add(group.count));
        self
    }
}

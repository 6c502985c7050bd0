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
    pub(crate) walking: Option<ServiceLaw>,
    pub(crate) walks_to: Vec<(ClassId, ServiceLaw)>,
    pub(crate) rests: bool,
    pub(crate) failures: Option<[ServiceLaw; 2]>,
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
        let (polling, switching, walking, walks_to, rests) = (None, None, None, vec![], false);
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
            walking,
            walks_to,
            rests,
            failures: None,
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

    /// The law of the time in which a server that goes round walks from one class to the next, whether somebody waits there or not: it goes round for
    /// ever. A walk is a part of no service, and takes a tick or more. In the place of [`ServerGroup::switching`].
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Class, Network, Polling, ServerGroup, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let [left, right] = ["left", "right"].map(|name| network.class(Class::new(name)));
    /// let signal = ServerGroup::new("signal", 1).serves(vec![left, right]).polling(Polling::Exhaustive);
    /// let signal = signal.walking("constant:2".parse()?);
    /// let crossing = network.station(Station::new("crossing", "constant:1".parse()?).group(signal));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:5".parse()?, crossing).class(right).limit(1));
    /// network.route(crossing, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // It comes to the left at 2, 6, ..., and to the right at 4 and 8.
    /// assert_eq!(run.outcome[0].classes[1].record.waiting >> 32, 8 - 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn walking(mut self, law: ServiceLaw) -> Self {
        self.walking = Some(law);
        self
    }

    /// The law of its walks to one class, in the place of that of all walks.
    #[must_use]
    pub fn walking_to(mut self, class: ClassId, law: ServiceLaw) -> Self {
        self.walks_to.push((class, law));
        self
    }

    /// A server that walks stays where it is while nobody waits whom it serves.
    #[must_use]
    pub fn rests(mut self) -> Self {
        self.rests = true;
        self
    }

    /// Each of its servers works for a time of the first law and is out of order for one of the second, over and over from time 0 on, whether it serves
    /// or not. A group that has fewer servers left than tokens interrupts those that are last in the order of service; they go on once a server of
    /// this group is free, before others.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, ServerGroup, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let old = ServerGroup::new("old", 1).failures("constant:4".parse()?, "constant:3".parse()?);
    /// let mill = Station::new("mill", "constant:5".parse()?).group(old).group(ServerGroup::new("new", 1));
    /// let mill = network.station(mill);
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:2".parse()?, mill).limit(1));
    /// network.route(mill, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // From 2 to 4, and from 7 to 10: the new one serves nobody else's token.
    /// let [old, new] = &run.outcome[0].groups[..] else { unreachable!() };
    /// assert_eq!((old.busy >> 32, new.busy, run.outcome[0].stations.facilities[0].waiting >> 32), (5, 0, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn failures(mut self, up: ServiceLaw, down: ServiceLaw) -> Self {
        self.failures = Some([up, down]);
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

    /// The law of its walks to a class, if it walks there.
    pub(crate) fn walk_to(&self, class: u32) -> Option<&ServiceLaw> {
        let own = self.walks_to.iter().rev().find(|(of, _)| of.0 == class);
        own.map(|(_, law)| law).or(self.walking.as_ref())
    }

    /// How much of the time a server of it is in order.
    pub(crate) fn share_in_order(&self) -> f64 {
        self.failures.as_ref().map_or(1.0, |[up, down]| up.mean() / (up.mean() + down.mean()))
    }

    /// Whether its server walks from class to class, also where nobody waits.
    pub(crate) fn walks(&self) -> bool {
        self.walking.is_some() || !self.walks_to.is_empty()
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

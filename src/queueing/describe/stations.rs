//! The description of a station: discipline, servers, room and the units that tokens hold.

use super::{ClassOfStation, Discipline, Further, Repetition, Routing, Shifts};
use super::{Destination, Station};
use tickless_core::random::ServiceLaw;

impl Station {
    pub(crate) fn further(&mut self) -> &mut Further {
        self.further.get_or_insert_default()
    }

    /// The law of the service times of a class, as it is written.
    pub(crate) fn service_of(&self, class: usize) -> &ServiceLaw {
        let own = self.further.iter().flat_map(|more| &more.classes).filter(|of| of.class.0 as usize == class);
        own.filter_map(|of| of.service.as_ref()).next_back().unwrap_or(&self.service)
    }

    /// The mean service time of a class, in time units.
    pub(crate) fn mean_service_of(&self, class: usize) -> f64 {
        if self.takes_no_time() { 0.0 } else { self.service_of(class).mean() }
    }

    /// Its law is not used: [`Station::without_time`].
    pub(crate) fn taking_no_time(mut self) -> Self {
        self.further().takes_no_time = true;
        self
    }

    pub(crate) fn takes_no_time(&self) -> bool {
        self.further.as_ref().is_some_and(|further| further.takes_no_time)
    }

    /// Which waiting token is served next.
    #[must_use]
    pub fn discipline(mut self, discipline: Discipline) -> Self {
        self.further().discipline = discipline;
        self
    }

    /// A token of a higher priority interrupts a service: of the tokens of the lowest priority that of the last in the order
    /// of service. The rest of the service follows later.
    #[must_use]
    pub fn preemptive(mut self) -> Self {
        self.further().preemptive = true;
        self
    }

    /// Every token is served at once, by a server of its own. The station has no utilization then, but a mean number of busy servers.
    #[must_use]
    pub fn infinite_servers(mut self) -> Self {
        self.servers = 1;
        self.further().infinite = true;
        self
    }

    /// How tokens choose their route from here. With anything but [`Routing::Random`] all routes have probability 1, the
    /// default.
    #[must_use]
    pub fn routing(mut self, routing: Routing) -> Self {
        self.further().routing = routing;
        self
    }

    /// Where it is full, a token that was served at another station stays with its server there until there is room (blocking after
    /// service): the token that has waited longest goes first. Routes that lead here have no delay. Tokens from sources, and tokens
    /// that balk or renege, are lost as without this call.
    #[must_use]
    pub fn blocking(mut self) -> Self {
        self.further().blocks = true;
        self
    }

    /// As [`Station::blocking`], and tokens that wait for each other's room at stations that all exchange change places at once: from
    /// each station the token that was blocked first. Other deadlocks end the run.
    #[must_use]
    pub fn exchanging(mut self) -> Self {
        self.further().blocks = true;
        self.further().exchanges = true;
        self
    }

    /// A token that goes here from another station is served there only while there is room here (blocking before service): its service
    /// begins when there is room, stops when the last place is taken, and goes on when there is room again; its server waits with it. Such
    /// stations route at random, and have neither patience nor shared servers. Tokens from sources, and tokens that balk or renege, are
    /// lost as without this call.
    #[must_use]
    pub fn blocking_before(mut self) -> Self {
        self.further().blocks = true;
        self.further().before = true;
        self
    }

    /// Where it is full, a token that was served at another station is served there once more, at once and by the same server, until
    /// there is room (repetitive service): each repetition counts as a service. Routes that lead here have no delay. Tokens from
    /// sources, and tokens that balk or renege, are lost as without this call.
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
    /// # use tickless_queueing::facade as tickless;
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

    /// The numbers of servers over time. Other figures count the servers of the largest shift, and the utilization is the
    /// scheduled one: busy time by the time of the servers on duty.
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
    /// # use tickless_queueing::facade as tickless;
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
    /// # use tickless_queueing::facade as tickless;
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

    /// Each server fails when it has served for a time of the first law, and is out of order for a time of the second. Its token then waits
    /// for any server; of several that are free and in order the first serves. A blocked server does not wear.
    #[must_use]
    pub fn failures_by_use(mut self, used: ServiceLaw, down: ServiceLaw) -> Self {
        self = self.failures(used, down);
        self.further().by_use = true;
        self
    }

    /// A server without tokens to serve is off. For each waiting token a server that is off, if there is one, sets up for a time of the
    /// law, and then serves the first token, or is off again if none waits any more.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
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

    /// A set-up is called off where more servers set up than tokens wait, since another server has served one, or one has lost its patience:
    /// the one that began last. Without this call it goes on, and the server is off again behind it where nobody waits.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let desk = Station::new("desk", "constant:2".parse()?).servers(2).setup("constant:3".parse()?).setups_called_off();
    /// let desk = network.station(desk);
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:2".parse()?, desk).limit(2));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // From 2 to 5 one server sets up, and from 4 on the other. At 7 the first one is free, and serves both.
    /// assert_eq!((run.outcome[0].absent[0] >> 32, run.outcome[0].sinks[0].sojourn >> 32), (3 + 3, 5 + 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn setups_called_off(mut self) -> Self {
        self.further().calls_off = true;
        self
    }

    /// A server that has nobody to serve stays set up for a time of the law, and is off then (delayed off: Gandhi, Harchol-Balter and Adan 2010). Of
    /// several the one that has been idle for the shortest time serves the next token. Without this call it is off at once.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(40.0);
    /// let desk = Station::new("desk", "constant:1".parse()?).setup("constant:3".parse()?).off_after("constant:6".parse()?);
    /// let desk = network.station(desk);
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:6".parse()?, desk).limit(4));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // From 6 to 9 it sets up. It serves until 10, and is still set up at 12 and at 18; so at 24.
    /// assert_eq!((run.outcome[0].absent[0] >> 32, run.outcome[0].stations.facilities[0].waiting >> 32), (3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn off_after(mut self, law: ServiceLaw) -> Self {
        self.further().off_after = Some(law);
        self
    }

    /// A server without waiting tokens goes away for a time of the law, and again if no token waits when it comes back; at time 0, too.
    #[must_use]
    pub fn vacations(mut self, law: ServiceLaw) -> Self {
        self.further().vacation = Some(law);
        self
    }

    /// A token that has waited this long for its service to begin leaves, for `to` or else out of the network.
    #[must_use]
    pub fn patience(self, law: ServiceLaw, to: Option<Destination>) -> Self {
        self.gives_up(Some(law), to)
    }

    /// The same where perhaps only some classes have a patience.
    pub(crate) fn gives_up(mut self, law: Option<ServiceLaw>, to: Option<Destination>) -> Self {
        self.further().patience = law;
        self.further().reneges_to = to;
        self
    }

    /// With which probability an arrival that finds 0, 1, 2, ... tokens there does not join them, but goes to `to` or else out of
    /// the network; the last probability holds for all larger numbers.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(1000.0);
    /// // No token joins that would have to wait: a loss system.
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

    /// Where those go that find no room here, by its capacity or that of their class. They count as lost here all the same.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::{Network, Station};
    /// let mut network = Network::new();
    /// let other = network.station(Station::new("other", "exponential:9".parse()?));
    /// network.station(Station::new("ward", "exponential:4".parse()?).servers(3).capacity(3).full_to(other));
    /// # Ok::<(), tickless::random::LawError>(())
    /// ```
    #[must_use]
    pub fn full_to(mut self, to: impl Into<Destination>) -> Self {
        self.further().full_to = Some(to.into());
        self
    }

    /// The properties of one class here.
    #[must_use]
    pub fn class(mut self, of_class: ClassOfStation) -> Self {
        self.further().classes.push(of_class);
        self
    }
}

//! Resources: units that tokens hold at stations, or over several of them.

use super::{Network, ResourceId, Shifts, Station};
use tickless_core::random::ServiceLaw;

/// What tokens need some units of beside a server: rooms, beds, tools, or the places of a region of several stations.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Resource, UnitCosts};
/// let costs = UnitCosts { held: 2.0, unit: 1.0 };
/// let room = Network::new().add_resource(Resource::new("room", 3).costs(costs));
/// assert_eq!(room.index(), 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    pub(crate) name: String,
    pub(crate) units: u32,
    pub(crate) stock: Option<u32>,
    pub(crate) shifts: Option<Shifts>,
    /// How long a unit works, and how long it is out of order afterwards.
    pub(crate) failures: Option<[ServiceLaw; 2]>,
    /// Whether tokens of a higher priority take units from others.
    pub(crate) preemptive: bool,
    pub(crate) costs: Option<UnitCosts>,
}

/// What units of a resource cost; below 0 it is a reward. They change nothing of a run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::UnitCosts::default().held, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnitCosts {
    /// Of a unit that a token holds, or that is on hand of a stock, a time unit.
    pub held: f64,
    /// Of a unit that there is by the shifts, whether it is held or not, a time unit.
    pub unit: f64,
}

impl Resource {
    /// A resource of so many units, 1 or more, which stations seize and release.
    pub fn new(name: impl Into<String>, units: u32) -> Self {
        Self { name: name.into(), units, stock: None, shifts: None, failures: None, preemptive: false, costs: None }
    }

    /// So many of its units are there at time 0, of what stations use up ([`Station::uses`]) and deliver ([`Station::delivers`]); there is room for
    /// all units. Without this call all are there.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Resource, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(100.0);
    /// let steel = network.add_resource(Resource::new("steel", 10).stock(3));
    /// let forge = network.station(Station::new("forge", "constant:1".parse()?).uses(steel, 2));
    /// let dock = network.station(Station::new("dock", "constant:1".parse()?).delivers(steel, 8));
    /// let out = network.sink("out");
    /// network.source(Source::new("jobs", "constant:2".parse()?, forge));
    /// network.source(Source::new("trucks", "constant:40".parse()?, dock));
    /// network.route(forge, out, 1.0, 0.0);
    /// network.route(dock, out, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // One job of the stock, and four of each of two trucks: there is room for all that they bring.
    /// assert_eq!((run.outcome[0].sinks[0].tokens, run.outcome[0].resources[0].grants), (1 + 4 + 4 + 2, 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stock(mut self, units: u32) -> Self {
        self.stock = Some(units);
        self
    }

    /// How many of its units are there over time, at most all. A token that holds a unit at the end of a shift keeps it: units that come back are given
    /// to nobody while more are held than are there. The utilization is by the units of the shifts.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Resource, Shifts, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// // One nurse, who comes at 8.
    /// let nurse = network.add_resource(Resource::new("nurse", 1).shifts(Shifts::new(vec![(0.0, 0), (8.0, 1)])));
    /// let ward = Station::new("ward", "constant:2".parse()?).infinite_servers().seizes(nurse, 1).releases(nurse, 1);
    /// let ward = network.station(ward);
    /// let out = network.sink("out");
    /// network.source(Source::new("in", "constant:3".parse()?, ward).limit(2));
    /// network.route(ward, out, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // They come at 3 and 6, and the nurse is there for them at 8 and 10.
    /// assert_eq!(run.outcome[0].stations.facilities[0].waiting >> 32, 5 + 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shifts(mut self, shifts: Shifts) -> Self {
        self.shifts = Some(shifts);
        self
    }

    /// Each unit is in order for a time of the first law, whether a token holds it or not, and then out of order for a time of the second. A token that
    /// holds a unit keeps it, as at the end of a shift.
    #[must_use]
    pub fn failures(mut self, up: ServiceLaw, down: ServiceLaw) -> Self {
        self.failures = Some([up, down]);
        self
    }

    /// A token that waits for units takes them from tokens of lower priorities that are served by stations which seize such units: of the lowest priority,
    /// from who came to its station last; and where no server of its own station is free, it takes that of the last one in service there. Who loses
    /// its units or its server loses all that its station seizes; it waits for these again, and goes on with what is left of its service. Units that
    /// a token holds elsewhere, waits with, or is blocked with stay its own. Stations that seize such units do so at the service, without alternatives.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Class, Network, Resource, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(20.0);
    /// let [urgent, other] = [("urgent", 1), ("other", 2)].map(|(name, rank)| network.class(Class::new(name).priority(rank)));
    /// let surgeon = network.add_resource(Resource::new("surgeon", 1).preemptive());
    /// let rooms = ["first", "second"].map(|name| Station::new(name, "constant:5".parse().unwrap()));
    /// let rooms = rooms.map(|room| network.station(room.seizes(surgeon, 1).releases(surgeon, 1)));
    /// let out = network.sink("out");
    /// network.source(Source::new("a", "constant:2".parse()?, rooms[0]).class(other).limit(1));
    /// network.source(Source::new("b", "constant:4".parse()?, rooms[1]).class(urgent).limit(1));
    /// rooms.iter().for_each(|room| { network.route(*room, out, 1.0, 0.0); });
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // The surgeon leaves the first room at 4, is in the second until 9, and in the first again until 12.
    /// let sojourns: Vec<u128> = run.outcome[0].class_sinks.iter().map(|sink| sink.sojourn >> 32).collect();
    /// assert_eq!(sojourns, [5, 10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn preemptive(mut self) -> Self {
        self.preemptive = true;
        self
    }

    /// What its units cost.
    #[must_use]
    pub fn costs(mut self, costs: UnitCosts) -> Self {
        self.costs = Some(costs);
        self
    }
}

impl Network {
    /// Adds a resource of so many units, 1 or more, which stations seize and release.
    ///
    /// # Panics
    /// At 2³² resources, which no memory holds.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Station}, run::unwatched};
    /// let mut network = Network::new().until(100.0);
    /// let room = network.resource("room", 2);
    /// // Three doctors, and two rooms: the third one has nothing to do.
    /// let consult = Station::new("consult", "constant:1".parse()?).servers(3).tokens(5);
    /// let consult = network.station(consult.seizes(room, 1).releases(room, 1));
    /// network.route(consult, consult, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!(run.outcome[0].stations.facilities[0].busy, 200 << 32);
    /// assert_eq!(run.outcome[0].resources[room.index() as usize].held, 200 << 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resource(&mut self, name: impl Into<String>, units: u32) -> ResourceId {
        self.add_resource(Resource::new(name, units))
    }

    /// Adds a resource with all that is said of it.
    ///
    /// # Panics
    /// At 2³² resources, which no memory holds.
    pub fn add_resource(&mut self, resource: Resource) -> ResourceId {
        self.resources.push(resource);
        ResourceId(u32::try_from(self.resources.len() - 1).expect("fewer than 2^32 resources"), self.giver)
    }
}

impl Station {
    /// A token takes so many units of a resource when its first service here begins, together with its server: it waits until both are
    /// there, and keeps the units until a station releases them or it leaves the network.
    #[must_use]
    pub fn seizes(mut self, resource: ResourceId, units: u32) -> Self {
        self.further().seizes.push((resource, units));
        self
    }

    /// An alternative to what [`Station::seizes`] names. A token takes the first alternative of which all units are free. A station that
    /// releases a resource releases what the token holds of it.
    #[must_use]
    pub fn or_seizes(mut self, needs: impl IntoIterator<Item = (ResourceId, u32)>) -> Self {
        self.further().or_seizes.push(needs.into_iter().collect());
        self
    }

    /// A token uses up so many units of a resource when its first service here begins: nobody gives them back. It waits until they are there,
    /// as for units that it seizes.
    #[must_use]
    pub fn uses(mut self, resource: ResourceId, units: u32) -> Self {
        self.further().uses.push((resource, units));
        self
    }

    /// A token that has been served adds so many units to a resource when it leaves, as far as there is room for them ([`Resource::new`]).
    #[must_use]
    pub fn delivers(mut self, resource: ResourceId, units: u32) -> Self {
        self.further().delivers.push((resource, units));
        self
    }

    /// What the station seizes it seizes before a token joins the line for the servers: the first station of a region of limited
    /// capacity.
    #[must_use]
    pub fn seizes_at_arrival(mut self) -> Self {
        self.further().seizes_early = true;
        self
    }

    /// A token that has been served gives back so many units of a resource when it leaves, or as many of these as it holds.
    #[must_use]
    pub fn releases(mut self, resource: ResourceId, units: u32) -> Self {
        self.further().releases.push((resource, units));
        self
    }
}

//! Resources: units that tokens hold at one station or over several stations.

use super::description::Further;
use super::rules::{Need, ResourceRules, Rules};
use crate::costs::check_range;
use crate::description::{Network, Station};
use crate::error::NetworkError;
use crate::{NetworkModel, NetworkOutcome};
use tickless_core::time::Time;

/// A resource of a [`Network`](crate::Network), by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub(crate) u32);

impl ResourceId {
    /// Its place, from 0 on.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A resource has units that tokens need beside a server: rooms, beds, tools, or the places of a region of several
/// stations.
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
    name: String,
    units: u32,
    pub(crate) costs: Option<UnitCosts>,
}

/// The costs of a resource's units; a cost below 0 is a reward. They change nothing in a run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::UnitCosts::default().held, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnitCosts {
    /// For each unit that a token holds, a time unit.
    pub held: f64,
    /// For each unit, held or not, a time unit.
    pub unit: f64,
}

impl Resource {
    /// A resource of so many units, 1 or more, which stations seize and release.
    pub fn new(name: impl Into<String>, units: u32) -> Self {
        Self { name: name.into(), units, costs: None }
    }

    /// The costs of its units.
    #[must_use]
    pub fn costs(mut self, costs: UnitCosts) -> Self {
        self.costs = Some(costs);
        self
    }
}

/// The record of a resource between the end of the warm-up and the end of the run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ResourceRecord::default().grants, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceRecord {
    /// How often a token took units.
    pub grants: u64,
    /// The units that tokens hold at the end.
    pub in_use: u64,
    /// The time integral of the units that tokens hold, in ticks: 128 bits, since units are many.
    pub held: u128,
}

impl ResourceRecord {
    /// Words of a record.
    pub(crate) const WORDS: usize = 4;

    /// Its words, with their names.
    pub(crate) fn words(&self) -> [u64; Self::WORDS] {
        [self.grants, self.in_use, self.held as u64, (self.held >> 64) as u64]
    }

    pub(crate) fn named(&self, place: &str) -> [(String, u64); Self::WORDS] {
        let fields = ["grants", "in_use", "held", "held (high)"].into_iter().zip(self.words());
        let mut fields = fields.map(|(field, value)| (format!("{place}.{field}"), value));
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    }

    /// The record with these words.
    pub(crate) fn of([grants, in_use, low, high]: [u64; Self::WORDS]) -> Self {
        Self { grants, in_use, held: u128::from(high) << 64 | u128::from(low) }
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

    /// Adds a resource with its costs.
    ///
    /// # Panics
    /// At 2³² resources, which no memory holds.
    pub fn add_resource(&mut self, resource: Resource) -> ResourceId {
        self.resources.push(resource);
        ResourceId(u32::try_from(self.resources.len() - 1).expect("fewer than 2^32 resources"))
    }
}

impl Station {
    /// A token takes this many units of a resource when its first service here begins, together with its server: it waits until both
    /// are free, and keeps the units until a station releases them or it leaves the network.
    #[must_use]
    pub fn seizes(mut self, resource: ResourceId, units: u32) -> Self {
        self.further().seizes.push((resource.0, units));
        self
    }

    /// A token takes the units that the station seizes before it joins the line for the servers: the first station of a region
    /// of limited capacity.
    #[must_use]
    pub fn seizes_at_arrival(mut self) -> Self {
        self.further().seizes_early = true;
        self
    }

    /// A token that has been served gives back this many units of a resource when it leaves, or all that it holds if these
    /// are fewer.
    #[must_use]
    pub fn releases(mut self, resource: ResourceId, units: u32) -> Self {
        self.further().releases.push((resource.0, units));
        self
    }
}

fn of_resource(name: &str, parameter: &'static str, value: u32, allowed: impl Into<String>) -> NetworkError {
    let (name, value, allowed) = (name.to_owned(), value.to_string(), allowed.into());
    NetworkError::Parameter { kind: "resource", name, parameter, value, allowed }
}

/// The resources, with the stations that seize them.
///
/// # Errors
/// A repeated name, no units, costs that are no numbers, a resource that no station seizes.
pub(super) fn resources(network: &Network) -> Result<Vec<ResourceRules>, NetworkError> {
    let mut all: Vec<ResourceRules> = vec![];
    for Resource { name, units, costs } in &network.resources {
        if all.iter().any(|other| other.name == *name) {
            return Err(NetworkError::Name { name: name.clone() });
        }
        if *units == 0 {
            return Err(of_resource(name, "the number of units", 0, "1 or more"));
        }
        let of_units = |UnitCosts { held, unit }: &UnitCosts| {
            [("the cost of a unit that is held", *held), ("the cost of a unit", *unit)]
        };
        check_range(("resource", name), costs.iter().flat_map(of_units))?;
        all.push(ResourceRules { name: name.clone(), units: *units });
    }
    for (place, resource) in all.iter().enumerate() {
        let seizes = |station: &Station| {
            station.further.iter().flat_map(|more| &more.seizes).any(|(of, _)| *of as usize == place)
        };
        if !network.stations.iter().any(seizes) {
            let allowed = "1 or more: leave the resource out, or have a station seize it";
            return Err(of_resource(&resource.name, "the number of stations that seize it", 0, allowed));
        }
    }
    Ok(all)
}

/// The units that a station seizes or releases, each resource once.
///
/// # Errors
/// An unknown resource, no units, or more units than the resource has.
pub(super) fn needs(
    (network, station): (&Network, &Station),
    parameter: &'static str,
    listed: &[(u32, u32)],
) -> Result<Vec<Need>, NetworkError> {
    let mut needs: Vec<Need> = vec![];
    for &(of, units) in listed {
        let fail = |value: u64, allowed: String| {
            let (name, value) = (station.name.clone(), value.to_string());
            Err(NetworkError::Parameter { kind: "station", name, parameter, value, allowed })
        };
        let Some(resource) = network.resources.get(of as usize) else {
            return Err(NetworkError::NoResource { resource: of, resources: network.resources.len() });
        };
        let before = needs.iter().find(|need| need.resource == of).map_or(0, |need| u64::from(need.units));
        let all = before + u64::from(units);
        if units == 0 || all > u64::from(resource.units) {
            return fail(all, format!("from 1 to {}, the units of resource '{}'", resource.units, resource.name));
        }
        needs.retain(|need| need.resource != of);
        needs.push(Need { resource: of, units: all as u32 });
    }
    needs.sort_by_key(|need| need.resource);
    Ok(needs)
}

/// A property of a station that excludes seizing: the key, its value and the allowed values.
pub(super) fn refused(further: &Further) -> Option<(&'static str, String, &'static str)> {
    use super::Discipline;
    let Further { discipline, preemptive, seizes, seizes_early, .. } = further;
    if seizes.is_empty() {
        let allowed = "left out, as the station seizes nothing";
        return seizes_early.then_some(("when it seizes", "at the arrival".to_owned(), allowed));
    }
    let interrupts = *preemptive || *discipline == Discipline::LastComePreemptive;
    match discipline {
        Discipline::Sharing if !seizes_early => {
            let allowed = "at the arrival (seizes_at), as with ps who has joined the line is served";
            Some(("when it seizes", "at the service".into(), allowed))
        }
        _ if interrupts && !seizes_early => {
            let allowed = "at the arrival (seizes_at), as who interrupts a service has its units by then";
            Some(("when it seizes", "at the service".into(), allowed))
        }
        _ => None,
    }
}

impl Rules {
    /// Whether tokens hold units of any resource.
    pub(crate) fn has_resources(&self) -> bool {
        !self.resources.is_empty()
    }
}

impl NetworkModel {
    /// The costs of a resource's units in one replication.
    pub(crate) fn cost_of_resource(&self, id: u32, outcome: &NetworkOutcome) -> f64 {
        let Resource { units, costs, .. } = &self.description.resources[id as usize];
        let UnitCosts { held, unit } = costs.unwrap_or_default();
        let in_units = outcome.resources[id as usize].held as f64 / Time::UNIT.ticks() as f64;
        held * in_units + unit * f64::from(*units) * outcome.stations.measured()
    }
}

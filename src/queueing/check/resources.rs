//! What makes rules of resources and of what stations take of them.

use super::costs::check_range;
use super::rules::{law_of, parameter};
use crate::describe::{Discipline, Further, Network, Resource, ResourceId, ShiftSchedule, Station, UnitCosts};
use crate::error::NetworkError;
use crate::model::{Need, ResourceRules, Rules, StationRules};
use tickless_core::number::Written;
use tickless_core::random::{EffectiveLaw, ServiceLaw};

/// The most units of a resource where some units come and go: what is free may be below 0, in 32 bits.
const MOST_BESIDE_CHANGES: u32 = u32::MAX >> 1;
/// The most units that fail, each for itself.
const MOST_FAILING: u64 = 1 << 20;

/// Why nobody would interrupt anybody.
pub(super) const ONE_PRIORITY: &str = "left out, as only a higher priority interrupts, and here all have the same";

fn of_resource(name: &str, parameter: &'static str, value: impl ToString, allowed: impl Into<String>) -> NetworkError {
    let (name, value, allowed) = (name.to_owned(), value.to_string(), allowed.into());
    NetworkError::Parameter { kind: "resource", name, parameter, value, allowed }
}

/// The resources, with the stations that seize them; and what is wrong with them.
///
/// # Errors
/// A name that is there twice, no units, costs that are no numbers, nobody who seizes them.
pub(super) fn resources(network: &Network) -> Result<Vec<ResourceRules>, NetworkError> {
    let mut all: Vec<ResourceRules> = vec![];
    for resource in &network.resources {
        let Resource { name, units, stock, costs, .. } = resource;
        if all.iter().any(|other| other.name == *name) {
            return Err(NetworkError::Name { name: name.clone() });
        }
        let shift_schedule = shifts(resource)?;
        if *units == 0 {
            return Err(of_resource(name, "the number of units", 0, "1 or more"));
        }
        if let Some(stock) = stock.filter(|stock| stock > units) {
            let allowed = format!("from 0 to {units}, the units of the resource");
            return Err(of_resource(name, "the stock", stock, allowed));
        }
        let of_units = |UnitCosts { held, unit }: &UnitCosts| {
            [("the cost of a unit that is held", *held), ("the cost of a unit", *unit)]
        };
        check_range(("resource", name), costs.iter().flat_map(of_units))?;
        let place = all.len();
        let is_delivered = names(network, place, |station| &station.delivers);
        let stock = stock.unwrap_or(*units);
        let is_stock = is_delivered || names(network, place, |station| &station.uses);
        let takes = |station: &Station| {
            station.further.iter().flat_map(|more| more.taken()).any(|(of, _)| of.0 as usize == place)
        };
        all.push(ResourceRules {
            name: name.clone(),
            units: *units,
            stock,
            is_stock,
            is_delivered,
            shift_schedule,
            preemptive: resource.preemptive,
            failures: failures(resource)?,
            keeper: network.stations.iter().position(takes).map_or(u32::MAX, |keeper| keeper as u32),
        });
    }
    check_changes(&all)?;
    for (place, resource) in all.iter().enumerate() {
        if resource.keeper == u32::MAX {
            let allowed = "1 or more: leave the resource out, or have a station seize it or use it up";
            return Err(of_resource(&resource.name, "the number of stations that seize it", 0, allowed));
        }
        if resource.is_stock && holds(network, place) {
            let allowed = "0, as others seize or release it: units are either held or used up";
            let uses = |more: &Further| more.uses.iter().chain(&more.delivers).any(|(of, _)| of.0 as usize == place);
            let count =
                network.stations.iter().filter_map(|station| station.further.as_deref()).filter(|more| uses(more));
            let what = "the number of stations that use it up or deliver it";
            return Err(of_resource(&resource.name, what, count.count() as u32, allowed));
        }
        let of_held = [
            ("the law of failures", resource.failures.is_some()),
            ("the shifts", resource.shift_schedule.is_some()),
            ("whether it is preemptive", resource.preemptive),
        ];
        if let Some((what, _)) = of_held.into_iter().find(|(_, is_there)| resource.is_stock && *is_there) {
            return Err(of_resource(&resource.name, what, "given", "left out, as units are used up, and not held"));
        }
        if resource.preemptive && network.has_one_priority() {
            return Err(of_resource(&resource.name, "whether it is preemptive", true, ONE_PRIORITY));
        }
        if !resource.is_stock && network.resources[place].stock.is_some() {
            let allowed = "left out, as no station uses the resource up";
            return Err(of_resource(&resource.name, "the stock", resource.stock, allowed));
        }
    }
    Ok(all)
}

/// The shifts of a resource.
///
/// # Errors
/// Times that are out of order, and more units than there are.
fn shifts(resource: &Resource) -> Result<Option<ShiftSchedule>, NetworkError> {
    let Some(shifts) = &resource.shifts else { return Ok(None) };
    let fail = |parameter, value: String, allowed: String| {
        Err(NetworkError::Parameter { kind: "resource", name: resource.name.clone(), parameter, value, allowed })
    };
    if let Some((what, value, allowed)) = shifts.fault() {
        let what =
            if what == "the number of servers in every shift" { "the number of units in every shift" } else { what };
        return fail(what, Written(value).to_string(), allowed.to_owned());
    }
    if shifts.interrupts {
        let allowed = "to let tokens keep what they hold, as units are given back by stations alone";
        return fail("what the ends of shifts do", "interrupt".to_owned(), allowed.to_owned());
    }
    if shifts.most() > resource.units {
        let allowed = format!("{} or less, the units of the resource", resource.units);
        return fail("the number of units in a shift", shifts.most().to_string(), allowed);
    }
    Ok(Some(ShiftSchedule::new(shifts)))
}

/// How long units of a resource are in order, and out of it.
///
/// # Errors
/// Laws that are out of range.
fn failures(resource: &Resource) -> Result<Option<[EffectiveLaw; 2]>, NetworkError> {
    let Some([up, down]) = &resource.failures else { return Ok(None) };
    let effective = |law: &ServiceLaw| law_of(("resource", &resource.name), "failures", law);
    Ok(Some([effective(up)?, effective(down)?]))
}

/// Whether there is room for what happens to units, and for how many are free.
fn check_changes(all: &[ResourceRules]) -> Result<(), NetworkError> {
    if !all.iter().any(ResourceRules::changes) {
        return Ok(());
    }
    if let Some(resource) = all.iter().find(|resource| resource.units > MOST_BESIDE_CHANGES) {
        let allowed = format!("{MOST_BESIDE_CHANGES} or less, as units of some resource have shifts or fail");
        return Err(of_resource(&resource.name, "the number of units", resource.units, allowed));
    }
    let mut units: u64 = 0;
    for resource in all {
        units += u64::from(resource.failing_units());
        if units > MOST_FAILING {
            let allowed = format!("{MOST_FAILING} or less, together with those of resources before it");
            return Err(of_resource(&resource.name, "the number of units that fail", resource.units, allowed));
        }
    }
    Ok(())
}

/// Whether a list of some station names a resource.
fn names(network: &Network, place: usize, list: fn(&Further) -> &[(ResourceId, u32)]) -> bool {
    let further = network.stations.iter().filter_map(|station| station.further.as_deref());
    further.flat_map(list).any(|(of, _)| of.0 as usize == place)
}

/// Whether tokens hold units of a resource.
fn holds(network: &Network, place: usize) -> bool {
    let mut further = network.stations.iter().filter_map(|station| station.further.as_deref());
    let alternatives = |more: &Further| more.or_seizes.iter().flatten().any(|(of, _)| of.0 as usize == place);
    names(network, place, |more| &more.seizes)
        || names(network, place, |more| &more.releases)
        || further.any(alternatives)
}

/// What a token takes at a station.
pub(super) struct Taken {
    /// Of all alternatives, with what is used up, in the order of the resources.
    pub(super) all: Vec<Need>,
    /// Empty where all is taken, and held.
    pub(super) alternatives: Vec<Vec<Need>>,
    pub(super) uses: Vec<Need>,
}

/// What a token takes at a station.
///
/// # Errors
/// No units or more than there are.
pub(super) fn takes((network, station): (&Network, &Station), further: &Further) -> Result<Taken, NetworkError> {
    const SEIZED: &str = "a number of units that it seizes";
    let of = |listed| needs((network, station), SEIZED, listed);
    let uses = needs((network, station), "a number of units that it uses up", &further.uses)?;
    let mut alternatives = vec![of(&further.seizes)?];
    for listed in &further.or_seizes {
        alternatives.push(of(listed)?);
    }
    let is_nothing = |needs: &Vec<Need>| needs.is_empty() && alternatives.len() > 1;
    if let Some(place) = alternatives.iter().position(is_nothing) {
        let allowed = "1 or more of some resource: without units nobody would wait";
        return Err(parameter(&station.name, SEIZED, format!("0 in the alternative {}", place + 1), allowed));
    }
    let mut all: Vec<Need> = alternatives.iter().flatten().chain(&uses).copied().collect();
    all.sort_by_key(|need| need.resource);
    if alternatives.len() == 1 && uses.is_empty() {
        alternatives.clear();
    }
    Ok(Taken { all, alternatives, uses })
}

/// What a station seizes or releases, each resource once.
///
/// # Errors
/// No units or more than there are.
pub(super) fn needs(
    (network, station): (&Network, &Station),
    parameter: &'static str,
    listed: &[(ResourceId, u32)],
) -> Result<Vec<Need>, NetworkError> {
    let mut needs: Vec<Need> = vec![];
    for &(ResourceId(of, _), units) in listed {
        let fail = |value: u64, allowed: String| {
            let (name, value) = (station.name.clone(), value.to_string());
            Err(NetworkError::Parameter { kind: "station", name, parameter, value, allowed })
        };
        let resource = &network.resources[of as usize];
        let before = needs.iter().find(|need| need.resource == of).map_or(0, |need| u64::from(need.units));
        let all = before + u64::from(units);
        let (most, what) = match &resource.shifts {
            Some(shifts) => (shifts.most().min(resource.units), "the most units of a shift"),
            None => (resource.units, "the units"),
        };
        if units == 0 || all > u64::from(most) {
            return fail(all, format!("from 1 to {most}, {what} of resource '{}'", resource.name));
        }
        needs.retain(|need| need.resource != of);
        needs.push(Need { resource: of, units: all as u32 });
    }
    needs.sort_by_key(|need| need.resource);
    Ok(needs)
}

impl Rules {
    /// Whether tokens that begin services that stop for want of room give back what they have taken.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with the station.
    pub(super) fn check_units(&self, network: &Network) -> Result<(), NetworkError> {
        let stops = |station: &&StationRules| station.stops && !station.alternatives.is_empty();
        let Some(place) = self.stations.iter().position(|station| stops(&station)) else { return Ok(()) };
        let allowed = "what it seizes and no other, as its services stop where there is no room behind them";
        Err(parameter(
            &network.stations[place].name,
            "what the station takes",
            "given by alternatives, or used up",
            allowed,
        ))
    }
}

/// Whether some of what a token takes at a station may be taken from it.
pub(super) fn loses_units(network: &Network, taken: &Taken) -> bool {
    taken.all.iter().any(|need| network.resources[need.resource as usize].preemptive)
}

/// What does not go with seizing at a station: the key, its value and what is allowed.
pub(super) fn refused(network: &Network, further: &Further) -> Option<(&'static str, String, &'static str)> {
    let Further { discipline, seizes, or_seizes, uses, seizes_early, speeds, .. } = further;
    if seizes.is_empty() && uses.is_empty() {
        let allowed = "left out, as the station seizes nothing";
        return seizes_early.then_some(("when it seizes", "at the arrival".to_owned(), allowed));
    }
    if *seizes_early && !(or_seizes.is_empty() && uses.is_empty()) {
        let allowed = "at the service, as it uses units up, or seizes others in their place";
        return Some(("when it seizes", "at the arrival".into(), allowed));
    }
    let is_preemptive = further.taken().any(|(of, _)| network.resources[of.0 as usize].preemptive);
    if *discipline == Discipline::Sharing && is_preemptive {
        let allowed = "another one, as it seizes units of a preemptive resource";
        return Some(("the discipline", "ps".into(), allowed));
    }
    if *discipline == Discipline::Sharing && !seizes_early {
        let allowed = "at the arrival (seizes_at), as with ps who has joined the line is served";
        return Some(("when it seizes", "at the service".into(), allowed));
    }
    if !is_preemptive {
        return None;
    }
    if *seizes_early {
        let allowed = "at the service, as units of a preemptive resource are taken from who is in service";
        return Some(("when it seizes", "at the arrival".into(), allowed));
    }
    if !(or_seizes.is_empty() && uses.is_empty()) {
        let allowed = "what it seizes and no other, as it seizes units of a preemptive resource";
        return Some(("what the station takes", "given by alternatives, or used up".into(), allowed));
    }
    let allowed = "left out, as it seizes units of a preemptive resource";
    (!speeds.is_empty()).then(|| ("the list of speeds", "given".into(), allowed))
}

//! What makes rules of resources and of what stations take of them.

use super::costs::check_range;
use crate::describe::{Discipline, Further, Network, Resource, ResourceId, Station, UnitCosts};
use crate::error::NetworkError;
use crate::model::{Need, ResourceRules};

fn of_resource(name: &str, parameter: &'static str, value: u32, allowed: impl Into<String>) -> NetworkError {
    let (name, value, allowed) = (name.to_owned(), value.to_string(), allowed.into());
    NetworkError::Parameter { kind: "resource", name, parameter, value, allowed }
}

/// The resources, with the stations that seize them; and what is wrong with them.
///
/// # Errors
/// A name that is there twice, no units, costs that are no numbers, nobody who seizes them.
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
            station.further.iter().flat_map(|more| &more.seizes).any(|(of, _)| of.0 as usize == place)
        };
        if !network.stations.iter().any(seizes) {
            let allowed = "1 or more: leave the resource out, or have a station seize it";
            return Err(of_resource(&resource.name, "the number of stations that seize it", 0, allowed));
        }
    }
    Ok(all)
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
        if units == 0 || all > u64::from(resource.units) {
            return fail(all, format!("from 1 to {}, the units of resource '{}'", resource.units, resource.name));
        }
        needs.retain(|need| need.resource != of);
        needs.push(Need { resource: of, units: all as u32 });
    }
    needs.sort_by_key(|need| need.resource);
    Ok(needs)
}

/// What does not go with seizing at a station: the key, its value and what is allowed.
pub(super) fn refused(further: &Further) -> Option<(&'static str, String, &'static str)> {
    let Further { discipline, preemptive, seizes, seizes_early, .. } = further;
    if seizes.is_empty() {
        let allowed = "left out, as the station seizes nothing";
        return seizes_early.then_some(("when it seizes", "at the arrival".to_owned(), allowed));
    }
    let interrupts = *preemptive || discipline.is_preemptive();
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

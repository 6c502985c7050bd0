//! Checks of the routes of a station beside their probabilities.

use super::rules::{parameter, target};
use crate::describe::Order;
use crate::describe::{Destination, Further, NO_CLASS, Network, Route, Routing, Station};
use crate::error::NetworkError;
use crate::model::Rules;
use tickless_core::number::Written;

/// A property that excludes the routing of a station, or its blocking.
pub(super) fn check_ways(
    network: &Network,
    rules: &Rules,
    station: u32,
    routes: &[&Route],
) -> Result<(), NetworkError> {
    let name = &network.stations[station as usize].name;
    let fail = |parameter, value: String, allowed: &str| {
        let (name, allowed) = (name.clone(), allowed.to_owned());
        Err(NetworkError::Parameter { kind: "route from station", name, parameter, value, allowed })
    };
    let routing = rules.stations[station as usize].routing;
    for route in routes {
        if routing != Routing::Random && route.probability != 1.0 {
            let allowed = format!("left out, as routing {routing} chooses");
            return fail("the probability", Written(route.probability).to_string(), &allowed);
        }
        let to = match route.to {
            Destination::Station(to) => &rules.stations[to.0 as usize],
            Destination::Sink(sink) if routing.counts() => {
                let sink = format!("sink '{}'", network.sinks[sink.0 as usize].name);
                return fail("the destination", sink, "a station, as routing counts who is there");
            }
            Destination::Sink(_) => continue,
        };
        if to.blocks && rules.stations[station as usize].splits_tokens() {
            let name = format!("station '{}'", network.stations[target(network, Some(route.to)) as usize].name);
            return fail("the destination", name, "a station that does not block, as copies go at once");
        }
        let changes = route.becomes.0 != NO_CLASS && route.becomes != route.class;
        if to.before && (changes || Destination::from(route.from) != route.to) {
            let further = network.stations[station as usize].further.as_deref();
            let of_few = [
                ("the routing is of another kind than random", routing != Routing::Random),
                ("it has patience", further.is_some_and(Further::is_impatient)),
                ("its servers are shared", rules.stations[station as usize].order == Order::Sharing),
            ];
            if let Some((what, _)) = of_few.into_iter().find(|(_, is_there)| *is_there) {
                let name = format!("station '{}'", network.stations[target(network, Some(route.to)) as usize].name);
                let allowed = format!("one that does not block before the service, as {what}");
                return fail("the destination", name, &allowed);
            }
        }
        if to.blocks && route.delay != 0.0 {
            let allowed = "0, as who is blocked waits for room where it is";
            return fail("the transit delay", Written(route.delay).to_string(), allowed);
        }
    }
    Ok(())
}

/// Whether the routes of a class from a station have the values that an attribute needs, where it decides.
///
/// # Errors
/// A value that is out of range or in no order, or one without an attribute.
pub(super) fn check_values(network: &Network, station: u32, routes: &[&Route]) -> Result<(), NetworkError> {
    let of_station = &network.stations[station as usize];
    let fail = |parameter, value: String, allowed: &str| {
        let (name, allowed) = (of_station.name.clone(), allowed.to_owned());
        Err(NetworkError::Parameter { kind: "route from station", name, parameter, value, allowed })
    };
    const WHAT: &str = "the value up to which a route is taken";
    let further = of_station.further.as_deref();
    let by_attribute = further.is_some_and(|more| more.routing == Routing::ByAttribute);
    let values: Vec<_> = routes.iter().map(|route| route.up_to).collect();
    let Some((last, others)) = values.split_last().filter(|_| by_attribute) else {
        let given = values.iter().flatten().next().filter(|_| !by_attribute);
        let allowed = "left out, as the routing is another one than by-attribute";
        return given.map_or(Ok(()), |value| fail(WHAT, Written(*value).to_string(), allowed));
    };
    if let Some(value) = last {
        let allowed = "left out, as it is the last one: tokens with more take it";
        return fail(WHAT, Written(*value).to_string(), allowed);
    }
    let mut before = 0.0;
    for value in others {
        let Some(value) = value else { return fail(WHAT, "left out".into(), "given for all routes but the last") };
        if !(*value > 0.0 && *value < 1_073_741_824.0) {
            return fail(WHAT, Written(*value).to_string(), "above 0 and below 2^30 time units");
        }
        if *value <= before {
            return fail(WHAT, Written(*value).to_string(), "more than that of the route before it");
        }
        before = *value;
    }
    Ok(())
}

/// Whether the routing of a station and the attribute by which it routes go together.
///
/// # Errors
/// One without the other.
pub(super) fn check_route_by(station: &Station, further: &Further) -> Result<(), NetworkError> {
    let fail = |value, allowed| Err(parameter(&station.name, "the attribute by which it routes", value, allowed));
    match (further.routing == Routing::ByAttribute, further.route_by.is_some()) {
        (true, false) => fail("left out", "an attribute (`route_by`), as the routing is by-attribute"),
        (false, true) => fail("given", "left out, as the routing is another one than by-attribute"),
        _ => Ok(()),
    }
}

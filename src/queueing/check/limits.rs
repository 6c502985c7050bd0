//! Checks of room, speeds and weights at a station.

use super::rules::{parameter, tokens_of};
use crate::describe::{DRAWS, Discipline, Further, Network, Station};
use crate::error::NetworkError;
use crate::model::WEIGHT;
use tickless_core::number::Written;

/// Checks the room for tokens of each class.
pub(super) fn check_rooms(station: &Station, further: &Further) -> Result<(), NetworkError> {
    for of in &further.classes {
        let Some(capacity) = of.capacity else { continue };
        if capacity == 0 {
            return Err(parameter(&station.name, "the capacity of a class", capacity, "1 or more"));
        }
        if further.exchanges {
            let allowed = "left out, as tokens that change places take each other's, whatever their classes";
            return Err(parameter(&station.name, "the capacity of a class", capacity, allowed));
        }
        let tokens = tokens_of(station, of.class.0);
        if tokens > capacity {
            let allowed = format!("at most the capacity of their class, {capacity}");
            return Err(parameter(&station.name, "the number of tokens at time 0", tokens, &allowed));
        }
    }
    Ok(())
}

/// The speeds of a station in units of 2⁻³².
pub(super) fn speeds(station: &Station, further: &Further) -> Result<Vec<u64>, NetworkError> {
    let allowed = |speed: &f64| *speed == 0.0 || (1.0 / 65_536.0..=65_536.0).contains(speed);
    if let Some(speed) = further.speeds.iter().find(|speed| !allowed(speed)) {
        return Err(parameter(&station.name, "a speed", Written(*speed), "0, or from 2^-16 to 2^16"));
    }
    if let Some(last) = further.speeds.last().filter(|last| **last == 0.0) {
        return Err(parameter(&station.name, "the last speed", Written(*last), "above 0, as it holds from there on"));
    }
    Ok(further.speeds.iter().map(|speed| (speed * DRAWS).round() as u64).collect())
}

/// The weights of the classes at a station, in units of 1 / [`WEIGHT`].
pub(super) fn weights(network: &Network, station: &Station, further: &Further) -> Result<Vec<u64>, NetworkError> {
    let own = || further.classes.iter().filter_map(|of| Some((of.class.0 as usize, of.weight?)));
    let Some((_, first)) = own().next() else { return Ok(vec![]) };
    let unit = WEIGHT as f64;
    let fail = |weight: f64, allowed: &str| Err(parameter(&station.name, "a weight", Written(weight), allowed));
    if further.discipline != Discipline::Sharing {
        let allowed = format!("left out, as the discipline is {} and only ps has weights", further.discipline.name());
        return fail(first, &allowed);
    }
    if station.servers != 1 {
        return Err(parameter(&station.name, "the number of servers", station.servers, "1, as it shares by weights"));
    }
    let mut weights = vec![WEIGHT; network.classes.len().max(1)];
    for (class, weight) in own() {
        if !(1.0 / unit..=unit).contains(&weight) {
            return fail(weight, "from 2^-10 to 2^10");
        }
        weights[class] = (weight * unit).round() as u64;
    }
    Ok(weights)
}

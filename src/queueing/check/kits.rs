//! What goes with kits, and with tokens that split.

use super::rules::{TOLERANCE, parameter};
use crate::describe::{ClassOfStation, Further, NO_CLASS, Network, Route, Routing, Station, ends};
use crate::error::NetworkError;
use crate::model::{KitPart, Rules};
use tickless_core::number::Written;

/// The most tokens that leave in place of one.
const MOST_SPLIT: usize = 1 << 16;

/// The room of a class at a station, where it has its own.
fn room_of(further: &Further, class: u32) -> Option<u32> {
    further.classes.iter().filter(|of| of.class.0 == class).filter_map(|of| of.capacity).next_back()
}

/// What makes a kit at a station.
///
/// # Errors
/// A class that is there twice, a number that is out of range, or what does not go with kits.
pub(super) fn parts(network: &Network, station: &Station, further: &Further) -> Result<Vec<KitPart>, NetworkError> {
    let fail = |what, value: String, allowed: &str| Err(parameter(&station.name, what, value, allowed));
    let mut parts: Vec<KitPart> = vec![];
    for &(class, tokens) in &further.kit {
        if class.0 == NO_CLASS {
            return fail("a class of the kit", "none".into(), "a class of the network");
        }
        let name = &network.classes[class.0 as usize].name;
        if parts.iter().any(|part| part.class == class.0) {
            return fail("a class of the kit", format!("'{name}' twice"), "each class once, with its number of tokens");
        }
        if tokens == 0 {
            return fail("a number of tokens of the kit", format!("0 of class '{name}'"), "1 or more");
        }
        if let Some(room) = room_of(further, class.0).filter(|room| *room < tokens) {
            let allowed = format!("{room} or less, the room of that class");
            return fail("a number of tokens of the kit", format!("{tokens} of class '{name}'"), &allowed);
        }
        parts.push(KitPart { class: class.0, tokens });
    }
    if parts.is_empty() {
        return Ok(parts);
    }
    let all: u64 = parts.iter().map(|part| u64::from(part.tokens)).sum();
    let room = u64::from(station.capacity.unwrap_or(u32::MAX >> 1));
    if !(2..=room).contains(&all) {
        let allowed = match station.capacity {
            None => "from 2 to 2147483647".to_owned(),
            Some(room) => format!("from 2 to {room}, as no more tokens have room at the station"),
        };
        return fail("the number of tokens of a kit", all.to_string(), &allowed);
    }
    let rooms: Option<u64> = parts.iter().map(|part| room_of(further, part.class).map(u64::from)).sum();
    if let Some(room) = station.capacity.filter(|room| parts.len() > 1 && rooms.is_none_or(|all| all > (*room).into()))
    {
        let allowed = format!(
            "given for every class of the kit (`capacity` of [[station.class]]), {room} or less together, as else one of them may \
             leave no room for another"
        );
        let value = rooms.map_or("not given for all".to_owned(), |all| format!("{all} together"));
        return fail("the rooms of the classes of a kit", value, &allowed);
    }
    let has_own = |of: &&ClassOfStation| of.service.is_some() || of.sized_by.is_some() || of.patience.is_some();
    let goes_in = |class: u32| parts.iter().skip(1).any(|part| part.class == class);
    if let Some(of) = further.classes.iter().filter(|of| goes_in(of.class.0)).find(has_own) {
        let value = format!("given for class '{}'", network.classes[of.class.0 as usize].name);
        let allowed = "left out, as tokens of that class only go into kits there";
        return fail("a service or a patience beside the kit", value, allowed);
    }
    if network.stations.iter().filter_map(|other| other.further.as_deref()).any(|other| other.joins) {
        return fail("the kit", "given".into(), "left out, as some station joins copies");
    }
    Ok(parts)
}

/// The upper bounds of the draws for 1, 2, ... tokens that leave in place of one.
///
/// # Errors
/// Probabilities that are none, or what tokens that split do not go with.
pub(super) fn splits(station: &Station, further: &Further) -> Result<Vec<u64>, NetworkError> {
    let splits = &further.splits;
    let fail = |what, value: String, allowed: &str| Err(parameter(&station.name, what, value, allowed));
    if let Some(share) = splits.iter().find(|share| !(0.0..=1.0).contains(*share)) {
        return fail("a probability of a number of tokens", Written(*share).to_string(), "from 0 to 1");
    }
    let sum: f64 = splits.iter().sum();
    if !splits.is_empty() && (sum - 1.0).abs() > TOLERANCE {
        return fail("the sum of the probabilities of numbers of tokens", Written(sum).to_string(), "1");
    }
    if splits.len() > MOST_SPLIT {
        return fail("the number of probabilities of numbers of tokens", splits.len().to_string(), "65536 or less");
    }
    if !splits.is_empty() && further.routing == Routing::Fork {
        return fail("the routing", "fork".into(), "another one, as tokens split by numbers (`splits`)");
    }
    Ok(ends(splits))
}

impl Rules {
    /// Whether tokens of every class of a kit come to its station, and only the first class goes on.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with the class.
    pub(super) fn check_kits(&self, network: &Network, reached: &[bool]) -> Result<(), NetworkError> {
        for (place, station) in self.stations.iter().enumerate().filter(|(_, station)| !station.kit.is_empty()) {
            let comes = |class: u32| reached[place * self.names.len() + class as usize];
            if let Some(part) = station.kit.iter().find(|part| !comes(part.class)) {
                let (name, class) = (&network.stations[place].name, &self.names[part.class as usize]);
                let allowed = "one of which tokens come to the station: else no kit is ever complete";
                return Err(parameter(name, "a class of the kit", format!("'{class}'"), allowed));
            }
            let goes_in = |route: &&Route| route.from.0 as usize == place && station.ends_in_kit(route.class.0);
            if let Some(route) = network.routes.iter().find(goes_in) {
                let class = &self.names[route.class.0 as usize];
                let allowed = "left out, as tokens of that class only go into kits there";
                return Err(parameter(
                    &network.stations[place].name,
                    "a route beside the kit",
                    format!("of class '{class}'"),
                    allowed,
                ));
            }
        }
        Ok(())
    }
}

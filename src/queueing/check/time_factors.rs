//! What goes with factors of service times by the time of day.

use super::groups::{factor_fault, factor_of};
use super::rules::{parameter, target};
use crate::describe::{Further, Network, Station};
use crate::error::NetworkError;
use crate::model::Rules;
use crate::model::time_factors::FactorSchedule;
use tickless_core::number::Written;
use tickless_core::time::Time;

/// The factors of a station, if it has any.
///
/// # Errors
/// A time or a factor that is out of range, or a discipline that knows services before they begin.
pub(super) fn schedule(station: &Station, further: &Further) -> Result<Option<FactorSchedule>, NetworkError> {
    let Some(factors) = &further.time_factors else { return Ok(None) };
    let fail = |what, value: String, allowed: &str| Err(parameter(&station.name, what, value, allowed));
    if let Some((what, value, allowed)) = factors.fault() {
        return fail(what, Written(value).to_string(), allowed);
    }
    if let Some((_, factor)) = factors.steps.iter().find(|(_, factor)| factor_fault(*factor)) {
        return fail("a factor by time", Written(*factor).to_string(), "from 2^-10 to 2^10");
    }
    if further.discipline.order().knows_services() {
        let allowed = "another one, as nobody knows before it begins how long a service takes by `time_factors`";
        return fail("the discipline", further.discipline.name().to_owned(), allowed);
    }
    let ticks = |units: f64| (units * Time::UNIT.ticks() as f64).round() as u64;
    let steps = factors.steps.iter().map(|(start, factor)| (ticks(*start), factor_of(*factor)));
    Ok(Some(FactorSchedule { steps: steps.collect(), period: factors.period.map(ticks) }))
}

impl Rules {
    /// Whether services at stations with factors by time begin when they are drawn, and once.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with the station.
    pub(super) fn check_time_factors(&self, network: &Network) -> Result<(), NetworkError> {
        for (id, station) in (0..).zip(&self.stations).filter(|(_, station)| station.time_factors.is_some()) {
            let repeats = |to| self.stations.get(to as usize).is_some_and(|to| to.repeats.is_some());
            let mut routes = network.routes.iter().filter(|route| route.from.0 == id);
            if station.stops || routes.any(|route| repeats(target(network, Some(route.to)))) {
                let allowed = "left out, as services there wait for room behind it, or are repeated for want of it";
                let station = &network.stations[id as usize];
                if station.takes_no_time() {
                    return Err(parameter(
                        &station.name,
                        "the service",
                        "zero",
                        "a law, as services there wait for room behind it, or are repeated for want of it",
                    ));
                }
                return Err(parameter(&station.name, "whether services have factors by time", "true", allowed));
            }
        }
        Ok(())
    }

    /// The longest service at stations with factors by time, in ticks; or the station where it passes the range.
    pub(super) fn longest_by_time_factors(&self) -> Result<u64, usize> {
        let mut longest = 0;
        for (place, visit) in self.visits.iter().enumerate() {
            let (station, class) = (place / self.names.len(), place % self.names.len());
            let rules = &self.stations[station];
            let Some(factors) = &rules.time_factors else { continue };
            let own = match visit.size {
                None => visit.law.maximum().unwrap_or(Time::NEVER),
                Some(size) => size.longer(self.longest_value(size.attribute as usize)),
            };
            let of_groups = rules.groups.iter().map(|group| {
                let law = group.classes[class].law.as_ref();
                group.longest_service(class, law.map_or(own, |law| law.maximum().unwrap_or(Time::NEVER)))
            });
            let time = factors.longest(of_groups.fold(own, Time::max));
            if time.ticks() >= 1 << 62 {
                return Err(station);
            }
            longest = longest.max(time.ticks());
        }
        Ok(longest)
    }
}

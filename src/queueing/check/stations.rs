//! From the description of a station to its rules.

use super::limits::{check_rooms, speeds, weights};
use super::resources::ONE_PRIORITY;
use super::rules::{law, parameter, target};
use super::ways::check_route_by;
use super::{attributes, groups, kits, no_time, resources, standby, time_factors};
use crate::describe::{DRAWS, Destination, Discipline, Further, Network, ShiftSchedule, Station};
use crate::error::NetworkError;
use crate::model::{FurtherRules, Preemption, StationRules};
use tickless_core::number::Written;
use tickless_core::random::ServiceLaw;

/// Why `preemptive = true` would change nothing at a station, if so.
fn without_preemption(network: &Network, further: &Further) -> Option<&'static str> {
    if further.discipline.is_preemptive() {
        return Some("left out, as by such a discipline who comes interrupts as it is");
    }
    network.has_one_priority().then_some(ONE_PRIORITY)
}

/// What does not go with serving who has the least left to do.
fn check_remaining(station: &Station, further: &Further) -> Result<(), NetworkError> {
    let others = [
        ("the list of speeds", !further.speeds.is_empty()),
        ("what the station seizes", further.taken().next().is_some()),
        ("the law of failures", further.failures.is_some() && further.by_use),
    ];
    let beside = others.into_iter().find(|(_, is_there)| *is_there);
    let Some((what, _)) = beside.filter(|_| further.discipline == Discipline::ShortestRemaining) else { return Ok(()) };
    Err(parameter(&station.name, what, "given", "left out, as the discipline is srpt"))
}

fn has_room_for_all(station: &Station, further: &Further) -> bool {
    station.capacity.is_none() && further.classes.iter().all(|of| of.capacity.is_none())
}

pub(super) fn station_rules(network: &Network, place: usize) -> Result<StationRules, NetworkError> {
    let (station, plain) = (&network.stations[place], Further::default());
    let further = station.further.as_deref().unwrap_or(&plain);
    let wrong = further.balking.iter().find(|share| !(0.0..=1.0).contains(*share));
    if let Some(share) = wrong {
        return Err(parameter(&station.name, "a probability of balking", Written(*share), "from 0 to 1"));
    }
    if let Some((what, value, allowed)) = further.shifts.as_ref().and_then(|shifts| shifts.fault()) {
        return Err(parameter(&station.name, what, Written(value), allowed));
    }
    let of_few = [
        ("a discipline", further.discipline != Discipline::FirstCome),
        ("preemption", further.preemptive),
        ("patience", further.is_impatient()),
        ("shifts", further.shifts.is_some()),
        ("failures", further.failures.is_some()),
        ("set-up times", further.setup.is_some()),
        ("vacations", further.vacation.is_some()),
    ];
    let beside = of_few[1..].iter().find(|(_, is_there)| further.discipline == Discipline::Sharing && *is_there);
    if let Some((what, _)) = beside {
        let allowed = format!("another one, as the station has {what}, and where all share nobody waits");
        return Err(parameter(&station.name, "the discipline", "ps", &allowed));
    }
    // A token without units waits.
    let waits = |what: &str| further.taken().next().is_some() && ["a discipline", "patience"].contains(&what);
    let beside = |(what, is_there): &(&str, bool)| further.infinite && *is_there && !waits(what);
    if let Some((what, _)) = of_few.into_iter().find(beside) {
        let allowed = format!("a number, as it has {what}");
        return Err(parameter(&station.name, "the number of servers", "infinite", &allowed));
    }
    let itself = |to: Option<Destination>| to.is_some_and(|to| target(network, Some(to)) as usize == place);
    if itself(further.balks_to) {
        let what = "the destination of those that balk";
        return Err(parameter(&station.name, what, "the station itself", "another station or a sink"));
    }
    if further.patience_from_source && itself(further.reneges_to) {
        let allowed = "another station or a sink, as patience counts from the source: who comes again has none left";
        return Err(parameter(
            &station.name,
            "the destination of those that lose patience",
            "the station itself",
            allowed,
        ));
    }
    if let Some(to) = further.full_to {
        let what = "the destination of those that find no room";
        if itself(Some(to)) {
            return Err(parameter(&station.name, what, "the station itself", "another station or a sink"));
        }
        if has_room_for_all(station, further) {
            return Err(parameter(&station.name, what, "there", "left out, as there is room for all"));
        }
    }
    if let Some((what, value, allowed)) = resources::refused(network, further) {
        return Err(parameter(&station.name, what, value, allowed));
    }
    if let Some(allowed) = without_preemption(network, further).filter(|_| further.preemptive) {
        return Err(parameter(&station.name, "preemptive", "true", allowed));
    }
    if further.blocks && has_room_for_all(station, further) {
        return Err(parameter(&station.name, "the capacity", "unlimited", "a number, as it blocks where it is full"));
    }
    let kinds = [further.before, further.exchanges, further.repeats.is_some()];
    if kinds.into_iter().filter(|is_there| *is_there).count() > 1 {
        let allowed = "one of blocking before the service, exchanges and repetition";
        return Err(parameter(&station.name, "the kind of its blocking", "several of them", allowed));
    }
    check_rooms(station, further)?;
    if let (Some(_), Some(vacation)) = (&further.setup, &further.vacation) {
        let allowed = "left out, as the station has set-up times";
        return Err(parameter(&station.name, "the law of vacations", vacation, allowed));
    }
    if further.calls_off && further.setup.is_none() {
        let allowed = "false, as its servers do not set up";
        return Err(parameter(&station.name, "whether set-ups are called off", "true", allowed));
    }
    if let Some(law) = further.off_after.as_ref().filter(|_| further.setup.is_none()) {
        let allowed = "left out, as its servers do not set up";
        return Err(parameter(&station.name, "the law after which idle servers are off", law, allowed));
    }
    let absence = |key, of: &Option<ServiceLaw>| of.as_ref().map(|of| law(station, key, of)).transpose();
    let (setup, vacation) = (absence("setup", &further.setup)?, absence("vacation", &further.vacation)?);
    let speeds = speeds(station, further)?;
    let weights = weights(network, station, further)?;
    if let Some(shifts) = further.shifts.as_ref().filter(|_| further.by_use) {
        let allowed = "left out, as the servers fail by use, each for itself";
        return Err(parameter(&station.name, "the number of steps of the shifts", shifts.steps.len(), allowed));
    }
    let failures = match &further.failures {
        Some([up, down]) => Some([law(station, "failures", up)?, law(station, "failures", down)?]),
        None => None,
    };
    let taken = resources::takes((network, station), further)?;
    let preemption = match (further.discipline, further.preemptive) {
        (discipline, _) if discipline.is_preemptive() => Preemption::OfAll,
        (_, true) => Preemption::OfLower,
        _ if resources::loses_units(network, &taken) => Preemption::OfLower,
        (_, false) => Preemption::Never,
    };
    attributes::check_order(station, further)?;
    check_remaining(station, further)?;
    attributes::check_patience(station, further)?;
    standby::check(station, further)?;
    check_route_by(station, further)?;
    let of_few = FurtherRules {
        standby: further.standby,
        standby_start: absence("standby", &further.standby_start)?,
        time_factors: match no_time::schedule(station, further)? {
            Some(none) => Some(none),
            None => time_factors::schedule(station, further)?,
        },
        patience_from_source: further.patience_from_source,
        order_by: further.order_by.map_or(0, |attribute| attribute.0),
        route_by: further.route_by.map_or(0, |attribute| attribute.0),
        groups: groups::groups(network, station, further)?,
        balking: further.balking.iter().map(|share| (share * DRAWS).round() as u64).collect(),
        balks_to: target(network, further.balks_to),
        reneges_to: target(network, further.reneges_to),
        full_to: target(network, further.full_to),
        shift_schedule: further.shifts.as_ref().map(ShiftSchedule::new),
        speeds,
        weights,
        failures,
        by_use: further.by_use,
        setup,
        calls_off: further.calls_off,
        off_after: absence("off_after", &further.off_after)?,
        vacation,
        loses_units: resources::loses_units(network, &taken),
        seizes: taken.all,
        alternatives: taken.alternatives,
        uses: taken.uses,
        delivers: resources::needs((network, station), "a number of units that it delivers", &further.delivers)?,
        seizes_early: further.seizes_early,
        releases: resources::needs((network, station), "a number of units that it releases", &further.releases)?,
        kit: kits::parts(network, station, further)?,
        splits: kits::splits(station, further)?,
    };
    Ok(StationRules {
        order: further.discipline.order(),
        preemption,
        infinite: further.infinite,
        routing: further.routing,
        blocks: further.blocks,
        before: further.before,
        stops: false,
        holds: false,
        patience_runs_on: further.patience_runs_on,
        has_standby: further.standby.is_some(),
        exchanges: further.exchanges,
        repeats: further.repeats,
        joins: further.joins,
        further: (of_few != FurtherRules::NOTHING).then(|| Box::new(of_few)),
    })
}

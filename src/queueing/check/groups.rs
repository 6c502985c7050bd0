//! What makes rules of groups of servers.

use super::bulks;
use super::rules::{law_of, parameter, target};
use crate::describe::{Discipline, Further, Network, Order, Route, ServerGroup, ShiftSchedule, Station};
use crate::error::NetworkError;
use crate::model::{ClassOfGroup, FACTOR_BITS, GroupRules, Rules};
use tickless_core::number::Written;
use tickless_core::time::Time;

/// A token has the number of its group in six bits on a device.
const MOST_GROUPS: usize = 64;
/// The most servers of all groups of a station.
const MOST_SERVERS: u64 = (1 << 31) - 1;
/// The most servers of a station where some fail, each for itself.
const MOST_BESIDE_FAILURES: u64 = 1 << 20;
/// The largest factor of service times; the smallest is its reciprocal.
const LARGEST: f64 = 1024.0;

/// The groups of a station.
///
/// # Errors
/// A value of a group that is out of range, or a key of the station that does not go with groups.
pub(super) fn groups(network: &Network, station: &Station, further: &Further) -> Result<Vec<GroupRules>, NetworkError> {
    let all = &further.groups;
    if all.is_empty() {
        return Ok(vec![]);
    }
    if all.len() > MOST_GROUPS {
        return Err(parameter(&station.name, "the number of groups of servers", all.len(), "at most 64"));
    }
    let servers: u64 = all.iter().map(|group| u64::from(group.count)).sum();
    if servers > MOST_SERVERS {
        return Err(parameter(&station.name, "the number of servers of all groups", servers, "at most 2147483647"));
    }
    if servers > MOST_BESIDE_FAILURES && all.iter().any(|group| group.failures.is_some()) {
        let allowed = format!("at most {MOST_BESIDE_FAILURES}, as servers of a group fail");
        return Err(parameter(&station.name, "the number of servers of all groups", servers, &allowed));
    }
    if servers > 0 && servers != u64::from(station.servers) {
        let allowed = "left out, as the station has groups of servers";
        return Err(parameter(&station.name, "the number of servers", station.servers, allowed));
    }
    if let Some((what, value, allowed)) = refused(further) {
        return Err(parameter(&station.name, what, value, allowed));
    }
    for (place, group) in all.iter().enumerate() {
        if all[..place].iter().any(|other| other.name == group.name) {
            let allowed = "another name, as a group of the station has it already";
            return Err(parameter(&station.name, "the name of a group of servers", &group.name, allowed));
        }
    }
    let groups = all.iter().map(|group| rules_of(network, station, group)).collect::<Result<Vec<_>, _>>()?;
    bulks::check(station, further, &groups)?;
    Ok(groups)
}

/// Whether a factor of service times is out of range.
pub(super) fn factor_fault(factor: f64) -> bool {
    !(factor >= LARGEST.recip() && factor <= LARGEST)
}

/// A factor in the units of rules.
pub(super) fn factor_of(factor: f64) -> u32 {
    (factor * f64::from(1_u32 << FACTOR_BITS)).round() as u32
}

/// What does not go with groups at a station: the key, its value and what is allowed.
fn refused(further: &Further) -> Option<(&'static str, String, &'static str)> {
    let allowed = "left out, as the station has groups of servers";
    let others = [
        ("the number of servers", "infinite", further.infinite),
        ("preemptive", "true", further.preemptive),
        ("the shifts of the station", "given", further.shifts.is_some()),
        ("the law of failures", "given", further.failures.is_some()),
        ("the law of set-up times", "given", further.setup.is_some()),
        ("the law of vacations", "given", further.vacation.is_some()),
        ("the list of speeds", "given", !further.speeds.is_empty()),
        ("what the station seizes", "given", further.taken().next().is_some()),
    ];
    if let Some((what, value, _)) = others.into_iter().find(|(.., is_there)| *is_there) {
        return Some((what, value.to_owned(), allowed));
    }
    let is_known = matches!(further.discipline, Discipline::FirstCome | Discipline::LastCome);
    let allowed = "fcfs or lcfs, as the station has groups of servers";
    (!is_known).then(|| ("the discipline", further.discipline.name().to_owned(), allowed))
}

fn rules_of(network: &Network, station: &Station, group: &ServerGroup) -> Result<GroupRules, NetworkError> {
    let name = format!("{}', group '{}", station.name, group.name);
    let fail = |what, value: String, allowed: &str| Err(parameter(&name, what, value, allowed));
    let classes = network.classes.len().max(1) as u32;
    let own_law = |key, of| law_of(("station", &name), key, of);
    if group.count == 0 {
        return fail("the number of servers", "0".into(), "1 or more");
    }
    if let Some((what, value, allowed)) = group.shifts.as_ref().and_then(|shifts| shifts.fault()) {
        return fail(what, Written(value).to_string(), allowed);
    }
    if group.shifts.as_ref().is_some_and(|shifts| shifts.interrupts) {
        return fail("the end of a shift", "interrupt".into(), "stay, as no group interrupts its services");
    }
    let factor = group.factor.unwrap_or(1.0);
    if factor_fault(factor) {
        return fail("the factor", Written(factor).to_string(), "from 2^-10 to 2^10");
    }
    for (place, class) in group.serves.iter().enumerate() {
        if group.serves[..place].contains(class) {
            let name = network.classes[class.0 as usize].name.clone();
            return fail("a class that it serves", name, "once in the list");
        }
    }
    let preference = |class: u32| match group.serves.is_empty() {
        true => Some(0),
        false => group.serves.iter().position(|of| of.0 == class).map(|place| place as u32),
    };
    if let Some((class, _)) = group.laws.iter().find(|(class, _)| preference(class.0).is_none()) {
        let name = network.classes[class.0 as usize].name.clone();
        return fail("a class with a law", name, "one that the group serves");
    }
    if let Some((class, _)) = group.walks_to.iter().find(|(class, _)| preference(class.0).is_none()) {
        let name = network.classes[class.0 as usize].name.clone();
        return fail("a class with a law of walking times", name, "one that the group serves");
    }
    let of_class = |class: u32| -> Result<ClassOfGroup, NetworkError> {
        let own = group.law_of(class as usize).map(|own| own_law("service", own)).transpose()?;
        Ok(ClassOfGroup { preference: preference(class), law: own, factor: factor_of(factor) })
    };
    let serves: Vec<u32> = match group.serves.is_empty() {
        true => (0..classes).collect(),
        false => group.serves.iter().map(|class| class.0).collect(),
    };
    let mut walking = vec![];
    for class in serves.iter().filter(|_| group.walks() && group.polling.is_some()) {
        let Some(of) = group.walk_to(*class) else {
            let name = network.classes[*class as usize].name.clone();
            return fail(
                "a class without a law of walking times",
                name,
                "one with `walking`, as its server walks to others",
            );
        };
        walking.push(own_law("walking", of)?);
    }
    let failures = match &group.failures {
        Some([up, down]) => Some([own_law("failures", up)?, own_law("failures", down)?]),
        None => None,
    };
    Ok(GroupRules {
        name: group.name.clone(),
        servers: group.count,
        shift_schedule: group.shifts.as_ref().map(ShiftSchedule::new),
        first_in_line: group.first_in_line || group.serves.is_empty(),
        serves,
        classes: (0..classes).map(of_class).collect::<Result<_, _>>()?,
        bulk: bulks::rules_of(station, group)?,
        polling: group.polling,
        switching: group.switching.as_ref().map(|of| own_law("switching", of)).transpose()?,
        walking,
        rests: group.rests,
        failures,
    })
}

impl Rules {
    /// Whether tokens leave as soon as they are served where srpt or patience amid services needs that.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with the station.
    pub(super) fn check_leaving(&self, network: &Network) -> Result<(), NetworkError> {
        for (id, _) in (0..).zip(&self.stations).filter(|(_, station)| station.order == Order::ShortestRemaining) {
            if self.tokens_are_kept(network, id) {
                let allowed = "another one, as tokens there may find no room behind it";
                return Err(parameter(&network.stations[id as usize].name, "the discipline", "srpt", allowed));
            }
        }
        for (id, _) in (0..).zip(&self.stations).filter(|(_, station)| station.patience_runs_on) {
            if self.tokens_are_kept(network, id) || self.stations[id as usize].splits_tokens() {
                let what = "whether patience runs on in a service (patience_until)";
                let allowed = "false, as tokens there may find no room behind it, or split";
                return Err(parameter(&network.stations[id as usize].name, what, "true", allowed));
            }
        }
        Ok(())
    }

    /// Whether somebody serves every class that comes to a station, and tokens of groups with shifts are never held.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with the class, or with what holds the tokens.
    pub(super) fn check_groups(&self, network: &Network) -> Result<(), NetworkError> {
        for (id, station) in (0..).zip(&self.stations).filter(|(_, station)| !station.groups.is_empty()) {
            let name = &network.stations[id as usize].name;
            let serves =
                |class: u32| station.groups.iter().any(|group| group.classes[class as usize].preference.is_some());
            let alone = (0..self.classes()).find(|class| self.visit(id, *class).is_reached && !serves(*class));
            if let Some(class) = alone {
                let what = "the number of groups of servers that serve a class that comes there";
                let allowed = format!("1 or more: class '{}' would wait for ever", self.names[class as usize]);
                return Err(parameter(name, what, 0, &allowed));
            }
            let room = |group: &GroupRules| {
                group.serves.iter().map(|class| u64::from(self.visit(id, *class).capacity)).sum::<u64>()
            };
            let short =
                station.groups.iter().find(|group| group.bulk.wait.is_none() && room(group) < group.bulk.least.into());
            if let Some(group) = short {
                let allowed = format!("{} or less, as no more tokens of its classes have room there", room(group));
                let name = format!("{name}', group '{}", group.name);
                return Err(parameter(&name, "the least tokens of a batch", group.bulk.least, &allowed));
            }
            if station.has_shifts_of_groups() && (station.holds || station.stops) {
                let allowed = "left out, as tokens there may be blocked: the station behind it blocks where it is full";
                return Err(parameter(name, "the shifts of a group", "given", allowed));
            }
            if station.has_failing_groups() && self.tokens_are_kept(network, id) {
                let allowed = "left out, as tokens there may find no room behind it";
                return Err(parameter(name, "the law of failures of a group", "given", allowed));
            }
            if station.has_bulks() && self.tokens_are_kept(network, id) {
                let allowed = "left out, as tokens there may find no room behind it: batches leave together";
                return Err(parameter(name, "the most tokens of a batch", "given", allowed));
            }
        }
        Ok(())
    }

    /// Whether tokens may have to stay at a station after a service, or to be served again.
    pub(super) fn tokens_are_kept(&self, network: &Network, id: u32) -> bool {
        let of_station = &self.stations[id as usize];
        let repeats = |to| self.stations.get(to as usize).is_some_and(|to| to.repeats.is_some());
        let leads = |route: &&Route| route.from.0 == id;
        of_station.holds
            || of_station.stops
            || network.routes.iter().filter(leads).any(|route| repeats(target(network, Some(route.to))))
    }

    /// The longest service time of a group, in ticks; or the station where a law passes the range with its factor.
    pub(super) fn longest_of_groups(&self) -> Result<u64, usize> {
        let mut longest = 0;
        for (place, visit) in self.visits.iter().enumerate() {
            let (station, class) = (place / self.names.len(), place % self.names.len());
            let groups = self.stations[station].groups.iter().map(|group| (group, &group.classes[class]));
            for (group, of) in groups.filter(|(_, of)| of.preference.is_some()) {
                let time = of.law.as_ref().unwrap_or(&visit.law).maximum();
                let time = time.map(|time| group.longest_service(class, time));
                let time: Time = time.filter(|time| time.ticks() < 1 << 62).ok_or(station)?;
                longest = longest.max(time.ticks());
                let wait = group.bulk.wait.map_or(0, Time::ticks);
                longest = longest.max(wait);
                for walk in group.walking.iter().chain(group.failures.iter().flatten()) {
                    let time = walk.maximum().filter(|time| time.ticks() < 1 << 62).ok_or(station)?;
                    longest = longest.max(time.ticks());
                }
            }
        }
        Ok(longest)
    }
}

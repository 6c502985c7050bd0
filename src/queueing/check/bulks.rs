//! What makes rules of groups whose servers serve several tokens at once.

use super::groups::{factor_fault, factor_of};
use super::rules::parameter;
use crate::describe::{Discipline, Further, Polling, ServerGroup, Station};
use crate::error::NetworkError;
use crate::model::{BulkRules, GroupRules};
use tickless_core::number::Written;
use tickless_core::random::ServiceLaw;
use tickless_core::time::Time;

/// The most tokens that a server serves at once.
const MOST: u32 = 1 << 20;
/// The longest time that a token waits for others.
const LONGEST: f64 = 1_073_741_824.0;

/// How many tokens the servers of a group serve at once.
///
/// # Errors
/// A value that is out of range, or that has no effect.
pub(super) fn rules_of(station: &Station, group: &ServerGroup) -> Result<BulkRules, NetworkError> {
    let name = format!("{}', group '{}", station.name, group.name);
    let fail = |what, value: String, allowed: &str| Err(parameter(&name, what, value, allowed));
    let bulk = &group.bulk;
    if let Some((what, value, allowed)) = polling_fault(group) {
        return fail(what, value, allowed);
    }
    if !(1..=MOST).contains(&bulk.most) {
        return fail("the most tokens of a batch", bulk.most.to_string(), "from 1 to 1048576");
    }
    if !(1..=bulk.most).contains(&bulk.least) {
        let allowed = format!("from 1 to the most tokens of a batch ({})", bulk.most);
        return fail("the least tokens of a batch", bulk.least.to_string(), &allowed);
    }
    let room = station.capacity.unwrap_or(u32::MAX);
    if bulk.least > room {
        let allowed = format!("{room} or less, as no more tokens have room at the station");
        return fail("the least tokens of a batch", bulk.least.to_string(), &allowed);
    }
    if let Some(wait) = bulk.wait {
        if !(wait > 0.0 && wait < LONGEST) {
            return fail(
                "the longest wait for a batch",
                Written(wait).to_string(),
                "above 0 and below 2^30 time units",
            );
        }
        if bulk.least == 1 {
            let allowed = "left out, as a service begins for one token: give `batch_least`, too";
            return fail("the longest wait for a batch", Written(wait).to_string(), allowed);
        }
    }
    if bulk.factors.len() > bulk.most as usize {
        let allowed = format!("as many as the most tokens of a batch ({}), or fewer", bulk.most);
        return fail("the number of factors by the size of a batch", bulk.factors.len().to_string(), &allowed);
    }
    if let Some(factor) = bulk.factors.iter().find(|factor| factor_fault(**factor)) {
        return fail("a factor by the size of a batch", Written(*factor).to_string(), "from 2^-10 to 2^10");
    }
    Ok(BulkRules {
        most: bulk.most,
        least: bulk.least,
        wait: bulk.wait.and_then(Time::from_units).map(|wait| wait.max(Time::from_ticks(1))),
        factors: bulk.factors.iter().map(|factor| factor_of(*factor)).collect(),
    })
}

/// What does not go with a server that goes round: the key, its value and what is allowed.
fn polling_fault(group: &ServerGroup) -> Option<(&'static str, String, &'static str)> {
    let allowed = "left out, as the server does not go round: it takes whom it prefers";
    let Some(polling) = group.polling else {
        let walking = group.walking.as_ref().or(group.walks_to.first().map(|(_, law)| law));
        let walking = walking.map(|law| ("the law of walking times", law.to_string(), allowed));
        return group
            .switching
            .as_ref()
            .map(|law| ("the law of switching times", law.to_string(), allowed))
            .or(walking)
            .or(group.rests.then(|| ("whether its server rests", "true".into(), allowed)));
    };
    let most = group.shifts.as_ref().map_or(group.count, |shifts| shifts.most());
    let all = [
        ("the number of servers", most.to_string(), "1, as one server goes round", most != 1),
        (
            "the number of classes that it serves",
            group.serves.len().to_string(),
            "2 or more in `serves`, as its server goes round",
            group.serves.len() == 1,
        ),
        ("whether it takes the first in line", "true".into(), "false, as its server goes round", group.first_in_line),
        (
            "the law of switching times",
            group.switching.as_ref().map(ServiceLaw::to_string).unwrap_or_default(),
            "left out, as its server walks: give `walking` alone",
            group.switching.is_some() && group.walks(),
        ),
        (
            "the shifts of the group",
            "given".into(),
            "left out, as its server walks",
            group.shifts.is_some() && group.walks(),
        ),
        (
            "whether its server rests",
            "true".into(),
            "left out, as its server does not walk: give `walking`, too",
            group.rests && !group.walks(),
        ),
        ("the number served at a turn", "0".into(), "1 or more", polling == Polling::Limited(0)),
        (
            "the most tokens of a batch",
            group.bulk.most.to_string(),
            "1, as its server goes round",
            group.bulk.most != 1,
        ),
    ];
    all.into_iter().find(|(.., is_wrong)| *is_wrong).map(|(what, value, allowed, _)| (what, value, allowed))
}

/// Whether what the groups of a station say of batches goes together, and with the station.
///
/// # Errors
/// What does not, and what is allowed.
pub(super) fn check(station: &Station, further: &Further, groups: &[GroupRules]) -> Result<(), NetworkError> {
    let fail = |what, value: &str, allowed: &str| Err(parameter(&station.name, what, value, allowed));
    if further.blocks && groups.iter().any(|group| group.bulk.least > 1) {
        let allowed = "lost, as servers wait there for more tokens to come: with `batch_least`, tokens elsewhere would wait for room for ever";
        return fail("what becomes of those that find it full", "blocks", allowed);
    }
    if groups.iter().any(|group| group.failures.is_some()) && groups.iter().any(GroupRules::gathers) {
        let allowed = "left out, as a group of the station serves several tokens at once, or goes round";
        return fail("the law of failures of a group", "given", allowed);
    }
    let mut waits = groups.iter().filter_map(|group| group.bulk.wait);
    let Some(first) = waits.next() else { return Ok(()) };
    if let Some(other) = waits.find(|wait| *wait != first) {
        let allowed = format!("{}, as in another group of the station", first.units());
        return Err(parameter(&station.name, "the longest wait for a batch", other.units(), &allowed));
    }
    if further.discipline != Discipline::FirstCome {
        let allowed = "fcfs, as a group of servers has a longest wait: who waits longest is first";
        return fail("the discipline", further.discipline.name(), allowed);
    }
    if further.is_impatient() {
        let allowed = "left out, as a group of servers has a longest wait for a batch";
        return fail("the law of patience", "given", allowed);
    }
    Ok(())
}

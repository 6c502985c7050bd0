//! Groups of servers behind one line, checked.

use super::attributes::Values;
use super::rules::{Rules, StationRules, VisitRules};
use crate::NetworkModel;
use crate::describe::{Polling, ShiftSchedule};
use tickless_core::random::{EffectiveLaw, Stream};
use tickless_core::time::Time;

/// The unit of factors of service times, as a shift.
pub(crate) const FACTOR_BITS: u32 = 20;

/// A group of servers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroupRules {
    pub(crate) name: String,
    /// The most of its shifts.
    pub(crate) servers: u32,
    pub(crate) shift_schedule: Option<ShiftSchedule>,
    /// Whether it takes the first in the order of service of all whom it serves, and not the class that it prefers.
    pub(crate) first_in_line: bool,
    /// The classes that it serves, in the order of its preference.
    pub(crate) serves: Vec<u32>,
    /// For every class.
    pub(crate) classes: Vec<ClassOfGroup>,
    pub(crate) bulk: BulkRules,
    /// How its server goes round the lines of its classes, if it does.
    pub(crate) polling: Option<Polling>,
    /// How long it takes to make ready for another class.
    pub(crate) switching: Option<EffectiveLaw>,
    /// How long it walks to each class that it serves; empty where it goes to classes of which somebody waits alone.
    pub(crate) walking: Vec<EffectiveLaw>,
    /// Whether a server that walks stays while nobody waits.
    pub(crate) rests: bool,
    /// How long a server works, and how long it is out of order.
    pub(crate) failures: Option<[EffectiveLaw; 2]>,
}

/// How many tokens a server serves at once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BulkRules {
    /// 1 where each token has a server for itself.
    pub(crate) most: u32,
    pub(crate) least: u32,
    /// A token that has waited so long need not wait for more to come.
    pub(crate) wait: Option<Time>,
    /// By the number of tokens that are served together, what their time is multiplied by, in units of 2^-[`FACTOR_BITS`]; the last holds for all
    /// larger numbers, and none is 1.
    pub(crate) factors: Vec<u32>,
}

impl BulkRules {
    /// Whether tokens share a server, or wait for more to come, or their number tells how long it takes.
    pub(crate) fn is_used(&self) -> bool {
        self.most > 1 || !self.factors.is_empty()
    }

    /// The time of one service of so many tokens.
    pub(crate) fn longer(&self, time: Time, tokens: u32) -> Time {
        let Some(last) = self.factors.last() else { return time };
        longer(time, *self.factors.get(tokens as usize - 1).unwrap_or(last))
    }
}

/// A time, multiplied by a factor in units of 2^-[`FACTOR_BITS`]. A service takes a tick at least.
pub(crate) fn longer(time: Time, factor: u32) -> Time {
    let ticks = (u128::from(time.ticks()) * u128::from(factor)) >> FACTOR_BITS;
    Time::from_ticks(u64::try_from(ticks).unwrap_or(u64::MAX).max(1))
}

/// A class that a group serves, or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClassOfGroup {
    /// How far down in the preference of the group; `None` where it does not serve the class.
    pub(crate) preference: Option<u32>,
    /// In place of the law of the class at the station.
    pub(crate) law: Option<EffectiveLaw>,
    /// What a service time is multiplied by, in units of 2^-[`FACTOR_BITS`].
    pub(crate) factor: u32,
}

impl ClassOfGroup {
    /// A service time by the law of the group or of the class at the station, of a token with these values.
    pub(crate) fn service(&self, visit: &VisitRules, values: &Values, stream: &mut Stream) -> Time {
        self.longer(match &self.law {
            Some(law) => law.service(stream),
            None => visit.service(values, stream),
        })
    }

    /// A time, multiplied by the factor.
    pub(crate) fn longer(&self, time: Time) -> Time {
        longer(time, self.factor)
    }
}

impl GroupRules {
    /// Whether it serves a class, and for as long as the station says.
    pub(crate) fn serves_by_law_of(&self, class: usize) -> bool {
        self.classes[class].preference.is_some() && self.classes[class].law.is_none()
    }

    /// Whether who comes for it joins the line first.
    pub(crate) fn gathers(&self) -> bool {
        self.bulk.is_used() || self.polling.is_some()
    }

    /// Whether its server walks from class to class, also where nobody waits.
    pub(crate) fn walks(&self) -> bool {
        !self.walking.is_empty()
    }

    /// The place of the class behind one of those that it serves.
    pub(crate) fn next_turn(&self, turn: u32) -> u32 {
        (turn + 1) % self.serves.len() as u32
    }

    /// How many it serves at most in a turn that begins where so many wait.
    pub(crate) fn turn_of(&self, waiting: usize) -> u64 {
        match self.polling {
            Some(Polling::Gated) => waiting as u64,
            Some(Polling::Limited(most)) => most.into(),
            _ => u64::MAX,
        }
    }

    /// The longest service of a class for a longest time of its law.
    pub(crate) fn longest_service(&self, class: usize, time: Time) -> Time {
        let time = self.classes[class].longer(time);
        let time = self.bulk.factors.iter().map(|factor| longer(time, *factor)).fold(time, Time::max);
        let switching = self.switching.as_ref().map_or(Some(Time::ZERO), EffectiveLaw::maximum);
        let all = switching.and_then(|switching| switching.ticks().checked_add(time.ticks()));
        all.map_or(Time::NEVER, Time::from_ticks)
    }

    /// The servers on duty in the n-th of its shifts, in order or not.
    pub(crate) fn on_duty(&self, shift: u64) -> u32 {
        let of_shift = self.shift_schedule.as_ref().and_then(|shift_schedule| shift_schedule.shift(shift));
        of_shift.map_or(self.servers, |(_, servers)| servers)
    }

    /// The servers at time 0.
    pub(crate) fn first_servers(&self) -> u32 {
        self.on_duty(0)
    }

    /// The mean number of its servers between two times.
    pub(crate) fn mean_servers(&self, from: Time, until: Time) -> f64 {
        let shift_schedule = self.shift_schedule.as_ref();
        shift_schedule.map_or(f64::from(self.servers), |shift_schedule| shift_schedule.mean(from, until))
    }
}

impl StationRules {
    /// Whether the number of servers of some group changes.
    pub(crate) fn has_shifts_of_groups(&self) -> bool {
        self.groups.iter().any(|group| group.shift_schedule.is_some())
    }

    /// Whether servers of some group fail.
    pub(crate) fn has_failing_groups(&self) -> bool {
        self.groups.iter().any(|group| group.failures.is_some())
    }

    /// Whether some server there fails.
    pub(crate) fn has_failures(&self) -> bool {
        self.failures.is_some() || self.has_failing_groups()
    }

    /// Whether a server of some group walks from class to class.
    pub(crate) fn has_walks(&self) -> bool {
        self.groups.iter().any(GroupRules::walks)
    }

    /// Whether some group serves several tokens at once, or goes round, so that who comes joins the line first.
    pub(crate) fn has_bulks(&self) -> bool {
        self.groups.iter().any(GroupRules::gathers)
    }

    /// Whether some server there serves several tokens at once.
    pub(crate) fn takes_several(&self) -> bool {
        self.groups.iter().any(|group| group.bulk.most > 1)
    }

    /// How long a token of a class waits at most for more to come, where that is given.
    pub(crate) fn longest_wait(&self, class: u32) -> Option<Time> {
        let serves = |group: &&GroupRules| group.classes[class as usize].preference.is_some();
        self.groups.iter().filter(serves).find_map(|group| group.bulk.wait)
    }
}

impl Rules {
    /// Whether some station has groups of servers.
    pub(crate) fn has_groups(&self) -> bool {
        self.stations.iter().any(|station| !station.groups.is_empty())
    }
}

impl NetworkModel {
    /// Every group of servers, in the order of the outcomes: station by station, with the station and the name of the group.
    pub fn groups(&self) -> Vec<(u32, &str)> {
        let all = (0..).zip(&self.rules().stations);
        all.flat_map(|(id, station)| station.groups.iter().map(move |group| (id, &*group.name))).collect()
    }

    /// The group with a number in [`NetworkModel::groups`].
    pub(crate) fn group(&self, number: u32) -> &GroupRules {
        let mut all = self.rules().stations.iter().flat_map(|station| &station.groups);
        all.nth(number as usize).expect("a group of this network")
    }
}

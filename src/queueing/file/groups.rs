//! Groups of servers in files, and the number of servers, in whose place they stand.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::FileError;
use super::durations::Duration;
use super::lists::{Step, pairs};
use super::reader::Reader;
use super::servers::GroupFailuresEntry;
use crate::describe::Station;
use crate::{Polling, ServerGroup, Shifts};
use tickless_core::random::ServiceLaw;

/// A group of servers of a station, in the place of a number of servers: `[[station.servers]]`. All groups serve one line. A token that comes takes a
/// free server of the group in whose `serves` its class stands earliest, of several the first group in the file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ServerGroup")]
pub(super) struct GroupEntry {
    /// Its name, of its own at the station.
    #[schemars(with = "String", extend("examples" = ["senior"]))]
    name: Spanned<String>,
    /// How many servers it has.
    #[schemars(with = "Option<u32>", range(min = 1), extend("default" = 1, "examples" = [2]))]
    count: Option<Spanned<u32>>,
    /// The law of its service times, in place of the station's and its classes'.
    #[schemars(extend("examples" = ["exponential:12"]))]
    service: Option<ServiceLaw>,
    /// Its services take so many times as long, from 2^-10 to 2^10.
    #[schemars(extend("default" = 1, "examples" = [1.5]))]
    factor: Option<f64>,
    /// The classes that it serves, those that it prefers first; all alike without it.
    #[schemars(with = "Option<Vec<String>>", extend("examples" = [["sales", "support"]]))]
    serves: Option<Spanned<Vec<Spanned<String>>>>,
    /// Whom a free server takes of those that wait. `preferred`: the class that stands first in `serves`, without `serves` the first in line; `first-in-line`: by
    /// priority, then who waits longest. One server may go round its classes: with each until nobody waits there (`exhaustive`), until as many are served as
    /// waited there when it came (`gated`), or until so many are (`limited:2`).
    #[schemars(with = "Option<String>", extend("default" = "preferred", "pattern" = TAKES, "examples" = ["first-in-line", "limited:2"]))]
    takes: Option<Spanned<String>>,
    /// The law of the time in which a server that goes round makes ready for another class: a part of the first service there.
    #[schemars(extend("examples" = ["constant:2"]))]
    switching: Option<ServiceLaw>,
    /// The law of the time in which a server that goes round walks to the next class, whether somebody waits there or not: it goes round for ever. A walk is a
    /// part of no service, and counts as idle. In place of `switching`.
    #[schemars(extend("examples" = ["exponential:0.5"]))]
    walking: Option<ServiceLaw>,
    /// Whether a server that walks stays where it is while nobody waits whom it serves.
    #[serde(default)]
    #[schemars(extend("examples" = [true]))]
    rests: bool,
    /// When its servers are out of order. A service that is interrupted goes on with this group.
    failures: Option<GroupFailuresEntry>,
    /// How many servers there are from each time on, in place of `count`; who is served at the end of a shift is served to the end.
    #[schemars(extend("examples" = [[[0, 4], ["8 h", 6]]]))]
    shifts: Option<Vec<Step<u32>>>,
    /// The shifts begin again after so long; without it the last goes on.
    #[schemars(with = "Option<Duration>", extend("examples" = ["1 day"]))]
    period: Option<Spanned<f64>>,
    /// Each server serves up to so many tokens at once: their service is one, drawn for the first of them, and they leave together. Who comes
    /// meanwhile waits for the next one.
    #[schemars(range(min = 1, max = 1_048_576), extend("default" = 1, "examples" = [5]))]
    batch_most: Option<u32>,
    /// No service begins for fewer tokens.
    #[schemars(range(min = 1), extend("default" = 1, "examples" = [3]))]
    batch_least: Option<u32>,
    /// A service begins for fewer tokens than `batch_least`, too, once one has waited so long.
    #[schemars(with = "Option<Duration>", extend("examples" = [30]))]
    batch_wait: Option<f64>,
    /// A service of 1, 2, ... tokens takes so many times as long, from 2^-10 to 2^10; the last holds for all larger numbers.
    #[serde(default)]
    #[schemars(extend("examples" = [[1, 1.2, 1.4]]))]
    batch_factors: Vec<f64>,
    /// What classes have of their own in this group.
    #[serde(default)]
    class: Vec<GroupClassEntry>,
}

/// A class in a group of servers.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassOfServers")]
pub(super) struct GroupClassEntry {
    /// The class.
    #[schemars(with = "String", extend("examples" = ["sales"]))]
    name: Spanned<String>,
    /// The law of its service times in this group.
    #[schemars(extend("examples" = ["exponential:8"]))]
    service: Option<ServiceLaw>,
    /// The law of walks to the class, in place of that of the group.
    #[schemars(extend("examples" = ["exponential:1"]))]
    walking: Option<ServiceLaw>,
}

/// What `takes` may be.
const TAKES: &str = "^(preferred|first-in-line|exhaustive|gated|limited:[1-9][0-9]*)$";

/// Whether a free server takes the first in line, and how it goes round, if it does.
fn taking(text: &str) -> Result<(bool, Option<Polling>), String> {
    let limited = || text.strip_prefix("limited:").and_then(|most| most.parse().ok()).map(Polling::Limited);
    match text {
        "preferred" => Ok((false, None)),
        "first-in-line" => Ok((true, None)),
        "exhaustive" => Ok((false, Some(Polling::Exhaustive))),
        "gated" => Ok((false, Some(Polling::Gated))),
        _ => limited().map(|polling| (false, Some(polling))).ok_or_else(|| {
            format!("'{text}' is nothing that a server takes; it may be preferred, first-in-line, exhaustive, gated or limited:NUMBER")
        }),
    }
}

/// How many servers a station has, or which.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum Servers {
    /// So many.
    Some(#[schemars(range(min = 1))] u32),
    /// As many as there are tokens.
    All(Infinite),
    /// Groups of them.
    Groups(Vec<GroupEntry>),
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
pub(super) enum Infinite {
    Infinite,
}

const EXPECTED: &str =
    "`servers` must be a whole number from 1 to 4294967295, \"infinite\", or tables headed [[station.servers]]";

impl<'de> Deserialize<'de> for Servers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

/// What may be written. A derived reader of one type among several would lose what is wrong in a group.
struct Written;

impl<'de> Visitor<'de> for Written {
    type Value = Servers;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(EXPECTED)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Servers, E> {
        u32::try_from(number).map(Servers::Some).map_err(|_| E::custom(EXPECTED))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Servers, E> {
        if text == "infinite" { Ok(Servers::All(Infinite::Infinite)) } else { Err(E::custom(EXPECTED)) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, groups: A) -> Result<Servers, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(groups)).map(Servers::Groups)
    }
}

impl Servers {
    /// Gives a station this many servers; groups come with what else is further of it.
    pub(super) fn of(&self, station: Station) -> Station {
        match self {
            Self::Some(servers) => station.servers(*servers),
            Self::All(Infinite::Infinite) => station.infinite_servers(),
            Self::Groups(_) => station,
        }
    }
}

impl Reader<'_> {
    /// Adds the groups of servers of a station.
    ///
    /// # Errors
    /// An empty list, an unknown class, or keys that do not go together.
    pub(super) fn with_groups(
        &self,
        mut station: Station,
        servers: Option<Spanned<Servers>>,
    ) -> Result<Station, FileError> {
        let Some(servers) = servers else { return Ok(station) };
        let at = servers.span();
        let Servers::Groups(groups) = servers.into_inner() else { return Ok(station) };
        if groups.is_empty() {
            return Err(self.fault_at(at, "`servers` is an empty list: give it one group or more".into()));
        }
        for group in groups {
            station = station.group(self.group(group)?);
        }
        Ok(station)
    }

    fn group(&self, entry: GroupEntry) -> Result<ServerGroup, FileError> {
        let name = entry.name.as_ref();
        let mut group = ServerGroup::new(name, entry.count.as_ref().map_or(1, |count| *count.as_ref()));
        (group.service, group.factor) = (entry.service, entry.factor);
        if let Some(takes) = &entry.takes {
            (group.first_in_line, group.polling) = taking(takes.as_ref()).map_err(|fault| self.fault(takes, fault))?;
        }
        (group.switching, group.walking, group.rests) = (entry.switching, entry.walking, entry.rests);
        if let Some(GroupFailuresEntry { up, down }) = entry.failures {
            group = group.failures(up, down);
        }
        group = group.batch_most(entry.batch_most.unwrap_or(1)).batch_least(entry.batch_least.unwrap_or(1));
        group.bulk.wait = entry.batch_wait;
        group = group.batch_factors(entry.batch_factors);
        if let Some(serves) = entry.serves {
            if serves.as_ref().is_empty() {
                let fault = format!("group '{name}' serves nobody: name a class, or leave `serves` out");
                return Err(self.fault_at(serves.span(), fault));
            }
            group.serves = serves.as_ref().iter().map(|class| self.class(class)).collect::<Result<_, _>>()?;
        }
        match (entry.shifts, entry.period) {
            (Some(_), _) if entry.count.is_some() => {
                let fault = "`count` beside `shifts`, which say how many there are: leave one of them out";
                let at = entry.count.map_or(entry.name.span(), |count| count.span());
                return Err(self.fault_at(at, fault.into()));
            }
            (Some(shifts), period) => {
                let mut all = Shifts::new(pairs(shifts));
                all.period = period.map(Spanned::into_inner);
                group = group.shifts(all);
            }
            (None, Some(period)) => {
                return Err(self.fault_at(period.span(), "`period` without `shifts`: nothing begins again".into()));
            }
            (None, None) => {}
        }
        self.check_listed(("station.servers", entry.name.as_ref()), entry.class.iter().map(|of| &of.name))?;
        for GroupClassEntry { name, service, walking } in entry.class {
            let class = self.class(&name)?;
            if service.is_none() && walking.is_none() {
                let fault = "the key `service` is missing, or `walking`: nothing is of the class alone";
                return Err(self.fault(&name, fault.into()));
            }
            group.laws.extend(service.map(|law| (class, law)));
            group.walks_to.extend(walking.map(|law| (class, law)));
        }
        Ok(group)
    }
}

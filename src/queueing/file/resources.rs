//! Resources in files.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::FileError;
use super::costs::UnitCostEntry;
use super::durations::Duration;
use super::lists::{Step, pairs};
use super::reader::Reader;
use crate::describe::Station;
use crate::{Resource, ResourceId, Shifts};
use tickless_core::random::ServiceLaw;
use tickless_core::reading::names;

/// A resource.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Resource")]
pub(super) struct ResourceEntry {
    /// Its name.
    #[schemars(with = "String", extend("examples" = ["room"]))]
    name: Spanned<String>,
    /// How many there are, or for how many there is room; `shifts` say it in place of it.
    #[schemars(with = "Option<u32>", range(min = 1), extend("examples" = [3]))]
    units: Option<Spanned<u32>>,
    /// How many are there at time 0, where stations use them up (`uses`) and deliver them (`delivers`): all without it.
    #[schemars(extend("examples" = [2]))]
    stock: Option<u32>,
    /// How many are there from each time on. A token that holds a unit at the end of a shift keeps it, and nobody gets units while more are
    /// held than are there.
    #[schemars(extend("examples" = [[[0, 2], [8, 1]]]))]
    shifts: Option<Vec<Step<u32>>>,
    /// The shifts begin again after so long; without it the last goes on.
    #[schemars(with = "Option<Duration>", extend("examples" = [24]))]
    period: Option<Spanned<f64>>,
    /// When each unit is out of order, whether it is held or not; who holds it keeps it.
    failures: Option<UnitFailuresEntry>,
    /// Whether a token of a higher priority takes units, and a server, from others in service at stations that seize such units. Who is
    /// interrupted there loses all that its station seizes, waits for it again, and goes on with what is left. Refused where it changes nothing: with
    /// one priority.
    #[serde(default)]
    #[schemars(extend("examples" = [true]))]
    preemptive: bool,
    /// What its units cost.
    cost: Option<UnitCostEntry>,
}

/// When units of a resource are out of order: laws of times.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FailuresOfUnits")]
struct UnitFailuresEntry {
    /// How long each unit is in order, whether it is held or not.
    #[schemars(extend("examples" = ["exponential:200"]))]
    up: ServiceLaw,
    /// How long it is out of order then.
    #[schemars(extend("examples" = ["exponential:10"]))]
    down: ServiceLaw,
}

/// Units by the names of resources.
pub(super) type NeedsEntry = BTreeMap<String, u32>;

/// Units, or several ways to have what is needed.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum SeizesEntry {
    /// These.
    One(NeedsEntry),
    /// The first of these that is there.
    Any(#[schemars(with = "Vec<NeedsEntry>")] Vec<Spanned<NeedsEntry>>),
}

impl<'de> Deserialize<'de> for SeizesEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrAny)
    }
}

/// What may be written.
struct OneOrAny;

impl<'de> Visitor<'de> for OneOrAny {
    type Value = SeizesEntry;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a table of resources and whole numbers of units, or a list of such tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SeizesEntry, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(map)).map(SeizesEntry::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<SeizesEntry, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(SeizesEntry::Any)
    }
}

/// When a station seizes.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SeizesAt {
    /// With its server.
    Service,
    /// Before it joins the line: the first station of a region of limited capacity, or with `ps` so many share.
    Arrival,
}

/// What a station seizes, and when.
type SeizingEntry<'a> = (&'a Option<Spanned<SeizesEntry>>, &'a Option<Spanned<SeizesAt>>);

impl Reader<'_> {
    /// # Errors
    /// A name that is there twice.
    pub(super) fn resources(&mut self, entries: Vec<ResourceEntry>) -> Result<(), FileError> {
        for ResourceEntry { name, units, stock, shifts, period, failures, preemptive, cost } in entries {
            if self.resources.contains_key(name.as_ref()) {
                return Err(self.fault(&name, format!("the name '{}' is taken already", name.as_ref())));
            }
            let resource = self.with_shifts(&name, units, (shifts, period))?;
            let resource = match failures {
                Some(UnitFailuresEntry { up, down }) => resource.failures(up, down),
                None => resource,
            };
            let resource = if preemptive { resource.preemptive() } else { resource };
            let resource = stock.into_iter().fold(resource, Resource::stock);
            let resource = match cost {
                Some(cost) => resource.costs(cost.into()),
                None => resource,
            };
            let id = self.network.add_resource(resource);
            self.resources.insert(name.into_inner(), id);
        }
        Ok(())
    }

    /// A resource with its units, and its shifts if it has any.
    fn with_shifts(
        &self,
        name: &Spanned<String>,
        units: Option<Spanned<u32>>,
        (shifts, period): (Option<Vec<Step<u32>>>, Option<Spanned<f64>>),
    ) -> Result<Resource, FileError> {
        let Some(steps) = shifts else {
            if let Some(period) = period {
                let fault = "`period` without `shifts`: nothing begins again";
                return Err(self.fault_at(period.span(), fault.into()));
            }
            let Some(units) = units else {
                return Err(self.fault(name, "the key `units` is missing, or `shifts`".into()));
            };
            return Ok(Resource::new(name.as_ref(), units.into_inner()));
        };
        if let Some(units) = units {
            let fault = "`units` beside `shifts`, which say how many there are: leave one of them out";
            return Err(self.fault_at(units.span(), fault.into()));
        }
        let mut shifts = Shifts::new(pairs(steps));
        shifts.period = period.map(Spanned::into_inner);
        Ok(Resource::new(name.as_ref(), shifts.most()).shifts(shifts))
    }

    /// Units by the resources.
    fn needs(&self, entry: &Option<Spanned<NeedsEntry>>) -> Result<Vec<(ResourceId, u32)>, FileError> {
        entry.as_ref().map_or(Ok(vec![]), |entry| self.needs_at(entry.as_ref(), entry.span()))
    }

    fn needs_at(&self, entry: &NeedsEntry, at: Range<usize>) -> Result<Vec<(ResourceId, u32)>, FileError> {
        if entry.is_empty() {
            let fault = "an empty table: name a resource and how many units, as { room = 1 }, or leave it out";
            return Err(self.fault_at(at, fault.into()));
        }
        let need = |(name, units): (&String, &u32)| match self.resources.get(name) {
            Some(id) => Ok((*id, *units)),
            None => {
                let known = match self.resources.is_empty() {
                    true => "the file has no [[resource]]".to_owned(),
                    false => {
                        let mut all: Vec<(&str, ResourceId)> =
                            self.resources.iter().map(|(name, id)| (name.as_str(), *id)).collect();
                        all.sort_by_key(|(_, id)| *id);
                        names::known(name, all.into_iter().map(|(name, _)| name))
                    }
                };
                Err(self.fault_at(at.clone(), format!("no resource is named '{name}': {known}")))
            }
        };
        entry.iter().map(need).collect()
    }

    /// A station with the units that it seizes and releases.
    ///
    /// # Errors
    /// An unknown resource, or a time of seizing without units.
    pub(super) fn with_units(
        &self,
        mut station: Station,
        (seizes, at): SeizingEntry<'_>,
        [uses, delivers, releases]: [&Option<Spanned<NeedsEntry>>; 3],
    ) -> Result<Station, FileError> {
        if let Some(seizes) = seizes {
            let mut alternatives = match seizes.as_ref() {
                SeizesEntry::One(needs) => vec![self.needs_at(needs, seizes.span())?],
                SeizesEntry::Any(all) => {
                    all.iter().map(|needs| self.needs_at(needs.as_ref(), needs.span())).collect::<Result<_, _>>()?
                }
            }
            .into_iter();
            let Some(first) = alternatives.next() else {
                let fault = "`seizes` is an empty list: name what is taken, or leave it out";
                return Err(self.fault_at(seizes.span(), fault.into()));
            };
            station = first.into_iter().fold(station, |station, (resource, units)| station.seizes(resource, units));
            station = alternatives.fold(station, Station::or_seizes);
        }
        for (resource, units) in self.needs(uses)? {
            station = station.uses(resource, units);
        }
        for (resource, units) in self.needs(delivers)? {
            station = station.delivers(resource, units);
        }
        for (resource, units) in self.needs(releases)? {
            station = station.releases(resource, units);
        }
        if let Some(at) = at {
            if seizes.is_none() {
                return Err(self.fault_at(at.span(), "`seizes_at` without `seizes`: nothing is seized".into()));
            }
            if *at.as_ref() == SeizesAt::Arrival {
                station = station.seizes_at_arrival();
            }
        }
        Ok(station)
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::said_of;
    use crate::{Network, Resource, Station, UnitCosts};

    const TEXT: &str = "[[resource]]
name = 'room'
units = 3
cost = { held = 2, unit = -0.5 }
[[resource]]
name = 'nurse'
units = 2
[[station]]
name = 'a'
service = 'constant:1'
tokens = 1
seizes = { room = 2, nurse = 1 }
seizes_at = 'arrival'
[[station]]
name = 'b'
service = 'constant:1'
servers = 'infinite'
seizes = { nurse = 2 }
releases = { room = 1, nurse = 2 }
[[route]]
from = 'a'
to = 'b'
[[route]]
from = 'b'
to = 'a'
";

    #[test]
    fn everything_written_is_read() {
        let mut network = Network::new();
        let costs = UnitCosts { held: 2.0, unit: -0.5 };
        let room = network.add_resource(Resource::new("room", 3).costs(costs));
        let nurse = network.resource("nurse", 2);
        let law = || "constant:1".parse().unwrap();
        let a = Station::new("a", law()).tokens(1).seizes(nurse, 1).seizes(room, 2).seizes_at_arrival();
        let a = network.station(a);
        let b = Station::new("b", law()).infinite_servers().seizes(nurse, 2).releases(nurse, 2).releases(room, 1);
        let b = network.station(b);
        network.route(a, b, 1.0, 0.0);
        network.route(b, a, 1.0, 0.0);
        let read = Network::from_toml(TEXT).unwrap();
        let (read, written) = (read.check().unwrap(), network.check().unwrap());
        assert_eq!(read.resources(), [("room", 3), ("nurse", 2)]);
        assert_eq!(read, written);
    }

    /// What does not go with units that may be taken from tokens, where there are two priorities.
    #[test]
    fn faults_of_preemptive_units_name_their_line() {
        let text = TEXT.replace("units = 2", "units = 2\npreemptive = true").replace("seizes_at = 'arrival'\n", "");
        let text = format!("{text}[[class]]\nname = 'x'\npriority = 1\n[[class]]\nname = 'y'\n");
        assert!(Network::from_toml(&text).unwrap().check().is_ok());
        for (from, to, line, part) in [
            (
                "nurse = 1 }",
                "nurse = 1 }\nseizes_at = 'arrival'",
                14,
                "when it seizes is at the arrival; it must be at the service",
            ),
            ("nurse = 1 }", "nurse = 1 }\nspeeds = [1, 2]", 14, "the list of speeds is given; it must be left out"),
            (
                "{ nurse = 2 }",
                "[{ nurse = 2 }, { nurse = 1, room = 1 }]",
                18,
                "what the station takes is given by alternatives",
            ),
            ("seizes = { nurse = 2 }", "uses = { nurse = 2 }", 6, "the number of stations that use it up"),
        ] {
            let text = text.replacen(from, to, 1);
            let (at, said) = said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to));
            assert!(at == Some(line) && said.contains(part), "{at:?} {said} for {to}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        for (from, to, line, part) in [
            ("'nurse'\nunits", "'room'\nunits", 6, "'room' is taken already"),
            ("room = 2,", "rom = 2,", 12, "no resource is named 'rom': there are 'room' and 'nurse'"),
            ("'arrival'", "'late'", 13, "`seizes_at` is 'late'; it must be \"service\" or \"arrival\""),
            ("seizes = { room = 2, nurse = 1 }\n", "", 12, "`seizes_at` without `seizes`"),
            ("units = 3", "units = 'x'", 3, "`units` is 'x'; it must be a whole number from 1 to 4294967295"),
            ("units = 3", "units = 3\nshifts = [[0, 2]]", 3, "`units` beside `shifts`, which say how many there are"),
            ("units = 3", "units = 3\nperiod = 9", 4, "`period` without `shifts`: nothing begins again"),
            ("units = 3\n", "", 2, "the key `units` is missing, or `shifts`"),
            ("held = 2", "hold = 2", 4, "there is no key `hold` here; it may be `held` or `unit`"),
            ("held = 2", "held = 'x'", 4, "`held` is 'x'; it must be a number from -1e12 to 1e12"),
            (
                "cost = { held = 2, unit = -0.5 }",
                "cost = 3",
                4,
                "`cost` is 3; it must be a table of what costs how much, as { held = 2, unit = 1 }",
            ),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let error = Network::from_toml(&text).expect_err(to);
            assert!(error.line == line && error.fault.contains(part), "{error} for {to}");
        }
        for (from, to, line, part) in [
            (
                "held = 2",
                "held = -inf",
                4,
                "resource 'room': the cost of a unit that is held is -inf; it must be from -1e12 to 1e12",
            ),
            (
                "unit = -0.5",
                "unit = -inf",
                4,
                "resource 'room': the cost of a unit is -inf; it must be from -1e12 to 1e12",
            ),
            ("units = 3", "shifts = [[0, 0]]", 3, "resource 'room': the number of units in every shift is 0"),
            ("units = 3", "units = 0", 3, "resource 'room': the number of units is 0; it must be 1 or more"),
            ("room = 2,", "room = 4,", 12, "that it seizes is 4; it must be from 1 to 3, the units of resource 'room'"),
            ("room = 1,", "room = 0,", 19, "a number of units that it releases is 0; it must be from 1 to 3"),
            ("room = 2, ", "", 2, "the number of stations that seize it is 0; it must be 1 or more"),
            (
                "'arrival'",
                "'service'\ndiscipline = 'ps'",
                13,
                "when it seizes is at the service; it must be at the arrival (seizes_at), as with ps",
            ),
            ("units = 2", "units = 2\npreemptive = true", 8, "whether it is preemptive is true; it must be left out"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let (at, said) = said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to));
            assert!(at == Some(line) && said.contains(part), "{at:?} {said} for {to}");
        }
    }
}

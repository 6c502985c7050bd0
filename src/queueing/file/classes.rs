//! What files say of classes, disciplines and patience.

use std::collections::HashMap;

use serde::Deserialize;
use toml::Spanned;

use super::reader::Reader;
use super::{FileError, StationEntry};
use crate::queueing::description::{Destination, Station, StationId};
use crate::queueing::{Class, ClassId, ClassOfStation, Discipline};
use crate::random::ServiceLaw;
use crate::reading::names;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassEntry {
    name: Spanned<String>,
    #[serde(default)]
    priority: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StationClassEntry {
    name: Spanned<String>,
    service: Option<ServiceLaw>,
    patience: Option<ServiceLaw>,
    #[serde(default)]
    tokens: u32,
}

/// How many servers a station has.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "`servers` must be a whole number from 1 to 4294967295, or \"infinite\"")]
pub(super) enum Servers {
    Some(u32),
    All(Infinite),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Infinite {
    Infinite,
}

impl Default for Servers {
    fn default() -> Self {
        Self::Some(1)
    }
}

impl Servers {
    /// Gives a station so many.
    pub(super) fn of(self, station: Station) -> Station {
        match self {
            Self::Some(servers) => station.servers(servers),
            Self::All(Infinite::Infinite) => station.infinite_servers(),
        }
    }
}

/// The parts of a station's entry that name something else, or may be wrong.
pub(super) struct FurtherEntry {
    discipline: Option<Spanned<String>>,
    preemptive: bool,
    patience: Option<ServiceLaw>,
    reneges_to: Option<Spanned<String>>,
    balking: Option<Vec<f64>>,
    balks_to: Option<Spanned<String>>,
    class: Vec<StationClassEntry>,
}

impl FurtherEntry {
    /// What an entry has of these; `None` where it has nothing.
    pub(super) fn take(entry: &mut StationEntry) -> Option<Self> {
        let StationEntry { discipline, preemptive, patience, reneges_to, balking, balks_to, class, .. } = entry;
        let further = Self {
            discipline: discipline.take(),
            preemptive: *preemptive,
            patience: patience.take(),
            reneges_to: reneges_to.take(),
            balking: balking.take(),
            balks_to: balks_to.take(),
            class: std::mem::take(class),
        };
        let named = further.discipline.is_some() || further.reneges_to.is_some() || further.balks_to.is_some();
        let has_any = named || further.preemptive || further.patience.is_some() || further.balking.is_some();
        (has_any || !further.class.is_empty()).then_some(further)
    }
}

impl Reader<'_> {
    /// # Errors
    /// A name that is there twice.
    pub(super) fn classes(&mut self, entries: Vec<ClassEntry>) -> Result<(), FileError> {
        for ClassEntry { name, priority } in entries {
            if self.classes.contains_key(name.as_ref()) {
                return Err(self.fault(&name, format!("the name '{}' is taken already", name.as_ref())));
            }
            let id = self.network.class(Class::new(name.as_ref()).priority(priority));
            self.classes.insert(name.into_inner(), id);
        }
        Ok(())
    }

    /// The class of a name.
    ///
    /// # Errors
    /// A name that no class has.
    pub(super) fn class(&self, name: &Spanned<String>) -> Result<ClassId, FileError> {
        let Self { classes, .. } = self;
        let unknown = |classes: &HashMap<String, ClassId>| match classes.is_empty() {
            true => "the file has no [[class]]".to_owned(),
            false => {
                let mut all: Vec<(&str, ClassId)> = classes.iter().map(|(name, id)| (name.as_str(), *id)).collect();
                all.sort_by_key(|(_, id)| *id);
                names::known(name.as_ref(), all.into_iter().map(|(name, _)| name))
            }
        };
        let found = classes.get(name.as_ref()).copied();
        found.ok_or_else(|| self.fault(name, format!("no class is named '{}': {}", name.as_ref(), unknown(classes))))
    }

    /// Gives stations what their entries have beyond one queue.
    ///
    /// # Errors
    /// A name that nothing has, a discipline that there is not, a destination without anybody who goes there.
    pub(super) fn further(&mut self, of: Vec<(StationId, FurtherEntry)>) -> Result<(), FileError> {
        for (id, entry) in of {
            let place = id.index() as usize;
            let station = std::mem::replace(
                &mut self.network.stations[place],
                Station::new("", ServiceLaw::Constant { time: 1.0 }),
            );
            self.network.stations[place] = self.with(station, entry)?;
        }
        Ok(())
    }

    fn with(&self, mut station: Station, entry: FurtherEntry) -> Result<Station, FileError> {
        if let Some(discipline) = &entry.discipline {
            let parsed = discipline.as_ref().parse::<Discipline>();
            station = station.discipline(parsed.map_err(|fault| self.fault(discipline, fault))?);
        }
        if entry.preemptive {
            station = station.preemptive();
        }
        let somewhere = |name: &Option<Spanned<String>>| -> Result<Option<Destination>, FileError> {
            name.as_ref().map(|name| self.find(name)).transpose()
        };
        let (reneges_to, balks_to) = (somewhere(&entry.reneges_to)?, somewhere(&entry.balks_to)?);
        let impatient = entry.patience.is_some() || entry.class.iter().any(|class| class.patience.is_some());
        if let Some(name) = entry.reneges_to.as_ref().filter(|_| !impatient) {
            return Err(self.fault(name, "`reneges_to` without `patience`: nobody gives up here".into()));
        }
        if let Some(name) = entry.balks_to.as_ref().filter(|_| entry.balking.is_none()) {
            return Err(self.fault(name, "`balks_to` without `balking`: everybody joins here".into()));
        }
        station = station.gives_up(entry.patience, reneges_to);
        if let Some(balking) = entry.balking {
            station = station.balking(balking, balks_to);
        }
        for StationClassEntry { name, service, patience, tokens } in entry.class {
            let of_class = ClassOfStation::new(self.class(&name)?).tokens(tokens);
            station = station.class(of_class.laws(service, patience));
        }
        Ok(station)
    }
}

//! From the entries of a file to a network.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use toml::Spanned;

use super::{File, FileError, RouteEntry, StationEntry, generate, line};
use crate::describe::{Destination, Network, Observed, Station, StationId, Words};
use crate::{AttributeId, ClassId, ResourceId, Route};
use tickless_core::reading::names;

/// A station and its name.
fn station(entry: StationEntry) -> (Spanned<String>, Station, Option<StationEntry>) {
    let name = entry.name.clone();
    let station = Station::new(name.as_ref(), entry.service.law()).tokens(entry.tokens);
    let station = match &entry.servers {
        Some(servers) => servers.as_ref().of(station),
        None => station,
    };
    let station = match entry.capacity {
        Some(capacity) => station.capacity(capacity),
        None => station,
    };
    let station = match &entry.cost {
        Some(cost) => station.costs(cost.clone().into()),
        None => station,
    };
    (name, station, entry.is_further().then_some(entry))
}

/// Reads the entries of a text.
pub(super) struct Reader<'a> {
    text: &'a str,
    names: HashMap<String, Destination>,
    pub(super) classes: HashMap<String, ClassId>,
    pub(super) resources: HashMap<String, ResourceId>,
    pub(super) attributes: HashMap<String, AttributeId>,
    pub(super) network: Network,
}

impl<'a> Reader<'a> {
    /// Refuses a class that has two tables at one station or sink (`kind`), which has this name.
    pub(super) fn check_listed<'n>(
        &self,
        (kind, owner): (&str, &str),
        names: impl Iterator<Item = &'n Spanned<String>>,
    ) -> Result<(), FileError> {
        let mut listed = HashSet::new();
        for name in names {
            if !listed.insert(name.as_ref()) {
                let fault = format!(
                    "class '{}' has a table there already, at the {kind} '{owner}': [[{kind}.class]] is of the [[{kind}]] above it, so \
                     move this one below its own, or leave it out",
                    name.as_ref()
                );
                return Err(self.fault(name, fault));
            }
        }
        Ok(())
    }

    /// Places in entries are those in this text, or in a part of it where no fault is reported.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            names: HashMap::new(),
            classes: HashMap::new(),
            resources: HashMap::new(),
            attributes: HashMap::new(),
            network: Network::new(),
        }
    }

    /// # Errors
    /// The first fault, with its line.
    pub(super) fn read(mut self, file: File) -> Result<Network, FileError> {
        if let Some(table) = &file.generate {
            self.alone(&file)?;
            self.network = generate::network(table, self.text)?;
        }
        self.names.reserve(file.station.len() + file.sink.len());
        let stations: Vec<_> = file.station.into_par_iter().map(station).collect();
        self.classes(file.class)?;
        self.resources(file.resource)?;
        self.attributes(file.attribute)?;
        let mut further = vec![];
        for (name, station, more) in stations {
            let id = self.network.station(station);
            self.name(name, id.into())?;
            further.extend(more.map(|more| (id, more)));
        }
        for entry in file.sink {
            let id = self.sink(&entry)?;
            self.name(entry.name, id.into())?;
        }
        self.further(further)?;
        for entry in file.source {
            let source = self.source(entry)?;
            self.network.source(source);
        }
        let ends: Vec<_> = file.route.par_iter().map(|route| self.ends(route)).collect();
        for (route, ends) in file.route.iter().zip(ends) {
            let (from, to) = ends.ok_or_else(|| self.lost(route))?;
            let mut way = Route::new(from, to).probability(route.probability).delay(route.delay);
            if let Some(class) = &route.class {
                way = way.class(self.class(class)?);
            }
            if let Some(class) = &route.becomes {
                way = way.becomes(self.class(class)?);
            }
            way.up_to = route.up_to;
            self.network.add_route(way);
        }
        let mut network = self.network;
        // Quantiles are told of what is recorded.
        let observed = if file.quantiles.is_empty() { Observed::Nothing } else { Observed::All };
        network.distributions = file.distributions.map_or(observed, Observed::from);
        network.quantiles = file.quantiles;
        network.series_step = file.series_step;
        (network.fold, network.fold_step) = (file.fold, file.fold_step);
        network.words = Words { unit: file.unit, token: file.token, currency: file.currency };
        network.window = file.window;
        network.approximate = file.approximate;
        network.until = file.until.unwrap_or(network.until);
        network.warmup = file.warmup.unwrap_or(network.warmup);
        network.terminating = file.terminating.unwrap_or(network.terminating);
        network.seed = file.seed.unwrap_or(network.seed);
        network.tokens = file.tokens.unwrap_or(network.tokens);
        Ok(network)
    }

    /// The ends of a route, if both are known. Explaining an unknown end takes a look at all names, so only one route is
    /// explained.
    fn ends(&self, route: &RouteEntry) -> Option<(StationId, Destination)> {
        let end = |name: &Spanned<String>| self.names.get(name.as_ref()).copied();
        let Destination::Station(from) = end(&route.from)? else { return None };
        Some((from, end(&route.to)?))
    }

    /// Why a route has unknown ends.
    fn lost(&self, RouteEntry { from, to, .. }: &RouteEntry) -> FileError {
        match self.find(from) {
            Ok(Destination::Sink(_)) => {
                self.fault(from, format!("'{}' is a sink: no route leads away from it", from.as_ref()))
            }
            Ok(Destination::Station(_)) => self.unknown(to),
            Err(fault) => fault,
        }
    }

    /// A generated network has the stations and the routes of its kind, and no others.
    fn alone(&self, file: &File) -> Result<(), FileError> {
        let stations = file.station.iter().map(|entry| ("station", &entry.name));
        let routes = file.route.iter().map(|entry| ("route", &entry.from));
        let sources = file.source.iter().map(|entry| ("source", &entry.name));
        let sinks = file.sink.iter().map(|entry| ("sink", &entry.name));
        let first = stations.chain(routes).chain(sources).chain(sinks).min_by_key(|(_, name)| name.span().start);
        first.map_or(Ok(()), |(kind, name)| {
            let fault = format!("[[{kind}]] beside [generate], which makes the whole network: leave out one of them");
            Err(self.fault(name, fault))
        })
    }

    fn name(&mut self, name: Spanned<String>, what: Destination) -> Result<(), FileError> {
        let at = name.span();
        match self.names.entry(name.into_inner()) {
            Entry::Occupied(taken) => {
                let fault = format!("the name '{}' is taken already", taken.key());
                Err(FileError { line: line(self.text, at), fault, mark: None })
            }
            Entry::Vacant(free) => {
                free.insert(what);
                Ok(())
            }
        }
    }

    pub(super) fn find(&self, name: &Spanned<String>) -> Result<Destination, FileError> {
        self.names.get(name.as_ref()).copied().ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &Spanned<String>) -> FileError {
        let all: Vec<&str> = self.network.names().collect();
        let known = names::known(name.as_ref(), all.into_iter());
        self.fault(name, format!("no station or sink is named '{}': {known}", name.as_ref()))
    }

    pub(super) fn fault(&self, at: &Spanned<String>, fault: String) -> FileError {
        self.fault_at(at.span(), fault)
    }

    pub(super) fn fault_at(&self, at: std::ops::Range<usize>, fault: String) -> FileError {
        FileError { line: line(self.text, at), fault, mark: None }
    }
}

//! From a description to rules.

use super::attributes;
use super::resources;
use super::sources::{add_choices, source_rules};
use super::stations::station_rules;
use super::ways::{check_values, check_ways};
use crate::describe::{DRAWS, Destination, NO_CLASS, Network, Route, Routing, Source, Station};
use crate::error::NetworkError;
use crate::model::{Edge, Inflow, Rules, Size, SourceRules, StationRules, VisitRules};
use tickless_core::memory;
use tickless_core::random::{EffectiveLaw, ServiceLaw};
use tickless_core::time::Time;

/// The most classes: a token has its class in so many bits on a device, beside the number of a group of servers.
const MOST_CLASSES: u64 = 1 << 20;
/// The largest difference of a station's probabilities from 1.
pub(super) const TOLERANCE: f64 = 1e-9;

pub(super) fn parameter(name: &str, parameter: &'static str, value: impl ToString, allowed: &str) -> NetworkError {
    NetworkError::Parameter {
        kind: "station",
        name: name.to_owned(),
        parameter,
        value: value.to_string(),
        allowed: allowed.to_owned(),
    }
}

/// The rules of a network, and the probability of each edge as the user wrote it. Its names, stations, sources and routes have been
/// checked one by one.
///
/// # Errors
/// [`NetworkError`], which names the fault.
pub(crate) fn rules(network: &Network) -> Result<(Rules, Vec<f64>), NetworkError> {
    let further = network.first_key();
    if let Some(reason) = further.clone().filter(|_| network.tokens > 0) {
        return Err(NetworkError::Multiclass { reason });
    }
    check_classes(network, further.is_none())?;
    let mut rules = without_routes(network, further.is_none())?;
    if let Some(first) = rules.joining.first().filter(|_| !rules.has_forks()) {
        let name = &network.stations[*first as usize].name;
        return Err(parameter(
            name,
            "whether it joins",
            "true",
            "false, as no station has the routing fork, or `splits`",
        ));
    }
    let ways = Ways::new(network);
    // In a plain network every station counts as reached.
    let reached = if rules.plain { vec![true; network.stations.len()] } else { reached((network, &ways), &rules) };
    let mut probabilities = Vec::with_capacity(network.routes.len());
    rules.edges.reserve_exact(network.routes.len());
    rules.visits.reserve_exact(reached.len());
    for (place, station) in network.stations.iter().enumerate() {
        for class in 0..rules.classes() {
            let is_reached = reached[place * rules.names.len() + class as usize];
            let first = rules.edges.len() as u32;
            row((network, &ways), &mut rules, &mut probabilities, (place as u32, class), is_reached)?;
            mark_blocking(&mut rules, place, class, first);
            let visit = visit_rules((network, station), class, (first..rules.edges.len() as u32, is_reached))?;
            rules.visits.push(visit);
        }
        if !(0..rules.names.len()).any(|class| reached[place * rules.names.len() + class]) {
            return Err(NetworkError::Unreachable { station: station.name.clone() });
        }
    }
    rules.check_leaving(network)?;
    rules.check_groups(network)?;
    rules.check_kits(network, &reached)?;
    rules.check_units(network)?;
    rules.check_standby(network)?;
    rules.check_time_factors(network)?;
    rules.check_circles_without_time(network)?;
    add_choices(network, &mut rules)?;
    Ok((rules, probabilities))
}

/// The rules of the classes, stations, sources and resources.
fn without_routes(network: &Network, plain: bool) -> Result<Rules, NetworkError> {
    let resources = resources::resources(network)?;
    let unnamed = [(String::new(), 0)];
    let listed: Vec<(String, u32)> = network.classes.iter().map(|class| (class.name.clone(), class.priority)).collect();
    let (names, levels): (Vec<_>, Vec<_>) =
        if listed.is_empty() { unnamed.into_iter().unzip() } else { listed.into_iter().unzip() };
    let stations: Vec<StationRules> =
        (0..network.stations.len()).map(|place| station_rules(network, place)).collect::<Result<_, _>>()?;
    let those = |of: fn(&StationRules) -> bool| {
        (0..).zip(&stations).filter(|(_, station)| of(station)).map(|(place, _)| place).collect()
    };
    Ok(Rules {
        plain,
        names,
        levels,
        visits: vec![],
        edges: vec![],
        sources: network.sources.iter().map(source_rules).collect::<Result<_, _>>()?,
        resources,
        attributes: attributes::attributes(network)?,
        seizing: those(|station| !station.seizes.is_empty()),
        by_visit: those(|station| station.routing == Routing::ByVisit),
        joining: those(|station| station.joins),
        source_classes: network.sources.iter().map(|source| source.class.map_or(0, |class| class.0)).collect(),
        no_rounds: None,
        unrecorded: None,
        control: None,
        stations,
    })
}

/// Notes whether the edges of a class at a station, from `first` on, lead to stations that block.
fn mark_blocking(rules: &mut Rules, place: usize, class: u32, first: u32) {
    let Rules { stations, edges, .. } = rules;
    let elsewhere =
        edges[first as usize..].iter().filter(|edge| edge.target as usize != place || edge.becomes != class);
    let (mut stops, mut holds) = (false, false);
    for to in elsewhere.filter_map(|edge| stations.get(edge.target as usize)).filter(|to| to.blocks) {
        stops |= to.before;
        holds |= !to.before && to.repeats.is_none();
    }
    stations[place].stops |= stops;
    stations[place].holds |= holds;
}

impl Rules {
    /// The longest span that is added to a time, in ticks.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] of a law whose longest time passes the range.
    pub(crate) fn longest(&self, network: &Network, inflows: &[Inflow]) -> Result<u64, NetworkError> {
        let allowed = "one whose longest time is below 2^30 time units";
        let mut longest = self.edges.iter().map(|edge| edge.delay.ticks()).max().unwrap_or(0);
        let of_stations = self.visits.iter().enumerate().flat_map(|(place, visit)| {
            let station = &network.stations[place / self.names.len()];
            let service = station.service_of(place % self.names.len());
            let all = [(Some(&visit.law), Some(service)), (visit.patience.as_ref(), None)];
            all.into_iter().filter_map(move |(law, text)| Some(("station", &station.name, law?, text)))
        });
        let of_servers = network.stations.iter().zip(&self.stations).flat_map(|(station, rules)| {
            let laws = rules.failures.iter().flatten();
            let laws =
                laws.chain(&rules.setup).chain(&rules.off_after).chain(&rules.vacation).chain(&rules.standby_start);
            laws.map(move |law| ("station", &station.name, law, None))
        });
        let of_units = self
            .resources
            .iter()
            .flat_map(|of| of.failures.iter().flatten().map(|law| ("resource", &of.name, law, None)));
        let of_sources = network.sources.iter().zip(inflows);
        let of_sources =
            of_sources.map(|(source, inflow)| ("source", &source.name, &inflow.law, Some(&source.interval)));
        for (kind, name, law, text) in of_stations.chain(of_servers).chain(of_units).chain(of_sources) {
            let Some(time) = law.maximum().filter(|time| time.ticks() < 1 << 62) else {
                let value = text.map_or("too long".to_owned(), ServiceLaw::to_string);
                let (name, allowed) = (name.clone(), allowed.to_owned());
                return Err(NetworkError::Parameter { kind, name, parameter: "the law", value, allowed });
            };
            longest = longest.max(time.ticks());
        }
        let of_groups = self.longest_of_groups().map_err(|station| {
            parameter(&network.stations[station].name, "the law of a group of servers", "too long", allowed)
        })?;
        let of_time_factors = self.longest_by_time_factors().map_err(|station| {
            parameter(&network.stations[station].name, "the longest service by `time_factors`", "too long", allowed)
        })?;
        let of_attributes = self
            .longest_by_attributes()
            .map_err(|(station, what)| parameter(&network.stations[station].name, what, "too long", allowed))?;
        Ok(longest.max(of_groups).max(of_attributes).max(of_time_factors))
    }
}

fn check_classes(network: &Network, plain: bool) -> Result<(), NetworkError> {
    for (place, class) in network.classes.iter().enumerate() {
        if network.classes[..place].iter().any(|other| other.name == class.name) {
            return Err(NetworkError::Name { name: class.name.clone() });
        }
    }
    let classes = network.classes.len().max(1) as u64;
    if classes > MOST_CLASSES {
        return Err(NetworkError::TooMany { what: "classes", count: classes, most: MOST_CLASSES });
    }
    let count = (network.stations.len() + network.sinks.len()) as u64 * classes;
    // Beside its class a token has six flags on a device.
    let most = u64::from(u32::MAX >> 6);
    if count > most && !plain {
        return Err(NetworkError::TooMany { what: "classes at stations and sinks", count, most });
    }
    Ok(memory::room_of(count * size_of::<VisitRules>() as u64, "the classes at the stations and sinks")?)
}

pub(super) fn target(network: &Network, to: Option<Destination>) -> u32 {
    match to {
        None => Rules::LOST,
        Some(Destination::Station(station)) => station.0,
        Some(Destination::Sink(sink)) => network.stations.len() as u32 + sink.0,
    }
}

pub(super) fn law(station: &Station, key: &'static str, law: &ServiceLaw) -> Result<EffectiveLaw, NetworkError> {
    law_of(("station", &station.name), key, law)
}

/// The law of a part of the network.
pub(super) fn law_of(
    (kind, name): (&'static str, &str),
    key: &'static str,
    law: &ServiceLaw,
) -> Result<EffectiveLaw, NetworkError> {
    law.check().map_err(|error| NetworkError::Law { kind, name: name.to_owned(), key, error })?;
    Ok(law.effective(None))
}

/// The tokens of a class at time 0. If 32 bits cannot hold them there are too many in any case.
pub(super) fn tokens_of(station: &Station, class: u32) -> u32 {
    let own = station.further.iter().flat_map(|more| &more.classes).filter(|of| of.class.0 == class);
    let first = if class == 0 { station.tokens } else { 0 };
    own.fold(first, |tokens, of| tokens.saturating_add(of.tokens))
}

fn visit_rules(
    (network, station): (&Network, &Station),
    class: u32,
    (edges, is_reached): (std::ops::Range<u32>, bool),
) -> Result<VisitRules, NetworkError> {
    let further = station.further.as_deref();
    let own = || further.into_iter().flat_map(|more| &more.classes).filter(|of| of.class.0 == class);
    let service = station.service_of(class as usize);
    let (size, patience_by) = (attributes::size(station, class)?, attributes::patience(station, class)?);
    let of_size = |size: Size| network.attributes[size.attribute as usize].law_of(class as usize).mean() * size.times();
    let mean = size.map_or(if station.takes_no_time() { 0.0 } else { service.mean() }, of_size);
    let patience = own().filter_map(|of| of.patience.as_ref()).next_back();
    let patience = patience.or(further.and_then(|more| more.patience.as_ref()));
    Ok(VisitRules {
        law: law(station, "service", service)?,
        mean: Time::from_units(mean).unwrap_or(Time::ZERO),
        size,
        patience_by,
        patience: patience
            .filter(|_| patience_by.is_none())
            .map(|patience| law(station, "patience", patience))
            .transpose()?,
        capacity: own().filter_map(|of| of.capacity).next_back().unwrap_or(u32::MAX),
        tokens: tokens_of(station, class),
        first: edges.start,
        end: edges.end,
        is_reached,
        shift: None,
    })
}

/// The routes, station by station, in the order of the description.
struct Ways<'a> {
    routes: Vec<&'a Route>,
    first: Vec<usize>,
}

impl<'a> Ways<'a> {
    fn new(network: &'a Network) -> Self {
        let mut routes: Vec<&Route> = network.routes.iter().collect();
        routes.sort_by_key(|route| route.from.0);
        let first = |station: usize| routes.partition_point(|route| (route.from.0 as usize) < station);
        Self { first: (0..=network.stations.len()).map(first).collect(), routes }
    }

    /// Those of a class from a station: its own, where it has any.
    fn of(&self, station: u32, class: u32) -> impl Iterator<Item = &'a Route> {
        let row = &self.routes[self.first[station as usize]..self.first[station as usize + 1]];
        let taken = if row.iter().any(|route| route.class.0 == class) { class } else { NO_CLASS };
        row.iter().copied().filter(move |route| route.class.0 == taken)
    }
}

/// Adds the edges of a class from a station, with their probabilities.
fn row(
    (network, ways): (&Network, &Ways<'_>),
    rules: &mut Rules,
    probabilities: &mut Vec<f64>,
    (station, class): (u32, u32),
    is_reached: bool,
) -> Result<(), NetworkError> {
    let routes: Vec<_> = ways.of(station, class).collect();
    let name = || rules.name_at(&network.stations[station as usize].name, class as usize);
    if routes.is_empty() {
        let goes_on = is_reached && !rules.stations[station as usize].ends_in_kit(class);
        return if goes_on { Err(NetworkError::NoWayOut { station: name() }) } else { Ok(()) };
    }
    check_ways(network, rules, station, &routes)?;
    check_values(network, station, &routes)?;
    let sum: f64 = routes.iter().map(|route| route.probability).sum();
    let by_chance = rules.stations[station as usize].routing == Routing::Random;
    if by_chance && (sum - 1.0).abs() > TOLERANCE {
        return Err(NetworkError::Probabilities { station: name(), sum });
    }
    let (mut before, last) = (0.0, routes.len() - 1);
    let edge = |(place, route): (usize, &&Route)| {
        before += route.probability;
        // The draws up to here, at least one and not all.
        let draws = (before / sum * DRAWS).round().clamp(1.0, DRAWS - 1.0) as u32 - 1;
        Edge {
            upper: if place == last { u32::MAX } else { draws },
            target: target(network, Some(route.to)),
            delay: Time::from_units(route.delay).unwrap_or(Time::ZERO),
            up_to: route.up_to.and_then(Time::from_units).unwrap_or(Time::NEVER),
            becomes: if route.becomes.0 == NO_CLASS { class } else { route.becomes.0 },
        }
    };
    rules.edges.extend(routes.iter().enumerate().map(edge));
    // Where no chance decides, each route says 1.
    let share = |route: &&Route| if by_chance { route.probability } else { route.probability / sum };
    probabilities.extend(routes.iter().map(share));
    Ok(())
}

/// Which classes come to which stations.
fn reached((network, ways): (&Network, &Ways<'_>), rules: &Rules) -> Vec<bool> {
    let (stations, classes) = (network.stations.len(), rules.names.len());
    let mut reached = vec![false; stations * classes];
    let sources = network.sources.iter().zip(&rules.sources).zip(&rules.source_classes);
    let sent = |((source, rules), class): ((&Source, &SourceRules), &u32)| {
        let of_class = |class| source.targets().map(move |to| (to.0, class));
        rules.classes(*class).into_iter().flat_map(of_class).collect::<Vec<_>>()
    };
    let mut open: Vec<(u32, u32)> = sources.flat_map(sent).collect();
    for (place, station) in network.stations.iter().enumerate() {
        for class in 0..classes as u32 {
            if tokens_of(station, class) > 0 {
                open.push((place as u32, class));
            }
        }
    }
    while let Some((station, class)) = open.pop() {
        if std::mem::replace(&mut reached[station as usize * classes + class as usize], true) {
            continue;
        }
        let rules = &rules.stations[station as usize];
        let aside = [rules.balks_to, rules.reneges_to, rules.full_to].map(|to| (to, class));
        let next = |route: &Route| {
            (target(network, Some(route.to)), if route.becomes.0 == NO_CLASS { class } else { route.becomes.0 })
        };
        let goes_on = |_: &(u32, u32)| !rules.ends_in_kit(class);
        let all = ways.of(station, class).map(next).filter(goes_on).chain(aside);
        open.extend(all.filter(|(to, _)| (*to as usize) < stations));
    }
    reached
}

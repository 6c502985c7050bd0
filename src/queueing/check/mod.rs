//! From a network to its model: every check, the routes in rows, the shifts of the window.

mod attributes;
mod bulks;
mod costs;
mod groups;
mod ids;
mod kits;
mod limits;
mod no_time;
mod resources;
mod rules;
mod sources;
mod standby;
mod stations;
mod targets;
mod time_factors;
mod ways;
mod window;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::capability;
use super::describe::{Network, Observed, Route, Source, Station};
use super::error::NetworkError;
use super::model::{Edge, Fold, Inflow, NetworkModel, Rules, VisitRules, step_of};
use super::traffic::{Matrix, spread};
use super::warnings::Routed;
use tickless_core::number::Written;
use tickless_core::random::ServiceLaw;
use tickless_core::reading::names;
use tickless_core::statistics::Scale;
use tickless_core::time::Time;

/// The most tokens at time 0.
pub(super) const MOST: u64 = (1 << 31) - 1;
/// The most stations, sources and sinks together: an event of the heap has 29 bits for its entity, which over ranks has its number in the
/// whole network.
const MOST_PLACES: u64 = (1 << 29) - 2;
/// A tick in time units.
const TICK: f64 = 1.0 / 4_294_967_296.0;

impl Network {
    /// Checks everything and computes the model of the backends.
    ///
    /// # Errors
    /// [`NetworkError`], which names the station, source or sink, the value and what is allowed.
    pub fn check(self) -> Result<NetworkModel, NetworkError> {
        self.check_ids()?;
        match self.computed() {
            Some(torus) => self.check_torus(torus),
            None => {
                self.check_one()?;
                self.listed()?.check_lists()
            }
        }
    }

    fn check_lists(self) -> Result<NetworkModel, NetworkError> {
        self.check_room()?;
        self.check_names()?;
        self.stations.iter().try_for_each(check_station)?;
        self.sources.iter().try_for_each(check_source)?;
        self.sinks.iter().try_for_each(costs::check_sink)?;
        self.routes.iter().try_for_each(|route| self.check_route(route))?;
        let (mut rules, probabilities) = rules::rules(&self)?;
        (rules.no_rounds, rules.unrecorded) = capability::of_rounds(&self, &rules);
        let routes = Rows::new(&rules, probabilities, self.stations.len());
        self.place(&mut rules, &routes.matrix())?;
        let tokens = self.check_tokens(&rules)?;
        self.check_reached(&rules, &routes.matrix())?;
        let approximate = self.interval()?;
        capability::check_approximate(&self, &rules)?;
        if let Some(window) = self.window {
            window::widen(&self, &mut rules, window)?;
        }
        let inflows: Vec<Inflow> = self.sources.iter().map(inflow).collect();
        // Rounding up makes a time later by this much at most.
        let longest = rules.longest(&self, &inflows)? + approximate.map_or(0, Time::ticks);
        let (until, warmup) = self.check_horizon(longest)?;
        let routed =
            Routed { network: &self, rules: &rules, inflows: &inflows, matrix: &routes.matrix(), tokens: &tokens };
        let stuck = routed.stuck();
        let rates = routed.rates(stuck);
        let warnings = routed.warnings(stuck, rates.as_deref());
        let loads = rates.map(|rates| routed.loads(&rates));
        let targets = targets::of(&self)?;
        targets::check_quantiles(&self)?;
        let (observed, scale) = self.recorded(until)?;
        let all_tokens = tokens.iter().sum();
        Ok(NetworkModel {
            has_costs: self.has_costs(),
            torus: None,
            all_tokens,
            most_tokens: (inflows.is_empty() && !rules.has_forks()).then_some(all_tokens),
            tokens,
            inflows,
            lookahead: approximate.unwrap_or_else(|| rules.lookahead()),
            approximate,
            until,
            warmup,
            warnings,
            loads: loads.unwrap_or_default(),
            observed,
            scale,
            targets,
            series_step: step_of(self.series_step, until)?,
            fold: Fold::of(self.fold, self.fold_step, until)?,
            rules,
            description: self,
        })
    }

    /// Spreads the tokens of the network over its stations.
    fn place(&self, rules: &mut Rules, matrix: &Matrix<'_>) -> Result<(), NetworkError> {
        let own = rules.visits.iter().map(|visit| u64::from(visit.tokens)).sum::<u64>() + u64::from(self.tokens);
        if own > MOST {
            return Err(NetworkError::TooMany { what: "tokens at time 0", count: own, most: MOST });
        }
        if self.tokens > 0 {
            let parts = spread(self.tokens, &matrix.visits());
            rules.visits.iter_mut().zip(parts).for_each(|(visit, part)| visit.tokens += part);
        }
        Ok(())
    }

    /// The tokens of every station at time 0.
    fn check_tokens(&self, rules: &Rules) -> Result<Vec<u32>, NetworkError> {
        let of_station = |visits: &[VisitRules]| visits.iter().map(|visit| visit.tokens).sum();
        let tokens: Vec<u32> = rules.visits.chunks(rules.names.len()).map(of_station).collect();
        self.check_room_for(&tokens)?;
        Ok(tokens)
    }

    /// Whether tokens come to every station of a plain network. A network of classes has been checked by [`rules::rules`].
    fn check_reached(&self, rules: &Rules, matrix: &Matrix<'_>) -> Result<(), NetworkError> {
        let filled = rules.visits.iter().enumerate().filter(|(_, visit)| visit.tokens > 0).map(|(station, _)| station);
        let fed = self.sources.iter().map(|source| source.to.0 as usize);
        let unreached = || matrix.reached(filled.chain(fed)).iter().position(|reached| !reached);
        match rules.plain.then(unreached).flatten() {
            Some(station) => Err(NetworkError::Unreachable { station: self.stations[station].name.clone() }),
            None => Ok(()),
        }
    }

    /// No station has more tokens than it has room for.
    fn check_room_for(&self, tokens: &[u32]) -> Result<(), NetworkError> {
        for (station, tokens) in self.stations.iter().zip(tokens) {
            if station.capacity.is_some_and(|capacity| *tokens > capacity) {
                let allowed = format!("at most its capacity, {}", station.capacity.unwrap_or(0));
                return Err(parameter("station", &station.name, "the number of tokens at time 0", tokens, allowed));
            }
        }
        Ok(())
    }

    /// The stations whose distributions are recorded, and the bins of times.
    fn recorded(&self, until: Time) -> Result<(Vec<u32>, Option<Scale>), NetworkError> {
        let stations = 0..self.stations.len() as u32;
        let observed = match &self.distributions {
            Observed::Nothing => return Ok((targets::observed(self).collect(), None)),
            Observed::All => stations.collect(),
            Observed::Stations(names) if names.is_empty() => return Err(NetworkError::ObservedNobody),
            Observed::Stations(names) => {
                let places: HashMap<&str, u32> = self.stations.iter().map(|s| s.name.as_str()).zip(stations).collect();
                let find = |name: &String| {
                    let place = places.get(name.as_str()).copied();
                    let known = || names::known(name, self.stations.iter().map(Station::name));
                    place.ok_or_else(|| NetworkError::Observed { name: name.clone(), known: known() })
                };
                let mut found: BTreeSet<u32> = names.iter().map(find).collect::<Result<_, _>>()?;
                found.extend(targets::observed(self));
                found.into_iter().collect()
            }
        };
        let of_classes = |station: &Station| {
            (0..self.classes.len().max(1)).map(|class| station.mean_service_of(class)).fold(f64::INFINITY, f64::min)
        };
        let shortest = self.stations.iter().map(of_classes).fold(f64::INFINITY, f64::min);
        let typical = Time::from_units(shortest).unwrap_or(Time::UNIT);
        Ok((observed, Some(Scale::new(typical, until))))
    }

    fn check_names(&self) -> Result<(), NetworkError> {
        self.words.check()?;
        if self.stations.is_empty() {
            return Err(NetworkError::Empty);
        }
        let names = self.stations.iter().map(|s| &s.name).chain(self.sources.iter().map(|s| &s.name));
        let names = names.chain(self.sinks.iter().map(|s| &s.name));
        let count = (self.stations.len() + self.sources.len() + self.sinks.len()) as u64;
        if count > MOST_PLACES {
            return Err(NetworkError::TooMany { what: "stations, sources and sinks", count, most: MOST_PLACES });
        }
        let mut seen = HashSet::with_capacity(count as usize);
        for name in names {
            if !seen.insert(name.as_str()) {
                return Err(NetworkError::Name { name: name.clone() });
            }
        }
        Ok(())
    }

    fn check_route(&self, route: &Route) -> Result<(), NetworkError> {
        let fail = |parameter, value: f64, allowed: &str| {
            let name = self.stations.get(route.from.0 as usize).map_or_else(String::new, |s| s.name.clone());
            let (value, allowed) = (Written(value).to_string(), allowed.to_owned());
            Err(NetworkError::Parameter { kind: "route from station", name, parameter, value, allowed })
        };
        if !(route.probability >= 2.0_f64.powi(-31) && route.probability <= 1.0) {
            return fail("the probability", route.probability, "from 2^-31 to 1");
        }
        if Time::from_units(route.delay).is_none_or(|delay| delay.ticks() >= 1 << 62) {
            return fail("the transit delay", route.delay, "0 or more and below 2^30 time units");
        }
        Ok(())
    }

    /// The interval of approximate time in ticks.
    fn interval(&self) -> Result<Option<Time>, NetworkError> {
        let Some(interval) = self.approximate else { return Ok(None) };
        let time = Time::from_units(interval).filter(|time| interval >= TICK && time.ticks() < 1 << 62);
        let time = time.ok_or(NetworkError::Interval { interval })?;
        match self.window.filter(|window| *window != 0.0) {
            Some(window) => Err(NetworkError::WindowAndInterval { window, interval }),
            None => Ok(Some(time)),
        }
    }

    /// The horizon and the warm-up, where the longest span of time that is added to a time is this.
    fn check_horizon(&self, longest: u64) -> Result<(Time, Time), NetworkError> {
        let most = Time::from_ticks((1 << 63) - longest);
        let until = Time::from_units(self.until).filter(|t| (Time::from_ticks(1)..=most).contains(t));
        let until = until.ok_or(NetworkError::Until { until: self.until, most: most.units() })?;
        let warmup = Time::from_units(self.warmup).filter(|t| *t < until);
        let warmup = warmup.ok_or(NetworkError::Warmup { warmup: self.warmup, until: self.until })?;
        if self.terminating && warmup > Time::ZERO {
            return Err(NetworkError::Terminating { warmup: self.warmup });
        }
        Ok((until, warmup))
    }
}

/// The routes in rows, by class at station.
struct Rows {
    first: Vec<u32>,
    targets: Vec<u32>,
    probabilities: Vec<f64>,
}

impl Rows {
    fn new(rules: &Rules, probabilities: Vec<f64>, stations: usize) -> Self {
        let node = |edge: &Edge| {
            let node = u64::from(edge.target) * u64::from(rules.classes()) + u64::from(edge.becomes);
            if (edge.target as usize) < stations { node as u32 } else { u32::MAX }
        };
        // Behind these edges are those of sources.
        let edges = &rules.edges[..probabilities.len()];
        let first = rules.visits.iter().map(|visit| visit.first).chain([edges.len() as u32]).collect();
        Self { first, targets: edges.iter().map(node).collect(), probabilities }
    }

    fn matrix(&self) -> Matrix<'_> {
        Matrix { first: &self.first, targets: &self.targets, probabilities: &self.probabilities }
    }
}

fn parameter(
    kind: &'static str,
    name: &str,
    parameter: &'static str,
    value: &dyn std::fmt::Display,
    allowed: String,
) -> NetworkError {
    NetworkError::Parameter { kind, name: name.to_owned(), parameter, value: value.to_string(), allowed }
}

fn check_law((kind, key): (&'static str, &'static str), name: &str, law: &ServiceLaw) -> Result<(), NetworkError> {
    law.check().map_err(|error| NetworkError::Law { kind, name: name.to_owned(), key, error })
}

fn check_station(station: &Station) -> Result<(), NetworkError> {
    check_law(("station", "service"), &station.name, &station.service)?;
    let has_groups = station.further.as_ref().is_some_and(|further| !further.groups.is_empty());
    if station.servers == 0 && !has_groups {
        return Err(parameter("station", &station.name, "the number of servers", &0, "1 or more".into()));
    }
    costs::check_station(station)?;
    match station.capacity {
        Some(capacity) if capacity < station.servers => {
            let allowed = format!("at least its number of servers, {}", station.servers);
            Err(parameter("station", &station.name, "the capacity", &capacity, allowed))
        }
        _ => Ok(()),
    }
}

fn check_source(source: &Source) -> Result<(), NetworkError> {
    check_law(("source", "interval"), &source.name, &source.interval)?;
    if Time::from_units(source.start).is_none_or(|start| start.ticks() >= 1 << 62) {
        return Err(parameter(
            "source",
            &source.name,
            "the start",
            &Written(source.start),
            "0 or more and below 2^30 time units".into(),
        ));
    }
    Ok(())
}

fn inflow(source: &Source) -> Inflow {
    Inflow {
        law: source.interval.effective(None),
        target: source.to.0,
        start: Time::from_units(source.start).unwrap_or(Time::ZERO),
        limit: source.limit.unwrap_or(u64::MAX),
    }
}

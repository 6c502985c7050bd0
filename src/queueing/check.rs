//! What makes a model of a network: every check, the routes in rows, the shifts of the window.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::description::{Destination, Network, Observed, Source, Station, StationId};
use super::error::NetworkError;
use super::model::{Edge, Inflow, NetworkModel, NetworkWarning};
use super::multiclass::{self, Route, Rules};
use super::traffic::{Matrix, spread};
use super::{costs, sinks};
use tickless_core::number::Written;
use tickless_core::random::{EffectiveLaw, ServiceLaw};
use tickless_core::reading::names;
use tickless_core::statistics::Scale;
use tickless_core::time::Time;

/// The most stations, sources and sinks together, and the most tokens at time 0.
pub(super) const MOST: u64 = (1 << 31) - 1;
/// What the probabilities of a station may lack to 1.
const TOLERANCE: f64 = 1e-9;
/// From this load on a queue grows without end: 1, but for rounding.
const CRITICAL: f64 = 1.0 - 1e-9;
/// A tick in time units.
const TICK: f64 = 1.0 / 4_294_967_296.0;

/// By how much a window shifts a law of a station that sends on with this shortest delay, in time units; `None` where the law reaches
/// that far by itself.
///
/// # Errors
/// [`NetworkError::Window`], which names the station.
pub(super) fn shift_by(
    window: f64,
    delay: f64,
    law: &ServiceLaw,
    station: impl Fn() -> String,
) -> Result<Option<f64>, NetworkError> {
    let (rest, mean, shortest) = (window - delay, law.mean(), law.lookahead());
    if !(window >= 0.0 && (rest < mean || rest <= shortest)) {
        return Err(NetworkError::Window { window, most: mean + delay, station: station() });
    }
    Ok((rest > shortest).then_some(rest))
}

impl Network {
    /// Checks everything and derives what the backends run.
    ///
    /// # Errors
    /// [`NetworkError`], which names the station, source or sink, the value and what is allowed.
    pub fn check(self) -> Result<NetworkModel, NetworkError> {
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
        self.check_ids()?;
        self.stations.iter().try_for_each(check_station)?;
        self.sources.iter().try_for_each(check_source)?;
        self.sinks.iter().try_for_each(|sink| sinks::check(&self, sink))?;
        self.routes.iter().try_for_each(|route| self.check_route(route))?;
        if let Some(rules) = multiclass::rules(&self)? {
            return self.check_rules(rules);
        }
        let routes = self.rows()?;
        let tokens = self.place(&routes)?;
        self.check_reached(&routes, &tokens)?;
        let approximate = self.interval()?;
        let shifts = self.shifts(&routes)?;
        let law = |(station, shift): (&Station, &Option<f64>)| station.service.effective(*shift);
        let laws: Vec<EffectiveLaw> = self.stations.iter().zip(&shifts).map(law).collect();
        let inflows: Vec<Inflow> = self.sources.iter().map(inflow).collect();
        let (until, warmup) = self.check_times(&laws, &routes, &inflows, approximate)?;
        let ahead = |(station, law): (usize, &EffectiveLaw)| {
            let delay = routes.shortest_delay(station)?;
            Some(Time::from_ticks(law.offset + delay.ticks()))
        };
        let exact = || laws.iter().enumerate().filter_map(ahead).min().unwrap_or(Time::NEVER);
        let lookahead = approximate.unwrap_or_else(exact);
        let warnings = self.warnings(&routes, &tokens);
        let (observed, scale) = self.recorded(until)?;
        let Rows { first, edges, .. } = routes;
        Ok(NetworkModel {
            has_costs: self.has_costs(),
            description: self,
            torus: None,
            laws,
            shifts,
            all_tokens: tokens.iter().sum(),
            most_tokens: inflows.is_empty().then(|| tokens.iter().sum()),
            tokens,
            first,
            edges,
            inflows,
            lookahead,
            approximate,
            until,
            warmup,
            warnings,
            observed,
            scale,
            series_step: None,
            rules: None,
        })
    }

    /// What is left to check of a network of classes, disciplines or patience.
    fn check_rules(self, rules: Rules) -> Result<NetworkModel, NetworkError> {
        let classes = rules.names.len();
        let of_station = |visits: &[multiclass::VisitRules]| visits.iter().map(|visit| u64::from(visit.tokens)).sum();
        let tokens: Vec<u64> = rules.visits.chunks(classes).map(of_station).collect();
        let all = tokens.iter().sum();
        if all > MOST {
            return Err(NetworkError::TooMany { what: "tokens at time 0", count: all, most: MOST });
        }
        let tokens: Vec<u32> = tokens.iter().map(|tokens| *tokens as u32).collect();
        self.check_room_for(&tokens)?;
        let shifts = rules.visits.chunks(classes).map(|visits| visits.iter().find_map(|visit| visit.shift)).collect();
        let inflows: Vec<Inflow> = self.sources.iter().map(inflow).collect();
        let (until, warmup) = self.check_horizon(rules.longest(&self, &inflows)?)?;
        let warnings = rules.overload(&self, &inflows).into_iter().collect();
        let (observed, scale) = self.recorded(until)?;
        Ok(NetworkModel {
            has_costs: self.has_costs(),
            laws: self.stations.iter().map(|station| station.service.effective(None)).collect(),
            shifts,
            torus: None,
            all_tokens: all as u32,
            most_tokens: (inflows.is_empty() && !rules.has_forks()).then_some(all as u32),
            tokens,
            first: vec![0; self.stations.len() + 1],
            edges: vec![],
            inflows,
            lookahead: rules.lookahead(),
            approximate: None,
            until,
            warmup,
            warnings,
            observed,
            scale,
            series_step: multiclass::step_of(self.series_step, until)?,
            rules: Some(rules),
            description: self,
        })
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
            Observed::Nothing => return Ok((vec![], None)),
            Observed::All => stations.collect(),
            Observed::Stations(names) if names.is_empty() => return Err(NetworkError::ObservedNobody),
            Observed::Stations(names) => {
                let places: HashMap<&str, u32> = self.stations.iter().map(|s| s.name.as_str()).zip(stations).collect();
                let find = |name: &String| {
                    let place = places.get(name.as_str()).copied();
                    let known = || names::known(name, self.stations.iter().map(Station::name));
                    place.ok_or_else(|| NetworkError::Observed { name: name.clone(), known: known() })
                };
                let found: BTreeSet<u32> = names.iter().map(find).collect::<Result<_, _>>()?;
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
        if self.stations.is_empty() {
            return Err(NetworkError::Empty);
        }
        let names = self.stations.iter().map(|s| &s.name).chain(self.sources.iter().map(|s| &s.name));
        let names = names.chain(self.sinks.iter().map(|s| &s.name));
        let count = (self.stations.len() + self.sources.len() + self.sinks.len()) as u64;
        if count > MOST {
            return Err(NetworkError::TooMany { what: "stations, sources and sinks", count, most: MOST });
        }
        let mut seen = HashSet::with_capacity(count as usize);
        for name in names {
            if !seen.insert(name.as_str()) {
                return Err(NetworkError::Name { name: name.clone() });
            }
        }
        Ok(())
    }

    /// Whether sources and routes name stations and sinks of this network.
    fn check_ids(&self) -> Result<(), NetworkError> {
        let is_of = |what, number: u32, count| match (number as usize) < count {
            true => Ok(()),
            false => Err(NetworkError::Foreign { what, number, count }),
        };
        let station = |id: StationId| is_of("station", id.0, self.stations.len());
        self.sources.iter().try_for_each(|source| station(source.to))?;
        self.routes.iter().try_for_each(|route| {
            station(route.from)?;
            match route.to {
                Destination::Station(to) => station(to),
                Destination::Sink(to) => is_of("sink", to.0, self.sinks.len()),
            }
        })
    }

    /// The routes in rows by station.
    fn rows(&self) -> Result<Rows, NetworkError> {
        let count = self.routes.len() as u64;
        if count > u64::from(u32::MAX) {
            return Err(NetworkError::TooMany { what: "routes", count, most: u32::MAX.into() });
        }
        let stations = self.stations.len();
        let mut first = vec![0_u32; stations + 1];
        for route in &self.routes {
            first[route.from.0 as usize + 1] += 1;
        }
        (0..stations).for_each(|station| first[station + 1] += first[station]);
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|route| self.routes[*route as usize].from);
        let probabilities: Vec<f64> = order.iter().map(|route| self.routes[*route as usize].probability).collect();
        let edge = |route: &u32| {
            let route = &self.routes[*route as usize];
            let target = match route.to {
                Destination::Station(station) => station.0,
                Destination::Sink(sink) => stations as u32 + sink.0,
            };
            Edge { upper: u32::MAX, target, delay: Time::from_units(route.delay).unwrap_or(Time::ZERO) }
        };
        let mut rows = Rows { edges: order.iter().map(edge).collect(), first, probabilities };
        (0..stations).try_for_each(|station| self.divide(station, &mut rows))?;
        Ok(rows)
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

    /// Divides the draws of a station among its edges.
    fn divide(&self, station: usize, rows: &mut Rows) -> Result<(), NetworkError> {
        let row = rows.first[station] as usize..rows.first[station + 1] as usize;
        let name = || self.stations[station].name.clone();
        if row.is_empty() {
            return Err(NetworkError::NoWayOut { station: name() });
        }
        let sum: f64 = rows.probabilities[row.clone()].iter().sum();
        if (sum - 1.0).abs() > TOLERANCE {
            return Err(NetworkError::Probabilities { station: name(), sum });
        }
        let mut before = 0.0;
        for place in row.start..row.end - 1 {
            before += rows.probabilities[place];
            // The draws up to here, at least one and not all.
            rows.edges[place].upper = (before / sum * 4_294_967_296.0).round().clamp(1.0, 4_294_967_295.0) as u32 - 1;
        }
        Ok(())
    }

    /// The tokens of every station at time 0.
    fn place(&self, rows: &Rows) -> Result<Vec<u32>, NetworkError> {
        let own = self.stations.iter().map(|s| u64::from(s.tokens)).sum::<u64>() + u64::from(self.tokens);
        if own > MOST {
            return Err(NetworkError::TooMany { what: "tokens at time 0", count: own, most: MOST });
        }
        let mut tokens: Vec<u32> = self.stations.iter().map(|s| s.tokens).collect();
        if self.tokens > 0 {
            let targets: Vec<u32> = rows.edges.iter().map(|edge| edge.target).collect();
            let parts = spread(self.tokens, &rows.matrix(&targets).visits());
            tokens.iter_mut().zip(parts).for_each(|(token, part)| *token += part);
        }
        self.check_room_for(&tokens)?;
        Ok(tokens)
    }

    fn check_reached(&self, rows: &Rows, tokens: &[u32]) -> Result<(), NetworkError> {
        let targets: Vec<u32> = rows.edges.iter().map(|edge| edge.target).collect();
        let filled = tokens.iter().enumerate().filter(|(_, tokens)| **tokens > 0).map(|(station, _)| station);
        let fed = self.sources.iter().map(|source| source.to.0 as usize);
        let reached = rows.matrix(&targets).reached(filled.chain(fed));
        match reached.iter().position(|reached| !reached) {
            Some(station) => Err(NetworkError::Unreachable { station: self.stations[station].name.clone() }),
            None => Ok(()),
        }
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

    /// The d of each station's shift: what its shortest transit delay leaves of the window.
    fn shifts(&self, rows: &Rows) -> Result<Vec<Option<f64>>, NetworkError> {
        let delay = |station| rows.shortest_delay(station).map_or(f64::INFINITY, Time::units);
        let Some(window) = self.window else { return Ok(vec![None; self.stations.len()]) };
        let shift = |(place, station): (usize, &Station)| {
            shift_by(window, delay(place), &station.service, || station.name.clone())
        };
        self.stations.iter().enumerate().map(shift).collect()
    }

    /// An event happens before the horizon, and nothing that it schedules may pass the range of times.
    fn check_times(
        &self,
        laws: &[EffectiveLaw],
        rows: &Rows,
        inflows: &[Inflow],
        approximate: Option<Time>,
    ) -> Result<(Time, Time), NetworkError> {
        let mut longest = rows.edges.iter().map(|edge| edge.delay.ticks()).max().unwrap_or(0);
        let names = self.stations.iter().map(|s| ("station", &s.name, &s.service));
        let names = names.chain(self.sources.iter().map(|s| ("source", &s.name, &s.interval)));
        for (law, (kind, name, service)) in laws.iter().chain(inflows.iter().map(|i| &i.law)).zip(names) {
            let Some(maximum) = law.maximum().filter(|time| time.ticks() < 1 << 62) else {
                let allowed = "one whose longest time is below 2^30 time units".to_owned();
                return Err(parameter(kind, name, "the law", service, allowed));
            };
            longest = longest.max(maximum.ticks());
        }
        // What is rounded up comes so much later.
        longest += approximate.map_or(0, Time::ticks);
        self.check_horizon(longest)
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

    fn warnings(&self, rows: &Rows, tokens: &[u32]) -> Vec<NetworkWarning> {
        let targets: Vec<u32> = rows.edges.iter().map(|edge| edge.target).collect();
        let matrix = rows.matrix(&targets);
        let drained = matrix.drained();
        let mut warnings = vec![];
        if self.sources.is_empty() && self.sinks.is_empty() {
            let all = tokens.iter().sum();
            let short = self.stations.iter().find(|s| s.capacity.is_some_and(|capacity| capacity < all));
            warnings.extend(short.map(|station| NetworkWarning::ClosedWithLosses {
                station: station.name.clone(),
                capacity: station.capacity.unwrap_or(0),
                tokens: all,
            }));
            return warnings;
        }
        let fed = matrix.reached(self.sources.iter().map(|source| source.to.0 as usize));
        if let Some(station) = fed.iter().zip(&drained).position(|(fed, drained)| *fed && !drained) {
            warnings.push(NetworkWarning::NoExit { station: self.stations[station].name.clone() });
            return warnings;
        }
        warnings.extend(self.overload(&matrix));
        warnings
    }

    /// Of the stations with unlimited queues that are offered as much as they can serve, or more, the one that is offered
    /// most. A station that is full loses tokens, and how many only the run tells: what comes from there is an upper bound.
    fn overload(&self, matrix: &Matrix) -> Option<NetworkWarning> {
        // What a source sends without end.
        let mut outside = vec![0.0; self.stations.len()];
        for source in self.sources.iter().filter(|source| source.limit.is_none()) {
            outside[source.to.0 as usize] += 1.0 / source.interval.mean();
        }
        let most: Vec<f64> = self.stations.iter().map(|s| f64::from(s.servers) / s.service.mean()).collect();
        let rates = matrix.rates(&outside, &most)?;
        let full = |place: &usize| self.stations[*place].capacity.is_some() && rates[*place] > 0.0;
        let bounded = matrix.reached((0..rates.len()).filter(full).flat_map(|place| matrix.targets_of(place)));
        let loads = rates.iter().zip(&most).map(|(rate, most)| rate / most);
        let unstable: Vec<(usize, f64)> = loads
            .enumerate()
            .filter(|(place, load)| *load >= CRITICAL && self.stations[*place].capacity.is_none())
            .collect();
        // One that is certain to be overloaded comes first.
        let (place, load) =
            *unstable.iter().max_by(|a, b| bounded[b.0].cmp(&bounded[a.0]).then(a.1.total_cmp(&b.1)))?;
        let (station, others) = (self.stations[place].name.clone(), unstable.len() as u32 - 1);
        Some(NetworkWarning::Unstable { station, load, at_most: bounded[place], others })
    }
}

/// Edges in rows by station, with the probabilities that they were made of.
struct Rows {
    first: Vec<u32>,
    edges: Vec<Edge>,
    probabilities: Vec<f64>,
}

impl Rows {
    /// Of the routes from a station to stations; what leaves the network meets nobody.
    fn shortest_delay(&self, station: usize) -> Option<Time> {
        let stations = self.first.len() as u32 - 1;
        let row = &self.edges[self.first[station] as usize..self.first[station + 1] as usize];
        row.iter().filter(|edge| edge.target < stations).map(|edge| edge.delay).min()
    }

    fn matrix<'a>(&'a self, targets: &'a [u32]) -> Matrix<'a> {
        Matrix { first: &self.first, targets, probabilities: &self.probabilities }
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
    if station.servers == 0 {
        return Err(parameter("station", &station.name, "the number of servers", &0, "1 or more".into()));
    }
    costs::check(station)?;
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

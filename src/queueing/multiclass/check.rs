//! What makes rules of a description.

use super::description::{Discipline, Further, NO_CLASS};
use super::limits::{check_rooms, speeds, weights};
use super::rounds::{no_rounds, unrecorded, widen};
use super::rules::{ClassEdge, Order, Preemption, Rules, SourceRules, StationRules, VisitRules};
use super::sources::source_rules;
use super::ways::check_ways;
use super::{Roster, Routing, resources};
use crate::description::{Destination, Network, Source, Station};
use crate::error::NetworkError;
use crate::model::{Inflow, NetworkWarning};
use crate::traffic::Matrix;
use tickless_core::memory;
use tickless_core::number::Written;
use tickless_core::random::{EffectiveLaw, ServiceLaw};
use tickless_core::time::Time;

/// What the probabilities of a station may lack to 1.
pub(super) const TOLERANCE: f64 = 1e-9;
/// From this load on a queue grows without end: 1, but for rounding.
const CRITICAL: f64 = 1.0 - 1e-9;
/// The draws.
pub(super) const DRAWS: f64 = 4_294_967_296.0;

pub(super) fn parameter(name: &str, parameter: &'static str, value: impl ToString, allowed: &str) -> NetworkError {
    NetworkError::Parameter {
        kind: "station",
        name: name.to_owned(),
        parameter,
        value: value.to_string(),
        allowed: allowed.to_owned(),
    }
}

/// The rules of a network that uses the vocabulary, or `None` of one that does not. Its names, stations, sources and routes have
/// been checked one by one.
///
/// # Errors
/// [`NetworkError`], which names what is wrong.
pub(crate) fn rules(network: &Network) -> Result<Option<Rules>, NetworkError> {
    let Some(reason) = network.first_key() else { return Ok(None) };
    let what = match network.approximate {
        Some(_) => Some("approximate"),
        None if network.tokens > 0 => Some("tokens"),
        None => None,
    };
    if let Some(what) = what {
        return Err(NetworkError::Multiclass { what, reason });
    }
    check_classes(network)?;
    let resources = resources::resources(network)?;
    let unnamed = [(String::new(), 0)];
    let listed: Vec<(String, u32)> = network.classes.iter().map(|class| (class.name.clone(), class.priority)).collect();
    let (names, levels): (Vec<_>, Vec<_>) =
        if listed.is_empty() { unnamed.into_iter().unzip() } else { listed.into_iter().unzip() };
    let mut rules = Rules {
        names,
        levels,
        stations: (0..network.stations.len()).map(|place| station_rules(network, place)).collect::<Result<_, _>>()?,
        visits: vec![],
        edges: vec![],
        sources: network.sources.iter().map(source_rules).collect::<Result<_, _>>()?,
        resources,
        seizing: vec![],
        by_visit: vec![],
        joining: vec![],
        source_classes: network.sources.iter().map(|source| source.class.map_or(0, |class| class.0)).collect(),
        no_rounds: None,
        unrecorded: unrecorded(network),
    };
    let seizes = |place: &u32| !rules.stations[*place as usize].seizes.is_empty();
    rules.seizing = (0..rules.stations.len() as u32).filter(seizes).collect();
    let joins = |place: &u32| rules.stations[*place as usize].joins;
    rules.joining = (0..rules.stations.len() as u32).filter(joins).collect();
    if let Some(first) = rules.joining.first().filter(|_| !rules.has_forks()) {
        let name = &network.stations[*first as usize].name;
        return Err(parameter(name, "whether it joins", "true", "false, as no station has the routing fork"));
    }
    let by_visit = |place: &u32| rules.stations[*place as usize].routing == Routing::ByVisit;
    rules.by_visit = (0..rules.stations.len() as u32).filter(by_visit).collect();
    let ways = Ways::new(network);
    let reached = reached((network, &ways), &rules);
    for (place, station) in network.stations.iter().enumerate() {
        for class in 0..rules.classes() {
            let is_reached = reached[place * rules.names.len() + class as usize];
            let row = row((network, &ways), &rules, (place as u32, class), is_reached)?;
            let first = rules.edges.len() as u32;
            let stations = &rules.stations;
            let before = |edge: &ClassEdge| stations.get(edge.target as usize).is_some_and(|to| to.before);
            let is_elsewhere = |edge: &ClassEdge| edge.target as usize != place || edge.becomes != class;
            let stops = row.iter().any(|edge| is_elsewhere(edge) && before(edge));
            let holds = row.iter().filter(|edge| is_elsewhere(edge)).any(|edge| {
                stations.get(edge.target as usize).is_some_and(|to| to.blocks && !to.before && to.repeats.is_none())
            });
            rules.stations[place].stops |= stops;
            rules.stations[place].holds |= holds;
            rules.edges.extend(row);
            let visit = visit_rules(station, class, (first..rules.edges.len() as u32, is_reached))?;
            rules.visits.push(visit);
        }
        if !(0..rules.names.len()).any(|class| reached[place * rules.names.len() + class]) {
            return Err(NetworkError::Unreachable { station: station.name.clone() });
        }
    }
    rules.no_rounds = no_rounds(network, &rules);
    if let Some(window) = network.window {
        widen(network, &mut rules, window)?;
    }
    Ok(Some(rules))
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
            let name = &network.stations[place / self.names.len()].name;
            std::iter::once(&visit.law).chain(&visit.patience).map(move |law| ("station", name, law))
        });
        let of_servers = network.stations.iter().zip(&self.stations).flat_map(|(station, rules)| {
            let laws = rules.failures.iter().flatten().chain(&rules.setup).chain(&rules.vacation);
            laws.map(move |law| ("station", &station.name, law))
        });
        let of_stations = of_stations.chain(of_servers);
        let of_sources =
            network.sources.iter().zip(inflows).map(|(source, inflow)| ("source", &source.name, &inflow.law));
        for (kind, name, law) in of_stations.chain(of_sources) {
            let Some(time) = law.maximum().filter(|time| time.ticks() < 1 << 62) else {
                let (name, value, allowed) = (name.clone(), "too long".to_owned(), allowed.to_owned());
                return Err(NetworkError::Parameter { kind, name, parameter: "the law", value, allowed });
            };
            longest = longest.max(time.ticks());
        }
        Ok(longest)
    }

    /// A station with an unlimited queue of patient tokens that is offered as much as it can serve, or more: the one that is
    /// offered most. What others lose is not taken off.
    pub(crate) fn overload(&self, network: &Network, inflows: &[Inflow]) -> Option<NetworkWarning> {
        if self.has_forks() {
            // How many tokens there are is not a matter of routes alone.
            return None;
        }
        let (classes, count) = (self.names.len(), self.visits.len());
        let mut first: Vec<u32> = self.visits.iter().map(|visit| visit.first).collect();
        first.push(self.edges.len() as u32);
        let node = |edge: &ClassEdge| {
            let node = u64::from(edge.target) * classes as u64 + u64::from(edge.becomes);
            if (edge.target as usize) < network.stations.len() { node as u32 } else { u32::MAX }
        };
        let targets: Vec<u32> = self.edges.iter().map(node).collect();
        let probabilities: Vec<f64> = self
            .visits
            .iter()
            .flat_map(|visit| {
                let row = &self.edges[visit.first as usize..visit.end as usize];
                let upper = |place: usize| f64::from(row[place].upper) + 1.0;
                (0..row.len())
                    .map(move |place| (upper(place) - if place == 0 { 0.0 } else { upper(place - 1) }) / DRAWS)
                    .collect::<Vec<_>>()
            })
            .collect();
        let matrix = Matrix { first: &first, targets: &targets, probabilities: &probabilities };
        let drained = matrix.drained();
        let mut outside = vec![0.0; count];
        for ((source, inflow), class) in network.sources.iter().zip(inflows).zip(&self.source_classes) {
            // What a trace sends ends, too.
            if source.limit.is_none() && source.trace.is_none() {
                outside[inflow.target as usize * classes + *class as usize] +=
                    source.mean_batch() / source.interval.mean();
            }
        }
        let fed = matrix.reached((0..count).filter(|node| outside[*node] > 0.0));
        if fed.iter().zip(&drained).any(|(fed, drained)| *fed && !drained) {
            return None;
        }
        let rates = matrix.rates(&outside, &vec![f64::INFINITY; count])?;
        let mean = |node: usize| network.stations[node / classes].mean_service_of(node % classes);
        let load = |place: usize| {
            let work: f64 = (place * classes..(place + 1) * classes).map(|node| rates[node] * mean(node)).sum();
            work / self.stations[place].mean_servers(&network.stations[place])
        };
        let grows = |place: &usize| {
            let (station, rules) = (&network.stations[*place], &self.stations[*place]);
            let visits = &self.visits[*place * classes..(*place + 1) * classes];
            let patient = visits.iter().any(|visit| visit.patience.is_none() && visit.capacity == u32::MAX);
            station.capacity.is_none() && !rules.infinite && rules.balking.is_empty() && patient
        };
        let loads = (0..network.stations.len()).filter(grows).map(|place| (place, load(place)));
        let unstable: Vec<(usize, f64)> = loads.filter(|(_, load)| *load >= CRITICAL).collect();
        let &(place, load) = unstable.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let at_most = network.stations.iter().zip(&self.stations).any(|(station, rules)| {
            station.capacity.is_some()
                || !rules.balking.is_empty()
                || self.visits.iter().any(|visit| visit.capacity < u32::MAX)
                || station.further.as_ref().is_some_and(|more| more.is_impatient())
        });
        let (station, others) = (network.stations[place].name.clone(), unstable.len() as u32 - 1);
        Some(NetworkWarning::Unstable { station, load, at_most, others })
    }
}

fn check_classes(network: &Network) -> Result<(), NetworkError> {
    for (place, class) in network.classes.iter().enumerate() {
        if network.classes[..place].iter().any(|other| other.name == class.name) {
            return Err(NetworkError::Name { name: class.name.clone() });
        }
    }
    let classes = network.classes.len().max(1) as u64;
    let count = (network.stations.len() + network.sinks.len()) as u64 * classes;
    // Beside them a token has six flags on a device.
    let most = u64::from(u32::MAX >> 6);
    if count > most {
        return Err(NetworkError::TooMany { what: "classes at stations and sinks", count, most });
    }
    memory::room_of(count * size_of::<VisitRules>() as u64, "the classes at the stations and sinks")?;
    let known = |class: u32| class == NO_CLASS || (class as usize) < network.classes.len().max(1);
    let of_stations = network.stations.iter().flat_map(|station| station.further.iter().flat_map(|more| &more.classes));
    let named =
        of_stations.map(|of| of.class.0).chain(network.sources.iter().filter_map(|source| source.class.map(|c| c.0)));
    let of_traces = network.sources.iter().filter_map(|source| source.trace.as_ref()).flat_map(|trace| &trace.rows);
    let named = named.chain(of_traces.filter_map(|(_, class, _)| class.map(|class| class.0)));
    let named = named.chain(network.routes.iter().flat_map(|route| [route.class, route.becomes]));
    match named.into_iter().find(|class| !known(*class)) {
        Some(class) => Err(NetworkError::NoClass { class, classes: network.classes.len() }),
        None => Ok(()),
    }
}

pub(super) fn target(network: &Network, to: Option<Destination>) -> u32 {
    match to {
        None => Rules::LOST,
        Some(Destination::Station(station)) => station.0,
        Some(Destination::Sink(sink)) => network.stations.len() as u32 + sink.0,
    }
}

/// Why `preemptive = true` would change nothing at a station, if so.
fn without_preemption(network: &Network, further: &Further) -> Option<&'static str> {
    if further.discipline == Discipline::LastComePreemptive {
        return Some("left out, as by lcfs-preemptive everyone who comes interrupts");
    }
    let alike = network.classes.windows(2).all(|pair| pair[0].priority == pair[1].priority);
    alike.then_some("left out, as only a higher priority interrupts, and here all have the same")
}

fn station_rules(network: &Network, place: usize) -> Result<StationRules, NetworkError> {
    let (station, plain) = (&network.stations[place], Further::default());
    let further = station.further.as_deref().unwrap_or(&plain);
    let wrong = further.balking.iter().find(|share| !(0.0..=1.0).contains(*share));
    if let Some(share) = wrong {
        return Err(parameter(&station.name, "a probability of balking", Written(*share), "from 0 to 1"));
    }
    if let Some((what, value, allowed)) = further.shifts.as_ref().and_then(|shifts| shifts.fault()) {
        return Err(parameter(&station.name, what, Written(value), allowed));
    }
    let of_few = [
        ("a discipline", further.discipline != Discipline::FirstCome),
        ("preemption", further.preemptive),
        ("patience", further.is_impatient()),
        ("shifts", further.shifts.is_some()),
        ("failures", further.failures.is_some()),
        ("set-up times", further.setup.is_some()),
        ("vacations", further.vacation.is_some()),
    ];
    let beside = of_few[1..].iter().find(|(_, is_there)| further.discipline == Discipline::Sharing && *is_there);
    if let Some((what, _)) = beside {
        let allowed = format!("another one, as the station has {what}, and where all share nobody waits");
        return Err(parameter(&station.name, "the discipline", "ps", &allowed));
    }
    // Who has no units waits.
    let waits = |what: &str| !further.seizes.is_empty() && ["a discipline", "patience"].contains(&what);
    let beside = |(what, is_there): &(&str, bool)| further.infinite && *is_there && !waits(what);
    if let Some((what, _)) = of_few.into_iter().find(beside) {
        let allowed = format!("a number, as it has {what}");
        return Err(parameter(&station.name, "the number of servers", "infinite", &allowed));
    }
    let itself = |to: Option<Destination>| to.is_some_and(|to| target(network, Some(to)) as usize == place);
    if itself(further.balks_to) {
        let what = "the destination of those that balk";
        return Err(parameter(&station.name, what, "the station itself", "another station or a sink"));
    }
    if let Some((what, value, allowed)) = resources::refused(further) {
        return Err(parameter(&station.name, what, value, allowed));
    }
    if let Some(allowed) = without_preemption(network, further).filter(|_| further.preemptive) {
        return Err(parameter(&station.name, "preemptive", "true", allowed));
    }
    let has_room_for_all = station.capacity.is_none() && further.classes.iter().all(|of| of.capacity.is_none());
    if further.blocks && has_room_for_all {
        return Err(parameter(&station.name, "the capacity", "unlimited", "a number, as it blocks where it is full"));
    }
    let kinds = [further.before, further.exchanges, further.repeats.is_some()];
    if kinds.into_iter().filter(|is_there| *is_there).count() > 1 {
        let allowed = "one of blocking before the service, exchanges and repetition";
        return Err(parameter(&station.name, "the kind of its blocking", "several of them", allowed));
    }
    check_rooms(station, further)?;
    if let (Some(_), Some(vacation)) = (&further.setup, &further.vacation) {
        let allowed = "left out, as the station has set-up times";
        return Err(parameter(&station.name, "the law of vacations", vacation, allowed));
    }
    let absence = |key, of: &Option<ServiceLaw>| of.as_ref().map(|of| law(station, key, of)).transpose();
    let (setup, vacation) = (absence("setup", &further.setup)?, absence("vacation", &further.vacation)?);
    let speeds = speeds(station, further)?;
    let weights = weights(network, station, further)?;
    if let Some(shifts) = further.shifts.as_ref().filter(|_| further.by_use) {
        let allowed = "left out, as the servers fail by use, each for itself";
        return Err(parameter(&station.name, "the number of steps of the shifts", shifts.steps.len(), allowed));
    }
    let failures = match &further.failures {
        Some([up, down]) => Some([law(station, "failures", up)?, law(station, "failures", down)?]),
        None => None,
    };
    let (order, preempts) = match further.discipline {
        Discipline::FirstCome => (Order::FirstCome, false),
        Discipline::LastCome => (Order::LastCome, false),
        Discipline::LastComePreemptive => (Order::LastCome, true),
        Discipline::Random => (Order::Random, false),
        Discipline::ShortestJob => (Order::ShortestJob, false),
        Discipline::Sharing => (Order::Sharing, false),
    };
    let preemption = match (preempts, further.preemptive) {
        (true, _) => Preemption::OfAll,
        (false, true) => Preemption::OfLower,
        (false, false) => Preemption::Never,
    };
    Ok(StationRules {
        order,
        preemption,
        infinite: further.infinite,
        balking: further.balking.iter().map(|share| (share * DRAWS).round() as u64).collect(),
        balks_to: target(network, further.balks_to),
        reneges_to: target(network, further.reneges_to),
        routing: further.routing,
        blocks: further.blocks,
        before: further.before,
        stops: false,
        holds: false,
        exchanges: further.exchanges,
        repeats: further.repeats,
        roster: further.shifts.as_ref().map(Roster::new),
        speeds,
        weights,
        failures,
        joins: further.joins,
        seizes: resources::needs((network, station), "a number of units that it seizes", &further.seizes)?,
        seizes_early: further.seizes_early,
        releases: resources::needs((network, station), "a number of units that it releases", &further.releases)?,
        by_use: further.by_use,
        setup,
        vacation,
    })
}

impl StationRules {
    /// How many servers work, in the long run.
    fn mean_servers(&self, station: &Station) -> f64 {
        let long = Time::from_ticks(1 << 62);
        let on_duty = self.roster.as_ref().map_or(f64::from(station.servers), |roster| roster.mean(Time::ZERO, long));
        let failures = station.further.as_ref().and_then(|more| more.failures.as_ref());
        // Where very many wait the last speed holds.
        let on_duty = on_duty * self.speed(u64::MAX) as f64 / DRAWS;
        on_duty * failures.map_or(1.0, |[up, down]| up.mean() / (up.mean() + down.mean()))
    }
}

fn law(station: &Station, key: &'static str, law: &ServiceLaw) -> Result<EffectiveLaw, NetworkError> {
    law.check().map_err(|error| NetworkError::Law { kind: "station", name: station.name.clone(), key, error })?;
    Ok(law.effective(None))
}

/// The tokens of a class at time 0. Where 32 bits do not hold them there are too many in any case.
pub(super) fn tokens_of(station: &Station, class: u32) -> u32 {
    let own = station.further.iter().flat_map(|more| &more.classes).filter(|of| of.class.0 == class);
    let first = if class == 0 { station.tokens } else { 0 };
    own.fold(first, |tokens, of| tokens.saturating_add(of.tokens))
}

fn visit_rules(
    station: &Station,
    class: u32,
    (edges, is_reached): (std::ops::Range<u32>, bool),
) -> Result<VisitRules, NetworkError> {
    let further = station.further.as_deref();
    let own = || further.into_iter().flat_map(|more| &more.classes).filter(|of| of.class.0 == class);
    let service = station.service_of(class as usize);
    let patience = own().filter_map(|of| of.patience.as_ref()).next_back();
    let patience = patience.or(further.and_then(|more| more.patience.as_ref()));
    Ok(VisitRules {
        law: law(station, "service", service)?,
        mean: Time::from_units(service.mean()).unwrap_or(Time::ZERO),
        patience: patience.map(|patience| law(station, "patience", patience)).transpose()?,
        capacity: own().filter_map(|of| of.capacity).next_back().unwrap_or(u32::MAX),
        tokens: tokens_of(station, class),
        first: edges.start,
        end: edges.end,
        is_reached,
        shift: None,
    })
}

/// The routes, station by station, each station's in their order.
struct Ways<'a> {
    routes: Vec<&'a super::Route>,
    first: Vec<usize>,
}

impl<'a> Ways<'a> {
    fn new(network: &'a Network) -> Self {
        let mut routes: Vec<&super::Route> = network.routes.iter().collect();
        routes.sort_by_key(|route| route.from.0);
        let first = |station: usize| routes.partition_point(|route| (route.from.0 as usize) < station);
        Self { first: (0..=network.stations.len()).map(first).collect(), routes }
    }

    /// Those of a class from a station: its own, where it has any.
    fn of(&self, station: u32, class: u32) -> impl Iterator<Item = &'a super::Route> {
        let row = &self.routes[self.first[station as usize]..self.first[station as usize + 1]];
        let taken = if row.iter().any(|route| route.class == class) { class } else { NO_CLASS };
        row.iter().copied().filter(move |route| route.class == taken)
    }
}

fn row(
    (network, ways): (&Network, &Ways<'_>),
    rules: &Rules,
    (station, class): (u32, u32),
    is_reached: bool,
) -> Result<Vec<ClassEdge>, NetworkError> {
    let routes: Vec<_> = ways.of(station, class).collect();
    let name = || rules.name_at(&network.stations[station as usize].name, class as usize);
    if routes.is_empty() {
        return if is_reached { Err(NetworkError::NoWayOut { station: name() }) } else { Ok(vec![]) };
    }
    check_ways(network, rules, station, &routes)?;
    let sum: f64 = routes.iter().map(|route| route.probability).sum();
    let by_chance = rules.stations[station as usize].routing == Routing::Random;
    if by_chance && (sum - 1.0).abs() > TOLERANCE {
        return Err(NetworkError::Probabilities { station: name(), sum });
    }
    let (mut before, last) = (0.0, routes.len() - 1);
    let edge = |(place, route): (usize, &&super::Route)| {
        before += route.probability;
        // The draws up to here, at least one and not all.
        let draws = (before / sum * DRAWS).round().clamp(1.0, DRAWS - 1.0) as u32 - 1;
        ClassEdge {
            upper: if place == last { u32::MAX } else { draws },
            target: target(network, Some(route.to)),
            delay: Time::from_units(route.delay).unwrap_or(Time::ZERO),
            becomes: if route.becomes == NO_CLASS { class } else { route.becomes },
        }
    };
    Ok(routes.iter().enumerate().map(edge).collect())
}

/// Which classes come to which stations.
fn reached((network, ways): (&Network, &Ways<'_>), rules: &Rules) -> Vec<bool> {
    let (stations, classes) = (network.stations.len(), rules.names.len());
    let mut reached = vec![false; stations * classes];
    let sources = network.sources.iter().zip(&rules.sources).zip(&rules.source_classes);
    let sent = |((source, rules), class): ((&Source, &SourceRules), &u32)| {
        let to = source.to.0;
        rules.classes(*class).into_iter().map(move |class| (to, class))
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
        let aside = [rules.balks_to, rules.reneges_to].map(|to| (to, class));
        let next = |route: &super::Route| {
            (target(network, Some(route.to)), if route.becomes == NO_CLASS { class } else { route.becomes })
        };
        let all = ways.of(station, class).map(next).chain(aside);
        open.extend(all.filter(|(to, _)| (*to as usize) < stations));
    }
    reached
}

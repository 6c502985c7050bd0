//! The rate of tokens along each way of a network.

use super::model::{Edge, Rules};
use super::{NetworkModel, NetworkOutcome, Routing};

/// Where a way begins or ends, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Source(u32),
    Station(u32),
    Sink(u32),
}

/// Why tokens take a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A source sends them, or they have been served.
    Route,
    Balking,
    Reneging,
    /// They find no room.
    Full,
}

/// A way between two places, of all classes together.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    #[doc(hidden)]
    pub from: End,
    #[doc(hidden)]
    pub to: End,
    #[doc(hidden)]
    pub cause: Cause,
    /// Tokens a time unit; `None` where neither the counts nor the probabilities give the rate.
    #[doc(hidden)]
    pub rate: Option<f64>,
}

/// All ways of a network whose stations are in lists.
///
/// Tokens of a source, tokens that balk and tokens that renege are counted. The tokens on a route that probabilities choose are the
/// services that ended at the station times the probability. Where the routing looks at the stations, a way has the rest of the
/// counts of its ends.
pub fn flows(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<Flow> {
    let counts = Counts { model, outcomes, measured: outcomes.iter().map(|o| o.stations.measured()).sum() };
    let mut all = Ways { stations: model.stations(), flows: vec![] };
    for source in 0..model.sources() {
        let sent = counts.sent(source);
        let (targets, choice) = (model.sent_to(source), model.rules().sources[source as usize].choice);
        let rate = sent.zip(choice.map_or(Some(1.0), |choice| choice.share())).map(|(sent, share)| sent * share);
        for target in targets {
            all.add(End::Source(source), Some(End::Station(target)), Cause::Route, rate);
        }
    }
    for station in 0..model.stations() {
        routes_of(station, &counts, &mut all);
        departures_of(station, &counts, &mut all);
    }
    all.settle(&counts);
    all.flows
}

/// The counts of all replications together.
struct Counts<'a> {
    model: &'a NetworkModel,
    outcomes: &'a [NetworkOutcome],
    measured: f64,
}

impl Counts<'_> {
    fn rate(&self, count: u64) -> Option<f64> {
        (self.measured > 0.0).then(|| count as f64 / self.measured)
    }

    /// Tokens of a source.
    fn sent(&self, source: u32) -> Option<f64> {
        self.rate(self.outcomes.iter().map(|outcome| outcome.sources[source as usize]).sum())
    }

    /// Services of a class that ended at a station.
    fn served(&self, station: u32, class: u32) -> Option<f64> {
        let completions = |outcome: &NetworkOutcome| {
            let place = (station * self.model.class_count() + class) as usize;
            let of_class = outcome.classes.get(place).map(|class| class.record.completions);
            of_class.unwrap_or_else(|| outcome.stations.facilities[station as usize].completions)
        };
        self.rate(self.outcomes.iter().map(completions).sum())
    }

    /// All tokens that came to a place.
    fn came(&self, to: End) -> Option<f64> {
        let count = |outcome: &NetworkOutcome| match to {
            End::Source(_) => 0,
            End::Station(station) => outcome.stations.facilities[station as usize].arrivals,
            End::Sink(sink) => outcome.sinks[sink as usize].tokens,
        };
        self.rate(self.outcomes.iter().map(count).sum())
    }

    /// All services that ended at a station, if each of them sends one token on.
    fn left(&self, from: End) -> Option<f64> {
        let station = match from {
            End::Source(source) => return self.sent(source),
            End::Station(station) => station,
            End::Sink(_) => return None,
        };
        let forks = self.model.rules_of(station).splits_tokens();
        let served = |class| self.served(station, class);
        (!forks && !repeats(self.model, station))
            .then(|| (0..self.model.class_count()).map(served).sum::<Option<f64>>())
            .flatten()
    }
}

/// Whether a service there may be repeated for lack of room behind it, so that more services end than tokens leave.
fn repeats(model: &NetworkModel, station: u32) -> bool {
    let rules = model.rules();
    let blocks = |edge: &Edge| rules.stations.get(edge.target as usize).is_some_and(|target| target.repeats.is_some());
    model.row(station).iter().any(blocks)
}

/// The ways behind a service.
fn routes_of(station: u32, counts: &Counts<'_>, all: &mut Ways) {
    let model = counts.model;
    let is_counted = !repeats(model, station);
    for class in 0..model.class_count() {
        let visit = model.rules().visit(station, class);
        if !visit.is_reached {
            continue;
        }
        let edges = &model.edges()[visit.first as usize..visit.end as usize];
        let routing = model.rules_of(station).routing;
        let served = counts.served(station, class).filter(|_| is_counted);
        let (mut before, count) = (0.0, edges.len());
        for &Edge { upper, target, .. } in edges {
            let share = (f64::from(upper) + 1.0) / 4_294_967_296.0 - before;
            before += share;
            let share = match routing {
                _ if count == 1 => Some(1.0),
                Routing::Random => Some(share),
                Routing::RoundRobin => Some(1.0 / count as f64),
                Routing::Fork => Some(1.0),
                _ => None,
            };
            let rate = served.zip(share).map(|(served, share)| served * share);
            all.add(End::Station(station), all.end(target), Cause::Route, rate);
        }
    }
}

/// The ways of tokens that balk or renege there or find no room, unless they leave for good.
fn departures_of(station: u32, counts: &Counts<'_>, all: &mut Ways) {
    let rules = counts.model.rules();
    let (of_station, classes) = (&rules.stations[station as usize], rules.classes());
    let place = (station * classes) as usize..((station + 1) * classes) as usize;
    let of = |count: fn(&super::ClassRecord) -> u64| {
        let records = counts.outcomes.iter().filter_map(|outcome| outcome.classes.get(place.clone()));
        counts.rate(records.flatten().map(count).sum())
    };
    if !of_station.balking.is_empty() {
        all.add(End::Station(station), all.end(of_station.balks_to), Cause::Balking, of(|class| class.balked));
    }
    if of_station.full_to != Rules::LOST {
        let lost = of(|class| class.record.losses);
        all.add(End::Station(station), all.end(of_station.full_to), Cause::Full, lost);
    }
    if (0..classes).any(|class| rules.visit(station, class).is_impatient()) {
        all.add(End::Station(station), all.end(of_station.reneges_to), Cause::Reneging, of(|class| class.gave_up()));
    }
}

/// The ways found so far.
struct Ways {
    stations: u32,
    flows: Vec<Flow>,
}

impl Ways {
    /// A station, or beyond the stations a sink; nothing where tokens are lost.
    fn end(&self, target: u32) -> Option<End> {
        let sink = || (target < u32::MAX).then(|| End::Sink(target - self.stations));
        if target < self.stations { Some(End::Station(target)) } else { sink() }
    }

    /// More tokens on a way. One unknown rate makes the sum unknown.
    fn add(&mut self, from: End, to: Option<End>, cause: Cause, rate: Option<f64>) {
        let Some(to) = to else { return };
        match self.flows.iter_mut().find(|flow| (flow.from, flow.to, flow.cause) == (from, to, cause)) {
            Some(flow) => flow.rate = flow.rate.zip(rate).map(|(one, more)| one + more),
            None => self.flows.push(Flow { from, to, cause, rate }),
        }
    }

    /// Finds rates that are the only unknown ones at an end whose sum is counted, as long as there are such rates.
    fn settle(&mut self, counts: &Counts<'_>) {
        let mut places: Vec<(End, bool)> = vec![];
        for flow in self.flows.iter().filter(|flow| flow.rate.is_none()) {
            places.extend([(flow.to, true), (flow.from, false)]);
        }
        loop {
            let found = places.iter().find_map(|(end, inward)| {
                let at = |flow: &Flow| match inward {
                    true => flow.to == *end,
                    false => flow.from == *end && flow.cause == Cause::Route,
                };
                let all = if *inward { counts.came(*end) } else { counts.left(*end) };
                let mut open = (0..self.flows.len()).filter(|place| at(&self.flows[*place]));
                let known: f64 = self.flows.iter().filter(|flow| at(flow)).filter_map(|flow| flow.rate).sum();
                let unknown: Vec<usize> = open.by_ref().filter(|place| self.flows[*place].rate.is_none()).collect();
                if let [only] = unknown[..] { all.map(|all| (only, (all - known).max(0.0))) } else { None }
            });
            let Some((place, rate)) = found else { return };
            self.flows[place].rate = Some(rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Source, Station};
    use tickless_core::run::unwatched;
    use tickless_device::Target;

    fn ran(network: Network) -> (NetworkModel, Vec<NetworkOutcome>) {
        let model = network.check().unwrap();
        let run = crate::run(&model, 0..2, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        (model, run.outcome)
    }

    /// A source of one token a unit, two desks behind it, and an exit.
    fn two_desks(routing: Routing, probabilities: [f64; 2]) -> (NetworkModel, Vec<NetworkOutcome>) {
        let mut network = Network::new().until(2000.0).seed(3);
        let door = network.station(Station::new("door", "constant:0.1".parse().unwrap()).routing(routing));
        let [left, right] =
            ["left", "right"].map(|name| network.station(Station::new(name, "exponential:1".parse().unwrap())));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:1".parse().unwrap(), door));
        network.route(door, left, probabilities[0], 0.0);
        network.route(door, right, probabilities[1], 0.0);
        network.route(left, exit, 1.0, 0.0);
        network.route(right, exit, 1.0, 0.0);
        ran(network)
    }

    fn rate(all: &[Flow], from: End, to: End) -> f64 {
        all.iter().find(|flow| (flow.from, flow.to) == (from, to)).and_then(|flow| flow.rate).unwrap()
    }

    #[test]
    fn probabilities_divide_what_was_served() {
        let (model, outcomes) = two_desks(Routing::Random, [0.25, 0.75]);
        let all = flows(&model, &outcomes);
        assert_eq!(all.len(), 5);
        let served = outcomes.iter().map(|o| o.stations.facilities[0].completions).sum::<u64>() as f64 / 4000.0;
        let [left, right] = [1, 2].map(|desk| rate(&all, End::Station(0), End::Station(desk)));
        assert!((left - 0.25 * served).abs() < 1e-6 && (right - 0.75 * served).abs() < 1e-6, "{left} {right}");
        assert!((rate(&all, End::Source(0), End::Station(0)) - 1.0).abs() < 0.1);
    }

    /// Where the routing looks at the queues, the counts of arrivals give the rates.
    #[test]
    fn counts_tell_what_no_probability_says() {
        let (model, outcomes) = two_desks(Routing::ShortestQueue, [1.0, 1.0]);
        let all = flows(&model, &outcomes);
        for desk in [1, 2] {
            let came = outcomes.iter().map(|o| o.stations.facilities[desk as usize].arrivals).sum::<u64>() as f64;
            let found = rate(&all, End::Station(0), End::Station(desk));
            assert!((found - came / 4000.0).abs() < 1e-12, "{found} {came}");
        }
        // Tokens that come while both stations are empty go to the left.
        assert!(rate(&all, End::Station(0), End::Station(1)) > rate(&all, End::Station(0), End::Station(2)));
    }

    #[test]
    fn who_leaves_early_has_a_way() {
        let network = Network::from_toml(include_str!("../../examples/networks/emergency.toml")).unwrap();
        let (model, outcomes) = ran(network.until(6000.0));
        let all = flows(&model, &outcomes);
        let of = |cause| all.iter().filter(|flow| flow.cause == cause).collect::<Vec<_>>();
        let [balking, reneging] = [Cause::Balking, Cause::Reneging].map(of);
        assert_eq!((balking.len(), reneging.len()), (1, 1));
        let gone: u64 = outcomes.iter().map(|outcome| outcome.sinks[1].tokens).sum();
        let both = balking[0].rate.unwrap() + reneging[0].rate.unwrap();
        assert!((both - gone as f64 / 6000.0).abs() < 1e-9 && gone > 0, "{both} {gone}");
    }
}

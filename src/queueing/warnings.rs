//! What routes say of a network before its run: queues that grow without end, tokens that cannot leave, losses; and how many tokens are
//! likely where.

use super::describe::{DRAWS, Network, Routing};
use super::model::{Inflow, Loads, NetworkWarning, Rules, StationRules};
use super::traffic::Matrix;

/// The load from which on a queue grows without end: 1, but for rounding.
const CRITICAL: f64 = 1.0 - 1e-9;

/// Loads above this one, up to 1, count as this: their lines depend on how long a network runs.
const LARGEST_LOAD: f64 = 0.97;
/// A line of one server is longer than ln(this) / ln(load) with this probability.
const HARDLY: f64 = 1e-7;

/// A network with its routes, by class at station.
pub(super) struct Routed<'a> {
    pub(super) network: &'a Network,
    pub(super) rules: &'a Rules,
    pub(super) inflows: &'a [Inflow],
    pub(super) matrix: &'a Matrix<'a>,
    /// Tokens of each station at time 0.
    pub(super) tokens: &'a [u32],
}

impl Routed<'_> {
    /// The warnings, from the arrival rates by class at station.
    pub(super) fn warnings(&self, stuck: Option<usize>, rates: Option<&[f64]>) -> Vec<NetworkWarning> {
        if self.rules.changes_numbers() {
            return vec![];
        }
        if self.network.sources.is_empty() && self.network.sinks.is_empty() {
            return self.loses().into_iter().collect();
        }
        match stuck {
            // Tokens that balk or renege leave.
            Some(_)
                if self.rules.stations.iter().zip(&self.network.stations).any(|(rules, station)| {
                    !rules.balking.is_empty() || station.further.as_ref().is_some_and(|more| more.is_impatient())
                }) =>
            {
                vec![]
            }
            Some(place) => vec![NetworkWarning::NoExit { station: self.network.stations[place].name.clone() }],
            None => rates.and_then(|rates| self.overload(rates)).into_iter().collect(),
        }
    }

    /// A station to which tokens come from a source and from which they cannot leave the network.
    pub(super) fn stuck(&self) -> Option<usize> {
        let drained = self.matrix.drained();
        let fed = self.matrix.reached(self.fed());
        Some(fed.iter().zip(&drained).position(|(fed, drained)| *fed && !drained)? / self.classes())
    }

    fn classes(&self) -> usize {
        self.rules.names.len()
    }

    /// A station of a closed network that loses tokens for ever.
    fn loses(&self) -> Option<NetworkWarning> {
        let all = self.tokens.iter().sum();
        let of_class = |place: usize| self.rules.visits[place * self.classes()..].iter().take(self.classes());
        let room = |place: usize| {
            // With other classes, fewer tokens may be of this one.
            let of_classes = of_class(place).map(|visit| visit.capacity).filter(|_| self.classes() == 1);
            of_classes.chain(self.network.stations[place].capacity).min().filter(|room| *room < all)
        };
        let short = (0..self.tokens.len())
            .filter(|place| !self.rules.stations[*place].blocks && self.rules.stations[*place].full_to == Rules::LOST);
        let (place, capacity) = short.into_iter().find_map(|place| Some((place, room(place)?)))?;
        let station = self.network.stations[place].name.clone();
        Some(NetworkWarning::ClosedWithLosses { station, capacity, tokens: all })
    }

    /// The stations to which sources send tokens.
    fn fed(&self) -> impl Iterator<Item = usize> + '_ {
        self.targets_of_sources().flat_map(move |(source, target)| {
            let (classes, first) = (self.rules.sources[source].classes(self.rules.source_classes[source]), target);
            classes.into_iter().map(move |class| first * self.classes() + class as usize)
        })
    }

    /// The stations of the sources and the rates of their tokens, in the long run.
    fn sent(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.targets_of_sources().map(|(place, target)| {
            let (source, class) = (&self.network.sources[place], self.rules.source_classes[place]);
            // A trace has an end.
            let ends = source.limit.is_some() || source.trace.is_some();
            let rate = if ends { 0.0 } else { source.mean_batch() / source.interval.mean() };
            // Where no chance decides, each station has the same share.
            let among = self.rules.sources[place].choice.map_or(1, |choice| choice.count);
            (target * self.classes() + class as usize, rate / f64::from(among))
        })
    }

    /// Every source with each station that it sends tokens to.
    fn targets_of_sources(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let sources = self.inflows.iter().enumerate();
        sources.flat_map(|(source, inflow)| {
            let targets = self.rules.sent_to(source, inflow.target);
            targets.into_iter().map(move |target| (source, target as usize))
        })
    }

    /// Arrival rates by class at station in the long run, where routes give them: not of closed networks, of tokens that cannot leave, and of
    /// copies, which are further tokens.
    pub(super) fn rates(&self, stuck: Option<usize>) -> Option<Vec<f64>> {
        if self.rules.changes_numbers() || self.network.sources.is_empty() || stuck.is_some() {
            return None;
        }
        let mut outside = vec![0.0; self.rules.visits.len()];
        self.sent().for_each(|(node, rate)| outside[node] += rate);
        self.matrix.rates(&outside, &self.most_rates())
    }

    /// What is likely to be there, from the arrival rates by class at station.
    pub(super) fn loads(&self, rates: &[f64]) -> Loads {
        let served: Vec<f64> = rates.iter().zip(self.most_rates()).map(|(rate, most)| rate.min(most)).collect();
        let servers = self.servers();
        let in_service = |(station, servers): (usize, &f64)| {
            let nodes = station * self.classes()..(station + 1) * self.classes();
            let busy = |node: usize| Some(served[node] * self.mean_service(node)).filter(|mean| mean.is_finite());
            let capacity = self.network.stations[station].capacity.map_or(f64::INFINITY, f64::from);
            let most = if self.rules.stations[station].infinite { f64::INFINITY } else { *servers };
            nodes.filter_map(busy).sum::<f64>().min(most).min(capacity)
        };
        let in_service: Vec<f64> = servers.iter().enumerate().map(in_service).collect();
        let on_their_way = |node: usize| served[node] * self.mean_delay(node);
        // Lines as of one server that works as fast as all, which are the longest.
        let load = |(station, servers): (usize, &f64)| {
            let has_line = !self.rules.stations[station].infinite && self.network.stations[station].capacity.is_none();
            let load = Some(in_service[station] / servers).filter(|load| has_line && *load > 0.0 && *load < 1.0);
            load.map(|load| load.min(LARGEST_LOAD))
        };
        let loads: Vec<f64> = servers.iter().enumerate().filter_map(load).collect();
        Loads {
            on_their_way: (0..rates.len()).map(on_their_way).sum(),
            sent: self.sent().map(|(_, rate)| rate).sum(),
            in_lines: loads.iter().map(|load| load / (1.0 - load)).sum(),
            variance: loads.iter().map(|load| load / (1.0 - load).powi(2)).sum(),
            longest_line: loads.iter().map(|load| HARDLY.ln() / load.ln()).fold(0.0, f64::max),
            in_service,
        }
    }

    /// The mean number of servers of each station.
    fn servers(&self) -> Vec<f64> {
        let all = self.network.stations.iter().zip(&self.rules.stations);
        all.map(|(station, rules)| rules.mean_servers(station)).collect()
    }

    fn mean_service(&self, node: usize) -> f64 {
        let visit = &self.rules.visits[node];
        if visit.size.is_some() {
            return visit.mean.units();
        }
        self.network.stations[node / self.classes()].mean_service_of(node % self.classes())
    }

    /// The mean time to the next place, in time units.
    fn mean_delay(&self, node: usize) -> f64 {
        let visit = &self.rules.visits[node];
        let (mut mean, mut below) = (0.0, 0.0);
        for edge in &self.rules.edges[visit.first as usize..visit.end as usize] {
            let upper = (f64::from(edge.upper) + 1.0) / DRAWS;
            mean += (upper - below) * edge.delay.units();
            below = upper;
        }
        mean
    }

    /// The most services of each class at each station, which are known where there is only one class.
    fn most_rates(&self) -> Vec<f64> {
        let (classes, servers) = (self.classes(), self.servers());
        let is_known = |node: usize| classes == 1 && !self.rules.stations[node].infinite;
        let most = |node: usize| if is_known(node) { servers[node] / self.mean_service(node) } else { f64::INFINITY };
        (0..self.rules.visits.len()).map(most).collect()
    }

    /// By class at station, whether its arrivals depend on what stations hold: nobody knows them before a run.
    fn chosen(&self) -> Vec<bool> {
        let chooses = |node: &usize| {
            let (routing, first) = (self.rules.stations[node / self.classes()].routing, self.matrix.first);
            (routing.counts() || routing == Routing::FirstFree) && first[node + 1] - first[*node] > 1
        };
        let all = (0..self.rules.visits.len()).filter(chooses);
        let is_known = |source: usize| self.rules.sources[source].choice.is_none_or(|choice| choice.share().is_some());
        let sent = self.targets_of_sources().filter(|(source, _)| !is_known(*source));
        let sent = sent.flat_map(|(_, target)| target * self.classes()..(target + 1) * self.classes());
        self.matrix.reached(all.flat_map(|node| self.matrix.targets_of(node)).chain(sent))
    }

    /// The station with the largest load, of those with unlimited queues of patient tokens whose load is known and 1 or more. The number of
    /// tokens lost before is known only after the run: behind losses the load is an upper bound.
    fn overload(&self, rates: &[f64]) -> Option<NetworkWarning> {
        let (classes, network) = (self.classes(), self.network);
        let servers = self.servers();
        let mean = |node: usize| self.mean_service(node);
        let loses = |node: &usize| rates[*node] > 0.0 && self.loses_at(*node);
        let behind = (0..rates.len()).filter(loses).flat_map(|node| self.matrix.targets_of(node));
        let bounded = self.matrix.reached(behind);
        let nodes = |place: usize| place * classes..(place + 1) * classes;
        let load = |place: usize| nodes(place).map(|node| rates[node] * mean(node)).sum::<f64>() / servers[place];
        let is_bounded = |place: usize| nodes(place).any(|node| bounded[node] || loses(&node));
        let chosen = self.chosen();
        let is_known = |place: usize| nodes(place).all(|node| rates[node] == 0.0 || !chosen[node]);
        let grows = (0..servers.len()).filter(|place| self.grows(*place) && is_known(*place));
        let loads = grows.map(|place| (place, load(place), is_bounded(place)));
        let unstable: Vec<_> = loads.filter(|(_, load, _)| *load >= CRITICAL).collect();
        // A station that is certainly overloaded comes first.
        let &(place, load, at_most) = unstable.iter().max_by(|a, b| b.2.cmp(&a.2).then(a.1.total_cmp(&b.1)))?;
        let (station, others) = (network.stations[place].name.clone(), unstable.len() as u32 - 1);
        Some(NetworkWarning::Unstable { station, load, at_most, others })
    }

    /// Whether the queue of a station may grow without end when overloaded.
    fn grows(&self, place: usize) -> bool {
        let (station, rules): (_, &StationRules) = (&self.network.stations[place], &self.rules.stations[place]);
        if !rules.groups.is_empty() || rules.time_factors.is_some() {
            // How long a service takes depends on who serves, or when.
            return false;
        }
        let mut visits = self.rules.visits[place * self.classes()..].iter().take(self.classes());
        let has_patient = visits.any(|visit| visit.is_reached && !visit.is_impatient() && visit.capacity == u32::MAX);
        station.capacity.is_none() && !rules.infinite && rules.balking.is_empty() && has_patient
    }

    /// Whether tokens of a class leave a station by ways other than its routes.
    fn loses_at(&self, node: usize) -> bool {
        let (place, visit) = (node / self.classes(), &self.rules.visits[node]);
        self.network.stations[place].capacity.is_some()
            || visit.capacity < u32::MAX
            || visit.is_impatient()
            || !self.rules.stations[place].balking.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Routing;
    use crate::describe::{Class, ClassOfStation};
    use crate::{Network, Source, Station};

    fn station(name: &str, mean: f64) -> Station {
        Station::new(name, format!("exponential:{mean}").parse().unwrap())
    }

    fn source(mean: f64, to: crate::StationId) -> Source {
        Source::new("street", format!("exponential:{mean}").parse().unwrap(), to)
    }

    fn said(network: Network) -> Vec<String> {
        network.until(100.0).check().unwrap().warnings().iter().map(ToString::to_string).collect()
    }

    /// A desk that sends one token a unit to two others in turn: each gets half of them.
    #[test]
    fn routes_by_turns_share_the_tokens() {
        let by_turns = |mean| {
            let mut network = Network::new();
            let desk = network.station(station("desk", 0.5).routing(Routing::RoundRobin));
            let others = ["one", "other"].map(|name| network.station(station(name, mean)));
            let exit = network.sink("exit");
            network.source(source(1.0, desk));
            others.iter().for_each(|other| network.route(desk, *other, 1.0, 0.0));
            others.iter().for_each(|other| network.route(*other, exit, 1.0, 0.0));
            said(network)
        };
        assert_eq!(by_turns(1.2), <[String; 0]>::default());
        assert!(by_turns(2.4)[0].contains("station 'other' is offered 1.200"), "{:?}", by_turns(2.4));
    }

    /// Where tokens go to who is free, nobody knows how many come to a station before it runs, nor behind it.
    #[test]
    fn arrivals_that_depend_on_stations_are_not_known() {
        let of = |routing| {
            let mut network = Network::new();
            let desk = network.station(station("desk", 0.5).routing(routing));
            let others = ["one", "other"].map(|name| network.station(station(name, 2.4)));
            let [behind, exit] = [network.station(station("behind", 2.4)), network.station(station("last", 0.1))];
            let gone = network.sink("gone");
            network.source(source(1.0, desk));
            others.iter().for_each(|other| network.route(desk, *other, 1.0, 0.0));
            network.route(others[0], behind, 1.0, 0.0);
            network.route(others[1], exit, 1.0, 0.0);
            [behind, exit].into_iter().for_each(|last| network.route(last, gone, 1.0, 0.0));
            said(network)
        };
        for routing in [
            Routing::FirstFree,
            Routing::ShortestQueue,
            Routing::ShortestLine,
            Routing::FewestWaiting,
            Routing::ShortestResponse,
            Routing::ShortestOf(2),
            Routing::LeastWork,
        ] {
            assert_eq!(of(routing), <[String; 0]>::default(), "{routing}");
        }
        assert!(of(Routing::RoundRobin)[0].contains("is offered 1.200"), "{:?}", of(Routing::RoundRobin));
        // With one way there is no choice.
        let mut network = Network::new();
        let desk = network.station(station("desk", 0.5).routing(Routing::ShortestQueue));
        let other = network.station(station("other", 1.2));
        let exit = network.sink("exit");
        network.source(source(1.0, desk));
        network.route(desk, other, 1.0, 0.0);
        network.route(other, exit, 1.0, 0.0);
        assert!(said(network)[0].contains("station 'other' is offered 1.200"));
    }

    /// Tokens that find no room or lose patience make the load an upper bound; a class that never comes does not make a queue
    /// grow.
    #[test]
    fn limits_of_classes_are_limits() {
        let network = |both: bool| {
            let mut network = Network::new();
            let few = network.class(Class::new("few"));
            let many = network.class(Class::new("many"));
            let desk = network.station(station("desk", 1.0).class(ClassOfStation::new(few).capacity(3)));
            let exit = network.sink("exit");
            network.source(source(2.0, desk).class(few));
            if both {
                network.source(Source::new("yard", "exponential:0.5".parse().unwrap(), desk).class(many));
            }
            network.route(desk, exit, 1.0, 0.0);
            said(network)
        };
        assert_eq!(network(false), <[String; 0]>::default());
        assert!(network(true)[0].contains("offered up to 2.500") && network(true)[0].contains("may grow"));
    }

    /// Infinitely many servers pass on all arrivals.
    #[test]
    fn infinite_servers_hold_nobody_back() {
        let mut network = Network::new();
        let walk = network.station(station("walk", 10.0).infinite_servers());
        let desk = network.station(station("desk", 1.5));
        let exit = network.sink("exit");
        network.source(source(1.0, walk));
        network.route(walk, desk, 1.0, 0.0);
        network.route(desk, exit, 1.0, 0.0);
        assert!(said(network)[0].contains("station 'desk' is offered 1.500"));
    }

    /// Tokens of a trace are of the classes in its rows; stations that these do not reach need no exit.
    #[test]
    fn a_trace_brings_the_classes_of_its_rows() {
        let network = |has_exit| {
            let mut network = Network::new();
            network.class(Class::new("first"));
            let second = network.class(Class::new("second"));
            let desk = network.station(station("desk", 1.0));
            let exit = network.sink("exit");
            let trace = crate::Trace::new(vec![(1.0, Some(second), 1)]);
            network.source(Source::by_trace("street", trace, desk));
            let to: crate::Destination = if has_exit { exit.into() } else { desk.into() };
            network.add_route(crate::Route::new(desk, to).class(second));
            said(network)
        };
        assert_eq!(network(true), <[String; 0]>::default());
        assert!(network(false)[0].contains("no route leads out"), "{:?}", network(false));
    }

    /// The room for one class of several gives no losses of all classes.
    #[test]
    fn a_closed_network_loses_what_has_no_room() {
        let network = |classes: u32| {
            let mut network = Network::new();
            let all: Vec<_> = (0..classes).map(|class| network.class(Class::new(format!("c{class}")))).collect();
            let each = |desk: Station, class| desk.class(ClassOfStation::new(class).capacity(3).tokens(3));
            let desk = network.station(all.iter().fold(station("desk", 1.0), |desk, class| each(desk, *class)));
            let bench = network.station(station("bench", 1.0).tokens(1));
            network.route(desk, bench, 1.0, 0.0);
            network.route(bench, desk, 1.0, 0.0);
            said(network)
        };
        assert!(network(1)[0].contains("station 'desk' has room for 3 of 4"), "{:?}", network(1));
        assert_eq!(network(2), <[String; 0]>::default());
    }
}

//! Stations of closed networks of exponential stations (Gordon and Newell 1967).

use super::convolution::{Demand, Sum, poisson};
use super::{NetworkModel, Rows};
use crate::describe::Further;
use tickless_core::random::ServiceLaw;

/// The most stations: their visit ratios take time in the cube of their number.
const MOST_STATIONS: u32 = 1000;
/// The most products of the sums for all stations: there is a sum of all stations, and one without each.
const MOST_PRODUCTS: u128 = 1_000_000_000;

/// A closed network for which the product form is exact.
#[derive(Clone, Debug)]
pub struct ClosedNetwork {
    visits: Vec<f64>,
    services: Vec<f64>,
    /// `None` for infinitely many.
    servers: Vec<Option<u32>>,
    tokens: u32,
    sum: Sum,
}

/// A station of such a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Closed {
    tokens: u32,
    servers: Option<u32>,
    mean_service: f64,
    /// Arrivals a time unit.
    rate: f64,
    /// The share of the time with each number of tokens present.
    present: Vec<f64>,
    /// For each number, the share of arrivals that find at least so many tokens present.
    found: Vec<f64>,
}

impl ClosedNetwork {
    /// Every station is of exponential service, serves in the order of arrival and has room for all tokens, or has infinitely many
    /// servers; each leads at random to others, with any transit delay, and to every station in the end. No token comes in or leaves.
    /// `None` for more than [`MOST_STATIONS`], or sums longer than [`MOST_PRODUCTS`].
    pub(super) fn of(model: &NetworkModel) -> Option<Self> {
        let (stations, tokens) = (model.stations(), model.tokens());
        if model.sources() > 0 || tokens == 0 || stations > MOST_STATIONS {
            return None;
        }
        let listed = model.in_lists().ok()?;
        let (model, described) = (&*listed, &listed.description().stations);
        let description = model.description();
        if !(description.classes.is_empty() && description.resources.is_empty()) {
            return None;
        }
        let is_infinite = |of: &Option<Box<Further>>| of.as_ref().is_some_and(|more| more.infinite);
        let has_form = |(place, station): (u32, &crate::Station)| {
            let infinite = is_infinite(&station.further);
            let plain = Further { infinite, ..Further::default() };
            matches!(station.service, ServiceLaw::Exponential { .. })
                && model.shift(place).is_none()
                && station.capacity.is_none_or(|capacity| capacity >= tokens)
                && station.further.as_ref().is_none_or(|more| **more == plain)
        };
        if !(0..).zip(described).all(has_form) {
            return None;
        }
        let rows = Rows::of(model);
        if rows.targets.iter().any(|target| *target >= stations) {
            return None;
        }
        let servers: Vec<Option<u32>> =
            described.iter().map(|station| (!is_infinite(&station.further)).then_some(station.servers)).collect();
        let services: Vec<f64> = described.iter().map(|station| station.service.mean()).collect();
        // With at least as many servers as tokens no token waits.
        let queues = |servers: &Option<u32>| servers.filter(|servers| *servers < tokens);
        let visits = rows.matrix().cycle()?;
        let demand = |((visit, service), servers): ((&f64, &f64), &Option<u32>)| Demand {
            work: visit * service,
            servers: queues(servers),
        };
        let mut demands: Vec<Demand> = visits.iter().zip(&services).zip(&servers).map(demand).collect();
        // Tokens on their way do not wait.
        let on_the_way = visits.iter().zip(&rows.delays).map(|(visit, delay)| visit * delay).sum();
        demands.push(Demand { work: on_the_way, servers: None });
        if products(&demands, tokens) > MOST_PRODUCTS {
            return None;
        }
        let sum = Sum::new(demands, tokens as usize)?;
        Some(Self { visits, services, servers, tokens, sum })
    }

    pub(super) fn station(&self, place: usize) -> Option<Closed> {
        let rate = self.visits.get(place)? * self.sum.throughput();
        let [present, mut found] = self.sum.present(place);
        for number in (1..found.len()).rev() {
            found[number - 1] += found[number];
        }
        let (tokens, servers, mean_service) = (self.tokens, self.servers[place], self.services[place]);
        Some(Closed { tokens, servers, mean_service, rate, present, found })
    }
}

impl Closed {
    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    pub(super) fn mean_service(&self) -> f64 {
        self.mean_service
    }

    pub(super) fn mean_busy(&self) -> f64 {
        self.rate * self.mean_service
    }

    /// `None` for infinitely many.
    pub(super) fn servers(&self) -> Option<u32> {
        self.servers
    }

    /// The share of arrivals that find at least so many tokens present.
    fn finds(&self, number: usize) -> f64 {
        self.found.get(number).copied().unwrap_or(0.0)
    }

    /// The number of servers, if an arrival may find all of them busy.
    fn queue(&self) -> Option<u32> {
        self.servers.filter(|servers| *servers < self.tokens)
    }

    pub(super) fn mean_waiting_time(&self) -> f64 {
        let Some(servers) = self.queue() else { return 0.0 };
        let waits: f64 = self.found.iter().skip(servers as usize).sum();
        waits * self.mean_service / f64::from(servers)
    }

    /// The probability that a token waits no longer than this: it waits for one more end of a service than there are tokens before it,
    /// and meanwhile the ends of all servers are a Poisson process.
    pub(super) fn waiting_up_to(&self, time: f64) -> f64 {
        let Some(servers) = self.queue() else { return 1.0 };
        let longer: f64 = ends(servers, time / self.mean_service)
            .zip(servers as usize..)
            .map(|(share, number)| share * self.finds(number))
            .sum();
        1.0 - longer
    }

    /// The probability that waiting and service take no longer than this. If idle servers went on as well, each end would be that of the
    /// token's own service with the same probability once the service has begun.
    pub(super) fn system_up_to(&self, time: f64) -> f64 {
        let served = time / self.mean_service;
        let Some(servers) = self.queue() else { return -(-served).exp_m1() };
        let (first, stays) = (servers as usize, 1.0 - 1.0 / f64::from(servers));
        // The arrivals that are in service after so many ends.
        let mut in_service = 1.0 - self.finds(first);
        let mut longer = 0.0;
        for (number, share) in ends(servers, served).enumerate() {
            if number > 0 {
                let begins = self.finds(first + number - 1) - self.finds(first + number);
                in_service = in_service * stays + begins;
            }
            longer += share * (in_service + self.finds(first + number));
        }
        1.0 - longer
    }

    pub(super) fn present(&self, count: usize) -> Vec<f64> {
        self.present.iter().copied().take(count).collect()
    }
}

/// The number of products in the sums: for a station tokens times servers, and for all stations without waiting together half the square of
/// the tokens.
fn products(demands: &[Demand], tokens: u32) -> u128 {
    let queues: u128 = demands.iter().filter_map(|demand| demand.servers).map(u128::from).sum();
    let never_waits = demands.iter().any(|demand| demand.servers.is_none() && demand.work > 0.0);
    let each = queues + if never_waits { u128::from(tokens) / 2 } else { 0 };
    each * u128::from(tokens) * (demands.len() as u128 + 1)
}

/// The probabilities that 0, 1, 2, ... services end while all servers work for so many mean services; the rest is
/// negligible.
fn ends(servers: u32, services: f64) -> impl Iterator<Item = f64> {
    let mean = f64::from(servers) * services;
    poisson(mean, (mean + 12.0 * mean.sqrt() + 60.0) as usize).into_iter()
}

#[cfg(test)]
mod tests {
    use crate::describe::{Class, Discipline, Routing};
    use crate::theory::{Theories, Theory, theory};
    use crate::{Network, Source, Station, StationId, Topology};

    fn near(found: f64, known: f64, by: f64) {
        assert!((found - known).abs() <= by, "{found} instead of {known}");
    }

    /// A station: its service, its servers (0 for infinitely many), and the targets with their probabilities.
    type Line<'a> = (&'a str, u32, &'a [(usize, f64)]);

    /// All tokens begin at the first station.
    fn network(stations: &[Line<'_>], tokens: u32) -> (Network, Vec<StationId>) {
        let mut network = Network::new();
        let mut station = |(place, (service, servers, _)): (usize, &Line<'_>)| {
            let station = Station::new(place.to_string(), service.parse().unwrap());
            let station = if *servers == 0 { station.infinite_servers() } else { station.servers(*servers) };
            network.station(if place == 0 { station.tokens(tokens) } else { station })
        };
        let ids: Vec<StationId> = stations.iter().enumerate().map(&mut station).collect();
        for (from, (_, _, ways)) in ids.iter().zip(stations) {
            ways.iter().for_each(|(to, probability)| network.route(*from, ids[*to], *probability, 0.0));
        }
        (network, ids)
    }

    fn known(network: Network) -> Option<Vec<Theory>> {
        let model = network.check().unwrap();
        let all = theory(&model);
        assert!(!matches!(all, Theories::Open(_)));
        (0..model.stations()).map(|station| all.of(station)).collect()
    }

    /// Bolch, Greiner, de Meer, Trivedi, Queueing Networks and Markov Chains, 1998, example 8.1.
    #[test]
    fn a_published_network_has_its_values() {
        let ways: [&[(usize, f64)]; 2] = [&[(0, 0.133), (1, 0.667), (2, 0.2)], &[(0, 1.0)]];
        let stations = [
            ("exponential:1.25", 2, ways[0]),
            ("exponential:1.666666667", 3, ways[1]),
            ("exponential:2.5", 1, ways[1]),
        ];
        let all = known(network(&stations, 3).0).unwrap();
        let published = [[0.945, 0.590, 1.290, 1.366], [0.630, 0.350, 1.050, 1.667], [0.189, 0.473, 0.660, 3.496]];
        for (found, known) in all.iter().zip(published) {
            let found =
                [found.throughput(), found.utilization().unwrap(), found.mean_present(), found.mean_system_time()];
            found.iter().zip(known).for_each(|(found, known)| near(*found, known, 1.5e-3));
        }
        assert_eq!((all[0].name().as_str(), all[0].formula()), ("closed network", "Gordon and Newell"));
        near(all[0].present(4).unwrap().iter().sum(), 1.0, 1e-12);
        near(
            all[0].present(4).unwrap().iter().zip(0..).map(|(s, n)| s * f64::from(n)).sum(),
            all[0].mean_present(),
            1e-9,
        );
    }

    /// Cores, disks, and users that think.
    fn of_users(tokens: u32) -> Network {
        let stations: [Line<'_>; 3] = [
            ("exponential:7", 0, &[(1, 1.0)]),
            ("exponential:0.5", 1, &[(0, 0.25), (2, 0.75)]),
            ("exponential:2", 3, &[(1, 1.0)]),
        ];
        network(&stations, tokens).0
    }

    #[test]
    fn distributions_have_their_means() {
        for tokens in [1, 3, 4, 20] {
            for station in known(of_users(tokens)).unwrap() {
                let area = |up_to: &dyn Fn(f64) -> Option<f64>| {
                    (0..20_000).map(|n| 0.01 * (1.0 - up_to(0.01 * (f64::from(n) + 0.5)).unwrap())).sum::<f64>()
                };
                near(area(&|time| station.waiting_up_to(time)), station.mean_waiting_time(), 1e-3);
                near(area(&|time| station.system_up_to(time)), station.mean_system_time(), 1e-3);
            }
        }
    }

    /// One server: the wait is the sum of as many services as tokens are found, each an Erlang law.
    #[test]
    fn waits_at_one_server_are_mixed_of_erlang_laws() {
        let all = known(of_users(5)).unwrap();
        let Theory::Closed(core) = &all[1] else { panic!("a closed network") };
        let erlang = |stages: usize, time: f64| {
            let term = |n: usize| (1..=n).map(|k| time / 0.5 / k as f64).product::<f64>();
            1.0 - (-time / 0.5).exp() * (0..stages).map(term).sum::<f64>()
        };
        let share = |number: usize| core.finds(number) - core.finds(number + 1);
        for time in [0.1, 0.7, 3.0] {
            let waits: f64 = (1..5).map(|number| share(number) * erlang(number, time)).sum();
            near(core.waiting_up_to(time), share(0) + waits, 1e-12);
            near(core.system_up_to(time), (0..5).map(|number| share(number) * erlang(number + 1, time)).sum(), 1e-12);
        }
    }

    /// A transit delay is like a station at which no token waits.
    #[test]
    fn the_way_counts() {
        let [(mut slow, in_slow), (mut quick, in_quick)] =
            [0.0, 0.0].map(|_| network(&[("exponential:1", 1, &[]), ("exponential:3", 0, &[(0, 1.0)])], 4));
        slow.route(in_slow[0], in_slow[1], 1.0, 2.0);
        quick.route(in_quick[0], in_quick[1], 1.0, 0.0);
        let longer = network(&[("exponential:1", 1, &[(1, 1.0)]), ("exponential:5", 0, &[(0, 1.0)])], 4).0;
        let of = |network: Network| known(network).unwrap()[0].throughput();
        let (slow, quick) = (of(slow), of(quick));
        near(slow, of(longer), 1e-12);
        assert!(slow < quick - 0.05, "{slow} {quick}");
    }

    #[test]
    fn only_networks_of_its_form_have_theory() {
        assert!(known(of_users(4)).is_some());
        let pair = |first: Station, second: &str, window: f64| {
            let mut network = Network::new().window(window);
            let [first, second] =
                [first, Station::new("b", second.parse().unwrap())].map(|station| network.station(station.tokens(2)));
            network.route(first, second, 1.0, 0.0);
            network.route(second, first, 1.0, 0.0);
            known(network)
        };
        let a = || Station::new("a", "exponential:1".parse().unwrap());
        assert!(pair(a(), "exponential:2", 0.0).is_some() && pair(a().capacity(4), "exponential:2", 0.0).is_some());
        for (what, none) in [
            ("a law", pair(a(), "erlang:2,1", 0.0)),
            ("a window", pair(a(), "exponential:2", 0.5)),
            ("losses", pair(a().capacity(3), "exponential:2", 0.0)),
            ("last come", pair(a().discipline(Discipline::LastCome), "exponential:2", 0.0)),
            ("in turn", pair(a().routing(Routing::RoundRobin), "exponential:2", 0.0)),
            ("speeds", pair(a().speeds(vec![1.0, 0.5]), "exponential:2", 0.0)),
        ] {
            assert_eq!(none, None, "{what}");
        }
        let with = |change: &dyn Fn(&mut Network, [StationId; 2])| {
            let mut network = Network::new();
            let ids =
                [a(), Station::new("b", "exponential:1".parse().unwrap())].map(|of| network.station(of.tokens(2)));
            change(&mut network, ids);
            known(network)
        };
        let ring = |network: &mut Network, [a, b]: [StationId; 2]| {
            network.route(a, b, 1.0, 0.0);
            network.route(b, a, 1.0, 0.0);
        };
        assert!(with(&ring).is_some());
        let some_leave = |network: &mut Network, [a, b]: [StationId; 2]| {
            let exit = network.sink("exit");
            network.route(a, b, 1.0, 0.0);
            network.route(b, a, 0.5, 0.0);
            network.route(b, exit, 0.5, 0.0);
        };
        let some_come = |network: &mut Network, ids: [StationId; 2]| {
            ring(network, ids);
            network.source(Source::new("in", "exponential:9".parse().unwrap(), ids[0]));
        };
        let apart = |network: &mut Network, ids: [StationId; 2]| {
            ids.into_iter().for_each(|id| network.route(id, id, 1.0, 0.0));
        };
        let a_class = |network: &mut Network, ids: [StationId; 2]| {
            network.class(Class::new("only"));
            ring(network, ids);
        };
        assert_eq!(with(&some_leave), None);
        assert_eq!(with(&some_come), None);
        assert_eq!(with(&apart), None);
        assert_eq!(with(&a_class), None);
        // In approximate time.
        let mut late = Network::new().approximate(0.5);
        let ids = [0, 1].map(|n| late.station(Station::new(n.to_string(), "exponential:1".parse().unwrap()).tokens(1)));
        ring(&mut late, ids);
        assert_eq!(known(late), None);
    }

    /// Many tokens take little time where they wait at single servers, and there is no theory where a sum would take
    /// hours.
    #[test]
    fn many_tokens_have_theory_where_sums_are_short() {
        let ring = |tokens: u32, delay: f64| {
            let mut network = Network::new();
            let [a, b] = ["exponential:1", "exponential:2"]
                .map(|law| network.station(Station::new(law, law.parse().unwrap()).tokens(tokens)));
            network.route(a, b, 1.0, delay);
            network.route(b, a, 1.0, 0.0);
            known(network)
        };
        near(ring(1_000_000, 0.0).unwrap()[0].utilization().unwrap(), 0.5, 1e-9);
        assert!(ring(500, 3.0).is_some());
        assert!(ring(1_000_000, 3.0).is_none() && ring(1_000_000_000, 0.0).is_none());
    }

    #[test]
    fn a_torus_has_theory_up_to_its_limit() {
        let torus = |side: u32, window: f64| {
            let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(2);
            let topology = Topology::Torus { width: side, height: side };
            let model = Network::generate(&topology, &each, 0.0).unwrap().window(window).check().unwrap();
            theory(&model).of(3)
        };
        near(torus(4, 0.0).unwrap().utilization().unwrap(), 32.0 / 47.0, 1e-9);
        assert!(torus(4, 1.0).is_none() && torus(32, 0.0).is_none());
    }
}

//! Stations of open networks: M/M/c of Jackson networks, and M/G/1.

use super::{NetworkModel, Rows};
use crate::Source;
use tickless_core::random::ServiceLaw;

/// The most servers of a station: each formula goes through all of them.
const MOST_SERVERS: u32 = 10_000;

/// A stable station whose arrivals see it like those of a Poisson process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Open {
    servers: u32,
    /// Arrivals a time unit.
    rate: f64,
    mean_service: f64,
    /// Variance of the service time by the square of its mean.
    squared_variation: f64,
    is_exponential: bool,
}

/// The theory of each station, where there is any.
///
/// Sources have exponential intervals; the stations from which tokens come have exponential service and room for all (a Jackson
/// network). The station itself is one of these, or has one server and any law, but no more than [`MOST_SERVERS`].
pub(super) fn stations(model: &NetworkModel) -> Option<Vec<Option<Open>>> {
    let is_poisson = |source: &Source| {
        matches!(source.interval, ServiceLaw::Exponential { .. }) && source.limit.is_none() && source.start == 0.0
    };
    let sources = &model.description().sources;
    let is_open = !sources.is_empty() && sources.iter().all(is_poisson) && model.tokens() == 0;
    if model.rules_of_classes().is_some() || model.torus().is_some() || !is_open {
        return None;
    }
    station_by_station(model)
}

fn station_by_station(model: &NetworkModel) -> Option<Vec<Option<Open>>> {
    let stations = &model.description().stations;
    let rows = Rows::of(model);
    let matrix = rows.matrix();
    let mut outside = vec![0.0; stations.len()];
    for source in &model.description().sources {
        outside[source.to.index() as usize] += 1.0 / source.interval.mean();
    }
    let most: Vec<f64> = stations.iter().map(|s| f64::from(s.servers) / s.service.mean()).collect();
    let rates = matrix.rates(&outside, &most)?;
    let has_form = |place: usize| {
        stations[place].capacity.is_none()
            && model.shift(place as u32).is_none()
            && rates[place] > 0.0
            && rates[place] < most[place]
    };
    let is_exponential = |place: usize| matches!(stations[place].service, ServiceLaw::Exponential { .. });
    let others = (0..stations.len()).filter(|place| !(has_form(*place) && is_exponential(*place)));
    let behind_others = matrix.reached(others.flat_map(|place| matrix.targets_of(place)));
    let of = |place: usize| {
        let servers = stations[place].servers;
        let is_exponential = is_exponential(place);
        let is_known = !behind_others[place] && has_form(place) && (is_exponential || servers == 1);
        let is_known = is_known && servers <= MOST_SERVERS;
        let service = &stations[place].service;
        is_known.then(|| Open {
            servers,
            rate: rates[place],
            mean_service: service.mean(),
            squared_variation: service.coefficient_of_variation().powi(2),
            is_exponential,
        })
    };
    Some((0..stations.len()).map(of).collect())
}

impl Open {
    /// The model of the station in Kendall's notation.
    pub(super) fn name(&self) -> String {
        format!("M/{}/{}", if self.is_exponential { "M" } else { "G" }, self.servers)
    }

    /// The source of the formula for the mean waiting time.
    pub(super) fn formula(&self) -> &'static str {
        if self.is_exponential && self.servers > 1 { "Erlang" } else { "Pollaczek and Khinchine" }
    }

    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    pub(super) fn mean_service(&self) -> f64 {
        self.mean_service
    }

    pub(super) fn servers(&self) -> u32 {
        self.servers
    }

    pub(super) fn mean_busy(&self) -> f64 {
        self.rate * self.mean_service
    }

    fn waits(&self) -> f64 {
        waits(self.mean_busy(), self.servers)
    }

    /// The service rate of all servers minus the arrival rate.
    fn spare(&self) -> f64 {
        f64::from(self.servers) / self.mean_service - self.rate
    }

    pub(super) fn mean_waiting_time(&self) -> f64 {
        self.waits() / self.spare() * (1.0 + self.squared_variation) / 2.0
    }

    /// The probability that a token waits no longer than this.
    pub(super) fn waiting_up_to(&self, time: f64) -> Option<f64> {
        self.is_exponential.then(|| 1.0 - self.waits() * (-self.spare() * time).exp())
    }

    /// The probability that waiting and service take no longer than this.
    pub(super) fn system_up_to(&self, time: f64) -> Option<f64> {
        let (served, spare) = (time / self.mean_service, self.spare() * self.mean_service);
        // The sum of the service and a wait of rate `spare`: both rates may be equal.
        let apart = spare - 1.0;
        let wait = if apart.abs() < 1e-6 { served } else { -(-apart * served).exp_m1() / apart };
        self.is_exponential.then(|| 1.0 - (-served).exp() * (1.0 + self.waits() * wait))
    }

    /// The share of the time with 0, 1, 2, ... tokens there, `count` shares.
    pub(super) fn present(&self, count: usize) -> Option<Vec<f64>> {
        self.is_exponential.then(|| shares(self.mean_busy(), self.servers, count))
    }
}

/// The probability that a token waits, by the mean number of busy servers: Erlang's C formula, from the B formula.
pub(super) fn waits(offered: f64, servers: u32) -> f64 {
    let lost = (1..=servers).fold(1.0, |b, c| offered * b / (f64::from(c) + offered * b));
    let load = offered / f64::from(servers);
    lost / (1.0 - load * (1.0 - lost))
}

/// The share of the time with 0, 1, 2, ... tokens at an M/M/c, by the mean number of busy servers.
pub(super) fn shares(offered: f64, servers: u32, count: usize) -> Vec<f64> {
    let below = servers as usize;
    // By logarithms, relative to the largest share: powers of many erlangs overflow.
    let each = |number: u32| (offered / f64::from(number.min(servers))).ln();
    let grown = (1..).scan(0.0, |log, number| {
        *log += each(number);
        Some(*log)
    });
    let logs: Vec<f64> = [0.0].into_iter().chain(grown).take(count.max(below + 1)).collect();
    let most = logs[..=below].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all = logs[..below].iter().map(|log| (log - most).exp()).sum::<f64>()
        + (logs[below] - most).exp() / (1.0 - offered / f64::from(servers));
    logs[..count].iter().map(|log| (log - most).exp() / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Source, Station};

    fn of_all(model: &NetworkModel) -> Vec<Option<Open>> {
        stations(model).unwrap_or_else(|| vec![None; model.stations() as usize])
    }

    fn station(service: &str, servers: u32) -> Open {
        known(service, servers).unwrap()
    }

    fn known(service: &str, servers: u32) -> Option<Open> {
        let mut network = Network::new().until(100.0);
        let desk = network.station(Station::new("desk", service.parse().unwrap()).servers(servers));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
        network.route(desk, exit, 1.0, 0.0);
        stations(&network.check().unwrap()).unwrap()[0]
    }

    fn near(found: f64, known: f64) {
        assert!((found - known).abs() < 1e-6, "{found} instead of {known}");
    }

    #[test]
    fn one_server_has_its_known_values() {
        let one = station("exponential:0.5", 1);
        assert_eq!((one.name().as_str(), one.formula()), ("M/M/1", "Pollaczek and Khinchine"));
        near(one.mean_waiting_time(), 0.5);
        near(one.waiting_up_to(0.0).unwrap(), 0.5);
        near(one.waiting_up_to(2.0).unwrap(), 1.0 - 0.5 * (-2.0_f64).exp());
        near(one.system_up_to(2.0).unwrap(), 1.0 - (-2.0_f64).exp());
        for (share, known) in one.present(4).unwrap().iter().zip([0.5, 0.25, 0.125, 0.0625]) {
            near(*share, known);
        }
    }

    /// Tables of Erlang's C formula: 2 servers with 1.5 erlangs, 5 with 4.
    #[test]
    fn several_servers_have_their_known_values() {
        let two = station("exponential:1.5", 2);
        near(two.waits(), 9.0 / 14.0);
        near(two.mean_waiting_time(), 9.0 / 14.0 / (2.0 / 1.5 - 1.0));
        near(two.present(3).unwrap()[0], 1.0 / 7.0);
        near(two.present(3).unwrap()[2], 1.0 / 7.0 * 1.125);
        let five = station("exponential:4", 5);
        assert_eq!((five.name().as_str(), five.formula()), ("M/M/5", "Erlang"));
        assert!((five.waits() - 0.554_1).abs() < 1e-4, "{}", five.waits());
        near(five.present(200).unwrap().iter().sum(), 1.0);
        // The mean of the distributions by the area above them.
        let area = |below: &dyn Fn(f64) -> f64| {
            (0..200_000).map(|n| 0.001 * (1.0 - below(0.001 * (f64::from(n) + 0.5)))).sum::<f64>()
        };
        assert!((area(&|t| five.waiting_up_to(t).unwrap()) - five.mean_waiting_time()).abs() < 1e-4);
        assert!((area(&|t| five.system_up_to(t).unwrap()) - five.mean_waiting_time() - 4.0).abs() < 1e-4);
        // A wait with the same rate as the service.
        let equal = station("exponential:1", 2);
        near(equal.system_up_to(1.0).unwrap(), 1.0 - (-1.0_f64).exp() * (1.0 + equal.waits()));
    }

    #[test]
    fn many_servers_have_finite_shares() {
        let many = station("exponential:800", 1000);
        let shares = many.present(2000).unwrap();
        near(shares.iter().sum(), 1.0);
        near(
            shares.iter().zip(0..).map(|(share, number)| share * f64::from(number)).sum(),
            800.0 + many.rate * many.mean_waiting_time(),
        );
        assert_eq!(shares.iter().copied().fold(0.0, f64::max), shares[799].max(shares[800]));
        assert!(
            known("exponential:800", MOST_SERVERS).is_some() && known("exponential:800", MOST_SERVERS + 1).is_none()
        );
    }

    #[test]
    fn any_law_has_a_mean_wait_alone() {
        let constant = station("constant:0.5", 1);
        assert_eq!(constant.name(), "M/G/1");
        near(constant.mean_waiting_time(), 0.25);
        assert!(constant.waiting_up_to(1.0).is_none() && constant.system_up_to(1.0).is_none());
        assert!(constant.present(3).is_none());
        near(station("erlang:2,0.5", 1).mean_waiting_time(), 0.375);
    }

    /// A door, a desk to which half of its departures come back, a till of any law, and a shelf behind the till.
    #[test]
    fn only_networks_of_its_form_have_theory() {
        let built = |interval: &str, capacity: Option<u32>, window: Option<f64>| {
            let mut network = Network::new().until(100.0);
            let law = |text: &str| text.parse().unwrap();
            let mut door = Station::new("door", law("exponential:0.1"));
            if let Some(capacity) = capacity {
                door = door.capacity(capacity);
            }
            let door = network.station(door);
            let desk = network.station(Station::new("desk", law("exponential:0.2")).servers(2));
            let till = network.station(Station::new("till", law("constant:0.2")));
            let shelf = network.station(Station::new("shelf", law("exponential:0.2")));
            let exit = network.sink("exit");
            network.source(Source::new("in", law(interval), door));
            network.route(door, desk, 1.0, 0.0);
            network.route(desk, desk, 0.5, 0.0);
            network.route(desk, till, 0.5, 1.0);
            network.route(till, shelf, 1.0, 0.0);
            network.route(shelf, exit, 1.0, 0.0);
            if let Some(window) = window {
                network = network.window(window);
            }
            of_all(&network.check().unwrap()).iter().map(|t| t.map(|t| (t.name(), t.rate))).collect::<Vec<_>>()
        };
        let all = built("exponential:1", None, None);
        let names: Vec<_> = all.iter().map(|one| one.as_ref().map(|(name, _)| name.as_str())).collect();
        assert_eq!(names, [Some("M/M/1"), Some("M/M/2"), Some("M/G/1"), None]);
        near(all[1].as_ref().unwrap().1, 2.0);
        near(all[2].as_ref().unwrap().1, 1.0);
        for none in [
            built("constant:1", None, None),
            built("exponential:0.05", None, None),
            built("exponential:1", Some(5), None),
            built("exponential:1", None, Some(0.05)),
        ] {
            assert!(none.iter().all(Option::is_none), "{none:?}");
        }
    }
}

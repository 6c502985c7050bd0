//! The number of tokens at each station of a closed network of exponential stations, in the long run.
//!
//! Gordon and Newell 1967: these are independent numbers, each that of an open station, under the condition that their sum is the
//! number of tokens. Buzen 1973 adds the stations up one after the other. The arrival rate of the open stations is free. Here it is
//! such that their mean number of tokens is that of the network. So every number of the sums is a probability, and the needed one is
//! not small: with thousands of tokens and stations no number overflows, and there is no cancellation.

use super::open::{shares, waits};

/// The load of a station: its visits times its mean service time, and the number of its servers; `None` where no token ever waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Demand {
    pub(super) work: f64,
    pub(super) servers: Option<u32>,
}

/// Halvings of the interval for the arrival rate of the open stations.
const HALVINGS: usize = 200;

/// The sum of the stations' independent numbers.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    demands: Vec<Demand>,
    tokens: usize,
    /// Visits a time unit of the open stations.
    rate: f64,
    /// The probabilities that their sum is 0, 1, ... and the number of all tokens.
    together: Vec<f64>,
}

impl Sum {
    /// For one token or more.
    pub(super) fn new(demands: Vec<Demand>, tokens: usize) -> Option<Self> {
        let rate = rate(&demands, tokens as f64);
        let mut sum = Self { demands, tokens, rate, together: vec![] };
        sum.together = sum.without(None);
        // A result that is not a number must not be shown.
        (tokens > 0 && sum.together[tokens] > 0.0 && sum.together[tokens - 1] > 0.0).then_some(sum)
    }

    /// Visits a time unit of the closed network, in the unit of the demands' visits.
    pub(super) fn throughput(&self) -> f64 {
        self.rate * self.together[self.tokens - 1] / self.together[self.tokens]
    }

    /// The probabilities that all stations, or all but one, have 0, 1, ... and all tokens together.
    fn without(&self, one: Option<usize>) -> Vec<f64> {
        let mut sum = vec![0.0; self.tokens + 1];
        sum[0] = 1.0;
        // The number of tokens at a station without waiting follows a Poisson law, and so does their sum over such
        // stations.
        let mut together = 0.0;
        for (_, demand) in self.demands.iter().enumerate().filter(|(place, _)| Some(*place) != one) {
            let offered = demand.work * self.rate;
            match demand.servers {
                Some(servers) => add_servers(&mut sum, offered, servers),
                None => together += offered,
            }
        }
        if together > 0.0 {
            add(&mut sum, &poisson(together, self.tokens + 1));
        }
        sum
    }

    /// The share of the time with 0, 1, ... tokens at a station: with all tokens, and with one token less, which is the state that an
    /// arriving token sees (Sevcik and Mitrani 1981, Lavenberg and Reiser 1980).
    pub(super) fn present(&self, station: usize) -> [Vec<f64>; 2] {
        let Demand { work, servers } = self.demands[station];
        let (offered, count) = (work * self.rate, self.tokens + 1);
        let own = servers.map_or_else(|| poisson(offered, count), |servers| shares(offered, servers, count));
        let others = self.without(Some(station));
        [self.tokens, self.tokens - 1].map(|tokens| {
            let products = own.iter().zip(others[..=tokens].iter().rev()).map(|(own, others)| own * others);
            let products: Vec<f64> = products.collect();
            let all: f64 = products.iter().sum();
            products.iter().map(|product| product / all).collect()
        })
    }
}

/// The rate at which open stations have this mean number of tokens.
fn rate(demands: &[Demand], tokens: f64) -> f64 {
    let full = demands.iter().filter_map(|Demand { work, servers }| Some(f64::from((*servers)?) / work));
    let unlimited = demands.iter().filter(|demand| demand.servers.is_none()).fold(0.0, |all, demand| all + demand.work);
    let (mut low, mut high) = (0.0, full.fold(tokens / unlimited, f64::min));
    let mean = |rate: f64| -> f64 {
        let of = |Demand { work, servers }: &Demand| {
            let offered = work * rate;
            let queue = servers.map(|servers| {
                let load = offered / f64::from(servers);
                if load < 1.0 { waits(offered, servers) * load / (1.0 - load) } else { f64::INFINITY }
            });
            offered + queue.unwrap_or(0.0)
        };
        demands.iter().map(of).sum()
    };
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        // At the highest rate some station is fully loaded.
        if middle < high && mean(middle) < tokens { low = middle } else { high = middle }
    }
    low
}

/// The first `count` probabilities of the Poisson law of a mean.
pub(super) fn poisson(mean: f64, count: usize) -> Vec<f64> {
    if mean == 0.0 {
        return (0..count).map(|number| if number == 0 { 1.0 } else { 0.0 }).collect();
    }
    let grown = (1_u32..).scan(-mean, |log, number| {
        *log += (mean / f64::from(number)).ln();
        Some(*log)
    });
    [-mean].into_iter().chain(grown).take(count).map(f64::exp).collect()
}

/// Adds an independent number to a sum.
fn add(sum: &mut [f64], other: &[f64]) {
    for number in (0..sum.len()).rev() {
        let parts = other.iter().zip(sum[..=number].iter().rev());
        sum[number] = parts.map(|(other, sum)| other * sum).sum();
    }
}

/// Adds the number of tokens at an M/M/c station. From its servers on the shares are a geometric series: so it is a number below this
/// and a geometric one.
fn add_servers(sum: &mut [f64], offered: f64, servers: u32) {
    let (below, load) = (servers as usize, offered / f64::from(servers));
    let shares = shares(offered, servers, below);
    let idle = |number: usize| 1.0 - number as f64 / f64::from(servers);
    let first: Vec<f64> = shares.iter().enumerate().map(|(number, share)| share * idle(number)).collect();
    add(sum, &first);
    for number in 1..sum.len() {
        sum[number] += load * sum[number - 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, known: f64, by: f64) {
        assert!((found - known).abs() <= by * known.abs().max(1e-3), "{found} instead of {known}");
    }

    fn demand(work: f64, servers: u32) -> Demand {
        Demand { work, servers: (servers > 0).then_some(servers) }
    }

    /// The weights of all states, one after the other.
    fn states(demands: &[Demand], tokens: usize) -> Vec<(Vec<usize>, f64)> {
        let Some((first, others)) = demands.split_first() else {
            return if tokens == 0 { vec![(vec![], 1.0)] } else { vec![] };
        };
        let weight = |here: usize| -> f64 {
            (1..=here).map(|n| first.work / first.servers.map_or(n as f64, |c| (n as f64).min(f64::from(c)))).product()
        };
        let with = |here: usize| {
            let rest = states(others, tokens - here).into_iter();
            rest.map(move |(rest, of_rest)| ([vec![here], rest].concat(), weight(here) * of_rest)).collect::<Vec<_>>()
        };
        (0..=tokens).flat_map(with).collect()
    }

    #[test]
    fn small_networks_are_what_all_their_states_say() {
        let networks = [
            vec![demand(1.0, 1)],
            vec![demand(0.8, 1), demand(0.32, 1), demand(0.2933, 1)],
            vec![demand(1.25, 2), demand(1.1117, 3), demand(0.5, 1)],
            vec![demand(3.0, 1), demand(7.0, 0), demand(2.0, 4), demand(1e-3, 1)],
            vec![demand(1e6, 0), demand(3e5, 0)],
        ];
        for (demands, tokens) in networks.iter().flat_map(|demands| [1, 2, 5, 9].map(|tokens| (demands, tokens))) {
            let sum = Sum::new(demands.clone(), tokens).unwrap();
            let [all, less] = [tokens, tokens - 1].map(|tokens| states(demands, tokens));
            let weights = [&all, &less].map(|states| states.iter().map(|(_, weight)| weight).sum::<f64>());
            near(sum.throughput(), weights[1] / weights[0], 1e-12);
            for station in 0..demands.len() {
                let present = sum.present(station);
                for (found, (states, weight)) in present.iter().zip([&all, &less].into_iter().zip(weights)) {
                    for (number, share) in found.iter().enumerate() {
                        let there = states.iter().filter(|(state, _)| state[station] == number);
                        near(*share, there.map(|(_, weight)| weight).sum::<f64>() / weight, 1e-12);
                    }
                }
            }
        }
    }

    /// m equal stations with n tokens: each serves n / (m + n - 1) of the time.
    #[test]
    fn large_networks_stay_numbers() {
        for (stations, tokens) in [(1000, 10_000), (1000, 10), (3, 10_000), (2, 1)] {
            let sum = Sum::new(vec![demand(2.5, 1); stations], tokens).unwrap();
            near(sum.throughput() * 2.5, tokens as f64 / (stations + tokens - 1) as f64, 1e-9);
            let mean: f64 = sum.present(0)[0].iter().zip(0_u32..).map(|(share, n)| share * f64::from(n)).sum();
            near(mean, tokens as f64 / stations as f64, 1e-9);
        }
        // 2,000 tokens, of which nearly all wait at the slowest station.
        let slow = Sum::new(vec![demand(3.0, 1), demand(40.0, 30), demand(500.0, 0), demand(0.1, 1)], 2000).unwrap();
        near(slow.throughput(), 1.0 / 3.0, 1e-12);
        let [present, seen] = slow.present(0);
        near(present.iter().sum(), 1.0, 1e-12);
        near(seen.iter().sum(), 1.0, 1e-12);
        let mean = |station: usize| -> f64 {
            slow.present(station)[0].iter().zip(0_u32..).map(|(share, n)| share * f64::from(n)).sum()
        };
        near((0..4).map(mean).sum(), 2000.0, 1e-9);
        near(mean(2), 500.0 / 3.0, 1e-9);
    }
}

//! The mean traffic: reachability, visit ratios, arrival rates.

/// The routes of every station in rows: row i is `first[i]..first[i + 1]` of (target, probability). A target at or beyond
/// the number of stations is a sink.
pub(super) struct Matrix<'a> {
    pub(super) first: &'a [u32],
    pub(super) targets: &'a [u32],
    pub(super) probabilities: &'a [f64],
}

/// The most sweeps of an iteration.
const SWEEPS: usize = 10_000;
/// A relative change that counts as none.
const SETTLED: f64 = 1e-10;

impl Matrix<'_> {
    fn stations(&self) -> usize {
        self.first.len() - 1
    }

    /// The stations that a row leads to, with their probabilities.
    fn row(&self, station: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let row = self.first[station] as usize..self.first[station + 1] as usize;
        let stations = self.stations();
        row.map(|edge| (self.targets[edge] as usize, self.probabilities[edge])).filter(move |(to, _)| *to < stations)
    }

    /// The stations that a station leads to.
    pub(super) fn targets_of(&self, station: usize) -> impl Iterator<Item = usize> + '_ {
        self.row(station).map(|(to, _)| to)
    }

    /// The stations that tokens reach from some stations.
    pub(super) fn reached(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.stations()];
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(station) = open.pop() {
            if !std::mem::replace(&mut reached[station], true) {
                open.extend(self.row(station).map(|(to, _)| to).filter(|to| !reached[*to]));
            }
        }
        reached
    }

    /// The stations from which a token can leave the network.
    pub(super) fn drained(&self) -> Vec<bool> {
        let mut back = vec![vec![]; self.stations()];
        let mut open = vec![];
        for station in 0..self.stations() {
            let mut inside = 0;
            for (to, _) in self.row(station) {
                back[to].push(station);
                inside += 1;
            }
            if inside < self.first[station + 1] - self.first[station] {
                open.push(station);
            }
        }
        let mut drained = vec![false; self.stations()];
        while let Some(station) = open.pop() {
            if !std::mem::replace(&mut drained[station], true) {
                open.extend(back[station].iter().filter(|from| !drained[**from]));
            }
        }
        drained
    }

    /// Arrival rates of an open network, from the rates of outside arrivals and the rates at which all servers of each
    /// station serve, where tokens can leave from every station; `None` where they do not converge.
    ///
    /// These are the traffic equations with saturation: a station passes on no more than it can
    /// serve. Losses of a station without room are not subtracted, so that behind such a station the rates are upper
    /// bounds.
    ///
    /// From an empty network on, new arrivals at a station are passed on at once, within the sweep: along a line of
    /// stations in their order one sweep goes all the way. Rates only grow, up to the least solution.
    pub(super) fn rates(&self, outside: &[f64], most: &[f64]) -> Option<Vec<f64>> {
        let (mut rates, mut new) = (vec![0.0_f64; self.stations()], outside.to_vec());
        for _ in 0..SWEEPS {
            let mut settled = true;
            for station in 0..self.stations() {
                let (rate, before) = (std::mem::take(&mut new[station]), rates[station]);
                rates[station] += rate;
                settled &= rate <= SETTLED * rates[station];
                let passed = rate.min((most[station] - before).max(0.0));
                self.row(station).for_each(|(to, probability)| new[to] += passed * probability);
            }
            if settled {
                return Some(rates);
            }
        }
        None
    }

    /// The visits to each station of a network that tokens never leave, for each visit to the first; `None` where not every station
    /// leads to every other in the end.
    ///
    /// Stations are taken out one after the other, and the routes by each are put in its place (Grassmann, Taksar and Heyman 1985):
    /// nothing is subtracted, so that rounding errors do not grow.
    pub(super) fn cycle(&self) -> Option<Vec<f64>> {
        let count = self.stations();
        let mut routes = vec![vec![0.0; count]; count];
        for (station, routes) in routes.iter_mut().enumerate() {
            self.row(station).for_each(|(to, probability)| routes[to] += probability);
        }
        for last in (1..count).rev() {
            let (before, out) = routes.split_at_mut(last);
            let leaves: f64 = out[0][..last].iter().sum();
            if leaves <= 0.0 {
                return None;
            }
            for routes in before {
                let by = routes[last] / leaves;
                if by > 0.0 {
                    routes[last] = by;
                    routes[..last].iter_mut().zip(&out[0]).for_each(|(route, onward)| *route += by * onward);
                }
            }
        }
        let mut visits = vec![1.0; count];
        for station in 1..count {
            visits[station] = (0..station).map(|from| visits[from] * routes[from][station]).sum();
        }
        visits.iter().all(|visit| *visit > 0.0 && visit.is_finite()).then_some(visits)
    }

    /// The share of visits to each station in the long run: the chain from a uniform start, where half of each step
    /// stays at its station so that it converges even if it is periodic. Tokens that leave start anew.
    pub(super) fn visits(&self) -> Vec<f64> {
        let count = self.stations() as f64;
        let mut visits = vec![1.0 / count; self.stations()];
        for _ in 0..SWEEPS {
            let mut next: Vec<f64> = visits.iter().map(|v| v / 2.0).collect();
            for (station, visit) in visits.iter().enumerate() {
                self.row(station).for_each(|(to, probability)| next[to] += visit / 2.0 * probability);
            }
            let left = 1.0 - next.iter().sum::<f64>();
            next.iter_mut().for_each(|v| *v += left / count);
            let settled = visits.iter().zip(&next).all(|(a, b)| (a - b).abs() <= SETTLED);
            visits = next;
            if settled {
                break;
            }
        }
        visits
    }
}

/// Whole parts of `total` in proportion to `weights`, by largest remainders; ties go to the first.
pub(super) fn spread(total: u32, weights: &[f64]) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let exact: Vec<f64> = weights.iter().map(|w| f64::from(total) * w / sum).collect();
    let mut parts: Vec<u32> = exact.iter().map(|e| e.floor() as u32).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| (exact[*b] - exact[*b].floor()).total_cmp(&(exact[*a] - exact[*a].floor())).then(a.cmp(b)));
    let missing = total.saturating_sub(parts.iter().sum());
    order.iter().cycle().take(missing as usize).for_each(|place| parts[*place] += 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 to 1 (0.5) and out, 1 to 0 always, 2 to itself.
    const FIRST: [u32; 4] = [0, 2, 3, 4];
    const TARGETS: [u32; 4] = [1, 3, 0, 2];
    const PROBABILITIES: [f64; 4] = [0.5, 0.5, 1.0, 1.0];

    fn matrix() -> Matrix<'static> {
        Matrix { first: &FIRST, targets: &TARGETS, probabilities: &PROBABILITIES }
    }

    #[test]
    fn reached_and_drained_follow_the_routes() {
        assert_eq!(matrix().reached([1]), [true, true, false]);
        assert_eq!(matrix().reached([2]), [false, false, true]);
        assert_eq!(matrix().drained(), [true, true, false]);
    }

    #[test]
    fn rates_solve_the_traffic_equations() {
        let part = Matrix { first: &FIRST[..3], targets: &[1, 2, 0], probabilities: &PROBABILITIES[..3] };
        let rates = part.rates(&[1.0, 0.0], &[f64::INFINITY; 2]).unwrap();
        assert!((rates[0] - 2.0).abs() < 1e-9 && (rates[1] - 1.0).abs() < 1e-9, "{rates:?}");
        // A line with more stations than there are sweeps.
        let line = 3 * SWEEPS as u32;
        let (first, targets): (Vec<u32>, Vec<u32>) = ((0..=line).collect(), (1..=line).collect());
        let part = Matrix { first: &first, targets: &targets, probabilities: &vec![1.0; line as usize] };
        let mut outside = vec![0.0; line as usize];
        outside[0] = 2.0;
        assert_eq!(part.rates(&outside, &vec![f64::INFINITY; line as usize]), Some(vec![2.0; line as usize]));
        // A loop without an exit fills up for ever.
        let pit = Matrix { first: &[0, 1], targets: &[0], probabilities: &[1.0] };
        assert_eq!(pit.rates(&[1.0], &[f64::INFINITY]), None);
    }

    #[test]
    fn a_saturated_station_passes_on_what_it_serves() {
        // Three in a line, the second of which serves no more than 0.5.
        let line = Matrix { first: &[0, 1, 2, 3], targets: &[1, 2, 3], probabilities: &[1.0; 3] };
        assert_eq!(line.rates(&[2.0, 0.0, 0.0], &[3.0, 0.5, 9.0]), Some(vec![2.0, 2.0, 0.5]));
        // Half of the served tokens come back: r = 1 + min(r, 1.5) / 2, and without the limit 2.
        let back = Matrix { first: &[0, 2], targets: &[0, 1], probabilities: &[0.5, 0.5] };
        let rate = |most: f64| back.rates(&[1.0], &[most]).unwrap()[0];
        assert!((rate(9.0) - 2.0).abs() < 1e-9 && (rate(1.5) - 1.75).abs() < 1e-9, "{}", rate(1.5));
        // Two stations that feed each other: the first is full, and the second sends back as much as it can pass on.
        let part = Matrix { first: &[0, 1, 3], targets: &[1, 0, 2], probabilities: &[1.0, 0.5, 0.5] };
        let rates = part.rates(&[2.0, 0.0], &[1.0, 9.0]).unwrap();
        assert!((rates[0] - 2.5).abs() < 1e-9 && (rates[1] - 1.0).abs() < 1e-9, "{rates:?}");
    }

    #[test]
    fn visits_of_a_period_settle() {
        let ring = Matrix { first: &[0, 1, 2], targets: &[1, 0], probabilities: &[1.0, 1.0] };
        assert!(ring.visits().iter().all(|v| (v - 0.5).abs() < 1e-9));
        let biased = Matrix { first: &[0, 2, 3], targets: &[0, 1, 0], probabilities: &[0.5, 0.5, 1.0] };
        assert!((biased.visits()[0] - 2.0 / 3.0).abs() < 1e-9, "{:?}", biased.visits());
    }

    #[test]
    fn a_cycle_visits_all_or_is_none() {
        let biased = Matrix { first: &[0, 2, 3], targets: &[0, 1, 0], probabilities: &[0.5, 0.5, 1.0] };
        assert_eq!(biased.cycle(), Some(vec![1.0, 0.5]));
        // A station that many tokens pass and few leave: 1e-9 of the visits to the second go to the third, which leads to the
        // first.
        let (first, targets) = ([0, 1, 3, 4], [1, 1, 2, 0]);
        let rare = Matrix { first: &first, targets: &targets, probabilities: &[1.0, 1.0 - 1e-9, 1e-9, 1.0] };
        let visits = rare.cycle().unwrap();
        assert!((visits[1] * 1e-9 - 1.0).abs() < 1e-12 && (visits[2] - 1.0).abs() < 1e-12, "{visits:?}");
        // No token comes back to the first, no token ever comes to the first, and two apart.
        for (first, targets) in [([0, 1, 2], [1, 1]), ([0, 1, 2], [0, 0]), ([0, 1, 2], [0, 1])] {
            assert_eq!(Matrix { first: &first, targets: &targets, probabilities: &[1.0; 2] }.cycle(), None);
        }
    }

    #[test]
    fn a_spread_keeps_the_total() {
        assert_eq!(spread(10, &[1.0, 1.0, 1.0]), [4, 3, 3]);
        assert_eq!(spread(7, &[0.1, 0.6, 0.3]), [1, 4, 2]);
        assert_eq!(spread(0, &[1.0, 2.0]), [0, 0]);
        for total in 0..50 {
            assert_eq!(spread(total, &[0.37, 0.21, 0.42, 1e-9]).iter().sum::<u32>(), total);
        }
    }
}

//! Arrivals whose rate a Markov chain changes: a Markovian arrival process (Neuts 1979; Lucantoni 1991), by integer variates.

use super::classes::of_rate;
use super::draws::ends;
use super::{Source, StationId};
use serde::{Deserialize, Serialize};
use tickless_core::random::{Stream, exponential};
use tickless_core::time::Time;

/// The most phases.
const MOST_PHASES: usize = 32;
/// The least rate that is not 0, 2⁻³⁰, and the largest, both a time unit.
const RATES: std::ops::RangeInclusive<f64> = 1.0 / 1_073_741_824.0..=1e6;
/// The largest difference of the sum of a phase's rates from 0, relative to the rate at which it is left.
const TOLERANCE: f64 = 1e-9;

/// The phases of a source: it changes among them at some rates, and tokens come at others.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Phases, Source, Station};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "exponential:0.4".parse()?));
/// // Two a time unit for ten time units in the mean, then one in two for forty.
/// let phases = Phases::mmpp(vec![vec![-0.1, 0.1], vec![0.025, -0.025]], &[2.0, 0.5]);
/// network.source(Source::by_phases("street", phases, desk));
/// // Every second change of these phases brings a token.
/// let erlang = Phases::map(vec![vec![-2.0, 2.0], vec![0.0, -2.0]], vec![vec![0.0, 0.0], vec![2.0, 0.0]]);
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Phases {
    /// The rates of changes without a token, and minus the rate at which each phase is left.
    hidden: Vec<Vec<f64>>,
    /// The rates of tokens, by the phase before and after.
    arrivals: Vec<Vec<f64>>,
}

impl Phases {
    /// A Markovian arrival process: the rows of `d0` have the rates of changes without a token, and in each phase's own place minus the rate
    /// at which it is left; those of `d1` the rates of changes (also to the same phase) with a token. The first phase is drawn with the
    /// stationary probabilities.
    pub fn map(d0: Vec<Vec<f64>>, d1: Vec<Vec<f64>>) -> Self {
        Self { hidden: d0, arrivals: d1 }
    }

    /// A Poisson process with a rate for each phase, while a Markov chain of this generator changes the phase.
    pub fn mmpp(generator: Vec<Vec<f64>>, arrivals: &[f64]) -> Self {
        let mut hidden = generator;
        for (place, row) in hidden.iter_mut().enumerate() {
            if let (Some(own), Some(rate)) = (row.get_mut(place), arrivals.get(place)) {
                *own -= rate;
            }
        }
        let row = |place: usize| (0..arrivals.len()).map(|to| if to == place { arrivals[to] } else { 0.0 }).collect();
        Self { hidden, arrivals: (0..arrivals.len()).map(row).collect() }
    }

    /// The rates of all changes from a phase to others.
    fn changes(&self) -> Vec<Vec<f64>> {
        let row = |(from, (hidden, arrivals)): (usize, (&Vec<f64>, &Vec<f64>))| {
            let rate = |(to, (a, b)): (usize, (&f64, &f64))| if to == from { 0.0 } else { a + b };
            hidden.iter().zip(arrivals).enumerate().map(rate).collect()
        };
        self.hidden.iter().zip(&self.arrivals).enumerate().map(row).collect()
    }

    /// The stationary probability of each phase, without a subtraction (Grassmann, Taksar and Heyman 1985). The chain must be
    /// irreducible.
    fn shares(&self) -> Vec<f64> {
        let mut rates = self.changes();
        for last in (1..rates.len()).rev() {
            let row = rates[last].clone();
            let out: f64 = row[..last].iter().sum();
            for from in rates[..last].iter_mut() {
                from[last] /= out;
                let share = from[last];
                from[..last].iter_mut().zip(&row).for_each(|(rate, on)| *rate += share * on);
            }
        }
        let mut shares = vec![1.0; rates.len().min(1)];
        for place in 1..rates.len() {
            shares.push(shares.iter().zip(&rates).map(|(share, row)| share * row[place]).sum());
        }
        let all: f64 = shares.iter().sum();
        shares.iter().map(|share| share / all).collect()
    }

    /// Tokens a time unit in the long run. The phases must have no fault.
    fn mean(&self) -> f64 {
        self.shares().iter().zip(&self.arrivals).map(|(share, row)| share * row.iter().sum::<f64>()).sum()
    }

    /// The least number of phases reached from any phase, itself included.
    fn reached(&self) -> usize {
        let changes = self.changes();
        let from = |place: usize| {
            let (mut seen, mut open) = (vec![false; changes.len()], vec![place]);
            while let Some(place) = open.pop() {
                if !std::mem::replace(&mut seen[place], true) {
                    open.extend((0..changes.len()).filter(|to| changes[place][*to] > 0.0));
                }
            }
            seen.into_iter().filter(|seen| *seen).count()
        };
        (0..changes.len()).map(from).min().unwrap_or(0)
    }

    /// The fault: the quantity, its value, and the allowed values.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        let count = self.hidden.len();
        if !(1..=MOST_PHASES).contains(&count) {
            return Some(("the number of phases", count as f64, "from 1 to 32"));
        }
        if self.arrivals.len() != count {
            return Some(("the number of phases with arrivals", self.arrivals.len() as f64, "that of all phases"));
        }
        if let Some(row) = self.hidden.iter().chain(&self.arrivals).find(|row| row.len() != count) {
            return Some(("the number of rates of a phase", row.len() as f64, "that of the phases"));
        }
        let hidden = self.hidden.iter().enumerate();
        let others = hidden.flat_map(|(from, row)| row.iter().enumerate().filter(move |(to, _)| *to != from));
        let rates = others.map(|(_, rate)| rate).chain(self.arrivals.iter().flatten());
        if let Some(rate) = rates.into_iter().find(|rate| **rate != 0.0 && !RATES.contains(*rate)) {
            return Some(("a rate of the phases", *rate, "0, or from 2^-30 to 1e6 a time unit"));
        }
        for (place, (hidden, arrivals)) in self.hidden.iter().zip(&self.arrivals).enumerate() {
            let sum: f64 = hidden.iter().chain(arrivals).sum();
            if !sum.is_finite() || sum.abs() > TOLERANCE * hidden[place].abs() {
                let allowed = "0, as that of the phase itself is minus all others";
                return Some(("the sum of the rates of a phase", sum, allowed));
            }
        }
        let reached = self.reached();
        if reached < count {
            let allowed = "all of them, so that each has a share of the time";
            return Some(("the number of phases that a phase leads to", reached as f64, allowed));
        }
        let mean = self.mean();
        (mean <= 0.0).then_some(("the mean rate of the phases", mean, "above 0"))
    }
}

impl Source {
    /// Tokens come according to phases.
    pub fn by_phases(name: impl Into<String>, phases: Phases, to: StationId) -> Self {
        let mean = if phases.fault().is_none() { phases.mean() } else { 1.0 };
        Self { phases: Some(phases), ..Self::new(name, of_rate(mean), to) }
    }
}

/// Checked [`Phases`] in ticks and draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// The upper bounds of the draws that begin in the first phase, the second, ...
    pub(crate) first: Vec<u64>,
    pub(crate) phases: Vec<Stay>,
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stay {
    /// Its mean duration, in ticks.
    pub(crate) mean: u64,
    pub(crate) changes: Vec<Change>,
}

/// A change that ends a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The upper bound of its draws, whose lower bound is that of the change before.
    pub(crate) end: u64,
    pub(crate) to: u32,
    pub(crate) brings: bool,
}

/// The state of a source in its phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// The phase after the next change; none before the first phase is drawn.
    phase: Option<u32>,
    /// Whether the next change brings a token.
    pub(crate) brings: bool,
}

impl Chain {
    /// Of phases without a fault.
    pub(crate) fn new(phases: &Phases) -> Self {
        let stay = |(place, (hidden, arrivals)): (usize, (&Vec<f64>, &Vec<f64>))| {
            let of = |rates: &[f64], brings| {
                let change = |(to, rate): (usize, &f64)| (*rate, to as u32, brings);
                rates.iter().enumerate().map(change).collect::<Vec<_>>()
            };
            let all = of(hidden, false).into_iter().chain(of(arrivals, true));
            let all: Vec<_> = all.filter(|(rate, ..)| *rate > 0.0).collect();
            let rates: Vec<f64> = all.iter().map(|(rate, ..)| *rate).collect();
            let changes = all.iter().zip(ends(&rates)).map(|(&(_, to, brings), end)| Change { end, to, brings });
            let mean = Time::UNIT.ticks() as f64 / -hidden[place];
            Stay { mean: mean.round() as u64, changes: changes.collect() }
        };
        let rows = phases.hidden.iter().zip(&phases.arrivals).enumerate();
        Self { first: ends(&phases.shares()), phases: rows.map(stay).collect() }
    }

    /// When the phase changes next, after the change at `last`; `None` where it does not before 2³¹ time units.
    pub(crate) fn next(&self, last: Time, at: &mut Standing, stream: &mut Stream) -> Option<Time> {
        let place = |ends: &[u64], draw: u32| ends.partition_point(|end| *end <= u64::from(draw));
        let phase = at.phase.unwrap_or_else(|| place(&self.first, stream.draw()) as u32);
        let Stay { mean, changes } = &self.phases[phase as usize];
        let stay = (u128::from(exponential(stream.draw())) * u128::from(*mean)) >> 32;
        let draw = u64::from(stream.draw());
        let Change { to, brings, .. } = changes[changes.partition_point(|change| change.end <= draw)];
        *at = Standing { phase: Some(to), brings };
        let ticks = u64::try_from(u128::from(last.ticks()) + stay).ok()?;
        (ticks < 1 << 63).then(|| Time::from_ticks(ticks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    /// Three phases: their shares by hand, and in a long run the share of the time of each and the arrivals in it.
    #[test]
    fn phases_have_their_shares() {
        let d0 = vec![vec![-3.0, 1.0, 0.0], vec![0.0, -2.0, 2.0], vec![0.5, 0.0, -1.0]];
        let phases = Phases::map(d0, vec![vec![1.0, 0.0, 1.0], vec![0.0; 3], vec![0.5, 0.0, 0.0]]);
        // The first is left at rate 2, the second at 2, the third at 1: π (2, 2, 1) flows are f, f / 2, f.
        assert_eq!((phases.fault(), phases.shares()), (None, vec![2.0 / 7.0, 1.0 / 7.0, 4.0 / 7.0]));
        assert!((phases.mean() - (2.0 * 2.0 + 0.5 * 4.0) / 7.0).abs() < 1e-12);
        let (chain, mut at) = (Chain::new(&phases), Standing::default());
        let (mut stream, mut last) = (StreamKey::new(3, 0).stream(0), Time::ZERO);
        let (mut times, mut tokens) = ([0.0; 3], [0_u32; 3]);
        while last.units() < 40_000.0 {
            // Before its first change the phase is drawn with the change: that time is not counted.
            let before = at.phase.map(|phase| phase as usize);
            let now = chain.next(last, &mut at, &mut stream).expect("a change");
            if let Some(phase) = before {
                times[phase] += now.units() - last.units();
                tokens[phase] += u32::from(at.brings);
            }
            last = now;
        }
        for (phase, (share, arrivals)) in
            [(2.0 / 7.0, 4.0 / 7.0), (1.0 / 7.0, 0.0), (4.0 / 7.0, 2.0 / 7.0)].into_iter().enumerate()
        {
            assert!((times[phase] / last.units() - share).abs() < 0.01, "{phase}: {times:?}");
            assert!((f64::from(tokens[phase]) / last.units() - arrivals).abs() < 0.01, "{phase}: {tokens:?}");
        }
    }

    #[test]
    fn a_modulated_process_is_one_of_phases() {
        let modulated = Phases::mmpp(vec![vec![-0.25, 0.25], vec![0.5, -0.5]], &[2.0, 1.0]);
        let d1 = vec![vec![2.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(modulated, Phases::map(vec![vec![-2.25, 0.25], vec![0.5, -1.5]], d1));
    }

    #[test]
    fn faults_are_named() {
        let fault = |d0: &[&[f64]], d1: &[&[f64]]| {
            let rows = |rows: &[&[f64]]| rows.iter().map(|row| row.to_vec()).collect();
            Phases::map(rows(d0), rows(d1)).fault().map(|(what, ..)| what)
        };
        assert_eq!(fault(&[], &[]), Some("the number of phases"));
        assert_eq!(fault(&[&[-1.0]], &[]), Some("the number of phases with arrivals"));
        assert_eq!(fault(&[&[-1.0]], &[&[1.0, 0.0]]), Some("the number of rates of a phase"));
        assert_eq!(fault(&[&[1.0]], &[&[-1.0]]), Some("a rate of the phases"));
        assert_eq!(fault(&[&[-1.0]], &[&[1.5]]), Some("the sum of the rates of a phase"));
        for own in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(fault(&[&[own]], &[&[1.5]]), Some("the sum of the rates of a phase"));
        }
        let one_way: [&[f64]; 2] = [&[-2.0, 1.0], &[0.0, -1.0]];
        assert_eq!(fault(&one_way, &[&[1.0, 0.0], &[0.0, 1.0]]), Some("the number of phases that a phase leads to"));
        assert_eq!(fault(&[&[0.0]], &[&[0.0]]), Some("the mean rate of the phases"));
        assert_eq!(fault(&[&[-1.0]], &[&[1.0]]), None);
        assert_eq!(
            Phases::mmpp(vec![vec![0.0]], &[1.0, 2.0]).fault().map(|(what, ..)| what),
            Some("the number of phases with arrivals")
        );
    }
}

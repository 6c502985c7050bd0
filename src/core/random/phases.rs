//! Laws of phases: the time that a Markov chain takes to its end (Neuts 1981).

use super::table::Tail;

/// The most phases of a law.
pub(super) const MOST_PHASES: usize = 16;
/// The longest step of a search for a quantile, as a power of two of the mean, and the shortest.
const LONGEST: i32 = 20;
const SHORTEST: i32 = -36;

/// The probabilities of the first phase, and the rates: from a phase to the others, with minus the rate of leaving the phase in
/// its own place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phases<'a> {
    pub(super) first: &'a [f64],
    pub(super) rates: &'a [f64],
}

impl Phases<'_> {
    fn count(&self) -> usize {
        self.first.len()
    }

    /// The mean and the mean square of the time: α(-T)⁻¹1 and 2α(-T)⁻²1. Not finite where the chain never ends.
    #[inline]
    pub(super) fn moments(&self) -> [f64; 2] {
        let stays = self.solve(self.first);
        let again = self.solve(&stays);
        [stays.iter().sum(), 2.0 * again.iter().sum::<f64>()]
    }

    /// The x with x(-T) = b.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.count();
        // Row j: the flow into phase j.
        let mut rows: Vec<Vec<f64>> =
            (0..n).map(|j| (0..n).map(|i| -self.rates[i * n + j]).chain([b[j]]).collect()).collect();
        for place in 0..n {
            let best = (place..n)
                .fold(place, |best, row| if rows[row][place].abs() > rows[best][place].abs() { row } else { best });
            rows.swap(place, best);
            let pivot = rows[place].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != place) {
                let factor = row[place] / pivot[place];
                row.iter_mut().zip(&pivot).for_each(|(value, from)| *value -= factor * from);
            }
        }
        (0..n).map(|place| rows[place][n] / rows[place][place]).collect()
    }

    /// The quantiles of the time divided by its mean.
    pub(super) fn quantiles(&self, mean: f64) -> impl Fn(Tail) -> f64 {
        let n = self.count();
        let steps = self.steps(mean);
        let begin: Vec<f64> = self.first.iter().copied().chain([0.0]).collect();
        move |tail| {
            let mut here = begin.clone();
            let mut time = 0.0;
            for (length, matrix) in &steps {
                let next = times(&here, matrix);
                let before = match tail {
                    Tail::Lower(p) => next[n] < p,
                    Tail::Upper(p) => next[..n].iter().sum::<f64>() > p,
                };
                if before {
                    (here, time) = (next, time + length);
                }
            }
            time
        }
    }

    /// The transition matrices over times of powers of two means, the longest first. The last phase is the end, so that no number
    /// is below 0 and small numbers are as exact as large ones.
    fn steps(&self, mean: f64) -> Vec<(f64, Vec<f64>)> {
        let n = self.count();
        let fastest = (0..n).map(|i| -self.rates[i * n + i] * mean).fold(0.0, f64::max);
        let mut chain = vec![0.0; (n + 1) * (n + 1)];
        for i in 0..n {
            let row = &self.rates[i * n..(i + 1) * n];
            let shares = row.iter().map(|rate| rate * mean / fastest);
            chain[i * (n + 1)..][..n].iter_mut().zip(shares).for_each(|(place, share)| *place = share);
            chain[i * (n + 1) + i] += 1.0;
            chain[i * (n + 1) + n] = (-row.iter().sum::<f64>() * mean / fastest).max(0.0);
        }
        chain[n * (n + 1) + n] = 1.0;
        let mut steps: Vec<(f64, Vec<f64>)> = vec![];
        for power in SHORTEST..=LONGEST {
            let length = libm::exp2(power.into());
            let matrix = match steps.last() {
                Some((_, half)) if fastest * length > 1.0 => product(half, half, n + 1),
                _ => uniformized(&chain, fastest * length, n + 1),
            };
            steps.push((length, matrix));
        }
        steps.reverse();
        steps
    }
}

/// exp(-r) Σ rᵏ/k! Aᵏ (Jensen 1953), for r up to about 1.
fn uniformized(chain: &[f64], r: f64, n: usize) -> Vec<f64> {
    let mut sum: Vec<f64> = (0..n * n).map(|place| f64::from(u8::from(place % (n + 1) == 0))).collect();
    let mut term = sum.clone();
    for k in 1..40 {
        term = product(&term, chain, n);
        term.iter_mut().for_each(|value| *value *= r / f64::from(k));
        sum.iter_mut().zip(&term).for_each(|(sum, term)| *sum += term);
    }
    let scale = libm::exp(-r);
    sum.iter_mut().for_each(|value| *value *= scale);
    sum
}

fn product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    a.chunks_exact(n).flat_map(|row| times(row, b)).collect()
}

/// A row times a square matrix.
fn times(row: &[f64], matrix: &[f64]) -> Vec<f64> {
    let n = row.len();
    let mut sums = vec![0.0; n];
    for (value, from) in row.iter().zip(matrix.chunks_exact(n)) {
        sums.iter_mut().zip(from).for_each(|(sum, factor)| *sum += value * factor);
    }
    sums
}

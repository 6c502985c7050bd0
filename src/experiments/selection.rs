//! The best of several points, with a stated confidence: the procedure KN++ of Kim and Nelson.
//!
//! All points begin with the same number of replications. Then, again and again, points leave that are clearly worse than another remaining
//! one, and the others get more replications, until one is left or the remaining points are so close that the difference does not matter:
//! less than the indifference zone. Where the best is better than every other by at least the zone, it is found with the stated probability.
//! Kim and Nelson (2001, A Fully Sequential Procedure for Indifference-Zone Selection in Simulation; 2006, On the Asymptotic Validity of
//! Fully Sequential Selection Procedures for Steady-State Simulation): variances of differences, which common random numbers make small, are
//! estimated anew at every stage from all values so far (KN++).

use super::contrast::Sample;

/// The result of one stage.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Stage;
/// assert_ne!(Stage::Found, Stage::GoOn);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Several points are left: each needs at least one more replication.
    GoOn,
    /// One point is left, or the remaining points differ by less than the indifference zone.
    Found,
}

/// A selection under way.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Sample, Selection, Stage};
/// let values = |mean: f64| Sample::of(&[[mean - 1.0, 1.0], [mean + 1.0, 1.0], [mean - 1.0, 1.0], [mean + 1.0, 1.0]]);
/// let samples = [values(50.0), values(10.0), values(90.0)];
/// let mut selection = Selection::new(3, 5.0, 0.95);
/// assert_eq!(selection.stage(&samples), Stage::Found);
/// assert_eq!((selection.best(&samples), selection.left()), (Some(1), &[1][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Selection {
    left: Vec<usize>,
    /// The indifference zone.
    zone: f64,
    /// The probability with which each of the others may win wrongly.
    error: f64,
}

impl Selection {
    /// A selection among `points` points; a difference below `zone` does not matter, and the best is to be found with this
    /// confidence, from 0 to 1.
    pub fn new(points: usize, zone: f64, confidence: f64) -> Self {
        let others = points.saturating_sub(1).max(1) as f64;
        Self { left: (0..points).collect(), zone, error: (1.0 - confidence) / others }
    }

    /// The remaining points, in order.
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// The best of the remaining points so far; less is better.
    pub fn best(&self, samples: &[Sample]) -> Option<usize> {
        self.left.iter().copied().min_by(|a, b| samples[*a].figure.total_cmp(&samples[*b].figure))
    }

    /// Leaves out points that are clearly worse, by all replications so far; remaining points have the same number, two or
    /// more.
    pub fn stage(&mut self, samples: &[Sample]) -> Stage {
        let count = self.left.iter().map(|place| samples[*place].moves.len()).min().unwrap_or(0) as f64;
        if self.left.len() < 2 {
            return Stage::Found;
        }
        if count < 2.0 {
            return Stage::GoOn;
        }
        // The power is the same on every platform, since decisions depend on it. h^2 = 2 eta (n - 1) with eta = ((2 error)^(-2 / (n - 1)) - 1)
        // / 2, which falls to -2 ln(2 error).
        let freedom = count - 1.0;
        let squared = freedom * (libm::pow(2.0 * self.error, -2.0 / freedom) - 1.0);
        let before = self.left.clone();
        let (mut ends, zone) = (true, self.zone);
        self.left.retain(|one| {
            before.iter().filter(|other| *other != one).all(|other| {
                let (one, other) = (&samples[*one], &samples[*other]);
                let room = zone / 2.0 * (squared * variance(one, other) / (zone * zone) - count);
                ends &= room <= 0.0;
                count * (one.figure - other.figure) <= room.max(0.0)
            })
        });
        if self.left.is_empty() {
            // Only rounding lets all of several equal points lose.
            self.left = before;
        }
        if self.left.len() == 1 || ends { Stage::Found } else { Stage::GoOn }
    }
}

/// The variance of the difference of two points in one replication.
fn variance(one: &Sample, other: &Sample) -> f64 {
    let (mut mean, mut squares, mut count) = (0.0, 0.0, 0.0);
    for (a, b) in one.moves.iter().zip(&other.moves) {
        count += 1.0;
        let difference = a - b - mean;
        mean += difference / count;
        squares += difference * (a - b - mean);
    }
    if count > 1.0 { squares / (count - 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    /// Normal draws, by the polar method.
    fn normal(draw: &mut impl FnMut() -> f64) -> f64 {
        loop {
            let (u, v) = (2.0 * draw() - 1.0, 2.0 * draw() - 1.0);
            let s: f64 = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// How often the best of 30 systems is found where all others are worse by just the indifference zone, or by more and more, with
    /// luck that the systems share or not; and the number of replications.
    fn found(runs: u64, step: f64, shared: f64) -> (u64, u64) {
        let (mut right, mut taken) = (0, 0);
        for run in 0..runs {
            let mut stream = StreamKey::new(11, run).stream(0);
            let mut draw = || (f64::from(stream.draw()) + 0.5) / 4_294_967_296.0;
            let best = (run * 7 % 30) as usize;
            let mean =
                |place: usize| if place == best { 0.0 } else { 1.0 + step * ((place + 30 - best) % 30 - 1) as f64 };
            let mut pairs = vec![vec![]; 30];
            let mut selection = Selection::new(30, 1.0, 0.95);
            let mut stage = |pairs: &mut Vec<Vec<[f64; 2]>>, left: &[usize], more: usize| {
                for _ in 0..more {
                    let luck = shared * normal(&mut draw);
                    for place in left {
                        pairs[*place].push([mean(*place) + luck + 3.0 * normal(&mut draw), 1.0]);
                    }
                }
            };
            stage(&mut pairs, &(0..30).collect::<Vec<_>>(), 20);
            loop {
                let samples: Vec<Sample> = pairs.iter().map(|pairs| Sample::of(pairs)).collect();
                if selection.stage(&samples) == Stage::Found {
                    right += u64::from(selection.best(&samples) == Some(best));
                    break;
                }
                let left = selection.left().to_vec();
                stage(&mut pairs, &left, 10);
            }
            taken += pairs.iter().map(|pairs| pairs.len() as u64).sum::<u64>();
        }
        (right, taken)
    }

    /// Of 2,000 runs it was found in 1,944.
    #[test]
    fn the_best_of_thirty_is_found_in_95_of_100_runs() {
        let (hardest, taken) = found(400, 0.0, 0.0);
        assert!(hardest >= 380, "{hardest} of 400");
        let (easier, less) = found(100, 0.25, 0.0);
        assert!(easier >= 95 && less < taken / 8, "{easier} of 100, with {less} replications after {taken} in 400");
    }

    /// Variation common to all systems is no difference.
    #[test]
    fn common_luck_costs_no_replications() {
        let (right, taken) = found(20, 0.25, 0.0);
        let (also, same) = found(20, 0.25, 1000.0);
        assert!(right >= 19 && also >= 19, "{right} {also}");
        assert!((same as f64 / taken as f64 - 1.0).abs() < 0.1, "{same} {taken}");
    }
}

//! How replications are allocated among points so that the best point is found with as few as possible.

/// How many of `budget` replications each point should have had, by its mean and variance so far: Chen, Lin, Yücesan and Chick (2000,
/// Simulation Budget Allocation for Further Enhancing the Efficiency of Ordinal Optimization). Less is better. A point gets the more,
/// the larger its variance is and the closer it is to the best.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::allocation;
/// // The example of the paper's kind: five systems with means 1 to 5 and the variance 100.
/// let shares = allocation(&[1.0, 2.0, 3.0, 4.0, 5.0], &[100.0; 5], 1000.0);
/// assert!((shares.iter().sum::<f64>() - 1000.0).abs() < 1e-9);
/// assert!(shares[0] > shares[1] && shares[1] > shares[2] && (shares[1] / shares[2] - 4.0).abs() < 1e-9);
/// ```
pub fn allocation(means: &[f64], variances: &[f64], budget: f64) -> Vec<f64> {
    let best = (0..means.len()).min_by(|a, b| means[*a].total_cmp(&means[*b])).unwrap_or(0);
    let objectives: Vec<[f64; 2]> = means.iter().zip(variances).map(|(mean, variance)| [*mean, *variance]).collect();
    constrained_allocation(&objectives, &[], best, budget)
}

/// The same where points must also be within limits: Lee, Pujowidianto, Li, Chen and Yap (2012, Approximate Simulation Budget Allocation
/// for Selecting the Best Design in the Presence of Stochastic Constraints). Each point has a mean and a variance of the objective, and
/// for each limit a mean and a variance of the distance beyond it, below 0 within it. A point other than the best gets replications by
/// the clearest sign against it: that its objective is worse, or that it is beyond a limit.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::constrained_allocation;
/// // The second point is cheaper than the best, and clearly beyond the limit; the third is dearer by as much, and within it.
/// let objectives = [[10.0, 4.0], [8.0, 4.0], [12.0, 4.0]];
/// let beyond = [vec![[-5.0, 1.0], [20.0, 1.0], [-5.0, 1.0]]];
/// let shares = constrained_allocation(&objectives, &beyond, 0, 100.0);
/// assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9 && shares[2] > 50.0 * shares[1]);
/// ```
///
/// # Panics
/// Where a limit does not have as many entries as there are points.
pub fn constrained_allocation(objectives: &[[f64; 2]], beyond: &[Vec<[f64; 2]>], best: usize, budget: f64) -> Vec<f64> {
    let count = objectives.len();
    let objective = Scaled::of(objectives);
    let limits: Vec<Scaled<'_>> = beyond.iter().map(|limit| Scaled::of(limit)).collect();
    let by_objective = |place: usize| objective.noise(place, objectives[place][0] - objectives[best][0]);
    let by_limits = |place: usize| {
        let noise = |limit: &Scaled<'_>| limit.noise(place, limit.figures[place][0]);
        limits.iter().map(noise).fold(f64::INFINITY, f64::min)
    };
    let mut shares: Vec<f64> = (0..count).map(|place| by_objective(place).min(by_limits(place))).collect();
    let told_by_objective = (0..count).filter(|place| *place != best && by_objective(*place) <= by_limits(*place));
    let squares: f64 = told_by_objective.map(|place| (shares[place] / objective.deviation(place)).powi(2)).sum();
    if let Some(share) = shares.get_mut(best) {
        let within = limits.iter().map(|limit| limit.noise(best, -limit.figures[best][0]));
        *share = within.fold(objective.deviation(best) * squares.sqrt(), f64::max);
    }
    let all: f64 = shares.iter().sum();
    shares.iter().map(|share| if all > 0.0 { share / all * budget } else { budget / count as f64 }).collect()
}

/// Means and variances, and the scale on which a difference counts.
struct Scaled<'a> {
    figures: &'a [[f64; 2]],
    scale: f64,
}

impl<'a> Scaled<'a> {
    fn of(figures: &'a [[f64; 2]]) -> Self {
        let scale = figures.iter().map(|[mean, _]| mean.abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        Self { figures, scale }
    }

    fn deviation(&self, place: usize) -> f64 {
        self.figures[place][1].sqrt().max(1e-12 * self.scale)
    }

    /// How many replications a point needs, up to a factor, to show a difference of this size. Where means are equal, or nothing
    /// varies, the ratios have no limit: a difference this small counts as none.
    fn noise(&self, place: usize, apart: f64) -> f64 {
        (self.deviation(place) / apart.max(1e-9 * self.scale)).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cheaper point just beyond a limit gets replications, since only the limit distinguishes it from the best.
    #[test]
    fn a_cheaper_point_just_beyond_a_limit_is_looked_at_closely() {
        let objectives = [[10.0, 4.0], [8.0, 4.0], [14.0, 4.0]];
        let beyond = [vec![[-5.0, 1.0], [0.1, 1.0], [-5.0, 1.0]]];
        let shares = constrained_allocation(&objectives, &beyond, 0, 100.0);
        assert!(shares[1] > 90.0, "{shares:?}");
    }
}

//! How replications are shared out among points so that the best of them is found with as few as possible.

/// How many of so many replications each point should have had, by the means and the variances of what was seen: Chen, Lin, Yücesan
/// and Chick (2000, Simulation Budget Allocation for Further Enhancing the Efficiency of Ordinal Optimization). Less is better. A point
/// gets the more, the larger its variance is and the closer it is to the best.
///
/// ```
/// use tickless::experiments::allocation;
/// // The example of the paper's kind: five systems with means 1 to 5 and the variance 100.
/// let shares = allocation(&[1.0, 2.0, 3.0, 4.0, 5.0], &[100.0; 5], 1000.0);
/// assert!((shares.iter().sum::<f64>() - 1000.0).abs() < 1e-9);
/// assert!(shares[0] > shares[1] && shares[1] > shares[2] && (shares[1] / shares[2] - 4.0).abs() < 1e-9);
/// ```
pub fn allocation(means: &[f64], variances: &[f64], budget: f64) -> Vec<f64> {
    let best = (0..means.len()).min_by(|a, b| means[*a].total_cmp(&means[*b])).unwrap_or(0);
    // Where means are equal, or nothing varies, the ratios have no limit: a difference this small counts as none.
    let scale = means.iter().map(|mean| mean.abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let apart = |place: usize| (means[place] - means[best]).max(1e-9 * scale);
    let deviation = |place: usize| variances[place].sqrt().max(1e-12 * scale);
    let ratio = |place: usize| (deviation(place) / apart(place)).powi(2);
    let mut shares: Vec<f64> = (0..means.len()).map(ratio).collect();
    let others = (0..means.len()).filter(|place| *place != best);
    let squares: f64 = others.map(|place| (shares[place] / deviation(place)).powi(2)).sum();
    if let Some(share) = shares.get_mut(best) {
        *share = deviation(best) * squares.sqrt();
    }
    let all: f64 = shares.iter().sum();
    shares.iter().map(|share| if all > 0.0 { share / all * budget } else { budget / means.len() as f64 }).collect()
}

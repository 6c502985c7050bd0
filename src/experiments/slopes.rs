//! The effect of numeric factors on a measure where points fill a space and share no levels: straight lines through all points.

use super::contrast::{Sample, contrast};
use tickless_core::statistics::{Estimate, quantile};

/// The plane nearest to the figures of all points, by least squares.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Sample, slopes};
/// // The first factor adds 3 for each of its units, the second takes away 1.
/// let points: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 5.0], [2.0, 1.0], [4.0, 3.0]];
/// let samples: Vec<Sample> = points.iter().map(|[a, b]| Sample::of(&[[7.0 + 3.0 * a - b, 1.0]; 2])).collect();
/// let plane = slopes(&points.map(Vec::from), &samples).unwrap();
/// let over_the_range: Vec<f64> = plane.slopes.iter().map(|slope| slope.mean).collect();
/// assert!((over_the_range[0] - 12.0).abs() < 1e-9 && (over_the_range[1] + 5.0).abs() < 1e-9);
/// assert!(plane.explained.unwrap() > 1.0 - 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// For each factor how much larger the measure is at its largest value than at its smallest. The interval is the wider of two: by the
    /// spread of replications, and by the distance of the points from the plane; there is none where a plane fits any points.
    pub slopes: Vec<Estimate>,
    /// The share of the variance between the points that the plane explains; `None` without variance, and where a plane fits any points,
    /// since there is only one point more than factors.
    pub explained: Option<f64>,
}

/// Fits a plane to the figures of points with these values of the factors. `None` where the points are too few to separate the factors,
/// or a factor does not vary.
///
/// # Panics
/// Where points have different numbers of factors, or there are not as many samples.
pub fn slopes(points: &[Vec<f64>], samples: &[Sample]) -> Option<Plane> {
    let factors = points.first()?.len();
    if factors == 0 || points.len() <= factors {
        return None;
    }
    let columns: Vec<Vec<f64>> = (0..factors).map(|factor| centred(points, factor)).collect::<Option<_>>()?;
    let weights = weights(&columns)?;
    let slope = |weights: &Vec<f64>| contrast(&weights.iter().copied().zip(samples).collect::<Vec<_>>());
    let mut slopes: Vec<Estimate> = weights.iter().map(slope).collect();
    let count = samples.len() as f64;
    let mean = samples.iter().map(|sample| sample.figure).sum::<f64>() / count;
    // Point by point, since contrasts take only the first replications where points have different numbers.
    let of =
        |weights: &Vec<f64>| weights.iter().zip(samples).map(|(weight, sample)| weight * sample.figure).sum::<f64>();
    let fitted: Vec<f64> = weights.iter().map(of).collect();
    let (mut left, mut all) = (0.0, 0.0);
    for (point, sample) in samples.iter().enumerate() {
        let on_plane: f64 = mean + (0..factors).map(|factor| fitted[factor] * columns[factor][point]).sum::<f64>();
        left += (sample.figure - on_plane).powi(2);
        all += (sample.figure - mean).powi(2);
    }
    let freedom = points.len() - factors - 1;
    for (slope, weights) in slopes.iter_mut().zip(&weights) {
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        let by_plane = interval((left / freedom.max(1) as f64 * squares).sqrt(), freedom as u64);
        slope.half_width = slope.half_width.zip(by_plane).map(|(one, other)| one.max(other));
    }
    Some(Plane { slopes, explained: (all > 0.0 && freedom > 0).then(|| (1.0 - left / all).max(0.0)) })
}

/// Half of the 95 % interval for a standard error, by the degrees of freedom.
fn interval(error: f64, freedom: u64) -> Option<f64> {
    (freedom > 0).then(|| quantile(freedom).map(|times| times * error)).flatten()
}

/// The values of a factor less their mean, divided by the width of their range; `None` for a factor that does not vary.
fn centred(points: &[Vec<f64>], factor: usize) -> Option<Vec<f64>> {
    let values = || points.iter().map(|point| point[factor]);
    let (least, most) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
    let mean = values().sum::<f64>() / points.len() as f64;
    (most > least).then(|| values().map(|value| (value - mean) / (most - least)).collect())
}

/// The weight of each point in the slope of each factor: the rows of the inverse of the normal equations times the
/// columns.
fn weights(columns: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let factors = columns.len();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // For each factor the normal equation, and behind it the column for which it is solved.
    let mut rows: Vec<(Vec<f64>, Vec<f64>)> =
        columns.iter().map(|one| (columns.iter().map(|other| product(one, other)).collect(), one.clone())).collect();
    for place in 0..factors {
        let pivot = (place..factors).max_by(|a, b| rows[*a].0[place].abs().total_cmp(&rows[*b].0[place].abs()))?;
        rows.swap(place, pivot);
        let by = rows[place].0[place];
        // Columns that are sums of others cannot be separated.
        if by.abs() < 1e-9 {
            return None;
        }
        let (equation, column) = &mut rows[place];
        equation.iter_mut().chain(column.iter_mut()).for_each(|value| *value /= by);
        let (equation, column) = rows[place].clone();
        for (_, (their, theirs)) in rows.iter_mut().enumerate().filter(|(other, _)| *other != place) {
            let times = their[place];
            their.iter_mut().zip(&equation).for_each(|(value, ours)| *value -= times * ours);
            theirs.iter_mut().zip(&column).for_each(|(value, ours)| *value -= times * ours);
        }
    }
    Some(rows.into_iter().map(|(_, column)| column).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    #[test]
    fn planes_are_found_and_their_intervals_are_those_of_luck() {
        let mut stream = StreamKey::new(4, 0).stream(0);
        let mut draw = || f64::from(stream.draw()) / 4_294_967_296.0;
        let points: Vec<Vec<f64>> = (0..40).map(|_| vec![10.0 * draw(), draw() - 0.5, 3.0]).collect();
        // The third does not vary, so there is no plane.
        let figure = |point: &[f64], luck: f64| [2.0 * point[0] - 6.0 * point[1] + luck, 1.0];
        let samples: Vec<Sample> =
            points.iter().map(|point| Sample::of(&[figure(point, draw()), figure(point, -draw())])).collect();
        assert_eq!(slopes(&points, &samples), None);
        let two: Vec<Vec<f64>> = points.iter().map(|point| point[..2].to_vec()).collect();
        let plane = slopes(&two, &samples).unwrap();
        let width = |factor: usize| {
            let values = || two.iter().map(|point| point[factor]);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        for (slope, expected) in plane.slopes.iter().zip([2.0 * width(0), -6.0 * width(1)]) {
            assert!((slope.mean - expected).abs() < slope.half_width.unwrap() && slope.half_width.unwrap() > 0.0);
        }
        assert!(plane.explained.unwrap() > 0.98);
        // One is the double of the other.
        let same: Vec<Vec<f64>> = points.iter().map(|point| vec![point[0], 2.0 * point[0]]).collect();
        assert_eq!(slopes(&same, &samples), None);
        assert_eq!(slopes(&two[..2], &samples[..2]), None);
    }
}

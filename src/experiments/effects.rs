//! The effect of a value of a factor on a measure, and interactions of two factors.

use serde::Serialize;

use super::contrast::{Sample, contrast};
use tickless_core::statistics::Estimate;

/// How much larger a measure is in the mean over the points with a value of a factor than over those with its first value.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Sample, effects};
/// // Two factors with two values each; the first adds 10, the second 1.
/// let places = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
/// let samples: Vec<Sample> = [5.0, 6.0, 15.0, 16.0].map(|value| Sample::of(&[[value, 1.0]; 2])).into();
/// let found: Vec<f64> = effects(&places, &samples).iter().map(|effect| effect.estimate.mean).collect();
/// assert_eq!(found, [10.0, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The place of the factor.
    pub factor: usize,
    /// The place of its value, from 1 on.
    pub level: usize,
    /// The difference of the measure.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// How much larger the effect of a value of a factor is beside a value of another factor than beside that factor's first
/// value.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Sample, interactions};
/// let places = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
/// let samples: Vec<Sample> = [5.0, 6.0, 15.0, 19.0].map(|value| Sample::of(&[[value, 1.0]; 2])).into();
/// let found = interactions(&places, &samples);
/// assert_eq!((found.len(), found[0].factors, found[0].estimate.mean), (1, [0, 1], 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interaction {
    /// The places of the factors.
    pub factors: [usize; 2],
    /// The places of their values, from 1 on.
    pub levels: [usize; 2],
    /// How much larger.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// The places of the values of each point.
type Places = [Vec<usize>];

/// The mean over the points that satisfy a condition, with this weight.
fn mean_over<'a>(
    (places, samples): (&Places, &'a [Sample]),
    weight: f64,
    holds: impl Fn(&[usize]) -> bool,
) -> Vec<(f64, &'a Sample)> {
    let found: Vec<&Sample> =
        places.iter().zip(samples).filter(|(point, _)| holds(point)).map(|(_, one)| one).collect();
    let weight = weight / found.len() as f64;
    found.into_iter().map(|sample| (weight, sample)).collect()
}

/// The number of values of each factor.
fn levels(places: &Places) -> Vec<usize> {
    let factors = places.first().map_or(0, Vec::len);
    (0..factors).map(|factor| places.iter().map(|point| point[factor] + 1).max().unwrap_or(0)).collect()
}

/// The effects of all values of all factors except the first values: `places` has the places of the values of each point, in a
/// design where every pair of values of two factors occurs equally often.
pub fn effects(places: &[Vec<usize>], samples: &[Sample]) -> Vec<Effect> {
    let of = |(factor, level): (usize, usize)| {
        let with = |level: usize, weight| mean_over((places, samples), weight, |point| point[factor] == level);
        let estimate = contrast(&[with(level, 1.0), with(0, -1.0)].concat());
        Effect { factor, level, estimate }
    };
    let all = levels(places).into_iter().enumerate();
    all.flat_map(|(factor, count)| (1..count).map(move |level| (factor, level))).map(of).collect()
}

/// The interactions of all values of all pairs of factors except the first values, as [`effects`].
pub fn interactions(places: &[Vec<usize>], samples: &[Sample]) -> Vec<Interaction> {
    let counts = levels(places);
    let mut all = vec![];
    for second in 0..counts.len() {
        for first in 0..second {
            for (one, other) in (1..counts[first]).flat_map(|one| (1..counts[second]).map(move |other| (one, other))) {
                let cell = |levels: [usize; 2], weight| {
                    mean_over((places, samples), weight, |point| [point[first], point[second]] == levels)
                };
                let cells = [cell([one, other], 1.0), cell([one, 0], -1.0), cell([0, other], -1.0), cell([0, 0], 1.0)];
                let estimate = contrast(&cells.concat());
                all.push(Interaction { factors: [first, second], levels: [one, other], estimate });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    /// A model with known effects at three by two points, with noise that all points share and noise of their own.
    #[test]
    fn known_effects_are_found_within_their_intervals() {
        let places: Vec<Vec<usize>> = (0..6).map(|point| vec![point / 2, point % 2]).collect();
        let truth =
            |point: &[usize]| [0.0, 2.0, 5.0][point[0]] + 3.0 * point[1] as f64 + 1.5 * (point == [2, 1]) as u8 as f64;
        let mut missed = 0;
        for seed in 0..200 {
            let mut stream = StreamKey::new(seed, 0).stream(0);
            let mut draw = || f64::from(stream.draw()) / 4_294_967_296.0;
            let luck: Vec<f64> = (0..40).map(|_| 20.0 * draw()).collect();
            let mut sample = |point: &Vec<usize>| {
                Sample::of(&luck.iter().map(|luck| [luck + truth(point) + draw(), 1.0]).collect::<Vec<_>>())
            };
            let samples: Vec<Sample> = places.iter().map(&mut sample).collect();
            let found = effects(&places, &samples);
            let expected = [2.0, 5.75, 3.5];
            let misses = |estimate: &Estimate, truth: f64| {
                let half = estimate.half_width.unwrap();
                assert!(half < 0.5, "shared luck is gone: {half}");
                usize::from((estimate.mean - truth).abs() > half)
            };
            missed += found.iter().zip(expected).map(|(effect, truth)| misses(&effect.estimate, truth)).sum::<usize>();
            let both = interactions(&places, &samples);
            missed += both.iter().zip([0.0, 1.5]).map(|(one, truth)| misses(&one.estimate, truth)).sum::<usize>();
        }
        // 5 % of 1,000.
        assert!((25..80).contains(&missed), "{missed}");
    }
}

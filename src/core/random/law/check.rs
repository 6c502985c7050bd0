//! Which laws are allowed.

use super::moments::coxian;
use super::{LawError, ServiceLaw};
use crate::number::Written;
use crate::random::phases::{MOST_PHASES, Phases};
use crate::time::Time;

/// The shortest mean service time, in time units: 4,295 ticks, so that rounding to ticks stays below 0.03 %.
const SHORTEST_MEAN: f64 = 1e-6;
/// Every time of a law is shorter, in time units (2³⁰).
const LONGEST: f64 = 1_073_741_824.0;
/// The most stages of an Erlang law; each takes a draw.
pub(super) const MOST_STAGES: u32 = 1024;
/// The most values of a list.
const MOST_VALUES: usize = 1 << 16;
/// The most that the mean and the mean square of drawn times may differ from the law's.
const MOST_WRONG: [f64; 2] = [1e-4, 1e-3];
/// The shortest phase, as a part of the mean.
const SHORTEST_PHASE: f64 = 1.0 / 16_777_216.0;
/// The rounding error allowed in a sum of probabilities, which is 1, and in a sum of rates, which is 0.
const ROUNDING: f64 = 1e-9;

impl ServiceLaw {
    /// Checks every parameter.
    ///
    /// # Errors
    /// [`LawError`] with the law, what is wrong and what is allowed.
    pub fn check(&self) -> Result<(), LawError> {
        let fail = |fault: String| Err(LawError { law: self.to_string(), fault });
        self.check_parameters().map_err(|fault| LawError { law: self.to_string(), fault })?;
        if let Some(errors) = self.fitted().map(|fitted| fitted.fit.errors)
            && !errors.iter().zip(MOST_WRONG).all(|(error, most)| *error <= most)
        {
            return fail(format!(
                "the coefficient of variation is {:.1}; what is drawn would have a mean {:.0e} off and a mean square {:.0e} off, of \
                 which 1e-4 and 1e-3 are allowed: use a less extreme law",
                self.coefficient_of_variation(),
                errors[0],
                errors[1]
            ));
        }
        let allowed = "it must be below 2^30 time units: use a shorter mean";
        match self.effective(None).maximum().map(Time::units) {
            Some(longest) if longest < LONGEST => Ok(()),
            Some(longest) => fail(format!("the longest time is {}; {allowed}", Written(longest))),
            None => fail(format!("the longest time is above 2^31; {allowed}")),
        }
    }

    fn check_parameters(&self) -> Result<(), String> {
        match self {
            Self::Exponential { mean } => time("the mean", *mean),
            Self::Constant { time: value } => time("the time", *value),
            Self::Uniform { low, high } => {
                time("the upper end", *high)?;
                within("the lower end", *low, *low >= 0.0 && low < high, || {
                    format!("0 or more and below the upper end {high}")
                })
            }
            Self::Erlang { stages, mean } => {
                time("the mean", *mean)?;
                if (1..=MOST_STAGES).contains(stages) {
                    time("the mean of a stage", mean / f64::from(*stages))
                } else {
                    Err(format!("{stages} stages; 1 to {MOST_STAGES} are allowed"))
                }
            }
            Self::Hyperexponential { probability, first, second } => {
                time("the first mean", *first)?;
                time("the second mean", *second)?;
                within("the probability", *probability, *probability > 0.0 && *probability < 1.0, || {
                    "strictly between 0 and 1".to_owned()
                })
            }
            Self::Coxian { means, probabilities } => check_coxian(means, probabilities),
            Self::PhaseType { first, rates } => check_phases(first, rates),
            Self::Discrete { values } => {
                check_list(values.iter().map(|(value, _)| *value))?;
                values
                    .iter()
                    .try_for_each(|(_, weight)| within("a weight", *weight, *weight > 0.0, || "above 0".to_owned()))?;
                check_sum(values.iter().map(|(_, weight)| weight))
            }
            Self::Samples { values } => check_list(values.iter().copied()),
            Self::Histogram { edges, weights } => check_histogram(edges, weights),
            _ => self.tabled().map_or(Ok(()), |(law, numbers)| (law.check)(&numbers)),
        }
    }
}

pub(super) fn within(name: &str, value: f64, allowed: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if allowed { Ok(()) } else { Err(format!("{name} is {}; it must be {}", Written(value), what())) }
}

pub(super) fn between(name: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    within(name, value, (low..=high).contains(&value), || format!("from {} to {}", Written(low), Written(high)))
}

pub(super) fn time(name: &str, value: f64) -> Result<(), String> {
    within(name, value, (SHORTEST_MEAN..LONGEST).contains(&value), || {
        format!("at least {SHORTEST_MEAN} and below 2^30 time units")
    })
}

fn check_coxian(means: &[f64], probabilities: &[f64]) -> Result<(), String> {
    if means.is_empty() || means.len() > MOST_PHASES || probabilities.len() + 1 != means.len() {
        return Err(format!(
            "{} means and {} probabilities; 1 to {MOST_PHASES} means are allowed, with a probability between each two",
            means.len(),
            probabilities.len()
        ));
    }
    means.iter().try_for_each(|mean| time("a mean", *mean))?;
    probabilities
        .iter()
        .try_for_each(|p| within("a probability", *p, *p > 0.0 && *p <= 1.0, || "above 0 and at most 1".to_owned()))?;
    let (first, rates) = coxian(means, probabilities);
    check_mean(&first, &rates)
}

fn check_phases(first: &[f64], rates: &[f64]) -> Result<(), String> {
    let n = first.len();
    if n == 0 || n > MOST_PHASES || rates.len() != n * n {
        return Err(format!(
            "{n} first probabilities and {} rates; 1 to {MOST_PHASES} probabilities are allowed, and as many rows of as many rates",
            rates.len()
        ));
    }
    first.iter().try_for_each(|p| between("a first probability", *p, 0.0, 1.0))?;
    let sum: f64 = first.iter().sum();
    within("the sum of first probabilities", sum, (sum - 1.0).abs() <= ROUNDING, || "1".to_owned())?;
    for (phase, row) in rates.chunks_exact(n).enumerate() {
        for (to, rate) in row.iter().enumerate() {
            let stays = phase == to;
            within("a rate", *rate, rate.is_finite() && if stays { *rate < 0.0 } else { *rate >= 0.0 }, || {
                let place = format!("row {} and column {}", phase + 1, to + 1);
                if stays {
                    format!("below 0 in {place}: minus the rate at which the phase is left")
                } else {
                    format!("0 or more in {place}")
                }
            })?;
        }
        let sum: f64 = row.iter().sum();
        within("the sum of a row of rates", sum, sum <= -ROUNDING * row[phase], || {
            format!("0 or less in row {}: a phase is left for others at most as often as it is left", phase + 1)
        })?;
    }
    check_mean(first, rates)
}

/// Checks that phases end, and that no phase is too short beside the mean.
fn check_mean(first: &[f64], rates: &[f64]) -> Result<(), String> {
    let [mean, square] = Phases { first, rates }.moments();
    if !(mean.is_finite() && mean > 0.0 && square.is_finite() && square > 0.0) {
        return Err("it never ends from some phase: each must lead to the end, if over others".to_owned());
    }
    time("the mean of the whole", mean)?;
    let n = first.len();
    (0..n).map(|phase| -1.0 / rates[phase * n + phase]).try_for_each(|stay| {
        within("the mean of a phase", stay, stay >= mean * SHORTEST_PHASE, || {
            format!("at least a part in 2^24 of the mean of the whole, {}", Written(mean))
        })
    })
}

fn check_list(values: impl ExactSizeIterator<Item = f64> + Clone) -> Result<(), String> {
    if values.len() == 0 || values.len() > MOST_VALUES {
        return Err(format!("{} values; 1 to {MOST_VALUES} are allowed", values.len()));
    }
    let mut longest = 0.0_f64;
    for value in values {
        within("a value", value, (0.0..LONGEST).contains(&value), || "0 or more and below 2^30 time units".to_owned())?;
        longest = longest.max(value);
    }
    time("the largest value", longest)
}

fn check_histogram(edges: &[f64], weights: &[f64]) -> Result<(), String> {
    if weights.is_empty() || edges.len() != weights.len() + 1 {
        return Err(format!("{} edges and {} weights; there must be an edge more", edges.len(), weights.len()));
    }
    check_list(edges.iter().copied())?;
    for pair in edges.windows(2) {
        within("an edge", pair[1], pair[0] < pair[1], || format!("above the edge before it, {}", Written(pair[0])))?;
    }
    weights.iter().try_for_each(|weight| within("a weight", *weight, *weight >= 0.0, || "0 or more".to_owned()))?;
    check_sum(weights.iter())
}

fn check_sum<'a>(weights: impl Iterator<Item = &'a f64>) -> Result<(), String> {
    let sum: f64 = weights.sum();
    within("the sum of weights", sum, sum > 0.0 && sum.is_finite(), || "above 0 and finite".to_owned())
}

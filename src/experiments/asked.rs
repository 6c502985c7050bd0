//! The questions of an experiment beside the figures of its points: which point is the best, and which points no other
//! one beats.

use std::ops::Range;

use toml::Spanned;

use super::error::{ExperimentError, at};
use super::file::{FrontEntry, SelectEntry};
use super::measure::Measure;
use tickless_queueing::NetworkModel;

/// The best point: the point with the smallest value of a measure, or the largest.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Best, Measure, Rule};
/// let measure = Measure::parse("cost")?;
/// let best = Best { measure, largest: false, rule: Rule::Indifference { zone: 0.5, confidence: 0.95 } };
/// assert_eq!(best.sign(), 1.0);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The measure.
    pub measure: Measure,
    /// Whether the largest value is the best.
    pub largest: bool,
    /// The rule by which the best point is found.
    pub rule: Rule,
}

impl Best {
    /// The factor of a value after which less is better.
    pub fn sign(&self) -> f64 {
        if self.largest { -1.0 } else { 1.0 }
    }
}

/// The rule by which the best point is found.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Rule;
/// assert_ne!(Rule::Budget { replications: 1000 }, Rule::Indifference { zone: 1.0, confidence: 0.95 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Until the best is found with this confidence, where a difference below the zone does not matter
    /// ([`super::Selection`]).
    Indifference {
        /// In the unit of the measure.
        zone: f64,
        /// Above 0.5 and below 1.
        confidence: f64,
    },
    /// With a budget of replications, allocated by the results so far ([`super::allocation()`]).
    Budget {
        /// Of all points together.
        replications: u64,
    },
}

/// Two measures to be traded for each other, and for each whether the largest value is the best.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Front, Measure};
/// let front = Front { measures: [Measure::parse("cost")?, Measure::parse("network.throughput")?], largest: [false, true] };
/// assert_eq!(front.largest, [false, true]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    /// The measures.
    pub measures: [Measure; 2],
    /// Whether a larger value is better.
    pub largest: [bool; 2],
}

/// The best point that a file asks for.
///
/// # Errors
/// The first fault, with its line.
pub(super) fn best(text: &str, select: &SelectEntry, model: &NetworkModel) -> Result<Best, ExperimentError> {
    let lacks =
        "`select` needs the measure that is to be small or large, as { smallest = \"cost\", indifference = 0.5 }";
    let lacks = (place_of_key(text, "select"), lacks);
    let (name, largest) = objective(text, [&select.smallest, &select.largest], lacks)?;
    let number = |value: &Spanned<f64>, is_right: &dyn Fn(f64) -> bool, allowed: &str| {
        let (value, place) = (*value.get_ref(), value.span());
        if is_right(value) {
            Ok(value)
        } else {
            Err(at(text, place, format!("{value} is not allowed here; it must be {allowed}")))
        }
    };
    let measure = Measure::read(text, name, model)?;
    let rule = match (&select.indifference, &select.budget) {
        (Some(zone), None) => {
            let zone = number(
                zone,
                &|zone| zone > 0.0 && zone.is_finite(),
                "a difference above 0, in the unit of the measure",
            )?;
            let confidence = match &select.confidence {
                Some(confidence) => number(confidence, &|share| share > 0.5 && share < 1.0, "above 0.5 and below 1")?,
                None => 0.95,
            };
            Rule::Indifference { zone, confidence }
        }
        (None, Some(budget)) => {
            if let Some(confidence) = &select.confidence {
                let fault =
                    "`confidence` is for `indifference`: a budget ends when it is used up; leave one of them out";
                return Err(at(text, confidence.span(), fault));
            }
            Rule::Budget { replications: *budget.get_ref() }
        }
        (Some(_), Some(budget)) => {
            return Err(at(text, budget.span(), "it has both `indifference` and `budget`: leave one of them out"));
        }
        (None, None) => {
            let fault = "`select` needs `indifference`, a difference of the measure that does not matter, or `budget`, how many replications \
                         all points may take";
            return Err(at(text, name.span(), fault));
        }
    };
    Ok(Best { measure, largest, rule })
}

/// The measure that is to be small, or large, and whether it is to be large.
///
/// # Errors
/// Where both are given, or neither, with the place and the text.
pub(super) fn objective<'a>(
    text: &str,
    measures: [&'a Option<Spanned<String>>; 2],
    (place, lacks): (Range<usize>, &str),
) -> Result<(&'a Spanned<String>, bool), ExperimentError> {
    match measures {
        [Some(name), None] => Ok((name, false)),
        [None, Some(name)] => Ok((name, true)),
        [Some(name), Some(_)] => {
            Err(at(text, name.span(), "it has both `smallest` and `largest`: leave one of them out"))
        }
        [None, None] => Err(at(text, place, lacks)),
    }
}

fn place_of_key(text: &str, key: &str) -> Range<usize> {
    text.find(key).map_or(0..0, |place| place..place)
}

/// The two measures to be traded.
///
/// # Errors
/// The first fault, with its line.
pub(super) fn front_of(
    text: &str,
    entry: &Spanned<FrontEntry>,
    model: &NetworkModel,
) -> Result<Front, ExperimentError> {
    let FrontEntry { smallest, largest } = entry.get_ref();
    let all = smallest.iter().map(|name| (name, false)).chain(largest.iter().map(|name| (name, true)));
    let all: Vec<_> = all
        .map(|(name, largest)| Ok((Measure::read(text, name, model)?, largest)))
        .collect::<Result<_, ExperimentError>>()?;
    match <[(Measure, bool); 2]>::try_from(all) {
        Ok([(one, a), (other, b)]) => Ok(Front { measures: [one, other], largest: [a, b] }),
        Err(all) => {
            let fault = format!(
                "`front` has {} measures; it trades two for each other, as {{ smallest = [\"cost\", \"network.mean_waiting_time\"] }}",
                all.len()
            );
            Err(at(text, entry.span(), fault))
        }
    }
}

//! Errors of figures by the hour.

use thiserror::Error;
use tickless_core::number::Written;

/// A period or a step of figures by the hour that is not allowed; values are in time units.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::FoldError;
/// assert!(FoldError::NoPeriod { step: 1.0 }.to_string().contains("give the period"));
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FoldError {
    /// The period is 0, negative, too long or no number.
    #[error("the period of the fold is {}; it must be above 0 and below 2^31", Written(*.value))]
    Period {
        /// The period.
        value: f64,
    },
    /// The period is no whole number of steps, or has too many.
    #[error(
        "the step of the fold is {} and its period {}; the period must be a whole number of steps, 1,000 at most",
        Written(*.value), Written(*.period)
    )]
    Step {
        /// The step.
        value: f64,
        /// The period.
        period: f64,
    },
    /// A run has too many bins.
    #[error("the step of the fold is {}, of which the run has more than {most}: give a longer one, or end earlier", Written(*.step))]
    Many {
        /// The step.
        step: f64,
        /// The most that are allowed.
        most: u64,
    },
    /// A step without a period.
    #[error("fold_step is {} and there is no fold: give the period, as fold = 1440", Written(*.step))]
    NoPeriod {
        /// The step.
        step: f64,
    },
}

/// A sum of times of figures by the hour passes 64 bits.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert!(tickless::queueing::FoldedTimeError.to_string().contains("2^64"));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the times of a bin of the fold, added together, pass 2^64 ticks: end earlier, in more replications")]
pub struct FoldedTimeError;

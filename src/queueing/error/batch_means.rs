//! The error of batches.

use thiserror::Error;
use tickless_core::number::Written;

/// A number of batches that a run does not have.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::BatchMeansError;
/// assert!(BatchMeansError { count: 1, measured: 10.0 }.to_string().contains("give 2 to 1,000"));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("{count} batches are asked for; give 2 to 1,000, and no more than the {} time units after the warm-up have ticks", Written(*.measured))]
pub struct BatchMeansError {
    /// The number of batches.
    pub count: u32,
    /// The time behind the warm-up, in time units.
    pub measured: f64,
}

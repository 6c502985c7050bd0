//! Why an optimization gave no result.

use crate::experiments::{ExperimentError, PointError};

/// A search that came to a point which is no network, or whose run ended without a result.
///
/// ```
/// use tickless::experiments::{ExperimentError, optimization::OptimizationError};
/// let said = "the share is 1.2".to_owned();
/// let point = ExperimentError::Point { number: 7, settings: "route.a.b.probability = 0.7".into(), line: None, said };
/// assert!(OptimizationError::from(point).to_string().starts_with("at point 7 "));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum OptimizationError {
    /// The values of a point make no network that can be run.
    #[error(transparent)]
    Network(#[from] ExperimentError),
    /// A point could not be run.
    #[error(transparent)]
    Run(#[from] PointError),
}

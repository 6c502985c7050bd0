//! What can be wrong with a model before it runs.

use crate::number::Written;
use crate::random::LawError;

/// A model that cannot run, found before anything is allocated.
///
/// ```
/// use tickless::queueing::{ModelError, Torus};
/// let error = Torus::new(0, 5).check().unwrap_err();
/// assert!(matches!(error, ModelError::Side { .. }));
/// assert_eq!(error.to_string(), "the width is 0; a torus needs at least 1 facility each way");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A side of zero.
    #[error("the {name} is 0; a torus needs at least 1 facility each way")]
    Side {
        /// `width` or `height`.
        name: &'static str,
    },
    /// More facilities than 30-bit facility numbers.
    #[error("{width} x {height} facilities are asked; at most {most} can be numbered: use a smaller torus")]
    Facilities {
        /// The width asked.
        width: u32,
        /// The height asked.
        height: u32,
        /// The most facilities.
        most: u64,
    },
    /// More tokens than 32-bit token numbers.
    #[error("{tokens} tokens at each of {facilities} facilities are asked; at most {most} tokens each fit: use fewer")]
    Tokens {
        /// The tokens asked per facility.
        tokens: u32,
        /// The number of facilities.
        facilities: u32,
        /// The most tokens per facility.
        most: u32,
    },
    /// A service law that cannot be drawn from.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A window that leaves no room for the law.
    #[error("the window is {}; it must be 0 or more and below the mean service time {mean}", Written(*.window))]
    Window {
        /// The window asked, in time units.
        window: f64,
        /// The mean service time, in time units.
        mean: f64,
    },
    /// A horizon that is no time.
    #[error("until is {}; it must be above 0 and at most {most} time units, so that no time can overflow", Written(*.until))]
    Until {
        /// The horizon asked, in time units.
        until: f64,
        /// The latest horizon that this service law allows.
        most: f64,
    },
    /// A warm-up time outside the run.
    #[error("the warm-up time is {}; it must be 0 or more and below until, which is {until}", Written(*.warmup))]
    Warmup {
        /// The warm-up time asked, in time units.
        warmup: f64,
        /// The horizon, in time units.
        until: f64,
    },
}

//! Errors of experiments.

use std::ops::Range;

use tickless_queueing::FileError;

/// An experiment that cannot be run.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Experiment;
/// let error = Experiment::from_toml("until = 5\n[experiment]\nfactors.until = [5, 6]\nreplications = 0\n").unwrap_err();
/// assert!(error.to_string().starts_with("line 4: `replications` is 0; it must be "), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExperimentError {
    /// A fault of the file, with its line.
    #[error(transparent)]
    File(#[from] FileError),
    /// A number of replications of each point that is not allowed.
    #[error("each of the {points} points has {replications} replications; they may have 1 to {most} each")]
    Replications {
        /// Of each point.
        replications: u32,
        /// How many points there are.
        points: u64,
        /// The most replications of each point.
        most: u32,
    },
    /// A budget below the first replications of all points, or above the most that they can have.
    #[error(
        "`budget` is {budget}; all points begin with {least} replications together, so it must be from that to {most}"
    )]
    Budget {
        /// The budget.
        budget: u64,
        /// The first replications of all points.
        least: u64,
        /// The most replications of all points.
        most: u64,
    },
    /// What a program asks for, of a [`Simulator`](crate::Simulator): a key, a measure or a point.
    #[error("{name}: {said}")]
    Asked {
        /// Its name.
        name: String,
        /// The fault.
        said: String,
    },
    /// A point whose network cannot run.
    #[error("{}at point {number} ({settings}): {said}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Point {
        /// Its number, from 1 on.
        number: usize,
        /// The values of its factors.
        settings: String,
        /// The line of the file.
        line: Option<usize>,
        /// The fault.
        said: String,
    },
}

/// A fault of a line.
pub(super) fn at_line(line: usize, fault: impl Into<String>) -> ExperimentError {
    ExperimentError::File(FileError { line, fault: fault.into(), mark: None })
}

/// A fault at a place of a text.
pub(super) fn at(text: &str, place: Range<usize>, fault: impl Into<String>) -> ExperimentError {
    at_line(1 + text[..place.start].matches('\n').count(), fault)
}

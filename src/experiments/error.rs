//! What can be wrong with an experiment.

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
    /// Replications of each point that are none, or too many.
    #[error("each of the {points} points has {replications} replications; they may have 1 to {most} each")]
    Replications {
        /// Of each point.
        replications: u32,
        /// How many points there are.
        points: u64,
        /// The most of each.
        most: u32,
    },
    /// A budget that is less than what all points begin with, or more than they can have.
    #[error(
        "`budget` is {budget}; all points begin with {least} replications together, so it must be from that to {most}"
    )]
    Budget {
        /// What was given.
        budget: u64,
        /// What they begin with.
        least: u64,
        /// What they can have.
        most: u64,
    },
    /// A point that is no network that can be run.
    #[error("{}at point {number} ({settings}): {said}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Point {
        /// Its number, from 1 on.
        number: usize,
        /// The values of its factors.
        settings: String,
        /// The line of the file.
        line: Option<usize>,
        /// What is wrong.
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

//! Errors of logs.

use std::io;

/// Why a log cannot be written or read.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::log::LogReader;
/// let error = LogReader::new(&b"cell,time\n"[..]).unwrap_err();
/// assert!(error.to_string().starts_with("this is no log of cells"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The log cannot be written.
    #[error("the log cannot be written ({0}): make room, or give it another file")]
    Write(io::Error),
    /// The log cannot be read.
    #[error("the log cannot be read: {0}")]
    Read(#[from] io::Error),
    /// Another kind of file, or another version.
    #[error("this is no log of cells: {what}; give the file that a run of cells has written as its log")]
    Foreign {
        /// The fault.
        what: String,
    },
    /// The log ends before its run does.
    #[error(
        "the log ends in the middle, after {outputs} outputs: the run that wrote it has not come to its end; run the model again with a log"
    )]
    Truncated {
        /// How many there are.
        outputs: u64,
    },
    /// Bytes that no run writes.
    #[error("the log is damaged: output {output} is of {what}; run the model again with a log, or take another copy")]
    Damaged {
        /// The number of the output, from 0.
        output: u64,
        /// The impossible part.
        what: String,
    },
}

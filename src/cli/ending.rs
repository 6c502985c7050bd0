//! How a command ends.

/// The exit code of an interrupted run, as shells count it: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

/// The exit code of an error.
pub const FAILED: u8 = 2;

/// How a command ended that met no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It did what was asked.
    Done,
    /// The runs of a comparison differ.
    Different,
    /// No command was given; the help has been shown.
    Usage,
    /// Ctrl-C ended it early; what there was has been printed.
    Interrupted,
}

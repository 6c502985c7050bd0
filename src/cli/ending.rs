//! How a command ends.

use crate::device::has_abandoned;

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

/// Ends the process with an exit code: at once where a compiler of a driver may be at work still.
pub fn leave(code: u8) -> ! {
    if has_abandoned() {
        leave_at_once(code);
    }
    std::process::exit(code.into())
}

/// Ends the process whatever its threads do. The handlers that an ordinary end runs would take away what a compiler works
/// with, and Mesa's crashes then. Another program in its place ends them all without.
pub(super) fn leave_at_once(code: u8) -> ! {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        // It returns only where there is no shell.
        let _ = std::process::Command::new("/bin/sh").args(["-c", &format!("exit {code}")]).exec();
    }
    std::process::exit(code.into())
}

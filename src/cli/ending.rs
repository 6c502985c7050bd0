//! How a command ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::device::has_abandoned;

/// Whether a thread is ending the process, whatever the others meet meanwhile.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Whether the process is about to end, and nothing more is to be said.
pub(super) fn is_leaving() -> bool {
    LEAVING.load(Ordering::SeqCst)
}

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
    while is_leaving() {
        std::thread::sleep(Duration::from_secs(1));
    }
    if has_abandoned() {
        leave_at_once(code);
    }
    std::process::exit(code.into())
}

/// Ends the process whatever its threads do. The handlers that an ordinary end runs would take away what a compiler works
/// with, and Mesa's crashes then. Another program in its place ends them all without.
pub(super) fn leave_at_once(code: u8) -> ! {
    LEAVING.store(true, Ordering::SeqCst);
    // No thread starts from here on, and those that would start one may panic.
    std::panic::set_hook(Box::new(|_| {}));
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        // It returns only where there is no shell.
        let _ = std::process::Command::new("/bin/sh").args(["-c", &format!("exit {code}")]).exec();
    }
    std::process::exit(code.into())
}

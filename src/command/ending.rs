//! The endings of a command.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether a thread is ending the process, whatever happens in the others.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Whether the process is about to end, and prints nothing more.
pub(super) fn is_leaving() -> bool {
    LEAVING.load(Ordering::SeqCst)
}

/// The exit code of an interrupted run, as shells count it: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

/// The exit code of an error.
pub const FAILED: u8 = 2;

/// The ending of a command without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It has done its work.
    Done,
    /// The runs of a comparison differ.
    Different,
    /// No command was given; the help has been shown.
    Usage,
    /// Ctrl-C ended it early; the results so far have been printed.
    Interrupted,
}

/// Ends the process with an exit code. What has been printed is flushed.
pub fn leave(code: u8) -> ! {
    while is_leaving() {
        std::thread::sleep(Duration::from_secs(1));
    }
    // A closed pipe has no reader.
    let _ = std::io::stdout().flush();
    leave_at_once(code)
}

/// Ends the process whatever its threads do. The handlers of an ordinary end would free data that a compiler still uses,
/// and Mesa's crashes then.
pub(super) fn leave_at_once(code: u8) -> ! {
    LEAVING.store(true, Ordering::SeqCst);
    // No thread starts from here on, and code that would start one may panic.
    std::panic::set_hook(Box::new(|_| {}));
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

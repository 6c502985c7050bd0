//! How a command ends.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

/// Ends the process with an exit code. What has been printed is flushed.
pub fn leave(code: u8) -> ! {
    while is_leaving() {
        std::thread::sleep(Duration::from_secs(1));
    }
    // Nobody listens who has closed the pipe.
    let _ = std::io::stdout().flush();
    leave_at_once(code)
}

/// Ends the process whatever its threads do. The handlers that an ordinary end runs would take away what a compiler works
/// with, and Mesa's crashes then.
pub(super) fn leave_at_once(code: u8) -> ! {
    LEAVING.store(true, Ordering::SeqCst);
    // No thread starts from here on, and those that would start one may panic.
    std::panic::set_hook(Box::new(|_| {}));
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

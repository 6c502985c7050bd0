//! Whether standard output was closed where the program began (`tickless ... >&-`). The start of a Rust program puts an empty device there,
//! and what is written to it is lost without an error, so the question is asked before `main`.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

ctor::declarative::ctor! {
    /// Only asks the system and stores the answer: nothing of the standard library is ready yet.
    #[ctor(unsafe)]
    fn look() {
        CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
    }
}

/// The error of writing to a standard output that was closed.
pub fn check() -> std::io::Result<()> {
    if CLOSED.load(Ordering::Relaxed) { Err(rustix::io::Errno::BADF.into()) } else { Ok(()) }
}

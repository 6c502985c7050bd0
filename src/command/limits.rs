//! Processes with limited memory, stacks or threads: the threads that can start, and an end without a crash.

use std::io;
use std::sync::Mutex;
use std::thread;

use tickless_core::memory::{self, STACK};

use super::CommandError;

/// The stack of the command: what a shell gives a program where nobody has changed it.
const OWN_STACK: usize = 8 << 20;

/// Does the work on a thread with a stack of its own where that of the process is smaller (`ulimit -s`, or other systems than Linux).
/// Elsewhere, and where no thread starts, it is done here: allocators set address space aside for every thread.
pub fn on_its_own_stack<T: Send>(work: fn() -> T) -> T {
    let has_it = cfg!(target_os = "linux") && memory::first_stack().is_none_or(|bytes| bytes >= OWN_STACK as u64);
    if has_it {
        return work();
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("main".into()).stack_size(OWN_STACK);
        match builder.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => work(),
        }
    })
}

/// Before anything large is made.
pub fn prepare() -> Result<(), CommandError> {
    refused_memory_ends_the_run().map_err(CommandError::Limits)?;
    // Memory and the number of processes may be limited, and a driver takes threads too: these start before it does.
    let wanted = rayon::max_num_threads().min(thread::available_parallelism().map_or(1, usize::from));
    let started = startable(wanted);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(started.max(1)).stack_size(STACK);
    // Without room for any thread, this thread does their work.
    let pool = if started == 0 { pool.use_current_thread() } else { pool };
    match pool.build_global() {
        // A program that calls the command may have made the pool.
        Err(error) if rayon_failed(&error) => Err(CommandError::Limits(io::Error::other(error))),
        _ => Ok(()),
    }
}

/// Whether threads did not start. An existing pool is no fault.
fn rayon_failed(error: &rayon::ThreadPoolBuildError) -> bool {
    std::error::Error::source(error).is_some()
}

/// How many of the wanted threads can run at the same time.
fn startable(wanted: usize) -> usize {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        // None of them ends before the last has started.
        let _closed = gate.lock();
        let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || drop(gate.lock())).ok();
        (0..wanted).map_while(start).count()
    })
}

/// Rust's own lists abort the process if they get no memory, and so do drivers. Their message is on standard error by then;
/// the exit code is that of an error.
#[cfg(unix)]
fn refused_memory_ends_the_run() -> io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::SIGABRT;
    use signal_hook::flag::register_conditional_shutdown;

    register_conditional_shutdown(SIGABRT, i32::from(super::FAILED), Arc::new(AtomicBool::new(true))).map(drop)
}

#[cfg(not(unix))]
fn refused_memory_ends_the_run() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_start() {
        assert_eq!([0, 1, 3].map(startable), [0, 1, 3]);
    }
}

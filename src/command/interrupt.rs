//! Ctrl-C: the first ends a run at the next batch, the second ends the process. Before a run and after its output there is
//! nothing to lose: there the first ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::CommandError;
use super::ending::{INTERRUPTED, leave_at_once};
use super::output::{complain, remove_unfinished};

/// Whether Ctrl-C (or a request to terminate) has come.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    came: AtomicBool,
    watched: AtomicBool,
    /// Whether the run goes on from a checkpoint.
    resumes: AtomicBool,
    /// Whether the result has been printed.
    printed: AtomicBool,
    /// Whether the command checks all the time, unless a read blocks.
    closely: AtomicBool,
    /// Whether the command has noticed Ctrl-C.
    seen: AtomicBool,
    /// The time of the last check.
    answered: Mutex<Option<Instant>>,
}

/// A second signal within this time is the same: `timeout` sends a signal to a process and to its group.
const SAME: Duration = Duration::from_millis(200);
/// The message about files if Ctrl-C comes after the run.
pub const LEFT_OUT: &str = "interrupted while files were written: those that are not finished are left out";
/// How long a read may block before Ctrl-C ends the process.
const PATIENCE: Duration = Duration::from_millis(500);

impl Interrupt {
    /// Handles Ctrl-C from here on. The commands of one process, one after the other, share the handler.
    pub fn install() -> Result<Self, CommandError> {
        static INSTALLED: OnceLock<Interrupt> = OnceLock::new();
        // Of two calls at a time the second finds the handler of the first.
        static INSTALLING: Mutex<()> = Mutex::new(());
        let _installing = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupt) = INSTALLED.get() {
            return Ok(interrupt.clone());
        }
        let interrupt = Self::default();
        let flags = interrupt.0.clone();
        ctrlc::set_handler(move || {
            let again = flags.came.swap(true, Ordering::SeqCst);
            if again && flags.has_just_answered() {
                return;
            }
            let printed = flags.printed.load(Ordering::SeqCst);
            if !again && !printed && flags.is_answered() {
                flags.has_answered();
                return;
            }
            if printed {
                complain("note", &LEFT_OUT);
            } else if !again && !flags.watched.load(Ordering::SeqCst) {
                complain("note", &flags.before_the_run());
            }
            remove_unfinished();
            leave_at_once(INTERRUPTED);
        })
        .map_err(CommandError::Interrupt)?;
        Ok(INSTALLED.get_or_init(|| interrupt).clone())
    }

    /// One that has come.
    #[cfg(test)]
    pub fn that_came() -> Self {
        Self(Arc::new(Flags { came: true.into(), ..Flags::default() }))
    }

    /// There is something to keep from the beginning on.
    pub fn resumes(&self) {
        self.0.resumes.store(true, Ordering::SeqCst);
    }

    /// From here on there are results to keep, and the command checks for Ctrl-C.
    pub fn watched(&self) {
        self.0.watched.store(true, Ordering::SeqCst);
    }

    /// From here on the command checks all the time: if it does not, a read blocks, and the process ends.
    pub fn watched_closely(&self) {
        self.0.closely.store(true, Ordering::SeqCst);
        self.watched();
    }

    /// From here on the result is printed, and only unfinished files can be lost.
    pub fn printed(&self) {
        self.0.printed.store(true, Ordering::SeqCst);
    }

    /// Whether Ctrl-C has come.
    pub fn came(&self) -> bool {
        let came = self.0.came.load(Ordering::SeqCst);
        if came {
            self.0.seen.store(true, Ordering::SeqCst);
        }
        came
    }
}

impl Flags {
    /// The message if Ctrl-C comes before the run.
    fn before_the_run(&self) -> &'static str {
        if self.resumes.load(Ordering::SeqCst) {
            "interrupted before the run went on: its checkpoint is as it was"
        } else {
            "interrupted before the run: nothing has been simulated"
        }
    }

    fn has_answered(&self) {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn has_just_answered(&self) -> bool {
        let answered = *self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.is_some_and(|answered| answered.elapsed() < SAME)
    }

    /// Whether the command will end the run in good order.
    fn is_answered(&self) -> bool {
        let watched = self.watched.load(Ordering::SeqCst);
        if watched && self.closely.load(Ordering::SeqCst) {
            std::thread::sleep(PATIENCE);
            return self.seen.load(Ordering::SeqCst);
        }
        watched
    }
}

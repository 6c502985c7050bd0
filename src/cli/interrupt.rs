//! Ctrl-C: the first ends a run at the next batch, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::CommandError;
use super::ending::INTERRUPTED;
use super::output::remove_unfinished;

/// Whether Ctrl-C (or a request to terminate) has come.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles Ctrl-C from here on; once in a process.
    pub fn install() -> Result<Self, CommandError> {
        let interrupt = Self::default();
        let flag = interrupt.0.clone();
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                remove_unfinished();
                std::process::exit(i32::from(INTERRUPTED));
            }
        })
        .map_err(CommandError::Interrupt)?;
        Ok(interrupt)
    }

    /// Whether it has come.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

//! The process that runs: a fork has neither the threads nor the devices of its parent, and would wait for them for ever.

use std::sync::OnceLock;

use pyo3::prelude::*;

use crate::errors::TicklessError;

/// The process that called first.
static FIRST: OnceLock<u32> = OnceLock::new();

/// What whoever begins threads or uses devices calls before.
///
/// # Errors
/// [`TicklessError`] in a fork of a process that has called.
pub fn is_no_fork() -> PyResult<()> {
    let own = std::process::id();
    if *FIRST.get_or_init(|| own) == own {
        return Ok(());
    }
    Err(TicklessError::new_err(
        "this process was forked from one that had used tickless, whose threads and devices it has not: let it begin anew \
         (multiprocessing.get_context('spawn')), or fork before",
    ))
}

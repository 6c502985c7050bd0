//! A run that is watched from Python: Ctrl-C ends it, and a bar shows how far it is.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tickless::run::{Progress, Watch};

/// How often Python is asked, and told.
const EVERY: Duration = Duration::from_millis(50);

/// Ends a run when Python has a signal for it.
pub struct Signals {
    /// Told the share of the run that is done, from 0 to 1.
    told: Option<Py<PyAny>>,
    last: Option<Instant>,
    /// What Python raised.
    raised: Option<PyErr>,
}

impl Signals {
    /// With a bar, if it is asked for.
    pub fn new(py: Python<'_>, progress: bool) -> PyResult<Self> {
        let bar = || py.import("tickless._progress")?.getattr("bar")?.call0().map(Bound::unbind);
        Ok(Self { told: progress.then(bar).transpose()?, last: None, raised: None })
    }

    /// The end of a run.
    ///
    /// # Errors
    /// What Python raised in it.
    pub fn ended(self, py: Python<'_>) -> PyResult<()> {
        if let Some(told) = self.told {
            if self.raised.is_none() {
                told.call1(py, (1.0,))?;
            }
            told.call_method0(py, "close")?;
        }
        self.raised.map_or(Ok(()), Err)
    }

    fn ask(&mut self, share: f64) -> ControlFlow<()> {
        // What comes behind the part that Python ended ends, too.
        if self.raised.is_some() {
            return ControlFlow::Break(());
        }
        if self.last.is_some_and(|last| last.elapsed() < EVERY) {
            return ControlFlow::Continue(());
        }
        self.last = Some(Instant::now());
        let asked = Python::attach(|py| {
            py.check_signals()?;
            self.told.as_ref().map_or(Ok(()), |told| told.call1(py, (share,)).map(|_| ()))
        });
        match asked {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }
}

impl Watch for Signals {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let until = progress.until.ticks().max(1);
        self.ask(progress.clock.ticks() as f64 / until as f64)
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        self.ask(0.0)
    }
}

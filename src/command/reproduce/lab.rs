//! The backends on which the experiments of a paper run.

use std::cell::{Cell, OnceCell, RefCell};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use super::exhibit::Circumstances;
use crate::CommandError;
use crate::arguments::{Backend, DeviceArguments};
use crate::backend::{Ready, Suits};
use crate::interrupt::Interrupt;
use crate::progress::{TIME, Watcher};
use tickless_core::run::{Run, Watch};
use tickless_device::{AdapterKind, DeviceError, Target};
use tickless_error::RunError;

/// How long rounds of a quick run may take on a software adapter, which compiles each kernel for seconds: later points are left out.
const PATIENCE: Duration = Duration::from_secs(45);

/// A backend for rounds, the heap beside it, and the size of experiments.
pub struct Lab<'a> {
    ready: &'a Ready,
    asked: (Backend, &'a DeviceArguments),
    quick: bool,
    interrupt: &'a Interrupt,
    /// The time of rounds so far, set-up included.
    spent: Cell<Duration>,
    /// The device again, opened to time its kernels.
    timing: OnceCell<Ready>,
    notes: RefCell<Vec<String>>,
}

impl<'a> Lab<'a> {
    pub fn new(ready: &'a Ready, asked: (Backend, &'a DeviceArguments), quick: bool, interrupt: &'a Interrupt) -> Self {
        Self {
            ready,
            asked,
            quick,
            interrupt,
            spent: Cell::default(),
            timing: OnceCell::new(),
            notes: RefCell::default(),
        }
    }

    pub fn ready(&self) -> &Ready {
        self.ready
    }

    pub fn circumstances(&self) -> Circumstances {
        let gpu = self.ready.adapter().is_some_and(|adapter| adapter.kind != AdapterKind::Software);
        Circumstances { gpu, quick: self.quick }
    }

    /// Notes on missing points.
    pub fn notes(&self) -> Vec<String> {
        self.notes.take()
    }

    /// The first value in a quick run, the second in a full run.
    pub fn by_scale<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The numbers of ranks that share a run: 1, 2, 4 and so on, up to the number of cores.
    pub fn ranks(&self) -> Vec<NonZeroU32> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let counts = (0..self.by_scale(2, 5)).map(|doublings| 1 << doublings);
        counts.filter(|count| *count as usize <= cores).filter_map(NonZeroU32::new).collect()
    }

    /// Runs a model a single time on the sequential simulator.
    ///
    /// # Errors
    /// What it ends with; an interruption.
    pub fn on_heap<O, D, E: Into<RunError>>(
        &self,
        what: &str,
        run: impl FnMut(Target<'_>, &mut dyn Watch) -> Result<Run<O, D>, E>,
    ) -> Result<Run<O, D>, CommandError> {
        let heap = if self.ready.is_heap() { self.ready.target() } else { Target::Heap };
        self.run(what, heap, 1, run)
    }

    /// Runs a model for its figures, which are the same everywhere: on a GPU if there is one, else on the heap.
    ///
    /// # Errors
    /// What it ends with; an interruption.
    pub fn figures<O, D, E: Into<RunError>>(
        &self,
        what: &str,
        run: impl FnMut(Target<'_>, &mut dyn Watch) -> Result<Run<O, D>, E>,
    ) -> Result<Run<O, D>, CommandError> {
        if self.circumstances().gpu { self.run(what, self.ready.target(), 1, run) } else { self.on_heap(what, run) }
    }

    /// Runs a model this many times in rounds, and gives the run of the median time. `None` where no device can run it, with a
    /// note.
    ///
    /// # Errors
    /// An interruption; a device that is lost.
    pub fn in_rounds<O, D, E: Into<RunError>>(
        &self,
        what: &str,
        times: usize,
        run: impl FnMut(Target<'_>, &mut dyn Watch) -> Result<Run<O, D>, E>,
    ) -> Result<Option<Run<O, D>>, CommandError> {
        if !self.goes_on(what) {
            return Ok(None);
        }
        self.noted(what, self.ready.target(), times, run)
    }

    /// The same a single time, on the device as it is opened to time its kernels.
    ///
    /// # Errors
    /// An interruption; a device that is lost, or does not open again.
    pub fn timed<O, D, E: Into<RunError>>(
        &self,
        what: &str,
        run: impl FnMut(Target<'_>, &mut dyn Watch) -> Result<Run<O, D>, E>,
    ) -> Result<Option<Run<O, D>>, CommandError> {
        if !self.goes_on(what) {
            return Ok(None);
        }
        if self.timing.get().is_none() {
            let (backend, device) = self.asked;
            let timing = DeviceArguments { timings: true, ..device.clone() };
            let (opened, _) = Ready::choose(backend, &timing, Suits::Rounds { events: f64::INFINITY })?;
            // It was empty.
            let _ = self.timing.set(opened);
        }
        let target = self.timing.get().map_or(Target::Heap, Ready::target);
        self.noted(what, target, 1, run)
    }

    /// Whether there is a device, and time for it.
    fn goes_on(&self, what: &str) -> bool {
        let late = self.quick && !self.circumstances().gpu && self.spent.get() > PATIENCE;
        if late && !self.ready.is_heap() {
            let note = format!(
                "{what}: points are missing, as a quick run ends rounds on a software adapter after {PATIENCE:?}"
            );
            self.note(note);
        }
        !late && !self.ready.is_heap()
    }

    /// Adds a note, once.
    pub fn note(&self, note: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    fn run<O, D, E: Into<RunError>>(
        &self,
        what: &str,
        target: Target<'_>,
        times: usize,
        mut run: impl FnMut(Target<'_>, &mut dyn Watch) -> Result<Run<O, D>, E>,
    ) -> Result<Run<O, D>, CommandError> {
        let mut single = || -> Result<Run<O, D>, CommandError> {
            let mut watcher = Watcher::new(what, "events", TIME, self.interrupt);
            let run = run(target, &mut watcher).map_err(Into::into)?;
            self.interrupt.watched();
            if run.interrupted || self.interrupt.came() { Err(DeviceError::Interrupted.into()) } else { Ok(run) }
        };
        let mut runs = vec![single()?];
        for _ in 1..times {
            runs.push(single()?);
        }
        runs.sort_by_key(|run| run.wall);
        Ok(runs.swap_remove(times / 2))
    }

    /// The same in rounds. What a device refuses is a point that is missing.
    fn noted<O, D, E: Into<RunError>>(
        &self,
        what: &str,
        target: Target<'_>,
        times: usize,
        run: impl FnMut(Target<'_>, &mut dyn Watch) -> Result<Run<O, D>, E>,
    ) -> Result<Option<Run<O, D>>, CommandError> {
        let begin = Instant::now();
        let run = self.run(what, target, times, run);
        self.spent.set(self.spent.get() + begin.elapsed());
        match run {
            Ok(run) => Ok(Some(run)),
            Err(CommandError::Run(error)) if !error.is_interrupted() && !is_lost(&error) => {
                self.note(format!("{what}: a point is missing: {error}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn is_lost(error: &RunError) -> bool {
    matches!(error.device(), Some(DeviceError::Lost { .. } | DeviceError::DriverFailed { .. }))
}

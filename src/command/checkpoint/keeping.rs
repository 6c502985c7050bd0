//! A run in parts, with a checkpoint after each but the last.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::file::{Read, wrong};
use super::files::Files;
use super::parts::Parts;
use super::so_far::SoFar;
use super::{CourseArguments, INTERVAL, Resumable};
use crate::CommandError;
use crate::arguments::DeviceArguments;
use crate::backend::Ready;
use crate::case::{PartOf, RunOf, SnapshotOf, Wanted};
use crate::interrupt::Interrupt;
use crate::output::complain;
use crate::progress::Watcher;
use crate::run::Given;
use tickless_core::ranks::TransportError;
use tickless_core::run::{Pause, Progress, Run, SnapshotWatch, Watch};
use tickless_device::DeviceError;

/// The watch of a part: that of the command, which also pauses it when a checkpoint is due.
struct Part<'a, C: Resumable> {
    watcher: Watcher<'a>,
    /// The counts before this part.
    so_far: &'a SoFar<C::Counts>,
    files: &'a mut Files,
    interval: Duration,
    /// When it began to run, or when its last checkpoint was taken.
    begun: Option<Instant>,
}

impl<C: Resumable> Watch for Part<'_, C> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let SoFar { events, rounds, wall, .. } = self.so_far;
        let all = Progress {
            events: events + progress.events,
            rounds: rounds.unwrap_or_default() + progress.rounds,
            elapsed: *wall + progress.elapsed,
            ..*progress
        };
        self.begun.get_or_insert_with(Instant::now);
        self.watcher.look(&all)
    }

    /// A checkpoint is due, and the one before it is complete.
    fn pause(&mut self, _: Pause) -> bool {
        self.begun.is_some_and(|begun| begun.elapsed() >= self.interval) && !self.files.writing.is_under_way()
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watcher.set_up(elapsed)
    }
}

impl<C: Resumable> SnapshotWatch<SnapshotOf<C>> for Part<'_, C> {
    fn takes_snapshots(&self) -> bool {
        true
    }

    fn take(&mut self, snapshot: SnapshotOf<C>) {
        let mut so_far = self.so_far.clone();
        self.files.begin::<C>(move || {
            let mut run = snapshot()?;
            so_far.add::<C, _>(&mut run);
            Ok((run.map(Arc::new), so_far))
        });
        self.begun = Some(Instant::now());
    }

    fn settle(&mut self) {
        self.files.wait();
    }
}

/// A run that leaves checkpoints, between two of its parts.
pub struct Keeping<C: Resumable> {
    pub course: CourseArguments,
    /// Its state, and the number of that checkpoint; `None` at its beginning.
    pub at: Option<(u64, Arc<C::Checkpoint>)>,
    pub so_far: SoFar<C::Counts>,
    /// The details of the last part beside its state.
    pub run: Option<Run<(), C::Details>>,
    pub files: Files,
}

/// The contents of a checkpoint: the state of its run, and the counts so far.
///
/// # Errors
/// Arrays and counts of another model.
pub fn restored<C: Resumable>(
    case: &C,
    Read { path, head, arrays }: Read,
) -> Result<(C::Checkpoint, SoFar<C::Counts>), CommandError> {
    let at = case.checkpoint(arrays).map_err(|error| wrong(&path, error))?;
    let counts = serde_path_to_error::deserialize(head.counts.clone());
    Ok((at, SoFar::new(&head, counts.map_err(|error| wrong(&path, format!("in `counts`: {error}")))?)))
}

impl<C: Resumable> Keeping<C> {
    /// Goes on to the horizon, or until Ctrl-C.
    ///
    /// # Errors
    /// As the backend, with the last checkpoint.
    pub fn finish(
        mut self,
        case: &mut C,
        (backend, given): (&mut Ready, Given<'_>),
        mut parts: impl Parts<C>,
        interrupt: &Interrupt,
    ) -> Result<RunOf<C>, CommandError> {
        let mut tries = self.course.retry.unwrap_or(0);
        loop {
            let part = self.part(case, backend, &mut parts, interrupt);
            match part {
                Ok(run) if run.interrupted && !interrupt.came() => self.keep(case, run),
                Ok(run) => {
                    return match parts.end() {
                        Ok(()) => self.ended(case, run, backend),
                        Err(error) => Err(self.stopped(error)),
                    };
                }
                Err(CommandError::Run(error)) if error.is_interrupted() && self.run.is_some() => {
                    return self.kept_so_far(case, backend);
                }
                Err(CommandError::Run(error)) if error.is_interrupted() => {
                    return Err(self.files.last().map_or(CommandError::Run(error), |clock| CommandError::NotResumed {
                        path: self.files.pair.paths()[0].clone(),
                        clock,
                    }));
                }
                Err(error) if tries > 0 && may_go_on(&error) => {
                    tries -= 1;
                    self.go_back(case);
                    *backend = match self.opened_again(case, given, &parts, (error, &mut tries)) {
                        Ok(opened) => backend.again(opened),
                        Err(error) => return Err(self.stopped(error)),
                    };
                }
                // It goes on from `at`.
                Err(error) if backend.replace(&error, given.format, |next| fits(case, next)) => {}
                Err(error) => return Err(self.stopped(error)),
            }
        }
    }

    /// The backend for the rest after an error, with so many tries left: the same again, and for the last try, or if the same
    /// cannot be opened, that of `--retry-on`.
    fn opened_again(
        &self,
        case: &C,
        given: Given<'_>,
        parts: &impl Parts<C>,
        (error, tries): (CommandError, &mut u32),
    ) -> Result<Ready, CommandError> {
        let other = self.course.retry_on;
        let mut why = String::new();
        let opened = 'opened: {
            if *tries > 0 || other.is_none() {
                match parts.open(case, given) {
                    Err(again) if other.is_some() => why = format!("; it cannot be opened again ({again})"),
                    opened => break 'opened opened,
                }
            }
            *tries = 0;
            let (backend, device) = (other.unwrap_or(given.backend), DeviceArguments::default());
            parts.open(case, Given { backend, device: &device, ..given })
        };
        match opened {
            Ok((ready, _)) => {
                let from = self.at.as_ref().map_or("the beginning", |_| "the last checkpoint");
                complain("warning", &format!("{error}{why}; going on from {from} on {}", ready.name()));
                Ok(ready)
            }
            Err(again) => Err(CommandError::NotOpened { error: Box::new(error), again: Box::new(again) }),
        }
    }

    /// Takes the last checkpoint that was written, if the run has gone on since.
    fn go_back(&mut self, case: &C) {
        self.files.wait();
        let at = self.at.as_ref().map_or(0, |(number, _)| *number);
        let Some((number, _)) = self.files.whole.filter(|(number, _)| *number > at) else { return };
        match self.files.pair.read_number(number).and_then(|read| restored(case, read)) {
            Ok((found, so_far)) => (self.at, self.so_far, self.run) = (Some((number, Arc::new(found))), so_far, None),
            Err(error) => complain("warning", &format!("{error}; the run goes on from the last state in memory")),
        }
    }

    fn part(
        &mut self,
        case: &mut C,
        backend: &Ready,
        parts: &mut impl Parts<C>,
        interrupt: &Interrupt,
    ) -> Result<PartOf<C>, CommandError> {
        let watcher = Watcher::new(backend.name(), C::EVENTS, C::CLOCK, interrupt);
        let interval = self.course.checkpoint_interval.unwrap_or(INTERVAL);
        let Self { at, so_far, files, .. } = self;
        let mut watch = Part::<C> { watcher, so_far, files, interval, begun: None };
        let run = parts.run(case, at.as_ref().map(|(_, at)| at), backend, &mut watch);
        if run.is_ok() {
            // A part of few events may end before it checks for Ctrl-C.
            interrupt.watched();
        }
        run
    }

    /// Takes in a part and begins to write a checkpoint of its end. The run waits meanwhile, which counts in its time.
    fn keep(&mut self, case: &C, mut run: PartOf<C>) {
        let begin = Instant::now();
        self.so_far.add::<C, _>(&mut run);
        case.found(&mut self.files.same.origin.arguments);
        let mut at = None;
        let run = run.map(|end| at = Some(Arc::new(end)));
        self.so_far.wall += begin.elapsed();
        let run = Run { wall: self.so_far.wall, ..run };
        if let Some(at) = at {
            let standing = (run.clone().map(|()| at.clone()), self.so_far.clone());
            self.files.begin::<C>(move || Ok(standing));
            self.at = Some((self.files.number, at));
        }
        self.run = Some(run);
    }

    /// The whole run, or after Ctrl-C the part so far, which then also leaves a checkpoint.
    fn ended(mut self, case: &C, mut run: PartOf<C>, backend: &Ready) -> Result<RunOf<C>, CommandError> {
        if run.interrupted && !case.lacks_pilot() {
            self.keep(case, run);
            return self.kept_so_far(case, backend);
        }
        if run.interrupted {
            complain(
                "note",
                &"no checkpoint is left: Ctrl-C came before the pilot had found the warm-up; run it again",
            );
        }
        self.so_far.add::<C, _>(&mut run);
        run.setup += backend.opening();
        self.files.wait();
        Ok(run.map(|at| case.outcome(at)))
    }

    /// The run so far, of which the last checkpoint may have less.
    fn kept_so_far(mut self, case: &C, backend: &Ready) -> Result<RunOf<C>, CommandError> {
        let (last, path) = (self.files.last(), self.files.pair.paths()[0].display().to_string());
        let clock = self.run.as_ref().map(|run| run.clock.units());
        match last {
            Some(last) if Some(last) == clock => {
                complain("note", &format!("the run is kept: go on with tickless resume {path}"));
            }
            Some(last) => {
                complain("note", &format!("the run is kept up to time {last}: go on with tickless resume {path}"));
            }
            None => complain("warning", &"the run is not kept, as no checkpoint could be written: run it again"),
        }
        match (self.run.take(), self.at.take()) {
            (Some(mut run), Some((_, at))) => {
                run.setup += backend.opening();
                Ok(run.map(|()| case.outcome(Arc::unwrap_or_clone(at))))
            }
            _ => Err(DeviceError::Interrupted.into()),
        }
    }

    /// The error that ends a run, with its last checkpoint, if the error is not that checkpoint.
    fn stopped(mut self, error: CommandError) -> CommandError {
        match self.files.last() {
            _ if matches!(&error, CommandError::Run(error) if error.refuses_checkpoint()) => error,
            None => error,
            Some(clock) => {
                CommandError::Stopped { error: Box::new(error), path: self.files.pair.paths()[0].clone(), clock }
            }
        }
    }
}

/// Whether a backend runs a case with its options, in the memory that it has.
fn fits<C: Resumable>(case: &C, next: &Ready) -> bool {
    case.check_options(next).and_then(|()| case.check_size(&next.room(), Wanted::Checkpoint)).is_ok()
}

/// Whether another try may succeed: the error is of the device, or of the thread of a rank.
fn may_go_on(error: &CommandError) -> bool {
    use DeviceError::{BatchLimit, DriverFailed, Lost, OutOfMemory};
    matches!(error.device(), Some(Lost { .. } | OutOfMemory { .. } | BatchLimit { .. } | DriverFailed { .. }))
        || matches!(error.ranks(), Some(TransportError::Gone { .. } | TransportError::NoThread { .. }))
}

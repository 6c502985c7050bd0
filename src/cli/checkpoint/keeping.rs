//! A run in parts, with a checkpoint behind each but the last.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::json;

use super::file::{Head, Pair, Same, Writing};
use super::parts::{PartOf, Parts};
use super::so_far::SoFar;
use super::{CourseArguments, EVERY, Resumable};
use crate::cli::CommandError;
use crate::cli::arguments::DeviceArguments;
use crate::cli::backend::Ready;
use crate::cli::case::RunOf;
use crate::cli::interrupt::Interrupt;
use crate::cli::output::complain;
use crate::cli::progress::Watcher;
use crate::cli::run::Given;
use crate::device::DeviceError;
use crate::ranks::TransportError;
use crate::run::{Pause, Progress, Run, Watch};

/// The watch of a part: that of the command, which also stops it when a checkpoint is due.
struct Part<'a> {
    watcher: Watcher<'a>,
    /// What was counted before it.
    before: (u64, u64, Duration),
    every: Duration,
    /// When it began to run.
    begun: Option<Instant>,
}

impl Watch for Part<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let (events, rounds, wall) = self.before;
        let all = Progress {
            events: events + progress.events,
            rounds: rounds + progress.rounds,
            elapsed: wall + progress.elapsed,
            ..*progress
        };
        self.begun.get_or_insert_with(Instant::now);
        self.watcher.look(&all)
    }

    /// A checkpoint is due.
    fn pause(&mut self, _: Pause) -> bool {
        self.begun.is_some_and(|begun| begun.elapsed() >= self.every)
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watcher.set_up(elapsed)
    }
}

/// A run that leaves checkpoints, between two of its parts.
pub struct Keeping<C: Resumable> {
    pub pair: Pair,
    pub course: CourseArguments,
    /// What every head says: what is simulated, as it was before the first part. A result says how many replications there
    /// were, and these are those that were asked for.
    pub same: Same,
    /// Where it stands; `None` at its beginning.
    pub at: Option<C::Checkpoint>,
    pub so_far: SoFar<C::Counts>,
    /// Checkpoints so far, those among them that could not be written.
    pub number: u64,
    /// The number and the clock of the last one that is whole.
    pub whole: Option<(u64, f64)>,
    /// What the last part has said beside that.
    pub run: Option<Run<(), C::Details>>,
    pub writing: Writing,
}

impl<C: Resumable> Keeping<C> {
    /// Goes on to the horizon, or to where Ctrl-C comes.
    ///
    /// # Errors
    /// What the backend returns, with the last checkpoint.
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
                    return self.kept_so_far(backend);
                }
                Err(CommandError::Run(error)) if error.is_interrupted() => {
                    return Err(self.last().map_or(CommandError::Run(error), |clock| CommandError::NotResumed {
                        path: self.pair.paths()[0].clone(),
                        clock,
                    }));
                }
                Err(error) if tries > 0 && may_go_on(&error) => {
                    tries -= 1;
                    *backend = match self.opened_again(case, given, &parts, (error, &mut tries)) {
                        Ok(opened) => opened,
                        Err(error) => return Err(self.stopped(error)),
                    };
                }
                Err(error) => return Err(self.stopped(error)),
            }
        }
    }

    /// What runs the rest behind an error, with so many tries left: the backend again, and for the last of them, or where that
    /// cannot be opened, the one of `--retry-on`.
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
            parts.open_instead(case, Given { backend, device: &device })
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

    fn part(
        &self,
        case: &mut C,
        backend: &Ready,
        parts: &mut impl Parts<C>,
        interrupt: &Interrupt,
    ) -> Result<PartOf<C>, CommandError> {
        let watcher = Watcher::new(backend.name(), C::EVENTS, C::CLOCK, interrupt);
        let every = self.course.every.unwrap_or(EVERY);
        let SoFar { events, rounds, wall, .. } = self.so_far;
        let before = (events, rounds.unwrap_or_default(), wall);
        let mut watch = Part { watcher, before, every, begun: None };
        let run = parts.run(case, self.at.as_ref(), backend, &mut watch);
        if run.is_ok() {
            // A part of few events is over before anybody looks.
            interrupt.watched();
        }
        run
    }

    /// Takes in a part and begins to write a checkpoint of its end. The run is held up meanwhile, which is of its time.
    fn keep(&mut self, case: &C, mut run: PartOf<C>) {
        let begin = Instant::now();
        self.so_far.add::<C, _>(&mut run);
        self.number += 1;
        // The one before is whole before this one is begun.
        self.wait();
        case.found(&mut self.same.origin.arguments);
        let arrays = case.arrays(&run.outcome);
        self.so_far.wall += begin.elapsed();
        run.wall = self.so_far.wall;
        match arrays {
            Ok(arrays) => self.writing = self.pair.write(&self.head(&run), arrays),
            Err(error) => {
                complain("warning", &format!("no checkpoint is written at time {}: {error}", run.clock.units()));
            }
        }
        self.run = Some(run.map(|end| self.at = Some(end)));
    }

    fn head(&self, run: &PartOf<C>) -> Head {
        Head {
            same: self.same.clone(),
            number: self.number,
            clock: run.clock.units(),
            events: run.events,
            rounds: run.rounds,
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            counts: json!(self.so_far.counts),
        }
    }

    /// A checkpoint that cannot be written ends no run.
    fn wait(&mut self) {
        match self.writing.wait() {
            Ok(whole) => self.whole = whole.or(self.whole),
            Err(error) => complain("warning", &format!("the run goes on without a checkpoint: {error}")),
        }
    }

    /// The clock of the last checkpoint, where it is there still.
    fn last(&mut self) -> Option<f64> {
        self.wait();
        self.whole.filter(|(number, _)| self.pair.path(*number).exists()).map(|(_, clock)| clock)
    }

    /// The whole run, or what there is of it where Ctrl-C came: then it is kept too.
    fn ended(mut self, case: &C, mut run: PartOf<C>, backend: &Ready) -> Result<RunOf<C>, CommandError> {
        if run.interrupted && !case.lacks_pilot() {
            self.keep(case, run);
            return self.kept_so_far(backend);
        }
        if run.interrupted {
            complain(
                "note",
                &"no checkpoint is left: Ctrl-C came before the pilot had found the warm-up; run it again",
            );
        }
        self.so_far.add::<C, _>(&mut run);
        run.setup += backend.opening();
        self.wait();
        Ok(run.map(C::outcome))
    }

    /// The run up to where it stands, of which a checkpoint may have less.
    fn kept_so_far(mut self, backend: &Ready) -> Result<RunOf<C>, CommandError> {
        let (last, path) = (self.last(), self.pair.paths()[0].display().to_string());
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
            (Some(mut run), Some(at)) => {
                run.setup += backend.opening();
                Ok(run.map(|()| C::outcome(at)))
            }
            _ => Err(DeviceError::Interrupted.into()),
        }
    }

    /// What is left of a run that has ended with an error.
    fn stopped(mut self, error: CommandError) -> CommandError {
        match self.last() {
            None => error,
            Some(clock) => CommandError::Stopped { error: Box::new(error), path: self.pair.paths()[0].clone(), clock },
        }
    }
}

/// Whether another try may not meet the same: what went wrong is the device's, or that of the thread of a rank.
fn may_go_on(error: &CommandError) -> bool {
    use DeviceError::{BatchLimit, DriverFailed, Lost, OutOfMemory};
    matches!(error.device(), Some(Lost { .. } | OutOfMemory { .. } | BatchLimit { .. } | DriverFailed { .. }))
        || matches!(error.ranks(), Some(TransportError::Gone { .. } | TransportError::NoThread { .. }))
}
